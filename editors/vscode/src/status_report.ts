// The page that `Index Status` opens: what is indexed, what is not and why, and what is pending.

import type { StatusResult } from "./operations.ts";
import { visible } from "./shown_text.ts";

const MIB = 1024 * 1024;

/** The report on one root, as Markdown. */
export function statusReport(status: StatusResult): string {
  const { index, semantic } = status;
  const lines = [
    `# ${plain(status.root)}`,
    "",
    ...status.warnings.map((warning) => `> ${plain(warning)}`),
    ...(status.warnings.length > 0 ? [""] : []),
    `- State: ${index.phase}${index.pending > 0 ? `, ${count(index.pending)} files pending` : ""}`,
    `- Files: ${count(index.files)}, definitions: ${count(status.symbols)}, references: ${count(status.references)}`,
    `- Passages with vectors: ${count(index.embedded)} of ${count(index.chunks)}, ${vectorState(status)}`,
    `- Size: ${size(status.source_bytes)} of source, ${size(status.index_bytes)} of index in ${plain(status.index_folder)}`,
    `- Memory: ${size(status.memory_bytes)}, engine ${status.engine_pid}, ${status.worker_pids.length} workers`,
    `- Open documents: ${count(status.unsaved_documents)}`,
    ...known("Watcher", status.watcher),
    ...known("Root", status.root_reason),
    ...known("Vectors", semantic.message),
    ...known("Version", status.version),
    ...known("Log", status.log_path),
  ];
  lines.push(...table("Languages", ["Language", "Files", "Definitions", "With errors"], status.languages.map((each) => [
    plain(each.language), count(each.files), count(each.symbols), count(each.with_errors),
  ])));
  lines.push(...table("Not indexed", ["Reason", "Files"], status.skipped.map((each) => [
    plain(each.reason), count(each.files),
  ])));
  return `${lines.join("\n")}\n`;
}

function known(name: string, value: string): string[] {
  return value === "" ? [] : [`- ${name}: ${plain(value)}`];
}

function vectorState({ semantic }: StatusResult): string {
  const pending = semantic.pending > 0 ? `, ${count(semantic.pending)} files pending` : "";
  return `${semantic.phase}${pending}${semantic.model === "" ? "" : `, by ${plain(semantic.model)}`}`;
}

function table(title: string, head: string[], rows: string[][]): string[] {
  if (rows.length === 0) {
    return [];
  }
  const line = (cells: string[]) => `| ${cells.join(" | ")} |`;
  return ["", `## ${title}`, "", line(head), line(head.map(() => "---")), ...rows.map(line)];
}

/** Names come from the repository: they are text here, never markup. */
function plain(text: string): string {
  return visible(text.replace(/[\r\n]+/g, " ")).replace(/[\\`*_{}[\]<>#|!&]/g, "\\$&");
}

function count(value: number): string {
  return value.toLocaleString("en-US");
}

function size(bytes: number): string {
  return bytes < MIB ? `${count(Math.ceil(bytes / 1024))} KiB` : `${count(Math.round(bytes / MIB))} MiB`;
}
