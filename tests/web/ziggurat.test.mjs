// The tables that JavaScript computes for the module are those of the core, bit for bit.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { fillZiggurat } from "../../web/sim/ziggurat.mjs";
import { root } from "./browser.mjs";

const source = readFileSync(path.join(root, "core/engine/ziggurat.c"), "utf8");

/** C's hexadecimal notation: 0x1.8p-3. @param {string} text */
function number(text) {
  const [, one = "", fraction = "", power] = /^0x([01])(?:\.(\w+))?p([+-]\d+)$/.exec(text) ?? [];
  return Number(BigInt(`0x${one}${fraction}`)) * 2 ** (Number(power) - 4 * fraction.length);
}

/** The elements of a table of the core. @param {string} name */
function table(name) {
  const elements = source.split(`${name}[256] = {`)[1]?.split("}")[0] ?? "";
  return elements.replace(/UINT64_C\((\w+)\)/g, "$1").match(/[^\s,]+/g) ?? [];
}

test("the ziggurat of the exponential", () => {
  const accept = new BigUint64Array(256);
  const scale = new Float64Array(256);
  const height = new Float64Array(256);
  fillZiggurat(accept, scale, height);
  assert.deepEqual([...accept], table("cc_ziggurat_accept").map(BigInt));
  assert.deepEqual([...scale], table("cc_ziggurat_scale").map(number));
  assert.deepEqual([...height], table("cc_ziggurat_height").map(number));
});
