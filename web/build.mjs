// Bundles the pages that use libraries into build/web: node web/build.mjs.

import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));

await build({
  absWorkingDir: root,
  entryPoints: ["web/codec/page.mjs", "web/codec/worker.mjs"],
  outbase: "web",
  outdir: "build/web",
  bundle: true,
  format: "esm",
  target: "es2022",
  minify: true,
  legalComments: "linked",
  logLevel: "warning",
});
