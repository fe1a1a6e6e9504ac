// @ts-check
// Numbers as people read them. Without Intl, whose output differs between engines: pictures must be equal in all.

/**
 * Three digits that count, with k and M: 1,234 is written 1.23k.
 * @param {number} value
 * @returns {string}
 */
export function figure(value) {
  if (!Number.isFinite(value)) return "–";
  const sign = value < 0 ? "−" : "";
  const size = Math.abs(value);
  if (size === 0) return "0";
  if (size < 0.001) return sign + trim(size.toFixed(6));
  for (const [limit, unit] of /** @type {[number, string][]} */ ([
    [1e9, "G"],
    [1e6, "M"],
    [1e4, "k"],
  ]))
    if (size >= limit * 0.9995) {
      const scaled = size / (limit === 1e4 ? 1e3 : limit);
      return sign + trim(scaled.toFixed(scaled < 9.995 ? 2 : scaled < 99.95 ? 1 : 0)) + unit;
    }
  if (size >= 999.5)
    return `${sign}${Math.floor(Math.round(size) / 1000)},${String(Math.round(size) % 1000).padStart(3, "0")}`;
  return sign + trim(size.toFixed(size >= 99.95 ? 0 : size >= 9.995 ? 1 : size >= 0.9995 ? 2 : 3));
}

/** @param {string} text */
function trim(text) {
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

/** @type {[string, number][]} */
const durations = [
  ["ns", 1],
  ["us", 1e3],
  ["ms", 1e6],
  ["s", 1e9],
  ["m", 6e10],
  ["h", 36e11],
  ["d", 864e11],
];
/** @type {[string, number][]} */
const sizes = [
  ["B", 1],
  ["kB", 1e3],
  ["MB", 1e6],
  ["GB", 1e9],
  ["KiB", 1024],
  ["MiB", 1 << 20],
  ["GiB", 1 << 30],
];

/** @typedef {"duration" | "size" | "number"} Dimension */

/**
 * A value of a scenario as a number of ns, bytes or as it is; null when it is none of these.
 * @param {unknown} value
 * @returns {{ number: number, dimension: Dimension } | null}
 */
export function quantity(value) {
  if (typeof value === "number") return Number.isFinite(value) ? { number: value, dimension: "number" } : null;
  if (typeof value !== "string") return null;
  const found = /^([0-9]+(?:\.[0-9]+)?)\s*([a-zA-Zµμ]*)$/.exec(value.trim());
  if (!found) return null;
  const number = Number(found[1]);
  const unit = (found[2] ?? "").replace(/[µμ]/, "u");
  if (unit === "") return { number, dimension: "number" };
  for (const [dimension, units] of /** @type {[Dimension, [string, number][]][]} */ ([
    ["duration", durations],
    ["size", sizes],
  ])) {
    const factor = units.find(([name]) => name === unit)?.[1];
    if (factor !== undefined) return { number: number * factor, dimension };
  }
  return null;
}

/**
 * The number as a value of a scenario, with at most three digits that count.
 * @param {number} number
 * @param {Dimension} dimension
 * @returns {number | string}
 */
export function writtenAs(number, dimension) {
  const rounded = Number(number.toPrecision(3));
  if (dimension === "number") return rounded;
  const units =
    dimension === "duration" ? durations.slice(0, 4) : number % 1024 === 0 ? sizes.slice(4) : sizes.slice(0, 4);
  const exact = dimension === "size" && number % 1024 === 0 ? number : rounded;
  let chosen = units[0] ?? ["", 1];
  for (const unit of units) if (exact >= unit[1]) chosen = unit;
  return `${Number((exact / chosen[1]).toPrecision(4))}${chosen[0]}`;
}
