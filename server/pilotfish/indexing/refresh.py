"""The queue of hints: whatever may have changed, from editors, the watcher and timers, merged into batches.

Events are hints, the disk is the truth (DESIGN §4). A hint says that a path may have changed and nothing else; so
hints merge by path, and a great many of them merge into one scan of the whole tree.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from pilotfish.indexing.progress import Counts

BATCH_S: Final = 1.0
"""A batch closes this long after its first hint, however many follow, in seconds."""

MOST_HINTS: Final = 1_000
"""More hints than this in one batch become a scan of the whole tree."""

ANNOUNCED_S: Final = 10.0
"""How long a rename that an editor announced is remembered: the disk may follow later, in seconds."""


HOLDER_S: Final = 60.0
HOLDER_SILENT_S: Final = 2.0
"""How long a batch waits for whoever holds it: at most, and since the last hint (a lock may be a dead one's)."""

_HELD_TICK_S: Final = 0.05


@dataclass
class Changes:
    """One batch: paths to look at, or a scan of everything; `waiters` are told what came of it.

    `force` asks for every file to be hashed again.
    """

    paths: set[str] = field(default_factory=set)
    announced: Mapping[str, str] = field(default_factory=dict)
    scan: bool = False
    force: bool = False
    waiters: list[asyncio.Future[Counts]] = field(default_factory=list)
    epoch: int = 0


class ChangeQueue:
    """Hints that wait for their batch. Used on one event loop only.

    Args:
        debounce_s: a batch closes when no hint came for this long, in seconds.
        is_held: whether somebody is still at work whose end is worth waiting for, as git is during a checkout.

    """

    def __init__(self, debounce_s: float, *, is_held: Callable[[], bool]) -> None:
        self.debounce_s = debounce_s
        self._is_held = is_held
        self._next = Changes()
        self._first = self._last = 0.0
        self._arrived = asyncio.Event()
        self._urgent = asyncio.Event()
        self._announced: dict[str, tuple[str, float]] = {}

    def __len__(self) -> int:
        """How many paths wait; a scan counts as one."""
        return len(self._next.paths) + self._next.scan

    @property
    def paths(self) -> int:
        """How many paths wait, without a scan, which may find nothing."""
        return len(self._next.paths)

    def add(self, paths: Iterable[str], *, rules: bool = False) -> None:
        """Take hints; `rules` when one of them can change the decision about other paths, so that all are looked at."""
        hints = set(paths)
        if not hints and not rules:
            return
        if not self._next.scan:
            self._next.paths |= hints
        if rules or len(self._next.paths) > MOST_HINTS:
            self._next.scan = True
            self._next.paths.clear()
        self._ring()

    def rename(self, pairs: Iterable[tuple[str, str]]) -> None:
        """Take renames of files or folders as an editor announced them: hints like others, and remembered."""
        until = asyncio.get_running_loop().time() + ANNOUNCED_S
        for old, new in pairs:
            self._announced[new] = (old, until)
            self.add((old, new))

    def ask_for_scan(
        self, *, force: bool = False, waiter: asyncio.Future[Counts] | None = None, is_urgent: bool = False
    ) -> None:
        """Ask for a scan of everything with the next batch; at once when `is_urgent`."""
        self._next.scan = True
        self._next.paths.clear()
        self._next.force |= force
        if is_urgent:
            self._urgent.set()
        if waiter is not None:
            self._next.waiters.append(waiter)
        self._ring()

    async def take(self) -> Changes:
        """Wait for the next batch and take it."""
        loop = asyncio.get_running_loop()
        await self._arrived.wait()
        while not self._urgent.is_set():
            closes = min(self._last + self.debounce_s, self._first + max(BATCH_S, self.debounce_s))
            wait = closes - loop.time()
            if wait <= 0:
                if not self._waits_for_holder():
                    break
                wait = _HELD_TICK_S
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._urgent.wait(), wait)
        changes, self._next = self._next, Changes()
        self._announced = {new: old for new, old in self._announced.items() if old[1] > loop.time()}
        changes.announced = {new: old for new, (old, _) in self._announced.items()}
        self._arrived.clear()
        self._urgent.clear()
        return changes

    def _waits_for_holder(self) -> bool:
        now = asyncio.get_running_loop().time()
        return now - self._last < HOLDER_SILENT_S and now - self._first < HOLDER_S and self._is_held()

    def clear(self) -> None:
        """Forget what waits; whoever waited for it is told that nothing changed."""
        for waiter in self._next.waiters:
            if not waiter.done():
                waiter.set_result(Counts())
        self._next = Changes()
        self._arrived.clear()
        self._urgent.clear()

    def _ring(self) -> None:
        self._last = asyncio.get_running_loop().time()
        if not self._arrived.is_set():
            self._first = self._last
        self._arrived.set()


def announced_old(path: str, announced: Mapping[str, str]) -> str | None:
    """Return where `path` was before, if it or a folder around it was announced as renamed."""
    tail = ""
    folder = path
    while folder:
        if folder in announced:
            return announced[folder] + tail
        folder, _, name = folder.rpartition("/")
        tail = f"/{name}{tail}"
    return None
