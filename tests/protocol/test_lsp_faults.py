"""Faults of pygls 2.1.1 that the server covers, and the life of a connection, seen byte by byte."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest

from tests.protocol.raw_client import PATIENCE, raw_client

PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS = -32700, -32600, -32601, -32602
NOT_INITIALIZED, CANCELLED = -32002, -32800


# --- messages that are none


BROKEN: list[tuple[bytes, int]] = [
    (b"{", PARSE_ERROR),
    (b"\xff\xfe", PARSE_ERROR),
    (b"[" * 100_000, PARSE_ERROR),
    (b"[]", INVALID_REQUEST),
    (b'[{"jsonrpc":"2.0","id":1,"method":"shutdown"}]', INVALID_REQUEST),
    (b"{}", INVALID_REQUEST),
    (b"7", INVALID_REQUEST),
    (b'{"jsonrpc":"1.0","id":null,"method":"x"}', INVALID_REQUEST),
    (b'{"jsonrpc":"2.0","id":null,"method":"shutdown"}', INVALID_REQUEST),
    (b'{"jsonrpc":"2.0","method":5}', INVALID_REQUEST),
]


async def test_broken_messages_are_refused_and_the_session_goes_on() -> None:
    async with raw_client() as client:
        await client.initialize()
        for body, code in BROKEN:
            await client.send(body)
            assert (await client.next_stray())["error"]["code"] == code, body
        assert await client.request("workspace/symbol", {"query": ""}) == []


async def test_headers_in_any_case_and_junk_between_frames_do_not_lose_the_stream() -> None:
    async with raw_client() as client:
        await client.send_bytes(b"stray line\r\n\r\n")
        body = json.dumps({"jsonrpc": "2.0", "id": "a", "method": "shutdown"}).encode()
        await client.send_bytes(b"content-type: x\r\nCONTENT-LENGTH :%d\r\n\r\n%b" % (len(body), body))
        answer = await client.next_stray()
        assert (answer["id"], answer["error"]["code"]) == ("a", NOT_INITIALIZED)
        await client.send_bytes(b"Content-Length: x\r\n\r\n{}Content-Length: %d\r\n\r\n%b" % (len(body), body))
        assert (await client.next_stray())["id"] == "a"
        await client.initialize()


async def test_a_nested_object_that_looks_like_a_message_stays_data() -> None:
    async with raw_client() as client:
        await client.initialize()
        decoy = {"jsonrpc": "2.0", "id": 9, "method": "shutdown"}
        error = await client.error("workspace/executeCommand", {"command": "pilotfish.why", "arguments": [decoy]})
        assert "jsonrpc" in error["message"]


# --- requests


async def test_bad_or_missing_params_are_answered() -> None:
    async with raw_client() as client:
        await client.initialize()
        for params in (None, {}, {"textDocument": 5, "position": {}}, []):
            error = await client.error("textDocument/hover", params)
            assert error["code"] == INVALID_PARAMS
            assert "textDocument/hover" in error["message"]


async def test_requests_out_of_order_get_the_code_of_the_specification() -> None:
    async with raw_client() as client:
        assert (await client.error("textDocument/hover", {}))["code"] == NOT_INITIALIZED
        await client.initialize()
        assert (await client.error("initialize", {"processId": None, "rootUri": None, "capabilities": {}}))[
            "code"
        ] == INVALID_REQUEST
        assert (await client.error("textDocument/nonsense"))["code"] == METHOD_NOT_FOUND
        await client.notify("$/nonsense", {})
        await client.notify("nonsense")
        await client.request("shutdown")
        assert (await client.error("workspace/symbol", {"query": "x"}))["code"] == INVALID_REQUEST
        await client.notify("exit")
        assert await client.exit_code() == 0


async def test_documents_that_nobody_opened_are_no_reason_for_a_popup() -> None:
    async with raw_client() as client:
        await client.initialize()
        document = {"uri": "file:///nowhere/x.py", "version": 3}
        change = {"range": _range(0, 0, 0, 0), "text": "x"}
        await client.notify("textDocument/didChange", {"textDocument": document, "contentChanges": [change]})
        await client.notify("textDocument/didSave", {"textDocument": document})
        await client.notify("textDocument/didClose", {"textDocument": document})
        await client.notify("textDocument/didChange", {"textDocument": 5})
        await client.request("workspace/symbol", {"query": ""})
        assert not client.notifications


# --- commands


async def test_commands_say_what_to_send_instead() -> None:
    async with raw_client() as client:
        result = await client.initialize()
        offered = result["capabilities"]["executeCommandProvider"]["commands"]
        assert "pilotfish.status" in offered
        cases: list[tuple[str, Any, str]] = [
            ("pilotfish.nonsense", [], "pilotfish.status"),
            ("pilotfish.findSymbols", [], "query (required)"),
            ("pilotfish.findSymbols", None, "query (required)"),
            ("pilotfish.findSymbols", ["x"], "one object"),
            ("pilotfish.findSymbols", [{"query": "x"}, 1], "one object"),
            ("pilotfish.findSymbols", [{"query": "x", "maxResults": 3}], "max_results"),
            ("pilotfish.findSymbols", [{"query": 5}], "query (required)"),
        ]
        for command, arguments, expected in cases:
            error = await client.error("workspace/executeCommand", {"command": command, "arguments": arguments})
            assert error["code"] == INVALID_PARAMS
            assert expected in error["message"], command


async def test_status_answers_without_any_folder() -> None:
    async with raw_client() as client:
        await client.initialize()
        for params in ({"command": "pilotfish.status"}, {"command": "pilotfish.status", "arguments": []}):
            status = await client.request("workspace/executeCommand", params)
            assert status["warnings"]
            assert status["index"]["phase"] == "starting"


# --- the end


async def test_exit_without_shutdown_is_failure() -> None:
    async with raw_client() as client:
        await client.initialize()
        await client.notify("exit")
        assert await client.exit_code() == 1


async def test_end_of_input_ends_the_server() -> None:
    async with raw_client() as client:
        await client.initialize()
        assert client.process.stdin is not None
        client.process.stdin.close()
        assert await client.exit_code() == 1


async def test_end_of_input_after_shutdown_is_no_failure() -> None:
    async with raw_client() as client:
        await client.initialize()
        await client.request("shutdown")
        assert client.process.stdin is not None
        client.process.stdin.close()
        assert await client.exit_code() == 0


@pytest.mark.parametrize("way", ["processId", "--clientProcessId"])
async def test_the_server_ends_with_its_client(way: str) -> None:
    parent = await asyncio.create_subprocess_exec(sys.executable, "-c", "input()", stdin=asyncio.subprocess.PIPE)
    arguments = [f"--clientProcessId={parent.pid}"] if way == "--clientProcessId" else []
    try:
        async with raw_client(*arguments) as client:
            await client.initialize(processId=parent.pid if way == "processId" else None)
            await client.request("workspace/symbol", {"query": ""})
            parent.kill()
            assert await client.exit_code() == 1
    finally:
        await parent.wait()


async def test_a_client_that_stops_reading_does_not_stop_the_server(tmp_path: Path) -> None:
    """The server's output fills the pipe; input is still taken, and closing it still ends the process."""
    process = subprocess.Popen(
        [sys.executable, "-I", "-m", "pilotfish", "serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdin is not None
    bodies = [b'{"jsonrpc":"2.0","id":%d,"method":"x"}' % number for number in range(5_000)]
    process.stdin.write(b"".join(b"Content-Length: %d\r\n\r\n%b" % (len(body), body) for body in bodies))
    process.stdin.close()
    assert await asyncio.to_thread(process.wait, PATIENCE) == 1
    assert process.stdout is not None
    process.stdout.close()


# --- inside the server


STRAY_PRINTS = """
    import os, subprocess, sys
    from pilotfish.lsp import features
    from lsprotocol import types

    async def loud(ls, params):
        print("stray print")
        sys.stdout.flush()
        os.write(1, b"stray write")
        subprocess.run([sys.executable, "-c", "print('stray child')"], check=True)
        assert sys.stdin.read() == ""
        return [{}]

    features.HANDLERS[types.WORKSPACE_SYMBOL] = loud
    from pilotfish.lsp.serve import run
    sys.exit(run([], repr))
"""


async def test_nothing_but_frames_reaches_standard_output() -> None:
    async with raw_client(command=_python(STRAY_PRINTS, "{1, 2}")) as client:
        await client.initialize()
        error = await client.error("workspace/symbol", {"query": "x"})
        assert "JSON" in error["message"]
        await client.leave()
    assert [b"stray " + word in client.stderr for word in (b"print", b"write", b"child")] == [True, True, True]


async def test_what_cannot_be_written_as_json_is_an_error() -> None:
    async with raw_client(command=_python(STRAY_PRINTS, 'float("nan")')) as client:
        await client.initialize()
        assert "JSON" in (await client.error("workspace/symbol", {"query": "x"}))["message"]
        client.stray.clear()


SLOW_COMMAND = """
    import asyncio, sys
    from pilotfish.lsp import commands

    async def slow(server, params):
        server.tell("info", "begun")
        try:
            await asyncio.sleep(1000)
        except asyncio.CancelledError:
            server.tell("info", "cancelled")
            raise

    commands.execute = slow
    from pilotfish.lsp.serve import run
    sys.exit(run([], repr))
"""


async def test_cancel_reaches_a_command() -> None:
    async with raw_client(command=_python(SLOW_COMMAND)) as client:
        await client.initialize()
        number, answer = await client.start_request("workspace/executeCommand", {"command": "x"})
        await client.wait_for("window/logMessage")
        await client.notify("$/cancelRequest", {"id": number})
        assert (await asyncio.wait_for(answer, PATIENCE))["error"]["code"] == CANCELLED
        assert (await client.wait_for("window/logMessage", 2))["message"] == "cancelled"
        await client.notify("$/cancelRequest", {"id": number})
        await client.notify("$/cancelRequest", {"id": "unknown"})


async def test_shutdown_in_the_middle_of_work_is_answered_and_the_work_cancelled() -> None:
    async with raw_client(command=_python(SLOW_COMMAND)) as client:
        await client.initialize()
        answers = [(await client.start_request("workspace/executeCommand", {"command": "x"}))[1] for _ in range(5)]
        await client.wait_for("window/logMessage", 5)
        assert await client.leave() == 0
        assert {(await answer)["error"]["code"] for answer in answers} == {CANCELLED}


BOOK_KEEPING = """
    import sys
    from pilotfish.lsp import commands

    async def count(server, params):
        protocol = server.protocol
        return [len(protocol._request_futures), len(protocol._result_types), len(protocol._started)]

    commands.execute = count
    from pilotfish.lsp.serve import run
    sys.exit(run([], repr))
"""


async def test_nothing_is_kept_of_what_is_over() -> None:
    async with raw_client(command=_python(BOOK_KEEPING)) as client:
        await client.initialize()
        uri = "untitled:1"
        await client.notify("textDocument/didOpen", {"textDocument": _item(uri, "x = 1\n")})
        for version in range(300):
            change = {"range": _range(0, 0, 0, 0), "text": "y"}
            document = {"uri": uri, "version": version}
            await client.notify("textDocument/didChange", {"textDocument": document, "contentChanges": [change]})
            await client.notify("workspace/didChangeConfiguration", {"settings": None})
        for _ in range(20):
            counts = await client.request("workspace/executeCommand", {"command": "x"})
        assert counts == [1, 0, 1]


# --- the command line


def _serve(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-I", "-m", "pilotfish", "serve", *arguments]
    return subprocess.run(command, input="", capture_output=True, text=True, timeout=60, check=False)


@pytest.mark.parametrize(
    "arguments",
    [["--nonsense"], ["--tcp", ":80"], ["--tcp", "host:x"], ["--socket", "99999"], ["--stdio", "--tcp", "127.0.0.1:0"]],
)
def test_bad_arguments_are_named_on_standard_error(arguments: list[str]) -> None:
    done = _serve(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert "usage: pilotfish serve" in done.stderr


def test_a_pipe_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    done = _serve("--pipe", str(tmp_path / "none"))
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)


def test_the_arguments_of_language_clients_are_taken(tmp_path: Path) -> None:
    log = tmp_path / "log.txt"
    done = _serve("--stdio", f"--clientProcessId={os.getpid()}", "--log-file", str(log), "-v")
    assert (done.returncode, done.stdout) == (1, "")
    assert log.exists()


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="Unix sockets")
@pytest.mark.parametrize("way", ["--pipe", "--socket", "--tcp"])
async def test_other_ways_to_talk(way: str, tmp_path: Path) -> None:
    accepted: asyncio.Future[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = asyncio.Future()

    def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        accepted.set_result((reader, writer))

    listener: asyncio.Server | None = None
    if way == "--pipe":
        argument = str(tmp_path / "s")
        listener = await asyncio.start_unix_server(accept, argument)
    elif way == "--socket":
        listener = await asyncio.start_server(accept, "127.0.0.1", 0)
        argument = str(listener.sockets[0].getsockname()[1])
    else:
        argument = "127.0.0.1:0"
    process = await asyncio.create_subprocess_exec(
        *[sys.executable, "-I", "-m", "pilotfish", "serve", way, argument],
        stdin=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )
    if listener is None:
        assert process.stderr is not None
        line = await asyncio.wait_for(process.stderr.readline(), PATIENCE)
        reader, writer = await asyncio.open_connection("127.0.0.1", int(line.rpartition(b":")[2]))
    else:
        reader, writer = await asyncio.wait_for(accepted, PATIENCE)
    body = b'{"jsonrpc":"2.0","id":1,"method":"shutdown"}'
    writer.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
    assert b"-32002" in await asyncio.wait_for(reader.readuntil(b"}}"), PATIENCE)
    writer.close()
    assert await asyncio.wait_for(process.wait(), PATIENCE) == 1
    if listener is not None:
        listener.close()


def _python(source: str, returned: str = "None") -> list[str]:
    return [sys.executable, "-I", "-c", textwrap.dedent(source.replace("[{}]", returned))]


def _range(*places: int) -> dict[str, Any]:
    line, character, end_line, end_character = places
    return {
        "start": {"line": line, "character": character},
        "end": {"line": end_line, "character": end_character},
    }


def _item(uri: str, text: str, language: str = "python") -> dict[str, Any]:
    return {"uri": uri, "languageId": language, "version": 0, "text": text}
