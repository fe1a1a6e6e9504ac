// @ts-check
// The configuration of a chart: the same for the page, the posters and the exported pictures.

import {
  BasicPlatform,
  Chart,
  LinearScale,
  LineController,
  LineElement,
  LogarithmicScale,
  PointElement,
} from "chart.js";
import { figure } from "./figures.mjs";
import { createRecorder } from "./recorder.mjs";
import { pointsOf } from "./series.mjs";

/** @typedef {import("./series.mjs").ChartKind} ChartKind */
/** @typedef {import("./series.mjs").Report} Report */
/** @typedef {import("./series.mjs").Point} Point */

/**
 * @typedef {object} Theme
 * @property {string} ink
 * @property {string} faint lines of the grid
 * @property {string} plate the background
 * @property {string} a
 * @property {string} b
 * @property {string} ghost
 *
 * @typedef {object} Line
 * @property {"a" | "b"} side
 * @property {string} label
 * @property {Point[]} points
 *
 * @typedef {object} Axes
 * @property {string} x title
 * @property {string} y title
 */

/** @type {Theme} */
export const light = {
  ink: "#1b2733",
  faint: "#dfe4ea",
  plate: "#ffffff",
  a: "#0072b2",
  b: "#d55e00",
  ghost: "#9aa5b1",
};
/** @type {Theme} */
export const dark = {
  ink: "#e6ebf0",
  faint: "#333e49",
  plate: "#151b21",
  a: "#56b4e9",
  b: "#e69f00",
  ghost: "#6b7885",
};

export const fonts = "Helvetica, Arial, sans-serif";

/** Labels at the ends of the lines and the time cursor; a legend would need the eye to travel. */
const marks = {
  id: "marks",
  /** @param {any} chart */
  afterDatasetsDraw(chart) {
    const { ctx, chartArea, options } = chart;
    const { theme, cursor } = options.marks;
    ctx.save();
    if (cursor !== null) {
      const x = chart.scales.x.getPixelForValue(cursor);
      ctx.strokeStyle = theme.ghost;
      ctx.lineWidth = 1;
      ctx.beginPath();
      ctx.moveTo(x, chartArea.top);
      ctx.lineTo(x, chartArea.bottom);
      ctx.stroke();
    }
    ctx.font = `bold 12px ${fonts}`;
    ctx.textAlign = "left";
    ctx.textBaseline = "middle";
    let before = Number.NEGATIVE_INFINITY;
    const ends = chart.data.datasets
      .map((/** @type {any} */ set, /** @type {number} */ i) => ({ set, last: chart.getDatasetMeta(i).data.at(-1) }))
      .filter((/** @type {any} */ end) => end.last && Number.isFinite(end.last.y))
      .sort((/** @type {any} */ p, /** @type {any} */ q) => p.last.y - q.last.y);
    for (const { set, last } of ends) {
      const y = Math.max(last.y, before + 13);
      before = y;
      ctx.fillStyle = set.borderColor;
      ctx.fillText(set.mark, Math.min(last.x, chartArea.right) + 4, y);
    }
    ctx.restore();
  },
};

Chart.register(LineController, LineElement, PointElement, LinearScale, LogarithmicScale, marks);

/** @param {number} nines */
function percentileLabel(nines) {
  return { 0: "", 1: "p90", 2: "p99", 3: "p99.9", 4: "p99.99" }[nines] ?? "";
}

/**
 * @param {ChartKind} kind
 * @param {Line[]} lines
 * @param {object} look
 * @param {Theme} look.theme
 * @param {Axes} look.axes
 * @param {boolean} [look.small] no titles
 * @param {number | null} [look.cursor]
 * @param {{ x?: number, low?: number, high?: number }} [look.range] limits of the axes; free where absent
 * @returns {any}
 */
export function chartConfig(kind, lines, { theme, axes, small = false, cursor = null, range = {} }) {
  const title = (/** @type {string} */ text) => ({
    display: !small,
    text,
    color: theme.ink,
    font: { family: fonts, size: 12 },
  });
  const ticks = { color: theme.ink, font: { family: fonts, size: small ? 10 : 12 }, maxRotation: 0 };
  const grid = { color: theme.faint };
  const byPercentile = kind === "latency";
  return {
    type: "line",
    data: { datasets: lines.map((line) => dataset(line, theme)) },
    options: {
      animation: false,
      responsive: false,
      maintainAspectRatio: false,
      parsing: false,
      normalized: true,
      events: [],
      layout: { padding: { right: 18, top: 6 } },
      marks: { theme, cursor },
      scales: {
        x: {
          type: "linear",
          min: 0,
          max: byPercentile ? 4 : (range.x ?? lines[0]?.points.at(-1)?.x),
          title: title(axes.x),
          grid,
          ticks: byPercentile
            ? { ...ticks, stepSize: 1, callback: percentileLabel }
            : { ...ticks, maxTicksLimit: small ? 4 : 9, callback: figure },
        },
        y: {
          type: byPercentile ? "logarithmic" : "linear",
          min: byPercentile ? range.low : 0,
          max: kind === "hits" ? 100 : range.high,
          title: title(axes.y),
          grid,
          ticks: {
            ...ticks,
            maxTicksLimit: small ? 4 : 8,
            callback: (/** @type {number} */ value) => (byPercentile && !isRound(value) ? "" : figure(value)),
          },
        },
      },
    },
  };
}

/** Of a logarithmic axis: 1, 2 and 5 of a decade. @param {number} value */
function isRound(value) {
  let mantissa = value;
  while (mantissa >= 9.999) mantissa /= 10;
  while (mantissa < 0.9999) mantissa *= 10;
  return [1, 2, 5].some((round) => Math.abs(mantissa - round) < 1e-6);
}

/**
 * @param {Line} line
 * @param {Theme} theme
 */
export function dataset({ side, label, points }, theme) {
  return {
    label,
    mark: side.toUpperCase(),
    data: points,
    borderColor: theme[side],
    // B is dashed: A and B must differ without colour too.
    borderDash: side === "b" ? [7, 4] : [],
    borderWidth: 2,
    // With segment options Chart.js draws on the context itself and not through Path2D, which node has not.
    segment: {},
    pointRadius: 0,
    pointHitRadius: 0,
  };
}

/**
 * A chart as SVG text: the same bytes in node and in every browser.
 * @param {ChartKind} kind
 * @param {{ side: "a" | "b", label: string, report: Report }[]} sides
 * @param {object} look
 * @param {number} look.width
 * @param {number} look.height
 * @param {Theme} [look.theme]
 * @param {Axes} look.axes
 * @param {boolean} [look.small]
 * @param {string} look.title
 * @param {string} look.description
 * @param {string} [look.metadata] what re-opens the picture
 */
export function drawSvg(
  kind,
  sides,
  { width, height, theme = light, axes, small = false, title, description, metadata },
) {
  const recorder = createRecorder(width, height);
  const lines = sides.map(({ side, label, report }) => ({ side, label, points: pointsOf(report, kind) }));
  const config = chartConfig(kind, lines, { theme, axes, small });
  config.options.devicePixelRatio = 1;
  config.platform = BasicPlatform;
  const chart = new Chart(/** @type {any} */ (recorder.canvas), config);
  chart.draw();
  const text = recorder.svg({ title, description, metadata, background: theme.plate });
  chart.destroy();
  return text;
}

export { Chart };
