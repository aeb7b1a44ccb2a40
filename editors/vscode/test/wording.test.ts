import assert from "node:assert/strict";
import { test } from "node:test";

import { spelled } from "../src/wording.ts";

const cases: Array<[string, string]> = [
  [
    "Try again without language or with search_type=text; get_repo_status tells what is not indexed.",
    "Try again without lang: or with by:text; “Index Status” tells what is not indexed.",
  ],
  ["page=2 shows more.", "a larger max: shows more."],
  ["file_filter 'a[' is no pattern; send a glob", "path: 'a[' is no pattern; send a glob"],
  ["without doubt, count_items=3 and some_name stay", "without doubt, count_items=3 and some_name stay"],
];

for (const [advice, expected] of cases) {
  test(`spells ${JSON.stringify(advice)}`, () => {
    assert.equal(spelled(advice), expected);
  });
}
