import assert from "node:assert/strict";
import { test } from "node:test";

import type { IndexState, SearchCodeResult, SearchHit } from "../src/operations.ts";
import { failure, indexedSoFar, kindIcon, picksOf, remark } from "../src/result_picks.ts";

const READY: IndexState = { generation: 1, phase: "ready", files: 10, pending: 0, chunks: 0, embedded: 0 };
const HIT = {
  path: "src/engine.py", line_start: 4, line_end: 9, symbol_name: "cool_down", symbol_type: "method", language: "python",
  parent: "Engine", signature: "def cool_down(self)", score: 0.9, similarity: 0.4, why: "words, meaning 0.40",
  match_line: 0,
  code_snippet: "", absolute_path: "/code/src/engine.py",
} as SearchHit;

function answer(change: Partial<SearchCodeResult>): SearchCodeResult {
  return {
    results: [], total: 0, page: 1, truncated: false, intent: "", strategy: "words", coverage: { searched: [], missing: "" },
    hint: "", index: READY, outcome: "found", unsaved: [], ...change,
  } as SearchCodeResult;
}

test("a definition stands with its container, its place and why it is there", () => {
  assert.deepEqual(picksOf([HIT], ""), [{
    label: "$(symbol-method) Engine.cool_down",
    description: "src/engine.py:4",
    detail: "words, meaning 0.40",
    place: { file: "/code/src/engine.py", firstLine: 4, lastLine: 9, matchLine: null, name: "cool_down" },
  }]);
});

test("a piece of code is called by the line that matches", () => {
  const [pick] = picksOf([{ ...HIT, match_line: 7 }], "");
  assert.equal(pick?.description, "src/engine.py:7");
  assert.equal(pick?.place?.matchLine, 7);
});

test("a piece without a name stands with its file's, and the root where there are several", () => {
  const [pick] = picksOf([{ ...HIT, symbol_name: "", parent: "", symbol_type: "" }], "shop");
  assert.equal(pick?.label, "$(file) engine.py");
  assert.equal(pick?.description, "shop • src/engine.py:4");
});

test("kinds of two words have icons", () => {
  assert.equal(kindIcon("enum member"), "$(symbol-enum-member)");
  assert.equal(kindIcon("no such kind"), "$(file)");
});

test("no match, indexing, failed and incomplete differ", () => {
  const indexing: IndexState = { ...READY, phase: "indexing", files: 7500, pending: 6300 };
  const found = answer({ results: [HIT] });
  assert.equal(remark([found]), null);
  assert.equal(remark([answer({ outcome: "no_match", hint: "without lang:" })])?.label, "$(circle-slash) No match");
  assert.equal(remark([found, answer({ index: indexing })])?.description, "1,200 of 7,500 files");
  assert.equal(remark([answer({ outcome: "not_indexed" })])?.label, "$(sync~spin) Indexing");
  const missing = answer({ results: [HIT], coverage: { searched: ["text"], missing: "no vectors yet" } });
  assert.equal(remark([missing])?.detail, "no vectors yet");
  assert.equal(failure("the engine is gone").detail, "the engine is gone");
});

test("an index that has just begun has no count", () => {
  assert.equal(indexedSoFar({ ...READY, files: 0, phase: "starting" }), "just begun");
});
