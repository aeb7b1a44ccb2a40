import assert from "node:assert/strict";
import { test } from "node:test";

import type { StatusResult } from "../src/operations.ts";
import { statusReport } from "../src/status_report.ts";
import { INITIAL_STATE, isPaused, isUnfinished, statusText, type ServerState } from "../src/status_text.ts";

const STATUS = {
  root: "/code/shop", symbols: 4321, references: 9, languages: [{ language: "python", files: 3, symbols: 4321, with_errors: 1 }],
  skipped: [{ reason: "binary", files: 2 }], most_used: [], unsaved_documents: 1, sessions: [], source_bytes: 3_000_000,
  semantic: { phase: "ready", model: "built-in", pending: 0, message: "" }, index_bytes: 512, index_folder: "/cache/shop",
  log_path: "/cache/shop/log", head: null, watcher: "own", engine_pid: 7, worker_pids: [8], memory_bytes: 99, counters: {},
  warnings: [], version: "1", root_reason: "the folder", unsaved: [], outcome: "found",
  index: { generation: 1, phase: "ready", files: 1200, pending: 0, chunks: 20, embedded: 20 },
} as unknown as StatusResult;

function running(change: Partial<ServerState>): ServerState {
  return { ...INITIAL_STATE, life: "running", roots: [STATUS], ...change };
}

test("at rest it says how much there is", () => {
  assert.deepEqual(statusText(running({})), {
    text: "$(compass) Pilotfish", tooltip: "shop: 1,200 of 1,200 files, 4,321 definitions", severity: "none",
  });
});

test("where a workspace is not trusted it says what is limited", () => {
  assert.match(statusText(running({ isRestricted: true })).tooltip, /^Restricted Mode: agents are not offered.*\nshop: /);
});

test("vectors that are on their way are told, and none that are not wanted", () => {
  const index = { ...STATUS.index, chunks: 200, embedded: 51 };
  const label = (phase: StatusResult["semantic"]["phase"]) =>
    statusText(running({ roots: [{ ...STATUS, index, semantic: { ...STATUS.semantic, phase } }] })).tooltip;
  assert.match(label("embedding"), /definitions, 25% by meaning$/);
  assert.match(label("off"), /definitions$/);
  assert.match(label("ready"), /definitions$/);
});

test("a root is unfinished while symbols or vectors are to come", () => {
  const root = (phase: StatusResult["index"]["phase"], vectors: StatusResult["semantic"]["phase"]): StatusResult =>
    ({ ...STATUS, index: { ...STATUS.index, phase }, semantic: { ...STATUS.semantic, phase: vectors } });
  assert.ok(isUnfinished(root("indexing", "off")));
  assert.ok(isUnfinished(root("ready", "waiting")));
  assert.ok(!isUnfinished(root("ready", "ready")));
  assert.ok(!isUnfinished(root("paused", "paused")));
});

test("work shows its share", () => {
  const work = [{ title: "Indexing shop", message: "3 of 9", percentage: 33 }];
  const shown = statusText(running({ work, health: { health: "ok", quiescent: false } }));
  assert.equal(shown.text, "$(sync~spin) Pilotfish 33%");
  assert.ok(shown.tooltip.startsWith("Indexing shop: 3 of 9\n"));
});

test("trouble wins over work, and says what", () => {
  const shown = statusText(running({
    health: { health: "error", quiescent: true, message: "the disk is full" },
    work: [{ title: "Indexing", message: "", percentage: 1 }],
  }));
  assert.deepEqual([shown.severity, shown.tooltip.split("\n")[0]], ["error", "the disk is full"]);
});

test("paused, off, missing and failed are told apart", () => {
  const paused = running({ roots: [{ ...STATUS, index: { ...STATUS.index, phase: "paused" } }] });
  assert.ok(isPaused(paused));
  const states = [paused, ...(["off", "missing", "failed", "starting"] as const).map((life) => running({ life, reason: life }))];
  const shown = states.map((state) => statusText(state));
  assert.equal(new Set(shown.map((each) => `${each.text} ${each.tooltip}`)).size, states.length);
  assert.deepEqual(shown.map((each) => each.severity), ["none", "none", "warning", "error", "none"]);
});

test("the report has coverage, skips with reasons, size and what is pending", () => {
  const report = statusReport({ ...STATUS, index: { ...STATUS.index, phase: "indexing", pending: 40 } });
  for (const part of ["indexing, 40 files pending", "| python | 3 | 4,321 | 1 |", "| binary | 2 |", "3 MiB of source", "20 of 20"]) {
    assert.ok(report.includes(part), `${part} in\n${report}`);
  }
});

test("a name of the repository is text, not markup", () => {
  const report = statusReport({ ...STATUS, root: "/code/[x](command:evil)<img>\n# y" });
  assert.ok(report.startsWith("# /code/\\[x\\](command:evil)\\<img\\> \\# y\n"));
});
