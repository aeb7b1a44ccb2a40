// Commands about the index itself: its status, why a file is in it or not, rebuild, pause and resume.

import * as vscode from "vscode";

import type { Roots } from "./roots.ts";
import type { Server } from "./server.ts";
import { withoutLinks } from "./shown_text.ts";
import { statusReport } from "./status_report.ts";
import { tell } from "./telling.ts";

/** The scheme of the read-only page with the index's status. */
export const STATUS_SCHEME = "pilotfish-status";
const STATUS_PAGE = vscode.Uri.from({ scheme: STATUS_SCHEME, path: "/Index Status.md" });

/** Writes the page that `showStatus` opens, anew each time. */
export class StatusPage implements vscode.TextDocumentContentProvider {
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.#changed.event;
  readonly #server: () => Server;
  readonly #roots: Roots;

  constructor(server: () => Server, roots: Roots) {
    this.#server = server;
    this.#roots = roots;
  }

  async show(): Promise<void> {
    this.#changed.fire(STATUS_PAGE);
    await vscode.commands.executeCommand("markdown.showPreview", STATUS_PAGE);
  }

  async provideTextDocumentContent(): Promise<string> {
    const roots = await this.#roots.all();
    const answers = await Promise.all(roots.map((root) => this.#server().ask("pilotfish.status", { root })));
    return answers.length === 0 ? "No folder is open.\n" : answers.map(statusReport).join("\n---\n\n");
  }
}

/** Tell whether a file is indexed, and which rule decided. */
export async function why(uri: vscode.Uri | undefined, server: () => Server, roots: Roots): Promise<void> {
  const meant = uri ?? vscode.window.activeTextEditor?.document.uri;
  if (meant === undefined || meant.scheme !== "file") {
    tell("Open a file of the workspace first.");
    return;
  }
  const root = await roots.holding(meant);
  const answer = await server().ask("pilotfish.why", { path: meant.fsPath, ...(root === null ? {} : { root }) });
  const state = answer.indexed ? "is indexed" : answer.listed ? "is listed, not indexed" : "is not indexed";
  const reason = [answer.rule, answer.detail].filter((part) => part !== "").join(": ");
  void vscode.window.showInformationMessage(withoutLinks(`${answer.path} ${state}: ${reason}`));
}

/** Rebuild, pause or resume every root. */
export async function control(
  action: "rebuild" | "pause" | "resume", server: () => Server, roots: Roots,
): Promise<void> {
  const answers = await Promise.all(
    (await roots.all()).map((root) => server().ask("pilotfish.control", { action, root })),
  );
  tell([...new Set(answers.map((answer) => answer.message))].join(" "));
}
