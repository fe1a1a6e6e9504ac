// @ts-check
// What a reader takes away: links, text for documents, files; and reading such a file back.

/** @typedef {import("../charts/series.mjs").Report} Report */

/**
 * @param {string} name
 * @param {BlobPart} content
 * @param {string} type
 */
export function download(name, content, type) {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

/** @param {string} text as part of a file's name */
export function fileName(text) {
  return (
    text
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-|-$/g, "")
      .slice(0, 60) || "scenario"
  );
}

/** @param {Report} report */
export function csv(report) {
  const names = Object.keys(report.series).filter((name) => Array.isArray(report.series[name]));
  const length = report.series.end_s?.length ?? 0;
  const rows = Array.from({ length }, (_, i) => names.map((name) => report.series[name]?.[i] ?? "").join(","));
  return `${[names.join(","), ...rows].join("\n")}\n`;
}

/** Text of others inside Markdown. @param {string} text */
export function plain(text) {
  return text.replace(/[\\`*_{}[\]<>|#]/g, "\\$&").replace(/\s+/g, " ");
}

/**
 * @param {object} given
 * @param {string} given.name
 * @param {string} given.question
 * @param {string} given.url
 * @param {string[]} given.heads
 * @param {string[][]} given.rows
 */
export function markdown({ name, question, url, heads, rows }) {
  const line = (/** @type {string[]} */ cells) => `| ${cells.map(plain).join(" | ")} |`;
  return [
    `**${plain(name)}** ${plain(question)}`,
    "",
    line(heads),
    `|${heads.map((_, i) => (i === 0 ? "---" : "---:")).join("|")}|`,
    ...rows.map(line),
    "",
    `[${plain(name)}, live](${url})`,
    "",
  ].join("\n");
}

/** @param {string} text */
function attribute(text) {
  return text.replace(/&/g, "&amp;").replace(/"/g, "&quot;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
}

/**
 * @param {string} url
 * @param {string} title
 */
export function frame(url, title) {
  return `<iframe src="${attribute(url)}" title="${attribute(title)}" width="100%" height="640" loading="lazy"></iframe>`;
}

/** The largest file that is read, in bytes. */
export const largest = 4 << 20;

/**
 * A dropped file: a picture of this page gives its link, JSON its text; null for anything else.
 * @param {File} file
 * @returns {Promise<{ link: string } | { text: string } | null>}
 */
export async function readFile(file) {
  if (file.size > largest) return null;
  const text = await file.text();
  if (text.trimStart().startsWith("<")) {
    // Only our own pictures count, and these have one element without others in it: no parser meets foreign markup.
    const saved = /<metadata>([^<]*)<\/metadata>/
      .exec(text)?.[1]
      ?.replace(/&(lt|gt|quot|amp);/g, (_, name) => ({ lt: "<", gt: ">", quot: '"' })[String(name)] ?? "&");
    if (!saved) return null;
    try {
      const { link } = JSON.parse(saved);
      return typeof link === "string" ? { link } : null;
    } catch {
      return null;
    }
  }
  return { text };
}
