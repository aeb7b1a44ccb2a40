"""The engine of one root as an ordinary object: sessions in front, index behind.

The event loop that runs it only moves messages. SQL runs in reader threads and in the indexer's writer thread,
parsing in worker processes (DESIGN §2). Tests open it in-process, without sockets; `engine.process` serves it.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import logging
import os
import threading
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from pilotfish import config
from pilotfish.engine import wire
from pilotfish.engine.addresses import path_of_uri
from pilotfish.engine.graphs import Graphs
from pilotfish.engine.handlers import HANDLERS
from pilotfish.engine.maps import Maps
from pilotfish.engine.rendezvous import LOG_NAME
from pilotfish.engine.searching.search import Searches
from pilotfish.engine.sessions import Document, Notify, Overlay, Session, visible_documents
from pilotfish.engine.unsaved import UnsavedVectors
from pilotfish.engine.view import View
from pilotfish.engine.wire import OperationError
from pilotfish.indexing import semantic
from pilotfish.indexing.history import HistoryIndexer
from pilotfish.indexing.indexer import Indexer
from pilotfish.indexing.progress import State
from pilotfish.indexing.selection import Worth
from pilotfish.indexing.semantic import SemanticIndexer
from pilotfish.indexing.workers import ParsedText, ParseFailedError, ParsePool, WorkersUnavailableError
from pilotfish.operations import OPERATIONS
from pilotfish.operations.answer import Answer, IndexState
from pilotfish.operations.editor import PlaceParameters
from pilotfish.operations.registry import Parameters
from pilotfish.semantic.child import SemanticChild, setup_of
from pilotfish.store import locations
from pilotfish.store.catalog import Catalog, CatalogDamagedError, CatalogError, Reader
from pilotfish.store.vector_folder import is_as_left
from pilotfish.syntax import languages
from pilotfish.syntax.outline import Outline
from pilotfish.syntax.text import LineTable
from pilotfish.workspace.content import SkipReason, changed_at
from pilotfish.workspace.git import Git
from pilotfish.workspace.secrets import is_secret, secret_content

OUTLINE_PATIENCE = 0.1
"""Seconds that a request waits for the outline of the text last sent, before it answers from the older one; it does not
wait at all where that one is not to be expected in time."""

LONGEST_REST = 1.0
"""Of the worker for open documents, in seconds: between two outlines of a text in which somebody types on it rests as
long as the first one took, unless somebody waits."""

FIRST_OUTLINE_PATIENCE = 3.0
"""Seconds that a request on a document just opened waits for its first outline, and any request for that of a document
typed in before: there is no older one to answer from, and an editor that is told of no symbols does not ask again. So
long waits, too, a question to which the older outlines have no answer at all."""

SETTINGS_S = 1.0
"""How often the settings files are looked at, in seconds: they count also where nothing is indexed or watched."""

READER_THREADS = 4

VECTORS_FOLDER = "vectors"
"""Beside the catalog: where its tables of vectors lie."""

P = TypeVar("P", bound=Parameters)
A = TypeVar("A", bound=Answer)

_log = logging.getLogger(__name__)


class Engine:
    """Owner of one root: sessions, their overlays, the catalog and the indexer."""

    def __init__(
        self,
        root: str,
        index_folder: Path,
        loaded: config.Loaded,
        catalog: Catalog,
        *,
        environment: Mapping[str, str] | None,
        root_reason: str,
    ) -> None:
        """Use `Engine.open`, which also starts what runs behind it."""
        self.root = root
        self.index_folder = index_folder
        self.log_path = index_folder / LOG_NAME
        self.root_reason = root_reason
        self._environment = environment
        self._outer = os.environ if environment is None else environment
        self.loaded = loaded
        self.catalog = catalog
        self.warnings: list[str] = list(loaded.problems)
        self.sessions: dict[int, Session] = {}
        self.pool = ParsePool(Path(root), loaded.settings, index_folder, log=self.report)
        self.indexer = Indexer(
            root,
            loaded.settings,
            catalog,
            self.pool,
            on_progress=self._broadcast_progress,
            on_state=self._broadcast_health,
            on_log=self.report,
            on_committed=self._on_committed,
        )
        self.semantics = SemanticIndexer(
            self.indexer,
            loaded.settings.semantic,
            self._start_semantic_worker,
            partial(is_as_left, self.index_folder / VECTORS_FOLDER),
            worth=self._worth,
            on_progress=self._broadcast_progress,
            on_log=self.report,
            on_mended=self.take_back,
        )
        self.unsaved = UnsavedVectors(
            self.indexer,
            self.semantics,
            with_secrets=lambda: self.loaded.settings.semantic.secrets,
            spawn=self._spawn,
        )
        self.history = HistoryIndexer(
            root,
            loaded.settings.git.history_commits,
            self.indexer,
            on_log=self.report,
            on_mended=self.take_back,
        )
        self._followed: tuple[str | None, int] = (None, catalog.epoch)
        self._graphs = Graphs(root)
        self.maps = Maps(root)
        self.searches = Searches(self.semantics, asyncio.get_running_loop())
        self._readers = ThreadPoolExecutor(READER_THREADS, thread_name_prefix="reader")
        self._thread = threading.local()
        self._open_readers: list[Reader] = []
        self._ids = itertools.count(1)
        self._changes = itertools.count(1)
        self._tasks: set[asyncio.Task[None]] = set()
        self._progress: dict[str, wire.Progress] = {}
        self._health = wire.Health(health="ok", quiescent=False)

    @classmethod
    async def open(
        cls,
        root: Path,
        *,
        index_folder: Path,
        environment: Mapping[str, str] | None = None,
        root_reason: str = "",
    ) -> Engine:
        """Open the index of `root` in `index_folder` and begin to bring it up to date; answers come at once.

        Raises:
            OSError: the index folder cannot be written.

        """
        stamp = await asyncio.to_thread(_settings_stamp, str(root), environment)
        loaded = await asyncio.to_thread(config.load, root, environment=environment)
        said: list[str] = []
        catalog = await asyncio.to_thread(Catalog.open, index_folder, on_damage=said.append)
        engine = cls(str(root), index_folder, loaded, catalog, environment=environment, root_reason=root_reason)
        for line in said:
            engine.report("warning", line)
        await engine.indexer.start()
        await engine.semantics.start()
        engine._spawn(engine._follow_settings(stamp))
        return engine

    async def _warm_up(self) -> None:
        """Have the worker for open documents ready before the first one needs it."""
        try:
            await self.pool.warm_up()
        except WorkersUnavailableError as error:
            self.report("error", str(error))

    # --- sessions ------------------------------------------------------------------------------------------------

    def connect(self, hello: wire.Hello, notify: Notify) -> Session:
        """Begin a session, on the event loop; work under way is shown to it from the start."""
        session = Session(next(self._ids), hello.kind, hello.client, hello.settings, notify)
        self.sessions[session.id] = session
        if hello.kind in ("lsp", "mcp"):
            self.semantics.warm_up()
        if hello.kind == "lsp":
            self._spawn(self._warm_up())
        for progress in self._progress.values():
            notify("progress", progress)
        notify("status", self._health)
        for line in self.warnings:
            notify("log", wire.LogLine(level="warning", message=line))
        return session

    def disconnect(self, session: Session) -> None:
        """End a session; its open texts go with it, and the files behind them count again."""
        self.sessions.pop(session.id, None)
        self.unsaved.forget(session.documents.values())
        self._reread(session.documents.values())
        session.documents.clear()

    def receive(self, session: Session, method: str, params: msgspec.Raw) -> None:
        """Take one notification of a session, in order; never blocks. Unknown ones are ignored.

        Raises:
            msgspec.ValidationError: the parameters have another shape.

        """
        match method:
            case "document/open":
                self._open_document(session, msgspec.json.decode(params, type=wire.DocumentText))
            case "document/change":
                self._change_document(session, msgspec.json.decode(params, type=wire.DocumentText))
            case "document/save":
                self._save_document(session, msgspec.json.decode(params, type=wire.DocumentName).uri)
            case "document/close":
                self._close_document(session, msgspec.json.decode(params, type=wire.DocumentName).uri)
            case "files/changed":
                self.indexer.changed(self._relative(msgspec.json.decode(params, type=wire.FilesChanged).uris))
            case "files/renamed":
                self._files_renamed(msgspec.json.decode(params, type=wire.FilesRenamed))
            case "session/settings":
                session.settings = msgspec.json.decode(params, type=wire.SessionSettings)
            case "session/client":
                session.introduce(msgspec.json.decode(params, type=wire.ClientName).name)
            case "work/cancel":
                self._cancel_work(msgspec.json.decode(params, type=wire.CancelWork).token)
            case _:
                _log.debug("ignored notification %s", method)

    async def call(self, session: Session, operation: str, params: msgspec.Raw) -> Answer:
        """Answer one request.

        Raises:
            OperationError: it failed, with what to do instead.

        """
        if operation not in HANDLERS:
            raise OperationError(wire.METHOD_NOT_FOUND, f"no operation {operation!r}")
        parameters = _decode(operation, params)
        handler = HANDLERS[operation]
        try:
            if hasattr(handler, "respond"):
                answer: Answer = await handler.respond(self, session, parameters)
            else:
                answer = await self.answer(session, handler.answer, parameters)
        except CatalogError as error:  # its words are for people
            raise OperationError(wire.INTERNAL_ERROR, str(error), f"the details are in {self.log_path}") from error
        answer.index = self.index_state(answer.index.generation)
        return answer

    async def close(self) -> None:
        """Stop all work and close the index; what was not committed is found again at the next start."""
        self.unsaved.close()
        for task in list(self._tasks):
            task.cancel()
        await self.semantics.close()
        await self.history.close()
        await self.indexer.close()
        await self.pool.close()
        # Not on this thread: a search that is under way waits for an answer of this loop.
        await asyncio.to_thread(self._readers.shutdown, wait=True, cancel_futures=True)
        for reader in self._open_readers:
            reader.close()
        await asyncio.to_thread(self.catalog.close)

    # --- reading -------------------------------------------------------------------------------------------------

    def index_state(self, generation: int | None = None) -> IndexState:
        """Return the stamp that every answer carries."""
        state = self.indexer.state
        vectors = self.semantics.state
        return IndexState(
            generation=generation or self.catalog.generation,
            phase=state.phase,
            files=state.files,
            pending=state.pending,
            chunks=state.chunks,
            embedded=vectors.embedded,
        )

    async def answer(self, session: Session, answer: Callable[[View, P], A], parameters: P) -> A:
        """Answer from a view of what the session sees, and tell "no match" from "not indexed yet".

        Raises:
            OperationError: the root is switched off, or the question failed.

        """
        self._refuse_when_off()
        before = self._stage()  # it may change while the question is answered from what was there
        texts = [(document, document.changed_at) for document in self._visible(session)]
        result, is_behind = await self._read_of(session, answer, parameters, texts)
        if result.outcome == "no_match" and not isinstance(parameters, PlaceParameters) and is_behind:
            await self._outlined(texts)
            result, is_behind = await self._read_of(session, answer, parameters, texts)
            if result.outcome == "no_match" and is_behind:
                result.outcome = "not_indexed"
        if result.outcome == "no_match" and (before[0] != "ready" or before != self._stage()):
            result.outcome = "not_indexed"
        if result.outcome == "no_match" and session.kind != "lsp":
            await self._refuse_when_gone()
        return result

    def _visible(self, session: Session) -> list[Document]:
        return [*visible_documents(session, self.sessions.values()).values()]

    async def _outlined(self, texts: Iterable[tuple[Document, int]]) -> None:
        """Wait for the outlines of some texts: what is in none of the older ones may be in these."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(FIRST_OUTLINE_PATIENCE):
                for document, changed_at in texts:
                    document.wanted.set()
                    await document.decided.wait()
                    await document.outlined(changed_at)

    def state_since(self, before: State) -> State:
        """Return how far the index was while a question was answered, of which the state before is known: the less
        settled of that and the one of this moment."""
        return before if before.phase != "ready" else self.indexer.state

    def _stage(self) -> tuple[str, int]:
        return self.indexer.state.phase, self.indexer.epoch

    async def wait_looked(self, patience_s: float) -> None:
        """Wait until it is known what of the tree is indexed and what is left to do, but no longer than so many
        seconds."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(patience_s):
                await self.indexer.wait_looked()
                if self.indexer.state.phase == "ready":
                    await self.semantics.wait_decided()

    async def wait_quiet(self) -> None:
        """Wait until nothing is pending: files, their vectors, past commits."""
        await self.semantics.wait_quiet()
        await self.history.wait_quiet()

    async def read(self, session: Session, answer: Callable[[View, P], A], parameters: P) -> A:
        """Run a reading function on a view of what the session sees."""
        result, _ = await self._read_of(session, answer, parameters, ())
        return result

    async def _read_of(
        self, session: Session, answer: Callable[[View, P], A], parameters: P, texts: Iterable[tuple[Document, int]]
    ) -> tuple[A, bool]:
        """Return the same, and whether some of the texts were not in that view: they may be when it has answered."""
        asked = session.document(getattr(parameters, "uri", ""))
        sent = None if asked is None else asked.text
        await self._settle(session, asked)
        is_behind = _are_unread(texts)
        result: A = await self._read(session, sent, answer, parameters)
        return result, is_behind

    async def _read(
        self, session: Session, sent: bytes | None, answer: Callable[[View, Any], Any], parameters: Any
    ) -> Any:
        documents = visible_documents(session, self.sessions.values())
        own = dict(session.documents)
        loop = asyncio.get_running_loop()
        epoch = self.catalog.epoch
        try:
            return await loop.run_in_executor(
                self._readers, self._read_now, documents, own, sent, session.kind != "lsp", answer, parameters
            )
        except CatalogDamagedError as error:
            await self.indexer.repair(str(error), epoch)
            raise OperationError(wire.INTERNAL_ERROR, str(error), "it is being built anew; ask again soon") from error
        except CatalogError as error:
            raise OperationError(wire.INTERNAL_ERROR, str(error), f"the details are in {self.log_path}") from error

    def _read_now(
        self,
        documents: Mapping[str, Document],
        own: Mapping[str, Document],
        sent: bytes | None,
        name_unsaved: bool,
        answer: Callable[[View, Any], Any],
        parameters: Any,
    ) -> Any:
        with self._reader() as reader:
            view = View(self.root, reader, documents, own, self._graphs, sent)
            result = answer(view, parameters)
            result.index = IndexState(generation=view.generation)
            if name_unsaved:
                result.unsaved = view.unsaved()
            return result

    def _reader(self) -> Reader:
        reader: Reader | None = getattr(self._thread, "reader", None)
        if reader is None:
            reader = self.catalog.reader()
            self._thread.reader = reader
            self._open_readers.append(reader)
        return reader

    async def _settle(self, session: Session, asked: Document | None) -> None:
        """Wait a moment for the outlines of texts that were just sent, above all of the document asked about."""
        documents = {id(item): item for item in visible_documents(session, self.sessions.values()).values()}
        if asked is not None:
            documents[id(asked)] = asked
        awaited: list[Callable[[], Coroutine[Any, Any, object]]]
        awaited = [document.decided.wait for document in documents.values() if not document.decided.is_set()]
        for document in documents.values():
            if not document.settled.is_set():
                document.wanted.set()
                if document.outline_due_s() <= OUTLINE_PATIENCE:
                    awaited.append(partial(document.outlined, document.changed_at))
        if awaited:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(OUTLINE_PATIENCE):
                    for each in awaited:
                        await each()
        # Nothing tells yet where things stand in a text that was typed in before its first outline.
        unread = [each for each in documents.values() if each.overlay is None and (each is asked or each.is_replaced)]
        if unread:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(FIRST_OUTLINE_PATIENCE):
                    for document in unread:
                        await document.settled.wait()

    def _refuse_when_off(self) -> None:
        if self.indexer.state.phase == "off":
            raise OperationError(
                wire.SWITCHED_OFF,
                f"{Path(self.root).name} is switched off",
                f"set `index.enabled = true` in {config.ROOT_FILE} or the user's settings",
            )

    async def _refuse_when_gone(self) -> None:
        """Tell a folder that was moved away from one without a match; it takes a moment until the index knows."""
        if not await asyncio.to_thread(Path(self.root).is_dir):
            raise OperationError(wire.ROOT_GONE, f"the folder {self.root} is not there any more", "ask when it is back")

    # --- documents -----------------------------------------------------------------------------------------------

    def _open_document(self, session: Session, sent: wire.DocumentText) -> None:
        text = sent.text.encode("utf-8", "replace")
        path = path_of_uri(self.root, sent.uri)
        document = Document(
            uri=sent.uri,
            path=path,
            version=sent.version,
            text=text,
            language=self._language(sent, path, text),
            changed_at=next(self._changes),
        )
        session.documents[sent.uri] = document
        self.indexer.prefer(self._open_paths())
        self.semantics.prefer(self._open_paths())
        self._spawn(self._decide(document))
        self._spawn(self._outline(document))
        self.unsaved.changed(document)

    def _change_document(self, session: Session, sent: wire.DocumentText) -> None:
        document = session.document(sent.uri)
        if document is None:
            self._open_document(session, sent)
            return
        busy = not document.settled.is_set()
        document.replace(sent.version, sent.text.encode("utf-8", "replace"), next(self._changes))
        document.dirty = True
        self.pool.make_way()
        if not busy:
            self._spawn(self._outline(document))
        self.unsaved.changed(document)

    def _save_document(self, session: Session, uri: str) -> None:
        document = session.document(uri)
        if document is not None:
            document.dirty = None
            self._spawn(self._decide(document))
        self.indexer.changed(self._relative([uri]))

    def _close_document(self, session: Session, uri: str) -> None:
        document = session.documents.pop(uri, None)
        if document is not None:
            document.close()
            self.unsaved.forget([document])
            self._reread([document])

    def _documents(self) -> Iterator[Document]:
        for session in self.sessions.values():
            yield from session.documents.values()

    def _open_paths(self) -> set[str]:
        return {document.path for document in self._documents() if document.path is not None}

    def _reread(self, documents: Iterable[Document]) -> None:
        self.indexer.changed([document.path for document in documents if document.path is not None])

    async def _outline(self, document: Document) -> None:
        """Parse the newest text of a document until it is the newest still; versions in between are passed over."""
        while not document.settled.is_set():
            text, version = document.text, document.version
            document.begin_outline()
            parsed = await self._parse(text, document)
            document.parsed(Overlay(document.uri, document.path, version, text, document.language, *parsed))
            if not document.settled.is_set():
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(document.wanted.wait(), min(document.outline_s, LONGEST_REST))

    async def _decide(self, document: Document) -> None:
        """Ask whether the scan takes the file; one that is not saved yet is taken unless a rule says otherwise."""
        try:
            if document.path is not None:
                decision = await asyncio.to_thread(self.indexer.decide, document.path)
                taken = decision.accepted or decision.reason is SkipReason.MISSING
                document.accepted = taken and not self._is_secret(document.path, document.text)
        finally:
            document.decided.set()

    def _is_secret(self, path: str, text: bytes) -> bool:
        """Whether a document holds secrets and little else: nothing of it is found but its name."""
        return not self.loaded.settings.semantic.secrets and (is_secret(path) or bool(secret_content(path, text)))

    async def _parse(self, text: bytes, document: Document) -> ParsedText:
        """Outline and cut a text; one that cannot be outlined still has lines and words."""
        language = document.language
        if len(text) <= self.loaded.settings.limits.file_kb * 1024:
            try:
                return await self.pool.parse_text(text, language, document.path or document.uri)
            except (ParseFailedError, WorkersUnavailableError) as error:
                _log.warning("%s version %d: %s", document.path or document.uri, document.version, error)
            except Exception:
                _log.exception("%s version %d has no outline", document.path or document.uri, document.version)
        return ParsedText(Outline(language=language or ""), LineTable.from_text(text), b"")

    def _language(self, sent: wire.DocumentText, path: str | None, text: bytes) -> str | None:
        """The language of a document: as its file would be, else as the editor says."""
        head = text[: languages.HEAD_SIZE]
        detected = languages.detect(path or sent.uri, head, self.loaded.settings.languages.associations)
        return detected or languages.called(sent.language)

    def _files_renamed(self, sent: wire.FilesRenamed) -> None:
        pairs: list[tuple[str, str]] = []
        for old_uri, new_uri in sent.pairs:
            old, new = path_of_uri(self.root, old_uri), path_of_uri(self.root, new_uri)
            if old is not None and new is not None:
                pairs.append((old, new))
            else:
                self.indexer.changed([path for path in (old, new) if path is not None])
        self.indexer.renamed(pairs)

    def _relative(self, uris: Iterable[str]) -> list[str]:
        found = (path_of_uri(self.root, uri) for uri in uris)
        return [path for path in found if path is not None]

    # --- vectors -------------------------------------------------------------------------------------------------

    async def _start_semantic_worker(self) -> SemanticChild:
        """Start a semantic worker; all worktrees of a repository share their vectors."""
        repository = await asyncio.to_thread(Git(self.root).common_dir) or self.root
        place = await asyncio.to_thread(locations.claim_vectors, repository, self._outer)
        if place.warning:
            self.report("warning", place.warning)
        tables, fetched = self.index_folder / VECTORS_FOLDER, locations.models_folder(self._outer)
        return await SemanticChild.start(
            setup_of(self.loaded.settings, self.catalog.file, place.folder, tables, fetched)
        )

    async def _worth(self) -> Worth:
        """Say what is known of the files, for a model that cannot embed all of them soon."""
        settings = self.loaded.settings
        loop = asyncio.get_running_loop()
        ranks = await loop.run_in_executor(self._readers, self._ranks)
        recent = await asyncio.to_thread(Git(self.root).recently_changed, settings.semantic.recent_days)
        return Worth(ranks, recent, frozenset(self._open_paths()), settings.semantic.paths)

    def _ranks(self) -> dict[str, float]:
        with self._reader() as reader:
            return self.maps.ranks(View(self.root, reader, {}, {}, self._graphs), self.loaded.settings.map)

    # --- telling fronts ------------------------------------------------------------------------------------------

    def report(self, level: str, message: str) -> None:
        """Say one line to every front and keep it for those that come; details belong in the log."""
        line = msgspec.convert({"level": level, "message": message}, wire.LogLine)
        if line.level in ("error", "warning") and message not in self.warnings:
            self.warnings.append(message)
        self._broadcast("log", line)

    def take_back(self, message: str) -> None:
        """Forget a warning that does not hold any more."""
        self.warnings = [line for line in self.warnings if line != message]

    def _broadcast(self, method: str, params: msgspec.Struct) -> None:
        for session in list(self.sessions.values()):
            session.notify(method, params)

    def _broadcast_progress(self, progress: wire.Progress) -> None:
        if progress.kind == "end":
            self._progress.pop(progress.token, None)
        elif progress.kind == "begin":
            self._progress[progress.token] = progress
        else:
            begun = self._progress.get(progress.token)
            if begun is not None:
                self._progress[progress.token] = msgspec.structs.replace(
                    begun,
                    message=progress.message,
                    percentage=progress.percentage,
                    done=progress.done,
                    total=progress.total,
                )
        self._broadcast("progress", progress)

    def _broadcast_health(self, health: wire.Health) -> None:
        at = (self.indexer.head, self.catalog.epoch)
        if health.quiescent and at != self._followed:
            if at[1] != self._followed[1]:
                self.semantics.committed()
            self._followed = at
            self.history.follow()
        if health != self._health:
            self._health = health
            self._broadcast("status", health)

    def _on_committed(self, generation: int, changed: Iterable[str]) -> None:
        _log.debug("generation %d", generation)
        self.semantics.committed()
        paths = frozenset(changed)
        for document in self._documents():
            if document.path in paths:
                self.unsaved.changed(document)

    async def _follow_settings(self, stamp: object) -> None:
        """Take up edited settings without a restart, and notice when the catalog was removed."""
        while True:
            await asyncio.sleep(SETTINGS_S)
            if not await asyncio.to_thread(self.catalog.is_in_place) and self.indexer.state.phase != "off":
                await self._replace_catalog()
            before, stamp = stamp, await asyncio.to_thread(_settings_stamp, self.root, self._environment)
            if stamp != before:
                try:
                    await self._reload_settings()
                except Exception:
                    _log.exception("changed settings could not be taken up")

    async def _replace_catalog(self) -> None:
        """Go on with a new catalog: one that was removed is read and written, and yet nobody will find it again."""
        self.report("warning", f"{self.catalog.file} was removed while it was in use; the index is built anew")
        try:
            await self.indexer.rebuild()
        except Exception:
            _log.exception("the catalog could not be made anew")

    async def _reload_settings(self) -> None:
        loaded = await asyncio.to_thread(config.load, Path(self.root), environment=self._environment)
        for problem in loaded.problems:
            if problem not in self.loaded.problems:
                self.report("warning", problem)
        self.warnings = [line for line in self.warnings if line not in self.loaded.problems or line in loaded.problems]
        self.loaded = loaded
        await self.indexer.reconfigure(loaded.settings)
        await self.semantics.reconfigure(loaded.settings.semantic)
        self.unsaved.begin_anew(list(self._documents()))
        self.history.reconfigure(loaded.settings.git.history_commits)

    def _cancel_work(self, token: str) -> None:
        if token in self._progress:
            (self.semantics if token.startswith(semantic.TOKEN) else self.indexer).cancel()

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._finished)

    def _finished(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            _log.error("background task failed", exc_info=error)


def _are_unread(texts: Iterable[tuple[Document, int]]) -> bool:
    """Whether answers do not see one of some texts yet, each given by its change."""
    return any(document.is_behind(changed_at) or not document.decided.is_set() for document, changed_at in texts)


def _settings_stamp(root: str, environment: Mapping[str, str] | None) -> object:
    """What changes when one of the two settings files does."""
    stamps: list[tuple[int, int, int] | None] = []
    for path in (config.user_file(environment), Path(root, config.ROOT_FILE)):
        try:
            status = os.lstat(path)
        except OSError:
            stamps.append(None)
        else:
            stamps.append((status.st_ino, status.st_size, changed_at(status)))
    return stamps


def _decode(operation: str, params: msgspec.Raw) -> Any:
    expected = OPERATIONS[operation].parameters
    try:
        return msgspec.json.decode(params if bytes(params) != b"null" else b"{}", type=expected)
    except msgspec.ValidationError as error:
        names = ", ".join(expected.__struct_fields__) or "nothing"
        raise OperationError(wire.INVALID_PARAMS, f"{operation}: {error}", f"it takes {names}") from error
