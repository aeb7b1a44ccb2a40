// Who Uses This: the uses of the name at the cursor, where the editor shows references.

import * as vscode from "vscode";

import { relativeTo } from "./root_paths.ts";
import type { Roots } from "./roots.ts";
import type { Server } from "./server.ts";
import { tell } from "./telling.ts";

const MOST_USES = 500;

/** A name at the cursor, and the file of its definition where the cursor is on that. */
export interface Subject {
  name: string;
  root: string | null;
  file_hint?: string;
}

export async function whoUsesThis(server: () => Server, roots: Roots): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const subject = editor === undefined ? null : await subjectAt(editor, server, roots);
  if (editor === undefined || subject === null) {
    tell("There is no name at the cursor.");
    return;
  }
  const { name, root, ...hint } = subject;
  const answer = await server().ask("pilotfish.findUsages", {
    symbol_name: name, ...hint, include_context: false, max_results: MOST_USES, absolute_paths: true,
    ...(root === null ? {} : { root }),
  });
  const locations = answer.usages.flatMap(({ absolute_path, span: { start, end } }) => {
    const range = new vscode.Range(start.line, start.character, end.line, end.character);
    return absolute_path == null ? [] : [new vscode.Location(vscode.Uri.file(absolute_path), range)];
  });
  if (locations.length === 0) {
    tell(answer.outcome === "not_indexed" ? "The index is not ready yet." : `No uses of ${name} were found.`);
    return;
  }
  const { document, selection } = editor;
  await vscode.commands.executeCommand("editor.action.showReferences", document.uri, selection.active, locations);
}

/** The name at the cursor. On the line of its own definition, that one is meant. */
export async function subjectAt(
  editor: vscode.TextEditor, server: () => Server, roots: Roots,
): Promise<Subject | null> {
  const { document, selection } = editor;
  const range = document.getWordRangeAtPosition(selection.active);
  if (range === undefined) {
    return null;
  }
  const name = document.getText(range);
  const root = await roots.holding(document.uri);
  const file = root === null ? null : relativeTo(root, document.uri.fsPath);
  if (root === null || file === null) {
    return { name, root };
  }
  const { definitions } = await server().ask("pilotfish.getDefinition", { symbol_name: name, file_hint: file, root });
  const own = definitions.find((each) => each.path === file && each.line === selection.active.line + 1);
  if (own === undefined) {
    return { name, root };
  }
  return { name: own.container === "" ? name : `${own.container}.${name}`, root, file_hint: file };
}
