// @ts-check
// One simulator in a worker: jobs one after the other, in slices, so that a newer job can cancel a running one.

import { allProfiles, profileNames } from "profiles";
import { loadSim, ProfileWanted, ScenarioError } from "./sim.mjs";

/**
 * @typedef {object} Job
 * @property {number} id
 * @property {string} text the scenario
 * @property {number} [variant]
 * @property {Record<string, unknown>} [set] laid over it
 * @property {number} [replication]
 * @property {number} [budget] stop after so many ms and report what was simulated until then; 0: run to the end
 */

const SLICE = 100000; // events: some 20 ms

/** @type {Promise<import("./sim.mjs").Sim> | undefined} */
let loading;
let newest = 0;

/** Lets waiting messages in. A message channel and not setTimeout, which browsers slow down to 4 ms. */
const channel = new MessageChannel();
/** @type {(() => void) | undefined} */
let resume;
channel.port1.onmessage = () => resume?.();
function breathe() {
  return new Promise((resolve) => {
    resume = () => resolve(undefined);
    channel.port2.postMessage(0);
  });
}

/** @param {unknown} error */
function described(error) {
  const message = error instanceof Error ? error.message : String(error);
  return error instanceof ScenarioError
    ? { message, line: error.line, column: error.column }
    : { message, line: 0, column: 0 };
}

/** @type {(sim: import("./sim.mjs").Sim, ...given: Parameters<import("./sim.mjs").Sim["open"]>) => Promise<import("./sim.mjs").Run>} */
async function opened(sim, ...given) {
  try {
    return sim.open(...given);
  } catch (error) {
    if (!(error instanceof ProfileWanted)) throw error;
    sim.learn(await allProfiles());
    return sim.open(...given);
  }
}

/** @param {Job} job */
async function simulate({ id, text, variant, set, replication, budget = 0 }) {
  const sim = await /** @type {Promise<import("./sim.mjs").Sim>} */ (loading);
  if (id < newest) return postMessage({ id, dropped: true });
  const run = await opened(sim, text, { variant, set, replication });
  try {
    const began = performance.now();
    // A preview looks at the clock often: it is to last as long as a frame and not as long as a slice.
    while (!run.step(budget > 0 ? SLICE / 20 : SLICE)) {
      if (budget > 0) {
        if (performance.now() - began >= budget) break;
        continue;
      }
      postMessage({ id, progress: run.progress() });
      await breathe();
      if (id < newest) return postMessage({ id, dropped: true });
    }
    return postMessage({ id, report: run.report(), digest: run.digest() });
  } finally {
    run.close();
  }
}

/** @param {any} data */
async function answer(data) {
  try {
    if (!data.call) await simulate(data);
    else {
      const sim = await /** @type {Promise<any>} */ (loading);
      postMessage({ id: data.id, result: sim[data.call](...data.arguments) });
    }
  } catch (error) {
    postMessage({ id: data.id, error: described(error) });
  }
}

/** Runs come one after the other, since the simulator holds one at a time. @type {Promise<unknown>} */
let last = Promise.resolve();

addEventListener("message", ({ data }) => {
  if (data.module) loading = loadSim(data.module, Object.fromEntries(profileNames.map((name) => [name, null])));
  else if (data.cancel) newest = Math.max(newest, data.cancel);
  // Calls that run nothing are answered between the slices of a run: a link must not wait for what it is to replace.
  else if (data.call) void answer(data);
  else last = last.then(() => answer(data));
});
