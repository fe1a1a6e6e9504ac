// Same scenario, same bytes: runs every scenario file with several builds of the simulator and compares what they print.
//
//   node tests/determinism/run.mjs --variant NAME=COMMAND... [--workers N] [--keep DIR] PATH...
//
// The first variant is the reference. It also runs each file with three replications and 1 and 4 jobs, which must not
// make a difference. COMMAND is split at spaces and called as COMMAND run --json FILE.

import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, readdir, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    variant: { type: "string", multiple: true, default: [] },
    workers: { type: "string", default: "2" },
    keep: { type: "string", default: "build/determinism" },
  },
});

const variants = (values.variant ?? []).map((text) => {
  const [, name, command] = /^([^=]+)=(.+)$/.exec(text) ?? [];
  if (!name || !command) throw new Error(`--variant ${text}: expected NAME=COMMAND`);
  return { name, command: command.split(" ").filter(Boolean), seconds: 0 };
});
const reference = variants[0];
if (!reference || variants.length < 2 || positionals.length === 0) {
  console.error("usage: run.mjs --variant NAME=COMMAND --variant NAME=COMMAND ... PATH...");
  process.exit(2);
}

/**
 * The scenario files under a path, in a fixed order. Profiles are measurements of machines, not scenarios.
 * @param {string} where
 * @returns {Promise<string[]>}
 */
async function scenarios(where) {
  if (!(await stat(where)).isDirectory()) return [where];
  const found = [];
  for (const entry of (await readdir(where, { withFileTypes: true })).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const inside = path.join(where, entry.name);
    if (entry.isDirectory() && entry.name !== "profiles") found.push(...(await scenarios(inside)));
    else if (entry.isFile() && entry.name.endsWith(".json")) found.push(inside);
  }
  return found;
}

/**
 * @param {{command: string[], seconds: number}} variant
 * @param {string[]} args
 * @returns {Promise<Buffer>} what it printed
 */
function output(variant, args) {
  return new Promise((resolve, reject) => {
    const began = performance.now();
    const [program = "", ...rest] = variant.command;
    const child = spawn(program, [...rest, "run", "--json", ...args], { stdio: ["ignore", "pipe", "pipe"] });
    /** @type {Buffer[]} */
    const out = [];
    /** @type {Buffer[]} */
    const err = [];
    child.stdout.on("data", (bytes) => out.push(bytes));
    child.stderr.on("data", (bytes) => err.push(bytes));
    child.on("error", reject);
    child.on("close", (code, signal) => {
      variant.seconds += (performance.now() - began) / 1000;
      if (code === 0) resolve(Buffer.concat(out));
      else reject(new Error(`ended with ${signal ?? code}: ${Buffer.concat(err).toString().trim().slice(0, 2000)}`));
    });
  });
}

/** @param {Buffer} bytes */
const digest = (bytes) => createHash("sha256").update(bytes).digest("hex");

/**
 * Where two outputs part, for a reader.
 * @param {Buffer} expected
 * @param {Buffer} found
 */
function difference(expected, found) {
  const a = expected.toString("latin1").split("\n");
  const b = found.toString("latin1").split("\n");
  const line = a.findIndex((text, i) => text !== b[i]);
  const at = line < 0 ? a.length : line;
  /** @param {string[]} lines */
  const show = (lines) => (lines[at] ?? "(end)").trim().slice(0, 200);
  return `line ${at + 1}: ${show(a)}\n${" ".repeat(8 + String(at + 1).length - 1)}${show(b)}`;
}

/** @type {(() => Promise<void>)[]} */
const tasks = [];
const files = [];
for (const where of positionals) files.push(...(await scenarios(where)));
if (files.length === 0) {
  console.error(`no scenario files in ${positionals.join(", ")}`);
  process.exit(1);
}

const began = performance.now();
/** @type {string[]} */
const failures = [];
const results = files.map((file) => ({ file, agree: /** @type {string[]} */ ([]), sha256: "", hashes: "" }));

/**
 * Notes that a variant agrees, or keeps both outputs and says where they part.
 * @param {(typeof results)[number]} result
 * @param {string} name
 * @param {Buffer} expected
 * @param {Buffer} found
 */
async function compare(result, name, expected, found) {
  if (expected.equals(found)) {
    result.agree.push(name);
    return;
  }
  const stem = path.join(values.keep ?? "", result.file.replaceAll(path.sep, "_").replace(/\.json$/, ""));
  await mkdir(path.dirname(stem), { recursive: true });
  await writeFile(`${stem}.expected`, expected);
  await writeFile(`${stem}.${name}`, found);
  failures.push(`${result.file}: ${name} differs (both kept as ${stem}.*)\n  ${difference(expected, found)}`);
}

for (const result of results) {
  const { file } = result;
  /** @param {string} name @param {() => Promise<void>} work */
  const guarded = (name, work) => async () => {
    try {
      await work();
    } catch (error) {
      failures.push(`${file}: ${name} ${error instanceof Error ? error.message : error}`);
    }
  };
  // Awaited by several tasks, but started with the first of them; its failure is reported once.
  /** @type {Promise<Buffer> | undefined} */
  let first;
  const expected = () => {
    first ??= output(reference, [file]);
    return first;
  };
  tasks.push(
    guarded(reference.name, async () => {
      const bytes = await expected();
      result.sha256 = digest(bytes);
      const hashes = [...bytes.toString().matchAll(/"event_hash"\s*:\s*"?(\w+)/g)].map(([, hash]) => hash);
      if (hashes.length === 0) throw new Error("printed a report without event_hash");
      result.hashes = hashes.length === 1 ? `${hashes[0]}` : `${hashes[0]} +${hashes.length - 1}`;
      result.agree.push(reference.name);
    }),
  );
  for (const variant of variants.slice(1)) {
    tasks.push(
      guarded(variant.name, async () => {
        const found = await output(variant, [file]);
        const bytes = await expected().catch(() => null);
        if (bytes) await compare(result, variant.name, bytes, found);
      }),
    );
  }
  tasks.push(
    guarded("jobs", async () => {
      const one = await output(reference, ["--reps", "3", "--jobs", "1", file]);
      await compare(result, "jobs", one, await output(reference, ["--reps", "3", "--jobs", "4", file]));
    }),
  );
}

await Promise.all(
  Array.from({ length: Math.max(1, Number(values.workers)) }, async () => {
    for (let task = tasks.shift(); task; task = tasks.shift()) await task();
  }),
);

const names = [...variants.map(({ name }) => name), "jobs"];
const width = Math.max(...files.map((file) => file.length));
const hashWidth = Math.max(10, ...results.map(({ hashes }) => hashes.length));
console.log(`${"file".padEnd(width)}  ${"sha256".padEnd(12)}  ${"event hash".padEnd(hashWidth)}  same bytes`);
for (const { file, sha256, hashes, agree } of results) {
  const who = agree.length === names.length ? `all ${names.length}` : names.filter((n) => agree.includes(n)).join(" ");
  console.log(
    `${file.padEnd(width)}  ${sha256.slice(0, 12).padEnd(12)}  ${hashes.padEnd(hashWidth)}  ${who || "none"}`,
  );
}
console.log(`\n${names.length}: ${names.join(", ")} (jobs: 3 replications with 1 and with 4 jobs)`);
console.log(variants.map(({ name, seconds }) => `${name} ${seconds.toFixed(1)} s`).join(", "));
for (const failure of failures) console.log(`\n${failure}`);
const same = results.filter(({ agree }) => agree.length === names.length).length;
console.log(
  `\n${same} of ${files.length} files give the same bytes everywhere, in ${((performance.now() - began) / 1000).toFixed(1)} s`,
);
process.exitCode = failures.length === 0 && same === files.length ? 0 : 1;
