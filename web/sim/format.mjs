// @ts-check
// What format.c leaves to JavaScript: reading numbers, and writing text as C's vsnprintf does, byte for byte.

/**
 * C's "%.*g": so many significant digits, without zeros at the end.
 * @param {number} number finite
 * @param {number} precision 2 or more
 */
export function general(number, precision) {
  const sign = number < 0 || Object.is(number, -0) ? "-" : "";
  const size = Math.abs(number);
  const [mantissa = "", power] = size.toExponential(precision - 1).split("e");
  let digits = mantissa.replace(".", "");
  // Of two numbers equally near, JavaScript takes the larger and C the one whose last digit is even. Only then nothing
  // but zeros follows a 5.
  if (/[13579]$/.test(digits) && /^50*e/.test(size.toExponential(60).slice(precision + 1)))
    digits = digits.slice(0, -1) + (Number(digits.at(-1)) - 1);
  digits = digits.replace(/0+$/, "") || "0";
  const exponent = Number(power);
  /** @param {string} all @param {number} at */
  const pointed = (all, at) => all.slice(0, at) + (all.length > at ? `.${all.slice(at)}` : "");
  if (exponent < -4 || exponent >= precision) {
    const places = String(Math.abs(exponent)).padStart(2, "0");
    return `${sign}${pointed(digits, 1)}e${exponent < 0 ? "-" : "+"}${places}`;
  }
  if (exponent < 0) return `${sign}0.${"0".repeat(-exponent - 1)}${digits}`;
  return sign + pointed(digits.padEnd(exponent + 1, "0"), exponent + 1);
}

/** @typedef {{ plain: string, width: number, precision: string, length: string, kind: string }} Directive behind a text */
/** Of the formats that were used: the same few again and again. @type {Map<string, Directive[]>} */
const known = new Map();

/** @param {string} format */
function directives(format) {
  let parts = known.get(format);
  if (!parts) {
    parts = Array.from(
      format.matchAll(/([^%]*)(?:%(?:0(\d+))?(?:\.(\*|\d+))?(ll|[lz])?(.)|$)/gs),
      ([, plain = "", width = "0", precision = "", length = "", kind = ""]) => {
        return { plain, width: Number(width), precision, length, kind };
      },
    );
    known.set(format, parts);
  }
  return parts;
}

/**
 * The functions that the module imports.
 * @param {() => WebAssembly.Memory} memory which grows
 */
export function formatImports(memory) {
  /**
   * The bytes up to the 0, each as a character: lengths are counted in bytes.
   * @param {number} address
   * @param {number} [most]
   */
  function bytesAt(address, most = Infinity) {
    const bytes = new Uint8Array(memory().buffer);
    let text = "";
    for (let at = address; bytes[at] && text.length < most; at++)
      text += String.fromCharCode(/** @type {number} */ (bytes[at]));
    return text;
  }

  /** @param {number} out @param {number} size @param {number} format @param {number} given */
  function print(out, size, format, given) {
    const view = new DataView(memory().buffer);
    let at = given;
    /** Where the next argument lies. @param {number} size */
    function next(size) {
      const place = (at + size - 1) & -size;
      at = place + size;
      return place;
    }
    let text = "";
    for (const { plain, width, precision, length, kind } of directives(bytesAt(format))) {
      const limit = precision === "*" ? view.getUint32(next(4), true) : precision && Number(precision);
      let written = "";
      if (kind === "%") written = "%";
      else if (kind === "s") written = bytesAt(view.getUint32(next(4), true), limit === "" ? Infinity : limit);
      else if (kind === "c") written = String.fromCharCode(view.getUint32(next(4), true) & 255);
      else if (kind === "g") written = general(view.getFloat64(next(8), true), Number(limit));
      else if (kind === "d")
        written = String(length === "ll" ? view.getBigInt64(next(8), true) : view.getInt32(next(4), true));
      else if (/[uxXp]/.test(kind)) {
        const bits = length === "ll" ? view.getBigUint64(next(8), true) : view.getUint32(next(4), true);
        written = bits.toString(kind === "u" ? 10 : 16);
        if (kind === "X") written = written.toUpperCase();
      } else if (kind !== "") throw new Error(`format.mjs does not know %${kind}`);
      text += plain + written.padStart(width, "0");
    }
    const bytes = new Uint8Array(memory().buffer, out, size);
    const room = Math.min(text.length, size - 1);
    for (let i = 0; i < room; i++) bytes[i] = text.charCodeAt(i);
    if (size > 0) bytes[Math.max(room, 0)] = 0;
    return text.length;
  }

  return { format_print: print, format_number: (/** @type {number} */ address) => Number(bytesAt(address)) };
}
