// @ts-check
// The page of `./dev serve`: a scenario in, the summaries of its variants side by side.

import { loadSim } from "./sim/sim.mjs";

/** @param {string} id */
function part(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`no element ${id}`);
  return element;
}

const scenario = /** @type {HTMLTextAreaElement} */ (part("scenario"));
const button = /** @type {HTMLButtonElement} */ (part("run"));
const state = part("state");
const results = part("results");
const sim = await loadSim(fetch("sim/sim.wasm"));

/** @param {string[]} texts reports of the variants */
function show(texts) {
  const reports = texts.map((text) => JSON.parse(text));
  const names = [...new Set(reports.flatMap((report) => Object.keys(report.summary)))];
  const table = document.createElement("table");
  const head = table.createTHead().insertRow();
  for (const title of ["metric", ...reports.map((report) => report.variant || report.name)]) {
    const cell = document.createElement("th");
    cell.scope = "col";
    cell.textContent = title;
    head.append(cell);
  }
  const body = table.createTBody();
  for (const name of names) {
    const row = body.insertRow();
    const cell = document.createElement("th");
    cell.scope = "row";
    cell.textContent = name;
    row.append(cell);
    for (const report of reports) row.insertCell().textContent = String(report.summary[name] ?? "");
  }
  results.replaceChildren(table);
}

button.addEventListener("click", () => {
  const text = scenario.value;
  try {
    const count = sim.variants(text);
    show(Array.from({ length: count }, (_, variant) => sim.report(text, { variant })));
    state.textContent = `${count} simulated`;
  } catch (error) {
    state.textContent = error instanceof Error ? error.message : String(error);
  }
});

const example = await fetch("sims/published/four-configurations/table.json");
if (example.ok) scenario.value = await example.text();
