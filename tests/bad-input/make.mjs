// Wrong scenarios that are too big for cases.json, or are no valid UTF-8.

const start = '{"name": "';
const rest = 'x", "duration": "10s", "workload": {"arrivals": {"rate": 10}}';

/** @type {Record<string, () => string | Buffer>} */
export const make = {
  deep: () => `${start}${rest}, "l1": ${"[".repeat(100000)}`,
  large: () => `${start}${rest}}${" ".repeat(17 << 20)}`,
  "truncated-utf8": () => Buffer.concat([Buffer.from(`${start}caf`), Buffer.from([0xc3]), Buffer.from(`${rest}}`)]),
  latin1: () => Buffer.from(`${start}caf\u00e9${rest}}`, "latin1"),
  overlong: () => Buffer.concat([Buffer.from(start), Buffer.from([0xc0, 0xaf]), Buffer.from(`${rest}}`)]),
  nul: () => `${start}${rest}}\0`,
  utf16: () => Buffer.from(`\ufeff${start}${rest}}`, "utf16le"),
  phases: () => {
    const phases = Array.from({ length: 17 }, (_, i) => `{"name": "p${i}", "at": "${i * 100}ms"}`);
    return `${start}${rest}, "phases": [${phases.join(", ")}]}`;
  },
};
