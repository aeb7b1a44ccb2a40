"""Shows the engines' progress to the user: one work-done progress a stretch of work, always ended.

A stretch is created at the client first and begins when the client has agreed; what is over before that is never shown.
Reports beyond ten a second are dropped, the last state is not: `end` always follows.
"""

from __future__ import annotations

import asyncio
import time
import uuid
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from lsprotocol import types
from pygls.exceptions import JsonRpcException

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from pilotfish.engine.wire import Progress
    from pilotfish.lsp.protocol import PilotfishProtocol

MIN_INTERVAL_S: Final = 0.1


@dataclass
class _Stretch:
    """One stretch of work as the client sees it; `latest` waits while the client has not agreed yet."""

    token: str
    cancel: Callable[[], None]
    latest: Progress
    is_shown: bool = False
    is_over: bool = False
    reported_at: float = 0.0


class ProgressRelay:
    """The progress of all engines of one client."""

    def __init__(self, protocol: PilotfishProtocol) -> None:
        self._protocol = protocol
        self._stretches: dict[tuple[Hashable, str], _Stretch] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def receive(self, source: Hashable, progress: Progress, cancel: Callable[[], None]) -> None:
        """Pass on what the engine `source` says; `cancel` is called when the user cancels it."""
        key = (source, progress.token)
        stretch = self._stretches.get(key)
        if progress.kind == "end":
            if stretch is not None:
                self._end(key, progress.message)
        elif stretch is None:
            stretch = _Stretch(str(uuid.uuid4()), cancel, progress)
            self._stretches[key] = stretch
            task = asyncio.ensure_future(self._begin(stretch))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        else:
            self._report(stretch, progress)

    def lost(self, source: Hashable) -> None:
        """End everything that came from an engine that is gone."""
        for key in [key for key in self._stretches if key[0] == source]:
            self._end(key, "")

    def cancelled(self, token: types.ProgressToken) -> None:
        """The user cancelled; unknown tokens are old ones."""
        for stretch in list(self._stretches.values()):
            if stretch.token == token:
                stretch.cancel()

    async def _begin(self, stretch: _Stretch) -> None:
        try:
            await self._protocol.ask(
                types.WINDOW_WORK_DONE_PROGRESS_CREATE, types.WorkDoneProgressCreateParams(stretch.token)
            )
        except JsonRpcException:
            return
        if stretch.is_over:
            return
        stretch.is_shown = True
        stretch.reported_at = time.monotonic()
        latest = stretch.latest
        self._send(
            stretch,
            types.WorkDoneProgressBegin(
                title=latest.title or "Pilotfish",
                message=latest.message or None,
                percentage=latest.percentage,
                cancellable=latest.cancellable,
            ),
        )

    def _report(self, stretch: _Stretch, progress: Progress) -> None:
        if not stretch.is_shown:
            progress.title = progress.title or stretch.latest.title
            progress.cancellable = progress.cancellable or stretch.latest.cancellable
            stretch.latest = progress
            return
        now = time.monotonic()
        if now - stretch.reported_at < MIN_INTERVAL_S:
            return
        stretch.reported_at = now
        self._send(
            stretch, types.WorkDoneProgressReport(message=progress.message or None, percentage=progress.percentage)
        )

    def _end(self, key: tuple[Hashable, str], message: str) -> None:
        stretch = self._stretches.pop(key)
        stretch.is_over = True
        if stretch.is_shown:
            self._send(stretch, types.WorkDoneProgressEnd(message=message or None))

    def _send(
        self,
        stretch: _Stretch,
        value: types.WorkDoneProgressBegin | types.WorkDoneProgressReport | types.WorkDoneProgressEnd,
    ) -> None:
        self._protocol.notify(types.PROGRESS, types.ProgressParams(token=stretch.token, value=value))
