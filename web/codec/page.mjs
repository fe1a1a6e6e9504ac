// @ts-check
// The experiment "from which size does compression pay": controls, chart, verdict. Latest input wins; while a hand moves
// a slider fewer operations are simulated, after it all.

import {
  Chart,
  Legend,
  LinearScale,
  LineController,
  LineElement,
  LogarithmicScale,
  PointElement,
  Tooltip,
} from "chart.js";
import {
  bandwidths,
  cellOf,
  codecsOf,
  decide,
  defaults,
  fromFragment,
  scenario,
  sizes,
  toFragment,
} from "./decision.mjs";
import { words } from "./words.mjs";

Chart.register(Legend, LinearScale, LineController, LineElement, LogarithmicScale, PointElement, Tooltip);

const previewOperations = 400;
const fullOperations = 4000;
const settleMilliseconds = 250;
// Colours of Okabe and Ito, told apart by most eyes; shapes and dashes tell them apart without colour.
const colours = ["#000000", "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f7f7f"];
const shapes = /** @type {const} */ (["circle", "rect", "triangle", "rectRot", "star", "cross", "crossRot", "dash"]);

/**
 * @template {HTMLElement} T
 * @param {string} id
 * @returns {T}
 */
const part = (id) => /** @type {T} */ (document.getElementById(id));
/** @param {number} bytes */
const sizeText = (bytes) => (bytes >= 1024 ? `${bytes / 1024} KiB` : `${bytes} B`);
/** @param {number} bandwidth */
const linkText = (bandwidth) =>
  bandwidth === 0
    ? say().unlimited
    : bandwidth >= 1.25e8
      ? `${bandwidth / 1.25e8} Gbit/s`
      : `${bandwidth / 1.25e5} Mbit/s`;

let language = navigator.language.startsWith("ko") ? "ko" : "en";
const say = () => words[/** @type {"en" | "ko"} */ (language)];

/** @type {Record<string, unknown>} */
const builtIn = await (await fetch("../profiles.json")).json();
const profiles = new Map(Object.entries(builtIn).map(([name, profile]) => [name, JSON.stringify(profile)]));
const read = fromFragment(location.hash);
const settings = read.settings;
if (!profiles.has(settings.profile)) settings.profile = defaults.profile;

/** @type {Worker[]} */
const workers = Array.from(
  { length: Math.max(1, Math.min(4, (navigator.hardwareConcurrency ?? 2) - 1)) },
  () => new Worker(new URL("worker.js", import.meta.url), { type: "module" }),
);

const chart = new Chart(part("chart"), {
  type: "line",
  data: { datasets: [] },
  options: {
    animation: false,
    responsive: true,
    maintainAspectRatio: false,
    interaction: { mode: "nearest", intersect: false },
    scales: {
      x: {
        type: "logarithmic",
        min: sizes[0],
        max: sizes[sizes.length - 1],
        title: { display: true },
        afterBuildTicks: (axis) => {
          axis.ticks = sizes.map((value) => ({ value }));
        },
        ticks: { callback: (value) => sizeText(Number(value)) },
      },
      y: { type: "logarithmic", title: { display: true } },
    },
    plugins: { legend: { labels: { usePointStyle: true } } },
  },
});

let generation = 0;
let asked = 0;

/** @param {number} operations */
async function simulate(operations) {
  const mine = ++generation;
  const profile = profiles.get(settings.profile) ?? "";
  const codecs = codecsOf(profile);
  part("state").textContent = say().working;
  /** @type {Map<string, import("./decision.mjs").Cell[]>} */
  const cells = new Map(codecs.map((codec) => [codec, []]));
  const jobs = codecs.flatMap((codec) => sizes.map((size, i) => ({ codec, size, i })));
  let next = 0;
  /** @type {string | null} */
  let problem = null;
  await Promise.all(
    workers.map(async (worker) => {
      while (next < jobs.length && mine === generation && problem === null) {
        const job = jobs[next++];
        if (!job) break;
        const id = ++asked;
        const text = scenario(settings, profile, job.codec, job.size, operations);
        const answer = await new Promise((resolve) => {
          /* An answer to what an earlier input had asked may come first. */
          worker.onmessage = ({ data }) => {
            if (data.id === id) resolve(data);
          };
          worker.postMessage({ id, text });
        });
        if (answer.error !== undefined) problem = answer.error;
        else (cells.get(job.codec) ?? [])[job.i] = cellOf(answer.report);
      }
    }),
  );
  if (mine !== generation) return;
  part("state").textContent = problem === null ? "" : say().refused + problem;
  if (problem === null) show(cells);
}

/** @param {Map<string, import("./decision.mjs").Cell[]>} cells */
function show(cells) {
  const { minimise } = settings;
  chart.data.datasets = [...cells].map(([codec, line], i) => ({
    label: codec === "none" ? say().none : codec,
    data: line.map((cell, j) => ({ x: sizes[j] ?? 0, y: cell[minimise] })),
    borderColor: colours[i],
    backgroundColor: colours[i],
    pointStyle: shapes[i],
    borderDash: i === 0 ? [] : [6, 2 + i],
    borderWidth: 2,
    pointRadius: 5,
  }));
  const { x, y } = /** @type {Record<string, any>} */ (chart.options.scales);
  x.title.text = say().size;
  y.title.text = say()[minimise];
  chart.update();
  const decision = decide(cells, minimise);
  part("verdict").textContent =
    decision.codec === "none"
      ? say().keep
      : say().use(
          decision.codec,
          sizeText(sizes[decision.from] ?? 0),
          say()[minimise].replace(/,.*/, ""),
          Math.round(100 * (1 - decision.gain)),
        );
  const table = document.createElement("table");
  const head = table.createTHead().insertRow();
  for (const title of [say().size, ...[...cells.keys()].map((codec) => (codec === "none" ? say().none : codec))]) {
    const cell = document.createElement("th");
    cell.scope = "col";
    cell.textContent = title;
    head.append(cell);
  }
  const body = table.createTBody();
  sizes.forEach((size, i) => {
    const row = body.insertRow();
    const name = document.createElement("th");
    name.scope = "row";
    name.textContent = sizeText(size);
    row.append(name);
    for (const line of cells.values())
      row.insertCell().textContent = (line[i]?.[minimise] ?? Number.NaN).toLocaleString(language, {
        maximumFractionDigits: 1,
      });
  });
  part("figures").replaceChildren(table);
}

// ---- controls

/** @type {ReturnType<typeof setTimeout> | undefined} */
let settle;
function changed() {
  history.replaceState(null, "", `#${toFragment(settings)}`);
  label();
  clearTimeout(settle);
  void simulate(previewOperations);
  settle = setTimeout(() => simulate(fullOperations), settleMilliseconds);
}

/** Sliders that step by powers of two.
 * @type {["threads" | "cores" | "connections", number][]}
 */
const sliders = [
  ["threads", 7],
  ["cores", 6],
  ["connections", 5],
];
for (const [name, most] of sliders) {
  const input = /** @type {HTMLInputElement} */ (part(name));
  input.max = String(most);
  input.value = String(Math.log2(settings[name]));
  input.addEventListener("input", () => {
    settings[name] = 2 ** Number(input.value);
    changed();
  });
}
const bandwidth = /** @type {HTMLInputElement} */ (part("bandwidth"));
bandwidth.max = String(bandwidths.length - 1);
bandwidth.value = String(bandwidths.indexOf(settings.bandwidth));
bandwidth.addEventListener("input", () => {
  settings.bandwidth = bandwidths[Number(bandwidth.value)] ?? 0;
  changed();
});
const apart = /** @type {HTMLInputElement} */ (part("apart"));
apart.checked = settings.apart;
apart.addEventListener("input", () => {
  settings.apart = apart.checked;
  changed();
});
const minimise = /** @type {HTMLSelectElement} */ (part("minimise"));
minimise.addEventListener("input", () => {
  settings.minimise = /** @type {"p95" | "cpu" | "bytes"} */ (minimise.value);
  changed();
});
const profile = /** @type {HTMLSelectElement} */ (part("profile"));
profile.addEventListener("input", () => {
  settings.profile = profile.value;
  const cores = JSON.parse(profiles.get(settings.profile) ?? "{}").host?.cores;
  if (Number.isInteger(cores)) settings.cores = cores;
  /** @type {HTMLInputElement} */ (part("cores")).value = String(Math.log2(settings.cores));
  changed();
});

/** @param {File | undefined} file */
async function open(file) {
  if (!file) return;
  try {
    const text = await file.text();
    if (text.length > 1 << 24) throw new Error("> 16 MiB");
    const { machine: _, measured: __, ...rest } = JSON.parse(text);
    const name =
      file.name
        .replace(/\.json$/, "")
        .replace(/[^\w.-]/g, "-")
        .slice(0, 80) || "file";
    profiles.set(name, JSON.stringify(rest));
    fillProfiles();
    profile.value = name;
    profile.dispatchEvent(new Event("input"));
  } catch (error) {
    part("state").textContent = say().refused + (error instanceof Error ? error.message : String(error));
  }
}
const file = /** @type {HTMLInputElement} */ (part("file"));
file.addEventListener("change", () => open(file.files?.[0]));
addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", (event) => {
  event.preventDefault();
  void open(event.dataTransfer?.files[0]);
});

function fillProfiles() {
  profile.replaceChildren(
    ...[...profiles.keys()].map((name) => {
      const option = document.createElement("option");
      option.textContent = option.value = name;
      return option;
    }),
  );
  profile.value = settings.profile;
}

function label() {
  document.documentElement.lang = language;
  document.title = `${say().title} – cachecast`;
  for (const element of document.querySelectorAll("[data-words]"))
    element.textContent = String(say()[/** @type {"title"} */ (/** @type {HTMLElement} */ (element).dataset.words)]);
  for (const name of /** @type {const} */ (["threads", "cores", "connections"]))
    part(`${name}-value`).textContent = String(settings[name]);
  part("bandwidth-value").textContent = linkText(settings.bandwidth);
  bandwidth.setAttribute("aria-valuetext", linkText(settings.bandwidth));
  for (const [name] of sliders) part(name).setAttribute("aria-valuetext", String(settings[name]));
  const chosen = minimise.selectedIndex;
  minimise.replaceChildren(
    .../** @type {const} */ (["p95", "cpu", "bytes"]).map((value) => {
      const option = document.createElement("option");
      option.value = value;
      option.textContent = say()[value];
      return option;
    }),
  );
  minimise.value = settings.minimise;
  if (chosen < 0) minimise.value = settings.minimise;
}
part("language").addEventListener("click", () => {
  language = language === "en" ? "ko" : "en";
  changed();
});

fillProfiles();
changed();
if (read.problems.length > 0) part("notice").textContent = say().ignored + read.problems.join(", ");
