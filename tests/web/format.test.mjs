// The numbers that JavaScript writes for the module must be those of C, or reports would differ from the command's.

import assert from "node:assert/strict";
import { test } from "node:test";
import { formatImports, general } from "../../web/sim/format.mjs";

test("%.*g as C writes it", () => {
  /** @type {[number, number, string][]} what printf of the C library gave */
  const written = [
    [0, 15, "0"],
    [-0, 15, "-0"],
    [1, 15, "1"],
    [-2.5, 17, "-2.5"],
    [0.1, 15, "0.1"],
    [0.1, 17, "0.10000000000000001"],
    [100, 15, "100"],
    [123456789012345680, 15, "1.23456789012346e+17"],
    [1e15, 15, "1e+15"],
    [1e14, 15, "100000000000000"],
    [0.0001, 15, "0.0001"],
    [0.00001, 15, "1e-05"],
    [-1.5e-9, 15, "-1.5e-09"],
    [1e100, 17, "1e+100"],
    [5e-324, 17, "4.9406564584124654e-324"],
    [1.7976931348623157e308, 17, "1.7976931348623157e+308"],
    [999999999999999.9, 15, "1e+15"],
  ];
  for (const [number, digits, text] of written) assert.equal(general(number, digits), text);
});

test("%.*g of a number half-way between two goes to the even one, as in C", () => {
  assert.equal(general(600000000000000.25, 16), "600000000000000.2");
  assert.equal(general(600000000000000.75, 16), "600000000000000.8");
  assert.equal(general(0.125, 2), "0.12");
  assert.equal(general(0.375, 2), "0.38");
});

test("the directives that the core and its JSON library use", () => {
  const memory = new WebAssembly.Memory({ initial: 1 });
  const bytes = new Uint8Array(memory.buffer);
  const view = new DataView(memory.buffer);
  const { format_print, format_number } = formatImports(() => memory);
  const encoder = new TextEncoder();
  /** @param {number} address @param {string} text */
  const put = (address, text) => bytes.set(encoder.encode(`${text}\0`), address);
  /** @param {number} address */
  const textAt = (address) => new TextDecoder().decode(bytes.subarray(address, bytes.indexOf(0, address)));
  const word = 50;
  const text = 100;
  const given = 200;
  const out = 300;

  put(text, "%s %.2s %.*s|%u %d %zu|%llu %lld|%04x %X %c%%|%.*g");
  put(word, "café");
  for (const [at, argument] of [word, word, 3, word, 4294967295, -7, 12].entries())
    view.setInt32(given + at * 4, argument, true);
  view.setBigUint64(given + 32, 18446744073709551615n, true); // aligned to its size: 4 bytes are left out
  view.setBigInt64(given + 40, -5n, true);
  for (const [at, argument] of [10, 255, 65, 15].entries()) view.setInt32(given + 48 + at * 4, argument, true);
  view.setFloat64(given + 64, 0.25, true);
  const whole = "café ca caf|4294967295 -7 12|18446744073709551615 -5|000a FF A%|0.25";
  assert.equal(format_print(out, 100, text, given), encoder.encode(whole).length);
  assert.equal(textAt(out), whole);

  assert.equal(format_print(out, 3, text, given), encoder.encode(whole).length, "the length is that of the whole");
  assert.equal(textAt(out), "ca");
  bytes[out] = 1;
  format_print(out, 0, text, given);
  assert.equal(bytes[out], 1, "without room nothing is written");

  put(text, "%q");
  assert.throws(() => format_print(out, 10, text, given), /%q/);
  put(text, "1.7976931348623157e308");
  assert.equal(format_number(text), Number.MAX_VALUE);
});
