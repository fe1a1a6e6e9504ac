// @ts-check
// The tables from which the core draws exponential variates: 6 kB that do not compress, while the equations behind them
// (core/engine/ziggurat.c) are short. The same to the last bit: fractions of 128 bits err far
// less than the tables round, and no table lies near the middle between two numbers.

const BITS = 128n;
const ONE = 1n << BITS;
/** The edge r with which the last layer ends at the top of the curve. */
const R = 0x7_b2764a5f_aee0a5e1_4b5e264a_ea4d10f4n;

/** Of a number that is not negative. @param {bigint} x */
function exp(x) {
  let sum = ONE;
  for (let n = 1n, term = ONE; term > 0n; n++) {
    term = ((term * (x >> 8n)) >> BITS) / n;
    sum += term;
  }
  for (let i = 0; i < 8; i++) sum = (sum * sum) >> BITS;
  return sum;
}

/** Of a number above one. @param {bigint} y */
function log(y) {
  let x = BigInt(Math.round(Math.log(Number(y) / 2 ** 128) * 2 ** 50)) << (BITS - 50n);
  for (let i = 0; i < 2; i++) x += (y << BITS) / exp(x) - ONE; // Newton: each step doubles the digits that are right
  return x;
}

/**
 * @param {BigUint64Array} accept
 * @param {Float64Array} scale
 * @param {Float64Array} height
 */
export function fillZiggurat(accept, scale, height) {
  let curve = (ONE * ONE) / exp(R); // exp(-x) at the outer edge of the layer above
  const area = ((R + ONE) * curve) >> BITS;
  let x = (area << BITS) / curve;
  for (let i = 0; i < 256; i++) {
    const next = i === 0 ? R : i === 255 ? 0n : log((ONE * ONE) / curve);
    accept[i] = (next << 53n) / x;
    scale[i] = Number(x) / 2 ** 181;
    height[i] = Number(curve) / 2 ** 128;
    x = next;
    if (i < 255) curve += (area << BITS) / next;
  }
  // Here the core's table, made with fewer digits, is one unit in the last place larger, and results rest on it.
  scale[115] = Number(scale[115]) + 2 ** -105;
}
