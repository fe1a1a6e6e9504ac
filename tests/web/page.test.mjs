// The playground in a browser: that it shows the command's numbers, reacts to hands and keys, keeps its state in the
// link, and trusts nothing. CACHECAST names the command.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { eventFormat } from "../../web/app/form.mjs";
import { effective, showsDashboard } from "../../web/app/state.mjs";
import { drawSvg } from "../../web/charts/chart.mjs";
import { chartKinds } from "../../web/charts/series.mjs";
import { spansOf } from "../../web/charts/spans.mjs";
import { root, settled, settledCount, skip, startBrowser } from "./browser.mjs";

const command = path.resolve(process.env.CACHECAST ?? path.join(root, "build/native/cachecast"));
const single = path.join(root, "web/dist/cachecast.html");
/** @type {Awaited<ReturnType<typeof startBrowser>>} */
let browser;
before(async () => {
  if (!skip) browser = await startBrowser();
});
after(() => browser?.close());

/** @typedef {import("playwright-core").Page} Page */

/** @param {Page} page */
const shown = (page) =>
  page.evaluate(() => {
    const { shown, link, counts } = /** @type {any} */ (globalThis).cachecast;
    return { a: shown.a?.text, b: shown.b?.text, link: link(), counts };
  });

/**
 * Does something and waits until the page has settled again and its link is written.
 * @param {Page} page
 * @param {() => Promise<unknown>} act
 */
async function afterwards(page, act) {
  const count = await settledCount(page);
  const link = (await shown(page)).link;
  await act();
  await settled(page, count + 1);
  await page.waitForFunction((old) => /** @type {any} */ (globalThis).cachecast.link() !== old, link).catch(() => {});
  return shown(page);
}

/**
 * @param {Page} page
 * @param {string} id of a button that saves
 */
async function saved(page, id) {
  const [download] = await Promise.all([page.waitForEvent("download"), page.click(id)]);
  return { name: download.suggestedFilename(), text: readFileSync(await download.path(), "utf8") };
}

/** @param {string} file */
function commandReports(file) {
  const text = execFileSync(command, ["run", file, "--json"], { encoding: "utf8", maxBuffer: 1 << 28 });
  return text.split(/(?<=^\}\n)/m);
}

const format = eventFormat(JSON.parse(readFileSync(path.join(root, "web/scenario.schema.json"), "utf8")));
const files = readdirSync(path.join(root, "sims/published"), { recursive: true })
  .map(String)
  .filter((name) => name.endsWith(".json"));

test("every published scenario gives the command's report, byte for byte, and a picture that is the same in node", {
  skip,
}, async () => {
  const page = await browser.open("");
  for (const file of files) {
    const id = file.replace(/\.json$/, "").replaceAll(path.sep, ".");
    const expected = commandReports(path.join(root, "sims/published", file));
    for (const [variant, report] of expected.entries()) {
      const found = await afterwards(page, () =>
        page.evaluate(
          (hash) => {
            location.hash = hash;
          },
          `#v=1&p=${id}&n=${variant}&~chart=${chartKinds[variant % chartKinds.length]}`,
        ),
      );
      assert.equal(found.a, report, `${id} ${variant}`);
    }
    const { text } = await saved(page, "#save-svg");
    const kind = chartKinds[(expected.length - 1) % chartKinds.length] ?? "latency";
    const state = {
      preset: id,
      text: readFileSync(path.join(root, "sims/published", file), "utf8"),
      a: { variant: expected.length - 1, set: {} },
      b: null,
      view: {},
      digest: "",
    };
    const titles = [...text.matchAll(/<text [^>]*font-size="12"[^>]*transform[^>]*>([^<]*)</g)].map(
      (found) => found[1] ?? "",
    );
    const drawn = drawSvg(kind, [{ side: "a", label: "a", report: JSON.parse(expected.at(-1) ?? "") }], {
      width: 720,
      height: 360,
      axes: { x: kind === "latency" ? "share of requests that were faster" : "time, s", y: titles[0] ?? "" },
      spans: spansOf([{ side: "a", scenario: effective(state, "a") }], format),
      dashboard: showsDashboard(state),
      title: "",
      description: "",
      metadata: "",
    });
    const picture = (/** @type {string} */ svg) =>
      svg
        .split("\n")
        .filter((line) => !/^<(title|desc|metadata)/.test(line))
        .join("\n");
    assert.equal(picture(text), picture(drawn), `the picture of ${id}`);
  }
  await page.close();
});

test("a slider moved by keys and by a pointer changes the figures and the link; the link restores them", {
  skip,
}, async () => {
  const page = await browser.open("#v=1&p=four-configurations.table&n=3");
  const first = await shown(page);
  await page.focus("#slider-l1-ttl");
  const byKey = await afterwards(page, () => page.keyboard.press("PageUp"));
  assert.notEqual(byKey.a, first.a);
  assert.match(byKey.link, /&l1\.ttl=/);
  const box = await page.locator("#slider-l1-ttl").boundingBox();
  assert.ok(box);
  const before = (await shown(page)).counts.charts;
  const byHand = await afterwards(page, async () => {
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    for (let i = 1; i <= 20; i++) await page.mouse.move(box.x + box.width / 2 + 3 * i, box.y + box.height / 2);
    await page.mouse.up();
  });
  assert.notEqual(byHand.a, byKey.a);
  assert.ok(byHand.counts.charts > before + 1, "the chart followed the hand");
  assert.equal(JSON.parse(byHand.a).complete, true, "what settles is the whole run");
  assert.equal(new URL(page.url()).hash, `#${byHand.link}`);
  const again = await browser.open(`#${byHand.link}`);
  assert.deepEqual((await shown(again)).a, byHand.a);
  assert.equal(await again.textContent("#notice"), "");
  // The command reads the same link.
  const reports = execFileSync(command, ["run", "--json", "--link", byHand.link], { encoding: "utf8" });
  assert.equal(reports, byHand.a);
  const reset = await afterwards(page, () => page.click(".slider:nth-child(3) button"));
  assert.equal(reset.a, first.a);
  await page.close();
  await again.close();
});

test("a field takes a value as the command does, and says what is allowed", { skip }, async () => {
  const page = await browser.open("#v=1&p=four-configurations.table&n=3");
  const field = page.locator(".slider input[type=text]").nth(2);
  const found = await afterwards(page, async () => {
    await field.fill("750ms");
    await field.press("Enter");
  });
  assert.match(found.link, /l1\.ttl=750ms/);
  await field.fill("soon");
  await field.press("Enter");
  assert.equal(await field.getAttribute("aria-invalid"), "true");
  assert.match((await page.locator(".slider .problem:visible").textContent()) ?? "", /200ms … 5m/);
  assert.match((await shown(page)).link, /l1\.ttl=750ms/);
  await page.close();
});

test("B differs from A, is compared with it, swaps with it and goes", { skip }, async () => {
  const page = await browser.open("#v=1&p=four-configurations.table&n=3");
  let found = await afterwards(page, () => page.click("#toggle-b"));
  assert.match(found.link, /&b=3/);
  assert.equal(found.a, found.b);
  found = await afterwards(page, () => page.selectOption("#variant-b", "5"));
  assert.notEqual(found.a, found.b);
  const heads = await page.locator("#verdict thead th").allTextContents();
  assert.deepEqual(heads, ["figure", "A", "B", "B − A"]);
  const swapped = await afterwards(page, () => page.click("#swap"));
  assert.equal(swapped.a, found.b);
  assert.equal(swapped.b, found.a);
  found = await afterwards(page, () => page.click("#toggle-b"));
  assert.doesNotMatch(found.link, /&b=/);
  await page.close();
});

test("all settings can be reached, and the scenario's text with the parser's own complaint", { skip }, async () => {
  const page = await browser.open("#v=1&p=two-tiers");
  const loaded = () =>
    page.evaluate(() =>
      performance
        .getEntriesByType("resource")
        .map(({ name }) => name)
        .join(" "),
    );
  assert.doesNotMatch(await loaded(), /fields\.json/, "what only the form needs is not loaded before it is opened");
  await page.click("#all > summary");
  await page.waitForSelector("#form details");
  assert.match(await loaded(), /fields\.json/);
  await page.click("#form details:has(#field-l1-capacity) > summary");
  const found = await afterwards(page, async () => {
    await page.fill("#field-l1-capacity", "10");
    await page.press("#field-l1-capacity", "Enter");
  });
  assert.match(found.link, /l1\.capacity=10/);
  await page.fill("#field-l1-capacity", "-4");
  await page.press("#field-l1-capacity", "Enter");
  await page.waitForSelector("#problem:visible");
  assert.match((await page.textContent("#problem")) ?? "", /l1.capacity/);
  await page.click("#json > summary");
  await page.fill("#editor", '{"name": "x", "duration": "1s",\n "workload": {"arivals": {}}}');
  await page.click("#apply");
  await page.waitForFunction(() => document.querySelector("#problem")?.textContent?.includes("arivals"));
  const place = await page.evaluate(() => {
    const editor = /** @type {HTMLTextAreaElement} */ (document.querySelector("#editor"));
    return editor.value.slice(editor.selectionStart, editor.selectionStart + 9);
  });
  assert.equal(place, '"arivals"', "the cursor stands where the parser complains");
  const own = await afterwards(page, async () => {
    await page.fill("#editor", '{"name": "<b>own</b>", "duration": "1s", "workload": {"arrivals": {"rate": 100}}}');
    await page.click("#apply");
  });
  assert.equal(JSON.parse(own.a).name, "<b>own</b>");
  assert.equal(await page.textContent("#name"), "<b>own</b>");
  assert.match(own.link, /^v=1&name=/);
  const again = await browser.open(`#${own.link}`);
  assert.equal((await shown(again)).a, own.a);
  await page.close();
  await again.close();
});

test("events are added, moved by keys and by a pointer, changed and deleted; the link has them", { skip }, async () => {
  const page = await browser.open("#v=1&p=four-configurations.outage&~chart=loads");
  const first = await shown(page);
  const events = () => page.evaluate(() => /** @type {any} */ (globalThis).cachecast.state().a.set.events);
  const handle = page.locator(".event");
  assert.equal(await handle.getAttribute("aria-label"), "stop_l2 at 1m for 3m");
  assert.deepEqual(
    await handle.evaluate((one) => ["min", "max", "now", "text"].map((name) => one.getAttribute(`aria-value${name}`))),
    ["0", "300", "60", "1m"],
  );

  let found = await afterwards(page, () => page.click("#add-event"));
  assert.equal(await handle.count(), 2);
  assert.deepEqual((await events())[1], { at: "150s", do: "stop_l2", for: "30s" });
  for (const [key, at] of [
    ["ArrowRight", "153s"],
    ["PageUp", "183s"],
    ["ArrowDown", "180s"],
    ["End", "5m"],
    ["Home", "0s"],
    ["PageUp", "30s"],
  ]) {
    await afterwards(page, () => page.keyboard.press(String(key)));
    assert.equal((await events())[1].at, at, key);
  }

  // The form has what applies to the event and refuses what the format would.
  await afterwards(page, () => page.selectOption("#event-do", "set_rate"));
  assert.deepEqual((await events())[1], { at: "30s", do: "set_rate", for: "30s", rate: 1600 });
  assert.equal(await page.locator("#event-shard").count(), 0);
  for (const [field, text] of [
    ["rate", "-1"],
    ["for", "soon"],
    ["at", "6m"],
    ["rate", ""],
  ]) {
    await page.fill(`#event-${field}`, String(text));
    await page.press(`#event-${field}`, "Enter");
    assert.equal(await page.getAttribute(`#event-${field}`, "aria-invalid"), "true", `${field} ${text}`);
  }
  await afterwards(page, async () => {
    await page.fill("#event-rate", "800");
    await page.press("#event-rate", "Enter");
  });
  assert.equal((await events())[1].rate, 800);

  const box = await handle.nth(0).boundingBox();
  assert.ok(box);
  const charts = (await shown(page)).counts.charts;
  found = await afterwards(page, async () => {
    await page.mouse.move(box.x + 10, box.y + 10);
    await page.mouse.down();
    for (let i = 1; i <= 10; i++) await page.mouse.move(box.x + 10 - 2 * i, box.y + 10);
    await page.mouse.up();
  });
  assert.ok(found.counts.charts > charts + 1, "the chart followed the hand");
  assert.ok(Number.parseFloat((await events())[0].at) < 60);
  assert.equal(await page.inputValue("#event-for"), "3m", "what was dragged is chosen");

  const again = await browser.open(`#${found.link}`);
  assert.equal((await shown(again)).a, found.a);
  assert.equal(await again.locator(".event").count(), 2);
  // A change behind a link that took the list apart.
  await again.focus(".event:nth-of-type(2)");
  const deleted = await afterwards(again, () => again.keyboard.press("Delete"));
  assert.equal(await again.locator(".event").count(), 1);
  assert.doesNotMatch(deleted.link, /events\.1/);
  await again.close();

  await page.click(".event:nth-of-type(2)");
  await afterwards(page, () => page.click("#event-form button"));
  const reset = await afterwards(page, () => page.click("#reset-events"));
  assert.equal(reset.a, first.a);
  const emptied = await afterwards(page, async () => {
    await page.focus(".event");
    await page.keyboard.press("Delete");
  });
  assert.match(emptied.link, /&events=%5B%5D/);
  assert.equal(await page.evaluate(() => document.activeElement?.id), "add-event");
  await page.close();
});

test("events that are not understood, or too many, are left to the text", { skip }, async () => {
  const page = await browser.open("#v=1&p=two-tiers");
  const apply = async (/** @type {unknown} */ events) => {
    await page.evaluate(
      (text) => {
        const editor = /** @type {HTMLTextAreaElement} */ (document.querySelector("#editor"));
        editor.value = text;
        document.querySelector("#problem")?.replaceChildren();
        /** @type {HTMLButtonElement} */ (document.querySelector("#apply")).click();
      },
      JSON.stringify({ name: "x", duration: "1s", workload: { arrivals: { rate: 100 } }, events }),
    );
    await page.waitForFunction(
      (wanted) => JSON.stringify(JSON.parse(/** @type {any} */ (globalThis).cachecast.state().text).events) === wanted,
      JSON.stringify(events),
    );
  };
  for (const events of [5, [null], [{ at: 5 }], [{ at: "5 parsecs", do: "flush" }], [{ at: "0s", do: "toString" }]]) {
    await apply(events);
    assert.equal(await page.isVisible("#events"), false, JSON.stringify(events));
  }
  await apply(Array.from({ length: 200 }, () => ({ at: "500ms", do: "flush" })));
  assert.equal(await page.isVisible("#events"), true);
  assert.match((await page.textContent("#events-count")) ?? "", /200: too many/);
  assert.equal(await page.isVisible("#track"), false);
  await page.close();
});

test("what a dashboard shows stands beside the truth, and the scenario stays as it was", { skip }, async () => {
  const page = await browser.open("#v=1&p=four-configurations.spike&~chart=loads");
  const before = await shown(page);
  const marks = () =>
    page.evaluate(() => {
      const box = document.querySelector("#verdict");
      return [...(box?.querySelectorAll("tbody th") ?? [])].map((head) => head.textContent);
    });
  assert.equal(await page.isChecked("#dashboard"), false);
  assert.equal(await page.isVisible("#dashboard-note"), false);
  const found = await afterwards(page, () => page.check("#dashboard"));
  assert.match(found.link, /&~figures=dashboard/);
  assert.doesNotMatch(found.link, /observe/);
  const { summary, series } = JSON.parse(found.a);
  assert.deepEqual(
    [summary["origin.loads"], series],
    [JSON.parse(before.a).summary["origin.loads"], JSON.parse(before.a).series],
  );
  assert.ok(summary["observed.loads"] > 0);
  assert.deepEqual((await marks()).slice(4, 8), [
    "p99, ms",
    "p99, ms: dashboard",
    "loads in all",
    "loads in all: dashboard",
  ]);
  assert.match((await page.textContent("#cursor-value")) ?? "", /A\* /);
  assert.equal(await page.isVisible("#dashboard-note"), true);
  assert.equal(JSON.parse((await saved(page, "#save-scenario")).text).observe, undefined);
  assert.match((await saved(page, "#save-svg")).text, />A\*</);
  const again = await browser.open(`#${found.link}`);
  assert.equal(await again.isChecked("#dashboard"), true);
  assert.equal((await shown(again)).a, found.a);
  await again.close();
  // Where the scenario has a dashboard of its own, it is shown until it is switched off.
  const own = await browser.open("#v=1&p=four-configurations.outage");
  assert.equal(await own.isChecked("#dashboard"), true);
  const off = await afterwards(own, () => own.uncheck("#dashboard"));
  assert.match(off.link, /&~figures=true/);
  await own.close();
  await page.close();
});

test("charts of what a service may not have appear with it", { skip }, async () => {
  const page = await browser.open("#v=1&p=four-configurations.propagation");
  assert.equal(await page.getAttribute('[data-chart="stale"]', "aria-pressed"), "true");
  assert.equal(await page.isVisible('[data-chart="breakers"]'), false);
  await page.close();
  const without = await browser.open("#v=1&p=two-tiers");
  assert.equal(await without.isVisible('[data-chart="stale"]'), false);
  await without.close();
  const chosen = await browser.open("#v=1&p=two-tiers&~chart=breakers");
  await chosen.waitForSelector('[data-chart="breakers"]');
  assert.equal(await chosen.textContent("#notice"), "");
  await chosen.close();
});

test("a saved picture dropped on the page opens it again", { skip }, async () => {
  const page = await browser.open("#v=1&p=four-configurations.spike&l1.ttl=700ms");
  const found = await shown(page);
  const { name, text } = await saved(page, "#save-svg");
  assert.match(name, /\.cachecast\.svg$/);
  const other = await browser.open("");
  const again = await afterwards(other, async () => {
    await other.evaluate(
      ([name, text]) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([text ?? ""], name ?? "", { type: "image/svg+xml" }));
        dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, cancelable: true }));
      },
      [name, text],
    );
  });
  assert.equal(again.a, found.a);
  assert.equal((await saved(page, "#save-report")).text, found.a);
  assert.match((await saved(page, "#save-csv")).text, /^end_s,/);
  assert.equal(JSON.parse((await saved(page, "#save-scenario")).text).l1.ttl, "700ms");
  assert.match((await saved(page, "#save-png")).name, /png$/);
  await page.close();
  await other.close();
});

test("files that are wrong or hostile are explained and change nothing", { skip }, async () => {
  const page = await browser.open("#v=1&p=two-tiers");
  const before = await shown(page);
  for (const [name, text] of [
    ["a.svg", "<svg xmlns='http://www.w3.org/2000/svg'><script>document.title='bad'</script></svg>"],
    ["b.svg", "<svg xmlns='http://www.w3.org/2000/svg'><metadata>{\"link\": 5}</metadata></svg>"],
    ["c.svg", "<not xml"],
    ["d.json", "[]"],
    ["e.json", "null"],
    ["f.json", '{"name": "x"'],
    ["g.json", ""],
  ]) {
    await page.evaluate(
      ([name, text]) => {
        const problem = document.querySelector("#problem");
        if (problem) problem.textContent = "";
        const transfer = new DataTransfer();
        transfer.items.add(new File([text ?? ""], name ?? ""));
        dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, cancelable: true }));
      },
      [name, text],
    );
    await page.waitForFunction(() => (document.querySelector("#problem")?.textContent ?? "") !== "");
    assert.equal((await shown(page)).a, before.a, name);
  }
  assert.notEqual(await page.title(), "bad");
  await page.close();
});

test("Korean: words, title and link", { skip }, async () => {
  const page = await browser.open("", { locale: "ko-KR" });
  assert.equal(await page.getAttribute("html", "lang"), "ko");
  assert.equal(await page.textContent("#experiments-title"), "실험");
  assert.match((await page.textContent("#name")) ?? "", /캐시/);
  await page.click("#language");
  assert.equal(await page.textContent("#experiments-title"), "Experiments");
  await page.close();
});

test("the page in one file works from file:// and in a sandboxed frame", { skip }, async () => {
  const page = await browser.open(`${pathToFileURL(single)}#v=1&p=four-configurations.table&n=5`);
  const found = await shown(page);
  assert.equal(found.a, commandReports(path.join(root, "sims/published/four-configurations/table.json"))[5]);
  await page.close();
  const profiled = await browser.open(`${pathToFileURL(single)}#v=1&p=codec-concurrency.table`);
  const reports = commandReports(path.join(root, "sims/published/codec-concurrency/table.json"));
  assert.ok(reports.includes((await shown(profiled)).a), "what needs a profile finds it within the file");
  await profiled.click("#all > summary");
  await profiled.waitForSelector("#form details");
  await profiled.close();
  const html = readFileSync(single);
  const server = createServer((request, response) => {
    response.setHeader("Content-Type", "text/html; charset=utf-8");
    response.end(
      request.url?.startsWith("/single")
        ? html
        : '<!doctype html><title>x</title><link rel="icon" href="data:,"><iframe sandbox="allow-scripts" src="/single#v=1&p=four-configurations.table&n=5&~embed=yes" title="x" width="900" height="700"></iframe>',
    );
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  const address = server.address();
  const host = await browser.frame(`http://127.0.0.1:${address && typeof address === "object" ? address.port : 0}/`);
  const inner = host.frames()[1];
  assert.ok(inner);
  await settled(inner);
  assert.equal(await inner.evaluate(() => /** @type {any} */ (globalThis).cachecast.shown.a.text), found.a);
  assert.equal(await inner.isVisible("#experiments"), false);
  await host.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

test("links that cannot be used are explained, and nothing of them is applied", { skip }, async () => {
  for (const link of [
    "v=9&p=two-tiers",
    "v=1&p=nothing-like-it",
    "v=1&p=two-tiers&l1.ttl=%",
    "v=1&p=two-tiers&__proto__.x=1",
    "v=1&p=%3Cimg%20src=x%20onerror=alert(1)%3E",
    "v=1&p=two-tiers&n=7",
    `v=1&name=${"x".repeat(70000)}`,
  ]) {
    const page = await browser.open(`#${link}`);
    assert.match((await page.textContent("#notice")) ?? "", /cannot be used/, link.slice(0, 60));
    assert.match((await shown(page)).link, /^v=1&p=four-configurations\.table&n=3/);
    assert.equal(await page.evaluate(() => /** @type {any} */ ({}).x), undefined);
    await page.close();
  }
  // A link that reads well but that the scenario format refuses: the parser's words, and no figures.
  const page = await browser.open("");
  await page.evaluate(() => {
    location.hash = "#v=1&p=two-tiers&l1.ttl=%3Cscript%3E";
  });
  await page.waitForSelector("#problem:visible");
  assert.match((await page.textContent("#problem")) ?? "", /l1\.ttl/);
  await page.close();
  const odd = await browser.open("#v=1&p=two-tiers&~chart=pie&~theme=%3Cb%3E");
  assert.match((await odd.textContent("#notice")) ?? "", /left out: ~chart=pie, ~theme=<b>/);
  await odd.close();
  const moved = await browser.open("#v=1&p=two-tiers&h=00000000");
  assert.match((await moved.textContent("#notice")) ?? "", /moved/);
  await moved.close();
});

test("axe finds nothing: light, dark, narrow, both languages", { skip }, async () => {
  const axe = readFileSync(path.join(root, "node_modules/axe-core/axe.min.js"), "utf8");
  for (const look of /** @type {const} */ ([
    { width: 1280, colorScheme: "light", locale: "en" },
    { width: 1280, colorScheme: "dark", locale: "ko-KR" },
    { width: 360, colorScheme: "light", locale: "ko-KR" },
    { width: 320, colorScheme: "dark", locale: "en" },
  ])) {
    const page = await browser.open("#v=1&p=four-configurations.outage&~chart=loads", look);
    await page.click(".event");
    await page.click("#all > summary");
    await page.click("#figures > summary");
    await page.evaluate(axe);
    const { violations } = await page.evaluate(() => /** @type {any} */ (globalThis).axe.run());
    assert.deepEqual(
      violations.map(
        (/** @type {any} */ one) => `${one.id}: ${one.nodes.map((/** @type {any} */ n) => n.target).join(", ")}`,
      ),
      [],
      JSON.stringify(look),
    );
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "nothing sticks out");
    await page.close();
  }
});

test("the poster is there before any script, the layout stands still, the page stays within its weight", {
  skip,
}, async () => {
  const page = await browser.open("");
  const shift = await page.evaluate(
    () =>
      new Promise((resolve) => {
        let sum = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries())
            if (!(/** @type {any} */ (entry).hadRecentInput)) sum += /** @type {any} */ (entry).value;
        }).observe({ type: "layout-shift", buffered: true });
        setTimeout(() => resolve(sum), 500);
      }),
  );
  assert.ok(Number(shift) < 0.05, `layout shift ${shift}`);
  await page.close();
  const html = readFileSync(path.join(root, "web/dist/index.html"), "utf8");
  assert.match(html, /<img id="poster" src="posters\/hero\.svg"/);
  assert.doesNotMatch(html, /unsafe-inline|unsafe-eval(?<!wasm-unsafe-eval)/);
});

test("a long run shows its progress, can be cancelled, and gives way to newer input", { skip }, async () => {
  const page = await browser.open("#v=1&p=two-tiers");
  const before = await shown(page);
  const asked = () => page.evaluate(() => ({ .../** @type {any} */ (globalThis).cachecast.lanes.a.counts }));
  await page.evaluate(() => {
    location.hash = "#v=1&p=two-tiers&duration=20d";
  });
  await page.waitForSelector("#cancel:visible");
  assert.match((await page.textContent("#state")) ?? "", /simulating \d+ %/);
  await page.click("#cancel");
  await page.waitForFunction(() => document.querySelector("#state")?.textContent === "");
  assert.equal((await shown(page)).a, before.a, "what was shown stays");
  // A newer input drops a run that goes on.
  const { dropped } = await asked();
  await page.evaluate(() => {
    location.hash = "#v=1&p=two-tiers&duration=21d";
  });
  await page.waitForSelector("#cancel:visible");
  const found = await afterwards(page, () =>
    page.evaluate(() => {
      location.hash = "#v=1&p=two-tiers&l1.ttl=3s";
    }),
  );
  assert.equal(JSON.parse(found.a).simulated_s, 60);
  assert.ok((await asked()).dropped > dropped);
  await page.close();
});

test("the experiment about codecs answers, in both languages", { skip }, async () => {
  const page = await browser.plain("codec/");
  await page.waitForFunction(() => /compression|from/.test(document.querySelector("#verdict")?.textContent ?? ""));
  const axe = readFileSync(path.join(root, "node_modules/axe-core/axe.min.js"), "utf8");
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => /** @type {any} */ (globalThis).axe.run());
  assert.deepEqual(
    violations.map((/** @type {any} */ one) => one.id),
    [],
  );
  await page.click("#language");
  assert.equal(await page.getAttribute("html", "lang"), "ko");
  await page.close();
});

test("no page complained or asked another host for anything", { skip }, () => {
  assert.deepEqual(browser.complaints, []);
});

test("a scenario file of one's own: the command's link opens it on the page", { skip }, async () => {
  const file = path.join(mkdtempSync(path.join(tmpdir(), "cachecast-")), "own.json");
  writeFileSync(
    file,
    JSON.stringify({
      name: "Own, with a comma & more",
      duration: "5s",
      workload: { arrivals: { rate: 100 }, keys: { popularity: "weights", weights: [0.5, 0.5] } },
      l1: { ttl: "1s" },
      origin: { load: { dist: "exponential", mean: "2ms" } },
      events: [{ at: "2s", do: "flush" }],
    }),
  );
  const link = execFileSync(command, ["link", file], { encoding: "utf8" }).trim();
  const page = await browser.open(`#${link}`);
  assert.equal(await page.textContent("#notice"), "");
  assert.equal((await shown(page)).a, commandReports(file)[0]);
  await page.close();
});
