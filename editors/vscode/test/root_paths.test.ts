import assert from "node:assert/strict";
import * as path from "node:path";
import { test } from "node:test";

import { relativeTo, within } from "../src/root_paths.ts";

test("files inside a root have a path with slashes", () => {
  assert.equal(relativeTo("/code/shop", "/code/shop/src/a b.py", path.posix), "src/a b.py");
  assert.equal(relativeTo("C:\\work", "c:\\work\\src\\a.py", path.win32), "src/a.py");
  assert.equal(relativeTo("/code/shop", "/code/shop/..hidden/a.py", path.posix), "..hidden/a.py");
});

test("what lies outside has none", () => {
  for (const file of ["/code/shop", "/code/shopping/a.py", "/etc/passwd"]) {
    assert.equal(relativeTo("/code/shop", file, path.posix), null, file);
  }
  assert.equal(relativeTo("C:\\work", "D:\\work\\a.py", path.win32), null);
});

test("a path leads to its file, and never out of the root", () => {
  assert.equal(within("/code/shop", "src/a.py", path.posix), "/code/shop/src/a.py");
  assert.equal(within("C:\\work", "src/a.py", path.win32), "C:\\work\\src\\a.py");
  for (const hostile of ["../other/a.py", "src/../../a.py", ""]) {
    assert.equal(within("/code/shop", hostile, path.posix), null, hostile);
  }
});
