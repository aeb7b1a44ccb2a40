"""One parse worker as the engine sees it: started, asked, judged while it works, ended."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from pathlib import Path
from typing import Final

import psutil

from pilotfish.children.frames import encode
from pilotfish.children.inside import session_niceness
from pilotfish.children.process import ChildProcess
from pilotfish.indexing.frames import (
    FileTask,
    FromWorker,
    Setup,
    TextTask,
    decode_answer,
)
from pilotfish.indexing.journal import Slot, Work
from pilotfish.workspace.content import SkipReason

_COMMAND: Final = (sys.executable, "-I", "-m", "pilotfish.indexing.worker")
_TICK_S: Final = 0.2
_STUCK_FACTOR: Final = 6
"""One file may take this many times its CPU deadline by the clock: a slow disk, a busy machine."""

_STOPPED_S: Final = 3.0
"""How long a worker may be suspended while its answer is awaited, in seconds."""

_GOODBYE_S: Final = 2.0


class WorkerDiedError(Exception):
    """A worker ended before it had answered: what was in work, and the reason as far as it is known."""

    def __init__(self, reason: SkipReason, work: Work | None, last_words: str) -> None:
        super().__init__(last_words)
        self.reason = reason
        self.work = work
        self.last_words = last_words


class Child:
    """A running worker; `start` makes one. It does one task at a time."""

    def __init__(self, process: ChildProcess, setup: Setup, slot: Slot) -> None:
        self.setup = setup
        self.rests_since = 0.0
        self._session_niceness = session_niceness(setup.niceness)
        self._process = process
        self._slot = slot
        self._statistics = psutil.Process(process.pid)
        self._verdict: SkipReason | None = None

    @classmethod
    async def start(cls, setup: Setup, slot: Slot) -> Child:
        """Start a worker outside the root, with a filtered environment and no stream of ours.

        Raises:
            OSError: no process can be started.

        """
        slot.end()
        process = await ChildProcess.start(_COMMAND, Path(setup.journal).parent)
        child = cls(process, setup, slot)
        process.send(encode(setup))
        return child

    @property
    def pid(self) -> int:
        """The worker's process id."""
        return self._process.pid

    def weigh_session(self, niceness: int) -> bool:
        """Have Linux weigh the worker's session (`inside.step_back`); return whether it is done. The kernel takes few
        such wishes a second."""
        if niceness == self._session_niceness:
            return True
        try:
            if os.getsid(self.pid) == self.pid:  # else it would be the engine's own
                Path(f"/proc/{self.pid}/autogroup").write_text(f"{niceness}", "ascii")
        except BlockingIOError:
            return False
        except OSError:
            pass  # it has gone, or nobody knows of such groups here
        self._session_niceness = niceness
        return True

    async def ask(self, task: FileTask | TextTask) -> FromWorker:
        """Send a task and return the answer. When the caller is cancelled the worker is killed in mid-work.

        Raises:
            WorkerDiedError: the worker ended before it had answered, by itself or because it broke a limit.

        """
        self._process.send(encode(task))
        answer = asyncio.ensure_future(self._receive())
        work: Work | None = None
        ran_at = time.monotonic()
        try:
            while not answer.done():
                await asyncio.wait({answer}, timeout=_TICK_S)
                if not self._is_stopped():
                    ran_at = time.monotonic()
                elif time.monotonic() - ran_at > _STOPPED_S:
                    self._process.kill()
                before, work = work, self._slot.read() if not answer.done() else None
                if work is not None and work == before:
                    self._judge(work)
            return answer.result()
        except (EOFError, OSError) as error:
            work = self._slot.read()
            await self.end(kill=True)
            reason = self._verdict or SkipReason.PARSER_CRASHED
            raise WorkerDiedError(reason, work, self._process.last_words) from error
        except asyncio.CancelledError:
            answer.cancel()
            self._process.kill()
            raise

    async def end(self, *, kill: bool = False) -> None:
        """Let the worker go and wait until it is gone."""
        if kill:
            self._process.kill()
        await self._process.end(_GOODBYE_S)

    async def _receive(self) -> FromWorker:
        return decode_answer(await self._process.receive())

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
        self._process.kill()
