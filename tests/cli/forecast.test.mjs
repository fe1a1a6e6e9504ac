// forecast and advise from a profile; bench redis --calibrate and --check where a Redis is installed.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";

const command = path.resolve(process.env.CACHECAST ?? "build/native/cachecast");
const directory = mkdtempSync(path.join(tmpdir(), "cachecast-forecast-"));
after(() => rmSync(directory, { recursive: true, force: true }));

/** @param {string[]} args */
function run(args) {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: "utf8", timeout: 120000 });
  return { status, stdout, stderr };
}

/**
 * @param {string[]} args
 * @param {string} error
 */
function refused(args, error) {
  assert.deepEqual(run(args), { status: 2, stdout: "", stderr: `cachecast: ${error}\n` });
}

const profile = {
  profile: 1,
  name: "made up",
  codecs: [
    {
      name: "half",
      knots: [
        { bytes: 100, stored: 60, compress_ns: 200, decompress_ns: 100 },
        { bytes: 1000000, stored: 100000, compress_ns: 500000, decompress_ns: 200000 },
      ],
    },
  ],
  client: { submit_ns: 1000, take_ns: 1000, turn_ns: 400, write_ns: 5000, command_ns: 500 },
  server: { turn_ns: 1400, read_ns: 1400, write_ns: 2800, set_ns: 450, get_ns: 340 },
  host: { cores: 2, wake_ns: 17000, wake_cost_ns: 13000, switch_ns: 450, lead_ns: 22000 },
  bytes: [{ bytes: 1000, depths: [{ depth: 1, client_out_ns: 0.1, client_in_ns: 0.2, server_in_ns: 0.1 }] }],
};

/**
 * @param {string} name
 * @param {object} content
 */
function file(name, content) {
  const where = path.join(directory, name);
  writeFileSync(where, JSON.stringify(content));
  return where;
}

const good = file("profile.json", profile);

test("forecast prints every cell, and the same in JSON and CSV", () => {
  const args = ["forecast", "--profile", good, "--codecs", "none,half", "--sizes", "1KiB,50KiB"];
  const table = run(args);
  assert.equal(table.stderr, "");
  assert.equal(table.stdout.trimEnd().split("\n").length, 1 + 2 * 2 * 3);
  const cells = JSON.parse(run([...args, "--json"]).stdout);
  assert.equal(cells.length, 12);
  for (const cell of cells) {
    assert.ok(cell.p50_us > 0 && cell.p50_us <= cell.p95_us && cell.p95_us <= cell.p99_us);
    assert.ok(cell.host_utilization <= 1 && cell.connection_utilization <= 1 && cell.store_utilization <= 1);
  }
  const csv = run([...args, "--csv"])
    .stdout.trimEnd()
    .split("\n");
  assert.equal(csv.length, 13);
  assert.equal(csv[0], Object.keys(cells[0]).join(","));
  assert.equal(csv[1], Object.values(cells[0]).join(","));
});

test("more threads never answer sooner, a thin link never either", () => {
  const p50 = (/** @type {string[]} */ ...more) =>
    JSON.parse(
      run(["forecast", "--profile", good, "--codecs", "none", "--sizes", "50KiB", "--json", ...more]).stdout,
    ).map((/** @type {{p50_us: number}} */ cell) => cell.p50_us);
  const [one, eight, many] = p50();
  assert.ok(one < eight && eight < many);
  const thin = p50("--bandwidth", "25MB");
  assert.ok(thin[0] > one && thin[2] > many);
  /* 32 values of 50 KiB each way over 25 MB/s: 65 ms */
  assert.ok(Math.abs(thin[2] / 65500 - 1) < 0.05, String(thin[2]));
});

test("advise turns round with the link", () => {
  const args = ["advise", "codec", "--profile", good, "--sizes", "1KiB,64KiB", "--json"];
  const thin = JSON.parse(run([...args, "--bandwidth", "25MB"]).stdout);
  assert.equal(thin.codec, "half");
  assert.equal(thin.table.length, 4);
  const costly = structuredClone(profile);
  for (const knot of costly.codecs[0].knots) knot.compress_ns *= 100;
  const loopback = JSON.parse(run(args.map((word) => (word === good ? file("costly.json", costly) : word))).stdout);
  assert.equal(loopback.codec, "none");
  assert.equal(loopback.threshold, null);
  const words = run(["advise", "codec", "--profile", good, "--sizes", "64KiB", "--bandwidth", "25MB"]).stdout;
  assert.match(words, /Advice: half from 64KiB on \(p95 [0-9]+ % lower on average\)/);
  assert.match(words, /What would change it:/);
});

test("wrong use is one line and exit code 2", () => {
  refused(["forecast"], 'forecast needs --profile; see "cachecast forecast --help"');
  refused(
    ["forecast", "--profile", path.join(directory, "none.json")],
    `${directory}/none.json: No such file or directory`,
  );
  refused(
    ["forecast", "--profile", good, "--codecs", "lz5"],
    `${good}: /l2/connection/codec: "lz5" is no codec of the profile; it has none, half`,
  );
  const { client: _, ...lacking } = profile;
  const without = file("lacking.json", lacking);
  refused(
    ["forecast", "--profile", without, "--codecs", "none"],
    `${without}: /l2/connection: its costs are those of a profile with client and server; give profile`,
  );
  refused(
    ["forecast", "--profile", good, "--threads", "0"],
    '--threads: expected a whole number from 1 to 10000, found "0"',
  );
  refused(["forecast", "x"], '"forecast" takes options only, found "x"');
  refused(["advise"], 'advise: expected codec, found ""; see "cachecast advise codec --help"');
  refused(["advise", "codec"], 'advise codec needs --profile; see "cachecast advise codec --help"');
  refused(
    ["advise", "codec", "--profile", good, "--minimise", "p50"],
    '--minimise: expected p95, cpu or bytes, found "p50"',
  );
});

const redis = spawnSync("redis-server", ["--version"]).status === 0;
const measures = run(["bench", "codec", "--help"]).status === 0;

test("calibration makes a profile that forecasts, and --check sets it beside measurements", {
  skip: !redis || !measures,
}, () => {
  const here = path.join(directory, "here.json");
  const calibrated = run(["bench", "redis", "--calibrate", "-q", "-o", here]);
  assert.equal(calibrated.stderr, "");
  assert.equal(calibrated.status, 0);
  const made = JSON.parse(readFileSync(here, "utf8"));
  assert.deepEqual(Object.keys(made), [
    "profile",
    "name",
    "source",
    "machine",
    "codecs",
    "client",
    "server",
    "host",
    "bytes",
    "measured",
  ]);
  assert.ok(made.client.write_ns > 0 && made.server.turn_ns > 0 && made.bytes.length > 0);
  const args = [
    "bench",
    "redis",
    "--check",
    "--profile",
    here,
    "--threads",
    "2",
    "--sizes",
    "1KiB",
    "--codecs",
    "none",
  ];
  const checked = run([...args, "--repeats", "1", "--operations", "50", "-q"]);
  assert.equal(checked.stderr, "");
  assert.match(checked.stdout, /median error of 1 cells: p50 [0-9]+ %, p95 [0-9]+ %\n$/);
  const cpu = { ...made, machine: { ...made.machine, cpu: "another" } };
  const other = file("other.json", cpu);
  const refusal = run(["bench", "redis", "--calibrate", "--profile", other, "-q"]);
  assert.equal(refusal.status, 2);
  assert.match(refusal.stderr, /was measured on "another", this is/);
});
