// @ts-check
// The time line: the events of a scenario on a track, which hands and keys move, and a form for the one that is chosen.

import { figure, quantity, writtenAs } from "../charts/figures.mjs";
import { eventSpans, seconds } from "../charts/spans.mjs";
import { element, part } from "./dom.mjs";
import { allowed, typed, written } from "./form.mjs";
import { isObject, valueAt } from "./state.mjs";

/** @typedef {import("../charts/spans.mjs").EventFormat} EventFormat */
/** @typedef {import("../charts/spans.mjs").EventSpan} EventSpan */
/** @typedef {Record<string, any>} Event */

/** More events would not fit on the track. */
const most = 40;
/** The shares of the track that a label and a handle take at least. */
const labelShare = 0.36;
const handleShare = 0.1;

/**
 * The time at a share of the duration, as a scenario has it: no later than the end, whatever rounding does.
 * @param {number} share
 * @param {string} duration
 */
export function timeAt(share, duration) {
  if (share <= 0) return "0s";
  const end = quantity(duration)?.number ?? 0;
  const text = String(writtenAs(share * end, "duration"));
  return share >= 1 || (quantity(text)?.number ?? 0) > end ? duration : text;
}

/**
 * Where a key brings what stands at a share of the track; null: it moves nothing.
 * @param {string} key
 * @param {number} share
 */
export function shareAfter(key, share) {
  const step = { ArrowLeft: -0.01, ArrowDown: -0.01, ArrowRight: 0.01, ArrowUp: 0.01, PageDown: -0.1, PageUp: 0.1 }[
    key
  ];
  const wanted = step === undefined ? { Home: 0, End: 1 }[key] : share + step;
  return wanted === undefined ? null : Math.min(1, Math.max(0, wanted));
}

/**
 * @param {Event[]} events
 * @param {number} index
 * @param {number} share
 * @param {string} duration
 */
export function moved(events, index, share, duration) {
  return events.map((event, i) => (i === index ? { ...event, at: timeAt(share, duration) } : event));
}

/**
 * @param {Event} event
 * @param {string} name
 * @param {unknown} value undefined: the format's default
 */
export function withField(event, name, value) {
  const { [name]: _, ...rest } = event;
  return value === undefined ? rest : { ...event, [name]: value };
}

/**
 * Another thing that happens at the same time: what applies to it stays, and what it needs is given.
 * @param {Event} event
 * @param {string} kind
 * @param {EventFormat} format
 * @param {any} scenario
 */
export function withKind(event, kind, format, scenario) {
  const { fields = [], required = [] } = format.kinds[kind] ?? {};
  /** @type {Event} */
  const next = { at: event.at, do: kind };
  for (const name of fields) if (event[name] !== undefined) next[name] = event[name];
  const rate = valueAt(scenario, "workload.arrivals.rate");
  for (const name of required) next[name] ??= typeof rate === "number" ? rate : 1000;
  return next;
}

/** An outage in the middle, for a tenth of the time. @param {any} scenario */
export function newEvent(scenario) {
  const { duration, l2 } = scenario;
  return { at: timeAt(0.5, duration), do: isObject(l2) ? "stop_l2" : "stop_origin", for: timeAt(0.1, duration) };
}

/**
 * Whether the format takes the value in the field.
 * @param {any} field
 * @param {unknown} value
 */
export function accepts(field, value) {
  return (field.anyOf ?? [field]).some((/** @type {any} */ choice) => {
    if (choice.enum) return choice.enum.includes(value);
    if (choice.$ref) return seconds(value) !== null;
    if (choice.type === "null") return value === null;
    if (typeof value !== "number" || (choice.type === "integer" && !Number.isInteger(value))) return false;
    return value >= choice.minimum && value <= choice.maximum;
  });
}

/**
 * The row of each event, and whether its label stands inside, behind or, near the end, before it: none lies on another.
 * @param {EventSpan[]} spans
 * @param {number} end
 */
export function rowsOf(spans, end) {
  /** @type {[number, number][][]} */
  const rows = [];
  return spans.map(({ from, to }) => {
    const low = from / end;
    const high = Math.max((to ?? from) / end, low + handleShare);
    const label = high - low >= labelShare ? "inside" : high + labelShare <= 1 ? "behind" : "before";
    const first = label === "before" ? low - labelShare : low;
    const last = label === "behind" ? high + labelShare : high;
    let row = rows.findIndex((others) => others.every((other) => other[1] <= first || other[0] >= last));
    if (row < 0) row = rows.push([]) - 1;
    rows[row]?.push([first, last]);
    return { row, label };
  });
}

/**
 * @param {EventFormat} format
 * @param {import("./form.mjs").Change} change
 */
export function buildTimeline(format, change) {
  const box = /** @type {HTMLDetailsElement} */ (part("events"));
  const track = part("track");
  /** @type {HTMLButtonElement[]} */
  const handles = [];
  let selected = -1;
  /** What is shown. @type {{ scenario: any, events: Event[], spans: EventSpan[], end: number }} */
  let now = { scenario: {}, events: [], spans: [], end: 1 };
  /** @type {import("./words.mjs").Words} */
  let say;
  let whose = "";
  let formOf = "";
  /** @type {{ name: string, input: HTMLInputElement | HTMLSelectElement, problem: HTMLElement }[]} */
  let formFields = [];
  /** @type {{ index: number, x: number, share: number, moved: boolean } | null} */
  let hand = null;

  /** @param {Event[]} events @param {boolean} [live] */
  const become = (events, live = false) => change("events", events, live);
  /** @param {number} index */
  const shareOf = (index) => (now.spans[index]?.from ?? 0) / now.end;
  /** @param {number} index @param {number} share @param {boolean} live */
  const move = (index, share, live) => become(moved(now.events, index, share, now.scenario.duration), live);

  /** @param {number} index */
  function select(index) {
    selected = index;
    draw();
  }

  /** @param {number} index */
  function remove(index) {
    const left = now.events.length - 1;
    if (selected >= index) selected = selected === index ? -1 : selected - 1;
    become(now.events.filter((_, i) => i !== index));
    (left > 0 ? handles[Math.min(index, left - 1)] : part("add-event"))?.focus();
  }

  function makeHandle() {
    const index = handles.length;
    const handle = element("button", { type: "button", className: "event", role: "slider" }, element("span"));
    handle.addEventListener("click", () => select(index));
    handle.addEventListener("keydown", (event) => {
      if (event.altKey || event.ctrlKey || event.metaKey) return; // the browser's own
      const share = shareAfter(event.key, shareOf(index));
      if (share === null && event.key !== "Delete") return;
      event.preventDefault();
      if (share === null) remove(index);
      else move(index, share, false);
    });
    handle.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      handle.setPointerCapture(event.pointerId);
      hand = { index, x: event.clientX, share: shareOf(index), moved: false };
    });
    handle.addEventListener("pointermove", (event) => {
      if (hand?.index !== index) return;
      // A hand that only clicks trembles a little.
      if (!hand.moved && Math.abs(event.clientX - hand.x) < 3) return;
      hand.moved = true;
      const width = track.clientWidth - handle.offsetHeight;
      move(index, Math.min(1, Math.max(0, hand.share + (event.clientX - hand.x) / width)), true);
    });
    for (const name of /** @type {const} */ (["pointerup", "pointercancel"]))
      handle.addEventListener(name, () => {
        if (hand?.index === index && hand.moved) become(now.events);
        hand = null;
      });
    handles.push(handle);
    track.append(handle);
  }

  function draw() {
    const { events, spans, end } = now;
    while (handles.length < spans.length) makeHandle();
    while (handles.length > spans.length) handles.pop()?.remove();
    const rows = rowsOf(spans, end);
    for (const [i, handle] of handles.entries()) {
      const { label = "", from = 0, to = null } = spans[i] ?? {};
      const { row = 0, label: place = "inside" } = rows[i] ?? {};
      const at = written(events[i]?.at);
      const lasts = to !== null && seconds(events[i]?.for) !== null;
      const words = lasts ? say.eventFor : say.eventAt;
      const values = { do: label, at, for: written(events[i]?.for) };
      handle.setAttribute(
        "aria-label",
        words.replace(/\{(do|at|for)\}/g, (_, name) => values[/** @type {"at"} */ (name)]),
      );
      handle.setAttribute("aria-valuemin", "0");
      handle.setAttribute("aria-valuemax", String(end));
      handle.setAttribute("aria-valuenow", String(from));
      handle.setAttribute("aria-valuetext", at);
      handle.dataset.label = place;
      if (i === selected) handle.setAttribute("aria-current", "true");
      else handle.removeAttribute("aria-current");
      if (handle.firstElementChild) handle.firstElementChild.textContent = label;
      handle.style.setProperty("--at", String(from / end));
      handle.style.setProperty("--length", String(to === null ? 0 : (to - from) / end));
      handle.style.setProperty("--row", String(row));
    }
    track.style.setProperty("--rows", String(Math.max(1, ...rows.map(({ row }) => row + 1))));
    drawForm();
  }

  function drawForm() {
    const event = now.events[selected];
    const key = event ? `${selected} ${event.do} ${say.language}` : "";
    if (key === formOf) return showForm();
    formOf = key;
    formFields = [];
    part("event-form").replaceChildren();
    if (!event) return;
    const names = ["at", "do", ...(format.kinds[event.do]?.fields ?? [])];
    const drop = element("button", { type: "button", textContent: say.dropEvent });
    drop.addEventListener("click", () => remove(selected));
    part("event-form").append(...names.map(makeField), element("p", { className: "row" }, drop));
    showForm();
  }

  /** @param {string} name */
  function makeField(name) {
    const field = format.fields[name];
    const id = `event-${name}`;
    const help = `${id}-help`;
    const given = { id, title: field.description, "aria-describedby": help };
    const choices = name === "do" ? Object.keys(format.kinds) : field.enum;
    const input = choices
      ? element(
          "select",
          given,
          ...choices.map((/** @type {string} */ text) => element("option", { textContent: text })),
        )
      : element("input", {
          ...given,
          type: "text",
          spellcheck: false,
          autocomplete: "off",
          placeholder: written(field.default),
        });
    const problem = element("small", { className: "problem", hidden: true, role: "alert" });
    input.addEventListener("change", () => {
      const event = now.events[selected];
      if (!event) return;
      const value = input.value.trim() === "" ? undefined : typed(input.value.trim());
      const needed = name === "at" || format.kinds[event.do]?.required.includes(name);
      const good =
        (value === undefined ? !needed : accepts(field, value)) && !(name === "at" && (seconds(value) ?? 0) > now.end);
      input.setAttribute("aria-invalid", String(!good));
      problem.hidden = good;
      problem.textContent = `${say.allowed}: ${name === "at" ? `0s … ${now.scenario.duration}` : allowed(field)}`;
      if (!good) return;
      const next = name === "do" ? withKind(event, String(value), format, now.scenario) : withField(event, name, value);
      become(now.events.map((other, i) => (i === selected ? next : other)));
    });
    formFields.push({ name, input, problem });
    return element(
      "div",
      { className: "event-field" },
      element("label", { htmlFor: id, textContent: name }),
      input,
      element("small", { id: help, textContent: field.description }),
      problem,
    );
  }

  function showForm() {
    const event = now.events[selected];
    for (const { name, input, problem } of formFields) {
      // What somebody types stays until it is taken.
      if (document.activeElement === input && input instanceof HTMLInputElement) continue;
      const standard = input instanceof HTMLSelectElement ? format.fields[name].default : undefined;
      input.value = written(event?.[name] ?? standard);
      input.removeAttribute("aria-invalid");
      problem.hidden = true;
    }
  }

  part("add-event").addEventListener("click", () => {
    const place = selected < 0 ? now.events.length : selected + 1;
    selected = place;
    become([...now.events.slice(0, place), newEvent(now.scenario), ...now.events.slice(place)]);
    handles[place]?.focus();
  });
  part("reset-events").addEventListener("click", () => {
    selected = -1;
    change("events", undefined, false);
  });

  return {
    /**
     * @param {any} scenario of the side that is edited
     * @param {object} given
     * @param {boolean} given.isSet whether the events are the reader's own
     * @param {string} given.owner the file and the side; another one has nothing chosen
     * @param {import("./words.mjs").Words} given.words
     */
    show(scenario, { isSet, owner, words }) {
      say = words;
      const spans = eventSpans(scenario, format);
      box.hidden = spans === null;
      if (spans === null) return;
      const fits = spans.length <= most;
      part("event-editor").hidden = !fits;
      part("events-count").textContent = fits ? `(${spans.length})` : `(${figure(spans.length)}: ${words.manyEvents})`;
      if (!fits) return;
      now = { scenario, events: scenario.events ?? [], spans, end: seconds(scenario.duration) ?? 1 };
      if (owner !== whose) {
        selected = -1;
        if (spans.length > 0) box.open = true;
      }
      whose = owner;
      part("track-end").textContent = written(scenario.duration);
      /** @type {HTMLButtonElement} */ (part("reset-events")).disabled = !isSet;
      draw();
    },
  };
}
