import assert from "node:assert/strict";
import { test } from "node:test";

import type { TraceExecutionResult, TraceStep } from "../src/operations.ts";
import { parsePlace, partsOf, traceTree, type TraceNode } from "../src/trace_tree.ts";

function step(depth: number, callee: string, more: Partial<TraceStep> = {}): TraceStep {
  return { depth, caller: "main", callee, path: "a.py", line: depth, kind: "function", defined_at: `${callee}.py:7`, ...more } as TraceStep;
}

function trace(steps: TraceStep[]): TraceExecutionResult {
  return {
    entry: "main", entry_kind: "function", entry_at: "main.py:1", to: "", to_at: "", steps, truncated: false, looked_at: 0,
    tokens: 0, max_tokens: 0, hint: "", outcome: "found", unsaved: [],
    index: { generation: 0, phase: "ready", files: 1, pending: 0, chunks: 0, embedded: 0 },
  } as TraceExecutionResult;
}

function shape(node: TraceNode): unknown {
  return node.children.length === 0 ? node.name : [node.name, ...node.children.map(shape)];
}

test("steps nest by depth", () => {
  const tree = traceTree(trace([step(1, "a"), step(2, "b"), step(3, "c"), step(2, "d"), step(1, "e")]));
  assert.deepEqual(shape(tree), ["main", ["a", ["b", "c"], "d"], "e"]);
  assert.deepEqual(tree.definition, { path: "main.py", line: 1 });
});

test("callers lead to the caller", () => {
  const tree = traceTree(trace([step(1, "main", { caller: "boot", direction: "callers" })]));
  assert.deepEqual(shape(tree), ["main", "boot"]);
});

test("what is cut can go on; cycles and guesses say so", () => {
  const tree = traceTree(trace([step(1, "a", { cut: true }), step(1, "b", { cycle: true, ambiguous: 3, count: 2 })]));
  assert.deepEqual(tree.children.map((each) => each.isCut), [true, false]);
  assert.deepEqual(tree.children[1]?.remarks, ["already on this way", "likeliest of 3"]);
  assert.equal(tree.children[1]?.call?.count, 2);
});

test("depths that make no sense lose nothing", () => {
  assert.deepEqual(shape(traceTree(trace([step(5, "a"), step(0, "b")]))), ["main", "a", "b"]);
});

test("places have a file and a line", () => {
  assert.deepEqual(parsePlace("a:b.py:12"), { path: "a:b.py", line: 12 });
  for (const wrong of ["", "a.py", ":3", "a.py:x", "a.py:0"]) {
    assert.equal(parsePlace(wrong), null, wrong);
  }
});

test("a name stands apart from its container", () => {
  assert.deepEqual(partsOf("Engine.cool_down"), { name: "cool_down", container: "Engine" });
  assert.deepEqual(partsOf("main"), { name: "main", container: "" });
});
