// @ts-check
// The interval of a mean difference between paired runs.

/** Student's t, two-sided 95 %, for 1 to 9 degrees of freedom. */
const t95 = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262];

/**
 * @param {number[]} differences of pairs that share their random streams
 * @returns {{ mean: number, half: number }} half: of the interval; NaN with fewer than two pairs
 */
export function interval(differences) {
  const n = differences.length;
  const mean = differences.reduce((sum, x) => sum + x, 0) / n;
  if (n < 2) return { mean, half: Number.NaN };
  const variance = differences.reduce((sum, x) => sum + (x - mean) ** 2, 0) / (n - 1);
  return { mean, half: (t95[Math.min(n - 2, t95.length - 1)] ?? 2) * Math.sqrt(variance / n) };
}
