// What the recorder writes for Chart.js's drawing: the same bytes each time, well-formed, nothing of a text read as
// markup. Browsers have Path2D and Chart.js strokes through it unless told otherwise; the recorder cannot see into one.
// A Path2D that throws stands in for a browser here, so it must be set before Chart.js is loaded.

import assert from "node:assert/strict";
import { test } from "node:test";
import { createRecorder, escaped, textWidth } from "../../web/charts/recorder.mjs";

Object.assign(globalThis, {
  Path2D: class {
    constructor() {
      throw new Error("a line was drawn through Path2D");
    }
  },
});
const { BasicPlatform, Chart, LinearScale, LineController, LineElement, LogarithmicScale, PointElement } = await import(
  "chart.js"
);
Chart.register(LineController, LineElement, PointElement, LinearScale, LogarithmicScale);

const hostile = `<script>alert("1")&amp;</script>\u0000\u000b\ufffe\ud800 ]]> '적중'`;

/** @param {"linear" | "logarithmic"} type @param {string} title @param {number} [count] */
function drawn(type, title, count = 160) {
  const recorder = createRecorder(720, 360);
  const plain = (/** @type {string | number} */ value) => String(value);
  const series = (/** @type {number} */ step) =>
    Array.from({ length: count }, (_, i) => ({ x: i, y: 1 + ((i * step) % 97) }));
  /** @type {any} */
  const config = {
    type: "line",
    platform: BasicPlatform,
    data: {
      datasets: [
        // A truthy segment makes Chart.js draw without Path2D.
        { data: series(7), borderColor: "#0072b2", pointRadius: 0, segment: {} },
        { data: series(31), borderColor: "#d55e00", borderDash: [4, 2], pointRadius: 0, segment: {} },
      ],
    },
    options: {
      animation: false,
      responsive: false,
      devicePixelRatio: 1,
      parsing: false,
      events: [],
      scales: {
        x: { type: "linear", ticks: { callback: plain }, title: { display: true, text: title } },
        y: { type, ticks: { callback: plain }, title: { display: true, text: title } },
      },
    },
  };
  const chart = new Chart(/** @type {any} */ (recorder.canvas), config);
  const svg = recorder.svg({ title, description: title, metadata: title, background: "#ffffff" });
  chart.destroy();
  return svg;
}

/** The places of a path of lines. @param {string} path @returns {[number, number][]} */
function points(path) {
  let [atX, atY] = [0, 0];
  return Array.from(path.matchAll(/([MLl])(\S+) ([^A-Za-z]+)/g), ([, kind, x, y]) => {
    atX = Number(x) + (kind === "l" ? atX : 0);
    atY = Number(y) + (kind === "l" ? atY : 0);
    return [Math.round(atX * 10) / 10, Math.round(atY * 10) / 10];
  });
}

/** @param {string} svg */
function assertWellFormed(svg) {
  /** @type {string[]} */
  const open = [];
  const rest = svg.replace(
    /<(\/?)([a-zA-Z]+)((?: [a-zA-Z-]+="[^"<]*")*)(\/?)>/g,
    (_, end, name, _attributes, empty) => {
      if (end) assert.equal(open.pop(), name);
      else if (!empty) open.push(name);
      return "";
    },
  );
  assert.deepEqual(open, []);
  assert.doesNotMatch(rest, /[<>]/);
  assert.doesNotMatch(svg, /&(?!(amp|lt|gt|quot);)/);
}

for (const type of /** @type {const} */ (["linear", "logarithmic"])) {
  test(`a ${type} chart gives the same well-formed bytes twice`, () => {
    const svg = drawn(type, "Misses by time");
    assert.equal(svg, drawn(type, "Misses by time"));
    assertWellFormed(svg);
    assert.match(svg, /^<svg [^>]*width="720" height="360" viewBox="0 0 720 360" role="img"/);
    assert.match(svg, /<title>Misses by time<\/title>/);
    assert.match(svg, /<text [^>]*rotate\(-90 [^>]*>Misses by time<\/text>/);
    // Each series is a path of its own, of all its points; a solid line has its first one twice.
    for (const colour of ["#0072b2", "#d55e00"]) {
      const [, data = ""] = new RegExp(`d="([^"]*)"[^>]*stroke="${colour}"`).exec(svg) ?? [];
      assert.equal(new Set(points(data).map(String)).size, 160, colour);
    }
    // Colours such as #d55e00 look like exponents.
    assert.doesNotMatch(svg.replace(/#[0-9a-f]{6}/g, ""), /NaN|Infinity|undefined|\de[+-]?\d/);
  });
}

test("hostile text stays text, and characters that XML has not are gone", () => {
  const svg = drawn("linear", hostile);
  assertWellFormed(svg);
  assert.doesNotMatch(svg, /<script/);
  assert.equal(escaped(hostile), `&lt;script&gt;alert(&quot;1&quot;)&amp;amp;&lt;/script&gt; ]]&gt; '적중'`);
  assert.equal(svg.split(escaped(hostile)).length - 1, 5); // title, desc, metadata, both axes
});

test("widths come from the table, Hangul at one em", () => {
  assert.equal(textWidth("적중률", 12), 36);
  assert.equal(textWidth("A0i", 1000), 667 + 556 + 222);
  const { canvas } = createRecorder(10, 10);
  const context = canvas.getContext();
  Object.assign(context, { font: "bold 20px Helvetica" });
  assert.equal(context.measureText("적중").width, 40);
});

test("metadata is left out where there is none", () => {
  const svg = createRecorder(10, 20).svg({ title: "t", description: "d", background: '"><script>' });
  assertWellFormed(svg);
  assert.doesNotMatch(svg, /<metadata|<script/);
});

test("a line's steps add up to its places, behind whatever else is in the path", () => {
  const recorder = createRecorder(720, 360);
  const context = recorder.canvas.getContext();
  const places = Array.from({ length: 500 }, (_, i) => [i * 1.234, 180 + 170 * Math.sin(i)]);
  context.beginPath();
  context.rect(0, 0, 5, 5);
  for (const [x = 0, y = 0] of places) context.lineTo(x, y);
  context.stroke();
  const svg = recorder.svg({ title: "", description: "", metadata: "", background: "#ffffff" });
  const found = points(/<path d="([^"]*)"/.exec(svg)?.[1] ?? "").slice(4);
  assert.equal(found.length, places.length);
  for (const [i, [x = 0, y = 0]] of places.entries()) {
    assert.ok(Math.abs((found[i]?.[0] ?? 0) - x) < 0.0501, `${i}: ${found[i]} for ${x}`);
    assert.ok(Math.abs((found[i]?.[1] ?? 0) - y) < 0.0501, `${i}: ${found[i]} for ${y}`);
  }
});
