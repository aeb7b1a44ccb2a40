import assert from "node:assert/strict";
import { test } from "node:test";

import { parseQuery } from "../src/query_prefix.ts";

const cases: Array<[string, ReturnType<typeof parseQuery>]> = [
  ["where is it started", { query: "where is it started" }],
  ["lang:go where is it started", { query: "where is it started", language: "go" }],
  ["where path:src/**/*.py is it", { query: "where is it", file_filter: "src/**/*.py" }],
  ['path:"my tool/" kind:method  x', { query: "x", file_filter: "my tool/", kind: "method" }],
  ["tests:only retry", { query: "retry", tests: "only" }],
  ["tests:sometimes retry", { query: "retry" }],
  ["lang: retry", { query: "retry" }],
  ['path:"unfinished', { query: "", file_filter: "unfinished" }],
  ["lang:go lang:rust x", { query: "x", language: "rust" }],
  ["slang:go std::path:x", { query: "slang:go std::path:x" }],
  ["  ", { query: "" }],
];

for (const [typed, expected] of cases) {
  test(`reads ${JSON.stringify(typed)}`, () => {
    assert.deepEqual(parseQuery(typed), expected);
  });
}
