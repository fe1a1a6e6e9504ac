// @ts-check
// Where the page of a static host finds its worker and the simulator: beside itself.

export function startWorker() {
  return new Worker("worker.js");
}

/** @returns {Promise<ArrayBuffer>} */
export async function simulatorBytes() {
  const response = await fetch("sim.wasm");
  if (!response.ok) throw new Error(`sim.wasm: ${response.status}`);
  return response.arrayBuffer();
}
