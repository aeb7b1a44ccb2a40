import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { serverEnvironment, serverSettings, sessionSettings, type Inspected } from "../src/session_settings.ts";

const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf-8"));
const declared = serverSettings(manifest.contributes.configuration);

function inspecting(values: Record<string, Inspected>) {
  return (name: string) => values[name];
}

test("only what somebody has set is sent, the innermost first", () => {
  const inspect = inspecting({
    "features.hover": { globalValue: "off", workspaceValue: "full" },
    "search.max_results": { globalValue: 7, workspaceFolderValue: 9 },
    "features.definition": {},
  });
  assert.deepEqual(sessionSettings(declared, inspect), { features: { hover: "full" }, search: { max_results: 9 } });
});

test("what names stores, models, networks or paths is the machine's alone, and goes by the environment", () => {
  const inspect = inspecting({
    "semantic.model": { globalValue: "minilm", workspaceValue: "evil" },
    "network.enabled": { workspaceValue: true },
    "index.exclude": { globalValue: ["vendor/"] },
    "limits.workers": { globalValue: 2 },
    "features.hover": { globalValue: "off" },
  });
  assert.deepEqual(serverEnvironment(declared, inspect), {
    PILOTFISH_SEMANTIC_MODEL: "minilm",
    PILOTFISH_INDEX_EXCLUDE: '["vendor/"]',
    PILOTFISH_LIMITS_WORKERS: "2",
  });
  assert.deepEqual(sessionSettings(declared, inspect), { features: { hover: "off" } });
});

test("the extension's own settings are not the server's", () => {
  assert.ok(declared.has("features.hover"));
  assert.ok(![...declared.keys()].some((name) => /^(server|trace)\./.test(name)));
});

test("every command has an entry in the palette that can be reached, and every key a command", () => {
  const commands: string[] = manifest.contributes.commands.map((each: { command: string }) => each.command);
  assert.equal(new Set(commands).size, commands.length);
  for (const key of manifest.contributes.keybindings) {
    assert.ok(commands.includes(key.command), key.command);
  }
});
