// Builds the page: node web/build.mjs. web/dist is for any static host; web/dist/cachecast.html is the same page in one
// file, which works from file:// and in sandboxed frames. The pictures of the experiments are simulated and drawn here,
// by the page's own code, so that the first paint shows the answer before any script runs.

import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { eventFormat, fieldAt, fieldsOf } from "./app/form.mjs";
import { effective, opening, showsDashboard, slidersIn, usualSliders } from "./app/state.mjs";
import { axesOf, wordsOf } from "./app/words.mjs";
import { drawSvg } from "./charts/chart.mjs";
import { spansOf } from "./charts/spans.mjs";
import { readProfiles } from "./profiles.mjs";
import { loadSim } from "./sim/sim.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = path.join(root, "web/dist");
const command = path.join(root, "build/native/cachecast");

/**
 * @typedef {object} Experiment
 * @property {string} id
 * @property {any} scenario
 * @property {string} closeness how many of its published figures the model meets
 */

/** @returns {Promise<Experiment[]>} */
async function experiments() {
  const found = [];
  for (const directory of ["sims/published", "sims/start"]) {
    const names = await readdir(path.join(root, directory), { recursive: true });
    for (const name of names.filter((name) => name.endsWith(".json")).sort()) {
      const file = path.join(root, directory, name);
      const scenario = JSON.parse(await readFile(file, "utf8"));
      found.push({
        id: name.replace(/\.json$/, "").replaceAll(path.sep, "."),
        scenario,
        closeness: await closenessOf(file),
      });
    }
  }
  return found;
}

/** What `cachecast verify` says of the file. @param {string} file */
async function closenessOf(file) {
  const { stdout } = await promisify(execFile)(command, ["verify", file, "--json"], { maxBuffer: 1 << 26 }).catch(
    (error) => error,
  );
  const { passed = 0, failed = 0 } = JSON.parse(stdout);
  return passed + failed > 0 ? `${passed}/${passed + failed}` : "";
}

/**
 * The file without what does not influence a run: the page carries it.
 * @param {any} scenario
 */
function carried({ $schema: _, expect: __, variants, ...rest }) {
  if (!variants) return JSON.stringify(rest);
  return JSON.stringify({
    ...rest,
    variants: variants.map((/** @type {any} */ { expect: _e, ...variant }) => variant),
  });
}

/**
 * @param {import("./sim/sim.mjs").Sim} sim
 * @param {Experiment} experiment
 * @param {{ width: number, height: number, small: boolean }} look
 */
function poster(sim, { id, scenario }, look) {
  /** @type {import("./charts/series.mjs").ChartKind} */
  const chart = scenario.playground?.chart ?? "latency";
  const state = opening({ id, text: carried(scenario), closeness: "" });
  const sides = /** @type {("a" | "b")[]} */ (state.b ? ["a", "b"] : ["a"]).map((side) => ({
    side,
    label: side,
    scenario: effective(state, side),
    report: JSON.parse(sim.report(state.text, { variant: state[side]?.variant ?? 0 })),
  }));
  return drawSvg(chart, sides, {
    ...look,
    axes: axesOf(wordsOf("en"), chart),
    spans: spansOf(sides, events),
    dashboard: showsDashboard(state),
    title: scenario.question ?? scenario.name,
    description: scenario.playground?.finding ?? "",
  });
}

/** @param {string} text */
function escaped(text) {
  return text.replace(/&/g, "&amp;").replace(/"/g, "&quot;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
}

/** @param {string} text */
function sha256(text) {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

/** Not in base64, which hides from compression what the pictures share. @param {string} svg */
function dataUrl(svg) {
  return escaped(`data:image/svg+xml,${svg.replace(/[%#\n]/g, encodeURIComponent)}`);
}

/**
 * @param {string} entry
 * @param {Record<string, { contents: string, loader: "json" | "text" }>} made modules that are made here
 * @param {string} assets
 */
async function bundle(entry, made, assets = "served") {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    bundle: true,
    write: false,
    // Not a module: workers and file:// pages take classic scripts in every browser.
    format: "iife",
    target: "es2022",
    minify: true,
    legalComments: "none",
    logLevel: "warning",
    alias: { "@kurkle/color": "./web/charts/colours.mjs" },
    plugins: [
      {
        name: "made",
        setup(on) {
          on.onResolve(
            { filter: /^(catalogue|event-format|fields|slider-fields|profile-names|packed:.*)$/ },
            ({ path }) => ({
              path,
              namespace: "made",
            }),
          );
          on.onLoad({ filter: /.*/, namespace: "made" }, ({ path }) => made[path]);
          // Classes that nobody uses are left out unless their static fields read a property, which might do something.
          on.onLoad({ filter: /chart\.js\/dist\/chart\.js$/ }, async ({ path }) => ({
            contents: (await readFile(path, "utf8")).replace(
              /callback: (Ticks\.formatters\.\w+)/g,
              "get callback() { return $1; }",
            ),
          }));
          on.onResolve({ filter: /^assets$/ }, () => ({ path: `${root}/web/app/assets.${assets}.mjs` }));
          on.onResolve({ filter: /^profiles$/ }, () => ({ path: `${root}/web/sim/profiles.${assets}.mjs` }));
        },
      },
    ],
  });
  return outputFiles[0]?.text ?? "";
}

const simulator = await readFile(path.join(root, "build/wasm/sim.wasm"));
const profiles = readProfiles();
const sim = await loadSim(simulator, profiles);
const list = await experiments();
const template = await readFile(path.join(root, "web/app/index.html"), "utf8");
const version = /^ +VERSION (\S+)$/m.exec(await readFile(path.join(root, "CMakeLists.txt"), "utf8"))?.[1] ?? "";
const style =
  (
    await build({
      absWorkingDir: root,
      entryPoints: ["web/app/style.css"],
      minify: true,
      write: false,
      logLevel: "warning",
    })
  ).outputFiles[0]?.text.trim() ?? "";
const catalogue = JSON.stringify(
  list.map(({ id, scenario, closeness }) => ({ id, text: carried(scenario), closeness })),
);
const schema = JSON.parse(await readFile(path.join(root, "web/scenario.schema.json"), "utf8"));
const fields = fieldsOf(schema);
const events = eventFormat(schema);
/** What sliders show at once: help and default. @type {import("./app/form.mjs").Fields} */
const sliderFields = {};
for (const { scenario } of list)
  for (const { path } of slidersIn(scenario) ?? usualSliders) {
    const { description, default: standard } = fieldAt(fields, path);
    sliderFields[path] = { description, default: standard };
  }
const first = /** @type {Experiment} */ (list.find(({ id }) => id === "four-configurations.table"));
const posters = new Map(
  list.map((experiment) => [experiment.id, poster(sim, experiment, { width: 320, height: 160, small: true })]),
);
const hero = poster(sim, first, { width: 720, height: 360, small: false });

/**
 * @param {object} parts
 * @param {string} parts.policy
 * @param {string} parts.style
 * @param {string} parts.script
 * @param {(id: string) => string} parts.picture the address of a poster
 */
function page({ policy, style, script, picture }) {
  const cards = list.map(({ id, scenario, closeness }) => {
    const finding = scenario.playground?.finding ?? "";
    return `<li><a href="#v=1&amp;p=${id}" data-preset="${id}"><img src="${picture(id)}" width="320" height="160" alt="" /><h3>${escaped(
      scenario.question ?? scenario.name,
    )}</h3><p>${escaped(finding)}</p>${closeness ? `<small>${closeness} <span data-words="close">${wordsOf("en").close}</span></small>` : ""}</a></li>`;
  });
  const codec = `<li><a href="codec/"><h3 data-words="codec">${wordsOf("en").codec}</h3></a></li>`;
  /** @type {Record<string, string>} */
  const values = {
    policy,
    style,
    script,
    version,
    cards: [...cards, ...(script.includes("src=") ? [codec] : [])].join("\n        "),
    question: escaped(first.scenario.question),
    finding: escaped(first.scenario.playground?.finding ?? ""),
    poster: picture("hero"),
  };
  return template.replace(/%([a-z]+)%/g, (_, name) => values[name] ?? "");
}

await rm(dist, { recursive: true, force: true });
await mkdir(path.join(dist, "posters"), { recursive: true });
for (const [id, svg] of [...posters, /** @type {const} */ (["hero", hero])])
  await writeFile(path.join(dist, `posters/${id}.svg`), svg);

/** @param {string} contents */
const json = (contents) => ({ contents, loader: /** @type {const} */ ("json") });
const common = {
  catalogue: json(catalogue),
  "event-format": json(JSON.stringify(events)),
  "slider-fields": json(JSON.stringify(sliderFields)),
};
const policy = "default-src 'none'; base-uri 'none'; form-action 'none'; img-src 'self' data:";
await writeFile(path.join(dist, "sim.wasm"), simulator);
await writeFile(
  path.join(dist, "worker.js"),
  await bundle("web/sim/worker.mjs", { "profile-names": json(JSON.stringify(Object.keys(profiles))) }),
);
await writeFile(path.join(dist, "profiles.json"), JSON.stringify(profiles));
await writeFile(path.join(dist, "main.js"), await bundle("web/app/main.mjs", common));
await writeFile(path.join(dist, "fields.json"), JSON.stringify(fields));
await writeFile(path.join(dist, "style.css"), style);
await writeFile(
  path.join(dist, "index.html"),
  page({
    policy: `${policy}; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self'; worker-src 'self'`,
    style: '<link rel="stylesheet" href="style.css" />',
    script: '<script src="main.js"></script>',
    picture: (id) => `posters/${id}.svg`,
  }),
);

const worker = await bundle("web/sim/worker.mjs", { "packed:profiles": json(JSON.stringify(profiles)) }, "single");
// One file. What ends a script early must not stand in it.
const script = (
  await bundle(
    "web/app/main.mjs",
    {
      ...common,
      fields: json(JSON.stringify(fields)),
      "packed:worker": { contents: worker, loader: "text" },
      "packed:simulator": { contents: gzipSync(simulator, { level: 9 }).toString("base64"), loader: "text" },
    },
    "single",
  )
)
  .replaceAll("</script", "<\\/script")
  .replaceAll("<!--", "<\\!--");
await writeFile(
  path.join(dist, "cachecast.html"),
  page({
    policy: `${policy}; script-src ${sha256(script)} 'wasm-unsafe-eval'; style-src ${sha256(style)}; worker-src blob:`,
    style: `<style>${style}</style>`,
    script: `<script>${script}</script>`,
    picture: (id) => dataUrl(id === "hero" ? hero : (posters.get(id) ?? "")),
  }),
);

// The experiment about codecs is a page of its own.
await mkdir(path.join(dist, "codec"), { recursive: true });
for (const file of ["index.html", "codec.css"])
  await cp(path.join(root, "web/codec", file), path.join(dist, "codec", file));
await build({
  absWorkingDir: root,
  entryPoints: ["web/codec/page.mjs", "web/codec/worker.mjs"],
  outdir: path.join(dist, "codec"),
  bundle: true,
  format: "esm",
  target: "es2022",
  minify: true,
  legalComments: "none",
  logLevel: "warning",
});

// GitHub Pages would else pass the folder through Jekyll.
await writeFile(path.join(dist, ".nojekyll"), "");

const weigh = async (/** @type {string} */ file) =>
  gzipSync(await readFile(path.join(dist, file)), { level: 9 }).length;
const files = [
  "index.html",
  "main.js",
  "worker.js",
  "style.css",
  "sim.wasm",
  "posters/hero.svg",
  "fields.json",
  "profiles.json",
  "cachecast.html",
];
for (const file of files)
  console.log(`${file.padEnd(20)} ${((await weigh(file)) / 1000).toFixed(1).padStart(7)} kB gzip`);
