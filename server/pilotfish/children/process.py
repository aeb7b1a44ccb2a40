"""A child process as the engine sees it: three private pipes, its last words, and its end."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from pilotfish.children.frames import HEADER_BYTES, body_length

_ENVIRONMENT: Final = ("PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TMPDIR", "TEMP", "TMP", "SYSTEMROOT")
_LAST_WORDS_BYTES: Final = 4_000
_READ_AHEAD_BYTES: Final = 1 << 20


class ChildProcess:
    """A running child; `start` makes one."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        """Use `ChildProcess.start`."""
        self._process = process
        self._last_words = bytearray()
        self._listener = asyncio.ensure_future(self._listen())

    @classmethod
    async def start(
        cls, command: Sequence[str], folder: Path, *, kept: Sequence[str] = (), more: Mapping[str, str] | None = None
    ) -> ChildProcess:
        """Start a child with a filtered environment and no stream of ours.

        Args:
            command: the program and its arguments.
            folder: its working folder, outside the root.
            kept: variables of our environment that it needs besides the usual ones.
            more: variables of its own.

        Raises:
            OSError: no process can be started.

        """
        options: dict[str, Any] = {}
        if sys.platform == "win32":
            options["creationflags"] = subprocess.BELOW_NORMAL_PRIORITY_CLASS | subprocess.CREATE_NO_WINDOW
        environment = {name: os.environ[name] for name in (*_ENVIRONMENT, *kept) if name in os.environ}
        process = await asyncio.create_subprocess_exec(
            *command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            limit=_READ_AHEAD_BYTES,
            cwd=folder,
            env=environment | dict(more or {}),
            **options,
        )
        return cls(process)

    @property
    def pid(self) -> int:
        """The child's process id."""
        return self._process.pid

    @property
    def code(self) -> int | None:
        """The exit code, None while it runs."""
        return self._process.returncode

    @property
    def last_words(self) -> str:
        """The end of what it said on standard error: after a crash it is all we have."""
        return self._last_words.decode(errors="replace").strip()

    def send(self, frame: bytes) -> None:
        """Write one frame; never blocks."""
        assert self._process.stdin is not None
        self._process.stdin.write(frame)

    async def receive(self) -> bytes:
        """Return the body of the next frame.

        Raises:
            EOFError, OSError: the child is gone.

        """
        assert self._process.stdout is not None
        header = await self._process.stdout.readexactly(HEADER_BYTES)
        return await self._process.stdout.readexactly(body_length(header))

    async def gone(self) -> None:
        """Wait until it has ended and all that it said is heard."""
        await self._process.wait()
        await self._listener

    async def end(self, patience_s: float) -> None:
        """Let the child go, kill it if it has not gone in time, and wait until it is gone."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            await asyncio.wait_for(self._process.wait(), patience_s)
        except TimeoutError:
            self.kill()
            await self._process.wait()
        with contextlib.suppress(OSError):
            await self._process.stdin.wait_closed()
        await self._listener

    def kill(self) -> None:
        """Kill the child; past asyncio, whose own way may reap it under its watcher's hands."""
        if self._process.returncode is None:
            with contextlib.suppress(OSError):
                os.kill(self._process.pid, getattr(signal, "SIGKILL", signal.SIGTERM))

    async def _listen(self) -> None:
        assert self._process.stderr is not None
        while words := await self._process.stderr.read(_LAST_WORDS_BYTES):
            self._last_words += words
            del self._last_words[:-_LAST_WORDS_BYTES]
