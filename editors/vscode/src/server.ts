// The one language server of this window: its life, and questions to it.

import * as os from "node:os";
import * as vscode from "vscode";
import {
  CloseAction, ErrorAction, LanguageClient, RevealOutputChannelOn, State, type ErrorHandler, type StaticFeature,
} from "vscode-languageclient/node";

import type { Operations } from "./operations.ts";
import type { Program } from "./server_location.ts";
import type { ServerStatus } from "./status_text.ts";

/** What becomes known of a running server. */
export interface ServerListener {
  starting(): void;
  running(): void;
  /** It ended, and is not started again by itself. */
  failed(reason: string): void;
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

/** A server that ends this often within a minute is not started again by itself. */
const MOST_DEATHS = 3;
const MINUTE_MS = 60_000;

/** No server can be asked: it is not there, or not any more. */
export class NoServer extends Error {
  constructor() {
    super("Pilotfish's server is not running. Show its log to see why.");
  }
}

export class Server {
  readonly #client: LanguageClient;

  constructor(options: ServerOptions) {
    this.#client = makeClient(options);
  }

  async start(): Promise<void> {
    await this.#client.start();
  }

  async stop(): Promise<void> {
    if (this.#client.state === State.Running || this.#client.state === State.Starting) {
      await this.#client.stop();
    }
    await this.#client.dispose();
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
}

function makeClient(options: ServerOptions): LanguageClient {
  const { program, listener } = options;
  const client = new LanguageClient(
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
      errorHandler: restartingHandler(options),
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
    if (newState === State.Starting) {
      listener.starting();
    } else if (newState === State.Running) {
      listener.running();
    }
  });
  return client;
}

/** Starts a server that ended again, unless it keeps ending. */
function restartingHandler({ listener, log }: ServerOptions): ErrorHandler {
  const deaths: number[] = [];
  return {
    error: () => ({ action: ErrorAction.Continue, handled: true }),
    closed: () => {
      const now = Date.now();
      deaths.push(now);
      if (deaths.filter((death) => now - death < MINUTE_MS).length < MOST_DEATHS) {
        log.warn("The server ended and is started again.");
        return { action: CloseAction.Restart, handled: true };
      }
      listener.failed("The server keeps ending. The log shows why.");
      return { action: CloseAction.DoNotRestart, handled: true };
    },
  };
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
