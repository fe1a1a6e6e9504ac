// @ts-check
// The built-in profiles for what runs under node: the build, the tests.

import { readdirSync, readFileSync } from "node:fs";

const directory = new URL("../sims/profiles/", import.meta.url);

/** Without what readers skip, as the command has them built in. @returns {import("./sim/sim.mjs").Profiles} */
export function readProfiles() {
  const names = readdirSync(directory).filter((name) => name.endsWith(".json"));
  return Object.fromEntries(
    names.sort().map((name) => {
      const {
        machine: _m,
        measured: _d,
        $schema: _s,
        ...profile
      } = JSON.parse(readFileSync(new URL(name, directory), "utf8"));
      return [name.replace(/\.json$/, ""), profile];
    }),
  );
}
