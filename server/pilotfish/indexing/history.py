"""The commits in the catalog, kept equal to the history of what is checked out.

What is stored of a commit depends on it alone, so following is a matter of sets: the commits that `HEAD` reaches are
listed, those that it does not reach any more are withdrawn, those that are new are read. That holds for a commit, a
switch of branches, a rewrite, a deeper fetch and a start alike, and it goes on wherever it was stopped. The catalog is
written in small transactions, between which edits of files go first come, first served.
"""

from __future__ import annotations

import asyncio
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Final, Protocol, TypeVar

from pilotfish.indexing.timers import Timers
from pilotfish.indexing.workers import Log
from pilotfish.store.catalog import Catalog, Reader
from pilotfish.store.commits import CommitBatch, CommitRow
from pilotfish.store.errors import CatalogError
from pilotfish.workspace.git import Git
from pilotfish.workspace.history import READING, PastCommit, commit_ids, read_commits

READ_AT_ONCE: Final = 200
"""Commits that git is asked about at once."""

WRITTEN_AT_ONCE: Final = 50
"""Commits per transaction: some ten milliseconds for which an edit may have to wait."""

DEFINITIONS_S: Final = 300.0
"""How long changed lines are looked at before the rest of a history does without, in seconds."""

RETRY_S: Final = 60.0
"""How long to wait after the catalog could not be read or written before the next try, in seconds."""

LONGEST_PATH: Final = 1_024
"""Longest path that is stored, in bytes."""

T = TypeVar("T")


class CatalogThreads(Protocol):
    """Who reads and writes the catalog, on the threads that may: the indexer."""

    async def read(self, question: Callable[[Reader], T]) -> T:
        """Ask from one snapshot."""

    async def write(self, change: Callable[[Catalog], T]) -> T:
        """Change the catalog."""


class HistoryIndexer:
    """Follows the history of one root, in the background.

    Args:
        root: the canonical root.
        most: how many commits count at most; 0 for none. A changed setting goes to `reconfigure`.
        catalog: reads and writes the catalog.
        on_log: takes a level and a line.
        on_mended: takes a line that was logged and does not hold any more.

    """

    def __init__(
        self,
        root: str,
        most: int,
        catalog: CatalogThreads,
        *,
        on_log: Log,
        on_mended: Callable[[str], None] = lambda line: None,
    ) -> None:
        self.commits_read = 0
        self._root = root
        self._most = most
        self._catalog = catalog
        self._on_log = on_log
        self._on_mended = on_mended
        self._said = ""
        self._timers = Timers(asyncio.get_running_loop())
        self._asked = asyncio.Event()
        self._quiet = asyncio.Event()
        self._quiet.set()
        self._task: asyncio.Task[None] | None = None
        self._asking = ThreadPoolExecutor(1, thread_name_prefix="history-reader")

    def follow(self) -> None:
        """Look where `HEAD` is and bring the history there, now or after what is under way: at the start, and whenever
        `HEAD` may have moved. Costs next to nothing when it has not."""
        self._asked.set()
        self._quiet.clear()
        if self._task is None:
            self._task = asyncio.ensure_future(self._run())

    def reconfigure(self, most: int) -> None:
        """Take up another number of commits."""
        if most != self._most:
            self._most = most
            self.follow()

    async def wait_quiet(self) -> None:
        """Wait until the history is as far as it can be brought."""
        await self._quiet.wait()

    async def close(self) -> None:
        """Stop; what was written stays, the next start goes on from there."""
        self._timers.cancel()
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            self._task = None
        self._quiet.set()
        await asyncio.to_thread(self._asking.shutdown, cancel_futures=True)

    async def _run(self) -> None:
        while True:
            await self._asked.wait()
            self._asked.clear()
            try:
                await self._bring_up()
                self._say("")
            except CatalogError as error:
                self._say(f"past commits are not followed for now: {error}")
                self._timers.later("retry", RETRY_S, self.follow)
            except Exception as error:
                details = "".join(traceback.format_exception(error)).strip()
                self._on_log("error", f"reading past commits failed; this is a fault of Pilotfish: {details}")
            if not self._asked.is_set():
                self._quiet.set()

    def _say(self, trouble: str) -> None:
        """Say once what is wrong, and take back what is not any more."""
        if trouble == self._said:
            return
        if self._said:
            self._on_mended(self._said)
        self._said = trouble
        if trouble:
            self._on_log("warning", trouble)

    async def _bring_up(self) -> None:
        """Make the stored commits those that `HEAD` reaches; gives up when it is asked again meanwhile."""
        git = await self._in_thread(Git, self._root)
        head = await self._in_thread(git.head) if self._most else None
        commit = None if head is None else head.commit
        goal = f"{commit} {self._most}"
        complete_for, known = await self._catalog.read(
            lambda reader: (reader.commits.complete_for(READING), reader.commits.hashes(READING))
        )
        if complete_for == goal:
            return
        ids = [] if commit is None else await self._in_thread(commit_ids, git, self._most)
        if ids is None:
            self._on_log("warning", f"git does not list the commits of {self._root}; past commits do not count")
            ids = []
        wanted = {bytes.fromhex(commit) for commit in ids}
        await self._write(sorted(known - wanted), [])
        await self._read_new(git, [commit for commit in ids if bytes.fromhex(commit) not in known])
        if not self._asked.is_set():
            await self._write([], [], goal)

    async def _read_new(self, git: Git, ids: Sequence[str]) -> None:
        """Enter commits, the newest first."""
        began = time.monotonic()
        for start in range(0, len(ids), READ_AT_ONCE):
            if self._asked.is_set():
                return
            in_time = time.monotonic() - began < DEFINITIONS_S
            some = ids[start : start + READ_AT_ONCE]
            rows = await self._in_thread(_read_rows, git, some, in_time)
            self.commits_read += len(rows)
            await self._write([], rows)
        if ids:
            self._on_log("debug", f"read {len(ids):,} commits in {time.monotonic() - began:.1f} s")

    async def _write(self, gone: Sequence[bytes], added: Sequence[CommitRow], complete_for: str | None = None) -> None:
        parts = [CommitBatch(READING, gone=part) for part in _parts(gone)]
        parts += [CommitBatch(READING, added=part) for part in _parts(added)]
        if complete_for is not None:
            parts.append(CommitBatch(READING, complete_for=complete_for))
        for batch in parts:
            await self._catalog.write(partial(Catalog.apply_commits, batch=batch))

    async def _in_thread(self, work: Callable[..., T], *arguments: object) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._asking, work, *arguments)


def _read_rows(git: Git, ids: Sequence[str], definitions: bool) -> list[CommitRow]:
    return [_row(commit) for commit in read_commits(git, ids, definitions=definitions)]


def _row(commit: PastCommit) -> CommitRow:
    return CommitRow(
        hash=bytes.fromhex(commit.id),
        time=commit.time,
        subject=commit.subject,
        body=commit.body,
        files=[[file.path, *file.definitions] for file in commit.files if _is_storable(file.path)],
        renames=[(old, new) for old, new in commit.renames if _is_storable(old) and _is_storable(new)],
    )


def _is_storable(path: str) -> bool:
    """Whether a file of the catalog can have this path: text, and not without end."""
    try:
        return len(path.encode()) <= LONGEST_PATH
    except UnicodeEncodeError:
        return False


def _parts(items: Sequence[T]) -> Iterator[Sequence[T]]:
    for start in range(0, len(items), WRITTEN_AT_ONCE):
        yield items[start : start + WRITTEN_AT_ONCE]
