// The WebAssembly build as a command, for run.mjs: node wasm-run.mjs SIM.WASM run --json FILE

import { readFile } from "node:fs/promises";
import { readProfiles } from "../../web/profiles.mjs";
import { loadSim } from "../../web/sim/sim.mjs";

const [module = "", command, format, file = "", ...rest] = process.argv.slice(2);
if (command !== "run" || format !== "--json" || !file || rest.length > 0) {
  console.error("usage: wasm-run.mjs SIM.WASM run --json FILE");
  process.exit(2);
}
const sim = await loadSim(await readFile(module), readProfiles());
process.stdout.write(await sim.run(await readFile(file, "utf8")));
