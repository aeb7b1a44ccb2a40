"""The server over HTTP as a process of its own, and clients of it."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from tests.mcp.conftest import Era
from tests.protocol.raw_client import PATIENCE

TOKEN = "a-token-of-this-test-0123456789"


@dataclass
class Front:
    """A running server and where it is."""

    process: subprocess.Popen[str]
    url: str

    @property
    def port(self) -> int:
        port = urlsplit(self.url).port
        assert port is not None
        return port

    def end(self, number: signal.Signals = signal.SIGTERM) -> int:
        self.process.send_signal(number)
        return self.process.wait(PATIENCE)

    def line(self) -> str:
        assert self.process.stderr is not None
        return self.process.stderr.readline().strip()

    def last_words(self) -> str:
        assert self.process.stderr is not None
        return self.process.stderr.read()


@contextlib.contextmanager
def front(*arguments: str, token: str = TOKEN) -> Iterator[Front]:
    """A server that tells its address on a line of its own, and ends with the test."""
    environment = {name: value for name, value in os.environ.items() if name != "PILOTFISH_MCP_TOKEN"}
    with subprocess.Popen(
        [sys.executable, "-I", "-m", "pilotfish", "mcp", "--http", *arguments],
        env=environment | ({"PILOTFISH_MCP_TOKEN": token} if token else {}),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            server = Front(process, "")
            words = server.line()
            assert words.startswith("pilotfish mcp: http://127.0.0.1:"), words
            server.url = words.split()[-1]
            yield server
        finally:
            process.kill()
            process.communicate()


@contextlib.asynccontextmanager
async def connected(url: str, era: Era = "auto", token: str = TOKEN) -> AsyncIterator[Client]:
    """A client that bears the token."""
    async with (
        httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}, timeout=PATIENCE) as http,
        Client(streamable_http_client(url, http_client=http), mode=era) as client,
    ):
        yield client
