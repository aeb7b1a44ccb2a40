// Bundles the extension into one file, which is all that VS Code loads.
import { build } from "esbuild";

await build({
  entryPoints: ["src/extension.ts"],
  outfile: "dist/extension.cjs",
  bundle: true,
  external: ["vscode"],
  platform: "node",
  format: "cjs",
  target: "node20",
  minify: true,
  sourcemap: process.argv.includes("--sourcemap"),
  legalComments: "eof",
});
