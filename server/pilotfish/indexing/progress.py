"""What the indexer tells about its work: the state stamped on answers, progress to show, health, counters."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final, Literal

import msgspec

Phase = Literal["starting", "scanning", "indexing", "ready", "off", "paused"]
"""As in `operations.answer`. `paused` also stands for work that the user cancelled and nobody has taken up again."""

WITHOUT_VECTORS: Final = "search goes on without vectors"
"""How the warning begins that there is no meaning to compare; answers that miss it say so themselves."""

REPORT_S: Final = 0.1
"""The shortest time between two reports of one progress, in seconds."""


class State(msgspec.Struct, frozen=True):
    """How far the index is: `files` are listed in the catalog with so many `chunks`, `pending` wait to be read."""

    phase: Phase = "starting"
    files: int = 0
    pending: int = 0
    chunks: int = 0


class Counts(msgspec.Struct):
    """What one round, or one `sync`, changed."""

    added: int = 0
    changed: int = 0
    removed: int = 0
    moved: int = 0

    def add(self, other: Counts) -> None:
        """Add what another round changed."""
        self.added += other.added
        self.changed += other.changed
        self.removed += other.removed
        self.moved += other.moved


class Counters(msgspec.Struct):
    """What was done since the start; `parsed` against `moved` proves that moves are free (DESIGN invariant 2).

    `texts` are parsed texts of open documents; `workers` were started, `deaths` are those of workers in mid-work.
    """

    scans: int = 0
    rounds: int = 0
    commits: int = 0
    hashed: int = 0
    parsed: int = 0
    moved: int = 0
    touched: int = 0
    deleted: int = 0
    texts: int = 0
    workers: int = 0
    deaths: int = 0

    def as_dict(self) -> dict[str, int]:
        """Return them by name."""
        return msgspec.structs.asdict(self)


class Progress(msgspec.Struct, kw_only=True, omit_defaults=True):
    """One stretch of long work, from `begin` to `end`, at most ten reports a second."""

    token: str
    kind: Literal["begin", "report", "end"]
    title: str = ""
    message: str = ""
    percentage: int | None = None
    done: int = 0
    total: int = 0
    cancellable: bool = False


class Health(msgspec.Struct, kw_only=True):
    """How the index fares, for people; `quiescent` when nothing is pending."""

    health: Literal["ok", "warning", "error"]
    quiescent: bool
    message: str = ""


class Stretch:
    """One progress that lasts until the index is quiet again, however many rounds that takes.

    Args:
        emit: takes each step.
        token: tells this stretch from others of the engine.
        title: what it is for, for people.
        unit: what is counted.

    """

    def __init__(self, emit: Callable[[Progress], None], token: str, title: str, unit: str = "files") -> None:
        self._emit = emit
        self._token = token
        self._title = title
        self._unit = unit
        self._done = 0
        self._total = 0
        self._reported = 0.0
        emit(Progress(token=self._token, kind="begin", title=title, percentage=0, cancellable=True))

    @property
    def left(self) -> int:
        """How many are not done yet."""
        return self._total - self._done

    def expect(self, count: int) -> None:
        """Say that this many more are to be done."""
        self._total += count
        self._report()

    def advance(self, count: int) -> None:
        """Say that this many more were done."""
        self._done += count
        if time.monotonic() - self._reported >= REPORT_S:
            self._report()

    def end(self, message: str) -> None:
        """End it; `message` is the last word."""
        self._emit(Progress(token=self._token, kind="end", message=message, done=self._done, total=self._total))

    def _report(self) -> None:
        self._reported = time.monotonic()
        self._emit(
            Progress(
                token=self._token,
                kind="report",
                message=f"{self._done:,} of {self._total:,} {self._unit}",
                percentage=100 * self._done // max(self._total, 1),
                done=self._done,
                total=self._total,
            )
        )
