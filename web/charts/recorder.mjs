// @ts-check
// A canvas that writes down what is drawn on it, as SVG. Chart.js draws on it as on any other, in node and in browsers,
// and the text is the same in all: widths of letters come from a table and not from fonts, numbers are rounded.

/** Widths of Helvetica's letters in thousandths of an em, from space on (Adobe's font metrics). */
const widths = [
  278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556,
  556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833,
  722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556,
  556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334,
  260, 334, 584,
];

/**
 * @param {string} text
 * @param {number} size of the font in px
 */
export function textWidth(text, size) {
  let sum = 0;
  for (const letter of text) {
    const code = letter.codePointAt(0) ?? 0;
    // Hangul, kana and Han letters are as wide as high.
    sum += widths[code - 32] ?? (code >= 0x1100 ? 1000 : 556);
  }
  return (sum * size) / 1000;
}

/** @param {number} value */
function short(value) {
  const rounded = Math.round(value * 10) / 10;
  return String(Object.is(rounded, -0) ? 0 : rounded);
}

/**
 * As text or attribute; characters that XML has not are left out.
 * @param {string} text
 */
export function escaped(text) {
  let kept = "";
  for (const letter of text) {
    const code = letter.codePointAt(0) ?? 0;
    const allowed =
      code >= 32 ? !(code >= 0xd800 && code <= 0xdfff) && (code & 0xfffe) !== 0xfffe : [9, 10, 13].includes(code);
    if (allowed) kept += { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" }[letter] ?? letter;
  }
  return kept;
}

/** @typedef {[number, number, number, number, number, number]} Matrix a b c d e f, as in setTransform */

/**
 * @param {Matrix} m
 * @param {Matrix} n
 * @returns {Matrix}
 */
function product([a, b, c, d, e, f], [g, h, i, j, k, l]) {
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f];
}

const fresh = () => ({
  matrix: /** @type {Matrix} */ ([1, 0, 0, 1, 0, 0]),
  clip: "",
  fillStyle: "#000000",
  strokeStyle: "#000000",
  lineWidth: 1,
  lineCap: "butt",
  lineJoin: "miter",
  lineDashOffset: 0,
  dash: /** @type {number[]} */ ([]),
  globalAlpha: 1,
  font: "10px sans-serif",
  textAlign: "start",
  textBaseline: "alphabetic",
});

/**
 * @param {number} width
 * @param {number} height
 */
export function createRecorder(width, height) {
  let state = fresh();
  /** @type {(typeof state)[]} */
  const stack = [];
  /** @type {string[]} */
  let drawn = [];
  /** @type {string[]} */
  let clips = [];
  let path = "";
  /** The last point of a line that is being drawn. @type {string | null} */
  let pen = null;

  /** @param {number} x @param {number} y */
  function at(x, y) {
    const [a, b, c, d, e, f] = state.matrix;
    return `${short(a * x + c * y + e)} ${short(b * x + d * y + f)}`;
  }
  /**
   * A line from one point as it was written to another, by how far it goes: half as much to load once it is compressed,
   * since the steps of a series are alike and its places are not.
   * @param {string} from @param {string} to
   */
  function step(from, to) {
    const [x = 0, y = 0] = from.split(" ").map(Number);
    const [toX = 0, toY = 0] = to.split(" ").map(Number);
    return `l${short(toX - x)} ${short(toY - y)}`;
  }
  /** @param {unknown} x */
  const known = (x) => typeof x === "number" && Number.isFinite(x);
  /** @param {string} tag @param {string} rest */
  function put(tag, rest, inner = "") {
    const shown = state.clip ? `${rest} clip-path="url(#${state.clip})"` : rest;
    const alpha = state.globalAlpha < 1 ? ` opacity="${short(state.globalAlpha)}"` : "";
    drawn.push(inner ? `<${tag}${shown}${alpha}>${inner}</${tag}>` : `<${tag}${shown}${alpha}/>`);
  }
  const stroked = () =>
    ` fill="none" stroke="${escaped(String(state.strokeStyle))}" stroke-width="${short(state.lineWidth)}"` +
    (state.dash.length > 0 ? ` stroke-dasharray="${state.dash.map(short).join(" ")}"` : "") +
    (state.lineCap !== "butt" ? ` stroke-linecap="${escaped(state.lineCap)}"` : "") +
    (state.lineJoin !== "miter" ? ` stroke-linejoin="${escaped(state.lineJoin)}"` : "");
  const fontSize = () => Number(/([\d.]+)px/.exec(state.font)?.[1] ?? 10);

  const context = {
    save() {
      stack.push({ ...state, dash: [...state.dash] });
    },
    restore() {
      state = stack.pop() ?? state;
    },
    setTransform(/** @type {number[]} */ ...m) {
      state.matrix = /** @type {Matrix} */ (m.length === 6 ? m : [1, 0, 0, 1, 0, 0]);
    },
    resetTransform() {
      state.matrix = [1, 0, 0, 1, 0, 0];
    },
    translate(/** @type {number} */ x, /** @type {number} */ y) {
      state.matrix = product(state.matrix, [1, 0, 0, 1, x, y]);
    },
    scale(/** @type {number} */ x, /** @type {number} */ y) {
      state.matrix = product(state.matrix, [x, 0, 0, y, 0, 0]);
    },
    rotate(/** @type {number} */ angle) {
      // Chart.js turns axis titles by a right angle; rounding takes the last bit of cos and sin away.
      const cos = Math.round(Math.cos(angle) * 1e6) / 1e6;
      const sin = Math.round(Math.sin(angle) * 1e6) / 1e6;
      state.matrix = product(state.matrix, [cos, sin, -sin, cos, 0, 0]);
    },
    beginPath() {
      path = "";
      pen = null;
    },
    closePath() {
      path += "Z";
      pen = null;
    },
    moveTo(/** @type {number} */ x, /** @type {number} */ y) {
      if (!known(x) || !known(y)) return;
      pen = at(x, y);
      path += `M${pen}`;
    },
    lineTo(/** @type {number} */ x, /** @type {number} */ y) {
      if (!known(x) || !known(y)) return;
      const to = at(x, y);
      path += path === "" ? `M${to}` : pen === null ? `L${to}` : step(pen, to);
      pen = to;
    },
    bezierCurveTo(/** @type {number[]} */ ...p) {
      const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = p;
      path += `C${at(a, b)} ${at(c, d)} ${at(e, f)}`;
      pen = null;
    },
    quadraticCurveTo(/** @type {number[]} */ ...p) {
      const [a = 0, b = 0, c = 0, d = 0] = p;
      path += `Q${at(a, b)} ${at(c, d)}`;
      pen = null;
    },
    arc(/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ r) {
      // Chart.js draws whole circles only, for the points of a line.
      path += `M${at(x - r, y)}A${short(r)} ${short(r)} 0 1 0 ${at(x + r, y)}A${short(r)} ${short(r)} 0 1 0 ${at(x - r, y)}Z`;
      pen = null;
    },
    rect(/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ w, /** @type {number} */ h) {
      path += `M${at(x, y)}L${at(x + w, y)}L${at(x + w, y + h)}L${at(x, y + h)}Z`;
      pen = null;
    },
    clip() {
      if (state.clip) return; // clips of charts lie within each other
      let index = clips.indexOf(path);
      if (index < 0) index = clips.push(path) - 1;
      state.clip = `c${index}`;
    },
    stroke() {
      if (path) put("path", ` d="${path}"${stroked()}`);
    },
    fill() {
      if (path) put("path", ` d="${path}" fill="${escaped(String(state.fillStyle))}"`);
    },
    fillRect(/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ w, /** @type {number} */ h) {
      put(
        "path",
        ` d="M${at(x, y)}L${at(x + w, y)}L${at(x + w, y + h)}L${at(x, y + h)}Z" fill="${escaped(String(state.fillStyle))}"`,
      );
    },
    strokeRect(/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ w, /** @type {number} */ h) {
      put("path", ` d="M${at(x, y)}L${at(x + w, y)}L${at(x + w, y + h)}L${at(x, y + h)}Z"${stroked()}`);
    },
    clearRect() {
      // Chart.js clears the whole canvas before each drawing.
      drawn = [];
      clips = [];
    },
    fillText(/** @type {string} */ text, /** @type {number} */ x, /** @type {number} */ y) {
      if (String(text) === "") return;
      const size = fontSize();
      const anchor = { center: "middle", right: "end", end: "end" }[state.textAlign];
      // Offsets in place of dominant-baseline, which drawing programs ignore.
      const down = { middle: 0.35, top: 0.8, hanging: 0.8, bottom: -0.2 }[state.textBaseline] ?? 0;
      const [a, b] = state.matrix;
      const turned = Math.abs(b) > 1e-9;
      const [px, py] = at(x, y + down * size).split(" ");
      const angle = turned ? ` transform="rotate(${b < 0 ? -90 : 90} ${px} ${py})"` : "";
      if (turned && Math.abs(a) > 1e-5) throw new Error("only right angles are written");
      put(
        "text",
        ` x="${px}" y="${py}" font-size="${short(size)}"${/bold/.test(state.font) ? ' font-weight="bold"' : ""}${
          anchor ? ` text-anchor="${anchor}"` : ""
        } fill="${escaped(String(state.fillStyle))}"${angle}`,
        escaped(String(text)),
      );
    },
    strokeText() {},
    measureText(/** @type {string} */ text) {
      const size = fontSize();
      return {
        width: textWidth(String(text), size),
        actualBoundingBoxAscent: 0.72 * size,
        actualBoundingBoxDescent: 0.21 * size,
        actualBoundingBoxLeft: 0,
        actualBoundingBoxRight: textWidth(String(text), size),
      };
    },
    setLineDash(/** @type {number[]} */ dash) {
      state.dash = [...dash];
    },
    getLineDash: () => [...state.dash],
    createLinearGradient() {
      throw new Error("gradients are not written");
    },
  };
  for (const name of /** @type {const} */ ([
    "fillStyle",
    "strokeStyle",
    "lineWidth",
    "lineCap",
    "lineJoin",
    "lineDashOffset",
    "globalAlpha",
    "font",
    "textAlign",
    "textBaseline",
  ]))
    Object.defineProperty(context, name, {
      get: () => state[name],
      set: (value) => {
        Object.assign(state, { [name]: value });
      },
    });

  const canvas = {
    width,
    height,
    style: {},
    getContext: () => context,
    getAttribute: () => null,
    setAttribute() {},
    removeAttribute() {},
    addEventListener() {},
    removeEventListener() {},
    getBoundingClientRect: () => ({ left: 0, top: 0, width, height }),
  };
  Object.assign(context, { canvas });

  return {
    canvas,
    /**
     * @param {object} about
     * @param {string} about.title
     * @param {string} about.description
     * @param {string} [about.metadata]
     * @param {string} about.background a colour
     */
    svg({ title, description, metadata, background }) {
      const defs = clips.map((data, i) => `<clipPath id="c${i}"><path d="${data}"/></clipPath>`).join("");
      return [
        `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" font-family="Helvetica, Arial, sans-serif">`,
        `<title>${escaped(title)}</title>`,
        `<desc>${escaped(description)}</desc>`,
        ...(metadata === undefined ? [] : [`<metadata>${escaped(metadata)}</metadata>`]),
        ...(defs ? [`<defs>${defs}</defs>`] : []),
        `<rect width="${width}" height="${height}" fill="${escaped(background)}"/>`,
        ...drawn,
        "</svg>",
        "",
      ].join("\n");
    },
  };
}
