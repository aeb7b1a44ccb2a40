"""One parse worker as the engine sees it: started, asked, judged while it works, ended."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Final

import psutil

from pilotfish.indexing.frames import (
    HEADER_BYTES,
    FileTask,
    FromWorker,
    Setup,
    TextTask,
    body_length,
    decode_answer,
    encode,
)
from pilotfish.indexing.journal import Slot, Work
from pilotfish.workspace.content import SkipReason

_COMMAND: Final = (sys.executable, "-I", "-m", "pilotfish.indexing.worker")
_ENVIRONMENT: Final = ("PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TMPDIR", "TEMP", "TMP", "SYSTEMROOT")
_TICK_S: Final = 0.2
_STUCK_FACTOR: Final = 6
"""One file may take this many times its CPU deadline by the clock: a slow disk, a busy machine."""

_STOPPED_S: Final = 3.0
"""How long a worker may be suspended while its answer is awaited, in seconds."""

_GOODBYE_S: Final = 2.0
_LAST_WORDS_BYTES: Final = 4_000
_READ_AHEAD_BYTES: Final = 1 << 20


class WorkerDiedError(Exception):
    """A worker ended before it had answered: what was in work, and the reason as far as it is known."""

    def __init__(self, reason: SkipReason, work: Work | None, last_words: str) -> None:
        super().__init__(last_words)
        self.reason = reason
        self.work = work
        self.last_words = last_words


class Child:
    """A running worker; `start` makes one. It does one task at a time."""

    def __init__(self, process: asyncio.subprocess.Process, setup: Setup, slot: Slot) -> None:
        self.setup = setup
        self.rests_since = 0.0
        self._process = process
        self._slot = slot
        self._statistics = psutil.Process(process.pid)
        self._last_words = bytearray()
        self._listener = asyncio.ensure_future(self._listen())
        self._verdict: SkipReason | None = None

    @classmethod
    async def start(cls, setup: Setup, slot: Slot) -> Child:
        """Start a worker outside the root, with a filtered environment and no stream of ours.

        Raises:
            OSError: no process can be started.

        """
        options: dict[str, Any] = {}
        if sys.platform == "win32":
            options["creationflags"] = subprocess.BELOW_NORMAL_PRIORITY_CLASS | subprocess.CREATE_NO_WINDOW
        slot.end()
        process = await asyncio.create_subprocess_exec(
            *_COMMAND,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            limit=_READ_AHEAD_BYTES,
            cwd=Path(setup.journal).parent,
            env={name: os.environ[name] for name in _ENVIRONMENT if name in os.environ},
            **options,
        )
        child = cls(process, setup, slot)
        child._send(encode(setup))
        return child

    @property
    def pid(self) -> int:
        """The worker's process id."""
        return self._process.pid

    async def ask(self, task: FileTask | TextTask) -> FromWorker:
        """Send a task and return the answer. When the caller is cancelled the worker is killed in mid-work.

        Raises:
            WorkerDiedError: the worker ended before it had answered, by itself or because it broke a limit.

        """
        self._send(encode(task))
        answer = asyncio.ensure_future(self._receive())
        work: Work | None = None
        ran_at = time.monotonic()
        try:
            while not answer.done():
                await asyncio.wait({answer}, timeout=_TICK_S)
                if not self._is_stopped():
                    ran_at = time.monotonic()
                elif time.monotonic() - ran_at > _STOPPED_S:
                    self._kill()
                before, work = work, self._slot.read() if not answer.done() else None
                if work is not None and work == before:
                    self._judge(work)
            return answer.result()
        except (EOFError, OSError) as error:
            work = self._slot.read()
            await self.end(kill=True)
            reason = self._verdict or SkipReason.PARSER_CRASHED
            raise WorkerDiedError(reason, work, self._last_words.decode(errors="replace").strip()) from error
        except asyncio.CancelledError:
            answer.cancel()
            self._kill()
            raise

    async def end(self, *, kill: bool = False) -> None:
        """Let the worker go and wait until it is gone."""
        if kill:
            self._kill()
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            await asyncio.wait_for(self._process.wait(), _GOODBYE_S)
        except TimeoutError:
            self._kill()
            await self._process.wait()
        with contextlib.suppress(OSError):
            await self._process.stdin.wait_closed()
        await self._listener

    def _send(self, frame: bytes) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(frame)

    async def _receive(self) -> FromWorker:
        assert self._process.stdout is not None
        header = await self._process.stdout.readexactly(HEADER_BYTES)
        return decode_answer(await self._process.stdout.readexactly(body_length(header)))

    async def _listen(self) -> None:
        """Keep the end of what the worker says on standard error: after a crash it is all we have."""
        assert self._process.stderr is not None
        while words := await self._process.stderr.read(_LAST_WORDS_BYTES):
            self._last_words += words
            del self._last_words[:-_LAST_WORDS_BYTES]

    def _is_stopped(self) -> bool:
        try:
            return bool(self._statistics.status() == psutil.STATUS_STOPPED)
        except psutil.Error:
            return False

    def _judge(self, work: Work) -> None:
        """Kill the worker if the file that it has had in work for a while broke a limit."""
        try:
            times = self._statistics.cpu_times()
            memory = self._statistics.memory_info().rss
        except psutil.Error:
            return
        cpu_s = times.user + times.system - work.cpu_s
        wall_s = (time.monotonic_ns() - work.since_ns) / 1e9
        if cpu_s > self.setup.parse_s or wall_s > self.setup.parse_s * _STUCK_FACTOR:
            self._verdict = SkipReason.PARSE_TIMED_OUT
        elif memory > self.setup.data_bytes:
            self._verdict = SkipReason.PARSER_CRASHED
        else:
            return
        self._kill()

    def _kill(self) -> None:
        """Kill the worker; past asyncio, whose own way may reap the child under its watcher's hands."""
        if self._process.returncode is None:
            with contextlib.suppress(OSError):
                os.kill(self._process.pid, getattr(signal, "SIGKILL", signal.SIGTERM))
