"""Phase 1: the difference between the working tree and the catalog, and the work that makes it vanish.

A round has four steps. *Survey*: which paths may differ, by size and time of change. *Probe*: of those whose size the
catalog knows, hash the content; whatever is known already is a touch or a move and needs no parser. *Settle*: moves,
deletions and touches in one transaction. *Parse*: the rest, in the workers, committed batch by batch, so that answers
come early and a crash loses one batch at most.

Nothing here depends on the events that led to a round; so the result is that of an index made from nothing.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection, Iterable, Iterator, Mapping
from contextlib import aclosing
from typing import Final, NamedTuple, Protocol, TypeVar

from pilotfish.indexing.frames import Examined
from pilotfish.indexing.moves import Content, FoundMove, Holder, find_moves
from pilotfish.indexing.progress import Counters, Counts, Stretch
from pilotfish.indexing.refresh import announced_old
from pilotfish.indexing.workers import ParsePool
from pilotfish.store.catalog import Batch, FileRow, Move, Reader
from pilotfish.store.rows import ParsedFile
from pilotfish.workspace.content import SkipReason
from pilotfish.workspace.scan import Decider, Found, Scan

TASK_BYTES: Final = (256 * 1024, 1024 * 1024)
"""The least and the most source that one task for a worker holds, in bytes, unless one file is larger."""

LARGE_BYTES: Final = 64 * 1024
"""Files larger than this come before the others, so that no worker is left alone with one at the end."""

COMMIT_BYTES: Final = 4 * 1024 * 1024
COMMIT_S: Final = (0.5, 2.0)
"""A batch is committed when it holds this much source, or when the last commit is this long ago, in seconds: soon at
first, so that answers come early, then less often, since names that batches share are written once for each."""

WAITING_BYTES: Final = 8 * 1024 * 1024
"""So much parsed source may wait for the writer before the workers pause."""

_SET_ASIDE: Final = (SkipReason.PARSER_CRASHED, SkipReason.PARSE_TIMED_OUT)

BULK_FILES: Final = 500
"""From this many files on, counters of uses are written once at the end instead of with every batch."""

FILE_COST_BYTES: Final = 512
"""What opening a file costs, in bytes of source parsed in the same time; so a task has an end with empty files too."""

T = TypeVar("T")


class Read(Protocol):
    """Asks the catalog."""

    async def __call__(self, question: Callable[[Reader], T], /) -> T:
        """Run a function of a `Reader` on the reader's thread, in one snapshot."""


class Survey(NamedTuple):
    """What a round has to look at: files that may have changed, and paths in the catalog that are gone."""

    suspects: list[Found]
    vanished: list[str]


def survey_all(reader: Reader, scan: Scan, *, force: bool) -> Survey:
    """Compare a scan with the whole catalog; with `force` every file is suspect."""
    rows = {row.path: row for row in reader.files()}
    found = {file.path for file in scan.files}
    suspects = [file for file in scan.files if force or _may_differ(file, rows.get(file.path))]
    return Survey(suspects, [path for path in rows if path not in found])


def survey_paths(reader: Reader, decider: Decider, paths: Iterable[str]) -> Survey:
    """Compare some paths, files or folders, with the catalog. Whatever stands there is suspect: somebody had a reason
    to name it, and a file that took another's place may have its size and time."""
    suspects: dict[str, Found] = {}
    vanished: dict[str, None] = {}
    for path, decision in decider.decide_all(paths).items():
        if decision.found is not None:
            found = [decision.found]
        elif decision.enters:
            found = decider.below(path).files
        else:
            found = []
        rows = _rows_at_or_below(reader, path)
        suspects.update((file.path, file) for file in found)
        vanished.update(dict.fromkeys(rows.keys() - {file.path for file in found}))
    return Survey([suspects[path] for path in sorted(suspects)], sorted(vanished))


def _may_differ(file: Found, row: FileRow | None) -> bool:
    return row is None or row.racy or (row.size, row.mtime_ns) != (file.size, file.mtime_ns)


def _rows_at_or_below(reader: Reader, path: str) -> dict[str, FileRow]:
    """Return the live rows of a path and of everything below it, were it a folder."""
    rows: dict[str, FileRow] = {}
    if (own := reader.file(path)) is not None:
        rows[path] = own
    prefix = f"{path}/" if path else ""
    for row in reader.files(after=prefix):
        if not row.path.startswith(prefix):
            break
        rows[row.path] = row
    return rows


class Plan(NamedTuple):
    """What follows from probed contents: what to commit at once, and what must be parsed."""

    batch: Batch
    parse: list[Found]
    counts: Counts


def make_plan(
    reader: Reader, survey: Survey, probed: Mapping[str, ParsedFile | None], announced: Mapping[str, str]
) -> Plan:
    """Decide what each suspect needs, now that its content is known; None stands for a file that is gone meanwhile."""
    rows = {path: row for path in probed if (row := reader.file(path)) is not None}
    vanished = {*survey.vanished, *(path for path, file in probed.items() if file is None and path in rows)}
    present = {path: file for path, file in probed.items() if file is not None}
    changed = {path: file for path, file in present.items() if not _is_same(rows.get(path), file)}
    moves = _moves(reader, changed, vanished, announced)
    moved = {move.new for move in moves}
    unmoved = [file for path, file in changed.items() if path not in moved]
    refreshed = [
        present[path] for path in present if path in moved or _is_touched(rows.get(path), present[path], changed)
    ]
    added = sum(1 for file in unmoved if file.path not in rows)
    counts = Counts(
        added=added,
        changed=len(unmoved) - added,
        removed=len(vanished - {move.old for move in moves if move.kind != "copy"}),
        moved=len(moves),
    )
    batch = Batch(
        parsed=[file for file in unmoved if file.status == "skipped"],
        moves=[_named_move(move, changed[move.new]) for move in moves],
        deleted=sorted(vanished),
        touched=[(file.path, file.size, file.mtime_ns, file.racy) for file in refreshed],
    )
    sizes = {file.path: file for file in survey.suspects}
    return Plan(batch, [sizes[file.path] for file in unmoved if file.status != "skipped"], counts)


def _named_move(move: FoundMove, file: ParsedFile) -> Move:
    return Move(move.old, move.new, move.kind, content_hash=file.content_hash)


def _is_same(row: FileRow | None, file: ParsedFile) -> bool:
    """Whether the catalog's row holds what would come of the content that the worker found."""
    if row is None or (row.content_hash, row.size, row.language) != (file.content_hash, file.size, file.language):
        return False
    if file.status == "parsed" and row.skip_reason in _SET_ASIDE:
        return True
    return (row.status, row.skip_reason) == (file.status, file.skip_reason)


def _is_touched(row: FileRow | None, file: ParsedFile, changed: Mapping[str, ParsedFile]) -> bool:
    if row is None or file.path in changed:
        return False
    return (row.mtime_ns, row.racy) != (file.mtime_ns, file.racy)


def _moves(
    reader: Reader, changed: Mapping[str, ParsedFile], vanished: set[str], announced: Mapping[str, str]
) -> list[FoundMove]:
    """Find out which changed paths hold a content whose outline or chunks the catalog has."""
    targets: dict[str, Content] = {}
    holders: dict[Content, list[Holder]] = {}
    for path, file in changed.items():
        if file.status == "skipped":
            continue
        content = (file.content_hash, file.language)
        if content not in holders:
            holders[content] = _holders(reader, file, vanished, changed)
        if any(file.size or holder.fate == "gone" for holder in holders[content]):  # empty files are no copies
            targets[path] = content
    old_of = {path: old for path in targets if (old := announced_old(path, announced)) is not None}
    return find_moves(targets, holders, is_empty=lambda folder: _is_empty(reader, folder, vanished), announced=old_of)


def _holders(reader: Reader, file: ParsedFile, vanished: set[str], changed: Mapping[str, ParsedFile]) -> list[Holder]:
    """Return the paths that hold in the catalog what `file` does, and what becomes of them in this round."""
    holders = []
    for row in reader.with_hash(file.content_hash, file.size):
        if row.status == "skipped" or row.language != file.language:
            continue
        if row.deleted_at is not None or row.path in vanished:
            holders.append(Holder(row.path, "gone"))
        else:
            holders.append(Holder(row.path, "replaced" if row.path in changed else "kept"))
    return holders


def _is_empty(reader: Reader, folder: str, vanished: set[str]) -> bool:
    return all(path in vanished for path in reader.files_below(folder))


class Gate:
    """Lets work through, holds it back while paused, and drops what has not begun when cancelled."""

    def __init__(self) -> None:
        self.is_cancelled = False
        self._open = asyncio.Event()
        self._open.set()

    @property
    def is_paused(self) -> bool:
        """Whether work is held back."""
        return not self._open.is_set()

    def pause(self) -> None:
        """Hold back what has not begun."""
        self._open.clear()

    def resume(self) -> None:
        """Let work through again."""
        self._open.set()

    def cancel(self) -> None:
        """Drop what has not begun, until `renew`."""
        self.is_cancelled = True

    def renew(self) -> None:
        """Begin a new piece of work."""
        self.is_cancelled = False

    async def wait(self) -> None:
        """Wait while paused."""
        await self._open.wait()


class Pipeline:
    """Carries out rounds: reads in the workers, plans on the reader's thread, commits on the writer's.

    Args:
        pool: the parse workers.
        read: runs a function of a `Reader` on the reader's thread.
        commit: applies a batch on the writer's thread.
        gate: asked before each task for the workers.
        counters: where to count.

    """

    def __init__(
        self,
        pool: ParsePool,
        *,
        read: Read,
        commit: Callable[[Batch], Awaitable[None]],
        gate: Gate,
        counters: Counters,
    ) -> None:
        self.pending = 0
        self._pool = pool
        self._read = read
        self._commit = commit
        self._gate = gate
        self._counters = counters

    async def carry_out(
        self,
        survey: Survey,
        *,
        announced: Mapping[str, str],
        first: Collection[str],
        probe: bool,
        stretch: Stretch | None,
    ) -> Counts:
        """Make the catalog agree with the surveyed paths; return what was changed.

        Args:
            survey: what may differ.
            announced: renames that an editor told of, old path by new.
            first: paths to parse before all others.
            probe: False where no content can be known: every suspect is parsed.
            stretch: the progress to report to.

        """
        self.pending = len(survey.suspects)
        try:
            if probe:
                plan = await self._settle(survey, announced)
            else:
                plan = Plan(Batch(deleted=survey.vanished), survey.suspects, Counts(added=len(survey.suspects)))
                await self._commit_counted(plan.batch)
            if stretch is not None:
                stretch.advance(len(survey.suspects) - len(plan.parse))
            self.pending = len(plan.parse)
            await self._parse(plan.parse, first, stretch)
        finally:
            if not self._gate.is_cancelled:
                self.pending = 0
        self._counters.moved += plan.counts.moved
        return plan.counts

    async def _settle(self, survey: Survey, announced: Mapping[str, str]) -> Plan:
        """Hash the suspects, plan, and commit everything that needs no parser."""
        probed: dict[str, ParsedFile | None] = {}
        async with aclosing(self._examine(_tasks(survey.suspects, (), self._pool), parse=False)) as answers:
            async for examined in answers:
                probed.update((each.path, each.file) for each in examined)
        survey = survey._replace(suspects=[file for file in survey.suspects if file.path in probed])
        plan = await self._read(lambda reader: make_plan(reader, survey, probed, announced))
        await self._commit_counted(plan.batch)
        return plan

    async def _parse(self, files: list[Found], first: Collection[str], stretch: Stretch | None) -> None:
        """Parse files in the workers and commit them batch by batch."""
        bulk = len(files) >= BULK_FILES
        waiting = Batch(bulk=bulk)
        waiting_bytes, started = 0, time.monotonic()
        committed_at = started
        commit: asyncio.Task[None] | None = None
        try:
            async with aclosing(self._examine(_tasks(files, first, self._pool), parse=True)) as answers:
                async for examined in answers:
                    waiting.deleted += [each.path for each in examined if each.file is None]
                    waiting.parsed += [each.file for each in examined if each.file is not None]
                    waiting_bytes += sum(each.file.size for each in examined if each.file is not None)
                    self.pending -= len(examined)
                    if stretch is not None:
                        stretch.advance(len(examined))
                    if commit is not None and (commit.done() or waiting_bytes >= WAITING_BYTES):
                        await commit
                        commit = None
                    now = time.monotonic()
                    patience = COMMIT_S[now - started > COMMIT_S[1]]
                    is_due = waiting_bytes >= COMMIT_BYTES or now - committed_at >= patience
                    if is_due and commit is None:
                        commit = asyncio.ensure_future(self._commit_counted(waiting))
                        waiting, waiting_bytes, committed_at = Batch(bulk=bulk), 0, now
        finally:
            if commit is not None:
                await commit
        await self._commit_counted(waiting)

    async def _examine(self, tasks: Iterator[list[str]], *, parse: bool) -> AsyncGenerator[list[Examined], None]:
        """Give tasks to the workers, as many at once as keep them busy, and yield the answers as they come."""
        running: set[asyncio.Task[list[Examined]]] = set()
        try:
            while True:
                await self._gate.wait()
                while len(running) <= self._pool.size and not self._gate.is_cancelled and (paths := next(tasks, None)):
                    running.add(asyncio.ensure_future(self._pool.examine(paths, parse=parse)))
                if not running:
                    return
                done, running = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    yield task.result()
        finally:
            for task in running:
                task.cancel()
            await asyncio.gather(*running, return_exceptions=True)

    async def _commit_counted(self, batch: Batch) -> None:
        if batch.is_empty:
            return
        await self._commit(batch)
        self._counters.commits += 1
        self._counters.touched += len(batch.touched)
        self._counters.deleted += len(batch.deleted)


def _tasks(files: list[Found], first: Collection[str], pool: ParsePool) -> Iterator[list[str]]:
    """Divide files into tasks: `first` ones before the others, large ones before small ones, suspects alone.

    The small ones go folder by folder: opened from the same folder and read by the same grammar they cost less.
    """
    order = sorted(files, key=lambda file: (file.path not in first, min(LARGE_BYTES - file.size, 0), file.path))
    total = sum(file.size for file in files)
    least, most = TASK_BYTES
    target = min(max(total // (4 * pool.size), least), most)
    suspects = pool.suspects
    paths: list[str] = []
    size = 0
    for file in order:
        if paths and (size + file.size > target or file.path in suspects or paths[-1] in suspects):
            yield paths
            paths, size = [], 0
        paths.append(file.path)
        size += file.size + FILE_COST_BYTES
    if paths:
        yield paths
