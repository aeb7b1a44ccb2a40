"""The real process over HTTP, in both eras of the protocol, and everybody whom it does not let in."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import socket
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest
from mcp import MCPError

from pilotfish import config
from pilotfish.engine.launch import engine_environment
from pilotfish.mcp import gate, http
from pilotfish.mcp.roots import Roots
from pilotfish.mcp.server import build_server
from tests.mcp.conftest import Era, indexed, text_of, write_files
from tests.mcp.http_front import TOKEN, Front, connected, front
from tests.protocol.conftest import engines
from tests.protocol.raw_client import PATIENCE

INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}
JSON = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
BEARER = {"Authorization": f"Bearer {TOKEN}"}


async def test_a_client_lists_asks_and_reads(root: Path, era: Era) -> None:
    with front("--root", str(root)) as server:
        async with connected(server.url, era) as client:
            assert (await client.list_tools()).tools
            await indexed(client)
            assert "shop/checkout.py" in text_of(await client.call_tool("search_code", {"query": "charge_card"}))
            assert (await client.list_resources()).resources
            (outline,) = (await client.read_resource("pilotfish://file/shop/stock.py/outline")).contents
            assert "count_items" in outline.text


async def test_two_clients_share_one_engine(root: Path, private_home: Path) -> None:
    with front("--root", str(root)) as server:
        async with connected(server.url, "auto") as first, connected(server.url, "legacy") as second:
            answers = await asyncio.gather(*(each.call_tool("get_repo_status", {}) for each in (first, second)))
            assert not any(answer.is_error for answer in answers)
            assert len(engines(private_home)) == 1


async def test_a_path_outside_the_root_is_refused(root: Path, era: Era) -> None:
    write_files(root.parent, {"secret.py": "leaked = 1\n"})
    (root / "way_out").symlink_to(root.parent)
    with front("--root", str(root)) as server:
        async with connected(server.url, era) as client:
            await indexed(client)
            for path in ("../secret.py", "%2e%2e/secret.py", "/etc/passwd", "way_out/secret.py"):
                with pytest.raises(MCPError):
                    await client.read_resource(f"pilotfish://file/{path}/outline")
            for path in ("../secret.py", str(root.parent / "secret.py"), "way_out/secret.py"):
                call = {"file_path": path, "line_start": 1, "line_end": 1}
                assert "leaked" not in text_of(await client.call_tool("explain_code", call))


def test_refused_names_are_told_once_a_minute_however_many_there_are(root: Path) -> None:
    with front("--root", str(root)) as server:
        for number in range(20):
            foreign = post(server, BEARER | {"Host": f"evil{number}.example"})
            assert (foreign.status_code, "ask for http://127.0.0.1" in foreign.text) == (421, True)
            page = post(server, BEARER | {"Origin": f"http://evil{number}.example"})
            assert (page.status_code, "pages of a browser are not served" in page.text) == (403, True)
        assert server.end() == 0
        told = server.last_words()
    assert told.count("1 request named another host or came from another origin") == 1
    assert "evil" not in told


@pytest.fixture
def server(root: Path) -> Iterator[Front]:
    with front("--root", str(root)) as running:
        yield running


def post(server: Front, headers: dict[str, str], body: str = json.dumps(INITIALIZE), path: str = "") -> httpx2.Response:
    """Send one request as it stands, once the server answers at all."""
    transport = httpx2.HTTPTransport(retries=10)
    with httpx2.Client(transport=transport, timeout=PATIENCE) as client:
        return client.post(server.url + path, headers=JSON | headers, content=body)


def test_nobody_is_let_in_without_the_token_or_by_another_name(server: Front) -> None:
    for headers, status in (
        (BEARER, 200),
        ({}, 401),
        ({"Authorization": f"Bearer {TOKEN[:-1]}"}, 401),
        ({"Authorization": f"Basic {TOKEN}"}, 401),
        ({"Authorization": "Bearer \xff\xfe"}, 401),
        (BEARER | {"Host": "evil.example"}, 421),
        (BEARER | {"Host": f"evil.example:{server.port}"}, 421),
        (BEARER | {"Host": f"127.0.0.1:{server.port - 1}"}, 421),
        ({"Host": "evil.example"}, 421),
        (BEARER | {"Origin": "http://evil.example"}, 403),
        (BEARER | {"Origin": "null"}, 403),
        (BEARER | {"Origin": f"http://127.0.0.1:{server.port}"}, 200),
        (BEARER | {"Host": f"localhost:{server.port}"}, 200),
    ):
        encoded = {name: value.encode("latin-1") for name, value in headers.items()}
        answer = post(server, encoded)  # type: ignore[arg-type]
        assert answer.status_code == status, headers
        assert "evil" not in answer.text
    other = post(server, {}, path="/../../etc/passwd")
    assert (other.status_code, "passwd" in other.text) == (401, False)
    other = post(server, BEARER, path="/../../etc/passwd")
    assert (other.status_code, "passwd" in other.text) == (404, False)


def test_large_requests_are_refused_and_many_sessions_too(server: Front) -> None:
    assert post(server, BEARER, body=" " * (1024 * 1024 + 1)).status_code == 413
    statuses = [post(server, BEARER).status_code for _ in range(33)]
    assert statuses == [200] * 32 + [503]


def test_only_this_machine_can_connect(server: Front) -> None:
    with socket.socket() as other:
        other.settimeout(PATIENCE)
        other.connect(("127.0.0.1", server.port))
    with socket.socket() as other:
        other.settimeout(PATIENCE)
        with pytest.raises(OSError, match="refused"):
            other.connect(("127.0.0.2", server.port))


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_a_signal_ends_it_and_its_engine(root: Path, private_home: Path, number: signal.Signals) -> None:
    with front("--root", str(root)) as server:
        with contextlib.suppress(Exception):
            async with connected(server.url, "legacy") as client:
                await client.call_tool("get_repo_status", {})
                assert engines(private_home)
                assert await asyncio.to_thread(server.end, number) == 0
        assert "Traceback" not in server.last_words()
    for engine in engines(private_home):
        engine.wait(PATIENCE)


def test_a_token_is_made_and_told_once_or_written_for_its_owner_alone(root: Path, tmp_path: Path) -> None:
    with front("--root", str(root), token="") as server:
        header, _, token = server.line().removeprefix("Requests need the header ").rpartition(" ")
        assert header == "Authorization: Bearer"
        assert post(server, {"Authorization": f"Bearer {token}"}).status_code == 200
        assert server.end() == 0
        assert token not in server.last_words()
    file = tmp_path / "token"
    file.write_text("an old one that all can read")
    with front("--root", str(root), "--token-file", str(file), token="") as server:
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        token = file.read_text().strip()
        assert post(server, {"Authorization": f"Bearer {token}"}).status_code == 200
        with front("--root", str(root), "--token-file", str(file), token="") as second:
            assert post(second, {"Authorization": f"Bearer {token}"}).status_code == 200
            assert file.read_text().strip() == token
            assert second.end() == 0
        assert server.end() == 0
        assert token not in server.last_words()


def test_a_port_in_use_is_told_with_what_to_do() -> None:
    with http.listen(0) as listener, pytest.raises(http.PortError, match="is in use; name another one, or none"):
        http.listen(listener.getsockname()[1])


async def test_a_connection_that_sends_no_whole_head_is_closed(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gate, "HEAD_S", 0.05)
    listener, ended = http.listen(0), asyncio.Event()
    server = gate.guarded(build_server(Roots([], folder=root)), listener, TOKEN, ended)
    running = asyncio.create_task(server.serve(sockets=[listener]))
    for beginning in (b"", b"POST /mcp HTTP/1.1\r\nHost: 127"):
        reader, writer = await asyncio.open_connection(*listener.getsockname())
        writer.write(beginning)
        assert await asyncio.wait_for(reader.read(), PATIENCE) == b""
        writer.close()
    ended.set()
    await running


def test_the_token_is_no_setting_and_reaches_no_engine(tmp_path: Path) -> None:
    environment = {"PILOTFISH_MCP_TOKEN": TOKEN, "PILOTFISH_HOME": str(tmp_path)}
    assert config.load(environment=environment).problems == []
    assert engine_environment(environment, tmp_path / "root") == {"PILOTFISH_HOME": str(tmp_path)}


@pytest.mark.parametrize(
    ("arguments", "token", "words"),
    [
        (["--http", "0.0.0.0:80"], "", "the address is always 127.0.0.1"),
        (["--http", "70000"], "", "no port number"),
        (["--http", "--stdio"], "", "not allowed with argument"),
        (["--http"], "short", "at least 20 printable ASCII characters"),
        (["--http"], "with blanks in it and long enough", "without blanks"),
        (["--attached"], "", "--http"),
        (["--token-file", "x"], "", "--http"),
    ],
)
def test_what_cannot_be_is_said_at_once(arguments: list[str], token: str, words: str) -> None:
    done = subprocess.run(
        [sys.executable, "-I", "-m", "pilotfish", "mcp", *arguments],
        env=os.environ | ({"PILOTFISH_MCP_TOKEN": token} if token else {}),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 2
    assert words in done.stderr
    assert not token or token not in done.stderr
