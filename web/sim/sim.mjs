// @ts-check
// Loads sim.wasm and wraps its calls. Works in browsers, workers and node; the module imports nothing but what is
// given here by name.

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

/**
 * @typedef {object} RunOptions
 * @property {number} [variant] position in "variants", from 0
 * @property {number} [replication] from 0
 * @property {(share: number) => boolean | undefined} [progress] called between slices; false stops the run
 *
 * @typedef {object} Sim
 * @property {(text: string) => number} variants how many variants the scenario has
 * @property {(text: string, options?: RunOptions) => string} report runs one variant and gives its report
 * @property {(text: string) => string} run all variants' reports, one after the other, as `cachecast run --json` prints
 * @property {() => string} schema the JSON Schema of the scenario format
 * @property {() => Map<string, string>} profiles the built-in profiles: name and JSON text
 */

/**
 * @param {BufferSource | Response | Promise<Response>} source the bytes of sim.wasm, or their response
 * @returns {Promise<Sim>}
 */
export async function loadSim(source) {
  const given = await source;
  const bytes = typeof Response !== "undefined" && given instanceof Response ? await given.arrayBuffer() : given;
  const module = await WebAssembly.compile(/** @type {BufferSource} */ (bytes));
  /** @type {Record<string, Record<string, Function>>} */
  const imports = {};
  for (const { module: space, name } of WebAssembly.Module.imports(module)) {
    imports[space] ??= {};
    imports[space][name] =
      name === "emscripten_notify_memory_growth"
        ? () => {}
        : () => {
            throw new Error(`the simulator has no use for ${space}.${name}`);
          };
  }
  const instance = await WebAssembly.instantiate(module, /** @type {WebAssembly.Imports} */ (imports));
  const wasm = /** @type {Record<string, any>} */ (instance.exports);
  wasm._initialize?.();
  const encoder = new TextEncoder();
  const decoder = new TextDecoder();

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
    const address = wasm.sim_alloc(encoded.length + 1);
    if (address === 0) throw new Error("out of memory");
    new Uint8Array(wasm.memory.buffer).set(encoded, address);
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

  /** @type {Sim["report"]} */
  function report(text, { variant = 0, replication = 0, progress } = {}) {
    if (!withText(text, (address, length) => wasm.sim_open(address, length, variant, replication))) fail();
    try {
      for (;;) {
        const status = wasm.sim_advance(SLICE);
        if (status === 0) break;
        if (status !== 1) fail();
        if (progress?.(wasm.sim_progress()) === false) break;
      }
      return takeText(wasm.sim_report());
    } finally {
      wasm.sim_close();
    }
  }

  /** @type {Sim["profiles"]} */
  function profiles() {
    const found = new Map();
    for (let i = 0; wasm.sim_profile_name(i) !== 0; i++)
      found.set(textAt(wasm.sim_profile_name(i)), textAt(wasm.sim_profile_text(i)));
    return found;
  }

  return {
    variants,
    report,
    run: (text) => Array.from({ length: variants(text) }, (_, variant) => report(text, { variant })).join(""),
    schema: () => takeText(wasm.sim_schema()),
    profiles,
  };
}
