// What a command is about: the place of the cursor, which the server reads a name or a definition from.

import type * as vscode from "vscode";

import type { Location } from "./operations.ts";
import type { Roots } from "./roots.ts";

/** Where an editor's cursor or selection is, as the server takes it. */
export function placeIn(document: vscode.TextDocument, { start, end }: vscode.Range): Location {
  return {
    uri: document.uri.toString(),
    range: {
      start: { line: start.line, character: start.character },
      end: { line: end.line, character: end.character },
    },
  };
}

/** A name at the cursor; without a place where its document is no file of a root, which has no definitions there. */
export interface Subject {
  name: string;
  root: string | null;
  at: Location | null;
}

export async function subjectAt({ document, selection }: vscode.TextEditor, roots: Roots): Promise<Subject | null> {
  const word = document.getWordRangeAtPosition(selection.active);
  if (word === undefined) {
    return null;
  }
  const { root, file } = await roots.placeOf(document.uri);
  return { name: document.getText(word), root, at: file === null ? null : placeIn(document, word) };
}
