// What a search brings back, as lines of a quick pick: plain data, so that it can be tested without an editor.

import type { FindSimilarResult, IndexState, SearchCodeResult, SearchHit } from "./operations.ts";
import { withoutIcons } from "./shown_text.ts";
import { spelled } from "./wording.ts";

/** A stretch of lines of a file, counted from 1, both ends included. */
export interface Place {
  file: string;
  firstLine: number;
  lastLine: number;
  /** The line that matches best; null where that is not told. */
  matchLine: number | null;
  /** The name to put the cursor on, which stands on one of the first lines; empty for none. */
  name: string;
}

/** One line of the pick. Without a `place` it only tells something. */
export interface ResultPick {
  label: string;
  description: string;
  detail: string;
  place: Place | null;
}

const ICONS = new Set([
  "array", "boolean", "class", "constant", "constructor", "enum", "enum-member", "event", "field", "file", "function",
  "interface", "key", "method", "module", "namespace", "number", "object", "operator", "package", "property", "string",
  "struct", "type-parameter", "variable",
]);

export function kindIcon(kind: string): string {
  const name = kind.replaceAll(" ", "-");
  return ICONS.has(name) ? `$(symbol-${name})` : "$(file)";
}

/** The results of one root, best first; `folder` names the root where there are several. */
export function picksOf(hits: SearchHit[], folder: string): ResultPick[] {
  return hits.map((hit) => ({
    label: `${kindIcon(hit.symbol_type)} ${withoutIcons(nameOf(hit))}`,
    description: withoutIcons(`${folder === "" ? "" : `${folder} • `}${hit.path}:${matchLine(hit) ?? hit.line_start}`),
    detail: withoutIcons(hit.why),
    place: hit.absolute_path === null ? null : {
      file: hit.absolute_path,
      firstLine: hit.line_start,
      lastLine: hit.line_end,
      matchLine: matchLine(hit),
      name: hit.symbol_name,
    },
  }));
}

function matchLine(hit: SearchHit): number | null {
  return hit.match_line > 0 ? hit.match_line : null;
}

function nameOf(hit: SearchHit): string {
  if (hit.symbol_name === "") {
    return hit.path.slice(hit.path.lastIndexOf("/") + 1);
  }
  return hit.parent === "" ? hit.symbol_name : `${hit.parent}.${hit.symbol_name}`;
}

/** What to say below the results, or in place of them: why there are none, or that there will be more. */
export function remark(answers: Array<SearchCodeResult | FindSimilarResult>): ResultPick | null {
  const unready = answers.find((answer) => answer.outcome === "not_indexed" || isIndexing(answer.index));
  if (unready !== undefined) {
    return note("$(sync~spin) Indexing", indexedSoFar(unready.index), "What is there so far is searched.");
  }
  if (answers.every((answer) => answer.results.length === 0)) {
    return note("$(circle-slash) No match", "", spelled(answers.find((answer) => answer.hint !== "")?.hint ?? ""));
  }
  const missing = answers.find((answer) => answer.coverage.missing !== "")?.coverage.missing ?? "";
  return missing === "" ? null : note("$(info) Not everything was searched", "", missing);
}

/** The line for a search that failed. */
export function failure(message: string): ResultPick {
  return note("$(error) Failed", "", spelled(message));
}

/** The line for a question that was not asked, since something in it makes no sense. */
export function notAsked(problem: string): ResultPick {
  return note("$(warning) Not searched", "", problem);
}

export function isIndexing(index: IndexState): boolean {
  return index.phase === "starting" || index.phase === "scanning" || index.phase === "indexing";
}

/** Say how far the index is: `1,200 of 7,500 files`. */
export function indexedSoFar(index: IndexState): string {
  if (index.files === 0) {
    return "just begun";
  }
  const count = (value: number) => value.toLocaleString("en-US");
  return `${count(Math.max(0, index.files - index.pending))} of ${count(index.files)} files`;
}

function note(label: string, description: string, detail: string): ResultPick {
  return { label, description, detail: withoutIcons(detail), place: null };
}
