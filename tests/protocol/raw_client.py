"""A client that speaks LSP byte by byte, so that tests can also say what no editor says.

It fails, when it is left, on everything that the server sent and no test asked for: a stray answer, a popup.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import os
import re
import sys
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

PATIENCE = 20.0
"""Seconds to wait for something that must come; not a measure of speed."""

QUIET = {"window/logMessage", "$/logTrace", "experimental/serverStatus"}
"""Notifications that may come at any time."""


class RawClient:
    """One server process with its three streams."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.notifications: list[dict[str, Any]] = []
        self.requests: list[dict[str, Any]] = []
        self.stray: list[Any] = []
        self.stderr = b""
        self._ids = itertools.count(1)
        self._waiting: dict[Any, asyncio.Future[dict[str, Any]]] = {}
        self._news = asyncio.Condition()
        self.replies: dict[str, Any] = {}
        """What to answer to the server's requests, by method; null for others."""
        self._tasks = [asyncio.create_task(self._read()), asyncio.create_task(self._read_errors())]

    # --- sending

    async def send_bytes(self, data: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        await self.process.stdin.drain()

    async def send(self, message: Any) -> None:
        body = message if isinstance(message, bytes) else json.dumps(message).encode()
        await self.send_bytes(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))

    async def notify(self, method: str, params: Any = None) -> None:
        message = {"jsonrpc": "2.0", "method": method}
        await self.send(message if params is None else {**message, "params": params})

    async def start_request(self, method: str, params: Any = None) -> tuple[int, asyncio.Future[dict[str, Any]]]:
        """Send a request; return its id and the future of the whole answer."""
        number = next(self._ids)
        future: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._waiting[number] = future
        message = {"jsonrpc": "2.0", "id": number, "method": method}
        await self.send(message if params is None else {**message, "params": params})
        return number, future

    async def answer(self, method: str, params: Any = None) -> dict[str, Any]:
        """Send a request and return the whole answer."""
        _, future = await self.start_request(method, params)
        return await asyncio.wait_for(future, PATIENCE)

    async def request(self, method: str, params: Any = None) -> Any:
        """Send a request and return its result."""
        answer = await self.answer(method, params)
        assert "error" not in answer, answer
        return answer["result"]

    async def error(self, method: str, params: Any = None) -> dict[str, Any]:
        """Send a request that must fail and return its error."""
        answer = await self.answer(method, params)
        assert "error" in answer, answer
        error: dict[str, Any] = answer["error"]
        return error

    # --- receiving

    async def wait_for(self, method: str, count: int = 1) -> dict[str, Any]:
        """Return the params of the `count`-th notification or request of this method, when it has come."""

        def seen() -> list[dict[str, Any]]:
            return [item for item in (*self.notifications, *self.requests) if item["method"] == method]

        async with self._news:
            await asyncio.wait_for(self._news.wait_for(lambda: len(seen()) >= count), PATIENCE)
        params: dict[str, Any] = seen()[count - 1].get("params", {})
        return params

    async def next_stray(self) -> Any:
        """Return the next answer that belongs to no request."""
        async with self._news:
            await asyncio.wait_for(self._news.wait_for(lambda: bool(self.stray)), PATIENCE)
        return self.stray.pop(0)

    async def exit_code(self) -> int:
        """Wait until the process has ended."""
        return await asyncio.wait_for(self.process.wait(), PATIENCE)

    async def _read(self) -> None:
        stdout = self.process.stdout
        assert stdout is not None
        with contextlib.suppress(asyncio.IncompleteReadError):
            while True:
                header = await stdout.readuntil(b"\r\n\r\n")
                match = re.fullmatch(rb"Content-Length: (\d+)\r\n\r\n", header)
                if match is None:
                    self.stray.append(header)
                    return
                await self._receive(json.loads(await stdout.readexactly(int(match[1]))))

    async def _receive(self, message: dict[str, Any]) -> None:
        if "method" not in message:
            waiting = self._waiting.pop(message.get("id"), None)
            if waiting is None:
                self.stray.append(message)
            elif not waiting.done():
                waiting.set_result(message)
        elif "id" in message:
            self.requests.append(message)
            reply = self.replies.get(message["method"])
            result = reply(message["params"]) if callable(reply) else reply
            await self.send({"jsonrpc": "2.0", "id": message["id"], "result": result})
        else:
            self.notifications.append(message)
        async with self._news:
            self._news.notify_all()

    async def _read_errors(self) -> None:
        assert self.process.stderr is not None
        while data := await self.process.stderr.read(65536):
            self.stderr += data

    # --- whole stretches

    async def initialize(self, root: Path | None = None, **params: Any) -> dict[str, Any]:
        """Greet the server and return its answer."""
        uri = root.as_uri() if root is not None else None
        folders = [{"uri": uri, "name": root.name}] if root is not None else None
        greeting = {"processId": os.getpid(), "rootUri": uri, "capabilities": {}, "workspaceFolders": folders, **params}
        result: dict[str, Any] = await self.request("initialize", greeting)
        await self.notify("initialized", {})
        return result

    async def leave(self) -> int:
        """Say goodbye properly and return the exit code."""
        await self.request("shutdown")
        await self.notify("exit")
        return await self.exit_code()

    async def close(self) -> None:
        """End the process if it still runs, and look at what is left over."""
        if self.process.returncode is None:
            with contextlib.suppress(ConnectionError, OSError):
                await self.leave()
        if self.process.returncode is None:
            self.process.kill()
            await self.process.wait()
        await asyncio.gather(*self._tasks)
        assert not self.stray, f"nobody asked for {self.stray}"
        loud = [item for item in self.notifications if item["method"] not in QUIET and item["method"] != "$/progress"]
        assert not [item for item in loud if item["method"] == "window/showMessage"], loud


@contextlib.asynccontextmanager
async def raw_client(
    *arguments: str, environment: Mapping[str, str] | None = None, command: list[str] | None = None
) -> AsyncIterator[RawClient]:
    """Start `pilotfish serve` and talk to it."""
    process = await asyncio.create_subprocess_exec(
        *(command or [sys.executable, "-I", "-m", "pilotfish", "serve"]),
        *arguments,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env={**os.environ, **(environment or {})},
        limit=64 * 1024 * 1024,
    )
    client = RawClient(process)
    try:
        yield client
    finally:
        await client.close()
