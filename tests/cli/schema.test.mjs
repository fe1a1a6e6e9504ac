// The schema that editors read is the one that the parser's table gives.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

test("web/scenario.schema.json is what the command prints (else: cachecast schema > web/scenario.schema.json)", async () => {
  const { stdout } = spawnSync(process.env.CACHECAST ?? "build/native/cachecast", ["schema"], { encoding: "utf8" });
  assert.equal(await readFile(new URL("../../web/scenario.schema.json", import.meta.url), "utf8"), stdout);
});
