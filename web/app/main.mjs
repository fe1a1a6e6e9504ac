// @ts-check
// The playground: one state (state.mjs), shown by controls, a chart, a verdict; simulated in two lanes, A and B.

import { allFields, simulatorBytes, startWorker } from "assets";
import catalogueList from "catalogue";
import eventFormat from "event-format";
import sliderFields from "slider-fields";
import { Chart, chartConfig, chartData, dark, drawSvg, light } from "../charts/chart.mjs";
import { figure } from "../charts/figures.mjs";
import { chartKinds, linesOf, outcomes, rareKinds, readAt } from "../charts/series.mjs";
import { spansOf } from "../charts/spans.mjs";
import { Lane } from "../sim/lane.mjs";
import { element, part, table } from "./dom.mjs";
import { buildForm, buildSliders, fieldAt } from "./form.mjs";
import { csv, download, fileName, frame, markdown, readFile } from "./save.mjs";
import * as states from "./state.mjs";
import { interval } from "./statistics.mjs";
import { buildTimeline } from "./timeline.mjs";
import { axesOf, fieldNames, koreanExperiments, wordsOf } from "./words.mjs";

/** @typedef {import("../charts/series.mjs").Report} Report */
/** @typedef {import("../charts/series.mjs").ChartKind} ChartKind */
/** @typedef {"a" | "b"} Name */

const PREVIEW_MS = 14; // of simulating per side: with drawing, some 40 pictures a second
const PAIRS = 5; // replications behind the interval of the difference
const SLOW_MS = 500; // a run longer than that shows its progress

/** @type {Map<string, import("./state.mjs").Preset>} */
const catalogue = new Map(catalogueList.map((preset) => [preset.id, preset]));
const first = /** @type {import("./state.mjs").Preset} */ (
  catalogue.get("four-configurations.table") ?? catalogueList[0]
);

let state = states.opening(first);
let language = remembered() ?? (navigator.language.startsWith("ko") ? "ko" : "en");
/** @type {Name} */
let side = "a";
/** @type {Record<Name, { report: Report, text: string, digest: number } | null>} */
const shown = { a: null, b: null };
/** What the format says of a path: of those with sliders at once, of all when it is needed. */
let fields = sliderFields;
/** @type {ReturnType<typeof buildForm> | null} */
let form = null;
/** @type {ReturnType<typeof buildSliders>} */
let sliders = [];
/** @type {ReturnType<typeof buildTimeline>} */
let timeline;
/** @type {any} */
let chart = null;
/** @type {{ x?: number, low?: number, high?: number }} */
let range = {};
let generation = 0;
let link = "";
/** @type {{ a: Record<string, number>, b: Record<string, number> }[]} */
let pairs = [];
/** @type {{ a: Lane, b: Lane }} */
let lanes;
/** For the tests and for `./dev bench web`: how often the chart was drawn. */
const counts = { charts: 0, settled: 0 };
const embedded = () => state.view.embed === "yes";
const words = () => wordsOf(language);
const names = () => /** @type {Name[]} */ (state.b ? ["a", "b"] : ["a"]);
const kind = () => {
  const wanted = [state.view.chart, JSON.parse(state.text).playground?.chart];
  return (
    chartKinds.find((which) => wanted[0] === which) ?? chartKinds.find((which) => wanted[1] === which) ?? "latency"
  );
};

function remembered() {
  try {
    return localStorage.getItem("language");
  } catch {
    return null; // in a sandboxed frame
  }
}

// ---- what is simulated

/**
 * @param {Name} name
 * @param {number} budget
 * @param {number} [replication]
 */
function order(name, budget, replication = 0) {
  const { variant } = states.sideOf(state, name);
  return { text: state.text, variant, set: states.observedSets(state, name), replication, budget };
}

/** @param {string} text @param {number} digest */
function outcomeOf(text, digest) {
  return { report: /** @type {Report} */ (JSON.parse(text)), text, digest };
}

/** While a hand drags: the first part of the time, as much as fits between two pictures. */
async function preview() {
  const mine = ++generation;
  const sides = names();
  try {
    const found = await Promise.all(sides.map((name) => lanes[name].run(order(name, PREVIEW_MS))));
    // A newer hand position drops older answers; what has arrived in order is worth a picture.
    if (mine < drawn) return;
    drawn = mine;
    for (const [i, name] of sides.entries()) if (found[i]) shown[name] = outcomeOf(found[i].report, found[i].digest);
    showState(words().preview);
    document.body.classList.add("preview");
    drawFocus(true);
  } catch (error) {
    refuse(error);
  }
}
let drawn = 0;

async function settle() {
  const mine = ++generation;
  drawn = mine;
  pairs = [];
  const sides = names();
  const began = performance.now();
  const shares = { a: 0, b: 0 };
  const progress = (/** @type {Name} */ name) => (/** @type {number} */ share) => {
    shares[name] = share;
    if (performance.now() - began > SLOW_MS && mine === generation)
      showState(`${words().running} ${Math.floor((100 * (shares.a + shares.b)) / sides.length)} %`, true);
  };
  try {
    const found = await Promise.all(sides.map((name) => lanes[name].run(order(name, 0), progress(name))));
    if (mine !== generation || found.some((one) => one === null)) return;
    shown.b = null;
    for (const [i, name] of sides.entries()) if (found[i]) shown[name] = outcomeOf(found[i].report, found[i].digest);
    const took = performance.now() - began;
    document.body.classList.remove("preview");
    counts.settled++;
    showState(`${words().settled}: ${figure(took)} ms`);
    part("problem").hidden = true;
    drawFocus(false);
    drawDetails();
    await writeLink();
    if (state.b && took < 2000) await pairUp(mine);
  } catch (error) {
    if (mine === generation) refuse(error);
  }
}

/** More replications of both, pair by pair, until a newer input comes. @param {number} mine */
async function pairUp(mine) {
  if (shown.a && shown.b) pairs = [{ a: shown.a.report.summary, b: shown.b.report.summary }];
  for (let replication = 1; replication < PAIRS; replication++) {
    const [a, b] = await Promise.all([
      lanes.a.run(order("a", 0, replication)),
      lanes.b.run(order("b", 0, replication)),
    ]);
    if (mine !== generation || !a || !b) return;
    pairs.push({ a: JSON.parse(a.report).summary, b: JSON.parse(b.report).summary });
  }
  drawVerdict();
}

/** @param {unknown} error */
function refuse(error) {
  const { message = String(error), line = 0, column = 0 } = /** @type {any} */ (error ?? {});
  part("problem").hidden = false;
  part("problem").textContent =
    `${words().refused}: ${line > 0 && !message.startsWith(`${line}:`) ? `${line}:${column}: ` : ""}${message}`;
  showState("");
  showPlace(line, column);
}

/** @param {string} text @param {boolean} [canCancel] */
function showState(text, canCancel = false) {
  part("state").textContent = text;
  part("cancel").hidden = !canCancel;
}

// ---- the state and its link

/**
 * @param {import("./state.mjs").State} next
 * @param {boolean} [live] a hand is still dragging
 */
function become(next, live = false) {
  state = next;
  showControls();
  if (live) void preview();
  else void settle();
}

/** @param {string} path @param {unknown} value @param {boolean} live */
function change(path, value, live) {
  become(states.change(state, side, path, value), live);
}

function digests() {
  return names()
    .map((name) => (shown[name]?.digest ?? 0).toString(16).padStart(8, "0"))
    .join(".");
}

async function writeLink() {
  const mine = generation;
  const digest = digests();
  if (state.digest && state.digest !== digest) say(words().moved);
  const text = await lanes.a.call("linkWrite", states.linkState(state, digest));
  if (mine !== generation) return;
  link = text;
  // A frame must not write the address or the storage of the page that holds it.
  if (!embedded() && location.hash !== `#${link}`) {
    try {
      history.replaceState(null, "", `#${link}`);
    } catch {
      // an opaque origin
    }
  }
}

function address() {
  return `${location.href.replace(/#.*/, "")}#${link}`;
}

/** @param {string} text */
function say(text) {
  part("notice").textContent = text;
}

/** @param {string} fragment */
async function openLink(fragment) {
  try {
    const read = await lanes.a.call("linkRead", fragment);
    const next = states.fromLink(read, catalogue);
    const { view, ignored } = states.knownView(next.view);
    next.view = view;
    if (view.lang) language = view.lang;
    side = "a";
    say(ignored.length > 0 ? `${words().ignored}: ${ignored.join(", ")}` : "");
    return next;
  } catch (error) {
    say(`${words().badLink}: ${/** @type {any} */ (error)?.message ?? error}`);
    return null;
  }
}

/** @param {string} text of a scenario */
async function openText(text) {
  try {
    await lanes.a.call("variants", text);
    side = "a";
    become({
      preset: null,
      text: text.replace(/^\uFEFF/, ""),
      a: { variant: 0, set: {} },
      b: null,
      view: { ...state.view },
      digest: "",
    });
    rebuild();
  } catch (error) {
    refuse(error);
  }
}

// ---- what is shown

function theme() {
  return matchMedia("(prefers-color-scheme: dark)").matches ? dark : light;
}

/** @param {ChartKind} which */
function axes(which) {
  return axesOf(words(), which);
}

/** @param {ChartKind} which */
function lines(which) {
  return linesOf(shownSides(), which, states.showsDashboard(state));
}

function shownSides() {
  return names().flatMap((side) =>
    shown[side] ? [{ side, label: side.toUpperCase(), report: /** @type {any} */ (shown[side]).report }] : [],
  );
}

function spans() {
  return spansOf(
    names().map((side) => ({ side, scenario: states.effective(state, side) })),
    eventFormat,
  );
}

/** @param {boolean} live */
function drawFocus(live) {
  const which = kind();
  const now = lines(which);
  const canvas = /** @type {HTMLCanvasElement} */ (part("focus"));
  if (!chart) {
    const box = part("focus-box").getBoundingClientRect();
    canvas.width = Math.floor(box.width);
    canvas.height = Math.floor(box.height);
    chart = new Chart(canvas, chartConfig(which, now, { theme: theme(), axes: axes(which), spans: spans(), range }));
    part("poster").hidden = true;
    canvas.hidden = false;
  } else chart.data = chartData(which, now, theme(), spans());
  const { x, y } = chart.options.scales;
  if (live) {
    // The axes stand still under a dragging hand; only what would be cut off moves them.
    let high = range.high ?? 0;
    for (const { points } of now) for (const point of points) if (point.y > high) high = point.y;
    y.max = which === "hits" ? 100 : high || undefined;
    x.max = which === "latency" ? 4 : range.x;
  } else {
    y.max = which === "hits" ? 100 : undefined;
    y.min = which === "latency" ? undefined : 0;
    x.max = which === "latency" ? 4 : now[0]?.points.at(-1)?.x;
  }
  const cursor = /** @type {HTMLInputElement} */ (part("cursor"));
  const points = now[0]?.points ?? [];
  cursor.max = String(Math.max(0, points.length - 1));
  chart.options.marks.cursor = points[Number(cursor.value)]?.x ?? null;
  chart.update("none");
  if (!live) {
    range = { x: x.max ?? chart.scales.x.max, low: chart.scales.y.min, high: chart.scales.y.max };
    if (which === "latency") y.min = range.low;
  }
  counts.charts++;
  readCursor(now);
}

/** @param {ReturnType<typeof lines>} now */
function readCursor(now) {
  const cursor = /** @type {HTMLInputElement} */ (part("cursor"));
  const at = Number(cursor.value);
  const x = now[0]?.points[at]?.x;
  if (x === undefined) return;
  const where = kind() === "latency" ? `p${Number((100 * (1 - 10 ** -x)).toFixed(3))}` : `${figure(x)} s`;
  const unit = kind() === "latency" ? " ms" : "";
  const text = [where, ...now.map(({ label, points }) => `${label} ${figure(readAt(points, x))}${unit}`)].join(" · ");
  part("cursor-value").textContent = text;
  cursor.setAttribute("aria-valuetext", text);
}

/**
 * What a row says, the true figure, and what a dashboard has for it.
 * @type {[keyof import("./words.mjs").Words, string, string?][]}
 */
const verdictRows = [
  ["p50", "latency.p50_ms", "observed.p50_ms"],
  ["p95", "latency.p95_ms", "observed.p95_ms"],
  ["p99", "latency.p99_ms", "observed.p99_ms"],
  ["loadsTotal", "origin.loads", "observed.loads"],
  ["peak", "origin.peak_loads_per_s", "observed.peak_loads_per_s"],
  ["hit1", "l1.hit_ratio"],
  ["hit2", "l2.hit_ratio"],
  ["errors", "errors"],
  ["inFlight", "in_flight.max"],
  ["staleTotal", "freshness.stale_answers"],
  ["propagation", "freshness.propagation_mean_s"],
  ["recovery", "recovery.time_s"],
];

/** @param {boolean} [dashboard] with what a dashboard shows */
function verdict(dashboard = states.showsDashboard(state)) {
  const say = words();
  const rows = verdictRows.flatMap(([word, metric, observed]) => [
    { text: say[word], metric },
    ...(dashboard && observed ? [{ text: `${say[word]}: ${say.byDashboard}`, metric: observed }] : []),
  ]);
  return rows.flatMap(({ text, metric }) => {
    const values = names().map((name) => shown[name]?.report.summary[metric] ?? Number.NaN);
    if (values.every(Number.isNaN)) return [];
    const cells = [text, ...values.map(figure)];
    if (values.length === 2) {
      const [a = 0, b = 0] = values;
      const paired = pairs.map((pair) => (pair.b[metric] ?? Number.NaN) - (pair.a[metric] ?? Number.NaN));
      const { mean, half } = interval(paired.length > 1 ? paired : [b - a]);
      const spread = Number.isFinite(half) && half > 0 ? ` ± ${figure(half)}` : "";
      const drowned = Number.isFinite(half) && half > 0 && Math.abs(mean) <= half;
      const way = drowned ? say.unclear : mean > 0 ? `▲ ${say.higher}` : mean < 0 ? `▼ ${say.lower}` : say.same;
      cells.push(Number.isFinite(mean) ? `${mean > 0 ? "+" : ""}${figure(mean)}${spread} ${way}` : "–");
    }
    return [cells];
  });
}

function verdictHeads() {
  return [words().metric, ...names().map((name) => name.toUpperCase()), ...(state.b ? [words().difference] : [])];
}

function drawVerdict() {
  part("verdict").replaceChildren(table(words().verdict, verdictHeads(), verdict()));
  part("interval").hidden = pairs.length < 2;
}

function drawDetails() {
  const say = words();
  drawVerdict();
  const found = names().map((name) => (shown[name] ? outcomes(/** @type {any} */ (shown[name]).report) : []));
  const all = [...new Set(found.flat().map(({ name }) => name))];
  const heads = names().flatMap((name) =>
    [say.share, say.slow, say.mean].map((text) => (state.b ? `${name.toUpperCase()}: ${text}` : text)),
  );
  part("why").replaceChildren(
    table(
      say.why100,
      [say.outcome, ...heads],
      all.map((outcome) => [
        String(say[/** @type {"loaded"} */ (outcome)] ?? outcome),
        ...found.flatMap((side) => {
          const one = side.find(({ name }) => name === outcome);
          return one ? [figure(one.share), figure(one.slow), figure(one.mean)] : ["–", "–", "–"];
        }),
      ]),
    ),
  );
  const now = lines(kind());
  const box = /** @type {HTMLDetailsElement} */ (part("figures"));
  if (box.open)
    part("table").replaceChildren(
      table(
        `${say[kind()]} (${axes(kind()).y})`,
        [kind() === "latency" ? say.xPercentile : say.xTime, ...now.map(({ label }) => label)],
        (now[0]?.points ?? []).map((point) => [
          kind() === "latency" ? `p${Number((100 * (1 - 10 ** -point.x)).toFixed(3))}` : figure(point.x),
          ...now.map(({ points }) => figure(readAt(points, point.x))),
        ]),
      ),
    );
  part("focus").setAttribute(
    "aria-label",
    `${say[kind()]}. ${verdict(false)
      .slice(0, 3)
      .map((cells) => cells.join(" "))
      .join("; ")}`,
  );
  multiples();
}

/** The other charts, one a frame, so that none of them holds up the page. */
function multiples() {
  const mine = generation;
  const happens = spans();
  const queue = chartKinds.filter((which) => {
    const tab = document.querySelector(`[data-chart="${which}"]`);
    const seen =
      !rareKinds.includes(which) ||
      which === kind() ||
      lines(which).some(({ points }) => points.some(({ y }) => y > 0));
    tab?.toggleAttribute("hidden", !seen);
    return seen;
  });
  const next = () => {
    const which = queue.shift();
    if (!which || mine !== generation) return;
    const button = document.querySelector(`[data-chart="${which}"] canvas`);
    if (button instanceof HTMLCanvasElement) {
      Chart.getChart(button)?.destroy();
      button.width = 200;
      button.height = 110;
      // Charts over time share the cursor.
      const cursor = which === "latency" || kind() === "latency" ? null : (chart?.options.marks.cursor ?? null);
      const look = { theme: theme(), axes: axes(which), spans: happens, small: true, cursor };
      new Chart(button, chartConfig(which, lines(which), look));
      // Chart.js fixes the size in pixels; the button may be narrower.
      button.style.width = "100%";
      button.style.height = "auto";
    }
    requestAnimationFrame(next);
  };
  requestAnimationFrame(next);
}

/** The user's own text as it was written, as long as it says all that is shown. @param {any} mine */
function editorText(mine) {
  const own = state.preset === null && !state.b && Object.keys(state.a.set).length === 0;
  return own && !JSON.parse(state.text).variants ? state.text : JSON.stringify(mine, null, 2);
}

/** Puts the cursor where the parser complains. @param {number} line @param {number} column */
function showPlace(line, column) {
  const editor = /** @type {HTMLTextAreaElement} */ (part("editor"));
  if (line === 0 || editor.value !== lastApplied) return;
  const start = editor.value
    .split("\n")
    .slice(0, line - 1)
    .reduce((sum, text) => sum + text.length + 1, 0);
  editor.focus();
  editor.setSelectionRange(start + column - 1, start + column);
}
let lastApplied = "";

function showControls() {
  const a = states.effective(state, "a");
  const b = state.b ? states.effective(state, "b") : null;
  const [mine, other] = side === "b" && b ? [b, a] : [a, b];
  const set = side === "b" && state.b ? state.b.set : state.a.set;
  for (const { path, show } of sliders) show(mine, other, Object.hasOwn(set, path));
  timeline.show(mine, {
    isSet: Object.keys(set).some((path) => path === "events" || path.startsWith("events.")),
    owner: `${side} ${state.text}`,
    words: words(),
  });
  form?.show(mine);
  const editor = /** @type {HTMLTextAreaElement} */ (part("editor"));
  if (document.activeElement !== editor) editor.value = editorText(mine);
  for (const name of /** @type {Name[]} */ (["a", "b"])) {
    const select = /** @type {HTMLSelectElement} */ (part(`variant-${name}`));
    select.value = String(states.sideOf(state, name).variant);
    const tab = /** @type {HTMLInputElement} */ (part(`side-${name}`));
    tab.checked = side === name;
  }
  const dashboard = states.showsDashboard(state);
  /** @type {HTMLInputElement} */ (part("dashboard")).checked = dashboard;
  part("dashboard-note").hidden = !dashboard;
  part("b-part").hidden = !state.b;
  part("side-box").hidden = !state.b;
  part("toggle-b").textContent = state.b ? words().dropB : words().addB;
  part("swap").hidden = !state.b;
}

/** All that depends on the language, the preset or the fields. */
function rebuild() {
  const say = words();
  document.documentElement.lang = language;
  document.title = say.title;
  document.body.classList.toggle("embedded", embedded());
  for (const node of document.querySelectorAll("[data-words]"))
    node.textContent = String(say[/** @type {"lead"} */ (/** @type {HTMLElement} */ (node).dataset.words)]);
  for (const card of document.querySelectorAll("[data-preset]")) {
    const id = /** @type {HTMLElement} */ (card).dataset.preset ?? "";
    const { question = "", playground = {} } = JSON.parse(catalogue.get(id)?.text ?? "{}");
    const text = language === "ko" ? koreanExperiments[id] : { question, finding: playground.finding };
    const [asked, found] = card.querySelectorAll("h3, p");
    if (asked) asked.textContent = text?.question || question;
    if (found) found.textContent = text?.finding ?? "";
    if (id === state.preset) card.setAttribute("aria-current", "true");
    else card.removeAttribute("aria-current");
  }
  const scenario = JSON.parse(state.text);
  const korean = language === "ko" && state.preset !== null ? koreanExperiments[state.preset] : undefined;
  part("name").textContent = String(korean?.question || scenario.question || scenario.name || say.lab);
  part("finding").textContent = String(korean?.finding || scenario.playground?.finding || "");
  part("source").textContent = scenario.source ? `${say.source}: ${String(scenario.source)}` : "";
  const variants = states.variantNames(state);
  for (const name of ["a", "b"]) {
    part(`variant-${name}`).replaceChildren(
      ...variants.map((text, i) => element("option", { value: String(i), textContent: text || scenario.name || "–" })),
    );
    part(`variant-${name}`).toggleAttribute("disabled", variants.length < 2);
  }
  const specs = states.slidersIn(scenario) ?? states.usualSliders;
  if (fields === sliderFields && specs.some(({ path }) => !fieldAt(fields, path))) learnFields().then(rebuild, refuse);
  sliders = buildSliders(specs, {
    words: say,
    change,
    name: (path) => fieldNames[path]?.[language === "ko" ? "ko" : "en"] ?? path,
    help: (path) => fieldAt(fields, path)?.description ?? "",
    standard: (path) => fieldAt(fields, path)?.default,
  });
  part("sliders").replaceChildren(...sliders.map(({ row }) => row));
  for (const tab of document.querySelectorAll("[data-chart]")) {
    const which = /** @type {ChartKind} */ (/** @type {HTMLElement} */ (tab).dataset.chart);
    const label = tab.querySelector("span");
    if (label) label.textContent = say[which];
    tab.setAttribute("aria-pressed", String(which === kind()));
  }
  chart?.destroy();
  chart = null;
  range = {};
  if (shown.a) {
    drawFocus(false);
    drawDetails();
  }
  showControls();
}

async function learnFields() {
  fields = await allFields();
}

// ---- wiring

/** @param {string} id @param {() => unknown} act */
function onClick(id, act) {
  part(id).addEventListener("click", act);
}

/** @param {string} text */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    part("share-state").textContent = words().copied;
  } catch {
    // Refused, as in frames: the text is shown in full, to be copied by hand.
    part("share-state").textContent = words().copyHere;
  }
  const box = /** @type {HTMLTextAreaElement} */ (part("share-text"));
  box.hidden = false;
  box.value = text;
}

function picture() {
  const scenario = JSON.parse(state.text);
  return drawSvg(kind(), shownSides(), {
    width: 720,
    height: 360,
    axes: axes(kind()),
    spans: spans(),
    dashboard: states.showsDashboard(state),
    title: `${scenario.name ?? ""}: ${words()[kind()]}`,
    description: verdict()
      .map((cells) => cells.join(" "))
      .join("; "),
    metadata: JSON.stringify({ link, digest: digests(), scenario: states.effective(state, "a") }),
  });
}

async function savePng() {
  const image = new Image();
  image.src = `data:image/svg+xml;base64,${btoa(Array.from(new TextEncoder().encode(picture()), (byte) => String.fromCharCode(byte)).join(""))}`;
  await image.decode();
  const canvas = element("canvas", { width: 1440, height: 720 });
  canvas.getContext("2d")?.drawImage(image, 0, 0, 1440, 720);
  canvas.toBlob((blob) => blob && download(`${saveName()}.cachecast.png`, blob, "image/png"));
}

function saveName() {
  return fileName(String(JSON.parse(state.text).name ?? "scenario"));
}

/** @param {File | undefined} file */
async function openFile(file) {
  if (!file) return;
  const found = await readFile(file);
  if (!found) return refuse(new Error(words().notFile));
  if ("text" in found) return openText(found.text);
  const next = await openLink(found.link);
  if (next) {
    become(next);
    rebuild();
  }
}

function wire() {
  timeline = buildTimeline(eventFormat, change);
  for (const card of document.querySelectorAll("[data-preset]"))
    card.addEventListener("click", (event) => {
      event.preventDefault();
      const preset = catalogue.get(/** @type {HTMLElement} */ (card).dataset.preset ?? "");
      if (!preset) return;
      side = "a";
      say("");
      // A step of its own, so that Back returns to the experiment before.
      if (!embedded()) {
        try {
          history.pushState(null, "", location.hash || "#");
        } catch {
          // an opaque origin
        }
      }
      become(states.opening(preset));
      rebuild();
      part("lab").scrollIntoView({ block: "start" });
    });
  document.querySelector("h1 a")?.addEventListener("click", (event) => {
    event.preventDefault();
    become(states.opening(first));
    rebuild();
  });
  for (const tab of document.querySelectorAll("[data-chart]"))
    tab.addEventListener("click", () => {
      state = { ...state, view: { ...state.view, chart: /** @type {HTMLElement} */ (tab).dataset.chart ?? "" } };
      rebuild();
      void writeLink();
    });
  for (const name of /** @type {Name[]} */ (["a", "b"])) {
    part(`variant-${name}`).addEventListener("change", (event) => {
      const variant = Number(/** @type {HTMLSelectElement} */ (event.target).value);
      if (name === "a") become({ ...state, a: { ...state.a, variant }, digest: "" });
      else if (state.b) become({ ...state, b: { ...state.b, variant }, digest: "" });
    });
    part(`side-${name}`).addEventListener("change", () => {
      side = name;
      showControls();
    });
  }
  onClick("toggle-b", () => {
    side = state.b ? "a" : "b";
    become({ ...state, b: state.b ? null : { variant: state.a.variant, set: {} }, digest: "" });
    if (!state.b) shown.b = null;
  });
  onClick("swap", () => {
    if (!state.b) return;
    const b = states.sideOf(state, "b");
    // What B had of its own and A had not goes back to the file's value in the new B.
    const own = Object.fromEntries(
      Object.keys(state.b.set).map((path) => [path, states.valueAt(states.effective(state, "a"), path) ?? null]),
    );
    become({ ...state, a: b, b: { variant: state.a.variant, set: own }, digest: "" });
  });
  onClick("reset", () => {
    const preset = state.preset === null ? null : catalogue.get(state.preset);
    become(
      preset
        ? { ...states.opening(preset), view: state.view }
        : { ...state, a: { variant: 0, set: {} }, b: null, digest: "" },
    );
    side = "a";
    rebuild();
  });
  onClick("cancel", () => {
    generation++;
    lanes.a.cancel();
    lanes.b.cancel();
    showState("");
  });
  part("cursor").addEventListener("input", () => shown.a && drawFocus(true));
  part("cursor").addEventListener("change", () => shown.a && multiples());
  part("figures").addEventListener("toggle", drawDetails);
  part("dashboard").addEventListener("change", (event) => {
    const { checked } = /** @type {HTMLInputElement} */ (event.target);
    become({ ...state, view: { ...state.view, figures: checked ? "dashboard" : "true" } });
  });
  onClick("language", () => {
    language = language === "en" ? "ko" : "en";
    try {
      localStorage.setItem("language", language);
    } catch {
      // in a sandboxed frame
    }
    state = { ...state, view: { ...state.view, lang: language } };
    rebuild();
    void writeLink();
  });
  onClick("apply", () => {
    lastApplied = /** @type {HTMLTextAreaElement} */ (part("editor")).value;
    return openText(lastApplied);
  });
  onClick("copy-link", () => copy(address()));
  onClick("copy-markdown", () => {
    const { name = "", question = "" } = JSON.parse(state.text);
    return copy(markdown({ name, question, url: address(), heads: verdictHeads(), rows: verdict() }));
  });
  onClick("copy-frame", async () => {
    const view = { ...states.linkState(state, digests()), view: { ...state.view, embed: "yes" } };
    const url = `${address().replace(/#.*/, "")}#${await lanes.a.call("linkWrite", view)}`;
    return copy(frame(url, String(JSON.parse(state.text).name ?? "cachecast")));
  });
  onClick("save-scenario", () =>
    download(`${saveName()}.json`, `${JSON.stringify(states.effective(state, side), null, 2)}\n`, "application/json"),
  );
  onClick("save-report", () => {
    const found = shown[side] ?? shown.a;
    if (found) download(`${saveName()}.report.json`, found.text, "application/json");
  });
  onClick("save-csv", () => {
    const found = shown[side] ?? shown.a;
    if (found) download(`${saveName()}.csv`, csv(found.report), "text/csv");
  });
  onClick("save-svg", () => shown.a && download(`${saveName()}.cachecast.svg`, picture(), "image/svg+xml"));
  onClick("save-png", () => shown.a && savePng());
  part("file").addEventListener("change", (event) =>
    openFile(/** @type {HTMLInputElement} */ (event.target).files?.[0]),
  );
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", (event) => {
    event.preventDefault();
    void openFile(event.dataTransfer?.files[0]);
  });
  addEventListener("hashchange", async () => {
    if (location.hash === `#${link}`) return;
    const next = location.hash.length > 1 ? await openLink(location.hash) : states.opening(first);
    if (!next) return;
    become(next);
    rebuild();
  });
  let width = innerWidth;
  addEventListener("resize", () => {
    if (innerWidth === width) return; // a phone's address bar
    width = innerWidth;
    rebuild();
  });
  for (const query of ["(prefers-color-scheme: dark)", "(forced-colors: active)"])
    matchMedia(query).addEventListener("change", rebuild);
  part("all").addEventListener("toggle", () => {
    learnFields().then(() => {
      if (form) return;
      form = buildForm(fields, change);
      part("form").replaceChildren(...form.rows);
      showControls();
    }, refuse);
  });
}

async function start() {
  try {
    const bytes = await simulatorBytes();
    lanes = { a: new Lane(startWorker(), bytes), b: new Lane(startWorker(), bytes) };
    await lanes.a.call("variants", state.text); // or this browser has no WebAssembly
  } catch (error) {
    part("problem").hidden = false;
    part("problem").textContent =
      `${words().noWasm}: ${error instanceof Error ? error.message : String(/** @type {any} */ (error)?.message ?? error)}`;
    return;
  }
  if (location.hash.length > 1) state = (await openLink(location.hash)) ?? state;
  wire();
  rebuild();
  Object.assign(window, { cachecast: { counts, lanes, shown, state: () => state, link: () => link } });
  await settle();
}

void start();
