// Serves the page on this machine only: node web/serve.mjs [PORT]. The site itself needs no server of its own; any
// static host that gets the folder web/dist will do.

import { createReadStream } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { createServer } from "node:http";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

// What a path of the site stands for. The longest prefix decides.
const places = [
  { prefix: "/sims/", target: path.join(root, "sims") },
  { prefix: "/", target: path.join(root, "web/dist") },
];

/** @type {Record<string, string>} */
const types = {
  ".css": "text/css; charset=utf-8",
  ".csv": "text/csv; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".md": "text/markdown; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".wasm": "application/wasm",
  ".woff2": "font/woff2",
};

// Only what the page brings itself may run or load. WebAssembly counts as code that is compiled at run time.
const policy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self' blob:",
  "frame-src 'self'",
  "frame-ancestors 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

const headers = {
  "Content-Security-Policy": policy,
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cache-Control": "no-cache",
};

/**
 * The file for a request path, or null. The path is decoded once and then resolved; a result outside its place, also
 * through a symbolic link, counts as absent. So do hidden files.
 * @param {string} requested the path of the URL, still encoded
 * @returns {Promise<{file: string, size: number} | null>}
 */
export async function locate(requested) {
  let decoded;
  try {
    decoded = decodeURIComponent(requested);
  } catch {
    return null;
  }
  if (!decoded.startsWith("/") || /[\0\\]/.test(decoded) || decoded.split("/").some((part) => part.startsWith("."))) {
    return null;
  }
  const place = places.find(({ prefix }) => (prefix.endsWith("/") ? decoded.startsWith(prefix) : decoded === prefix));
  if (!place) return null;
  try {
    const base = await realpath(place.target);
    let file = await realpath(path.join(base, decoded.slice(place.prefix.length)));
    if (file !== base && !file.startsWith(base + path.sep)) return null;
    let found = await stat(file);
    if (found.isDirectory()) {
      if (!decoded.endsWith("/")) return null;
      file = path.join(file, "index.html");
      found = await stat(file);
    }
    return found.isFile() ? { file, size: found.size } : null;
  } catch {
    return null;
  }
}

export function createSite() {
  return createServer(async (request, response) => {
    /** @param {number} status @param {string} text */
    const refuse = (status, text) => {
      response.writeHead(status, { ...headers, "Content-Type": "text/plain; charset=utf-8" });
      response.end(request.method === "HEAD" ? undefined : `${text}\n`);
    };
    if (request.method !== "GET" && request.method !== "HEAD") {
      response.setHeader("Allow", "GET, HEAD");
      return refuse(405, "only GET and HEAD");
    }
    const found = await locate((request.url ?? "/").replace(/[?#].*$/s, ""));
    if (!found) return refuse(404, "not found");
    const type = types[path.extname(found.file).toLowerCase()] ?? "application/octet-stream";
    response.writeHead(200, { ...headers, "Content-Type": type, "Content-Length": found.size });
    if (request.method === "HEAD") return response.end();
    createReadStream(found.file)
      .on("error", () => response.destroy())
      .pipe(response);
  });
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const port = Number(process.argv[2] ?? 8000);
  if (!Number.isInteger(port) || port < 0 || port > 65535) {
    console.error(`serve: "${process.argv[2]}" is no port; it must be a number from 0 to 65535`);
    process.exit(2);
  }
  const site = createSite();
  site.on("error", (error) => {
    console.error(`serve: ${error.message}`);
    process.exit(1);
  });
  site.listen(port, "127.0.0.1", () => {
    const address = site.address();
    if (address && typeof address === "object") console.log(`http://127.0.0.1:${address.port}/`);
  });
}
