// Modules that the build makes: see build.mjs.

declare module "assets" {
  export function startWorker(): Worker;
  export function simulatorBytes(): Promise<ArrayBuffer>;
  export function allFields(): Promise<import("./form.mjs").Fields>;
}
declare module "fields" {
  const fields: import("./form.mjs").Fields;
  export default fields;
}
declare module "slider-fields" {
  const fields: import("./form.mjs").Fields;
  export default fields;
}
declare module "event-format" {
  const format: import("../charts/spans.mjs").EventFormat;
  export default format;
}
declare module "catalogue" {
  const presets: import("./state.mjs").Preset[];
  export default presets;
}
declare module "profiles" {
  export const profileNames: string[];
  export function allProfiles(): Promise<import("../sim/sim.mjs").Profiles>;
}
declare module "profile-names" {
  const names: string[];
  export default names;
}
declare module "packed:profiles" {
  const profiles: import("../sim/sim.mjs").Profiles;
  export default profiles;
}
declare module "packed:worker" {
  const text: string;
  export default text;
}
declare module "packed:simulator" {
  const base64: string;
  export default base64;
}
