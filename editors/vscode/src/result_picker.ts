// A quick pick of places in code: moving shows each, Enter stays there, Escape goes back.

import * as vscode from "vscode";

import { openPlace, rangeOf } from "./place.ts";
import type { Access } from "./pilotfish.ts";
import { failure, notAsked, type Place, type ResultPick } from "./result_picks.ts";
import { NoServer } from "./server.ts";

export interface PlaceItem extends vscode.QuickPickItem {
  place: Place | null;
}

/** Shows what of a file is meant, while it is looked at. */
const SHOWN: vscode.DecorationRenderOptions = {
  isWholeLine: true,
  backgroundColor: new vscode.ThemeColor("editor.rangeHighlightBackground"),
  // Only themes of high contrast have this colour, and none for the background.
  borderColor: new vscode.ThemeColor("editor.rangeHighlightBorder"),
  borderStyle: "solid",
  borderWidth: "1px",
};

const BESIDE: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon("split-horizontal"),
  tooltip: "Open to the Side",
};

export function itemOf(pick: ResultPick): PlaceItem {
  return { ...pick, alwaysShow: true, buttons: pick.place === null ? [] : [BESIDE] };
}

/** The line for what went wrong: that there is no server, or what it said. */
export function failureOf(error: unknown, { whyNot }: Pick<Access, "whyNot">): ResultPick {
  return error instanceof NoServer ? notAsked(whyNot) : failure(error instanceof Error ? error.message : String(error));
}

/**
 * Let the items of `pick` be looked at and chosen.
 *
 * @param isCurrent whether the items answer what is typed; others are neither looked at nor chosen.
 * @param accepted is called before a place is opened to stay.
 * @returns what opens the place of an item to stay.
 */
export function connectPlaces(
  pick: vscode.QuickPick<PlaceItem>,
  { isCurrent = (): boolean => true, accepted = (): void => {} } = {},
): { stay(item: PlaceItem | undefined): Promise<void> } {
  const before = whereItIs();
  const previews = new Previews();
  let isChosen = false;
  pick.onDidChangeActive(([item]) => {
    if (item?.place != null && isCurrent()) {
      previews.show(item.place);
    }
  });
  const stay = async (item: PlaceItem | undefined, beside: boolean) => {
    if (item?.place != null) {
      isChosen = true;
      accepted();
      pick.hide();
      await previews.end();
      await openPlace(item.place, { preview: false, beside });
      await before.tidy();
    }
  };
  pick.onDidAccept(() => (isCurrent() ? stay(pick.activeItems[0], false) : undefined));
  pick.onDidTriggerItemButton(({ item }) => stay(item, true));
  pick.onDidHide(async () => {
    pick.dispose();
    await previews.end();
    if (!isChosen && previews.hasShown) {
      await before.goBack();
      await before.tidy();
    }
  });
  return { stay: (item) => stay(item, false) };
}

/** Shows one place after the other, the one that is wanted last in the end, and none any more once it has ended. */
class Previews {
  hasShown = false;
  readonly #marked = vscode.window.createTextEditorDecorationType(SHOWN);
  #wanted: Place | null = null;
  #work: Promise<void> | null = null;
  #isOver = false;

  show(place: Place): void {
    if (!this.#isOver) {
      this.#wanted = place;
      this.#work ??= this.#showWanted();
    }
  }

  async end(): Promise<void> {
    this.#isOver = true;
    this.#wanted = null;
    await this.#work;
    this.#marked.dispose();
  }

  async #showWanted(): Promise<void> {
    while (this.#wanted !== null) {
      const place = this.#wanted;
      this.#wanted = null;
      this.hasShown = true;
      const editor = await openPlace(place, { preview: true }).then(undefined, () => undefined); // it may be gone
      if (!this.#isOver) {
        editor?.setDecorations(this.#marked, [rangeOf(place, editor.document)]);
      }
    }
    this.#work = null;
  }
}

/** Remember what the person sees: `goBack` shows it again, `tidy` closes what was opened since to look at. */
function whereItIs(): { goBack(): Promise<void>; tidy(): Promise<void> } {
  const editor = vscode.window.activeTextEditor;
  const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
  const opened = tab === undefined ? null : { input: tab.input, column: tab.group.viewColumn, isPreview: tab.isPreview };
  const before = new Set(openFiles().map(([file]) => file));
  const visible = editor?.visibleRanges[0];
  const selection = editor?.selection;
  const goBack = async () => {
    if (editor !== undefined && selection !== undefined) {
      const again = await vscode.window.showTextDocument(editor.document, {
        viewColumn: editor.viewColumn ?? vscode.ViewColumn.Active,
        preview: opened?.isPreview ?? false,
        preserveFocus: true, // the person may have gone on by now, to another picker even
        selection,
      });
      if (visible !== undefined) {
        again.revealRange(visible, vscode.TextEditorRevealType.AtTop);
      }
    } else if (opened !== null) {
      await openAgain(opened.input, { viewColumn: opened.column, preview: opened.isPreview, preserveFocus: true });
    }
  };
  const tidy = async () => {
    const since = openFiles().filter(([file, each]) => each.isPreview && !before.has(file));
    await vscode.window.tabGroups.close(since.map(([, each]) => each));
  };
  return { goBack, tidy };
}

/** Open what a tab showed that is no plain text: an image, a notebook, a comparison. */
async function openAgain(input: unknown, how: vscode.TextDocumentShowOptions): Promise<void> {
  if (input instanceof vscode.TabInputTextDiff) {
    await vscode.commands.executeCommand("vscode.diff", input.original, input.modified, undefined, how);
  } else if (input instanceof vscode.TabInputCustom) {
    await vscode.commands.executeCommand("vscode.openWith", input.uri, input.viewType, how);
  } else if (input instanceof vscode.TabInputNotebook) {
    await vscode.commands.executeCommand("vscode.openWith", input.uri, input.notebookType, how);
  }
}

function openFiles(): Array<[string, vscode.Tab]> {
  return vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .flatMap((tab): Array<[string, vscode.Tab]> =>
      tab.input instanceof vscode.TabInputText ? [[tab.input.uri.toString(), tab]] : []);
}
