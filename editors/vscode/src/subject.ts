// What a command is about: the name at the cursor.

import * as vscode from "vscode";

import type { Roots } from "./roots.ts";
import type { Server } from "./server.ts";

/** A name at the cursor, and the file of its definition where the cursor is on that. */
export interface Subject {
  name: string;
  root: string | null;
  file_hint?: string;
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
  const { root, file } = await roots.placeOf(document.uri);
  if (root === null || file === null) {
    return { name, root };
  }
  const { definitions } = await server().ask("pilotfish.getDefinition", { symbol_name: name, file_hint: file, root });
  const own = definitions.find((each) => each.path === file && each.line === selection.active.line + 1);
  if (own === undefined) {
    return { name, root };
  }
  return { name: own.container ? `${own.container}.${name}` : name, root, file_hint: file };
}
