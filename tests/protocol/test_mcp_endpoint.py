"""The way from an editor's session to MCP: the command that it names, and the server that it runs."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx2
import psutil
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from tests.protocol.conftest import engines
from tests.protocol.raw_client import PATIENCE, RawClient, raw_client

INVALID_PARAMS = -32602


@pytest.fixture
def root(tmp_path: Path, private_home: Path) -> Path:
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "stock.py").write_text("def count_items(shelf):\n    return len(shelf)\n")
    return tmp_path / "shop"


async def command(client: RawClient, name: str, **parameters: Any) -> Any:
    return await client.request("workspace/executeCommand", {"command": f"pilotfish.{name}", "arguments": [parameters]})


async def endpoint(client: RawClient, **parameters: Any) -> Any:
    return await command(client, "mcpEndpoint", **parameters)


@contextlib.asynccontextmanager
async def over_http(found: dict[str, Any]) -> AsyncIterator[Client]:
    """A client of the server that a session runs."""
    async with (
        httpx2.AsyncClient(headers={"Authorization": f"Bearer {found['token']}"}, timeout=PATIENCE) as http,
        Client(streamable_http_client(found["url"], http_client=http)) as client,
    ):
        yield client


def fronts(client: RawClient) -> list[psutil.Process]:
    """The MCP servers that a session's process runs."""
    children = psutil.Process(client.process.pid).children()
    return [child for child in children if "--attached" in child.cmdline()]


async def test_the_command_that_is_named_sees_unsaved_text(root: Path) -> None:
    async with raw_client() as editor:
        await editor.initialize(root)
        found = await endpoint(editor)
        assert (found["transport"], found["url"], found["token"]) == ("stdio", "", "")
        assert found["index"]["phase"]
        text = "def count_unsaved(shelf):\n    return 0\n"
        document = {"uri": (root / "new.py").as_uri(), "languageId": "python", "version": 1, "text": text}
        await editor.notify("textDocument/didOpen", {"textDocument": document})
        await command(editor, "control", action="wait")
        server = StdioServerParameters(command=found["command"], args=found["args"], env=found["env"])
        async with Client(server) as agent:
            answer = await agent.call_tool("get_definition", {"symbol_name": "count_unsaved"})
            assert answer.structured_content["unsaved"] == ["new.py"]
        assert not fronts(editor)


async def test_one_server_is_run_for_all_who_ask(root: Path, private_home: Path) -> None:
    async with raw_client() as editor:
        await editor.initialize(root)
        first, second = await asyncio.gather(endpoint(editor, transport="http"), endpoint(editor, transport="http"))
        assert (first["url"], first["token"]) == (second["url"], second["token"])
        (front,) = fronts(editor)
        assert first["token"] not in " ".join(front.cmdline())
        async with over_http(first) as agent:
            answer = await agent.call_tool("find_usages", {"symbol_name": "count_items"})
            assert not answer.is_error
        assert len(engines(private_home)) == 1
        assert (await httpx2.AsyncClient().post(first["url"])).status_code == 401
    await asyncio.to_thread(front.wait, PATIENCE)


async def test_another_folder_is_served_at_the_same_address(root: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "till.py").write_text("def open_till():\n    return 1\n")
    async with raw_client() as editor:
        await editor.initialize(root)
        first = await endpoint(editor, transport="http")
        (before,) = fronts(editor)
        added = {"uri": other.as_uri(), "name": "other"}
        await editor.notify("workspace/didChangeWorkspaceFolders", {"event": {"added": [added], "removed": []}})
        second = await endpoint(editor, transport="http", root=str(other))
        assert (first["url"], first["token"]) == (second["url"], second["token"])
        (after,) = fronts(editor)
        assert after != before
        async with over_http(second) as agent:
            for name in (root.name, other.name):
                status = await agent.call_tool("get_repo_status", {"root": name})
                assert Path(status.structured_content["root"]).name == name
            first_root = await agent.call_tool("get_repo_status", {})
            assert first_root.structured_content["root"] == str(other)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
async def test_the_server_dies_with_a_session_that_is_killed(
    root: Path, private_home: Path, number: signal.Signals
) -> None:
    async with raw_client() as editor:
        await editor.initialize(root)
        found = await endpoint(editor, transport="http")
        async with over_http(found) as agent:
            await agent.list_tools()
        (front,) = fronts(editor)
        editor.process.send_signal(number)
        await asyncio.to_thread(front.wait, PATIENCE)
    for engine in engines(private_home):
        await asyncio.to_thread(engine.wait, PATIENCE)


async def test_one_that_has_died_is_run_again_where_it_was(root: Path) -> None:
    async with raw_client() as editor:
        await editor.initialize(root)
        found = await endpoint(editor, transport="http")
        (front,) = fronts(editor)
        front.kill()
        await asyncio.to_thread(front.wait, PATIENCE)
        again = await endpoint(editor, transport="http")
        assert again["url"] == found["url"]
        async with over_http(again) as agent:
            assert (await agent.list_tools()).tools


async def test_what_cannot_be_is_said_with_what_to_send(root: Path) -> None:
    async with raw_client() as editor:
        await editor.initialize(root)
        for wrong in ({"transport": "carrier pigeon"}, {"port": 80}):
            request = {"command": "pilotfish.mcpEndpoint", "arguments": [wrong]}
            error = await editor.error("workspace/executeCommand", request)
            assert error["code"] == INVALID_PARAMS
            assert "Send one object with transport, root" in error["message"]
    async with raw_client() as editor:
        await editor.initialize()
        error = await editor.error("workspace/executeCommand", {"command": "pilotfish.mcpEndpoint", "arguments": []})
        assert "no workspace folder is open" in error["message"]


def test_neither_session_nor_engine_imports_the_library() -> None:
    """The names of what they import are read in `tests/unit/test_architecture.py`; this is what is really loaded."""
    probe = (
        "import sys; import pilotfish.lsp.serve, pilotfish.lsp.server, pilotfish.lsp.features, pilotfish.lsp.endpoint, "
        "pilotfish.engine.process, pilotfish.engine.engine; "
        "print([name for name in sys.modules if name.split('.')[0] in ('mcp', 'mcp_types', 'pydantic', 'uvicorn')])"
    )
    done = subprocess.run([sys.executable, "-I", "-c", probe], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
