// Offers Pilotfish's MCP server to VS Code's own agent mode, where this VS Code has one.

import * as vscode from "vscode";

import type { Server } from "./server.ts";

const ID = "pilotfish"; // as in the manifest

/** The part of VS Code's API that is newer than the oldest VS Code that this extension runs in. */
interface AgentApi {
  lm?: {
    registerMcpServerDefinitionProvider?(id: string, provider: {
      onDidChangeMcpServerDefinitions: vscode.Event<void>;
      provideMcpServerDefinitions(): Promise<object[]>;
    }): vscode.Disposable;
  };
  McpStdioServerDefinition?: new (
    label: string, command: string, args: string[], env: Record<string, string>, version: string,
  ) => object;
}

/** Register it; `isOffered` tells whether a server runs whose index an agent may ask. */
export function offerToAgents(
  server: () => Server, isOffered: () => boolean, changed: vscode.Event<void>, version: string,
): vscode.Disposable {
  const api = vscode as unknown as AgentApi;
  const Definition = api.McpStdioServerDefinition;
  if (api.lm?.registerMcpServerDefinitionProvider === undefined || Definition === undefined) {
    return new vscode.Disposable(() => undefined);
  }
  return api.lm.registerMcpServerDefinitionProvider(ID, {
    onDidChangeMcpServerDefinitions: changed,
    provideMcpServerDefinitions: async () => {
      if (!isOffered() || !vscode.workspace.isTrusted) {
        return [];
      }
      const way = await server().ask("pilotfish.mcpEndpoint", { transport: "stdio" });
      return [new Definition("Pilotfish", way.command, way.args, way.env, version)];
    },
  });
}
