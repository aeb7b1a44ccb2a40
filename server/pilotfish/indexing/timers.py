"""Calls that are put off, each by its name."""

from __future__ import annotations

import asyncio
from collections.abc import Callable


class Timers:
    """Calls on one event loop; a later one of the same name takes the place of the one before."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._handles: dict[str, asyncio.TimerHandle] = {}

    def later(self, name: str, seconds: float, call: Callable[[], object]) -> None:
        """Call something after so many seconds."""
        if (handle := self._handles.pop(name, None)) is not None:
            handle.cancel()
        self._handles[name] = self._loop.call_later(seconds, call)

    def cancel(self) -> None:
        """Call nothing of it any more."""
        for handle in self._handles.values():
            handle.cancel()
        self._handles.clear()
