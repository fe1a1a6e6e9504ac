// The local server: types, headers, and that nothing outside the site can be read.

import assert from "node:assert/strict";
import { request } from "node:http";
import { after, before, test } from "node:test";
import { createSite } from "../../web/serve.mjs";

const site = createSite();
let port = 0;

/**
 * A request whose path is sent as it is; fetch() would clean it first.
 * @param {string} path
 * @param {string} [method]
 * @returns {Promise<{status: number, headers: import("node:http").IncomingHttpHeaders, body: string}>}
 */
function get(path, method = "GET") {
  return new Promise((resolve, reject) => {
    request({ host: "127.0.0.1", port, path, method }, (response) => {
      let body = "";
      response.setEncoding("utf8");
      response.on("data", (text) => {
        body += text;
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }));
    })
      .on("error", reject)
      .end();
  });
}

before(
  () =>
    new Promise((resolve) => {
      site.listen(0, "127.0.0.1", () => {
        const address = site.address();
        port = address && typeof address === "object" ? address.port : 0;
        resolve(undefined);
      });
    }),
);
after(() => site.close());

test("a module comes with its type and the policy", async () => {
  const { status, headers, body } = await get("/main.js?x=1");
  assert.equal(status, 200);
  assert.equal(headers["content-type"], "text/javascript; charset=utf-8");
  assert.equal(Number(headers["content-length"]), Buffer.byteLength(body));
  assert.match(String(headers["content-security-policy"]), /default-src 'none'/);
  assert.doesNotMatch(String(headers["content-security-policy"]), /unsafe-inline|'unsafe-eval'|\*/);
  assert.equal(headers["x-content-type-options"], "nosniff");
});

test("HEAD sends the length and no body", async () => {
  const { status, headers, body } = await get("/main.js", "HEAD");
  assert.equal(status, 200);
  assert.ok(Number(headers["content-length"]) > 0);
  assert.equal(body, "");
});

test("scenarios are part of the site", async () => {
  const { status, headers } = await get("/sims/published/four-configurations/table.json");
  assert.equal(status, 200);
  assert.equal(headers["content-type"], "application/json");
});

for (const path of [
  "/../LICENSE",
  "/..%2fLICENSE",
  "/%2e%2e/LICENSE",
  "/sims/../LICENSE",
  "/sims/%2e%2e/LICENSE",
  "/sims/..%5cLICENSE",
  "/sims%2f..%2fLICENSE",
  "//etc/passwd",
  "/sims//etc/passwd",
  "/%00",
  "/%",
  "/.git/config",
  "/sims",
  "/nothing.html",
  "*",
]) {
  test(`${path} is not found`, async () => {
    assert.equal((await get(path)).status, 404);
  });
}

test("other methods are refused", async () => {
  const { status, headers } = await get("/", "POST");
  assert.equal(status, 405);
  assert.equal(headers.allow, "GET, HEAD");
});
