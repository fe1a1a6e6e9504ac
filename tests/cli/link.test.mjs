// cachecast link, and run --link: the same bytes as from the file, and hostile links refused.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const command = path.resolve(process.env.CACHECAST ?? path.join(root, "build/native/cachecast"));

/** @param {...string} given */
function cachecast(...given) {
  const { status, stdout, stderr } = spawnSync(command, given, { encoding: "utf8", maxBuffer: 1 << 28, cwd: root });
  return { status, stdout, stderr };
}

const files = ["sims/published", "sims/start", "sims/cases"].flatMap((directory) =>
  readdirSync(path.join(root, directory), { recursive: true })
    .map(String)
    .filter((name) => name.endsWith(".json"))
    .map((name) => path.join(directory, name)),
);

/** What a run came to, without the texts that a link leaves out. @param {string} report */
function numbers(report) {
  const { variant: _, ...rest } = JSON.parse(report);
  return rest;
}

for (const file of files)
  test(`${file} and its link give the same report`, () => {
    const { status, stdout, stderr } = cachecast("link", file);
    assert.equal(status, 0, stderr);
    assert.match(stdout, /^v=1&[A-Za-z0-9=&.,~%-]*&h=[0-9a-f]{8}\n$/);
    const published = !file.startsWith("sims/cases");
    assert.equal(stdout.includes("&p="), published);
    const linked = cachecast("run", "--json", "--link", stdout.trim());
    assert.equal(linked.stderr, "", "no number has moved");
    const direct = cachecast("run", "--json", "--variant", "1", file);
    assert.deepEqual(numbers(linked.stdout), numbers(direct.stdout));
    if (published) assert.equal(linked.stdout, direct.stdout);
  });

test("a variant and values laid over go into the link", () => {
  const file = "sims/published/four-configurations/table.json";
  const set = ["--variant", "two tiers, 4 instances", "--set", "l1.ttl=5s", "--set", "workload.keys.weights=[0.5,0.5]"];
  const { stdout } = cachecast("link", file, ...set);
  assert.match(stdout, /^v=1&p=four-configurations\.table&n=5&l1\.ttl=5s&workload\.keys\.weights=0\.5,0\.5&h=/);
  assert.equal(cachecast("run", "--json", "--link", stdout).stdout, cachecast("run", "--json", file, ...set).stdout);
});

/** @param {string} file @param {...string} set */
function travels(file, ...set) {
  const { status, stdout, stderr } = cachecast("link", file, ...set);
  assert.equal(status, 0, stderr);
  const linked = cachecast("run", "--json", "--link", stdout);
  assert.equal(linked.stderr, "", "no number has moved");
  assert.deepEqual(numbers(linked.stdout), numbers(cachecast("run", "--json", "--variant", "1", file, ...set).stdout));
  return stdout.replace(/&h=.*\n/, "");
}

test("an object that is laid over takes the place of what was there, in the link too", () => {
  const file = "sims/start/two-tiers.json";
  assert.equal(travels(file, "--set", 'l1={"ttl":"5s"}'), "v=1&p=two-tiers&l1=%7B%7D&l1.ttl=5s");
  assert.equal(
    travels(file, "--set", "l1.ttl=3s", "--set", 'l1={"ttl":"5s"}', "--set", "l1.ttl=6s"),
    "v=1&p=two-tiers&l1=%7B%7D&l1.ttl=6s",
  );
  assert.equal(
    travels(file, "--set", "events.0.at=1s", "--set", "events.0.do=flush"),
    "v=1&p=two-tiers&events.0.at=1s&events.0.do=flush",
  );
});

test("values of a profile that is only named go into the link", () => {
  const directory = mkdtempSync(path.join(tmpdir(), "cachecast-link-"));
  const file = path.join(directory, "named.json");
  const scenario = {
    name: "d",
    duration: "1s",
    profile: "apple-m2-pro-jvm",
    host: { cores: 2 },
    workload: { operation: "put_get", arrivals: { rate: 100 } },
    l2: { ttl: "1s", connection: {} },
    variants: [{ name: "a", set: { "profile.window_bytes": 70000 } }],
  };
  try {
    writeFileSync(file, JSON.stringify(scenario));
    const window = "&profile.window%5Fbytes=70000";
    assert.ok(travels(file).endsWith(window));
    assert.ok(
      travels(
        file,
        ...["--set", "profile.client.write_ns=1", "--set", 'profile.client={"write_ns":900000}'],
        ...["--set", "profile.client.write_ns=2"],
      ).endsWith(`${window}&profile.client=%7B%7D&profile.client.write%5Fns=2`),
    );
    const other = "x86-64-virtual-machine-2-cores";
    assert.ok(travels(file, "--set", `profile=${other}`).endsWith(`&profile=${other}`));
  } finally {
    rmSync(directory, { recursive: true });
  }
});

test("the file may be standard input", () => {
  const input = JSON.stringify({ name: "d", duration: "1s", workload: { arrivals: { rate: 100 } } });
  const { status, stdout } = spawnSync(command, ["link", "-"], { encoding: "utf8", input: `\uFEFF${input}` });
  assert.equal(status, 0);
  assert.match(stdout, /^v=1&name=d&duration=1s&workload\.arrivals\.rate=100&h=/);
});

test("a link with a B gives both, and values can be laid over both", () => {
  const link = "v=1&p=four-configurations.table&n=3&instances.count=2&b=5&b.l2.ttl=9s";
  const { status, stdout } = cachecast("run", "--csv", "--link", link, "--set", "duration=20s");
  assert.equal(status, 0);
  const file = "sims/published/four-configurations/table.json";
  const common = ["--csv", file, "--set", "duration=20s", "--set", "instances.count=2"];
  const a = cachecast("run", ...common, "--variant", "4").stdout;
  const b = cachecast("run", ...common, "--variant", "6", "--set", "l2.ttl=9s").stdout;
  assert.equal(stdout, a + b.slice(b.indexOf("\n") + 1));
});

test("numbers that moved are told, and are no error", () => {
  const { status, stderr } = cachecast("run", "--link", "v=1&p=two-tiers&h=00000000");
  assert.equal(status, 0);
  assert.equal(stderr, "cachecast: the numbers of A have moved since this link was made\n");
});

for (const [link, message] of [
  ["", '--link: "" has no value: the link was cut or changed'],
  ["v=2", "--link: v=2: the link was made by a newer cachecast; this one reads v=1"],
  ["v=1&p=nothing", /^--link: there is no experiment p=nothing; there are codec-concurrency\.table, /],
  ["v=1&p=two-tiers&n=1", "--link: n=1: the experiment's configurations are numbered from 0 to 0"],
  ["v=1&p=two-tiers&b=3", "--link: b=3: the experiment's configurations are numbered from 0 to 0"],
  ["v=1&p=two-tiers&l1.tll=5s", /l1.tll/],
  ["v=1&p=two-tiers&l1.ttl=soon", /^--link: --link l1\.ttl: /],
  ["v=1&p=two-tiers&__proto__.x=1", /no path of a scenario/],
  ["v=1", /name/],
])
  test(`the link ${link} is refused`, () => {
    const { status, stdout, stderr } = cachecast("run", "--link", String(link));
    assert.equal(status, 2);
    assert.equal(stdout, "");
    const line = stderr.replace(/^cachecast: /, "").replace(/\n$/, "");
    assert.ok(!line.includes("\n"));
    if (typeof message === "string") assert.equal(line, message);
    else assert.match(line, message ?? /./);
  });

test("what does not go together is named", () => {
  for (const [given, message] of /** @type {[string[], RegExp][]} */ ([
    [["run", "--link", "v=1", "x.json"], /--link stands in place of a file/],
    [["run", "--link", "v=1", "--variant", "2"], /--link names its variant itself/],
    [["compare", "--link", "v=1"], /--link does not apply to "compare"/],
    [["link"], /link needs a scenario file/],
    [["link", "a.json", "b.json"], /one file only/],
    [["link", "no-such-file.json"], /no-such-file\.json/],
  ])) {
    const { status, stderr } = cachecast(...given);
    assert.equal(status, 2, given.join(" "));
    assert.match(stderr, message);
  }
});
