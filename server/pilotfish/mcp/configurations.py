"""What agents are configured with to start `pilotfish mcp`: `pilotfish mcp --print-config NAME`.

Each agent has a file of its own shape in a place of its own. What all of them say is the command; an agent that starts
its servers in the folder that it works in needs no more, others are told the root.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

SERVER: Final = "pilotfish"
"""The name of the server in every agent's list."""

WORKSPACE_VARIABLE: Final = "${workspaceFolder}"
"""What VS Code and its kin put the open folder in place of."""

Render = Callable[[Sequence[str]], str]


@dataclass(frozen=True)
class Agent:
    """One agent: its `name` on the command line, its `title`, the `file` that its servers stand in, and what the file
    says for a command. `root` is how it names the folder: None where it starts servers in it, empty where it knows none
    and the file has to name one.
    """

    name: str
    title: str
    file: str
    render: Render
    root: str | None = None


def _json(content: dict[str, Any]) -> str:
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"


def _quoted(word: str) -> str:
    """Quote a word for TOML and YAML: both take the escapes of JSON, but neither halves of characters beyond 16 bits
    nor, bare, the one control character that JSON lets stand."""
    return json.dumps(word, ensure_ascii=False).replace("\x7f", "\\u007f")


def _entry(command: Sequence[str], **more: str) -> dict[str, Any]:
    return {**more, "command": command[0], "args": list(command[1:])}


def _servers(command: Sequence[str]) -> str:
    return _json({"mcpServers": {SERVER: _entry(command)}})


def _typed_servers(command: Sequence[str]) -> str:
    return _json({"mcpServers": {SERVER: _entry(command, type="stdio")}})


def _vs_code(command: Sequence[str]) -> str:
    return _json({"servers": {SERVER: _entry(command, type="stdio")}})


def _zed(command: Sequence[str]) -> str:
    return _json({"context_servers": {SERVER: {**_entry(command), "env": {}}}})


def _codex(command: Sequence[str]) -> str:
    name, *arguments = map(_quoted, command)
    return f"[mcp_servers.{SERVER}]\ncommand = {name}\nargs = [{', '.join(arguments)}]\n"


def _opencode(command: Sequence[str]) -> str:
    entry = {"type": "local", "command": list(command), "enabled": True}
    return _json({"$schema": "https://opencode.ai/config.json", "mcp": {SERVER: entry}})


def _continue(command: Sequence[str]) -> str:
    name, *arguments = map(_quoted, command)
    lines = ["name: Pilotfish", "version: 0.0.1", "schema: v1", "mcpServers:"]
    lines += [f"  - name: {SERVER}", "    type: stdio", f"    command: {name}", "    args:"]
    return "\n".join([*lines, *(f"      - {argument}" for argument in arguments)]) + "\n"


AGENTS: Final = {
    agent.name: agent
    for agent in (
        Agent("claude-code", "Claude Code", ".mcp.json", _typed_servers),
        Agent("claude-desktop", "Claude Desktop", "claude_desktop_config.json", _servers, root=""),
        Agent("cursor", "Cursor", ".cursor/mcp.json", _typed_servers, root=WORKSPACE_VARIABLE),
        Agent("vscode", "VS Code", ".vscode/mcp.json", _vs_code, root=WORKSPACE_VARIABLE),
        Agent("zed", "Zed", ".zed/settings.json", _zed, root=""),
        Agent("codex", "Codex", "~/.codex/config.toml", _codex),
        Agent("gemini-cli", "Gemini CLI", ".gemini/settings.json", _servers),
        Agent("opencode", "opencode", "opencode.json", _opencode),
        Agent("continue", "Continue", ".continue/mcpServers/pilotfish.yaml", _continue, root=""),
    )
}
"""The agents by name, as they are documented in `editors/agents`."""


def configuration(agent: Agent, program: Sequence[str], roots: Sequence[str], folder: Path) -> str:
    """Return the text of an agent's file.

    Args:
        agent: whose file it is.
        program: the command of Pilotfish, without arguments.
        roots: folders that the server is to be told, instead of where the agent works.
        folder: the root where the agent needs one and none was named.

    """
    named = list(roots)
    if not named and agent.root is not None:
        named = [agent.root or str(folder)]
    return agent.render([*program, "mcp", *(argument for root in named for argument in ("--root", root))])


def own_program() -> list[str]:
    """Return the command of this installation: `pilotfish` if a shell finds that one, else where it lies.

    The script beside the interpreter, or the interpreter itself, isolated, where there is no script.
    """
    script = Path(sys.executable).parent / ("pilotfish.exe" if os.name == "nt" else "pilotfish")
    found = shutil.which("pilotfish")
    if found is not None and script.exists() and Path(found).samefile(script):
        return ["pilotfish"]
    return [str(script)] if script.exists() else [sys.executable, "-I", "-m", "pilotfish"]
