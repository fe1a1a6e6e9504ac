// @ts-check
// When the events of a scenario happen and how long they last, as the charts shade it and the page's time line shows it.

import { quantity } from "./figures.mjs";

/**
 * @typedef {object} EventFormat what the schema says of events
 * @property {Record<string, any>} fields by name
 * @property {Record<string, { fields: string[], required: string[] }>} kinds by what an event does: what applies to it
 *
 * @typedef {object} EventSpan in seconds
 * @property {string} label what happens
 * @property {number} from
 * @property {number | null} to null: it takes no time
 *
 * @typedef {EventSpan & { side: "a" | "b" }} Span
 */

/** More are not drawn. */
const most = 100;

/** A duration of a scenario, in seconds; null when it is none. @param {unknown} value */
export function seconds(value) {
  const found = typeof value === "string" ? quantity(value) : null;
  return found?.dimension === "duration" ? found.number / 1e9 : null;
}

/**
 * The events of a scenario, which may be anybody's; null where they cannot be understood.
 * @param {any} scenario
 * @param {EventFormat} format
 * @returns {EventSpan[] | null}
 */
export function eventSpans(scenario, format) {
  const end = seconds(scenario?.duration);
  const events = scenario?.events ?? [];
  if (!end || !Array.isArray(events)) return null;
  const spans = [];
  for (const event of events) {
    const label = event?.do;
    const from = seconds(event?.at);
    const kind = typeof label === "string" && Object.hasOwn(format.kinds, label) ? format.kinds[label] : undefined;
    const length = event?.for === null || event?.for === undefined ? end : seconds(event.for);
    if (!kind || from === null || length === null) return null;
    const to = kind.fields.includes("for") ? Math.min(end, from + length) : null;
    spans.push({ label, from: Math.min(end, from), to });
  }
  return spans;
}

/**
 * What a chart of one or both sides shades: A's, and B's where they differ.
 * @param {{ side: "a" | "b", scenario: any }[]} sides
 * @param {EventFormat} format
 * @returns {Span[]}
 */
export function spansOf(sides, format) {
  const found = sides.map(({ side, scenario }) => ({
    side,
    events: (eventSpans(scenario, format) ?? []).slice(0, most),
  }));
  const [a, b] = found.map(({ events }) => JSON.stringify(events));
  const differ = b !== undefined && a !== b;
  return (differ ? found : found.slice(0, 1)).flatMap(({ side, events }) =>
    events.map((event) => ({ ...event, side, label: differ ? `${side.toUpperCase()} ${event.label}` : event.label })),
  );
}
