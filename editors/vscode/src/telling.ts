// Short answers to what a person asked for. They stand in the status bar for a moment; nothing has to be clicked away.

import * as vscode from "vscode";

import { withoutIcons } from "./shown_text.ts";

const SHOWN_MS = 6_000;

/** Tell something, or that it failed. */
export function tell(message: string, { failed = false } = {}): void {
  vscode.window.setStatusBarMessage(`${failed ? "$(error) Pilotfish: " : ""}${withoutIcons(message)}`, SHOWN_MS);
}
