"""The one owner of a root's index: takes hints, decides when to look, and keeps the catalog right.

Everything runs on the engine's event loop except what would block it: scanning and reading on one thread, writing on
another, parsing in the workers. One task takes batches of hints from the queue and carries them out, round by round;
nothing else ever writes (DESIGN invariant 5). When nothing has changed it writes nothing and wakes for a slow timer
only (invariant 6).
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import threading
import traceback
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Final, Literal, ParamSpec, TypeVar

from pilotfish.config import Settings
from pilotfish.indexing.fingerprint import FingerprintFile, fingerprint_of
from pilotfish.indexing.progress import Counts, Health, Phase, Progress, State, Stretch
from pilotfish.indexing.refresh import ChangeQueue, Changes
from pilotfish.indexing.structural import Gate, Pipeline, Survey, survey_all, survey_paths
from pilotfish.indexing.timers import Timers
from pilotfish.indexing.workers import Log, ParsePool, WorkersUnavailableError
from pilotfish.store.catalog import TOMBSTONE_S, Batch, Catalog, CatalogDamagedError, CatalogError, Reader
from pilotfish.workspace.content import ContentLimits, SkipReason
from pilotfish.workspace.git import Git
from pilotfish.workspace.paths import display
from pilotfish.workspace.scan import Decider, Decision, Scan, ScanRules, is_rules_file, scan
from pilotfish.workspace.watch import Listener, Watcher

RECONCILE_S: Final = 600.0
"""How often the whole tree is compared with the catalog although nothing was heard, in seconds."""

RETRY_S: Final = 60.0
"""How long to wait after a failure of the machine (no disk space, no process) before the next try, in seconds."""


BIG_FILES: Final = 100
BIG_BYTES: Final = 4 * 1024 * 1024
"""From so many files or bytes on a round is worth a progress, and single answers may be missing until it ends."""

INDEX_S: Final = 1.0
"""How long git's index must be at rest before it is asked what it tracks, in seconds."""

_WATCH_START_S: Final = 600.0

P = ParamSpec("P")
T = TypeVar("T")


class Indexer:
    """Keeps the catalog of one root equal to its working tree.

    Args:
        root: the canonical root.
        settings: what shapes the index.
        catalog: the open catalog; this object is its only writer.
        pool: the parse workers.
        on_progress: takes each step of long work.
        on_state: takes the health whenever it may have changed.
        on_log: takes a level and a line.
        on_committed: takes the generation and the paths of each commit, on the event loop.

    """

    def __init__(
        self,
        root: str,
        settings: Settings,
        catalog: Catalog,
        pool: ParsePool,
        *,
        on_progress: Callable[[Progress], None],
        on_state: Callable[[Health], None],
        on_log: Log,
        on_committed: Callable[[int, Collection[str]], None],
    ) -> None:
        self.root = root
        self.head: str | None = None
        self.counters = pool.counters
        self._settings = settings
        self._catalog = catalog
        self._pool = pool
        self._on_progress = on_progress
        self._on_state = on_state
        self._on_log = on_log
        self._on_committed = on_committed
        self._loop = asyncio.get_running_loop()
        self._queue = ChangeQueue(settings.index.debounce_ms / 1000, is_held=self._git_is_at_work)
        self._gate = Gate()
        self._pipeline = Pipeline(pool, read=self.read, commit=self._commit, gate=self._gate, counters=self.counters)
        self._fingerprint = FingerprintFile(catalog.folder)
        # One thread each: SQLite's connections and the decider belong to theirs.
        self._reading = ThreadPoolExecutor(1, thread_name_prefix="index-reader")
        self._writing = ThreadPoolExecutor(1, thread_name_prefix="index-writer")
        self._reader: Reader | None = None
        self._decider: Decider | None = None
        self._advisor = _Advisor(root)
        self._watcher: Watcher | None = None
        self._watched: ScanRules | None = None
        self._task: asyncio.Task[None] | None = None
        self._timers = Timers(self._loop)
        self._errands: set[asyncio.Task[None]] = set()
        self._quiet = asyncio.Event()
        self._stretch: Stretch | None = None
        self._stretches = 0
        self._phase: Phase = "starting"
        self._looked = asyncio.Event()
        self._epoch = catalog.epoch
        """Of the catalog as far as its being made anew was taken note of."""
        self._files = self._chunks = 0
        self._put_off = 0
        self._trouble = ""
        self._emptiness = ""
        self.unnameable = 0
        """Files that are left out since their names are not UTF-8."""
        self.nested_roots: list[str] = []
        """Folders that are repositories or worktrees of their own, and so roots of their own."""
        self._is_new = True
        self._preferred: frozenset[str] = frozenset()
        self._git_lock: str | None = None
        self._foreign_git: str | None = None
        self._tracked: list[str] | None = None

    # --- what others ask ---------------------------------------------------------------------------------------------

    @property
    def state(self) -> State:
        """How far the index is at this moment."""
        pending = self._queue.paths + self._pipeline.pending + self._put_off
        is_held = self._gate.is_paused or (self._put_off and self._phase == "ready")
        phase: Phase = "paused" if is_held and self._phase != "off" else self._phase
        return State(phase, self._files, pending, self._chunks)

    @property
    def epoch(self) -> int:
        """Counts how often the catalog was made anew, from the moment that it has to be."""
        return max(self._epoch, self._catalog.epoch)

    @property
    def watcher_state(self) -> str:
        """How changes on disk are noticed, for people."""
        return "not watching" if self._watcher is None else self._watcher.state

    def decide(self, path: str) -> Decision:
        """Decide about one path by the rules of the scan; blocks for some milliseconds, callable from any thread."""
        return self._advisor.decide(path, self._settings)

    # --- life --------------------------------------------------------------------------------------------------------

    async def start(self) -> None:
        """Begin to bring the catalog up to date behind the answers; returns before the first scan."""
        if not self._settings.index.enabled:
            self._enter("off")
            return
        with contextlib.suppress(CatalogDamagedError):  # there is an empty one by now
            await self._count()
        self._is_new = not self._files
        if self._settings.index.auto_index:
            self._begin()
        else:
            self._enter("ready" if self._files else "paused")
            self._quiet.set()

    def _begin(self) -> None:
        """Start the rounds, the first with a scan."""
        self._quiet.clear()
        self._enter("scanning")
        self._task = asyncio.ensure_future(self._run())
        self._queue.ask_for_scan(is_urgent=True)

    async def close(self) -> None:
        """Stop all work; what was not committed is found again at the next start."""
        await self._halt()
        if self._reader is not None:
            await self._loop.run_in_executor(self._reading, self._reader.close)
        for thread in (self._reading, self._writing):
            thread.shutdown(wait=True, cancel_futures=True)

    async def _halt(self) -> None:
        """End the rounds, the timers and the watcher."""
        self._timers.cancel()
        for errand in self._errands:
            errand.cancel()
        await asyncio.gather(*self._errands, return_exceptions=True)
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            self._task = None
        self._queue.clear()
        self._end_stretch("stopped")
        await self._stop_watching()

    async def _stop_watching(self) -> None:
        watcher, self._watcher = self._watcher, None
        if watcher is not None:
            await asyncio.to_thread(watcher.stop)

    async def reconfigure(self, settings: Settings) -> None:
        """Take up other settings; what they change about the index is brought about like any other change."""
        before, self._settings = self._settings, settings
        self._advisor.forget()
        self._decider = None
        if (before.limits, before.languages) != (settings.limits, settings.languages):
            self._pool.reconfigure(settings)
        self._queue.debounce_s = settings.index.debounce_ms / 1000
        if not settings.index.enabled:
            await self._halt()
            self._enter("off")
            return
        if self._task is None:
            await self.start()
            return
        self._ask_for_scan()

    # --- hints and orders --------------------------------------------------------------------------------------------

    def prefer(self, paths: Iterable[str]) -> None:
        """Parse these files before all others: those that are open."""
        self._preferred = frozenset(paths)

    def changed(self, paths: Iterable[str]) -> None:
        """Take hints that files or folders may have changed, from editors or the watcher."""
        if self._task is None:
            return
        hints = [path for path in paths if path]
        if hints:
            self._quiet.clear()
            self._queue.add(hints, rules=any(is_rules_file(path) for path in hints))

    def renamed(self, pairs: Sequence[tuple[str, str]]) -> None:
        """Take renames of files or folders, old and new path, as an editor announced them."""
        if self._task is not None and pairs:
            self._quiet.clear()
            self._queue.rename(pairs)

    async def sync(self, *, force: bool = False, wait: bool = True) -> Counts:
        """Compare the whole tree with the catalog now; with `force` hash every file again.

        Returns what was added, changed, removed and moved; without `wait` nothing is known yet.

        Raises:
            CatalogError, WorkersUnavailableError: the index could not be brought up to date.

        """
        if self._phase == "off":
            return Counts()
        self.resume()
        if self._task is None:
            self._begin()
        waiter: asyncio.Future[Counts] | None = self._loop.create_future() if wait else None
        self._ask_for_scan(force=force, waiter=waiter, is_urgent=True)
        return Counts() if waiter is None else await waiter

    async def rebuild(self) -> None:
        """Forget everything and index the tree from nothing; returns when that has begun."""
        if self._phase == "off":
            return
        await self._halt()
        self._forget()
        self._quiet.clear()
        try:
            await self._loop.run_in_executor(self._writing, self._catalog.clear)
        except BaseException:
            self._quiet.set()
            raise
        self._epoch = self._catalog.epoch
        self._gate.resume()
        self._begin()

    async def repair(self, reason: str, epoch: int) -> None:
        """Take note that the catalog is damaged, and begin a new one unless that was done; the old file is set aside.
        From here on no answer counts as whole until the tree was looked through.

        Args:
            reason: what was found, for people.
            epoch: of the catalog that was read or written; of many who find the same damage the first one counts.

        Raises:
            CatalogError: the old file cannot be set aside.

        """
        is_first = epoch >= self._epoch
        if is_first:
            self._epoch = epoch + 1
            self._on_log("warning", reason)
            self._forget()
            if self._task is not None:
                self._quiet.clear()
        try:
            await self._loop.run_in_executor(self._writing, self._replace, reason, epoch)
        finally:
            if is_first:
                self._epoch = self._catalog.epoch
                self._ask_for_scan(is_urgent=True)

    def _replace(self, reason: str, epoch: int) -> None:
        if epoch == self._catalog.epoch:  # the writer replaces it by itself where it finds out
            self._catalog.rebuild(reason)

    def _forget(self) -> None:
        """Know nothing of the tree any more."""
        self._is_new = True
        self._files = self._chunks = self._put_off = 0
        if self._task is not None:
            self._enter("scanning")
        elif self._phase != "off":
            self._enter("paused")

    def pause(self) -> None:
        """Hold back work that has not begun; hints are still taken."""
        self._gate.pause()
        self._tell()

    def resume(self) -> None:
        """Go on after `pause`, and take up what `cancel` put off."""
        self._gate.resume()
        if self._put_off:
            self._ask_for_scan()
        self._tell()

    def cancel(self) -> None:
        """Drop the work under way; `resume` or `sync` takes it up again, single changes are followed on."""
        self._gate.cancel()

    async def wait_quiet(self) -> None:
        """Wait until nothing is pending: also when the rest was cancelled, failed, or the root is switched off."""
        if self._phase != "off":
            await self._quiet.wait()

    async def wait_looked(self) -> None:
        """Wait until the tree was looked through for the first time, and it is known what is to be read."""
        await self._looked.wait()

    # --- rounds ------------------------------------------------------------------------------------------------------

    async def _run(self) -> None:
        """Carry out batch after batch, for ever."""
        while True:
            changes = await self._queue.take()
            try:
                await self._gate.wait()
                counts = await self._round(changes)
            except asyncio.CancelledError:
                _answer(changes.waiters, Counts())  # nobody waits for ever, whoever ended the rounds
                raise
            except CatalogDamagedError as error:
                try:
                    await self._after_damage(error, changes)
                except CatalogError as failure:
                    self._fail(str(failure), changes, failure)
                continue
            except (CatalogError, WorkersUnavailableError, OSError) as error:
                self._fail(str(error), changes, error)
                continue
            except Exception as error:
                details = "".join(traceback.format_exception(error)).strip()
                self._fail(f"indexing failed; this is a fault of Pilotfish: {details}", changes, error)
                continue
            self._trouble = ""
            _answer(changes.waiters, counts)
            if not len(self._queue) and self._epoch == self._catalog.epoch:  # else a new catalog is about to be filled
                self._settle_down()

    async def _round(self, changes: Changes) -> Counts:
        """Look at what may have changed, and make the catalog right."""
        self.counters.rounds += 1
        changes.epoch = self._catalog.epoch
        self._gate.renew()
        fingerprint = await self._in_reading(fingerprint_of, self._settings) if changes.scan else ""
        reparse = changes.scan and not self._is_new and self._fingerprint.read() != fingerprint
        survey = await (self._survey_all(changes, reparse) if changes.scan else self._survey_some(changes))
        if changes.scan:
            self._put_off = 0
            if self._is_new:
                self._fingerprint.write(fingerprint)
        self._announce(survey)
        counts = await self._pipeline.carry_out(
            survey,
            announced=changes.announced,
            first=self._preferred,
            probe=not (self._is_new or reparse),
            stretch=self._stretch,
        )
        if self._gate.is_cancelled:
            self._put_off += self._pipeline.pending
            self._pipeline.pending = 0
        elif changes.scan:
            self._is_new = False
            self._fingerprint.write(fingerprint)
        await self._loop.run_in_executor(self._writing, self._catalog.settle)
        await self._count()
        if counts.removed or counts.moved:
            self._timers.later("purge", TOMBSTONE_S + 1, self._purge)
        return counts

    async def _count(self) -> None:
        epoch = self._catalog.epoch
        files, chunks = await self.read(lambda reader: (reader.counts().files, reader.chunks.count()))
        if epoch == self._epoch:  # else they are those of a catalog that is no more
            self._files, self._chunks = files, chunks

    async def _survey_all(self, changes: Changes, reparse: bool) -> Survey:
        self.counters.scans += 1
        known_foreign = self._foreign_git
        found = await self._in_reading(self._scan)
        if self._foreign_git is not None and self._foreign_git != known_foreign:
            self._on_log(
                "warning",
                f"the .git of {self.root} leads to {display(self._foreign_git)}, which does not name this folder as "
                "its working tree: it is indexed without git; where it is yours, set core.worktree there to the folder",
            )
        self._emptiness = "" if found.files else _emptiness(found)
        self.unnameable = sum(skipped.reason is SkipReason.NAME_NOT_UTF8 for skipped in found.skipped)
        self.nested_roots = [
            skipped.path.rstrip("/") for skipped in found.skipped if skipped.reason is SkipReason.NESTED_ROOT
        ]
        survey = await self.read(lambda reader: survey_all(reader, found, force=changes.force or reparse))
        await self._keep_watching(found)
        return survey

    async def _survey_some(self, changes: Changes) -> Survey:
        return await self.read(lambda reader: survey_paths(reader, self._decider_now(), changes.paths))

    def _scan(self) -> Scan:
        """Scan the tree, and learn where git stands, on the reading thread."""
        if not os.path.isdir(self.root):  # noqa: PTH112
            raise FileNotFoundError(f"the workspace folder {self.root} is not there; its index is kept until it is")
        self._decider = None  # the scan reads all rules anew, whatever was heard about them
        self._advisor.forget()
        git = Git(self.root)
        folder, head = git.git_dir(), git.head()
        self._foreign_git = git.foreign() if folder is None else None
        self._git_lock = None if folder is None else os.path.join(folder, "index.lock")  # noqa: PTH118
        self.head = None if head is None else " ".join(filter(None, (head.branch, (head.commit or "")[:12]))) or None
        return scan(self.root, _rules_of(self._settings))

    def _decider_now(self) -> Decider:
        """Return the reading thread's decider."""
        if self._decider is None:
            self._decider = Decider(self.root, _rules_of(self._settings))
        return self._decider

    def _git_is_at_work(self) -> bool:
        return self._git_lock is not None and os.path.exists(self._git_lock)  # noqa: PTH110

    async def _after_damage(self, error: CatalogDamagedError, changes: Changes) -> None:
        """Begin again with an empty catalog, once; what keeps breaking is a fault of the machine."""
        if self._trouble:
            self._fail(str(error), changes, error)
            return
        self._trouble = str(error)
        await self.repair(str(error), changes.epoch)
        self._ask_for_scan(is_urgent=True)
        for waiter in changes.waiters:
            self._queue.ask_for_scan(waiter=waiter)

    def _fail(self, message: str, changes: Changes, error: Exception) -> None:
        """Say once what is wrong, and try again later; the answers go on from what is there."""
        if message != self._trouble:
            self._on_log("error", message)
        self._trouble = message
        for waiter in changes.waiters:
            if not waiter.done():
                waiter.set_exception(error)
        self._pipeline.pending = 0
        self._put_off = max(self._put_off, 1)
        self._end_stretch("failed")
        self._timers.later("retry", RETRY_S, self._ask_for_scan)
        self._quiet.set()
        self._tell()

    # --- commits -----------------------------------------------------------------------------------------------------

    async def _commit(self, batch: Batch) -> None:
        generation = await self._loop.run_in_executor(self._writing, self._catalog.apply, batch)
        if self._is_new:
            self._files += len(batch.parsed)
        moved = {path for move in batch.moves for path in (move.old, move.new)}
        self._on_committed(generation, moved.union(batch.deleted, (file.path for file in batch.parsed)))

    def _purge(self) -> None:
        self._tidy(Catalog.purge)

    def _tidy(self, change: Callable[[Catalog], object]) -> None:
        """Begin to write what can wait for another time, as it has to on a full disk."""

        async def write() -> None:
            with contextlib.suppress(CatalogError):
                await self.write(change)

        errand = self._loop.create_task(write())
        self._errands.add(errand)
        errand.add_done_callback(self._errands.discard)

    async def write(self, change: Callable[[Catalog], T]) -> T:
        """Change the catalog on the one thread that may.

        Raises:
            CatalogError: it could not be written.

        """
        epoch = self._catalog.epoch
        try:
            return await self._loop.run_in_executor(self._writing, change, self._catalog)
        except CatalogDamagedError as error:
            await self.repair(str(error), epoch)
            raise

    async def read(self, question: Callable[[Reader], T]) -> T:
        """Ask the catalog on the indexer's own reading thread, from one snapshot.

        Raises:
            CatalogError: it could not be read.

        """
        epoch = self._catalog.epoch
        try:
            return await self._in_reading(self._ask, question)
        except CatalogDamagedError as error:
            await self.repair(str(error), epoch)
            raise

    def _ask(self, question: Callable[[Reader], T]) -> T:
        if self._reader is None:
            self._reader = self._catalog.reader()
        with self._reader as reader:
            return question(reader)

    async def _in_reading(self, work: Callable[P, T], *arguments: P.args, **keywords: P.kwargs) -> T:
        return await self._loop.run_in_executor(self._reading, partial(work, *arguments, **keywords))

    # --- the watcher -------------------------------------------------------------------------------------------------

    async def _keep_watching(self, found: Scan) -> None:
        """Watch as the settings of this moment say: at all, and which folders."""
        rules = _rules_of(self._settings)
        if self._watched != rules or not self._settings.index.watch:
            await self._stop_watching()
        if self._watcher is None and self._settings.index.watch:
            decider = await self._in_reading(Decider, self.root, rules)
            self._watched, self._watcher = rules, self._watch(found, decider)

    def _watch(self, found: Scan, decider: Decider) -> Watcher:
        """Start to watch; what happened between the scan and the first watch is for one more scan."""
        watcher = Watcher(
            self.root,
            decider,
            self._settings.limits.watches,
            Listener(
                on_change=partial(self._from_watcher, self.changed),
                on_lost=partial(self._from_watcher, self._after_loss),
                on_head=partial(self._from_watcher, self._ask_for_scan),
                on_notice=partial(self._from_watcher, self._on_log, "warning"),
                on_index=partial(self._from_watcher, self._timers.later, "index", INDEX_S, self._look_at_git_index),
            ),
        )
        watcher.start(file.path for file in found.files)
        threading.Thread(target=self._greet, args=(watcher,), name="watch-greeter", daemon=True).start()
        return watcher

    def _greet(self, watcher: Watcher) -> None:
        if watcher.wait_ready(_WATCH_START_S):
            self._from_watcher(self._ask_for_scan)

    def _from_watcher(self, call: Callable[..., object], *arguments: object) -> None:
        """Hand a call over to the event loop, unless that has ended."""
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(call, *arguments)

    def _look_at_git_index(self) -> None:
        """Scan when git tracks other files against its own rules than before; every `git status` writes the index."""

        def compare() -> None:
            before, self._tracked = self._tracked, Git(self.root).tracked_ignored()
            if self._tracked != before:
                self._from_watcher(self._ask_for_scan)

        self._reading.submit(compare)

    def _after_loss(self, reason: str) -> None:
        self._on_log("debug", f"looking through the whole tree: {reason}")
        self._ask_for_scan()

    # --- telling -----------------------------------------------------------------------------------------------------

    def _ask_for_scan(
        self, *, force: bool = False, waiter: asyncio.Future[Counts] | None = None, is_urgent: bool = False
    ) -> None:
        if self._task is not None:
            self._quiet.clear()
            self._queue.ask_for_scan(force=force, waiter=waiter, is_urgent=is_urgent)

    def _announce(self, survey: Survey) -> None:
        """Begin a progress for a round that takes a while, or go on with the one that is open."""
        files = len(survey.suspects)
        is_big = files >= BIG_FILES or sum(file.size for file in survey.suspects) >= BIG_BYTES
        if is_big or (self._is_new and files):
            self._enter("indexing")
            if self._stretch is None:
                self._stretches += 1
                name = Path(self.root).name
                title = f"Indexing {name}" if self._is_new else f"Updating the index of {name}"
                self._stretch = Stretch(self._on_progress, f"index-{self._stretches}", title)
        if self._stretch is not None:
            self._stretch.expect(files)

    def _end_stretch(self, message: str) -> None:
        if self._stretch is not None:
            self._stretch.end(message)
            self._stretch = None

    def _settle_down(self) -> None:
        """Nothing is pending any more: close the progress, say so, and wake again only slowly."""
        if self._stretch is not None:
            self._tidy(Catalog.checkpoint)
        self._end_stretch("cancelled" if self._put_off else f"{self._files:,} files")
        self._enter("ready")
        self._timers.later("reconcile", RECONCILE_S, self._ask_for_scan)
        self._quiet.set()

    def _enter(self, phase: Phase) -> None:
        self._phase = phase
        if phase in ("starting", "scanning"):
            self._looked.clear()
        else:
            self._looked.set()
        self._tell()

    def _tell(self) -> None:
        state = self.state
        message = ""
        health: Literal["ok", "warning", "error"] = "ok"
        if self._trouble:
            message, health = self._trouble, "error"
        elif state.phase == "ready" and not state.files:
            message, health = self._emptiness, "warning"
        is_quiescent = state.phase in ("ready", "off", "paused")
        self._on_state(Health(health=health, quiescent=is_quiescent, message=message))


class _Advisor:
    """Decisions for anybody who asks, on any thread; apart from the reading thread, which may be busy scanning."""

    def __init__(self, root: str) -> None:
        self._root = root
        self._turn = threading.Lock()
        self._decider: Decider | None = None
        self._is_stale = True

    def forget(self) -> None:
        """Rules have changed."""
        self._is_stale = True

    def decide(self, path: str, settings: Settings) -> Decision:
        """Decide about one path."""
        with self._turn:
            if self._decider is None or self._is_stale:
                self._is_stale = False
                self._decider = Decider(self._root, _rules_of(settings))
            return self._decider.decide(path)


def _answer(waiters: Iterable[asyncio.Future[Counts]], counts: Counts) -> None:
    for waiter in waiters:
        if not waiter.done():
            waiter.set_result(counts)


def _rules_of(settings: Settings) -> ScanRules:
    index, limits = settings.index, settings.limits
    return ScanRules(
        paths=index.paths,
        include=index.include,
        exclude=index.exclude,
        submodules=index.submodules,
        limits=ContentLimits(
            file_bytes=limits.file_kb * 1024, line_chars=limits.line_chars, secrets=settings.semantic.secrets
        ),
    )


def _emptiness(found: Scan) -> str:
    """Say why there is no file to index."""
    if not found.skipped:
        return "there is no file to index in this folder"
    reasons = Counter(skipped.reason for skipped in found.skipped)
    named = ", ".join(f"{count:,} {reason}" for reason, count in reasons.most_common(3))
    return f"no file of this folder is indexed: {named}; `pilotfish why PATH` tells more"
