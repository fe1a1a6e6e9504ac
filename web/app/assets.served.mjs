// @ts-check
// Where the page of a static host finds its worker and the simulator: beside itself.

export function startWorker() {
  return new Worker("worker.js");
}

/** @param {string} file */
async function load(file) {
  const response = await fetch(file);
  if (!response.ok) throw new Error(`${file}: ${response.status}`);
  return response;
}

export async function simulatorBytes() {
  return (await load("sim.wasm")).arrayBuffer();
}

/** Only whoever opens the form needs it. */
export async function allFields() {
  return (await load("fields.json")).json();
}
