// The browser of the tests: the system's Chromium or Chrome, with the page of web/dist on a server of its own.

import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { createSite } from "../../web/serve.mjs";

export const root = fileURLToPath(new URL("../..", import.meta.url));

const executablePath = [
  process.env.CACHECAST_BROWSER ?? "",
  "/usr/bin/chromium",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
].find((file) => file !== "" && existsSync(file));

export const skip = !executablePath
  ? "neither Chromium nor Chrome is installed"
  : !existsSync(`${root}/web/dist/index.html`)
    ? "the page is not built"
    : false;

/** @typedef {{ width?: number, colorScheme?: "light" | "dark", locale?: string }} Look */

export async function startBrowser() {
  const site = createSite();
  await new Promise((resolve) => site.listen(0, "127.0.0.1", () => resolve(undefined)));
  const address = site.address();
  const origin = `http://127.0.0.1:${address && typeof address === "object" ? address.port : 0}`;
  const browser = await chromium.launch({
    executablePath,
    args: [
      ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
      "--disable-gpu",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--no-first-run",
    ],
  });
  /** What went wrong in any page: nothing may. @type {string[]} */
  const complaints = [];
  /**
   * @param {import("playwright-core").Page} page
   * @param {string} address
   */
  async function watched(page, address) {
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
    });
    page.on("pageerror", (error) => complaints.push(String(error.stack)));
    page.on("request", (request) => {
      if (!request.url().startsWith(origin) && !/^(data|blob|file):/.test(request.url()))
        complaints.push(request.url());
    });
    await page.goto(address);
    return page;
  }
  return {
    origin,
    complaints,
    /** A page of the site that settles in its own way. @param {string} address */
    async plain(address) {
      return watched(await browser.newPage(), `${origin}/${address}`);
    },
    /**
     * A page that has settled.
     * @param {string} address
     * @param {Look} [look]
     */
    async open(address, { width = 1280, colorScheme = "light", locale = "en" } = {}) {
      const page = await browser.newPage({
        viewport: { width, height: 900 },
        colorScheme,
        locale,
        acceptDownloads: true,
      });
      await watched(page, address.startsWith("file:") ? address : `${origin}/${address}`);
      await settled(page);
      return page;
    },
    /** A page of another host, which holds this one in a frame. @param {string} address */
    async frame(address) {
      const page = await browser.newPage();
      page.on("pageerror", (error) => complaints.push(String(error.stack)));
      await page.goto(address);
      return page;
    },
    async close() {
      await browser.close();
      site.closeAllConnections();
      await new Promise((resolve) => site.close(resolve));
    },
  };
}

/**
 * Waits until the page has simulated to the end `count` times.
 * @param {import("playwright-core").Page | import("playwright-core").Frame} page
 * @param {number} [count]
 */
export async function settled(page, count = 1) {
  await page.waitForFunction((wanted) => /** @type {any} */ (globalThis).cachecast?.counts.settled >= wanted, count, {
    timeout: 30000,
  });
}

/**
 * How often the page has settled so far.
 * @param {import("playwright-core").Page | import("playwright-core").Frame} page
 * @returns {Promise<number>}
 */
export function settledCount(page) {
  return page.evaluate(() => /** @type {any} */ (globalThis).cachecast.counts.settled);
}
