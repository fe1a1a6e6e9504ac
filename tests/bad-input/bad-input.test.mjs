// Wrong input, each with its exact message: exit code 2, nothing on standard output, one line on standard error.
// CACHECAST names the command.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  closeSync,
  ftruncateSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, test } from "node:test";
import { make } from "./make.mjs";

/** @typedef {{name: string, text?: string, make?: string, args?: string[], error: string}} Case */

const command = resolve(process.env.CACHECAST ?? "build/native/cachecast");
const directory = mkdtempSync(join(tmpdir(), "cachecast-bad-input-"));
const file = join(directory, "scenario.json");
const good = '{"name": "x", "duration": "1s", "workload": {"arrivals": {"rate": 10}}}\n';
after(() => rmSync(directory, { recursive: true, force: true }));

/**
 * @param {string[]} args
 * @param {string | Buffer} [input]
 */
function run(args, input = "") {
  return spawnSync(command, args, {
    encoding: "utf8",
    input,
    cwd: directory,
    timeout: 60000,
    env: { ...process.env, LC_ALL: "C" },
  });
}

/**
 * @param {string[]} args
 * @param {string} error
 * @param {string | Buffer} [input]
 */
function refused(args, error, input) {
  const result = run(args, input);
  assert.equal(result.stderr.replaceAll(file, "FILE"), `cachecast: ${error}\n`);
  assert.equal(result.stdout, "");
  assert.equal(result.status, 2);
}

/** @type {Case[]} */
const cases = JSON.parse(readFileSync(new URL("cases.json", import.meta.url), "utf8"));

test("the table has each case once", () => {
  assert.ok(cases.length >= 70);
  assert.equal(new Set(cases.map((line) => line.name)).size, cases.length);
});

for (const { name, text, make: maker, args, error } of cases) {
  test(name, () => {
    writeFileSync(file, maker ? make[maker]() : (text ?? ""));
    refused(["run", file, ...(args ?? [])], error);
  });
}

test("the scenario that the cases spoil is right, also after a byte order mark", () => {
  for (const text of [good, `\ufeff${good}`]) {
    writeFileSync(file, text);
    const result = run(["run", file]);
    assert.equal(result.stderr, "");
    assert.equal(result.status, 0);
    assert.notEqual(result.stdout, "");
  }
});

test("an empty file", () => {
  writeFileSync(file, "");
  refused(["run", file], "FILE:1:1: the text is empty; a JSON object is needed");
});

test("empty standard input", () => {
  refused(["run", "-"], "<stdin>:1:1: the text is empty; a JSON object is needed");
});

test("a wrong scenario from standard input", () => {
  refused(["run", "-"], '<stdin>:1:2: /nam: unknown key; did you mean "name"?', '{"nam": 1}');
});

test("a file of 100 MB, which is not read", () => {
  const handle = openSync(file, "w");
  ftruncateSync(handle, 100_000_000);
  closeSync(handle);
  refused(["run", file], "FILE: larger than 16 MiB, the limit");
  rmSync(file);
});

test("standard input that does not end within the limit", () => {
  refused(["run", "-"], "<stdin>: larger than 16 MiB, the limit", Buffer.alloc(17 << 20, " "));
});

test("a missing file", () => {
  for (const name of ["run", "explain", "verify"])
    refused([name, "missing.json"], "missing.json: No such file or directory");
});

test("a directory", () => {
  mkdirSync(join(directory, "inside"));
  refused(["run", "inside"], "inside: is a directory, not a file");
});

/** @type {[string, string[], string][]} */
const calls = [
  [
    "no command",
    [],
    'no command: run, compare, verify, explain, link, schema, bench, forecast or advise; see "cachecast --help"',
  ],
  ["an unknown command", ["frobnicate"], 'unknown command "frobnicate"; see "cachecast --help"'],
  ["a misspelt command", ["rnu", "x.json"], 'unknown command "rnu"; did you mean "run"?'],
  ["run without a file", ["run"], 'run needs a scenario file; see "cachecast run --help"'],
  ["explain without a file", ["explain"], 'explain needs a scenario file; see "cachecast explain --help"'],
  ["an unknown option", ["run", "x.json", "--frob"], 'unknown option --frob; see "cachecast run --help"'],
  ["an option without its value", ["run", "x.json", "--set"], "option --set needs a value"],
  ["--set without a path", ["run", "x.json", "--set", "=5"], '--set: expected path=value, found "=5"'],
  ["--set without a value", ["run", "x.json", "--set", "seed"], '--set: expected path=value, found "seed"'],
  ["--seed that is no number", ["run", "x.json", "--seed", "x"], '--seed: expected a whole number, found "x"'],
  ["--reps 0", ["run", "x.json", "--reps", "0"], '--reps: expected a whole number from 1 to 100000, found "0"'],
  ["--jobs -1", ["run", "x.json", "--jobs", "-1"], '--jobs: expected a whole number from 1 to 1024, found "-1"'],
  ["standard input twice", ["run", "-", "-"], '"-" (standard input) can be read only once'],
];
for (const [name, args, error] of calls) test(name, () => refused(args, error));

test("compare with one scenario", () => {
  writeFileSync(file, good);
  refused(["compare", file], "compare needs two scenarios or more: two files, or one with variants");
});
