import assert from "node:assert/strict";
import { test } from "node:test";

import { visible, withoutIcons, withoutLinks } from "../src/shown_text.ts";

test("what turns text round or is not seen is shown by its number", () => {
  assert.equal(visible("\u202egnp.exe.py"), "⟨U+202E⟩gnp.exe.py");
  assert.equal(visible("a\u001b[31mb\nc"), "a⟨U+001B⟩[31mb⟨U+000A⟩c");
  assert.equal(visible("\tnaïve 👩‍💻 می‌خواهم"), "\tnaïve 👩‍💻 می‌خواهم");
});

test("names are no icons and no links", () => {
  assert.equal(withoutIcons("$(zap) icon.py"), "\\$(zap) icon.py");
  assert.equal(withoutLinks("[ok](command:workbench.action.quit).py"), "[ok] (command:workbench.action.quit).py");
});
