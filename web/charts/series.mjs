// @ts-check
// What the charts show of a report, as points: one function for a live chart, a poster and an exported picture.

/** @typedef {{ x: number, y: number }} Point */
/**
 * @typedef {object} Report the parts of `cachecast run --json` that the page reads
 * @property {string} name
 * @property {string} variant
 * @property {boolean} complete
 * @property {number} simulated_s
 * @property {Record<string, number>} summary
 * @property {Record<string, number[]>} series
 * @property {Record<string, [number, number][]>} histograms_ns
 * @property {Record<string, (number | null)[]>} [observed] what a dashboard would have shown
 *
 * @typedef {object} Line
 * @property {"a" | "b"} side
 * @property {string} label
 * @property {Point[]} points
 * @property {boolean} [observed] as a dashboard shows it
 */
/** @typedef {"latency" | "loads" | "hits" | "queue" | "throughput" | "stale" | "breakers"} ChartKind */

/** @type {ChartKind[]} */
export const chartKinds = ["latency", "loads", "hits", "queue", "throughput", "stale", "breakers"];

/** Of what most services have not: offered only where there is something to see. @type {ChartKind[]} */
export const rareKinds = ["stale", "breakers"];

/** The percentiles of the latency chart, as 1/(1-p): the axis is in nines, so that the tail has room. */
const tails = [
  1.25, 1.6, 2, 2.5, 4, 5, 7, 10, 14, 20, 30, 50, 70, 100, 140, 200, 300, 500, 700, 1000, 2000, 5000, 10000,
];

/**
 * The latencies of all outcomes together, ascending: [ns, count]. A failure is no answer, as in the summary.
 * @param {Report} report
 * @param {boolean} [failures] with those of the requests that failed
 */
export function latencies(report, failures = false) {
  return Object.entries(report.histograms_ns)
    .flatMap(([outcome, buckets]) => (outcome === "failed" && !failures ? [] : buckets))
    .sort((a, b) => a[0] - b[0]);
}

/**
 * log10 of a positive number from + - * / only: Math.log10 may differ in its last bit between engines, and a picture
 * must not.
 * @param {number} value
 */
export function decade(value) {
  let whole = 0;
  let rest = value;
  while (rest >= 10) {
    rest /= 10;
    whole++;
  }
  while (rest < 1) {
    rest *= 10;
    whole--;
  }
  // atanh series of ln(rest), with the square roots that bring it near 1.
  const near = Math.sqrt(Math.sqrt(Math.sqrt(rest)));
  const t = (near - 1) / (near + 1);
  let sum = 0;
  for (let k = 19, power = 0; k >= 1; k -= 2) {
    power = 1 / k + power * t * t;
    sum = power;
  }
  return whole + (16 * t * sum) / Math.LN10;
}

/** @param {Report} report */
function percentiles(report) {
  const all = latencies(report);
  let total = 0;
  for (const [, count] of all) total += count;
  /** @type {Point[]} */
  const points = [];
  let index = 0;
  let seen = 0;
  for (const tail of tails) {
    // As the simulator's own percentiles: the smallest value with at least ceil(p * n) answers up to it.
    const rank = Math.max(1, Math.ceil(total - total / tail));
    if (total / tail < 1) break;
    while (index < all.length && seen + (all[index]?.[1] ?? 0) < rank) seen += all[index++]?.[1] ?? 0;
    const found = all[Math.min(index, all.length - 1)];
    if (found) points.push({ x: decade(tail), y: found[0] / 1e6 });
  }
  return points;
}

/**
 * @param {Report} report
 * @param {ChartKind} kind
 * @returns {Point[]}
 */
export function pointsOf(report, kind) {
  if (kind === "latency") return percentiles(report);
  const { series } = report;
  const column = (/** @type {string} */ name, /** @type {number} */ i) => series[name]?.[i] ?? 0;
  return (series.end_s ?? []).map((end, i, ends) => {
    const width = end - (i > 0 ? (ends[i - 1] ?? 0) : end - ((ends[1] ?? end) - (ends[0] ?? 0) || end));
    const answers = column("completed", i);
    const served = column("l1_hits", i) + column("l2_hits", i) + column("joined", i);
    const y = {
      loads: column("loads", i) / width,
      hits: answers > 0 ? Math.min(100, (100 * served) / answers) : Number.NaN,
      queue: column("in_flight", i),
      throughput: answers / width,
      stale: column("stale_answers", i) / width,
      breakers: column("breakers_open", i),
    }[kind];
    return { x: end, y };
  });
}

/** What a dashboard has for a chart. @type {Partial<Record<ChartKind, string>>} */
const observedSeries = { loads: "loads_per_s", throughput: "requests_per_s" };

/**
 * The lines of a chart: of each side the true one and, if it is asked for, that of a dashboard.
 * @param {{ side: "a" | "b", label: string, report: Report }[]} sides
 * @param {ChartKind} kind
 * @param {boolean} dashboard
 * @returns {Line[]}
 */
export function linesOf(sides, kind, dashboard) {
  return sides.flatMap(({ side, label, report }) => {
    const line = { side, label, points: pointsOf(report, kind) };
    const values = dashboard ? report.observed?.[observedSeries[kind] ?? ""] : undefined;
    if (!values) return [line];
    const points = (report.observed?.at_s ?? []).map((at, i) => ({ x: at ?? Number.NaN, y: values[i] ?? Number.NaN }));
    return [line, { side, label: `${label}*`, points, observed: true }];
  });
}

/**
 * What a line says at x: its last point up to there, since lines have points of their own.
 * @param {Point[]} points
 * @param {number} x
 */
export function readAt(points, x) {
  const near = x + 1e-9;
  if ((points.at(-1)?.x ?? Number.NaN) < x - 1e-9) return Number.NaN;
  let low = 0;
  let high = points.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((points[middle]?.x ?? Number.NaN) <= near) low = middle + 1;
    else high = middle;
  }
  return points[low - 1]?.y ?? Number.NaN;
}

/**
 * Of 100 requests, how many had each outcome; and of the slowest hundredth.
 * @param {Report} report
 */
export function outcomes(report) {
  const all = latencies(report, true);
  let total = 0;
  for (const [, count] of all) total += count;
  const slowest = Math.max(1, Math.floor(total / 100));
  // From the slow end, value by value: what stands at the border counts in part, shared out by its outcomes.
  let left = slowest;
  let border = 0;
  let atBorder = 0;
  for (let index = all.length - 1; index >= 0; ) {
    border = all[index]?.[0] ?? 0;
    atBorder = 0;
    while (index >= 0 && all[index]?.[0] === border) atBorder += all[index--]?.[1] ?? 0;
    if (left <= atBorder) break;
    left -= atBorder;
  }
  return Object.entries(report.histograms_ns).map(([name, buckets]) => {
    let count = 0;
    let slow = 0;
    let time = 0;
    for (const [value, n] of buckets) {
      count += n;
      time += value * n;
      if (value > border) slow += n;
      else if (value === border) slow += (n * Math.min(left, atBorder)) / Math.max(1, atBorder);
    }
    return {
      name,
      share: total > 0 ? (100 * count) / total : 0,
      slow: (100 * slow) / slowest,
      mean: count > 0 ? time / count / 1e6 : Number.NaN,
    };
  });
}
