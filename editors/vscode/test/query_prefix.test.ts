import assert from "node:assert/strict";
import { test } from "node:test";

import { parseQuery, type Typed } from "../src/query_prefix.ts";

const cases: Array<[string, Typed["parameters"]]> = [
  ["where is it started", { query: "where is it started" }],
  ["lang:go where is it started", { query: "where is it started", language: "go" }],
  ["where path:src/**/*.py is it", { query: "where is it", file_filter: "src/**/*.py" }],
  ['path:"my tool/" kind:method  x', { query: "x", file_filter: "my tool/", kind: "method" }],
  ["tests:only retry", { query: "retry", tests: "only" }],
  ["kind:enum-member retry", { query: "retry", kind: "enum member" }],
  ["by:semantic max:50 retry", { query: "retry", search_type: "semantic", max_results: 50 }],
  ['  "two  words" ', { query: '"two  words"' }],
  ["lang: retry", { query: "retry" }],
  ['path:"unfinished', { query: "", file_filter: "unfinished" }],
  ["lang:go lang:rust x", { query: "x", language: "rust" }],
  ["slang:go std::path:x", { query: "slang:go std::path:x" }],
  ["  ", { query: "" }],
];

for (const [typed, expected] of cases) {
  test(`reads ${JSON.stringify(typed)}`, () => {
    assert.deepEqual(parseQuery(typed), { parameters: expected, problem: "" });
  });
}

test("a filter with a value that it does not take is told, not dropped", () => {
  assert.equal(parseQuery("tests:sometimes x").problem, "tests: takes auto, include, exclude or only, not sometimes.");
  assert.equal(parseQuery("max:0 x").problem, "max: takes a number from 1 to 500, not 0.");
  assert.equal(parseQuery("by:luck max:many x").problem.split(". ").length, 2);
});
