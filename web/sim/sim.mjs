// @ts-check
// Loads sim.wasm and wraps its calls. Works in browsers, workers and node; the module imports nothing but what is
// given here by name.

import { formatImports } from "./format.mjs";
import { fillZiggurat } from "./ziggurat.mjs";

const SLICE = 200000; // events between two looks at progress and cancellation: some tens of milliseconds

/** A scenario that the simulator refused, with its place in the text (0: not in the text). */
export class ScenarioError extends Error {
  /**
   * @param {string} message
   * @param {number} line
   * @param {number} column
   */
  constructor(message, line, column) {
    super(line > 0 ? `${line}:${column}: ${message}` : message);
    this.name = "ScenarioError";
    this.line = line;
    this.column = column;
  }
}

/** A scenario names a built-in profile that the simulator has not been given yet. */
export class ProfileWanted extends Error {}

/**
 * @typedef {Record<string, unknown>} Profiles by name; null: to be learnt when a scenario names it
 *
 * @typedef {object} RunOptions
 * @property {number} [variant] position in "variants", from 0
 * @property {number} [replication] from 0
 * @property {Record<string, unknown>} [set] values by dotted path, laid over the scenario
 * @property {(share: number) => boolean | undefined} [progress] called between slices; false stops the run
 *
 * @typedef {object} Run of one scenario; a simulator holds one at a time
 * @property {(events: number) => boolean} step goes on for so many events; true when the run has ended
 * @property {() => number} progress the simulated share of the duration, 0 to 1
 * @property {() => string} report of what was simulated so far
 * @property {() => number} digest of its main figures, as links carry it
 * @property {() => void} close
 *
 * @typedef {object} Sim
 * @property {(text: string) => number} variants how many variants the scenario has
 * @property {(text: string, options?: Omit<RunOptions, "progress">) => Run} open
 * @property {(text: string, options?: RunOptions) => string} report runs one variant and gives its report
 * @property {(text: string) => string} run all variants' reports, one after the other, as `cachecast run --json` prints
 * @property {(link: string) => any} linkRead the state that a link stands for
 * @property {(state: unknown) => string} linkWrite
 * @property {(profiles: Profiles) => void} learn the built-in profiles that were null
 */

/**
 * @param {BufferSource | Response | Promise<Response>} source the bytes of sim.wasm, or their response
 * @param {Profiles} [builtIn]
 * @returns {Promise<Sim>}
 */
export async function loadSim(source, builtIn = {}) {
  const found = await source;
  const bytes = typeof Response !== "undefined" && found instanceof Response ? await found.arrayBuffer() : found;
  const module = await WebAssembly.compile(/** @type {BufferSource} */ (bytes));
  /** @type {Record<string, Function>} */
  const given = {
    ...formatImports(() => wasm.memory),
    profile_name: (/** @type {number} */ index) => (index < names.length ? lasting(names[index] ?? "") : 0),
    profile_text: (/** @type {number} */ index) => {
      const profile = profiles[names[index] ?? ""];
      wanted ||= profile === null;
      return lasting(profile === null ? "" : JSON.stringify(profile));
    },
    emscripten_notify_memory_growth: () => {},
  };
  /** @type {Record<string, Record<string, Function>>} */
  const imports = {};
  for (const { module: space, name } of WebAssembly.Module.imports(module)) {
    imports[space] ??= {};
    imports[space][name] =
      given[name] ??
      (() => {
        throw new Error(`the simulator has no use for ${space}.${name}`);
      });
  }
  const instance = await WebAssembly.instantiate(module, /** @type {WebAssembly.Imports} */ (imports));
  const wasm = /** @type {Record<string, any>} */ (instance.exports);
  wasm._initialize?.();
  fillZiggurat(
    new BigUint64Array(wasm.memory.buffer, wasm.sim_ziggurat_accept(), 256),
    new Float64Array(wasm.memory.buffer, wasm.sim_ziggurat_scale(), 256),
    new Float64Array(wasm.memory.buffer, wasm.sim_ziggurat_height(), 256),
  );
  const encoder = new TextEncoder();
  const decoder = new TextDecoder();

  const profiles = { ...builtIn };
  const names = Object.keys(profiles);
  let wanted = false;
  /** @type {Map<string, number>} */
  const lastings = new Map();

  /** The address of a text that stays in the module's memory. @param {string} text */
  function lasting(text) {
    const known = lastings.get(text);
    if (known !== undefined) return known;
    const address = put(encoder.encode(`${text}\0`));
    lastings.set(text, address);
    return address;
  }

  /** @param {Uint8Array} bytes */
  function put(bytes) {
    const address = wasm.sim_alloc(bytes.length + 1);
    if (address === 0) throw new Error("out of memory");
    new Uint8Array(wasm.memory.buffer).set(bytes, address);
    return address;
  }

  /** @param {number} address */
  function textAt(address) {
    const memory = new Uint8Array(wasm.memory.buffer);
    return decoder.decode(memory.subarray(address, memory.indexOf(0, address)));
  }

  /** @returns {never} */
  function fail() {
    throw new ScenarioError(textAt(wasm.sim_error()), wasm.sim_error_line(), wasm.sim_error_column());
  }

  /**
   * @template T
   * @param {string} text
   * @param {(address: number, length: number) => T} use
   */
  function withText(text, use) {
    const encoded = encoder.encode(text);
    const address = put(encoded);
    try {
      return use(address, encoded.length);
    } finally {
      wasm.sim_free(address);
    }
  }

  /** @param {number} address */
  function takeText(address) {
    if (address === 0) fail();
    const text = textAt(address);
    wasm.sim_free(address);
    return text;
  }

  /** @type {Sim["variants"]} */
  function variants(text) {
    return withText(text, (address, length) => wasm.sim_variants(address, length)) || fail();
  }

  /** @type {Sim["open"]} */
  function open(text, { variant = 0, replication = 0, set = {} } = {}) {
    wanted = false;
    const opened = withText(text, (address, length) =>
      withText(JSON.stringify(set), (sets, setsLength) =>
        wasm.sim_open(address, length, sets, setsLength, variant, replication),
      ),
    );
    if (!opened && wanted) throw new ProfileWanted();
    if (!opened) fail();
    return {
      step(events) {
        const status = wasm.sim_advance(events);
        if (status > 1) fail();
        return status === 0;
      },
      progress: () => wasm.sim_progress(),
      report: () => takeText(wasm.sim_report()),
      digest: () => wasm.sim_digest() >>> 0,
      close: () => wasm.sim_close(),
    };
  }

  /** @type {Sim["report"]} */
  function report(text, { progress, ...options } = {}) {
    const run = open(text, options);
    try {
      while (!run.step(SLICE)) if (progress?.(run.progress()) === false) break;
      return run.report();
    } finally {
      run.close();
    }
  }

  return {
    variants,
    open,
    report,
    linkRead: (link) => JSON.parse(takeText(withText(link, (address, length) => wasm.sim_link_read(address, length)))),
    linkWrite: (state) =>
      takeText(withText(JSON.stringify(state), (address, length) => wasm.sim_link_write(address, length))).trim(),
    run: (text) => Array.from({ length: variants(text) }, (_, variant) => report(text, { variant })).join(""),
    learn: (learnt) => Object.assign(profiles, learnt),
  };
}
