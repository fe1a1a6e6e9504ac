// cachecast bench redis: options, outputs, and that the private server never outlives the command. CACHECAST names the
// command.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";

const command = path.resolve(process.env.CACHECAST ?? "build/native/cachecast");
const directory = mkdtempSync(path.join(tmpdir(), "cachecast-redis-test-"));
after(() => rmSync(directory, { recursive: true, force: true }));

const measures = !/cannot measure/.test(spawnSync(command, ["bench", "codec", "--help"], { encoding: "utf8" }).stderr);
const server = (process.env.PATH ?? "")
  .split(path.delimiter)
  .map((folder) => path.join(folder, "redis-server"))
  .find((file) => existsSync(file));
const noBench = measures ? false : "this build cannot measure";
const noServer = noBench || (server ? false : "redis-server is not installed");

// A redis-server in front of the real one that notes its process before it becomes it: the server renames itself, so
// that it could not be told from others'. Temporary directories go to a place of their own.
const folder = path.join(directory, "bin");
const temporary = path.join(directory, "tmp");
const noted = path.join(directory, "process");
mkdirSync(folder);
mkdirSync(temporary);
writeFileSync(path.join(folder, "redis-server"), `#!/bin/sh\necho $$ > '${noted}'\nexec '${server}' "$@"\n`);
chmodSync(path.join(folder, "redis-server"), 0o755);
const environment = { ...process.env, PATH: `${folder}:${process.env.PATH}`, TMPDIR: temporary };

const tiny = ["bench", "redis", "--spawn", "--threads", "2", "--sizes", "1KiB", "--operations", "5", "--repeats", "1"];
const long = ["bench", "redis", "--threads", "2", "--sizes", "1KiB", "--codecs", "none", "--duration", "400ms"];

/** @param {string[]} args */
function run(args, env = environment) {
  const { status, stdout, stderr } = spawnSync(command, args, { env, encoding: "utf8", cwd: directory });
  return { status, stdout, stderr };
}

/**
 * One line on standard error, nothing on standard output, exit code 2.
 * @param {string[]} args
 * @param {string} message
 */
function refused(args, message) {
  const { status, stdout, stderr } = run(["bench", "redis", ...args]);
  assert.equal(stderr, `cachecast: ${message}\n`);
  assert.equal(stdout, "");
  assert.equal(status, 2);
}

/** @param {number} pid */
function alive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** The process of the server, once it has one. */
async function serverProcess() {
  for (let i = 0; i < 500 && !existsSync(noted); i++) await sleep(10);
  return Number(readFileSync(noted, "utf8"));
}

/** No server, no directory; `patience` in milliseconds is for what happens after the command has died. */
async function nothingLeft(patience = 0) {
  const pid = await serverProcess();
  for (const end = Date.now() + patience; Date.now() < end && (alive(pid) || readdirSync(temporary).length > 0); )
    await sleep(10);
  assert.equal(alive(pid), false, "the server is still there");
  assert.deepEqual(readdirSync(temporary), []);
  rmSync(noted);
}

test("help goes to standard output, within 80 columns", { skip: noBench }, () => {
  const { status, stdout } = run(["bench", "redis", "--help"]);
  assert.equal(status, 0);
  assert.match(stdout, /^Usage: cachecast bench redis[\s\S]*\nExample/);
  for (const line of stdout.split("\n")) assert.ok(line.length <= 80, line);
});

test("wrong options are one line and exit code 2", { skip: noBench }, () => {
  refused(["x"], '"bench redis" takes options only, found "x"');
  refused(["--theads", "1"], "unknown option --theads; did you mean --threads?");
  refused(["--threads", "0"], '--threads: expected a whole number from 1 to 1024, found "0"');
  refused(["--sizes", "1"], '--sizes: expected bytes as in 1000, 1kB or 1KiB, from 128B to 64MiB, found "1"');
  refused(["--mode", "both"], '--mode: expected shared or pool, found "both"');
  refused(["--spawn", "--host", "x"], "--spawn and --host exclude each other");
  refused(["--spawn", "--port", "1"], "--spawn and --port exclude each other");
  refused(["--json", "--csv"], "--json and --csv exclude each other");
  refused(["--operations", "1", "--duration", "1s"], "--operations and --duration exclude each other");
  refused(["--payloads", ".", "--sizes", "1KiB"], "--payloads and --sizes exclude each other");
  refused(["--arrivals", "paced"], "--arrivals needs --rate: a closed loop has no arrivals");
  refused(
    ["--host", "127.0.0.1", "--port", "1", "--sizes", "128"],
    "cannot connect to 127.0.0.1:1: Connection refused",
  );
  assert.match(
    run(["bench", "redis", "--codecs", "lz5"]).stderr,
    /--codecs: unknown codec "lz5"; allowed: none, snappy/,
  );
  assert.match(run(["bench", "redis", "--payloads", "missing"]).stderr, /--payloads: .*missing.*No such file/);
});

test("without redis-server a message says what to do", { skip: noBench }, () => {
  const { status, stdout, stderr } = run(tiny, { ...environment, PATH: temporary });
  assert.equal(status, 2);
  assert.equal(stdout, "");
  assert.match(stderr, /^cachecast: redis-server is not installed.*apt-get install redis-server.*--host\n$/);
});

test("a server that cannot start is reported with its log", { skip: noServer }, () => {
  const broken = path.join(directory, "broken");
  mkdirSync(broken);
  writeFileSync(path.join(broken, "redis-server"), "#!/bin/sh\necho no memory left\nexit 1\n", { mode: 0o755 });
  const { status, stderr } = run(tiny, { ...environment, PATH: `${broken}:${process.env.PATH}` });
  assert.equal(status, 3);
  assert.match(stderr, /redis-server ended at once; the end of its log:\nno memory left\n$/);
  assert.deepEqual(readdirSync(temporary), []);
});

test("text, JSON and CSV; the server is gone at once", { skip: noServer }, async () => {
  const text = run(tiny);
  assert.equal(text.stderr, "");
  assert.equal(text.status, 0);
  assert.match(text.stdout, /^Redis \d[\s\S]*1KiB none 2 [\s\S]*1KiB lz4 2 [\s\S]*1KiB snappy 2 /);
  for (const line of text.stdout.split("\n")) assert.ok(line.length <= 80, line);
  await nothingLeft();
  const report = JSON.parse(run([...tiny, "--json", "--mode", "pool"]).stdout);
  assert.equal(report.complete, true);
  assert.equal(report.cells.length, 3);
  for (const cell of report.cells) {
    assert.equal(cell.runs[0].operations, 10);
    assert.ok(cell.median.total_us.p50 > 0 && cell.median.total_us.p50 <= cell.median.total_us.p99);
    assert.ok(cell.median.checkout_us.mean >= 0);
    assert.ok(cell.codec === "none" || cell.median.stored_bytes < cell.median.payload_bytes);
  }
  await nothingLeft();
  const csv = run([...tiny, "--csv", "--rate", "1000"])
    .stdout.trimEnd()
    .split("\n");
  assert.equal(csv[0], "size,codec,threads,connections,mode,run,metric,value");
  assert.ok(csv.some((line) => line.startsWith("1KiB,lz4,2,1,shared,median,late.p99_us,")));
  assert.doesNotMatch(csv.join("\n"), /nan|inf/i);
  await nothingLeft();
});

test("values below the threshold stay as they are", { skip: noServer }, async () => {
  const report = JSON.parse(run([...tiny, "--json", "--codecs", "lz4", "--threshold", "2KiB"]).stdout);
  assert.equal(report.cells[0].median.stored_bytes, report.cells[0].median.payload_bytes);
  await nothingLeft();
});

test("the user's files are payloads", { skip: noServer }, async () => {
  const files = path.join(directory, "files");
  mkdirSync(files);
  for (let i = 1; i <= 4; i++) writeFileSync(path.join(files, `${i}`), "abc".repeat(100 * i));
  const args = ["bench", "redis", "--payloads", files, "--threads", "1", "--codecs", "lz4", "--operations", "20"];
  const report = JSON.parse(run([...args, "--json"]).stdout);
  assert.equal(
    report.payloads.reduce((/** @type {number} */ sum, /** @type {any} */ set) => sum + set.count, 0),
    4,
  );
  await nothingLeft();
});

for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM"]))
  test(`${signal}: finished runs are printed, exit code 130, nothing is left`, { skip: noServer }, async () => {
    const child = spawn(command, [...long, "--repeats", "100", "--json"], { env: environment });
    let stdout = "";
    let stderr = "";
    child.stdout.on("data", (data) => (stdout += data));
    child.stderr.on("data", (data) => (stderr += data));
    const ended = new Promise((resolve) => child.on("close", resolve));
    await serverProcess();
    await sleep(1500);
    child.kill(signal);
    assert.equal(await ended, 130);
    assert.match(stderr, /^cachecast: interrupted: \d+ of 100 runs finished\n$/);
    const report = JSON.parse(stdout);
    assert.equal(report.complete, false);
    assert.ok(report.cells[0].runs.length >= 1 && report.cells[0].runs.length < 100);
    await nothingLeft();
  });

test("even SIGKILL leaves nothing behind", { skip: noServer }, async () => {
  const child = spawn(command, long, { env: environment, stdio: "ignore" });
  const ended = new Promise((resolve) => child.on("close", resolve));
  await serverProcess();
  await sleep(300);
  child.kill("SIGKILL");
  await ended;
  await nothingLeft(5000);
});

test("a server that dies is an error, and nothing is left", { skip: noServer }, async () => {
  const child = spawn(command, [...long, "--repeats", "100"], { env: environment });
  let stderr = "";
  child.stderr.on("data", (data) => (stderr += data));
  const ended = new Promise((resolve) => child.on("close", resolve));
  const pid = await serverProcess();
  await sleep(700);
  process.kill(pid, "SIGKILL");
  assert.equal(await ended, 3);
  assert.match(stderr, /^cachecast: [^\n]*(connection to the server failed|cannot connect|INFO cpu)[^\n]*\n$/);
  await nothingLeft();
});

test("a server of the user's is used and left clean", { skip: noServer }, async () => {
  const port = await new Promise((resolve) => {
    const listener = createServer().listen(0, "127.0.0.1", () => {
      const address = /** @type {import("node:net").AddressInfo} */ (listener.address());
      listener.close(() => resolve(address.port));
    });
  });
  const options = ["--port", `${port}`, "--bind", "127.0.0.1", "--save", "", "--dir", directory];
  const child = spawn(String(server), options, { stdio: ["ignore", "pipe", "ignore"] });
  const ended = new Promise((resolve) => child.on("close", resolve));
  await new Promise((resolve) =>
    child.stdout.on("data", (data) => /ready to accept/i.test(String(data)) && resolve(undefined)),
  );
  try {
    const args = ["--host", "127.0.0.1", "--port", `${port}`, "--threads", "2", "--sizes", "1KiB", "--operations", "5"];
    const { status, stdout, stderr } = run(["bench", "redis", ...args, "--repeats", "1"]);
    assert.equal(stderr, "");
    assert.equal(status, 0);
    assert.doesNotMatch(stdout, /private/);
    const { stdout: keys } = spawnSync("redis-cli", ["-p", `${port}`, "DBSIZE"], { encoding: "utf8" });
    assert.match(keys ?? "0", /^0\s*$/);
  } finally {
    child.kill();
    await ended;
  }
});
