// cachecast bench codec and bench compare. CACHECAST names the command.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";

const command = path.resolve(process.env.CACHECAST ?? "build/native/cachecast");
const directory = mkdtempSync(path.join(tmpdir(), "cachecast-bench-"));
after(() => rmSync(directory, { recursive: true, force: true }));

/** @param {string[]} args */
function run(...args) {
  const { status, stdout, stderr } = spawnSync(command, ["bench", ...args], { encoding: "utf8", cwd: directory });
  return { status, stdout, stderr };
}

/**
 * One line on standard error, nothing on standard output.
 * @param {string[]} args
 * @param {string} message
 */
function refused(args, message, code = 2) {
  const { status, stdout, stderr } = run(...args);
  assert.equal(stderr, `cachecast: ${message}\n`);
  assert.equal(stdout, "");
  assert.equal(status, code);
}

/** @param {string} name */
function profile(name) {
  return JSON.parse(readFileSync(path.join(directory, name), "utf8"));
}

const builtWithout = run("codec", "--help").status !== 0;
const options = { skip: builtWithout && "this build cannot measure" };

test("help is within 80 columns", options, () => {
  for (const measurement of ["codec", "compare"]) {
    const { status, stdout, stderr } = run(measurement, "--help");
    assert.equal(status, 0);
    assert.equal(stderr, "");
    assert.match(stdout, /^Usage: cachecast bench/);
    for (const line of stdout.split("\n")) assert.ok(line.length <= 80, line);
  }
});

test("wrong usage is one line and exit code 2", options, () => {
  const codec = (/** @type {string[]} */ ...args) => ["codec", "--quick", ...args];
  refused(
    codec("--codecs", "lz5"),
    '--codecs: unknown codec "lz5"; allowed: none, snappy, lz4, lz4:N with N from 1 to 65537, zstd:1 or zstd:3',
  );
  refused(codec("--codecs", "lz4,none,lz4"), '--codecs: "lz4" is named twice');
  refused(codec("--codecs", "lz4,"), '--codecs: expected values separated by commas, found "lz4,"');
  refused(codec("--sizes", "64"), '--sizes: expected bytes as in 1000, 1kB or 1KiB, from 128B to 4MiB, found "64"');
  refused(codec("--rounds", "0"), '--rounds: expected a whole number from 1 to 1000, found "0"');
  refused(codec("--threads", "0"), '--threads: expected a whole number from 1 to 64, found "0"');
  refused(codec("--batch", "1us"), '--batch: expected a duration as in 2s, 150ms or 40us, from 1ms to 1s, found "1us"');
  refused(codec("--colt"), "unknown option --colt; did you mean --cold?");
  refused(codec("--json", "--csv"), "--json and --csv exclude each other");
  refused(codec("--self-check", "--json"), "--self-check makes no profile: leave out --json, --csv and --output");
  refused(codec("--self-check", "--codecs", "none"), "--self-check needs one of the codecs snappy, lz4 and zstd:1");
  refused(codec("x"), 'bench codec takes no file, found "x"; --payloads names a directory of payloads');
  refused(codec("--payloads", "missing"), "--payloads: missing: No such file or directory");
  refused(
    codec("--payloads", ".", "--sizes", "1KiB"),
    "--payloads and --sizes exclude each other: the files have the sizes they have",
  );
  mkdirSync(path.join(directory, "empty"));
  refused(codec("--payloads", "empty"), "--payloads: empty: no payloads: no regular file from 1 byte to 64 MiB");
  refused(codec("-o", "empty"), "empty: is a directory; --output needs the name of a file");
  refused(["compare", "a.json"], 'bench compare takes two profiles, found 1; see "cachecast bench compare --help"');
  refused(["compare", "-", "-"], '"-" (standard input) can be read only once');
  refused(["compare", "missing.json", "a.json"], "missing.json: No such file or directory");
});

test("a profile has the fixed shape", options, () => {
  const { status, stdout, stderr } = run("codec", "--quick", "--cold", "--threads", "1,2", "-o", "a.json");
  assert.equal(stderr, "");
  assert.equal(status, 0);
  for (const word of ["snappy", "lz4:8", "MB/s", "Cheapest codec", "Break-even", "rounds in"])
    assert.ok(stdout.includes(word), word);
  for (const line of stdout.split("\n")) assert.ok([...line].length <= 80, line);

  const { codecs, machine, measured, ...rest } = profile("a.json");
  assert.deepEqual(Object.keys(rest), ["profile", "name", "source"]);
  assert.equal(rest.profile, 1);
  assert.ok(machine.cpu !== "" && machine.cores >= 1);
  assert.deepEqual(
    codecs.slice(0, 4).map((/** @type {{name: string}} */ codec) => codec.name),
    ["none", "snappy", "lz4", "lz4:8"],
  );
  for (const codec of codecs) {
    assert.deepEqual(Object.keys(codec), ["name", "library", "knots"]);
    assert.equal(codec.knots.length, 3);
    let before = 0;
    for (const knot of codec.knots) {
      assert.deepEqual(Object.keys(knot), ["bytes", "stored", "compress_ns", "decompress_ns"]);
      assert.ok(knot.bytes > before && knot.stored > 0 && knot.compress_ns > 0 && knot.decompress_ns > 0);
      if (codec.name === "none") assert.equal(knot.stored, knot.bytes);
      before = knot.bytes;
    }
  }
  assert.equal(measured.complete, true);
  assert.match(measured.quality, /^(good|noisy)$/);
  assert.equal(measured.rounds, 3);
  assert.equal(measured.cells.length, codecs.length * 3 * 2 * 2);
  assert.equal(measured.fits.length, codecs.length * 2);
  assert.ok(measured.threads.length > 0 && measured.threads.length % 2 === 0);
  for (const set of measured.payloads.sets) {
    assert.match(set.sha256, /^[0-9a-f]{64}$/);
    assert.ok(set.count >= 64 && set.total >= 2 << 20);
  }
  for (const cell of measured.cells) {
    assert.ok(cell.n >= 1 && cell.min_ns <= cell.median_ns && cell.median_ns <= cell.p90_ns);
    assert.equal(cell.samples_ns.length, 3);
    assert.equal(cell.marked_rounds.length, cell.marked);
    assert.ok(cell.low_ns <= cell.median_ns && cell.median_ns <= cell.high_ns);
  }
  // At most six significant digits, but for whole counts.
  for (const item of [...measured.cells, ...codecs.flatMap((/** @type {{knots: object[]}} */ codec) => codec.knots)])
    for (const value of Object.values(item))
      if (typeof value === "number") assert.equal(Number(value.toPrecision(6)), value);
});

test("the same seed makes the same payloads; CSV and JSON go to standard output", options, () => {
  const small = ["codec", "--quick", "--codecs", "none,lz4", "--sizes", "1KiB", "-q"];
  const one = JSON.parse(run(...small, "--json", "--name", 'my "machine"').stdout);
  const other = JSON.parse(run(...small, "--json", "--seed", "2").stdout);
  assert.equal(one.name, 'my "machine"');
  assert.equal(JSON.parse(run(...small, "--json").stdout).measured.payloads.sha256, one.measured.payloads.sha256);
  assert.notEqual(other.measured.payloads.sha256, one.measured.payloads.sha256);
  const csv = run(...small, "--csv")
    .stdout.trimEnd()
    .split("\n");
  assert.equal(csv.length, 5);
  assert.match(csv[0] ?? "", /^codec,direction,bytes,mode,threads,n,marked,min_ns,median_ns/);
  for (const line of csv) assert.equal(line.split(",").length, 17);
});

test("a directory of payloads is measured by size", options, () => {
  const payloads = path.join(directory, "payloads");
  mkdirSync(payloads);
  for (let i = 0; i < 20; i++) writeFileSync(path.join(payloads, `${i}`), `${i}`.repeat(i < 10 ? 100 + i : 20000));
  const { status, stdout } = run("codec", "--quick", "--codecs", "lz4", "--payloads", "payloads", "-o", "own.json");
  assert.equal(status, 0);
  assert.match(stdout, /2 of 2 sizes have fewer than 64 payloads/);
  const { measured } = profile("own.json");
  assert.equal(measured.payloads.directory, "payloads");
  assert.deepEqual(
    measured.payloads.sets.map((/** @type {{count: number}} */ set) => set.count),
    [10, 10],
  );
});

test("compare: side by side, and only equal payloads", options, () => {
  const small = ["codec", "--quick", "--codecs", "none,lz4", "--sizes", "1KiB,8KiB"];
  assert.equal(run(...small, "-o", "b.json").status, 0);
  assert.equal(run(...small, "--seed", "2", "-o", "c.json").status, 0);

  const same = run("compare", "b.json", "b.json");
  assert.equal(same.status, 0);
  assert.match(same.stdout, /lz4 compress +9\d\d +[\d,.]+ +[\d,.]+ +1\.000\n/);
  assert.match(same.stdout, /0 of 8 differ\.\n$/);

  const slower = profile("b.json");
  for (const cell of slower.measured.cells)
    if (cell.codec === "lz4") for (const key of ["median_ns", "low_ns", "high_ns"]) cell[key] *= 100;
  writeFileSync(path.join(directory, "slower.json"), JSON.stringify(slower));
  const differs = run("compare", "b.json", "slower.json");
  assert.match(differs.stdout, /lz4 compress .* 100\.000 +differs\n/);
  assert.match(differs.stdout, /4 of 8 differ\.\n$/);

  refused(
    ["compare", "b.json", "c.json"],
    "b.json and c.json have no payloads in common (their fingerprints differ), so that their costs cannot be " +
      "compared; --force compares similar sizes all the same",
  );
  const forced = run("compare", "--force", "--csv", "b.json", "c.json");
  assert.equal(forced.status, 0);
  assert.match(forced.stdout, /^codec,direction,bytes,mode,threads,a_ns,b_ns,ratio,differs\nnone,compress,/);

  writeFileSync(path.join(directory, "no.json"), "{}");
  refused(["compare", "b.json", "no.json"], 'no.json: not a profile of "cachecast bench codec": "profile" is not 1');
  writeFileSync(path.join(directory, "broken.json"), '{"profile": }');
  assert.match(run("compare", "b.json", "broken.json").stderr, /^cachecast: broken\.json:1:\d+: [^\n]+\n$/);
});

test("an interruption keeps the finished rounds", options, async () => {
  const args = ["codec", "--quick", "--codecs", "none,lz4", "--sizes", "1KiB", "--rounds", "1000", "-o", "part.json"];
  const { status, stderr } = await new Promise((resolve, reject) => {
    const child = spawn(command, ["bench", ...args, "--batch", "2ms"], { cwd: directory });
    let words = "";
    child.stdout.resume();
    child.stderr.setEncoding("utf8").on("data", (text) => (words += text));
    child.on("error", reject);
    child.on("close", (code) => resolve({ status: code, stderr: words }));
    setTimeout(() => child.kill("SIGINT"), 1500);
  });
  assert.equal(status, 130);
  const [, rounds] = /^cachecast: interrupted: (\d+) of 1000 rounds finished\n$/.exec(stderr) ?? [];
  const { measured } = profile("part.json");
  assert.equal(measured.complete, false);
  assert.equal(measured.rounds, Number(rounds));
  assert.ok(measured.rounds > 0 && measured.rounds < 1000);
});

test("before the first round there is nothing to keep", options, async () => {
  const status = await new Promise((resolve, reject) => {
    const child = spawn(command, ["bench", "codec", "-o", "none.json"], { cwd: directory, stdio: "ignore" });
    child.on("error", reject);
    child.on("close", resolve);
    setTimeout(() => child.kill("SIGINT"), 400);
  });
  assert.equal(status, 130);
  assert.equal(existsSync(path.join(directory, "none.json")), false);
});

test("the self-check compares with a plain loop", options, () => {
  // Whether the speeds agree is a question to a quiet machine; that the sizes do is not.
  const { status, stdout } = run("codec", "--self-check", "--quick", "--codecs", "snappy,lz4", "--sizes", "4KiB");
  assert.ok(status === 0 || status === 1, String(status));
  assert.equal(stdout.match(/ equal /g)?.length, 4);
  assert.match(stdout, /\d of 4 within 5 % of a plain loop over the same payloads\.\n$/);
});
