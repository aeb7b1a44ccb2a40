"""The real process on standard input and output, in both eras of the protocol."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import psutil
import pytest
from mcp import Client
from mcp_types import ListRootsResult, Root

from tests.mcp.conftest import Era, command, indexed, text_of, write_files
from tests.protocol.conftest import engines
from tests.protocol.raw_client import PATIENCE
from tests.protocol.test_lsp_end_to_end import editor, open_document

PRINTING = """
import sys, threading
from pilotfish.mcp import text
index_line = text.index_line

def noisy(*arguments):
    print("a stray line")
    print('{"jsonrpc": "2.0", "id": 1, "result": {}}', flush=True)
    sys.__stdout__.write("unflushed")
    import subprocess
    subprocess.run([sys.executable, "-c", "print('from a child')"], check=True)
    return index_line(*arguments)

text.index_line = noisy
from pilotfish.mcp import serve
sys.exit(serve.run(sys.argv[1:]))
"""


async def test_a_client_lists_asks_reads_and_leaves_nothing_behind(root: Path, era: Era, private_home: Path) -> None:
    async with Client(command("--root", str(root)), mode=era) as client:
        assert (await client.list_tools()).tools
        first = await client.call_tool("search_code", {"query": "charge_card"})
        assert not first.is_error
        await indexed(client)
        assert "shop/checkout.py" in text_of(await client.call_tool("search_code", {"query": "charge_card"}))
        assert (await client.list_resources()).resources
        assert (await client.list_prompts()).prompts
        (engine,) = engines(private_home)
        (front,) = [child for child in psutil.Process().children() if "mcp" in child.cmdline()]
    assert not front.is_running() or front.status() == psutil.STATUS_ZOMBIE
    engine.wait(PATIENCE)


async def test_stray_prints_do_not_reach_the_client(root: Path, era: Era, tmp_path: Path) -> None:
    program = tmp_path / "noisy.py"
    program.write_text(PRINTING)
    server = command("--root", str(root))
    server = server.model_copy(update={"args": ["-I", str(program), "--root", str(root)]})
    stray: list[Any] = []

    async def hear(message: Any) -> None:
        if isinstance(message, Exception):
            stray.append(message)

    async with Client(server, mode=era, message_handler=hear) as client:
        for _ in range(3):
            assert not (await client.call_tool("get_repo_status", {})).is_error
    assert not stray


def test_the_end_of_the_input_is_the_end_of_the_process_and_the_output_holds_frames_only(
    root: Path, private_home: Path
) -> None:
    greeting = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    frames = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": greeting},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
    ]
    waiting = {"name": "sync_repository", "arguments": {"force": True}}
    with subprocess.Popen(
        [sys.executable, "-I", "-m", "pilotfish", "mcp", "--root", str(root)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write("".join(json.dumps(frame) + "\n" for frame in frames))
        server.stdin.flush()
        answers = [json.loads(server.stdout.readline()) for _ in range(2)]
        assert {answer["id"] for answer in answers} == {1, 2}
        call = {"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": waiting}
        server.stdin.write(json.dumps(call) + "\n")
        server.stdin.close()
        assert server.wait(PATIENCE) == 0
        for line in server.stdout:
            json.loads(line)
    for engine in engines(private_home):
        engine.wait(PATIENCE)


CALL = '{"jsonrpc": "2.0", "id": %s, "method": "tools/call", "params": {"name": "search_code", "arguments": %s}}'
BROKEN = [
    ("this is no JSON", None, -32700),
    ("[" * 100_000, None, -32700),
    (CALL % (10, '{"query": "\\ud83d"}'), 10, -32602),
    (CALL % ('"eleven"', '{"query": ' + "[" * 400 + "]" * 400 + "}"), "eleven", -32602),
    ('{"jsonrpc": "2.0", "id": 12, "method": "tools/call", "params": [1]}', 12, -32602),
    ('{"jsonrpc": "2.0", "id": 13, "method": "tools/call", "params": "x"}', 13, -32602),
    ('{"jsonrpc": "1.0", "id": 14, "method": "tools/list"}', 14, -32600),
    ('{"jsonrpc": "2.0", "id": 15, "method": 7}', 15, -32600),
    ('[{"jsonrpc": "2.0", "id": 16, "method": "tools/list"}]', None, -32600),
    ("7", None, -32600),
]


def test_a_line_that_is_no_message_is_answered_and_one_that_waits_for_nothing_is_not(
    root: Path, private_home: Path
) -> None:
    greeting = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    silent = [
        "",
        '{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": [1]}',
        '{"jsonrpc": "2.0", "id": 17, "result": 7}',
        '{"jsonrpc": "2.0", "id": 18, "error": "\\ud83d"}',
    ]
    with subprocess.Popen(
        [sys.executable, "-I", "-m", "pilotfish", "mcp", "--root", str(root)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None

        def ask(lines: list[str], answers: int) -> list[Any]:
            assert server.stdin is not None
            assert server.stdout is not None
            server.stdin.write("".join(line + "\n" for line in lines))
            server.stdin.flush()
            return [json.loads(server.stdout.readline()) for _ in range(answers)]

        for line, number, code in BROKEN[:1]:  # before anybody has said who they are
            (answer,) = ask([line], 1)
            assert (answer["id"], answer["error"]["code"]) == (number, code)
        ask([json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": greeting})], 1)
        ask([json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}), *silent], 0)
        for line, number, code in BROKEN:
            (answer,) = ask([line], 1)
            assert (answer["id"], answer["error"]["code"]) == (number, code), (line[:100], answer)
        (answer,) = ask([json.dumps({"jsonrpc": "2.0", "id": 2, "method": "tools/list"})], 1)
        assert answer["result"]["tools"]
        server.stdin.close()
        assert server.wait(PATIENCE) == 0
    for engine in engines(private_home):
        engine.wait(PATIENCE)


@pytest.mark.parametrize("arguments", [["--nonsense"], ["--root"]])
def test_bad_arguments_are_told_on_standard_error(arguments: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-I", "-m", "pilotfish", "mcp", *arguments], capture_output=True, timeout=PATIENCE, check=False
    )
    assert done.returncode == 2
    assert not done.stdout
    assert b"usage: pilotfish mcp" in done.stderr


async def test_the_environment_names_roots(root: Path, tmp_path: Path, era: Era) -> None:
    async with Client(command(cwd=tmp_path, env={"PILOTFISH_ROOT": str(root)}), mode=era) as client:
        status = await client.call_tool("get_repo_status", {})
        assert status.structured_content["root"] == str(root)


async def test_a_clients_own_roots_come_before_the_folder(root: Path, tmp_path: Path) -> None:
    async def roots(context: Any) -> ListRootsResult:
        return ListRootsResult(roots=[Root(uri=root.as_uri())])

    other = write_files(tmp_path / "other", {".git/HEAD": "ref: refs/heads/main\n", "a.py": "a = 1\n"})
    async with Client(command(cwd=other), mode="legacy", list_roots_callback=roots) as client:
        status = await client.call_tool("get_repo_status", {})
        assert status.structured_content["root"] == str(root)
    async with Client(command(cwd=root), mode="auto") as client:
        status = await client.call_tool("get_repo_status", {})
        assert status.structured_content["root"] == str(root)


def test_a_root_that_is_none_costs_no_other(root: Path, tmp_path: Path, private_home: Path) -> None:
    greeting = {
        "protocolVersion": "2025-11-25",
        "capabilities": {"roots": {}},
        "clientInfo": {"name": "t", "version": "1"},
    }
    roots = [{"uri": "http://x/y"}, {"uri": 7}, "file:///x\0", {"uri": "untitled:x"}, {"uri": root.as_uri()}]
    with subprocess.Popen(
        [sys.executable, "-I", "-m", "pilotfish", "mcp"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        for message in (
            {"id": 1, "method": "initialize", "params": greeting},
            {"method": "notifications/initialized"},
            {"id": 2, "method": "tools/call", "params": {"name": "get_repo_status", "arguments": {}}},
        ):
            server.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        server.stdin.flush()
        for line in server.stdout:
            answer = json.loads(line)
            if answer.get("method") == "roots/list":
                named = {"jsonrpc": "2.0", "id": answer["id"], "result": {"roots": roots}}
                server.stdin.write(json.dumps(named) + "\n")
                server.stdin.flush()
            elif answer["id"] == 2:
                assert answer["result"]["structuredContent"]["root"] == str(root)
                break
        _, told = server.communicate(timeout=PATIENCE)
        assert "no folder here: 'http://x/y'" in told
    for engine in engines(private_home):
        engine.wait(PATIENCE)


async def test_an_unsafe_folder_is_refused_calmly_and_the_server_stays(private_home: Path, era: Era) -> None:
    async with Client(command(cwd=Path("/")), mode=era) as client:
        assert (await client.list_tools()).tools
        for _ in range(2):
            refused = await client.call_tool("search_code", {"query": "x"})
            assert refused.is_error
            assert "/ is not indexed: it is the top of the file system" in text_of(refused)
            assert "--root" in text_of(refused)
    assert not engines(private_home)


async def test_an_agent_sees_what_the_editor_has_not_saved_until_it_is_closed(root: Path, era: Era) -> None:
    path = root / "shop" / "stock.py"
    uri = path.as_uri()
    async with editor(root) as lsp, Client(command("--root", str(root)), mode=era) as client:
        await indexed(client)

        async def place() -> tuple[str, list[str]]:
            answer = (await client.call_tool("get_definition", {"symbol_name": "reserve_twice"})).structured_content
            return answer["outcome"], answer.get("unsaved", [])

        assert await place() == ("no_match", [])
        text = path.read_text() + "\n\ndef reserve_twice(shelf):\n    return 2\n"
        await open_document(lsp, uri, path.read_text())
        began = time.perf_counter()
        await lsp.notify(
            "textDocument/didChange",
            {"textDocument": {"uri": uri, "version": 2}, "contentChanges": [{"text": text}]},
        )
        async with asyncio.timeout(PATIENCE):
            while await place() != ("found", ["shop/stock.py"]):
                await asyncio.sleep(0.01)
        print(f"an unsaved edit was in the agent's answer after {(time.perf_counter() - began) * 1000:.0f} ms")
        found = text_of(await client.call_tool("search_code", {"query": "reserve_twice"}))
        assert "unsaved in the editor: shop/stock.py" in found
        await lsp.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
        async with asyncio.timeout(PATIENCE):
            while (await place())[0] != "no_match":
                await asyncio.sleep(0.01)
    assert "reserve_twice" not in path.read_text()
