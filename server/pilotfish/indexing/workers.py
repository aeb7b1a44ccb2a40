"""The pool of parse workers: processes that are started when needed, supervised while they work, and ended when idle.

Everything here runs on the engine's event loop and nothing blocks it. A parse cannot be interrupted inside a worker
(tree-sitter's queries crash when they are asked to stop), so deadlines are enforced from outside: a worker that took
too long over one file, or too much memory, is killed, the file is set aside with the reason, and the rest of the task
goes to a fresh worker.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, Literal, NamedTuple

import msgspec

from pilotfish.children.inside import session_niceness
from pilotfish.config import ChunkSettings, Settings
from pilotfish.indexing.child import Child, WorkerDiedError
from pilotfish.indexing.frames import Examined, FilesDone, FileTask, Setup, TextDone, TextTask
from pilotfish.indexing.journal import DEATHS_TO_SET_ASIDE, Journal
from pilotfish.indexing.progress import Counters
from pilotfish.syntax.chunks import ChunkSizes
from pilotfish.syntax.outline import Outline
from pilotfish.syntax.text import LineTable
from pilotfish.workspace.content import SkipReason
from pilotfish.workspace.paths import display

Log = Callable[[Literal["error", "warning", "info", "debug"], str], None]

IDLE_S: Final = 20.0
"""A worker that has had nothing to do for this long is ended, and its memory with it."""

AFTER_A_KEY_S: Final = 2.0
"""For so long after a key stroke, workers for files leave the processor to others as far as they can."""

_LOOK_S: Final = 0.3
_RESERVED: Final = 0
_NICENESS: Final = 10
_ENGINE_SHARE_MB: Final = 200
_SMALLEST_SHARE_MB: Final = 64
_SMALLEST_CEILING_MB: Final = 256
_MB: Final = 1024 * 1024
_START_ATTEMPTS: Final = 3

_OUTLINE: Final = msgspec.msgpack.Decoder(Outline)


class ParsedText(NamedTuple):
    """The text of an open document as a worker read it; `chunks` for `rows.unpack_chunks`, empty where it is secret."""

    outline: Outline
    lines: LineTable
    chunks: bytes


class ParseFailedError(Exception):
    """A text could not be outlined; the message says why."""


class WorkersUnavailableError(Exception):
    """Parse workers do not start on this machine; the message holds the last words of the one that tried."""


class ParsePool:
    """Parse workers for the files of one root, and one more, reserved for open documents.

    Made on a running event loop, and used on that one only.

    Args:
        root: the canonical root that paths of files are relative to.
        settings: limits and associations.
        folder: the index folder, for the journal of the files in work.
        log: takes a level and a line.

    """

    def __init__(self, root: Path, settings: Settings, folder: Path, *, log: Log) -> None:
        limits = settings.limits
        workers_mb = max(limits.memory_mb - _ENGINE_SHARE_MB, _SMALLEST_SHARE_MB)
        self.size = max(1, min(limits.worker_count(), workers_mb // _SMALLEST_SHARE_MB))
        self.counters = Counters()
        self._share = workers_mb * _MB // self.size
        self._log = log
        self._loop = asyncio.get_running_loop()
        self._journal = Journal(folder, self.size + 1)
        self._root = root
        self._ceiling = max(workers_mb, _SMALLEST_CEILING_MB) * _MB
        self._setup = self._setup_for(settings)
        self._places = asyncio.Semaphore(self.size)
        self._free_slots = list(range(self.size, _RESERVED, -1))
        self._idle: list[Child] = []
        self._reserved: Child | None = None
        self._reserved_turn = asyncio.Lock()
        self._children: set[Child] = set()
        self._reaper: asyncio.TimerHandle | None = None
        self._farewells: set[asyncio.Task[None]] = set()
        self._closed = False
        self._key_at = -AFTER_A_KEY_S
        self._way: asyncio.TimerHandle | None = None

    def make_way(self) -> None:
        """Take note that somebody types: the next key must not wait for the index."""
        self._key_at = self._loop.time()
        if self._way is None and not self._closed:
            self._weigh()

    def pids(self) -> list[int]:
        """Process ids of the workers that live at this moment."""
        return sorted(child.pid for child in self._children)

    def reconfigure(self, settings: Settings) -> None:
        """Use other limits and associations from the next task on; the number of workers stays."""
        self._setup = self._setup_for(settings)
        while self._idle:
            self._dismiss(self._idle.pop())

    @property
    def suspects(self) -> frozenset[str]:
        """Files that were in work when an earlier engine died; best given to `examine` one by one."""
        return self._journal.suspects()

    async def warm_up(self) -> None:
        """Start the reserved worker before the first document needs it.

        Raises:
            WorkersUnavailableError: it does not start.

        """
        async with self._reserved_turn:
            if self._reserved is None:
                self._reserved = await self._start(_RESERVED)

    async def parse_text(self, text: bytes, language: str | None, path: str = "") -> ParsedText:
        """Outline and cut the text of an open document on the reserved worker, in the order of the calls.

        A text in no known language has an empty outline. Its path or URI may tell that it is secret.
        A call that is cancelled while it waits for its turn costs nothing; one in work is finished unheard.

        Raises:
            ParseFailedError: the text crashed the parser, or took longer than `limits.parse_s`.
            WorkersUnavailableError: no worker can be started.

        """
        call = _TextCall(TextTask(text=text, language=language, path=path))
        turn = asyncio.ensure_future(self._take_turn(call))
        try:
            done = await asyncio.shield(turn)
        except asyncio.CancelledError:
            call.is_abandoned = True
            turn.add_done_callback(_look_at)
            raise
        if done.failure:
            raise ParseFailedError(done.failure)
        return ParsedText(_OUTLINE.decode(done.outline), LineTable.from_bytes(done.line_table), done.chunks)

    async def examine(self, paths: Sequence[str], *, parse: bool = True) -> list[Examined]:
        """Read files, and outline those that are in a known language.

        Whatever a file does to its worker, the others of the call are answered for. A caller that is cancelled takes
        its worker with it.

        Args:
            paths: files relative to the root.
            parse: False to read, hash and inspect only.

        Raises:
            WorkersUnavailableError: no worker can be started.

        """
        answers: dict[str, Examined] = {}
        crashed: set[str] = set()
        batches = deque([[path for path in paths if not (parse and self._is_convicted(path))]])
        while batches:
            batch = batches.popleft()
            try:
                found = await self._on_worker(FileTask(paths=batch, parse=parse)) if batch else []
            except WorkerDiedError as death:
                batches.extend(await self._bury(death, batch, crashed, answers))
                continue
            answers.update((examined.path, examined) for examined in found)
        for path in paths:
            if path not in answers:
                answers[path] = await self._set_aside(path, SkipReason.PARSER_CRASHED, "two engines died over it")
            if parse:
                self._journal.acquit(path)
        return [answers[path] for path in paths]

    async def close(self) -> None:
        """End all workers; none is left when this returns."""
        self._closed = True
        for timer in (self._reaper, self._way):
            if timer is not None:
                timer.cancel()
        await asyncio.gather(*(self._end(child, kill=True) for child in list(self._children)), *self._farewells)
        self._journal.close()

    # --- files -------------------------------------------------------------------------------------------------------

    def _is_convicted(self, path: str) -> bool:
        return self._journal.deaths(path) >= DEATHS_TO_SET_ASIDE

    async def _on_worker(self, task: FileTask) -> list[Examined]:
        """Do `task` on an idle worker, or a new one when none is."""
        async with self._places:
            child = self._idle.pop() if self._idle else await self._start(await self._free_slot())
            try:
                done = await child.ask(task)
            except BaseException:
                self.counters.deaths += 1
                await self._end(child, kill=True)
                raise
            assert isinstance(done, FilesDone)
            if self._is_spent(child, done.memory):
                await self._end(child)
            else:
                self._rest(child)
        for examined in done.files:
            self.counters.hashed += 1
            self.counters.parsed += examined.file is not None and examined.file.outline is not None
            if examined.failure:
                self._log("warning", f"{display(examined.path)}: {examined.failure}")
        return done.files

    async def _bury(
        self, death: WorkerDiedError, batch: list[str], crashed: set[str], answers: dict[str, Examined]
    ) -> list[list[str]]:
        """Find out which file of `batch` killed its worker; return the batches that are still to be done."""
        culprit = death.work.path if death.work is not None else batch[0] if len(batch) == 1 else ""
        if culprit not in batch:  # it died between two files: nobody is to blame yet
            return [[path] for path in batch]
        rest = [path for path in batch if path != culprit]
        if death.reason is SkipReason.PARSER_CRASHED and culprit not in crashed:
            crashed.add(culprit)
            return [rest, [culprit]]
        answers[culprit] = await self._set_aside(culprit, death.reason, death.last_words)
        return [rest]

    async def _set_aside(self, path: str, reason: SkipReason, detail: str) -> Examined:
        """Describe a file that must not be parsed: read and hashed, so that a change of it is noticed."""
        try:
            (examined,) = await self._on_worker(FileTask(paths=[path], parse=False))
        except WorkerDiedError as death:
            return Examined(path, failure=f"{reason}, and it cannot be read: {death.last_words}")
        if examined.file is not None and examined.file.status == "parsed":
            examined.file.status, examined.file.skip_reason = "skipped", reason
        examined.failure = f"{reason}: {detail}" if detail else str(reason)
        self._log("warning", f"{display(path)}: {examined.failure}")
        return examined

    # --- documents ---------------------------------------------------------------------------------------------------

    async def _take_turn(self, call: _TextCall) -> TextDone:
        async with self._reserved_turn:
            if call.is_abandoned:
                return TextDone(failure="no longer wanted")
            try:
                done = await self._outline_text(call.task)
            except WorkerDiedError as death:
                if death.reason is not SkipReason.PARSER_CRASHED:
                    return TextDone(failure=death.reason)
                try:  # it may have been killed by somebody: a text has a second chance, as a file has
                    done = await self._outline_text(call.task)
                except WorkerDiedError as second:
                    return TextDone(failure=f"{second.reason}: {second.last_words}".removesuffix(": "))
        self.counters.texts += 1
        return done

    async def _outline_text(self, task: TextTask) -> TextDone:
        if self._reserved is None:
            self._reserved = await self._start(_RESERVED)
        child = self._reserved
        try:
            done = await child.ask(task)
        except BaseException as error:
            self._reserved = None
            self.counters.deaths += isinstance(error, WorkerDiedError)
            await self._end(child, kill=True)
            raise
        assert isinstance(done, TextDone)
        if self._is_spent(child, done.memory):
            self._reserved = None
            await self._end(child)
        return done

    # --- processes ---------------------------------------------------------------------------------------------------

    def _setup_for(self, settings: Settings) -> Setup:
        return Setup(
            root=str(self._root),
            journal=str(self._journal.path),
            file_bytes=settings.limits.file_kb * 1024,
            line_chars=settings.limits.line_chars,
            parse_s=settings.limits.parse_s,
            data_bytes=self._ceiling,
            associations=dict(settings.languages.associations),
            chunk_sizes=_chunk_sizes(settings.chunks),
            secrets=settings.semantic.secrets,
        )

    def _is_spent(self, child: Child, memory: int) -> bool:
        """Whether a worker has grown beyond its share, or was set up with other settings."""
        current = msgspec.structs.replace(self._setup, slot=child.setup.slot, niceness=child.setup.niceness)
        return memory > self._share or child.setup != current

    async def _free_slot(self) -> int:
        """Take the slot of a worker that is not there, or not any more in a moment."""
        while not self._free_slots:
            await asyncio.wait(self._farewells)
        return self._free_slots.pop()

    async def _start(self, slot: int) -> Child:
        """Start a worker and see it answer, so that a broken installation is not taken for a broken file."""
        last_words = ""
        for _ in range(_START_ATTEMPTS):
            if self._closed:
                break
            setup = msgspec.structs.replace(self._setup, slot=slot, niceness=_NICENESS if slot else 0)
            try:
                child = await Child.start(setup, self._journal.slot(slot))
            except OSError as error:
                last_words = str(error)
                continue
            self._children.add(child)
            self.counters.workers += 1
            try:
                await child.ask(FileTask(paths=[]))
            except WorkerDiedError as death:
                last_words = death.last_words
                self._children.discard(child)
                continue
            except BaseException:
                await self._end(child, kill=True)
                raise
            return child
        if slot != _RESERVED:
            self._free_slots.append(slot)
        raise WorkersUnavailableError(f"parse workers do not start; run `pilotfish doctor`. {last_words}".rstrip())

    async def _end(self, child: Child, *, kill: bool = False) -> None:
        """End a worker and give its slot back."""
        await child.end(kill=kill)
        if child in self._children:
            self._children.discard(child)
            if child.setup.slot != _RESERVED:
                self._free_slots.append(child.setup.slot)

    def _rest(self, child: Child) -> None:
        """Put a worker aside for the next task, and see to it that it does not wait for ever."""
        child.rests_since = self._loop.time()
        self._idle.append(child)
        if self._reaper is None and not self._closed:
            self._reaper = self._loop.call_later(IDLE_S, self._reap)

    def _reap(self) -> None:
        """End the workers that were idle for long; come back while others are."""
        self._reaper = None
        now = self._loop.time()
        while self._idle and now - self._idle[0].rests_since >= IDLE_S:
            self._dismiss(self._idle.pop(0))
        if self._idle:
            wait = IDLE_S - (now - self._idle[0].rests_since)
            self._reaper = self._loop.call_later(max(wait, 1.0), self._reap)

    def _weigh(self) -> None:
        """Weigh the sessions of the workers for files by whether somebody types, until nobody does."""
        is_typing = self._loop.time() - self._key_at < AFTER_A_KEY_S
        wanted = _NICENESS if is_typing else session_niceness(_NICENESS)
        done = [child.weigh_session(wanted) for child in self._children if child.setup.slot != _RESERVED]
        is_over = all(done) and not is_typing
        self._way = None if is_over else self._loop.call_later(_LOOK_S, self._weigh)

    def _dismiss(self, child: Child) -> None:
        """End an idle worker without waiting for it."""
        farewell = asyncio.ensure_future(self._end(child))
        self._farewells.add(farewell)
        farewell.add_done_callback(self._farewells.discard)


def _chunk_sizes(settings: ChunkSettings) -> ChunkSizes:
    """Return the sizes that the settings ask for; the target decides where they contradict each other."""
    target = settings.target
    return ChunkSizes(target, max(target, settings.max), min(target, settings.min))


class _TextCall:
    """One call of `parse_text` that waits for its turn."""

    def __init__(self, task: TextTask) -> None:
        self.task = task
        self.is_abandoned = False


def _look_at(turn: asyncio.Future[TextDone]) -> None:
    """Take note of an error that nobody waits for any more."""
    if not turn.cancelled():
        turn.exception()
