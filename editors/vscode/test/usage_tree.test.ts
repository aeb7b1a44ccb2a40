import assert from "node:assert/strict";
import { test } from "node:test";

import type { FindUsagesResult, Usage } from "../src/operations.ts";
import { usagesLeftOut, usageTree, type UsageNode } from "../src/usage_tree.ts";

const SPAN = { start: { line: 11, character: 4 }, end: { line: 11, character: 13 } };

function use(path: string, line: number, more: Partial<Usage> = {}): Usage {
  return {
    path, line, role: "call", certainty: "bound", span: SPAN, text: "cool_down()", container: "",
    absolute_path: `/code/${path}`, ...more,
  };
}

function answer(usages: Usage[], more: Partial<FindUsagesResult> = {}): FindUsagesResult {
  return {
    usages, total: usages.length, bound: 0, others: 0, at_least: false, page: 1, truncated: false, hint: "",
    index: { generation: 1, phase: "ready", files: 1, pending: 0, chunks: 0, embedded: 0 }, outcome: "found", unsaved: [],
    ...more,
  };
}

function shape(nodes: UsageNode[]): unknown {
  return nodes.map((node) => (node.children.length === 0 ? node.description : [node.label, ...(shape(node.children) as [])]));
}

test("what is bound stands before what only holds the name, each by file", () => {
  const uses = [use("a.py", 3), use("src/b.py", 4), use("a.py", 9), use("a.py", 20, { certainty: "name", role: "read" })];
  assert.deepEqual(shape(usageTree(answer(uses), "cool_down")), [
    ["Bound to the definition", ["a.py", ":3 · call", ":9 · call"], ["b.py", ":4 · call"]],
    ["Name only", ["a.py", ":20 · read"]],
  ]);
});

test("without a use of one certainty there is no heading for it", () => {
  const [only, ...others] = usageTree(answer([use("a.py", 3, { certainty: "name" })]), "cool_down");
  assert.deepEqual([only?.label, only?.description, others], ["Name only", "1", []]);
});

test("a use has its line, with the name marked, and its place", () => {
  const text = "cool_downs = cool_down(cool_down)";
  const [bound] = usageTree(answer([use("a.py", 12, { text, container: "Engine.stop" })]), "cool_down");
  const line = bound?.children[0]?.children[0];
  assert.deepEqual(line?.highlights.map(([from, to]) => [from, text.slice(from, to)]), [[13, "cool_down"], [23, "cool_down"]]);
  assert.equal(line?.description, ":12 · call · in Engine.stop");
  assert.match(line?.tooltip ?? "", /bound to the definition/);
  assert.deepEqual(line?.place, { file: "/code/a.py", span: SPAN });
});

test("a name far to the right is seen", () => {
  const text = "self.assertEqual(first_of(many), other_thing.cool_down(3))";
  const label = (line: string) => usageTree(answer([use("a.py", 1, { text: line })]), "cool_down")[0]?.children[0]?.children[0]?.label;
  assert.equal(label(text), "…other_thing.cool_down(3))");
  assert.equal(label("x".repeat(60) + ".cool_down()"), `…${"x".repeat(23)}.cool_down()`);
  assert.equal(label(`${"y".repeat(30)} = one + two + cool_down()`), "…= one + two + cool_down()");
});

test("what is not shown is said", () => {
  const uses = [use("a.py", 3)];
  assert.equal(usagesLeftOut(answer(uses)), "");
  assert.equal(usagesLeftOut(answer(uses, { total: 1200, truncated: true })), "The first 1 of 1,200.");
  assert.equal(usagesLeftOut(answer(uses, { total: 9, truncated: true, at_least: true })), "The first 1 of at least 9.");
  assert.match(usagesLeftOut(answer(uses, { at_least: true, others: 1 })), /^There may be more.* 1 line means another/);
});
