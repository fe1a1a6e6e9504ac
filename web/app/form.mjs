// @ts-check
// The form of all settings, built from what the JSON Schema of the scenario format says, and the few sliders of an
// experiment.

import { figure, quantity, writtenAs } from "../charts/figures.mjs";
import { element } from "./dom.mjs";
import { isObject, valueAt } from "./state.mjs";

/** @typedef {import("./state.mjs").SliderSpec} SliderSpec */
/** @typedef {(path: string, value: unknown, live: boolean) => void} Change */
/** @typedef {Record<string, any>} Fields what the schema says, by dotted path */

const STEPS = 200;

/** @param {unknown} value */
export function written(value) {
  if (value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/**
 * What was typed, as a value: JSON where it is JSON, else a string, as the command reads --set.
 * @param {string} text
 */
export function typed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/**
 * Slider positions 0..STEPS and values, logarithmic where the range spans decades.
 * @param {SliderSpec} spec
 */
export function scaleOf({ min, max }) {
  const low = quantity(typed(min)) ?? { number: 0, dimension: /** @type {const} */ ("number") };
  const high = quantity(typed(max))?.number ?? 1;
  const from = low.number;
  const logarithmic = from > 0 && high / from >= 50;
  const whole = low.dimension === "number" && Number.isInteger(from) && Number.isInteger(high) && high - from >= 2;
  return {
    low: from,
    high,
    dimension: low.dimension,
    /** @param {number} number */
    position(number) {
      const inside = Math.min(high, Math.max(from, number));
      const share = logarithmic ? Math.log(inside / from) / Math.log(high / from) : (inside - from) / (high - from);
      return Math.round(share * STEPS);
    },
    /** @param {number} position */
    value(position) {
      const share = position / STEPS;
      const number = logarithmic ? from * (high / from) ** share : from + share * (high - from);
      const kept = position === 0 ? from : position === STEPS ? high : Number(number.toPrecision(2));
      return writtenAs(whole ? Math.round(kept) : kept, low.dimension);
    },
  };
}

/**
 * @param {SliderSpec[]} specs
 * @param {object} given
 * @param {(path: string) => string} given.name
 * @param {(path: string) => string} given.help
 * @param {(path: string) => unknown} given.standard the format's default
 * @param {import("./words.mjs").Words} given.words
 * @param {Change} given.change
 */
export function buildSliders(specs, { name, help, standard, words, change }) {
  const rows = specs.map((spec) => {
    const scale = scaleOf(spec);
    const id = `slider-${spec.path.replaceAll(".", "-")}`;
    const range = element("input", {
      type: "range",
      id,
      min: "0",
      max: String(STEPS),
      step: "1",
      title: help(spec.path),
    });
    const field = element("input", {
      type: "text",
      size: 8,
      "aria-label": name(spec.path),
      spellcheck: false,
      autocomplete: "off",
    });
    const reset = element("button", { type: "button", className: "quiet", textContent: words.resetOne });
    reset.setAttribute("aria-label", `${words.resetOne}: ${name(spec.path)}`);
    const mark = element("span", { className: "mark", "aria-hidden": "true" });
    const other = element("span", { className: "other" });
    const problem = element("p", { className: "problem", hidden: true, id: `${id}-problem` });
    const row = element(
      "div",
      { className: "slider" },
      element("label", { htmlFor: id, textContent: name(spec.path), title: `${spec.path}: ${help(spec.path)}` }),
      field,
      reset,
      element("span", { className: "track" }, range, mark),
      other,
      problem,
    );
    range.addEventListener("input", () => change(spec.path, scale.value(Number(range.value)), true));
    range.addEventListener("change", () => change(spec.path, scale.value(Number(range.value)), false));
    range.addEventListener("keydown", (event) => {
      const step = { PageUp: 10, PageDown: -10 }[event.key];
      if (step === undefined) return;
      event.preventDefault();
      range.value = String(Number(range.value) + step);
      change(spec.path, scale.value(Number(range.value)), false);
    });
    field.addEventListener("change", () => {
      const value = typed(field.value.trim());
      const good = value === null || quantity(value) !== null;
      problem.hidden = good;
      field.setAttribute("aria-invalid", String(!good));
      if (good) change(spec.path, value, false);
      else {
        problem.textContent = `${words.allowed}: ${spec.min} … ${spec.max}`;
        field.setAttribute("aria-describedby", problem.id);
      }
    });
    reset.addEventListener("click", () => change(spec.path, undefined, false));
    return {
      row,
      path: spec.path,
      /**
       * @param {any} mine the scenario of the side that is edited
       * @param {any} others the other's, or null
       * @param {boolean} isSet
       */
      show(mine, others, isSet) {
        const value =
          valueAt(mine, spec.path) ?? (mine[spec.path.split(".")[0] ?? ""] === null ? undefined : standard(spec.path));
        const number = quantity(value);
        if (document.activeElement !== field) {
          field.value = written(value);
          field.placeholder = words.off;
          problem.hidden = true;
          field.removeAttribute("aria-invalid");
        }
        if (number && document.activeElement !== range) range.value = String(scale.position(number.number));
        range.setAttribute("aria-valuetext", written(value) || words.off);
        reset.disabled = !isSet;
        const theirs = others ? valueAt(others, spec.path) : undefined;
        const there = theirs === undefined ? null : quantity(theirs);
        mark.hidden = there === null || written(theirs) === written(value);
        other.hidden = mark.hidden;
        if (there) {
          mark.style.setProperty("--at", String(scale.position(there.number) / STEPS));
          other.textContent = written(theirs);
        }
      },
    };
  });
  return rows;
}

/**
 * The schema's fields that a person can set one by one. What lies within arrays is left out: they are set as a whole.
 * @param {any} schema
 * @returns {Fields}
 */
export function fieldsOf(schema) {
  /** @type {Fields} */
  const fields = {};
  const inside = (/** @type {any} */ node, /** @type {string} */ path) => {
    const object = [node, ...(node.anyOf ?? [])].find((/** @type {any} */ choice) => choice.properties);
    if (!object) {
      fields[path] = JSON.parse(JSON.stringify(node, (name, value) => (name === "items" ? undefined : value)));
      return;
    }
    for (const [key, child] of Object.entries(object.properties)) inside(child, path ? `${path}.${key}` : key);
  };
  for (const [key, child] of Object.entries(schema.properties))
    if (!["$schema", "expect", "variants", "playground", "name", "question", "source", "notes"].includes(key))
      inside(child, key);
  return fields;
}

/**
 * What the schema says of events.
 * @param {any} schema
 * @returns {import("../charts/spans.mjs").EventFormat}
 */
export function eventFormat(schema) {
  const { properties, allOf } = schema.properties.events.items;
  return {
    fields: properties,
    kinds: Object.fromEntries(
      allOf.map((/** @type {any} */ { if: condition, then }) => [
        condition.properties.do.const,
        {
          fields: Object.keys(properties).filter(
            (name) => name !== "at" && name !== "do" && then.properties[name] !== false,
          ),
          required: then.required,
        },
      ]),
    ),
  };
}

/** The field at the path, or the one that it lies in. @param {Fields} fields @param {string} path @returns {any} */
export function fieldAt(fields, path) {
  const steps = path.split(".");
  for (; steps.length > 0; steps.pop()) if (Object.hasOwn(fields, steps.join("."))) return fields[steps.join(".")];
  return null;
}

/** @param {any} field @returns {string} what is allowed */
export function allowed(field) {
  const parts = [];
  const choices = [field, ...(field.anyOf ?? [])];
  for (const choice of choices) {
    const reference = choice.$ref?.split("/").at(-1);
    if (reference === "duration" || reference === "law") parts.push("2s, 150ms, 40us");
    if (reference === "law") parts.push('{"dist": …}');
    if (reference === "size") parts.push("1KiB");
    if (choice.minimum !== undefined && choice.maximum !== undefined)
      parts.push(`${figure(choice.minimum)} … ${figure(choice.maximum)}`);
    if (choice.type === "null") parts.push("null");
    if (choice.type === "array") parts.push("[…]");
  }
  return [...new Set(parts)].join(", ");
}

/**
 * @param {Fields} all
 * @param {Change} change
 */
export function buildForm(all, change) {
  /** @type {Map<string, HTMLElement[]>} */
  const groups = new Map();
  /** @type {{ path: string, input: HTMLInputElement | HTMLSelectElement, standard: unknown }[]} */
  const fields = [];
  for (const [path, field] of Object.entries(all)) {
    const id = `field-${path.replaceAll(".", "-")}`;
    const choices = field.enum ?? (field.type === "boolean" ? [true, false] : null);
    const input = choices
      ? element(
          "select",
          { id },
          ...choices.map((/** @type {unknown} */ value) => element("option", { textContent: String(value) })),
        )
      : element("input", {
          id,
          type: "text",
          spellcheck: false,
          autocomplete: "off",
          placeholder: written(field.default),
        });
    input.setAttribute("aria-describedby", `${id}-help`);
    input.addEventListener("change", () =>
      change(path, input.value === "" ? undefined : field.type === "string" ? input.value : typed(input.value), false),
    );
    fields.push({ path, input, standard: field.default });
    const dot = path.indexOf(".");
    const group = dot < 0 ? "run" : path.slice(0, dot);
    const hint = allowed(field);
    groups.set(group, [
      ...(groups.get(group) ?? []),
      element(
        "div",
        { className: "field" },
        element("label", { htmlFor: id, textContent: dot < 0 ? path : path.slice(dot + 1) }),
        input,
        element("small", { id: `${id}-help`, textContent: (field.description ?? "") + (hint ? ` (${hint})` : "") }),
      ),
    ]);
  }
  return {
    rows: [...groups].map(([name, rows]) =>
      element("details", {}, element("summary", { textContent: `${name} (${rows.length})` }), ...rows),
    ),
    /** @param {any} scenario */
    show(scenario) {
      for (const { path, input, standard } of fields) {
        if (document.activeElement === input) continue;
        const value = valueAt(scenario, path);
        input.value =
          input instanceof HTMLSelectElement
            ? String(value ?? standard)
            : isObject(value)
              ? JSON.stringify(value)
              : written(value);
      }
    },
  };
}
