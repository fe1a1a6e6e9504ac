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
import { linesOf } from "./series.mjs";

/** @typedef {import("./series.mjs").ChartKind} ChartKind */
/** @typedef {import("./series.mjs").Report} Report */
/** @typedef {import("./series.mjs").Line} Line */
/** @typedef {import("./spans.mjs").Span} Span */

/**
 * @typedef {object} Theme
 * @property {string} ink
 * @property {string} faint lines of the grid
 * @property {string} plate the background
 * @property {string} a
 * @property {string} b
 * @property {string} ghost
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

/** B is dashed: A and B must differ without colour too. */
const dashes = { a: /** @type {number[]} */ ([]), b: [7, 4] };
/** What a dashboard shows: round dots on top, each with a rim, or they would drown in the true line of their colour. */
const dots = { borderDash: [0.1, 8], borderCapStyle: "round", borderWidth: 4, order: -2 };
const rims = { borderWidth: 7, order: -1, mark: "" };

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
      .filter((/** @type {any} */ end) => end.set.mark && end.last && Number.isFinite(end.last.y))
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

const labelRows = 3;

/** What happens and how long, under the lines; B's where it differs from A's. */
const happenings = {
  id: "happenings",
  /** @param {any} chart */
  beforeDatasetsDraw(chart) {
    const { ctx, chartArea, scales } = chart;
    const { theme } = chart.options.marks;
    const place = (/** @type {number} */ time) => Math.min(chartArea.right, scales.x.getPixelForValue(time));
    ctx.save();
    ctx.lineWidth = 1;
    for (const { side, from, to } of /** @type {Span[]} */ (chart.data.spans)) {
      if (from > scales.x.max) continue;
      const left = place(from);
      if (to !== null) {
        ctx.globalAlpha = 0.2;
        ctx.fillStyle = theme.ghost;
        ctx.fillRect(left, chartArea.top, place(to) - left, chartArea.bottom - chartArea.top);
        ctx.globalAlpha = 1;
      }
      ctx.strokeStyle = side === "b" ? theme.b : theme.ghost;
      ctx.setLineDash(side === "b" ? dashes.b : []);
      ctx.beginPath();
      for (const x of to === null || to >= scales.x.max ? [left] : [left, place(to)]) {
        ctx.moveTo(x, chartArea.top);
        ctx.lineTo(x, chartArea.bottom);
      }
      ctx.stroke();
    }
    ctx.restore();
  },
  /** Their labels, on the lines and readable there. @param {any} chart */
  afterDatasetsDraw(chart) {
    const { ctx, chartArea, scales } = chart;
    const { theme, small } = chart.options.marks;
    /** Where the labels of each row end. @type {number[]} */
    const ends = Array(small ? 0 : labelRows).fill(Number.NEGATIVE_INFINITY);
    ctx.save();
    ctx.font = `11px ${fonts}`;
    ctx.textAlign = "left";
    ctx.textBaseline = "top";
    for (const { label, from } of /** @type {Span[]} */ (chart.data.spans)) {
      if (from > scales.x.max) continue;
      const { width } = ctx.measureText(label);
      const x = Math.max(chartArea.left, Math.min(scales.x.getPixelForValue(from) + 3, chartArea.right - width - 2));
      const row = ends.findIndex((end) => end < x);
      if (row < 0) continue;
      ends[row] = x + width + 8;
      const top = chartArea.top + 1 + 13 * row;
      ctx.globalAlpha = 0.8;
      ctx.fillStyle = theme.plate;
      ctx.fillRect(x - 1, top, width + 2, 13);
      ctx.globalAlpha = 1;
      ctx.fillStyle = theme.ink;
      ctx.fillText(label, x, top + 1);
    }
    ctx.restore();
  },
};

Chart.register(LineController, LineElement, PointElement, LinearScale, LogarithmicScale, marks, happenings);

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
 * @param {Span[]} [look.spans] what happens meanwhile
 * @param {boolean} [look.small] no titles
 * @param {number | null} [look.cursor]
 * @param {{ x?: number, low?: number, high?: number }} [look.range] limits of the axes; free where absent
 * @returns {any}
 */
export function chartConfig(kind, lines, { theme, axes, spans = [], small = false, cursor = null, range = {} }) {
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
    data: chartData(kind, lines, theme, spans),
    options: {
      animation: false,
      responsive: false,
      maintainAspectRatio: false,
      parsing: false,
      normalized: true,
      events: [],
      layout: { padding: { right: 18, top: 6 } },
      marks: { theme, cursor, small },
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
 * What a chart draws; over percentiles there is no time at which something happens.
 * @param {ChartKind} kind
 * @param {Line[]} lines
 * @param {Theme} theme
 * @param {Span[]} spans
 */
export function chartData(kind, lines, theme, spans) {
  const datasets = lines.map((line) => dataset(line, theme));
  const rimmed = datasets
    .filter(({ order }) => order === dots.order)
    .map((line) => ({ ...line, ...rims, borderColor: theme.plate }));
  return { datasets: [...datasets, ...rimmed], spans: kind === "latency" ? [] : spans };
}

/**
 * @param {Line} line
 * @param {Theme} theme
 */
function dataset({ side, label, points, observed = false }, theme) {
  return {
    label,
    mark: `${side.toUpperCase()}${observed ? "*" : ""}`,
    data: points,
    borderColor: theme[side],
    borderDash: dashes[side],
    borderWidth: 2,
    order: 0,
    ...(observed ? dots : {}),
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
 * @param {Span[]} [look.spans]
 * @param {boolean} [look.dashboard] also as a dashboard shows it
 * @param {boolean} [look.small]
 * @param {string} look.title
 * @param {string} look.description
 * @param {string} [look.metadata] what re-opens the picture
 */
export function drawSvg(
  kind,
  sides,
  { width, height, theme = light, axes, spans, dashboard = false, small = false, title, description, metadata },
) {
  const recorder = createRecorder(width, height);
  const config = chartConfig(kind, linesOf(sides, kind, dashboard), { theme, axes, spans, small });
  config.options.devicePixelRatio = 1;
  config.platform = BasicPlatform;
  const chart = new Chart(/** @type {any} */ (recorder.canvas), config);
  chart.draw();
  const text = recorder.svg({ title, description, metadata, background: theme.plate });
  chart.destroy();
  return text;
}

export { Chart };
