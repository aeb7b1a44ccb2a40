// Which root of the server answers for a file. A root may lie above a folder of the workspace: the repository around it.

import * as vscode from "vscode";

import { relativeTo } from "./root_paths.ts";
import type { Server } from "./server.ts";

export class Roots {
  #byFolder = new Map<string, Promise<string>>();
  readonly #server: () => Server;

  constructor(server: () => Server) {
    this.#server = server;
  }

  /** Forget what was asked: the server or the workspace's folders are others. */
  clear(): void {
    this.#byFolder.clear();
  }

  /** The root of the folder that holds the active document, else of the first one; null without a folder. */
  async active(): Promise<string | null> {
    const uri = vscode.window.activeTextEditor?.document.uri;
    const holding = uri === undefined ? undefined : vscode.workspace.getWorkspaceFolder(uri);
    const folder = holding ?? vscode.workspace.workspaceFolders?.[0];
    return folder === undefined ? null : this.of(folder.uri);
  }

  /** The root of the folder that holds a file; that of the active document where none does. */
  async holding(uri: vscode.Uri): Promise<string | null> {
    const folder = vscode.workspace.getWorkspaceFolder(uri);
    return folder === undefined ? this.active() : this.of(folder.uri);
  }

  /** The root of a document, and its path there; none where it is no file on the disk, as an older version is not. */
  async placeOf(uri: vscode.Uri): Promise<{ root: string | null; file: string | null }> {
    const root = await this.holding(uri);
    return { root, file: root === null || uri.scheme !== "file" ? null : relativeTo(root, uri.fsPath) };
  }

  /** The roots of all folders, each once. */
  async all(): Promise<string[]> {
    const folders = vscode.workspace.workspaceFolders ?? [];
    const found = await Promise.all(folders.map((folder) => this.of(folder.uri)));
    return [...new Set(found)];
  }

  async of(folder: vscode.Uri): Promise<string> {
    const key = folder.toString();
    let asked = this.#byFolder.get(key);
    if (asked === undefined) {
      asked = this.#ask(folder);
      this.#byFolder.set(key, asked);
      asked.catch(() => this.#byFolder.delete(key));
    }
    return asked;
  }

  async #ask(folder: vscode.Uri): Promise<string> {
    const status = await this.#server().ask("pilotfish.status", { root: folder.toString() });
    return status.root === "" ? folder.fsPath : status.root;
  }
}
