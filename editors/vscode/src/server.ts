// The one language server of this window: its life, and questions to it.

import * as os from "node:os";
import * as vscode from "vscode";
import {
  CloseAction, ErrorAction, LanguageClient, RevealOutputChannelOn, State, type StaticFeature,
} from "vscode-languageclient/node";

import type { Operations } from "./operations.ts";
import type { Program } from "./server_location.ts";
import type { ServerStatus } from "./status_text.ts";

/** What becomes known of a running server. */
export interface ServerListener {
  running(): void;
  /** It ended by itself, or did not come up. */
  ended(): void;
  status(status: ServerStatus): void;
  work(token: string | number, report: WorkReport): void;
}

export type WorkReport = { kind: "begin" | "report" | "end"; title?: string; message?: string; percentage?: number };

export interface ServerOptions {
  program: Program;
  environment: Record<string, string>;
  /** The settings that hold for all folders at the start. */
  initial: object;
  /** The settings that somebody has set for a folder. */
  settingsOf(folder: vscode.Uri | undefined): object;
  log: vscode.LogOutputChannel;
  listener: ServerListener;
}

/** How long a server that is still starting is waited for before it is left to itself. */
const START_MS = 5_000;

/** What it has to say goes to the log: the status bar tells what a person needs to know. */
class QuietClient extends LanguageClient {
  override error(message: string, data?: unknown): void {
    super.error(message, data, false);
  }
}

/** No server can be asked: it is not there, or not any more. */
export class NoServer extends Error {
  constructor() {
    super("Pilotfish's server is not running. Show its log to see why.");
  }
}

/** One run of the server, from its start to its end. */
export class Server {
  readonly #client: LanguageClient;
  readonly #options: ServerOptions;
  #isOver = false;

  constructor(options: ServerOptions) {
    this.#options = options;
    this.#client = makeClient(options, () => this.#end());
  }

  async start(): Promise<void> {
    try {
      await this.#client.start();
    } catch (error) {
      this.#options.log.error(error instanceof Error ? error : String(error));
      this.#end();
    }
  }

  /** End it. It may have ended, or may not be able to: neither keeps the next one from starting. */
  async stop(): Promise<void> {
    this.#isOver = true;
    try {
      if (this.#client.state === State.Starting) {
        await Promise.race([this.#client.start(), new Promise((resolve) => setTimeout(resolve, START_MS))]);
      }
      await this.#client.dispose();
    } catch (error) {
      this.#options.log.debug(`Not stopped: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  /** Ask the server; `token` cancels the question there too. Throws what went wrong, in one line. */
  async ask<Command extends keyof Operations>(
    command: Command, parameters: Operations[Command]["parameters"], token?: vscode.CancellationToken,
  ): Promise<Operations[Command]["answer"]> {
    if (this.#client.state !== State.Running) {
      throw new NoServer();
    }
    const params = { command, arguments: [parameters] };
    return token === undefined
      ? this.#client.sendRequest("workspace/executeCommand", params)
      : this.#client.sendRequest("workspace/executeCommand", params, token);
  }

  #end(): void {
    if (!this.#isOver) {
      this.#isOver = true;
      this.#options.listener.ended();
    }
  }
}

function makeClient(options: ServerOptions, ended: () => void): LanguageClient {
  const { program, listener } = options;
  const client = new QuietClient(
    "pilotfish",
    "Pilotfish",
    {
      command: program.command,
      args: [...program.arguments, "serve"],
      // Never the workspace's folder: nothing of it is to be found by chance.
      options: { cwd: os.homedir(), env: { ...process.env, ...options.environment } },
    },
    {
      documentSelector: [{ scheme: "file" }, { scheme: "untitled" }],
      initializationOptions: options.initial,
      outputChannel: options.log,
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      initializationFailedHandler: () => false,
      errorHandler: {
        error: () => ({ action: ErrorAction.Continue, handled: true }),
        closed: () => {
          ended();
          return { action: CloseAction.DoNotRestart, handled: true };
        },
      },
      middleware: {
        workspace: {
          configuration: (asked) =>
            asked.items.map((item) =>
              options.settingsOf(item.scopeUri === undefined ? undefined : vscode.Uri.parse(item.scopeUri)),
            ),
        },
        handleWorkDoneProgress: (token, report) => listener.work(token, report),
      },
    },
  );
  client.registerFeature(new StatusCapability());
  client.onNotification("experimental/serverStatus", (status: ServerStatus) => listener.status(status));
  client.onDidChangeState(({ newState }) => {
    if (newState === State.Running) {
      listener.running();
    }
  });
  return client;
}

/** Tells the server that its status is wanted. */
class StatusCapability implements StaticFeature {
  fillClientCapabilities(capabilities: { experimental?: object }): void {
    capabilities.experimental = { ...capabilities.experimental, serverStatusNotification: true };
  }
  initialize(): void {}
  getState(): { kind: "static" } {
    return { kind: "static" };
  }
  clear(): void {}
}
