// Find Similar Code: like the selection, or like the definition around the cursor.

import * as vscode from "vscode";

import type { Access } from "./pilotfish.ts";
import { picksOf, remark } from "./result_picks.ts";
import { connectPlaces, failureOf, itemOf, type PlaceItem } from "./result_picker.ts";
import { placeIn } from "./subject.ts";

const MOST_RESULTS = 30;

export async function findSimilarCode(pilotfish: Access): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) {
    return;
  }
  const pick = vscode.window.createQuickPick<PlaceItem>();
  pick.title = "Similar Code";
  pick.placeholder = "Type to narrow";
  pick.matchOnDescription = true;
  pick.busy = true;
  const asked = new vscode.CancellationTokenSource();
  pick.onDidHide(() => asked.cancel());
  connectPlaces(pick);
  pick.show();
  await pilotfish.canBeAsked();
  const items = await similarTo(editor, pilotfish, asked.token);
  if (!asked.token.isCancellationRequested) {
    pick.items = items;
    pick.busy = false;
  }
}

async function similarTo(
  editor: vscode.TextEditor, pilotfish: Access, token: vscode.CancellationToken,
): Promise<PlaceItem[]> {
  try {
    const { document, selection } = editor;
    const { root, file } = await pilotfish.roots.placeOf(document.uri);
    const subject = file === null
      ? { snippet: document.getText(selection.isEmpty ? undefined : selection) }
      : selection.isEmpty
        ? { at: placeIn(document, selection) }
        : { file_path: file, line_start: selection.start.line + 1, line_end: lastLine(selection) };
    const answer = await pilotfish.server().ask(
      "pilotfish.findSimilar",
      { ...subject, absolute_paths: true, snippet_chars: 0, max_results: MOST_RESULTS, ...(root === null ? {} : { root }) },
      token,
    );
    const said = remark([answer]);
    const items = picksOf(answer.results, "").map((each) => ({ ...itemOf(each), alwaysShow: false }));
    return [...items, ...(said === null ? [] : [itemOf(said)])];
  } catch (error) {
    return [itemOf(failureOf(error, pilotfish))];
  }
}

/** The last line of a selection, from 1. One that ends before the first character of a line does not reach into it. */
function lastLine({ start, end }: vscode.Selection): number {
  return end.character === 0 && end.line > start.line ? end.line : end.line + 1;
}
