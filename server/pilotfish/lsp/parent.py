"""Watches the editor's process: a client that was killed cannot say `exit`, and its pipe may outlive it in a child."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

log = logging.getLogger(__name__)

INTERVAL_S: Final = 3.0


class ParentWatch:
    """Calls `on_gone` on the event loop when a watched process ends."""

    def __init__(self, on_gone: Callable[[], None]) -> None:
        self._on_gone = on_gone
        self._tasks: dict[int, asyncio.Task[None]] = {}

    def watch(self, pid: int) -> None:
        """Watch a process from now on. One that cannot be seen (another container) is not watched: the end of the
        stream will tell."""
        if pid > 0 and pid not in self._tasks:
            self._tasks[pid] = asyncio.ensure_future(self._poll(pid))

    async def _poll(self, pid: int) -> None:
        from pilotfish.engine.rendezvous import process_identity

        identity = process_identity(pid)
        if identity is None:
            log.info("process %d of the client cannot be seen and is not watched", pid)
            return
        while process_identity(pid) == identity:
            await asyncio.sleep(INTERVAL_S)
        log.warning("the client's process %d is gone", pid)
        self._on_gone()
