// How the page feels under a hand: node tests/bench/web.mjs, after the page was built. A slider is dragged for some
// seconds with A and B live, then released. Prints medians over the rounds; the tests assert work counts and no times.

import { settled, settledCount, skip, startBrowser } from "../web/browser.mjs";

if (skip) {
  console.error(`bench: ${skip}`);
  process.exit(2);
}
const rounds = 5;
const browser = await startBrowser();
const page = await browser.open("#v=1&p=four-configurations.table&n=3&b=5&~chart=loads");
await page.evaluate(() => {
  const seen = { longest: 0, count: 0 };
  Object.assign(globalThis, { longTasks: seen });
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) {
      seen.longest = Math.max(seen.longest, duration);
      seen.count++;
    }
  }).observe({ type: "longtask" });
});
await page.waitForTimeout(3000);
const counts = () =>
  page.evaluate(() => ({ .../** @type {any} */ (globalThis).cachecast.counts, time: performance.now() }));
const tasks = () => page.evaluate(() => ({ .../** @type {any} */ (globalThis).longTasks }));

/** @param {number[]} values */
function spread(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (/** @type {number} */ i) => (sorted[i] ?? Number.NaN).toFixed(1);
  return `${at(sorted.length >> 1)} [${at(0)} ${at(sorted.length - 1)}]`;
}

const rates = [];
const settles = [];
const quiet = await tasks();
for (let round = 0; round < rounds; round++) {
  const before = await counts();
  // Input events from within, one a frame: a hand gives no more, and the browser's own remote control gives fewer.
  await page.evaluate(
    () =>
      new Promise((resolve) => {
        const slider = /** @type {HTMLInputElement} */ (document.querySelector("#slider-l1-ttl"));
        const began = performance.now();
        let at = 60;
        const step = () => {
          at = at >= 140 ? 60 : at + 1;
          slider.value = String(at);
          slider.dispatchEvent(new Event("input"));
          if (performance.now() - began < 2000) requestAnimationFrame(step);
          else resolve(undefined);
        };
        requestAnimationFrame(step);
      }),
  );
  const after = await counts();
  rates.push((1000 * (after.charts - before.charts)) / (after.time - before.time));
  const count = await settledCount(page);
  const took = await page.evaluate(
    (wanted) =>
      new Promise((resolve) => {
        const slider = /** @type {HTMLInputElement} */ (document.querySelector("#slider-l1-ttl"));
        const began = performance.now();
        slider.dispatchEvent(new Event("change"));
        const look = () =>
          /** @type {any} */ (globalThis).cachecast.counts.settled > wanted
            ? resolve(performance.now() - began)
            : requestAnimationFrame(look);
        look();
      }),
    count,
  );
  settles.push(Number(took));
  await settled(page, count + 1);
  await page.waitForTimeout(2500);
}
const noisy = await tasks();
console.log(`dragging, A and B live:    ${spread(rates)} chart updates/s, median of ${rounds} rounds of 2 s`);
console.log(`release to settled:        ${spread(settles)} ms, A and B of 288,000 requests each`);
console.log(
  `main-thread tasks > 50 ms: ${noisy.count - quiet.count}, longest ${noisy.longest.toFixed(0)} ms (while loading too)`,
);
await browser.close();
