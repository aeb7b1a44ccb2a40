// The calls of a trace as a tree.

import type { TraceExecutionResult, TraceStep } from "./operations.ts";

/** One definition on the way, the call that leads to it, and where it is defined. */
export interface TraceNode {
  name: string;
  kind: string;
  /** The call: its file, relative to the root, and its line from 1; null for where the trace begins. */
  call: { path: string; line: number; count: number } | null;
  definition: { path: string; line: number } | null;
  /** Why nothing follows, or what to know about it. */
  remarks: string[];
  /** It goes on beyond the depth of this trace. */
  isCut: boolean;
  children: TraceNode[];
}

/** Put the steps, which stand as in an indented list, below where the trace begins. */
export function traceTree(trace: TraceExecutionResult): TraceNode {
  const root: TraceNode = {
    name: trace.entry,
    kind: trace.entry_kind,
    call: null,
    definition: parsePlace(trace.entry_at),
    remarks: trace.truncated ? ["more than is shown"] : [],
    isCut: false,
    children: [],
  };
  const way = [root];
  for (const step of trace.steps) {
    const depth = Math.min(Math.max(step.depth, 1), way.length);
    const node = nodeOf(step);
    way[depth - 1]?.children.push(node);
    way.splice(depth, way.length, node);
  }
  return root;
}

/** Read `src/app.py:12`. */
export function parsePlace(text: string): { path: string; line: number } | null {
  const cut = text.lastIndexOf(":");
  const line = Number(text.slice(cut + 1));
  return cut > 0 && Number.isInteger(line) && line > 0 ? { path: text.slice(0, cut), line } : null;
}

/** Take `Engine.cool_down` apart: names that differ are to be seen in a narrow side bar. */
export function partsOf(qualified: string): { name: string; container: string } {
  const cut = qualified.lastIndexOf(".");
  return { name: qualified.slice(cut + 1), container: qualified.slice(0, Math.max(cut, 0)) };
}

function nodeOf(step: TraceStep): TraceNode {
  return {
    name: step.direction === "callers" ? step.caller : step.callee,
    kind: step.kind,
    call: { path: step.path, line: step.line, count: step.count ?? 1 },
    definition: parsePlace(step.defined_at),
    remarks: remarksOn(step),
    isCut: step.cut ?? false,
    children: [],
  };
}

function remarksOn(step: TraceStep): string[] {
  const remarks: string[] = [];
  if (step.role === "implementation") remarks.push("implementation");
  if (step.cycle) remarks.push("already on this way");
  if (step.repeated) remarks.push("shown above");
  if (step.ambiguous) remarks.push(`likeliest of ${step.ambiguous}`);
  return remarks;
}
