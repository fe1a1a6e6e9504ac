// The experiment of the page: its rule, its link, its scenarios, and that it can be bundled. CACHECAST names the
// command, CACHECAST_WASM the module.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import {
  cellOf,
  codecsOf,
  decide,
  defaults,
  fromFragment,
  scenario,
  sizes,
  toFragment,
} from "../../web/codec/decision.mjs";
import { words } from "../../web/codec/words.mjs";
import { readProfiles } from "../../web/profiles.mjs";
import { loadSim } from "../../web/sim/sim.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const command = path.resolve(process.env.CACHECAST ?? path.join(root, "build/native/cachecast"));
const module = path.resolve(process.env.CACHECAST_WASM ?? path.join(root, "build/wasm/sim.wasm"));

test("a link gives back the settings, and only what is not at its default", () => {
  assert.equal(toFragment(defaults), "");
  const settings = { ...defaults, threads: 8, bandwidth: 1.25e8, apart: true, minimise: /** @type {const} */ ("cpu") };
  assert.equal(toFragment(settings), "threads=8&bandwidth=125000000&apart=true&minimise=cpu");
  assert.deepEqual(fromFragment(`#${toFragment(settings)}`), { settings, problems: [] });
});

test("a hostile link changes nothing and is named", () => {
  const hostile = "#threads=1e9&cores=-1&profile=%3Cscript%3E&minimise=p50&bandwidth=7&apart=1&__proto__=x";
  const { settings, problems } = fromFragment(hostile);
  assert.deepEqual(settings, defaults);
  assert.deepEqual(problems, ["threads", "cores", "profile", "minimise", "bandwidth", "apart", "__proto__"]);
});

test("the decision is the codec and size that lower the objective most", () => {
  const line = (/** @type {number[]} */ p95) => p95.map((value) => ({ p95: value, cpu: 1, bytes: 1 }));
  const cells = new Map([
    ["none", line([10, 10, 10, 10, 10, 10])],
    ["early", line([11, 9, 9, 9, 9, 9])],
    ["late", line([20, 20, 20, 11, 2, 2])],
    ["never", line([1, 1, 1, 1, 1, 10])],
  ]);
  const best = decide(cells, "p95");
  assert.equal(best.codec, "late");
  assert.equal(best.from, 4);
  assert.ok(Math.abs(best.gain - 0.2 ** (2 / 6)) < 1e-12);
  assert.equal(decide(cells, "cpu").codec, "none");
});

test("both languages say everything", () => {
  assert.deepEqual(Object.keys(words.ko), Object.keys(words.en));
});

test("the page has the built-in profiles and the command's figures to the last digit", {
  skip: !existsSync(module),
}, async () => {
  const sim = await loadSim(readFileSync(module), readProfiles());
  const profiles = new Map(Object.entries(readProfiles()).map(([name, profile]) => [name, JSON.stringify(profile)]));
  assert.deepEqual([...profiles.keys()], ["apple-m2-pro-jvm", "x86-64-virtual-machine-2-cores"]);
  for (const text of profiles.values()) {
    for (const codec of codecsOf(text)) {
      const input = scenario({ ...defaults, threads: 4, bandwidth: 1.25e8 }, text, codec, sizes[2] ?? 0, 100);
      const report = sim.report(input);
      const { status, stdout } = spawnSync(command, ["run", "-", "--json"], { input, encoding: "utf8" });
      assert.equal(status, 0);
      assert.equal(report, stdout);
      const { p95, cpu, bytes } = cellOf(report);
      assert.ok(p95 > 0 && cpu > 0 && bytes > 0);
    }
  }
});

test("the page is bundled without what would run text as code", {
  skip: existsSync(path.join(root, "web/dist/codec/page.js")) ? false : "the page is not built",
}, () => {
  for (const file of ["codec/page.js", "main.js", "worker.js", "cachecast.html"]) {
    const text = readFileSync(path.join(root, "web/dist", file), "utf8");
    for (const forbidden of ["eval(", "new Function(", "innerHTML"])
      assert.ok(!text.includes(forbidden), `${file}: ${forbidden}`);
  }
  assert.ok(existsSync(path.join(root, "web/dist/codec/worker.js")));
});
