import assert from "node:assert/strict";
import { test } from "node:test";

import { enclosing } from "../src/enclosing.ts";
import type { SymbolRecord } from "../src/operations.ts";

function symbol(first: number, last: number, column = 3): SymbolRecord {
  const span = { start: { line: first, character: 0 }, end: { line: last, character: column } };
  return { name: "x", kind: "function", path: "a.py", line: first + 1, name_span: span, span } as SymbolRecord;
}

test("the innermost definition around a line is meant", () => {
  const symbols = [symbol(0, 20), symbol(2, 8), symbol(4, 6), symbol(10, 12)];
  assert.deepEqual(enclosing(symbols, 5), { first: 4, last: 6 });
  assert.deepEqual(enclosing(symbols, 8), { first: 2, last: 8 });
  assert.deepEqual(enclosing(symbols, 9), { first: 0, last: 20 });
  assert.equal(enclosing(symbols, 21), null);
});

test("an end before the first character of a line is not in it", () => {
  assert.equal(enclosing([symbol(2, 8, 0)], 8), null);
  assert.equal(enclosing([{ ...symbol(0, 9), span: null }], 3), null);
});
