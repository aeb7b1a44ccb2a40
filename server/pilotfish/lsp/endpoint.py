"""`pilotfish.mcpEndpoint`: an MCP server for agents inside the editor, of the roots that are open in it.

This process neither is such a server nor imports one. It names the command of one, or runs one as a child with private
pipes; the child ends with its input, and so with this process, whatever way that ends.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import secrets
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import msgspec

from pilotfish.config import MCP_TOKEN_VARIABLE
from pilotfish.lsp.protocol import RequestFailed
from pilotfish.operations.endpoint import EndpointTransport, MCPEndpointResult

log = logging.getLogger(__name__)

PROGRAM: Final = ("-I", "-m", "pilotfish", "mcp")
"""What our interpreter is given: isolated, so that nothing is imported from the repository."""

START_S: Final = 20.0
"""How long the child may take to tell its address, in seconds."""

GOODBYE_S: Final = 0.5
"""How long the child may take to end once it is asked to, in seconds; then it is killed."""

_SHARED: Final = ("XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "TMPDIR")
"""Variables that decide which engine is found, beside our own."""


class Announcement(msgspec.Struct, frozen=True):
    """The line that the child writes when it listens."""

    url: str


class Endpoint:
    """The endpoints of one session: at most one child, whose address and token stay while the session lasts."""

    def __init__(self) -> None:
        self._token = secrets.token_urlsafe(32)
        self._front: _Front | None = None
        self._port = 0
        self._turn = asyncio.Lock()

    async def answer(self, transport: EndpointTransport, roots: Sequence[str]) -> MCPEndpointResult:
        """Return how an MCP client reaches these roots, the first of which is the one that is meant by default.

        Raises:
            RequestFailed: no child can be started.
        """
        result = MCPEndpointResult(
            transport=transport,
            command=sys.executable,
            args=[*PROGRAM, *_naming(roots)],
            env=shared_environment(os.environ),
        )
        if transport == "http":
            async with self._turn:
                result.url, result.token = await self._url(roots), self._token
        return result

    async def close(self) -> None:
        """End the child."""
        front, self._front = self._front, None
        if front is not None:
            await front.end()

    async def _url(self, roots: Sequence[str]) -> str:
        """Return the address of the child that serves these roots; one that serves others makes room for it."""
        if self._front is not None and self._front.serves(roots) and await self._front.listens():
            return self._front.url
        await self.close()
        try:
            self._front = await _Front.start(roots, self._port, self._token)
        except RequestFailed:
            if not self._port:
                raise
            self._front = await _Front.start(roots, 0, self._token)  # the port was taken meanwhile
        self._port = urlsplit(self._front.url).port or 0
        return self._front.url


class _Front:
    """A running child."""

    def __init__(self, process: asyncio.subprocess.Process, roots: Sequence[str]) -> None:
        self.url = ""
        self._process = process
        self._roots = set(roots)
        self._last_words = ""
        self._listener = asyncio.ensure_future(self._listen())

    @classmethod
    async def start(cls, roots: Sequence[str], port: int, token: str) -> _Front:
        """Start a child and wait until it listens."""
        try:
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                *PROGRAM,
                "--http",
                str(port),
                "--attached",
                *_naming(roots),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                cwd=Path(roots[0]).anchor,
                env={**os.environ, MCP_TOKEN_VARIABLE: token},
            )
        except OSError as error:
            raise RequestFailed(f"no MCP server can be started: {error}") from error
        front = cls(process, roots)
        try:
            front.url = await asyncio.wait_for(front._announced(), START_S)
        except BaseException:
            await front.end()
            raise
        return front

    def serves(self, roots: Sequence[str]) -> bool:
        """Whether it runs and has exactly these roots."""
        return self._process.returncode is None and self._roots == set(roots)

    async def listens(self) -> bool:
        """Whether it takes connections: that a child has died is told a moment later only."""
        address = urlsplit(self.url)
        try:
            _, writer = await asyncio.wait_for(asyncio.open_connection(address.hostname, address.port), GOODBYE_S)
        except (OSError, TimeoutError):
            return False
        writer.close()
        return True

    async def end(self) -> None:
        """Close its input and wait until it is gone."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            await asyncio.wait_for(self._process.wait(), GOODBYE_S)
        except TimeoutError:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()
            await self._process.wait()
        await self._listener

    async def _announced(self) -> str:
        assert self._process.stdout is not None
        line = await self._process.stdout.readline()
        try:
            return msgspec.json.decode(line, type=Announcement).url
        except msgspec.DecodeError:
            await self._listener
            raise RequestFailed(f"the MCP server did not start: {self._last_words or 'it said nothing'}") from None

    async def _listen(self) -> None:
        """Pass on what it says: a pipe that nobody reads would stop it."""
        assert self._process.stderr is not None
        with contextlib.suppress(ValueError):  # a line longer than any of ours
            async for line in self._process.stderr:
                self._last_words = line.decode(errors="replace").strip() or self._last_words
                log.info("MCP server: %s", self._last_words)


def shared_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """Return what an MCP server needs to find the engines and settings of this session."""
    return {
        name: value
        for name, value in environment.items()
        if (name.startswith("PILOTFISH_") and name != MCP_TOKEN_VARIABLE) or name in _SHARED
    }


def _naming(roots: Sequence[str]) -> list[str]:
    return [argument for root in roots for argument in ("--root", root)]
