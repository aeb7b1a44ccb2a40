"""Phase 2: brings the vectors of all chunks after the catalog, behind the answers.

The catalog's outbox names the files whose vectors are not yet as their chunks are. One task takes them in order of
worth, has the semantic worker embed what no cache knows and replace the files' rows, and strikes them out when that
is done: killed at any moment, the next start goes on where this one was (DESIGN invariant 4).
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import traceback
from collections.abc import Awaitable, Callable, Collection, Coroutine, Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple, TypeVar

import msgspec

from pilotfish.config import SemanticSettings
from pilotfish.indexing.indexer import Indexer
from pilotfish.indexing.progress import WITHOUT_VECTORS, Progress, Stretch
from pilotfish.indexing.selection import Worth, in_order, selected
from pilotfish.indexing.timers import Timers
from pilotfish.indexing.workers import Log
from pilotfish.semantic.child import SemanticChild, SemanticDiedError, SemanticFailedError
from pilotfish.store.catalog import CatalogError, Reader
from pilotfish.store.vector_rows import VectorFilters, VectorHit
from pilotfish.store.vector_upkeep import IDLE_S

Phase = Literal["off", "waiting", "embedding", "ready", "paused", "failed"]
"""`waiting`: for the structural index. `failed`: no model or no worker; search goes on without vectors."""

TOKEN: Final = "semantic"
"""How the tokens of this work's progress begin."""

BATCH_FILES: Final = 400
"""Files that the worker is given at once; what it has done of them is not lost when it is killed, only not told."""

BIG_FILES: Final = 100
"""From so many files on the work is worth a progress."""

MANY_PASSAGES: Final = 32
"""From so many passages on the work of a slow model is: it embeds some ten a second."""

REFILL_S: Final = 8.0
"""How long questions wait for a table that is filled anew from the cache, since that was found to be necessary, in
seconds: most are by then. Those that come later are told how much is missing."""

UPKEEP_S: Final = 30.0
"""How long nothing must have changed before the table is looked after, in seconds."""

TYPING_S: Final = 5.0
"""How long after the last change somebody is taken to be typing, in seconds: the work then keeps to one core."""

RETRY_S: Final = 60.0
"""How long to wait before the next try after workers died, or where the disk was full, in seconds."""

DEATHS: Final = 3
"""Deaths of workers in a row after which the next try waits `RETRY_S`."""

T = TypeVar("T")
_log = logging.getLogger(__name__)


class State(NamedTuple):
    """How far the vectors are: `chunks` in the catalog, `embedded` of them in the vector table, `pending` files;
    `message` says what is wrong."""

    phase: Phase = "off"
    chunks: int = 0
    embedded: int = 0
    pending: int = 0
    message: str = ""


class Done(msgspec.Struct):
    """What was done since the start: `embedded` texts went through the model, of `cached` the vectors were known;
    `embedded` against moves proves that these are free (DESIGN invariant 2)."""

    embedded: int = 0
    cached: int = 0
    rows_written: int = 0
    semantic_workers: int = 0
    semantic_deaths: int = 0

    def as_dict(self) -> dict[str, int]:
        """Return them by name."""
        return msgspec.structs.asdict(self)


class VectorsUnavailableError(Exception):
    """There are no vectors to ask; the message says why."""


class SemanticIndexer:
    """Keeps the vector table of one root equal to the chunks in its catalog.

    Args:
        indexer: the structural phase, which owns the threads that read and write the catalog.
        settings: what is embedded.
        start_worker: starts a semantic worker, without opening anything in it.
        is_as_left: tells whether there is a table of vectors of a name, its files as they were written; callable from
            any thread.
        worth: what is known of the files; asked for slow models only, since ranks are dear.
        on_progress: takes each step of long work.
        on_log: takes a level and a line.
        on_mended: takes a line that was logged and does not hold any more.

    """

    def __init__(
        self,
        indexer: Indexer,
        settings: SemanticSettings,
        start_worker: Callable[[], Awaitable[SemanticChild]],
        is_as_left: Callable[[str], bool],
        *,
        worth: Callable[[], Awaitable[Worth]],
        on_progress: Callable[[Progress], None],
        on_log: Log,
        on_mended: Callable[[str], None],
    ) -> None:
        self.done = Done()
        self._indexer = indexer
        self._settings = settings
        self._start_worker = start_worker
        self._is_as_left = is_as_left
        self._worth = worth
        self._on_progress = on_progress
        self._on_log = on_log
        self._on_mended = on_mended
        self._loop = asyncio.get_running_loop()
        self._open_paths: frozenset[str] = frozenset()
        self._child: SemanticChild | None = None
        self._table = ""
        """That the catalog goes with, as far as it was read; empty before there was one."""
        self._starting = asyncio.Lock()
        self._wake = asyncio.Event()
        self._quiet = asyncio.Event()
        self._go = asyncio.Event()
        self._go.set()
        self._task: asyncio.Task[None] | None = None
        self._timers = Timers(self._loop)
        self._errands: set[asyncio.Task[None]] = set()
        self._stretch: Stretch | None = None
        self._stretches = 0
        self._embedded_so_far = 0
        self._deaths = 0
        self._changed_at = float("-inf")
        self._phase: Phase = "off"
        self._decided = asyncio.Event()
        self._epoch = -1
        """Of the catalog that was counted."""
        self._chunks = self._pending = self._embedded = 0
        self._message = self._said = ""
        self._is_cancelled = False
        self._has_other_choice = False
        self._must_look = False
        """The table is not as it was left."""
        self._refilled_by = float("-inf")
        """Until when questions wait for a table that is filled anew."""

    # --- what others ask ---------------------------------------------------------------------------------------------

    @property
    def state(self) -> State:
        """How far the vectors are at this moment."""
        if self._epoch != self._indexer.epoch and self._phase not in ("off", "failed"):
            return State("waiting")  # for the catalog that is made anew
        is_held = self._pending and (self._is_cancelled or not self._go.is_set())
        phase: Phase = "paused" if is_held and self._phase in ("embedding", "ready") else self._phase
        return State(phase, self._chunks, self._embedded, self._pending, self._message)

    def pids(self) -> list[int]:
        """Process ids of the semantic workers that live at this moment."""
        return [self._child.pid] if self._child is not None and self._child.is_alive else []

    async def wait_quiet(self) -> None:
        """Wait until no file waits for its vectors: also when the rest was put off, failed, or is switched off. A table
        that is not as it was left is looked at first."""
        await self._indexer.wait_quiet()
        await self.look_at_table()
        await self._quiet.wait()

    async def wait_decided(self) -> None:
        """Wait until it is known whether there is something to do, done or not."""
        await self._decided.wait()

    async def look_at_table(self) -> None:
        """Find out by a glance at its files whether the table was damaged behind our back; if so, its worker opens or
        proves it, and where that fails it is filled anew. Returns before that."""
        if self._task is None or not self._quiet.is_set():
            return
        with contextlib.suppress(CatalogError):
            table = await self._known_table()
            if table and not await asyncio.to_thread(self._is_as_left, table):
                self._must_look = True
                self._wake_up()

    async def ask(self, question: Callable[[SemanticChild], Awaitable[T]]) -> T:
        """Ask the semantic worker, started when there is none: `child.search`, `child.embed`.

        Raises:
            VectorsUnavailableError: there is nothing to ask.

        """
        if self._settings.coverage == "off":
            raise VectorsUnavailableError("`semantic.coverage` is off")
        if self._phase == "failed":
            raise VectorsUnavailableError(self._message)
        if self._child is None and self._indexer.state.phase != "ready" and not self._has_known_table:
            # There is nothing to compare with, and who asks first would wait for the worker for nothing.
            raise VectorsUnavailableError("the first index is being made")
        try:
            try:
                answer = await question(await self._opened())
            except SemanticDiedError:  # over a damaged table, or by somebody's hand: another one may do better
                answer = await question(await self._opened())
        except SemanticFailedError as error:  # one that this question is at fault for: others may have answers
            _log.warning("the vectors had no answer: %s", error)
            raise VectorsUnavailableError(str(error)) from error
        except (SemanticDiedError, CatalogError, OSError) as error:
            raise VectorsUnavailableError(str(error)) from error
        if self._child is not None and self._child.model.kind != "table":  # it ends when nobody has asked for a while
            self._look_after_later(UPKEEP_S)
        return answer

    async def search(
        self, text: str, limit: int, filters: VectorFilters, *, as_passage: bool = False
    ) -> list[VectorHit]:
        """Return the chunks nearest to a question, or to a text like what is to be found; the nearest first.

        Raises:
            VectorsUnavailableError: there is nothing to ask.

        """
        return await self.ask(lambda child: child.search(text, limit, filters, as_passage=as_passage))

    # --- life --------------------------------------------------------------------------------------------------------

    async def start(self) -> None:
        """Begin to follow the catalog; what the last engine left is known from here on."""
        if self._settings.coverage == "off":
            self._enter("off")
            self._quiet.set()
            return
        self._enter("waiting")
        self._quiet.clear()
        with contextlib.suppress(CatalogError):
            await self._read_pending()
        self._wake.set()
        self._task = asyncio.ensure_future(self._run())

    def warm_up(self) -> None:
        """Have a worker ready before the first question, once the structural index is quiet."""
        if self._task is not None:
            self._spawn(self._warm_up())

    async def close(self) -> None:
        """Stop all work; what was not told as done is looked at again at the next start."""
        self._timers.cancel()
        task, self._task = self._task, None  # no worker starts from here on
        tasks = [*self._errands, *([task] if task is not None else [])]
        for each in tasks:
            each.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._end_stretch("stopped")
        await self._end_worker(kill=True)

    async def reconfigure(self, settings: SemanticSettings) -> None:
        """Take up other settings; another model has a table of its own."""
        if settings == self._settings:
            return
        await self.close()
        self._settings, self._deaths = settings, 0
        self._mended()
        self._has_other_choice = True
        await self.start()

    def committed(self) -> None:
        """Take note that the catalog has changed."""
        self._changed_at = self._loop.time()
        self._wake_up()

    def prefer(self, paths: Collection[str]) -> None:
        """Embed these files before all others: those that are open."""
        self._open_paths = frozenset(paths)

    def pause(self) -> None:
        """Hold back work that has not begun."""
        self._go.clear()
        self._quiet.set()

    def resume(self) -> None:
        """Go on after `pause`, `cancel` or a failure."""
        self._is_cancelled = False
        if self._phase == "failed":
            self._enter("waiting")
            self._mended()
        self._go.set()
        self._wake_up()

    def cancel(self) -> None:
        """Leave what is pending until `resume`."""
        self._is_cancelled = True

    # --- rounds ------------------------------------------------------------------------------------------------------

    async def _run(self) -> None:
        """Follow the catalog, for ever."""
        with contextlib.suppress(CatalogError):
            await self._look_for_another_choice()
        while True:
            await self._wake.wait()
            self._wake.clear()
            await self._indexer.wait_quiet()
            await self._go.wait()
            try:
                await self._catch_up()
            except SemanticFailedError as error:
                self._fail(str(error), passing=error.passing)
            except SemanticDiedError as death:
                await self._after_death(death)
            except (CatalogError, OSError) as error:
                self._fail(str(error), passing=True)
            except Exception as error:
                details = "".join(traceback.format_exception(error)).strip()
                self._fail(f"vectors could not be made; this is a fault of Pilotfish: {details}")
            if not self._wake.is_set():
                self._settle_down()

    async def _catch_up(self) -> None:
        """Bring the vectors of all files in the outbox up to date."""
        pending = await self._read_pending()
        if self._phase == "failed":
            return
        if not (pending or (self._chunks and (self._has_other_choice or self._must_look))):
            self._mended()
            return
        self._enter("embedding")
        child = await self._proved_worker()
        if self._has_other_choice:
            choice = _choice_in(self._settings)
            await self._indexer.write(lambda catalog: catalog.fill_outbox(choice=choice))
            self._has_other_choice = False
        pending = await self._read_pending()  # all, where there is a new table, or another choice
        wanted, unwanted = await self._chosen(pending, child)
        await self._begin_stretch(pending, wanted, is_slow=child.model.kind != "table")
        for paths, is_wanted in ((unwanted, False), (wanted, True)):
            for start in range(0, len(paths), BATCH_FILES):
                await self._go.wait()
                if self._is_cancelled:
                    return
                await self._refresh(child, paths[start : start + BATCH_FILES], pending, is_wanted=is_wanted)
                if self._wake.is_set():  # what has changed since may be worth more
                    return
        await child.maintain()
        self._deaths = 0
        self._mended()

    async def _look_for_another_choice(self) -> None:
        """Find out whether settings have changed, or the table is gone or damaged, since an engine was here last: no
        path may wait then, and yet there is much to do."""
        table, choice = await self._indexer.read(lambda reader: (reader.chunks.table(), reader.chunks.choice()))
        if choice != _choice_in(self._settings):
            self._has_other_choice = True
        if not await asyncio.to_thread(self._is_as_left, table):
            self._must_look = True

    async def _read_pending(self) -> dict[str, int]:
        def ask(reader: Reader) -> tuple[dict[str, int], int, str, int]:
            chunks = reader.chunks
            return dict(chunks.pending()), chunks.count(), chunks.table(), chunks.table_rows()

        epoch = self._indexer.epoch
        pending, self._chunks, table, self._embedded = await self._indexer.read(ask)
        if self._epoch not in (-1, epoch):  # a new catalog does not know yet what is chosen
            self._has_other_choice = True
        self._epoch = epoch
        self._pending = len(pending)
        if table != self._table:  # the catalog was made anew, and knows no table
            self._table = table
            await self._end_worker()
        return pending

    async def _chosen(self, pending: Mapping[str, int], child: SemanticChild) -> tuple[list[str], list[str]]:
        """Return which of the files that wait shall have vectors, in order of worth, and which shall not."""
        languages = await self._indexer.read(lambda reader: dict(reader.chunks.paths()))
        coverage = self._settings.coverage
        if coverage == "all" or (coverage == "auto" and child.model.kind == "table"):
            files = {path: languages.get(path) for path in pending}
            return in_order(files, Worth(open_paths=self._open_paths)), []
        worth = await self._worth()
        chosen = selected(languages, worth, self._settings.top_share)
        wanted = in_order({path: languages[path] for path in pending if path in chosen}, worth)
        return wanted, [path for path in pending if path not in chosen]

    async def _refresh(
        self, child: SemanticChild, paths: Sequence[str], pending: Mapping[str, int], *, is_wanted: bool
    ) -> None:
        """Have the rows of some files replaced, and strike them out."""
        is_quiet = self._loop.time() - self._changed_at > TYPING_S
        self._embedded_so_far = 0
        if is_wanted:
            done = await child.refresh(paths, quiet=is_quiet, on_step=self._tell_step)
        else:
            done = await child.refresh((), gone=paths)
        self._embedded = done.rows
        self.done.embedded += done.embedded
        self.done.cached += done.from_cache
        self.done.rows_written += done.written
        finished = [(path, pending[path]) for path in done.paths]
        await self._indexer.write(lambda catalog: catalog.settle_outbox(finished, done.rows))
        self._pending -= len(finished)
        if self._stretch is not None:
            of_passages = max(done.from_cache + done.embedded - self._embedded_so_far, 0)
            self._stretch.advance(of_passages)

    def _settle_down(self) -> None:
        """There is nothing to do any more for now."""
        self._end_stretch(self._message or ("cancelled" if self._is_cancelled else f"{self._embedded:,} passages"))
        if self._phase in ("waiting", "embedding"):
            self._enter("ready")
        self._quiet.set()
        if self._child is not None:
            self._look_after_later(UPKEEP_S)

    async def _after_death(self, death: SemanticDiedError) -> None:
        """Go on with another worker; after several deaths in a row, later."""
        self._deaths += 1
        self.done.semantic_deaths += 1
        _log.warning("a semantic worker died: %s", death)
        await self._end_worker(kill=True)
        if self._deaths < DEATHS:
            self._wake.set()
            return
        self._deaths = 0
        self._fail(f"the process that embeds died {DEATHS} times; the last time it said: {death}", passing=True)

    def _fail(self, message: str, *, passing: bool = False) -> None:
        """Say once what is wrong; search goes on without vectors. What is `passing` is tried again after a while."""
        if passing and self._epoch != self._indexer.epoch:  # of a catalog that is no more: look at the new one
            self._has_other_choice = True
            self._epoch = self._indexer.epoch
            self._chunks = self._embedded = self._pending = 0
            self._wake.set()
            return
        if message != self._message:
            self._mended()
            self._said = f"{WITHOUT_VECTORS}: {message}"
            self._on_log("warning", self._said)
        self._enter("failed")
        self._message = message
        if passing:
            self._timers.later("retry", RETRY_S, self._try_again)

    def _mended(self) -> None:
        """Take back what was said to be wrong."""
        if self._said:
            self._on_mended(self._said)
        self._message = self._said = ""

    def _try_again(self) -> None:
        if self._phase == "failed":
            self._enter("waiting")
            self._wake_up()

    def _enter(self, phase: Phase) -> None:
        self._phase = phase
        if phase == "waiting":
            self._decided.clear()
        else:
            self._decided.set()

    # --- the worker --------------------------------------------------------------------------------------------------

    async def _opened(self) -> SemanticChild:
        """Return the worker for a question, its table filled where it is being filled anew and that takes no longer
        than `REFILL_S`; a model that cannot be opened is a failure for all."""
        try:
            child = await self._worker()
            if self._refilled_by > self._loop.time():
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout_at(self._refilled_by):
                        await self._quiet.wait()
                child = await self._worker()
            return child
        except SemanticFailedError as error:
            self._fail(str(error), passing=error.passing)
            raise VectorsUnavailableError(str(error)) from error

    async def _worker(self) -> SemanticChild:
        """Return the worker, started when there is none, with the table that the catalog knows or a new one.

        Raises:
            VectorsUnavailableError: work has ended.

        """
        async with self._starting:
            if self._task is None:
                raise VectorsUnavailableError("the engine ends, or takes up other settings")
            if self._child is not None and self._child.is_alive:
                return self._child
            await self._end_worker(kill=True)
            known = await self._known_table()
            child = await self._start_worker()
            self.done.semantic_workers += 1
            try:
                opened = await child.open(known)
                if opened.table != known:
                    self._pending = await self._indexer.write(lambda catalog: catalog.fill_outbox(opened.table))
                    if opened.table.rpartition(":")[0] == known.rpartition(":")[0]:  # the cache has its vectors
                        self._refilled_by = self._loop.time() + REFILL_S
                    self._wake_up()
                self._must_look = False
                if self._task is None:  # closed meanwhile
                    raise VectorsUnavailableError("the engine ends, or takes up other settings")
            except BaseException:
                await child.end(kill=True)
                raise
            self._child, self._table, self._embedded = child, opened.table, opened.rows
            return child

    async def _proved_worker(self) -> SemanticChild:
        """Return the worker; where the table was not as it was left, one that has found it whole or made another."""
        child = await self._worker()
        if self._must_look:  # it was open before
            await child.maintain(idle=True)
            self._must_look = False
        return child

    @property
    def _has_known_table(self) -> bool:
        """Whether the catalog goes with a table, told without waiting for a scan to leave the thread that reads."""
        return bool(self._table) and self._epoch == self._indexer.epoch

    async def _known_table(self) -> str:
        """Return the name of the table that the catalog goes with; empty before there was one."""
        return await self._indexer.read(lambda reader: reader.chunks.table())

    async def _warm_up(self) -> None:
        await self._indexer.wait_quiet()
        with contextlib.suppress(VectorsUnavailableError):
            await self.ask(lambda child: child.embed([""]))

    def _look_after_later(self, seconds: float) -> None:
        self._timers.later("upkeep", seconds, lambda: self._spawn(self._look_after(once_more=seconds < IDLE_S)))

    async def _look_after(self, *, once_more: bool = False) -> None:
        """Look after the table in a quiet moment, and let a worker go that has grown or holds a slow model."""
        child = self._child
        if child is None or not child.is_alive:
            return
        try:
            await child.maintain(idle=True)
        except SemanticDiedError:  # over a damaged table: another worker fills a new one before somebody asks
            await self._warm_up()
            return
        except SemanticFailedError as error:
            _log.warning("the table of vectors could not be looked after: %s", error)
        if once_more:  # by then whatever was removed is old enough to be cleaned away
            self._look_after_later(IDLE_S + UPKEEP_S)
        is_slow = child.model.kind != "table"
        if (is_slow or child.has_grown) and not child.is_busy and child is self._child and self._quiet.is_set():
            await self._end_worker()
            if not is_slow:
                await self._warm_up()

    async def _end_worker(self, *, kill: bool = False) -> None:
        child, self._child = self._child, None
        if child is not None:
            await child.end(kill=kill)

    # --- telling -----------------------------------------------------------------------------------------------------

    async def _begin_stretch(self, pending: Collection[str], wanted: Sequence[str], *, is_slow: bool) -> None:
        """Tell from here on how far the work is, if it is long, in passages: files are ready in large batches only."""
        passages = await self._indexer.read(lambda reader: reader.chunks.count_of(wanted))
        is_long = passages >= MANY_PASSAGES if is_slow else len(pending) >= BIG_FILES
        if self._stretch is None and is_long:
            self._stretches += 1
            self._stretch = Stretch(self._on_progress, f"{TOKEN}-{self._stretches}", "Embedding", "passages")
        if self._stretch is not None:
            self._stretch.expect(passages - self._stretch.left)

    def _tell_step(self, chunks: int, total: int) -> None:
        if self._stretch is None:
            return
        before, self._embedded_so_far = self._embedded_so_far, chunks
        self._stretch.advance(chunks - before)

    def _end_stretch(self, message: str) -> None:
        if self._stretch is not None:
            self._stretch.end(message)
            self._stretch = None

    # --- plumbing ----------------------------------------------------------------------------------------------------

    def _wake_up(self) -> None:
        if self._task is not None:
            if self._go.is_set():  # nobody waits for work that is held back
                self._quiet.clear()
            self._wake.set()

    def _spawn(self, errand: Coroutine[Any, Any, None]) -> None:
        task = self._loop.create_task(errand)
        self._errands.add(task)
        task.add_done_callback(self._returned)

    def _returned(self, task: asyncio.Task[None]) -> None:
        self._errands.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            _log.error("looking after the vectors failed", exc_info=error)


def _choice_in(settings: SemanticSettings) -> str:
    """Return what of the settings decides which vectors there are to be, as a text to compare."""
    return msgspec.json.encode(
        (
            settings.coverage,
            settings.top_share,
            settings.recent_days,
            settings.paths,
            settings.model,
            settings.passage_prefix,
            settings.max_tokens,
        )
    ).decode()
