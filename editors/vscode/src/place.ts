// Opening a place in the editor, to stay there or as a preview.

import * as vscode from "vscode";

import type { Place } from "./result_picks.ts";

/** How far below its first line a definition's name is looked for: decorators and comments come before it. */
const LINES_BEFORE_NAME = 12;

export async function openPlace(
  place: Place, look: { preview: boolean; beside?: boolean },
): Promise<vscode.TextEditor> {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.file(place.file));
  const cursor = cursorOf(place, document);
  const editor = await vscode.window.showTextDocument(document, {
    preview: look.preview,
    preserveFocus: look.preview,
    selection: new vscode.Range(cursor, cursor),
    ...(look.beside === true ? { viewColumn: vscode.ViewColumn.Beside } : {}),
  });
  // While it is looked at, a list lies over the upper lines.
  const how = look.preview ? vscode.TextEditorRevealType.InCenter : vscode.TextEditorRevealType.InCenterIfOutsideViewport;
  editor.revealRange(new vscode.Range(cursor, cursor), how);
  return editor;
}

/** The lines of a place, as far as the document has them. */
export function rangeOf(place: Place, document: vscode.TextDocument): vscode.Range {
  const end = document.lineCount - 1;
  return new vscode.Range(Math.min(place.firstLine - 1, end), 0, Math.min(place.lastLine - 1, end), 0);
}

/** The line that matches; where none is told, the name, so that the next command is about it; else the first line. */
function cursorOf(place: Place, document: vscode.TextDocument): vscode.Position {
  const { start, end } = rangeOf(place, document);
  const matching = place.matchLine === null ? null : Math.min(place.matchLine - 1, document.lineCount - 1);
  const first = matching ?? start.line;
  const last = matching ?? Math.min(end.line, start.line + LINES_BEFORE_NAME);
  for (let line = first; place.name !== "" && line <= last; line += 1) {
    const column = document.lineAt(line).text.indexOf(place.name);
    if (column >= 0) {
      return new vscode.Position(line, column);
    }
  }
  return new vscode.Position(first, document.lineAt(first).firstNonWhitespaceCharacterIndex);
}

/** What opens a place of a tree, which keeps the focus: a person goes from one to the next. */
export function opening(file: string, range: vscode.Range): vscode.Command {
  const how = { selection: range, preserveFocus: true };
  return { command: "vscode.open", title: "Open", arguments: [vscode.Uri.file(file), how] };
}
