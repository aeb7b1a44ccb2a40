// Opening a place in the editor, to stay there or as a preview.

import * as vscode from "vscode";

import type { Place } from "./result_picks.ts";

export async function openPlace(
  place: Place, how: { preview: boolean; beside?: boolean },
): Promise<vscode.TextEditor> {
  const start = new vscode.Position(place.firstLine - 1, 0);
  const editor = await vscode.window.showTextDocument(vscode.Uri.file(place.file), {
    preview: how.preview,
    preserveFocus: how.preview,
    selection: new vscode.Range(start, start),
    ...(how.beside === true ? { viewColumn: vscode.ViewColumn.Beside } : {}),
  });
  const last = Math.min(place.lastLine, editor.document.lineCount) - 1;
  const shown = new vscode.Range(start, new vscode.Position(Math.max(start.line, last), 0));
  editor.revealRange(shown, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  return editor;
}
