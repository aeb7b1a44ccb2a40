// Copy Context for a Task: the source to read for it, within the budget of the settings, to the clipboard.

import * as vscode from "vscode";

import type { Access } from "./pilotfish.ts";
import { tell } from "./telling.ts";

export async function copyContext(pilotfish: Access): Promise<void> {
  const task = await vscode.window.showInputBox({
    title: "Copy Context for a Task",
    prompt: "What is to be done or understood, in words",
    placeHolder: "retry uploads that time out",
  });
  if (task === undefined || task.trim() === "") {
    return;
  }
  if (!(await pilotfish.canBeAsked())) {
    return;
  }
  const root = await pilotfish.roots.active();
  const answer = await pilotfish.server().ask("pilotfish.buildContext", { task: task.trim(), ...(root === null ? {} : { root }) });
  if (answer.text === "") {
    tell(answer.outcome === "not_indexed" ? "The index is not ready yet." : "Nothing was found for this task.");
    return;
  }
  await vscode.env.clipboard.writeText(answer.text);
  const count = (value: number) => value.toLocaleString("en-US");
  tell(`Copied ${count(answer.passages.length)} passages, ${count(answer.tokens)} of ${count(answer.max_tokens)} tokens.`);
}
