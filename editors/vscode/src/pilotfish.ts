// The extension's life in one window: find the server, run it, restart it, switch it off here.

import { accessSync, constants, statSync } from "node:fs";
import * as path from "node:path";
import * as vscode from "vscode";

import { pythonCandidates } from "./python_location.ts";
import { Roots } from "./roots.ts";
import { NoServer, Server } from "./server.ts";
import { install, installedPython, usablePython, type Installation } from "./server_install.ts";
import { locateServer, type NoProgram, type Program, type Surroundings } from "./server_location.ts";
import { serverEnvironment, serverSettings, sessionSettings, type Inspect } from "./session_settings.ts";
import type { StatusItem } from "./status_item.ts";
import { isPaused, isUnfinished, statusText } from "./status_text.ts";
import { tell } from "./telling.ts";

/** How long a command waits for a server that is starting. */
const START_MS = 30_000;
/** A server that ends this often within a minute is not started again by itself. */
const MOST_DEATHS = 3;
const MINUTE_MS = 60_000;
/** How long it takes at most until it is known that a server has ended. */
const NOTICE_MS = 200;
const OFF_KEY = "isSwitchedOff";
const REFRESH_MS = 500;
/** How long until a root with work to do is asked again: what is done within a moment is not reported. */
const UNFINISHED_MS = 3_000;

/** What a command that opens a field at once asks of the server behind it. */
export type Access = Pick<Pilotfish, "server" | "roots" | "canBeAsked" | "isBack" | "whyNot">;

export class Pilotfish implements vscode.Disposable {
  readonly roots: Roots;
  readonly #context: vscode.ExtensionContext;
  readonly #log: vscode.LogOutputChannel;
  readonly #status: StatusItem;
  readonly #changed = new vscode.EventEmitter<void>();
  /** The server runs or does not any more, or what it may be asked about is more or less. */
  readonly onDidChange = this.#changed.event;
  #running: Server | null = null;
  #startedWith = "";
  #installing: Promise<void> | null = null;
  /** When the server ended by itself, lately. */
  #deaths: number[] = [];
  #turn: Promise<void> = Promise.resolve();
  #refresh: NodeJS.Timeout | undefined;

  constructor(context: vscode.ExtensionContext, log: vscode.LogOutputChannel, status: StatusItem) {
    this.#context = context;
    this.#log = log;
    this.#status = status;
    this.roots = new Roots(() => this.server());
    status.update({ isRestricted: !vscode.workspace.isTrusted });
    context.subscriptions.push(
      vscode.workspace.onDidChangeWorkspaceFolders(() => {
        this.roots.clear();
        this.#changed.fire();
        this.#refreshSoon();
      }),
      vscode.workspace.onDidGrantWorkspaceTrust(() => {
        status.update({ isRestricted: false });
        this.#changed.fire();
      }),
    );
  }

  dispose(): void {
    clearTimeout(this.#refresh);
    this.#changed.dispose();
  }

  /** The server that runs. Throws where there is none. */
  server(): Server {
    if (this.#running === null) {
      throw new NoServer();
    }
    return this.#running;
  }

  /**
   * Wait for a server that is starting. Where none will run, tell the person, who has just asked for something, why, and
   * what to do about it.
   */
  async canBeAsked(): Promise<boolean> {
    if (this.#status.state.life === "starting") {
      const title = "Pilotfish: starting the server";
      await vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title }, () => this.#startEnds());
    }
    const { life, reason } = this.#status.state;
    switch (life) {
      case "running":
        return true;
      case "off":
        void this.#offer("Pilotfish is switched off in this workspace.", "Switch On", "switchOn");
        break;
      case "missing":
        void this.#askForServer(await this.#located());
        break;
      case "failed":
        void this.#offer(`Pilotfish's server does not run. ${reason}`, "Show Log", "showLog");
        break;
      case "starting":
      case "installing":
        tell("Pilotfish's server is not ready yet.");
    }
    return false;
  }

  /** Why there is nothing to be asked, in one line. */
  get whyNot(): string {
    return statusText(this.#status.state).tooltip;
  }

  /** Whether a server has come back that ended while it was asked: then it can be asked again. */
  async isBack(): Promise<boolean> {
    await new Promise((resolve) => setTimeout(resolve, NOTICE_MS));
    if (this.#status.state.life !== "starting") {
      return false;
    }
    await this.#startEnds();
    return this.isRunning;
  }

  /** Wait until a start has come to an end, whichever. */
  #startEnds(): Promise<void> {
    return new Promise((resolve) => {
      const over = () => {
        clearTimeout(patience);
        listening.dispose();
        resolve();
      };
      const listening = this.#status.onDidChange(() => this.#status.state.life !== "starting" && over());
      const patience = setTimeout(over, START_MS);
    });
  }

  get isRunning(): boolean {
    return this.#status.state.life === "running";
  }

  get isInstalling(): boolean {
    return this.#installing !== null;
  }

  get isPaused(): boolean {
    return isPaused(this.#status.state);
  }

  get isOff(): boolean {
    return this.#context.workspaceState.get(OFF_KEY, false);
  }

  /** Start the server anew, with the settings as they are now. */
  restart(): Promise<void> {
    this.#deaths = [];
    return this.#startAgain();
  }

  #startAgain(): Promise<void> {
    return this.#inTurn(async () => {
      await this.#stop();
      await this.#start();
    });
  }

  /** Start it anew where what it was started with is different now; it asks for all other settings by itself. */
  settingsChanged(): void {
    if (!this.isOff && this.#startSettings() !== this.#startedWith) {
      void this.restart();
    }
  }

  stop(): Promise<void> {
    return this.#inTurn(() => this.#stop());
  }

  async switchOff(isOff: boolean): Promise<void> {
    await this.#context.workspaceState.update(OFF_KEY, isOff);
    await this.restart();
  }

  /** Make the extension's own environment, which a person has just agreed to, and start the server from it. */
  install(): Promise<void> {
    this.#installing ??= this.#install().finally(() => {
      this.#installing = null;
    });
    return this.#installing;
  }

  async #install(): Promise<void> {
    const python = await usablePython(pythonCandidates(setting("server.python"), surroundings()));
    if (python === null) {
      void this.#askForPython();
      return;
    }
    this.#status.update({ life: "installing" });
    const ending = new AbortController();
    try {
      await vscode.window.withProgress(
        { location: vscode.ProgressLocation.Notification, title: "Installing Pilotfish's server", cancellable: true },
        async (progress, cancelled) => {
          cancelled.onCancellationRequested(() => ending.abort());
          const report = (line: string) => {
            progress.report({ message: line });
            this.#log.info(line);
          };
          await install(this.#installation, python, report, ending.signal);
        },
      );
    } catch (error) {
      this.#log.error(error instanceof Error ? error : String(error));
      this.#status.update({ life: "missing", reason: "Pilotfish's server is not installed." });
      if (!ending.signal.aborted) {
        void this.#offer("Pilotfish's server could not be installed. The log shows why.", "Show Log", "showLog");
      }
      return;
    }
    await this.restart();
  }

  // --- starting and stopping, one after the other --------------------------------------------------------------------

  #inTurn(work: () => Promise<void>): Promise<void> {
    this.#turn = this.#turn.then(work).catch((error: unknown) => {
      this.#log.error(error instanceof Error ? error : String(error));
      this.#status.update({ life: "failed", reason: error instanceof Error ? error.message : String(error) });
    });
    return this.#turn;
  }

  async #start(): Promise<void> {
    if (this.isOff) {
      this.#status.update({ life: "off" });
      return;
    }
    this.#status.update({ life: "starting", reason: "", roots: [] });
    this.#startedWith = this.#startSettings();
    const program = await this.#located();
    if ("reason" in program) {
      this.#status.update({ life: "missing", reason: program.message });
      void this.#askForServer(program);
      return;
    }
    await this.#run(program);
  }

  async #located(): Promise<Program | NoProgram> {
    return locateServer(setting("server.path"), await installedPython(this.#installation), surroundings());
  }

  async #run(program: Program): Promise<void> {
    const declared = this.#declared;
    this.#log.info(`Starting ${program.command} (${program.origin})`);
    this.#running = new Server({
      program,
      environment: serverEnvironment(declared, inspectIn(undefined)),
      initial: sessionSettings(declared, inspectIn(undefined)),
      settingsOf: (folder) => sessionSettings(declared, inspectIn(folder)),
      log: this.#log,
      listener: {
        running: () => this.#becameRunning(),
        ended: () => this.#ended(program),
        status: (health) => {
          this.#status.update({ health });
          this.#refreshSoon();
        },
        work: (token, report) => {
          this.#status.work(token, report);
          if (report.kind === "end") {
            this.#refreshSoon();
          }
        },
      },
    });
    await this.#running.start();
  }

  get #declared(): ReturnType<typeof serverSettings> {
    return serverSettings(this.#context.extension.packageJSON.contributes.configuration);
  }

  /** The settings that a server takes when it starts. */
  #startSettings(): string {
    return JSON.stringify([setting("server.path"), serverEnvironment(this.#declared, inspectIn(undefined))]);
  }

  async #stop(): Promise<void> {
    const running = this.#running;
    this.#running = null;
    this.roots.clear();
    await running?.stop();
    this.#changed.fire();
  }

  /** Start a server that ended again, unless it keeps ending. */
  #ended(program: Program): void {
    const now = Date.now();
    this.#deaths = [...this.#deaths.filter((death) => now - death < MINUTE_MS), now];
    if (this.#deaths.length < MOST_DEATHS) {
      this.#log.warn("The server ended and is started again.");
      this.#status.update({ life: "starting" });
      void this.#startAgain();
    } else {
      this.#status.update({ life: "failed", reason: `${program.command} keeps ending. The log shows why.` });
      this.#changed.fire();
    }
  }

  #becameRunning(): void {
    this.roots.clear();
    this.#status.update({ life: "running", reason: "" });
    this.#changed.fire();
    this.#refreshSoon();
  }

  /** Ask for the state of every root, for the status bar; several reasons to do so within a moment are one. */
  #refreshSoon(after = REFRESH_MS): void {
    clearTimeout(this.#refresh);
    this.#refresh = setTimeout(() => void this.refresh(), after);
  }

  async refresh(): Promise<void> {
    try {
      const roots = await this.roots.all();
      const answers = await Promise.all(roots.map((root) => this.server().ask("pilotfish.status", { root })));
      this.#status.update({ roots: answers });
      if (answers.some(isUnfinished)) {
        this.#refreshSoon(UNFINISHED_MS);
      }
    } catch (error) {
      this.#log.debug(`No status: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  // --- what a person has to decide -------------------------------------------------------------------------------------

  async #askForServer(problem: Program | NoProgram): Promise<void> {
    if (!("reason" in problem)) { // it has come since
      await this.restart();
      return;
    }
    if (problem.reason === "bad setting") {
      await this.#offer(problem.message, "Open Settings", "openServerSettings");
      return;
    }
    const words = "It can be installed into VS Code's own storage; what it needs is downloaded from your Python package index.";
    await this.#offer(`${problem.message} ${words}`, "Install", "installServer");
  }

  async #askForPython(): Promise<void> {
    const words = "Pilotfish needs Python 3.11 or newer, with venv, to install its server. Install one, or name it in the settings.";
    await this.#offer(words, "Open Settings", "openServerSettings");
  }

  async #offer(message: string, button: string, command: string): Promise<void> {
    if ((await vscode.window.showWarningMessage(message, button)) === button) {
      await vscode.commands.executeCommand(`pilotfish.ui.${command}`);
    }
  }

  get #installation(): Installation {
    return {
      carried: path.join(this.#context.extensionPath, "server"),
      storage: this.#context.globalStorageUri.fsPath,
      platform: process.platform,
    };
  }
}

function inspectIn(folder: vscode.Uri | undefined): Inspect {
  const configuration = vscode.workspace.getConfiguration("pilotfish", folder ?? null);
  return (name) => configuration.inspect(name);
}

function setting(name: string): string {
  return vscode.workspace.getConfiguration("pilotfish").get(name, "").trim();
}

function surroundings(): Surroundings {
  return {
    platform: process.platform,
    pathVariable: process.env["PATH"] ?? process.env["Path"] ?? "",
    folders: (vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri.fsPath),
    isProgram,
  };
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
