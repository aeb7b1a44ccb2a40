// A quick pick of places in code: moving shows each, Enter stays there, Escape goes back.

import * as vscode from "vscode";

import { openPlace } from "./place.ts";
import type { Place, ResultPick } from "./result_picks.ts";

export interface PlaceItem extends vscode.QuickPickItem {
  place: Place | null;
}

const BESIDE: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon("split-horizontal"),
  tooltip: "Open to the Side",
};

export function itemOf(pick: ResultPick): PlaceItem {
  return { ...pick, alwaysShow: true, buttons: pick.place === null ? [] : [BESIDE] };
}

/** Let the items of `pick` be looked at and chosen; `accepted` is called before a place is opened to stay. */
export function connectPlaces(pick: vscode.QuickPick<PlaceItem>, accepted: () => void): void {
  const before = whereItIs();
  let isDone = false;
  let isMoved = false;
  pick.onDidChangeActive(async ([item]) => {
    if (item?.place != null && !isDone) {
      isMoved = true;
      await openPlace(item.place, { preview: true }).then(undefined, () => undefined);
    }
  });
  const stay = async (item: PlaceItem | undefined, beside: boolean) => {
    if (item?.place == null) {
      return;
    }
    isDone = true;
    accepted();
    pick.hide();
    await openPlace(item.place, { preview: false, beside });
  };
  pick.onDidAccept(() => stay(pick.activeItems[0], false));
  pick.onDidTriggerItemButton(({ item }) => stay(item, true));
  pick.onDidHide(async () => {
    pick.dispose();
    if (isMoved && !isDone) {
      await before();
    }
  });
}

/** Remember what the person sees; the returned function shows it again. */
function whereItIs(): () => Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) {
    return async () => {
      await vscode.commands.executeCommand("workbench.action.closeActiveEditor");
    };
  }
  const { document, viewColumn, selection } = editor;
  const [visible] = editor.visibleRanges;
  return async () => {
    const again = await vscode.window.showTextDocument(document, viewColumn);
    again.selection = selection;
    if (visible !== undefined) {
      again.revealRange(visible, vscode.TextEditorRevealType.AtTop);
    }
  };
}
