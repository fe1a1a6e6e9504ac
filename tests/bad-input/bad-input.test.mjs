// Every wrong scenario of cases.json gives its exact message, exit code 2, and nothing on standard output.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, openSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { make } from "./make.mjs";

/** @typedef {{name: string, text?: string, make?: string, args?: string[], error: string}} Case */

const command = process.env.CACHECAST ?? "build/native/cachecast";
const folder = mkdtempSync(join(tmpdir(), "cachecast-"));
after(() => rmSync(folder, { recursive: true }));

/** @param {string[]} args */
const run = (args) => spawnSync(command, args, { encoding: "utf8" });

/** @type {Case[]} */
const cases = JSON.parse(readFileSync(new URL("cases.json", import.meta.url), "utf8"));

for (const wrong of cases) {
  test(wrong.name, () => {
    const file = join(folder, "scenario.json");
    writeFileSync(file, wrong.make ? make[wrong.make]() : (wrong.text ?? ""));
    const { status, stdout, stderr } = run(["run", file, ...(wrong.args ?? [])]);
    assert.equal(stderr.replaceAll(file, "FILE"), `cachecast: ${wrong.error}\n`);
    assert.equal(status, 2);
    assert.equal(stdout, "");
  });
}

test("there are at least 60 of them", () => assert.ok(cases.length >= 60));

test("what is no readable scenario file is said so", () => {
  const large = join(folder, "large.json");
  openSync(large, "w");
  truncateSync(large, 100 << 20);
  for (const [path, words] of [
    [join(folder, "missing.json"), /No such file/],
    [folder, /directory/],
    [large, /16 MiB/],
  ]) {
    const { status, stdout, stderr } = run(["run", String(path)]);
    assert.match(stderr, /** @type {RegExp} */ (words));
    assert.equal(status, 2);
    assert.equal(stdout, "");
  }
});
