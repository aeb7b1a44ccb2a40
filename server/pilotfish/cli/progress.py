"""The progress of long work: a bar on a terminal, gone when the work is done, and a line now and then elsewhere."""

from __future__ import annotations

import time
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, Self

from pilotfish.cli.terminal import Terminal, printable

if TYPE_CHECKING:
    from rich.progress import Progress as Bars
    from rich.progress import TaskID

    from pilotfish.engine.wire import Progress


WIDE_COLUMNS = 100
"""A terminal of this width has room for a long bar and the time that is left."""


SELDOM_S = 10.0
"""Where there is no terminal, a line is written so often, in seconds: logs are read from the beginning."""


class ProgressBar:
    """Shows the engine's progress reports while it is entered: as bars on a terminal, elsewhere as a line every
    `SELDOM_S` seconds, so that short work has none."""

    def __init__(self, terminal: Terminal, clock: Callable[[], float] = time.monotonic) -> None:
        self._terminal = terminal
        self._clock = clock
        self._bars: Bars | None = None
        self._tasks: dict[str, TaskID] = {}
        self._begun: dict[str, tuple[float, str]] = {}
        self._said_at = clock()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Take the bar off the screen."""
        if self._bars is not None:
            self._bars.stop()
            self._bars = None

    def update(self, progress: Progress) -> None:
        """Show one report of the engine."""
        if not self._terminal.shows_progress:
            self._say(progress)
            return
        if progress.kind == "end":
            self._end(progress.token)
            return
        bars = self._started()
        description = printable(progress.title or "Working")
        task = self._tasks.get(progress.token)
        if task is None:
            task = self._tasks[progress.token] = bars.add_task(description, total=None, message="")
        if progress.title:
            bars.update(task, description=description)
        total = progress.total or None
        bars.update(task, total=total, completed=progress.done, message=printable(progress.message))

    def _say(self, progress: Progress) -> None:
        """Write how far the work is, and how long the rest will take if it goes on as it did."""
        now = self._clock()
        if progress.kind == "end":
            self._begun.pop(progress.token, None)
            return
        begun, title = self._begun.setdefault(progress.token, (now, progress.title or "Working"))
        if not progress.message or now - self._said_at < SELDOM_S:
            return
        self._said_at = now
        left = ""
        if 0 < progress.done < progress.total:
            left = f", about {_span_words((now - begun) * (progress.total / progress.done - 1))} left"
        self._terminal.note(f"{title}: {progress.message}{left}")

    def _end(self, token: str) -> None:
        task = self._tasks.pop(token, None)
        if self._bars is not None and task is not None:
            self._bars.remove_task(task)

    def _started(self) -> Bars:
        if self._bars is None:
            from rich.console import Console
            from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

            console = Console(file=self._terminal.errors)
            # Where there is little room the words stay whole: the engine's message has the count.
            is_wide = console.width >= WIDE_COLUMNS
            self._bars = Progress(
                TextColumn("{task.description}", markup=False),
                BarColumn(bar_width=40 if is_wide else 10),
                *([TimeRemainingColumn()] if is_wide else []),
                TextColumn("{task.fields[message]}", markup=False, style="dim"),
                console=console,
                transient=True,
            )
            self._bars.start()
        return self._bars


def _span_words(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"
