// The whole model in WebAssembly under node: node wasm.mjs [SIM.WASM] [ROUNDS]
// Prints the median, least and most of the rounds, in nanoseconds of wall time for each request.

import { readFile } from "node:fs/promises";
import { loadSim } from "../../web/sim/sim.mjs";

const [file = "build/wasm/sim.wasm", rounds = "9"] = process.argv.slice(2);
const sim = await loadSim(await readFile(file));
const scenario = JSON.stringify({
  name: "in-process, 4 instances",
  duration: "180s",
  workload: {
    arrivals: { rate: 1600, max_in_flight: 500 },
    keys: { popularity: "weights", weights: [0.9, 0.05, 0.05] },
  },
  instances: { count: 4, cpu: { dist: "uniform", low: "400us", high: "600us" } },
  l1: { ttl: "2s" },
  origin: {
    load: "250us",
    check: { dist: "exponential", mean: "80us" },
    pool: 10,
    cores: 2,
    checks_per_request: 3,
  },
});
const requests = 288000;
const times = [];
sim.report(scenario); // the first run is compiled while it runs
for (let i = 0; i < Number(rounds); i++) {
  const start = process.hrtime.bigint();
  sim.report(scenario);
  times.push(Number(process.hrtime.bigint() - start) / requests);
}
times.sort((a, b) => a - b);
const median = times[times.length >> 1];
console.log(
  `wasm: in-process, 4 instances: ${median.toFixed(1)} ns/request ` +
    `[${times[0].toFixed(1)} ${times[times.length - 1].toFixed(1)}], ${(1000 / median).toFixed(2)} M requests/s, ` +
    `median of ${times.length} rounds`,
);
