// The definition around a line.

import type { SymbolRecord } from "./operations.ts";

/** The innermost of a file's definitions that a line, counted from 0, lies in; null outside of all. */
export function enclosing(symbols: SymbolRecord[], line: number): { first: number; last: number } | null {
  let best: { first: number; last: number } | null = null;
  for (const { span } of symbols) {
    if (span == null || line < span.start.line || line > lastLine(span)) {
      continue;
    }
    const found = { first: span.start.line, last: lastLine(span) };
    if (best === null || found.last - found.first <= best.last - best.first) {
      best = found;
    }
  }
  return best;
}

/** A stretch that ends before the first character of a line does not reach into it. */
function lastLine({ start, end }: NonNullable<SymbolRecord["span"]>): number {
  return end.character === 0 && end.line > start.line ? end.line - 1 : end.line;
}
