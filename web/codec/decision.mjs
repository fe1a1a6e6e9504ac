// @ts-check
// What the experiment asks of the simulator, and what follows from the answers. No page in here: tests run it in node.

/**
 * @typedef {object} Settings
 * @property {string} profile name of a profile
 * @property {number} threads of the client
 * @property {number} connections
 * @property {number} cores of the machine, or of each of both
 * @property {number} bandwidth bytes a second each way; 0: unlimited
 * @property {boolean} apart the store has a machine of its own
 * @property {"p95" | "cpu" | "bytes"} minimise
 *
 * @typedef {object} Cell
 * @property {number} p95 microseconds of set+get
 * @property {number} cpu microseconds of processor time for one set+get
 * @property {number} bytes that a value travels as
 */

export const sizes = [256, 1024, 4096, 16384, 65536, 262144];
export const bandwidths = [0, 1.25e9, 1.25e8, 2.5e7, 6.25e6];
const better = 0.99; // a codec that gains less than 1 % is not worth its code

/** @type {Settings} */
export const defaults = {
  profile: "x86-64-virtual-machine-2-cores",
  threads: 32,
  connections: 1,
  cores: 2,
  bandwidth: 0,
  apart: false,
  minimise: "p95",
};

/**
 * The codecs of a profile, none first.
 * @param {string} text JSON
 * @returns {string[]}
 */
export function codecsOf(text) {
  /** @type {{name: string}[]} */
  const codecs = JSON.parse(text).codecs ?? [];
  return ["none", ...codecs.map(({ name }) => name).filter((name) => name !== "none")].slice(0, 8);
}

/**
 * The scenario of one cell.
 * @param {Settings} settings
 * @param {string} profile its JSON text
 * @param {string} codec
 * @param {number} size bytes of a value
 * @param {number} operations how many to simulate
 */
export function scenario(settings, profile, codec, size, operations) {
  const { threads, connections, cores, bandwidth, apart } = settings;
  return JSON.stringify({
    name: "codec decision",
    duration: "30d",
    interval: "1h",
    workload: {
      arrivals: {
        process: "closed",
        clients: threads,
        requests_per_client: Math.max(20, Math.round(operations / threads)),
      },
      keys: { popularity: "client" },
      operation: "put_get",
      value_size: size,
    },
    host: apart ? { layout: "store_apart", cores, store_cores: cores } : { layout: "one", cores },
    profile: JSON.parse(profile),
    l2: { ttl: null, connection: { count: connections, bandwidth: bandwidth || null, codec } },
  });
}

/**
 * @param {string} report JSON
 * @returns {Cell}
 */
export function cellOf(report) {
  const { summary } = JSON.parse(report);
  return {
    p95: 1000 * summary["latency.p95_ms"],
    cpu: summary["client.cpu_us_per_request"] + summary["l2.cpu_us_per_request"],
    bytes: summary["l2.stored_bytes"],
  };
}

/**
 * The codec and the size from which it is worth it: what lowers the objective most, averaged over the sizes relative to
 * no codec. The same rule as `cachecast advise codec`.
 * @param {Map<string, Cell[]>} cells by codec, in the order of the sizes
 * @param {Settings["minimise"]} minimise
 * @returns {{codec: string, from: number, gain: number}} gain: objective over that without; from: position in sizes
 */
export function decide(cells, minimise) {
  let best = { codec: "none", from: sizes.length, gain: 1 };
  const none = cells.get("none") ?? [];
  for (const [codec, line] of cells) {
    if (codec === "none") continue;
    let sum = 0;
    for (let i = sizes.length - 1; i >= 0; i--) {
      const with_ = line[i];
      const without = none[i];
      if (!with_ || !without) break;
      const ratio = with_[minimise] / without[minimise];
      if (!(ratio < better)) break;
      sum += Math.log(ratio) / sizes.length;
      if (Math.exp(sum) < best.gain) best = { codec, from: i, gain: Math.exp(sum) };
    }
  }
  return best;
}

/**
 * Settings as a readable fragment, defaults left out.
 * @param {Settings} settings
 */
export function toFragment(settings) {
  const words = [];
  for (const [key, value] of Object.entries(settings))
    if (value !== /** @type {Record<string, unknown>} */ (/** @type {unknown} */ (defaults))[key])
      words.push(`${key}=${encodeURIComponent(String(value))}`);
  return words.join("&");
}

/**
 * Reads a fragment; what is not allowed is left at its default and named.
 * @param {string} fragment
 * @returns {{settings: Settings, problems: string[]}}
 */
export function fromFragment(fragment) {
  const settings = { ...defaults };
  const problems = [];
  for (const [key, value] of new URLSearchParams(fragment.replace(/^#/, ""))) {
    const number = Number(value);
    const whole = Number.isInteger(number) && number >= 1;
    if (key === "threads" && whole && number <= 256) settings.threads = number;
    else if (key === "cores" && whole && number <= 64) settings.cores = number;
    else if (key === "connections" && whole && number <= 64) settings.connections = number;
    else if (key === "bandwidth" && bandwidths.includes(number)) settings.bandwidth = number;
    else if (key === "apart" && value === "true") settings.apart = true;
    else if (key === "profile" && /^[\w.-]{1,80}$/.test(value)) settings.profile = value;
    else if (key === "minimise" && (value === "p95" || value === "cpu" || value === "bytes")) settings.minimise = value;
    else problems.push(key.slice(0, 40));
  }
  return { settings, problems };
}
