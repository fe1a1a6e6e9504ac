// @ts-check
// Where the worker of the page in one file finds the built-in profiles: within itself.

import profiles from "packed:profiles";

export const profileNames = Object.keys(profiles);

export async function allProfiles() {
  return profiles;
}
