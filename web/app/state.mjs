// @ts-check
// What the page shows, as data: a scenario A, perhaps a B that differs from it, and how to look at them. The link is
// this and nothing else.

import { chartKinds } from "../charts/series.mjs";

/**
 * @typedef {Record<string, unknown>} Sets values by dotted path, as `cachecast run --set` takes them
 * @typedef {{ variant: number, set: Sets }} Side
 * @typedef {object} State
 * @property {string | null} preset a name of the catalogue; null: the text is the user's own
 * @property {string} text the scenario file
 * @property {Side} a
 * @property {Side | null} b its sets are laid over those of A
 * @property {Record<string, string>} view
 * @property {string} digest of the link that was opened
 *
 * @typedef {{ path: string, min: string, max: string }} SliderSpec
 * @typedef {object} Preset
 * @property {string} id
 * @property {string} text
 * @property {string} closeness how near the model comes: "12 of 12"
 */

/** @param {unknown} value @returns {value is Record<string, any>} */
export function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Steps that would reach into the prototype. */
const forbidden = new Set(["__proto__", "constructor", "prototype"]);

/**
 * @param {any} root
 * @param {string} path
 * @returns {unknown} undefined where there is nothing
 */
export function valueAt(root, path) {
  let at = root;
  for (const step of path.split(".")) {
    if (typeof at !== "object" || at === null || forbidden.has(step) || !Object.hasOwn(at, step)) return undefined;
    at = at[step];
  }
  return at;
}

/**
 * @param {any} root
 * @param {string} path
 * @param {unknown} value
 */
export function setAt(root, path, value) {
  const steps = path.split(".");
  if (steps.some((step) => forbidden.has(step))) return;
  let at = root;
  for (const [i, step] of steps.entries()) {
    // As the simulator has it: a path may name the element behind a list's last one, none further on.
    if (Array.isArray(at) && !(Number(step) <= at.length)) return;
    if (i === steps.length - 1) at[step] = structuredClone(value);
    else {
      if (typeof at[step] !== "object" || at[step] === null) at[step] = /^\d+$/.test(steps[i + 1] ?? "") ? [] : {};
      at = at[step];
    }
  }
}

/**
 * The scenario of a side with everything laid over it, without its variants.
 * @param {State} state
 * @param {"a" | "b"} side
 * @returns {Record<string, any>}
 */
export function effective(state, side) {
  const whole = JSON.parse(state.text);
  const { variants, ...scenario } = whole;
  const chosen = sideOf(state, side);
  const variant = Array.isArray(variants) ? variants[chosen.variant] : undefined;
  for (const set of [variant?.set ?? {}, chosen.set])
    for (const [path, value] of Object.entries(set)) setAt(scenario, path, value);
  return scenario;
}

/**
 * What the simulator is given for a side: B's sets come behind A's.
 * @param {State} state
 * @param {"a" | "b"} side
 * @returns {Side}
 */
export function sideOf(state, side) {
  if (side === "a" || !state.b) return state.a;
  return { variant: state.b.variant, set: { ...state.a.set, ...state.b.set } };
}

/** @param {State} state @returns {string[]} the names of the variants; [""] where there are none */
export function variantNames(state) {
  const { variants } = JSON.parse(state.text);
  return Array.isArray(variants) && variants.length > 0 ? variants.map((v, i) => String(v?.name ?? i + 1)) : [""];
}

/**
 * Lays a value over a side, in the place of what lay within. A value of A that B had of its own stays B's.
 * @param {State} state
 * @param {"a" | "b"} side
 * @param {string} path
 * @param {unknown} value undefined: back to the file's
 * @returns {State}
 */
export function change(state, side, path, value) {
  const edited = side === "b" && state.b ? state.b : state.a;
  const rest = Object.fromEntries(
    Object.entries(edited.set).filter(([key]) => key !== path && !key.startsWith(`${path}.`)),
  );
  const set = wholeLists(value === undefined ? rest : { ...rest, [path]: value });
  return side === "b" && state.b
    ? { ...state, b: { ...state.b, set }, digest: "" }
    : { ...state, a: { ...state.a, set }, digest: "" };
}

/**
 * What is laid over, with lists in one piece: links take them apart, and B's list takes the place of A's whole one.
 * @param {Sets} set
 * @returns {Sets}
 */
export function wholeLists(set) {
  /** @type {Sets} */
  const found = {};
  /** @type {Sets} */
  const lists = {};
  for (const [path, value] of Object.entries(set)) {
    const list = Object.keys(lists).find((key) => path.startsWith(`${key}.`));
    if (list !== undefined) setAt(lists[list], path.slice(list.length + 1), value);
    else {
      found[path] = value;
      if (Array.isArray(value)) found[path] = lists[path] = structuredClone(value);
    }
  }
  return found;
}

/** What a dashboard usually reads. */
const usualObserve = { scrape: "5s", window: "30s" };

/**
 * Whether what a dashboard would show is shown too: as the view says, else where the scenario has one.
 * @param {State} state
 */
export function showsDashboard(state) {
  if (state.view.figures) return state.view.figures === "dashboard";
  return effective(state, "a").observe != null || (state.b !== null && effective(state, "b").observe != null);
}

/**
 * The values laid over a side for a run, which a dashboard may have to watch.
 * @param {State} state
 * @param {"a" | "b"} side
 * @returns {Sets}
 */
export function observedSets(state, side) {
  const { set } = sideOf(state, side);
  if (!showsDashboard(state) || effective(state, side).observe != null) return set;
  return { ...set, observe: usualObserve };
}

/**
 * The leaves in which `to` differs from `from`, as sets.
 * @param {any} from
 * @param {any} to
 * @param {string} [at]
 * @returns {Sets}
 */
export function difference(from, to, at = "") {
  /** @type {Sets} */
  const found = {};
  for (const key of new Set([...Object.keys(from), ...Object.keys(to)])) {
    const path = at ? `${at}.${key}` : key;
    if (isObject(from[key]) && isObject(to[key])) Object.assign(found, difference(from[key], to[key], path));
    else if (JSON.stringify(from[key]) !== JSON.stringify(to[key])) found[path] = to[key] ?? null;
  }
  return found;
}

/**
 * What linkWrite takes.
 * @param {State} state
 * @param {string} digest
 */
export function linkState(state, digest) {
  const parts = { view: state.view, ...(digest ? { digest } : {}) };
  if (state.preset !== null)
    return {
      preset: state.preset,
      variant: state.a.variant,
      set: state.a.set,
      ...(state.b ? { b: state.b } : {}),
      ...parts,
    };
  // The user's own scenario travels whole, and its variants do not: B is then what differs.
  const a = effective(state, "a");
  return {
    variant: 0,
    set: a,
    ...(state.b ? { b: { variant: 0, set: difference(a, effective(state, "b")) } } : {}),
    ...parts,
  };
}

/**
 * The state of a link that was read.
 * @param {any} link
 * @param {Map<string, Preset>} catalogue
 * @returns {State}
 */
export function fromLink(link, catalogue) {
  const preset = link.preset ?? null;
  const text = preset === null ? "{}" : catalogue.get(preset)?.text;
  if (text === undefined) throw new Error(`p=${preset}`);
  const variants = JSON.parse(text).variants?.length || 1;
  const a = { variant: link.variant ?? 0, set: wholeLists(link.set ?? {}) };
  const b = link.b ? { variant: link.b.variant ?? 0, set: wholeLists(link.b.set ?? {}) } : null;
  for (const [key, side] of /** @type {[string, Side | null][]} */ ([
    ["n", a],
    ["b", b],
  ]))
    if (side && side.variant >= variants) throw new Error(`${key}=${side.variant} (0 – ${variants - 1})`);
  return { preset, text, a, b, view: link.view ?? {}, digest: link.digest ?? "" };
}

/**
 * A preset as it is first shown.
 * @param {Preset} preset
 * @returns {State}
 */
export function opening(preset) {
  const { playground } = JSON.parse(preset.text);
  const b = playground?.b ?? null;
  return {
    preset: preset.id,
    text: preset.text,
    a: { variant: playground?.a ?? 0, set: {} },
    b: b === null ? null : { variant: b, set: {} },
    view: {},
    digest: "",
  };
}

/** How a link may say that the page is to look. @type {Record<string, string[]>} */
const views = { chart: chartKinds, figures: ["true", "dashboard"], lang: ["en", "ko"], embed: ["yes"] };

/**
 * @param {Record<string, string>} view of a link, which may be anybody's
 * @returns {{ view: Record<string, string>, ignored: string[] }}
 */
export function knownView(view) {
  /** @type {Record<string, string>} */
  const known = {};
  const ignored = [];
  for (const [name, value] of Object.entries(view))
    if (Object.hasOwn(views, name) && views[name]?.includes(value)) known[name] = value;
    else ignored.push(`~${name}=${value.slice(0, 40)}`);
  return { view: known, ignored };
}

/** Of scenarios that name none. @type {SliderSpec[]} */
export const usualSliders = [
  { path: "workload.arrivals.rate", min: "10", max: "10000" },
  { path: "instances.count", min: "1", max: "32" },
  { path: "l1.ttl", min: "100ms", max: "10m" },
  { path: "l2.ttl", min: "100ms", max: "10m" },
  { path: "origin.load", min: "100us", max: "2s" },
];

/**
 * The sliders that a scenario names; the file may be anybody's.
 * @param {any} scenario
 * @returns {SliderSpec[] | null}
 */
export function slidersIn(scenario) {
  const given = scenario?.playground?.sliders;
  if (!Array.isArray(given)) return null;
  return given
    .filter((one) => isObject(one) && ["path", "min", "max"].every((key) => typeof one[key] === "string"))
    .slice(0, 6);
}
