// Trace from Here: the calls from a definition, or to it, as a tree in the side bar.

import * as path from "node:path";
import * as vscode from "vscode";

import type { Location, TraceExecutionResult } from "./operations.ts";
import { opening } from "./place.ts";
import { kindIcon } from "./result_picks.ts";
import { within } from "./root_paths.ts";
import type { Roots } from "./roots.ts";
import type { Server } from "./server.ts";
import { visible } from "./shown_text.ts";
import { placeIn } from "./subject.ts";
import { tell } from "./telling.ts";
import { parsePlace, partsOf, traceTree, type TraceNode } from "./trace_tree.ts";

const VIEW = "pilotfish.trace";
const DEPTH = 3;
const MOST_STEPS = 300;
const MOST_TOKENS = 100_000;

type Direction = "callees" | "callers";

const NOTHING: Record<Direction, string> = {
  callees: "No call in it is bound to a definition of this workspace. The arrow above shows what calls it.",
  callers: "No call is bound to it; Who Uses This lists lines that only hold its name. The arrow above shows what it calls.",
};

/** Where a trace begins: at a place in a document, or at a definition by its name and file. */
type Entry = { at: Location } | { entry_point: string; file_hint?: string };

export class TraceView implements vscode.TreeDataProvider<TraceNode>, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<TraceNode | undefined>();
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #server: () => Server;
  readonly #roots: Roots;
  readonly #view: vscode.TreeView<TraceNode>;
  #root: string | null = null;
  #entry: Entry | null = null;
  #direction: Direction = "callees";
  #tree: TraceNode | null = null;

  constructor(server: () => Server, roots: Roots) {
    this.#server = server;
    this.#roots = roots;
    this.#view = vscode.window.createTreeView(VIEW, { treeDataProvider: this, showCollapseAll: true });
  }

  dispose(): void {
    this.#view.dispose();
    this.#changed.dispose();
  }

  /** Begin at the name at the cursor, or at the definition around it. */
  async begin(): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    if (editor === undefined) {
      tell("Open a file first.");
      return;
    }
    const { document, selection } = editor;
    const { root, file } = await this.#roots.placeOf(document.uri);
    if (file === null) {
      tell("Only files of the workspace have calls to follow.");
      return;
    }
    await this.#show(this.#direction, { at: placeIn(document, selection) }, root);
  }

  /** Follow the calls in a direction from where the trace began. */
  async show(direction: Direction): Promise<void> {
    if (this.#entry !== null) {
      await this.#show(direction, this.#entry, this.#root);
    }
  }

  async #show(direction: Direction, entry: Entry, root: string | null): Promise<void> {
    const trace = await this.#trace(direction, entry, root);
    if (trace.entry === "") {
      tell(trace.outcome === "not_indexed" ? "The index is not ready yet." : "No definition of this name was found.");
      return;
    }
    this.#root = root;
    this.#direction = direction;
    this.#entry = entryOf(trace.entry, parsePlace(trace.entry_at)?.path);
    this.#tree = traceTree(trace);
    this.#view.description = `${direction === "callees" ? "what it calls" : "what calls it"}: ${trace.entry}`;
    this.#view.message = trace.steps.length > 0 ? "" : NOTHING[direction];
    this.#changed.fire(undefined);
    await this.#setContexts();
    await this.#view.reveal(this.#tree, { expand: true, focus: true });
  }

  async close(): Promise<void> {
    this.#entry = null;
    this.#tree = null;
    this.#changed.fire(undefined);
    await this.#setContexts();
  }

  async getChildren(node?: TraceNode): Promise<TraceNode[]> {
    if (node === undefined) {
      return this.#tree === null ? [] : [this.#tree];
    }
    if (node.isCut && node.children.length === 0) {
      const entry = entryOf(node.name, node.definition?.path);
      node.children = traceTree(await this.#trace(this.#direction, entry, this.#root)).children;
    }
    return node.children;
  }

  getParent(): null {
    return null; // only where the trace begins is revealed
  }

  getTreeItem(node: TraceNode): vscode.TreeItem {
    const isOpen = node === this.#tree || (node.children.length > 0 && !node.isCut);
    const isLeaf = node.children.length === 0 && !node.isCut;
    const { name, container } = partsOf(visible(node.name));
    const item = new vscode.TreeItem(
      name,
      isLeaf ? vscode.TreeItemCollapsibleState.None
        : isOpen ? vscode.TreeItemCollapsibleState.Expanded
          : vscode.TreeItemCollapsibleState.Collapsed,
    );
    const at = node.call ?? node.definition;
    const times = node.call !== null && node.call.count > 1 ? [`${node.call.count}×`] : [];
    const where = at === null ? "" : `${visible(path.posix.basename(at.path))}:${at.line}`;
    item.description = [container, where, ...times, ...node.remarks].filter((part) => part !== "").join(" · ");
    item.iconPath = new vscode.ThemeIcon(kindIcon(node.kind).slice(2, -1));
    item.tooltip = tooltipOf(node);
    const file = at === null || this.#root === null ? null : within(this.#root, at.path);
    if (at !== null && file !== null) {
      item.command = opening(file, new vscode.Range(at.line - 1, 0, at.line - 1, 0));
    }
    return item;
  }

  async #trace(direction: Direction, entry: Entry, root: string | null): Promise<TraceExecutionResult> {
    return this.#server().ask("pilotfish.traceExecution", {
      ...entry,
      direction,
      max_depth: DEPTH,
      max_results: MOST_STEPS,
      max_tokens: MOST_TOKENS,
      ...(root === null ? {} : { root }),
    });
  }

  async #setContexts(): Promise<void> {
    await vscode.commands.executeCommand("setContext", "pilotfish.hasTrace", this.#tree !== null);
    await vscode.commands.executeCommand("setContext", "pilotfish.traceDirection", this.#direction);
  }
}

function entryOf(name: string, file: string | undefined): Entry {
  return { entry_point: name, ...(file === undefined ? {} : { file_hint: file }) };
}

function tooltipOf(node: TraceNode): string {
  const places: Array<[string, { path: string; line: number } | null]> = [["called at", node.call], ["defined at", node.definition]];
  const lines = places.filter(([, at]) => at !== null).map(([how, at]) => `${how} ${at?.path}:${at?.line}`);
  return [node.name, ...lines].map(visible).join("\n");
}
