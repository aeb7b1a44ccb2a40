// The item in the status bar: the server's state, the index's progress, and a menu behind it.

import * as vscode from "vscode";

import { INITIAL_STATE, isPaused, statusText, type ServerState, type Work } from "./status_text.ts";
import type { WorkReport } from "./server.ts";

const BACKGROUNDS = {
  none: undefined,
  warning: new vscode.ThemeColor("statusBarItem.warningBackground"),
  error: new vscode.ThemeColor("statusBarItem.errorBackground"),
};

export class StatusItem implements vscode.Disposable {
  readonly #item: vscode.StatusBarItem;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;
  readonly #work = new Map<string | number, Work>();
  #state: ServerState = INITIAL_STATE;

  constructor(command: string) {
    this.#item = vscode.window.createStatusBarItem("pilotfish.status", vscode.StatusBarAlignment.Right, 90);
    this.#item.name = "Pilotfish";
    this.#item.command = command;
    this.#show();
    this.#item.show();
  }

  dispose(): void {
    this.#item.dispose();
    this.#changed.dispose();
  }

  get state(): ServerState {
    return this.#state;
  }

  update(change: Partial<ServerState>): void {
    this.#state = { ...this.#state, ...change };
    if (this.#state.life !== "running") {
      this.#work.clear();
      this.#state.work = [];
    }
    this.#show();
    this.#changed.fire();
  }

  /** Take a report of the server's progress. */
  work(token: string | number, report: WorkReport): void {
    if (report.kind === "end") {
      this.#work.delete(token);
    } else {
      const before = this.#work.get(token);
      this.#work.set(token, {
        title: report.title ?? before?.title ?? "",
        message: report.message ?? before?.message ?? "",
        percentage: report.percentage ?? before?.percentage ?? null,
      });
    }
    this.update({ work: [...this.#work.values()] });
  }

  #show(): void {
    const { text, tooltip, severity } = statusText(this.#state);
    this.#item.text = text;
    this.#item.tooltip = tooltip;
    this.#item.backgroundColor = BACKGROUNDS[severity];
    this.#item.accessibilityInformation = { label: `Pilotfish: ${tooltip}` };
    const { life } = this.#state;
    const contexts = { isRunning: life === "running", isOff: life === "off", isPaused: isPaused(this.#state) };
    for (const [name, value] of Object.entries(contexts)) {
      void vscode.commands.executeCommand("setContext", `pilotfish.${name}`, value);
    }
  }
}
