// Short answers to what a person asked for. They stand in the status bar for a moment; nothing has to be clicked away.

import * as vscode from "vscode";

const SHOWN_MS = 6_000;

export function tell(message: string): void {
  vscode.window.setStatusBarMessage(message, SHOWN_MS);
}
