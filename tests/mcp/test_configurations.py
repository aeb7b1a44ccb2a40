"""What agents are configured with: each file is in its format, is what is printed, and starts a server that answers."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from mcp import Client, StdioServerParameters

from pilotfish.mcp import serve
from pilotfish.mcp.configurations import AGENTS, WORKSPACE_VARIABLE, configuration
from pilotfish.operations import OPERATIONS
from tests.protocol.raw_client import PATIENCE

FOLDER = Path(__file__).parents[2] / "editors" / "agents"
PLACEHOLDER = "/path/to/repository"
BIN = Path(sys.executable).parent
READERS: dict[str, Callable[[str], Any]] = {".json": json.loads, ".toml": tomllib.loads, ".yaml": yaml.safe_load}

SHAPES: dict[str, Callable[[Any], dict[str, Any]]] = {
    "claude-code": lambda file: file["mcpServers"]["pilotfish"],
    "claude-desktop": lambda file: file["mcpServers"]["pilotfish"],
    "cursor": lambda file: file["mcpServers"]["pilotfish"],
    "vscode": lambda file: file["servers"]["pilotfish"],
    "zed": lambda file: file["context_servers"]["pilotfish"],
    "codex": lambda file: file["mcp_servers"]["pilotfish"],
    "gemini-cli": lambda file: file["mcpServers"]["pilotfish"],
    "opencode": lambda file: file["mcp"]["pilotfish"],
    "continue": lambda file: file["mcpServers"][0],
}
"""Where each agent documents that a server stands in its file."""


def printed(name: str, *arguments: str, path: str = str(BIN), folder: Path | None = None) -> str:
    done = subprocess.run(
        [sys.executable, "-I", "-m", "pilotfish", "mcp", "--print-config", name, *arguments],
        env=os.environ | {"PATH": path},
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=True,
    )
    assert not done.stderr
    return done.stdout


def file_of(name: str) -> Path:
    (file,) = (file for file in FOLDER.iterdir() if file.stem == name)
    return file


def command_of(name: str, text: str) -> list[str]:
    entry = SHAPES[name](READERS[file_of(name).suffix](text))
    if isinstance(entry["command"], list):
        return entry["command"]
    return [entry["command"], *entry["args"]]


def test_there_is_a_file_and_a_paragraph_for_each_agent() -> None:
    assert sorted(file.stem for file in FOLDER.iterdir() if file.suffix != ".md") == sorted(AGENTS)
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")
    for agent in AGENTS.values():
        assert f"**{agent.title}**, [{file_of(agent.name).name}]({file_of(agent.name).name})" in readme
        assert f"`{agent.file}`" in readme


@pytest.mark.parametrize("name", AGENTS)
def test_the_file_is_what_is_printed(name: str) -> None:
    named = [PLACEHOLDER] if AGENTS[name].root == "" else []
    assert configuration(AGENTS[name], ["pilotfish"], named, Path()) == file_of(name).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", AGENTS)
async def test_its_command_starts_a_server_that_answers(name: str, tmp_path: Path, private_home: Path) -> None:
    root = tmp_path / "shop"
    (root / ".git").mkdir(parents=True)
    filled_in = {PLACEHOLDER: str(root), WORKSPACE_VARIABLE: str(root), "pilotfish": str(BIN / "pilotfish")}
    program, *arguments = (filled_in.get(word, word) for word in command_of(name, file_of(name).read_text("utf-8")))
    server = StdioServerParameters(command=program, args=arguments, env=dict(os.environ), cwd=root)
    async with Client(server, mode="legacy") as client:
        assert client.server_info.name == "pilotfish"
        tools = (await client.list_tools()).tools
        assert [tool.name for tool in tools] == [operation.name for operation in OPERATIONS if operation.mcp]
        status = await client.call_tool("get_repo_status", {})
        assert status.structured_content["root"] == str(root)


@pytest.mark.parametrize("name", AGENTS)
def test_any_path_is_written_so_that_it_is_read_back(name: str, tmp_path: Path) -> None:
    folder = tmp_path / 'a "strange" näme\\with: #signs ${x} 🐟'
    folder.mkdir()
    text = printed(name, "--root", str(folder), "--root", str(tmp_path), path="/nowhere")
    command = command_of(name, text)
    assert command == [str(BIN / "pilotfish"), "mcp", "--root", str(folder), "--root", str(tmp_path)]


def test_an_agent_that_knows_no_folder_is_told_the_one_around_here(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    (tmp_path / "inner").mkdir()
    text = printed("claude-desktop", folder=tmp_path / "inner", path=f"{BIN}{os.pathsep}{os.environ['PATH']}")
    assert command_of("claude-desktop", text) == ["pilotfish", "mcp", "--root", str(tmp_path)]


def test_a_root_is_written_by_its_absolute_path_and_has_to_be_there(tmp_path: Path) -> None:
    (tmp_path / "shop").mkdir()
    (tmp_path / "here").mkdir()
    text = printed("claude-desktop", "--root", "../shop", folder=tmp_path / "here")
    assert command_of("claude-desktop", text)[-2:] == ["--root", str(tmp_path / "shop")]
    command = [sys.executable, "-I", "-m", "pilotfish", "mcp", "--print-config", "codex", "--root", "../nope"]
    done = subprocess.run(command, cwd=tmp_path / "here", capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"{tmp_path / 'nope'} is no folder" in done.stderr


@pytest.mark.parametrize("page", ["README.md", "docs/agents.md", "editors/agents/README.md"])
def test_commands_of_the_documentation_are_understood(page: str) -> None:
    text = (FOLDER.parents[1] / page).read_text(encoding="utf-8")
    lines = re.findall(r"^\$ (?:.* -- )?(?:pilotfish|PILOTFISH) mcp(.*)$", text, re.MULTILINE)
    lines += re.findall(r"pilotfish mcp((?: --[\w-]+(?: NAME)?)*)`", text)
    assert lines
    for line in lines:
        arguments = shlex.split(line.partition("#")[0].replace("NAME", "codex"))
        assert serve.build_parser().parse_args(arguments)


def test_an_unknown_agent_is_answered_with_those_that_there_are() -> None:
    done = subprocess.run(
        [sys.executable, "-I", "-m", "pilotfish", "mcp", "--print-config", "emacs"],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 2
    for name in AGENTS:
        assert name in done.stderr
