// Where VS Code enters: every command, and what follows the workspace.

import * as vscode from "vscode";

import { control, StatusPage, STATUS_SCHEME, why } from "./index_commands.ts";
import { MapPanel } from "./map_panel.ts";
import { offerToAgents } from "./mcp_provider.ts";
import { Pilotfish } from "./pilotfish.ts";
import { SearchPicker } from "./search_picker.ts";
import { findSimilarCode } from "./similar_code.ts";
import { StatusItem } from "./status_item.ts";
import { copyContext } from "./task_context.ts";
import { tell } from "./telling.ts";
import { TraceView } from "./trace_view.ts";
import { UsagesView } from "./usages_view.ts";

let running: Pilotfish | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const log = vscode.window.createOutputChannel("Pilotfish", { log: true });
  const status = new StatusItem("pilotfish.ui.menu");
  const pilotfish = new Pilotfish(context, log, status);
  running = pilotfish;
  const server = () => pilotfish.server();
  const { roots } = pilotfish;
  const search = new SearchPicker(pilotfish, context.workspaceState);
  const uses = new UsagesView(server, roots);
  const trace = new TraceView(server, roots);
  const map = new MapPanel(server, roots, vscode.Uri.joinPath(context.extensionUri, "media", "icon.png"));
  const page = new StatusPage(server, roots);
  const changeIndex = async (action: "rebuild" | "pause" | "resume") => {
    await control(action, server, roots);
    await pilotfish.refresh();
  };
  /** What asks the server, which is waited for first. */
  const questions: Record<string, (...given: never[]) => unknown> = {
    whoUsesThis: () => uses.show(),
    traceFromHere: () => trace.begin(),
    traceCallers: () => trace.show("callers"),
    traceCallees: () => trace.show("callees"),
    repoMap: () => map.show("map"),
    architecture: () => map.show("architecture"),
    indexStatus: () => page.show(),
    why: (uri?: vscode.Uri) => why(uri, server, roots),
    rebuild: () => changeIndex("rebuild"),
    pause: () => changeIndex("pause"),
    resume: () => changeIndex("resume"),
  };
  const commands: Record<string, (...given: never[]) => unknown> = {
    searchByMeaning: () => search.show(),
    findSimilarCode: () => findSimilarCode(pilotfish),
    copyContext: () => copyContext(pilotfish),
    closeUses: () => uses.close(),
    closeTrace: () => trace.close(),
    showLog: () => log.show(true),
    restart: () => pilotfish.restart(),
    installServer: () => pilotfish.install(),
    openServerSettings: () => vscode.commands.executeCommand("workbench.action.openSettings", "pilotfish.server"),
    switchOff: () => pilotfish.switchOff(true),
    switchOn: () => pilotfish.switchOff(false),
    menu: () => showMenu(context, pilotfish),
  };
  for (const [name, ask] of Object.entries(questions)) {
    commands[name] = async (...given) => ((await pilotfish.canBeAsked()) ? ask(...given) : undefined);
  }
  for (const [name, run] of Object.entries(commands)) {
    const command = vscode.commands.registerCommand(`pilotfish.ui.${name}`, async (...given: never[]) => {
      try {
        await run(...given);
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        log.error(`${name}: ${message}`);
        tell(message, { failed: true });
      }
    });
    context.subscriptions.push(command);
  }
  context.subscriptions.push(
    log,
    status,
    pilotfish,
    uses,
    trace,
    map,
    vscode.workspace.registerTextDocumentContentProvider(STATUS_SCHEME, page),
    vscode.workspace.onDidChangeConfiguration((change) => change.affectsConfiguration("pilotfish") && pilotfish.settingsChanged()),
    offerToAgents(server, () => pilotfish.isRunning, pilotfish.onDidChange, context.extension.packageJSON.version),
  );
  await pilotfish.restart();
}

export async function deactivate(): Promise<void> {
  await running?.stop();
}

/** The commands that make sense now, behind the item in the status bar. */
async function showMenu(context: vscode.ExtensionContext, pilotfish: Pilotfish): Promise<void> {
  const titles = new Map<string, string>(
    context.extension.packageJSON.contributes.commands.map((each: { command: string; title: string }) => [each.command, each.title]),
  );
  const whileRunning = ["searchByMeaning", "repoMap", "architecture", "copyContext", "indexStatus", "pause", "resume", "rebuild"];
  const names = pilotfish.isInstalling
    ? ["showLog"]
    : pilotfish.isOff
      ? ["switchOn", "showLog"]
      : [...(pilotfish.isRunning ? whileRunning : ["installServer"]), "restart", "showLog", "switchOff"];
  const items = names
    .filter((name) => name !== (pilotfish.isPaused ? "pause" : "resume"))
    .map((name) => ({ label: titles.get(`pilotfish.ui.${name}`) ?? name, command: `pilotfish.ui.${name}` }));
  const chosen = await vscode.window.showQuickPick(items, { title: "Pilotfish" });
  if (chosen !== undefined) {
    await vscode.commands.executeCommand(chosen.command);
  }
}
