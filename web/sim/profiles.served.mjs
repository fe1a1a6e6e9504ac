// @ts-check
// Where the worker of a static host finds the built-in profiles: beside itself, and only when a scenario names one.

export { default as profileNames } from "profile-names";

/** @returns {Promise<import("./sim.mjs").Profiles>} */
export async function allProfiles() {
  const response = await fetch("profiles.json");
  if (!response.ok) throw new Error(`profiles.json: ${response.status}`);
  return response.json();
}
