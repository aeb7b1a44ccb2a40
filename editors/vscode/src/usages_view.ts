// Who Uses This: the uses of the name at the cursor, as a tree in the side bar that tells how certain each is.

import * as vscode from "vscode";

import { opening } from "./place.ts";
import type { Roots } from "./roots.ts";
import type { Server } from "./server.ts";
import { subjectAt } from "./subject.ts";
import { tell } from "./telling.ts";
import { usagesLeftOut, usageTree, type UsageNode } from "./usage_tree.ts";

const VIEW = "pilotfish.uses";
const MOST_USES = 1_000;
/** Files of one certainty that are unfolded from the start. */
const MOST_UNFOLDED = 30;

export class UsagesView implements vscode.TreeDataProvider<UsageNode>, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #server: () => Server;
  readonly #roots: Roots;
  readonly #view: vscode.TreeView<UsageNode>;
  #tree: UsageNode[] = [];

  constructor(server: () => Server, roots: Roots) {
    this.#server = server;
    this.#roots = roots;
    this.#view = vscode.window.createTreeView(VIEW, { treeDataProvider: this, showCollapseAll: true });
  }

  dispose(): void {
    this.#view.dispose();
    this.#changed.dispose();
  }

  /** Show the uses of the name at the cursor. */
  async show(): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    const subject = editor === undefined ? null : await subjectAt(editor, this.#roots);
    if (subject === null) {
      tell("There is no name at the cursor.");
      return;
    }
    const { name, root, at } = subject;
    const answer = await this.#server().ask("pilotfish.findUsages", {
      ...(at === null ? { symbol_name: name } : { at }),
      max_results: MOST_USES,
      absolute_paths: true,
      ...(root === null ? {} : { root }),
    });
    if (answer.usages.length === 0) {
      tell(answer.outcome === "not_indexed" ? "The index is not ready yet." : `No uses of ${name} were found.`);
      return;
    }
    // The view is to be there before it has lines: what is unfolded below the second of them stays empty otherwise.
    await vscode.commands.executeCommand("setContext", "pilotfish.hasUses", true);
    await vscode.commands.executeCommand(`${VIEW}.focus`);
    this.#tree = usageTree(answer, name);
    this.#view.description = name;
    this.#view.message = usagesLeftOut(answer);
    this.#changed.fire(undefined);
    const [first] = this.#tree;
    if (first !== undefined) {
      await this.#view.reveal(first, { focus: true });
    }
  }

  async close(): Promise<void> {
    this.#tree = [];
    this.#changed.fire(undefined);
    await vscode.commands.executeCommand("setContext", "pilotfish.hasUses", false);
  }

  getChildren(node?: UsageNode): UsageNode[] {
    return node === undefined ? this.#tree : node.children;
  }

  getParent(): null {
    return null; // only the first node is revealed
  }

  getTreeItem(node: UsageNode): vscode.TreeItem {
    const folds = vscode.TreeItemCollapsibleState;
    const isUnfolded = this.#tree.includes(node) || this.#tree.every((each) => each.children.length <= MOST_UNFOLDED);
    const state = node.children.length === 0 ? folds.None : isUnfolded ? folds.Expanded : folds.Collapsed;
    const item = new vscode.TreeItem({ label: node.label, highlights: node.highlights }, state);
    item.description = node.description;
    item.tooltip = node.tooltip;
    if (node.icon !== "") {
      item.iconPath = new vscode.ThemeIcon(node.icon);
    }
    if (node.place !== null) {
      const { start, end } = node.place.span;
      item.command = opening(node.place.file, new vscode.Range(start.line, start.character, end.line, end.character));
    }
    return item;
  }
}
