// The command as its users meet it: outputs, exit codes, errors, interruption. CACHECAST names the command.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";

const command = path.resolve(process.env.CACHECAST ?? "build/native/cachecast");
const directory = mkdtempSync(path.join(tmpdir(), "cachecast-cli-"));
after(() => rmSync(directory, { recursive: true, force: true }));

const scenario = { name: "x", duration: "10s", workload: { arrivals: { rate: 100 } }, origin: { load: "1ms" } };

/**
 * @param {string} name
 * @param {unknown} content JSON, or a string as it is
 */
function file(name, content) {
  const where = path.join(directory, name);
  mkdirSync(path.dirname(where), { recursive: true });
  writeFileSync(where, typeof content === "string" ? content : JSON.stringify(content));
  return where;
}

/**
 * @param {string[]} args
 * @param {{input?: string, env?: NodeJS.ProcessEnv}} [options]
 */
function run(args, { input = "", env = process.env } = {}) {
  const { status, stdout, stderr } = spawnSync(command, args, { input, env, encoding: "utf8", cwd: directory });
  return { status, stdout, stderr };
}

/**
 * One line on standard error, nothing on standard output.
 * @param {string[]} args
 * @param {number} code
 * @param {RegExp} message
 */
function refused(args, code, message, input = "") {
  const { status, stdout, stderr } = run(args, { input });
  assert.match(stderr, message);
  assert.match(stderr, /^cachecast: [^\n]+\n$/);
  assert.equal(stdout, "");
  assert.equal(status, code);
}

const good = file("x.json", scenario);
const variants = file("variants.json", {
  ...scenario,
  variants: [{ name: "slow" }, { name: "fast", set: { "origin.load": "0.5ms" } }],
});

test("help and version go to standard output, within 80 columns", () => {
  for (const args of [["--help"], ["-h"], ["help"], ["run", "--help"], ["verify", "-h"], ["explain", "--help"]]) {
    const { status, stdout, stderr } = run(args);
    assert.equal(status, 0);
    assert.equal(stderr, "");
    assert.match(stdout, /^Usage: cachecast/);
    assert.match(stdout, /Example/);
    for (const line of stdout.split("\n")) assert.ok(line.length <= 80, line);
  }
  assert.match(run(["--version"]).stdout, /^cachecast \d+\.\d+\.\d+\n$/);
});

test("wrong usage is one line and exit code 2", () => {
  refused([], 2, /no command/);
  refused(["rum", good], 2, /unknown command "rum"; did you mean "run"\?/);
  refused(["run", good, "--rep", "x"], 2, /--reps: expected a whole number/);
  refused(["run", good, "--jsom"], 2, /unknown option --jsom; did you mean --json\?/);
  refused(["run", good, "-x"], 2, /unknown option -x/);
  refused(["run", good, "--reps", "3x"], 2, /--reps: expected a whole number from 1 to 100000, found "3x"/);
  refused(["run", good, "--reps", "0"], 2, /--reps/);
  refused(["run", good, "--seed", "-1"], 2, /--seed/);
  refused(["run", good, "--jobs="], 2, /--jobs/);
  refused(["run", good, "--set", "l1.ttl"], 2, /--set: expected path=value/);
  refused(["run", good, "--json=1"], 2, /option --json takes no value/);
  refused(["run", good, "-o"], 2, /option -o needs a value/);
  refused(["run", good, "--json", "--csv"], 2, /exclude each other/);
  refused(["explain", good, "--reps", "2"], 2, /--reps does not apply to "explain"/);
  refused(["schema", good], 2, /takes no file/);
  refused(["run"], 2, /needs a scenario file/);
  refused(["run", "-", "-"], 2, /only once/);
  refused(["compare", good], 2, /two scenarios or more/);
  refused(["compare", variants, "--metrics", "origin.load"], 2, /did you mean "origin.loads"\?/);
  refused(["run", variants, "--variant", "medium"], 2, /no variant "medium"; it has "slow", "fast"/);
});

test("wrong files are one line and exit code 2", () => {
  refused(["run", "missing.json"], 2, /^cachecast: missing\.json: No such file or directory$/m);
  refused(["run", directory], 2, /is a directory/);
  refused(["run", file("empty.json", "")], 2, /empty\.json:/);
  refused(["run", good, file("broken.json", '{"name": "x",\n  "duration": }')], 2, /broken\.json:2:\d+: /);
  refused(["run", "-"], 2, /^cachecast: <stdin>:1:\d+: /, "{");
  refused(["run", good, "--set", "durations=1s"], 2, /x\.json: --set durations=1s/);
  refused(["run", file("large.json", " ".repeat((16 << 20) + 1))], 2, /larger than 16 MiB/);
  mkdirSync(path.join(directory, "nothing"), { recursive: true });
  refused(["verify", "nothing"], 2, /no scenario/);
});

test("run prints a summary, the report, all metrics, the series", () => {
  const text = run(["run", good]).stdout;
  assert.match(text, /^x\n/);
  assert.match(text, /requests +1,000\n/);
  assert.doesNotMatch(text, /l1\.hit_ratio|nan/i);
  const report = JSON.parse(run(["run", "--json", good]).stdout);
  assert.equal(report.complete, true);
  const csv = run(["run", "--csv", variants]).stdout.split("\n");
  assert.equal(csv[0], "name,variant,replication,metric,value");
  assert.ok(csv.includes("x,fast,0,requests,1000"));
  const series = run(["run", "--series", good]).stdout.trimEnd().split("\n");
  assert.deepEqual(series[0]?.split(","), ["name", "variant", "replication", ...Object.keys(report.series)]);
  assert.equal(series.length - 1, report.series.loads.length);
});

test("standard input is read, overrides count", () => {
  const { stdout, status } = run(["run", "-", "--json", "--seed", "7"], { input: JSON.stringify(scenario) });
  assert.equal(status, 0);
  assert.equal(JSON.parse(stdout).seed, 7);
  assert.equal(stdout, run(["run", good, "--json", "--set", "seed=7"]).stdout);
});

test("explain and schema print JSON", () => {
  const full = run(["explain", good]).stdout;
  assert.equal(JSON.parse(full).name, "x");
  assert.equal(run(["explain", "-"], { input: full }).stdout, full);
  assert.ok(JSON.parse(run(["schema"]).stdout).$schema);
});

test("the number of jobs makes no difference", () => {
  const poisson = ["--set", "workload.arrivals.process=poisson", "--reps", "7"];
  for (const args of [
    ["run", good, variants, ...poisson],
    ["run", variants, "--json", ...poisson],
    ["run", variants, "--csv", ...poisson],
    ["compare", good, variants, ...poisson],
    ["verify", variants, ...poisson],
  ]) {
    const one = run([...args, "--jobs", "1"]);
    assert.equal(one.status, 0, one.stderr);
    assert.ok(one.stdout.length > 100);
    assert.deepEqual(run([...args, "--jobs", "4"]), one);
  }
});

test("compare puts scenarios side by side within 80 columns", () => {
  for (const files of [[variants], [good, variants], [variants, variants]]) {
    const { status, stdout } = run(["compare", ...files, "--reps", "3"]);
    assert.equal(status, 0);
    assert.match(stdout, /loads/);
    for (const line of stdout.split("\n")) assert.ok([...line].length <= 80, line);
  }
  const { scenarios } = JSON.parse(run(["compare", variants, "--json"]).stdout);
  assert.equal(scenarios.length, 2);
  assert.equal(scenarios[0].metrics["origin.loads"].difference, 0);
  assert.equal(run(["compare", variants, "--csv", "--metrics", "origin.loads"]).stdout.trim().split("\n").length, 3);
});

test("verify fails with exit code 1 and counts", () => {
  const expect = (/** @type {number} */ value) => [{ metric: "requests", value, tolerance: "1%", source: "table 1" }];
  const holds = file("expect/a.json", { ...scenario, expect: expect(1000) });
  file("expect/b.json", { ...scenario, expect: expect(900) });
  file("expect/profiles/c.json", "not a scenario");
  const pass = run(["verify", holds]);
  assert.equal(pass.status, 0, pass.stderr);
  assert.match(pass.stdout, /PASS[\s\S]*table 1[\s\S]*\n1 passed, 0 failed\n$/);
  const fail = run(["verify", "expect"]);
  assert.equal(fail.status, 1, fail.stderr);
  assert.match(fail.stdout, /PASS[\s\S]*FAIL[\s\S]*\n1 passed, 1 failed\n$/);
  const json = JSON.parse(run(["verify", "expect", "--json"]).stdout);
  assert.deepEqual([json.passed, json.failed, json.scenarios.length], [1, 1, 2]);
});

test("-o writes in full or not at all", () => {
  const out = path.join(directory, "out", "report.json");
  mkdirSync(path.dirname(out), { recursive: true });
  assert.deepEqual(run(["run", good, "--json", "-o", out]), { status: 0, stdout: "", stderr: "" });
  const report = readFileSync(out, "utf8");
  assert.equal(report, run(["run", good, "--json"]).stdout);
  refused(["run", "missing.json", "-o", out], 2, /missing/);
  assert.equal(readFileSync(out, "utf8"), report);
  assert.deepEqual(readdirSync(path.dirname(out)), ["report.json"]);
  refused(["run", good, "-o", path.join(directory, "none", "report.json")], 3, /cannot write into/);
});

test("a full disk is an error, a closed pipe is not", { skip: !existsSync("/dev/full") }, () => {
  refused(["run", good, "-o", "/dev/full"], 3, /\/dev\/full: No space left on device/);
  const shell = (/** @type {string} */ line) =>
    spawnSync("sh", ["-c", line, "sh", command, good], { encoding: "utf8" });
  const full = shell('"$1" run "$2" > /dev/full');
  assert.equal(full.status, 3);
  assert.match(full.stderr, /^cachecast: standard output: No space left on device\n$/);
  assert.equal(shell('"$1" run --csv "$2" | true').stderr, "");
});

test("no colours and no progress where there is no terminal", () => {
  const { stdout, stderr } = run(["run", good], { env: { ...process.env, TERM: "xterm" } });
  for (const control of ["\u001b", "\r"]) assert.ok(!(stdout + stderr).includes(control));
});

/**
 * Interrupts the command.
 * @param {string[]} args
 * @param {number} wait milliseconds
 */
function interrupted(args, wait) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"] });
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text) => (stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text) => (stderr += text));
    child.on("error", reject);
    child.on("close", (status) => resolve({ status, stdout, stderr }));
    setTimeout(() => child.kill("SIGINT"), wait);
  });
}

const long = ["--set", "duration=1000000s", "--set", "workload.arrivals.rate=10000"];

test("an interrupted run prints its partial report", async () => {
  const { status, stdout, stderr } = await interrupted(["run", good, "--json", ...long], 700);
  assert.equal(status, 130);
  assert.equal(stderr, "cachecast: interrupted: 0 of 1 runs finished\n");
  const report = JSON.parse(stdout);
  assert.equal(report.complete, false);
});

test("an interruption keeps what is finished", async () => {
  const slow = file("slow.json", { ...scenario, duration: "1000000s", workload: { arrivals: { rate: 10000 } } });
  const { status, stdout, stderr } = await interrupted(["run", good, slow, "--csv", "--jobs", "1"], 700);
  assert.equal(status, 130);
  assert.equal(stderr, "cachecast: interrupted: 1 of 2 runs finished\n");
  assert.match(stdout, /x,,0,requests,1000\n/);
});

test("an interruption with nothing finished leaves the output as it was", async () => {
  const out = path.join(directory, "kept.json");
  writeFileSync(out, "precious");
  const { status } = await interrupted(["run", good, "--json", "--reps", "4", "-o", out, ...long], 500);
  assert.equal(status, 130);
  assert.equal(readFileSync(out, "utf8"), "precious");
});

test("a limit on file sizes leaves nothing half-written", () => {
  const out = path.join(directory, "limited", "report.json");
  mkdirSync(path.dirname(out), { recursive: true });
  const line = 'ulimit -f 1; "$1" run --json "$2" -o "$3"';
  const result = spawnSync("sh", ["-c", line, "sh", command, good, out], { encoding: "utf8" });
  assert.equal(result.status, 3);
  assert.match(result.stderr, /report\.json: File too large/);
  assert.deepEqual(readdirSync(path.dirname(out)), []);
});

test("an output that is a pipe by name", { skip: !existsSync("/dev/stdout") }, () => {
  const line = '"$1" run "$2" -o /dev/stdout | cat';
  const result = spawnSync("sh", ["-c", line, "sh", command, good], { encoding: "utf8" });
  assert.equal(result.stderr, "");
  assert.equal(result.stdout, run(["run", good]).stdout);
});

test("a name's control characters do not reach the terminal", () => {
  const hostile = file("hostile.json", { ...scenario, name: "a\u001b[2Jb\u202ec\u0085" });
  assert.match(run(["run", hostile]).stdout, /^a\?\[2Jb\?\?\?c\?\?\n/);
});

test("what was never measured is no success", () => {
  const phases = [{ name: "late", at: "900ms" }];
  const workload = { arrivals: { process: "closed", clients: 1, requests_per_client: 1 } };
  const expect = [{ metric: "errors", phase: "late", value: 0 }];
  const never = file("never.json", { ...scenario, workload, phases, expect });
  const { status, stdout } = run(["verify", never]);
  assert.equal(status, 1);
  assert.match(stdout, /errors in late +0 +- +- +exact +FAIL/);
});
