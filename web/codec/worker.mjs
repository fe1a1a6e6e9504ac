// @ts-check
// Simulates one cell after the other: {id, text} in, {id, report} or {id, error} out.

import { loadSim } from "../sim/sim.mjs";

const sim = loadSim(fetch(new URL("../sim.wasm", import.meta.url)));

addEventListener("message", async ({ data: { id, text } }) => {
  try {
    postMessage({ id, report: (await sim).report(text) });
  } catch (error) {
    postMessage({ id, error: error instanceof Error ? error.message : String(error) });
  }
});
