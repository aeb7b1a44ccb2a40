// Repo Map and Architecture: the server's own page, in a panel. It follows the active file; a click opens one.
//
// The page carries its policy: no network, and no script or style but its own, which are named by their hashes.

import * as vscode from "vscode";

import { TITLES } from "./operations.ts";
import { relativeTo, within } from "./root_paths.ts";
import type { Roots } from "./roots.ts";
import type { Server } from "./server.ts";

/** What the page says: it is there, another of its views is shown, or a line of a file is to be opened. */
type FromPage = { kind: "ready" } | { kind: "viewed"; view: MapView } | { kind: "open"; path: string; line: number };

/** What the page is told: which file to choose, or which of its views to show. */
type ToPage = { kind: "choose"; path: string } | { kind: "show"; view: MapView };

export type MapView = "map" | "architecture";

/** The operation that each view shows. */
const VIEWS: Record<MapView, string> = { map: "repo_map", architecture: "get_architecture" };

export class MapPanel implements vscode.Disposable {
  readonly #server: () => Server;
  readonly #roots: Roots;
  readonly #icon: vscode.Uri;
  #panel: vscode.WebviewPanel | null = null;
  #root: string | null = null;
  #wanted: MapView = "map";
  #opened: string | null = null;
  readonly #follower: vscode.Disposable;

  constructor(server: () => Server, roots: Roots, icon: vscode.Uri) {
    this.#server = server;
    this.#roots = roots;
    this.#icon = icon;
    this.#follower = vscode.window.onDidChangeActiveTextEditor((editor) => this.#follow(editor));
  }

  dispose(): void {
    this.#follower.dispose();
    this.#panel?.dispose();
  }

  /** Show a view of the root in work; the page is drawn anew. */
  async show(view: MapView): Promise<void> {
    this.#wanted = view;
    const root = await this.#roots.active();
    const isNew = this.#panel === null;
    const panel = this.#panel ?? this.#open();
    panel.title = TITLES[VIEWS[view]] ?? "";
    if (isNew) {
      panel.webview.html = messagePage("Drawing …");
    }
    panel.reveal(undefined, false);
    try {
      const page = await this.#server().ask("pilotfish.repoMap", { format: "html", ...(root === null ? {} : { root }) });
      if (this.#panel !== panel) {
        return; // closed meanwhile
      }
      this.#root = root;
      if (panel.webview.html === page.text) {
        this.#showWanted(); // which the page is not loaded anew for
      } else {
        panel.webview.html = page.text;
      }
    } catch (error) {
      if (isNew && this.#panel === panel) {
        panel.webview.html = messagePage(error instanceof Error ? error.message : String(error));
      }
      throw error;
    }
  }

  #open(): vscode.WebviewPanel {
    const panel = vscode.window.createWebviewPanel("pilotfish.map", "Repo Map", vscode.ViewColumn.Beside, {
      enableScripts: true,
      localResourceRoots: [],
      retainContextWhenHidden: true,
    });
    panel.iconPath = this.#icon;
    panel.webview.onDidReceiveMessage((message: FromPage) => this.#receive(message));
    panel.onDidDispose(() => {
      this.#panel = null;
    });
    this.#panel = panel;
    return panel;
  }

  async #receive(message: FromPage): Promise<void> {
    if (message.kind === "ready") {
      this.#showWanted();
      return;
    }
    if (message.kind === "viewed" && this.#panel !== null && message.view in VIEWS) {
      this.#panel.title = TITLES[VIEWS[message.view]] ?? "";
    }
    if (message.kind === "open" && this.#root !== null) {
      const file = within(this.#root, message.path);
      if (file === null) {
        return;
      }
      this.#opened = message.path;
      const line = Math.max(0, message.line - 1);
      await vscode.window.showTextDocument(vscode.Uri.file(file), {
        viewColumn: this.#columnForFiles(),
        preview: true,
        preserveFocus: true,
        selection: new vscode.Range(line, 0, line, 0),
      });
    }
  }

  #showWanted(): void {
    this.#tell({ kind: "show", view: this.#wanted });
    if (this.#wanted === "map") {
      this.#follow(vscode.window.activeTextEditor ?? vscode.window.visibleTextEditors[0]);
    }
  }

  /** A column beside the map, so that a file never covers it. */
  #columnForFiles(): vscode.ViewColumn {
    const own = this.#panel?.viewColumn;
    const used = vscode.window.tabGroups.all.find((group) => group.viewColumn !== own);
    return used?.viewColumn ?? vscode.ViewColumn.Beside;
  }

  #follow(editor: vscode.TextEditor | undefined): void {
    if (editor === undefined || this.#panel === null || this.#root === null) {
      return;
    }
    const path = relativeTo(this.#root, editor.document.uri.fsPath);
    if (path !== null && path !== this.#opened) {
      this.#tell({ kind: "choose", path });
    }
    this.#opened = null;
  }

  #tell(message: ToPage): void {
    void this.#panel?.webview.postMessage(message);
  }
}

/** A page with one sentence, while there is none of the server's. */
function messagePage(sentence: string): string {
  const text = sentence.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return `<!DOCTYPE html><meta http-equiv="Content-Security-Policy" content="default-src 'none'"><p role="status">${text}</p>`;
}
