"""The semantic worker as the engine sees it: started, asked several things at once, ended."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, TypeVar

import psutil

from pilotfish.children.frames import encode
from pilotfish.children.process import ChildProcess
from pilotfish.config import Settings
from pilotfish.semantic.frames import (
    Cancel,
    Embed,
    Embedded,
    Failed,
    Found,
    FromWorker,
    Maintain,
    Maintained,
    Open,
    Opened,
    Refresh,
    Refreshed,
    Search,
    Setup,
    Step,
    ToWorker,
    decode_answer,
)
from pilotfish.semantic.models import Model, ModelSettings
from pilotfish.store.vector_rows import VectorFilters, VectorHit

GROWN_BYTES: Final = 150 * 1024 * 1024
"""A worker that has so much more memory of its own than when it was opened is best replaced in a quiet moment."""

_COMMAND: Final = (sys.executable, "-I", "-m", "pilotfish.semantic.worker")
_NETWORK_ENVIRONMENT: Final = (
    *("HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy"),
    *("SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE", "HF_ENDPOINT", "HF_TOKEN"),
)
_GOODBYE_S: Final = 3.0

_Answer = TypeVar("_Answer", bound=FromWorker)


class SemanticDiedError(Exception):
    """The worker ended before it had answered; the message is what it said last. Another one goes on where it was."""


class SemanticFailedError(Exception):
    """The worker could not do what was asked; the message says why. It would not another time either, unless what is
    in the way is `passing`."""

    def __init__(self, message: str, *, passing: bool) -> None:
        super().__init__(message)
        self.passing: Final = passing


class SemanticChild:
    """A running worker; `start` makes one, `open` makes it ready. Any number of questions may be under way."""

    def __init__(self, process: ChildProcess) -> None:
        """Use `SemanticChild.start`."""
        self.memory = 0
        """Bytes that the worker had to itself after its last work on files; 0 where the system does not say."""
        self._process = process
        self._opened: Opened | None = None
        self._number = 0
        self._waiting: dict[int, asyncio.Future[FromWorker]] = {}
        self._steps: dict[int, Callable[[int, int], None]] = {}
        self._reader = asyncio.ensure_future(self._read())

    @classmethod
    async def start(cls, setup: Setup) -> SemanticChild:
        """Start a worker outside the root, with a filtered environment and no stream of ours.

        Raises:
            OSError: no process can be started.

        """
        process = await ChildProcess.start(
            _COMMAND,
            Path(setup.vectors),
            kept=_NETWORK_ENVIRONMENT if setup.model.network else (),
            more={"RAYON_NUM_THREADS": str(setup.threads)},  # the tokenizer's own
        )
        child = cls(process)
        child._send(setup)
        return child

    @property
    def pid(self) -> int:
        """The worker's process id."""
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        """Whether it can still answer."""
        return self._process.code is None and not self._reader.done()

    @property
    def is_busy(self) -> bool:
        """Whether something is under way."""
        return bool(self._waiting)

    @property
    def has_grown(self) -> bool:
        """Whether it has much more memory than a fresh one would need."""
        return self._opened is not None and self.memory > self._opened.memory + GROWN_BYTES

    @property
    def model(self) -> Model:
        """The model that it has loaded, once it is open."""
        assert self._opened is not None
        return self._opened.model

    @property
    def last_words(self) -> str:
        """The end of what it said on standard error, for the log."""
        return self._process.last_words

    async def open(self, known: str = "") -> Opened:
        """Load the model and open cache and table; the first to do. A table that is not there is made, empty.

        Args:
            known: the name of the table that the catalog goes with; any other is emptied.

        Raises:
            SemanticDiedError: the worker ended.
            SemanticFailedError: there is no such model, or no place for the table.

        """
        self._opened = await self._ask(Open(self._next(), known), Opened)
        self.memory = self._opened.memory
        return self._opened

    async def refresh(
        self,
        paths: Sequence[str],
        *,
        gone: Sequence[str] = (),
        quiet: bool = False,
        on_step: Callable[[int, int], None] = lambda chunks, total: None,
    ) -> Refreshed:
        """Make the rows of files as their chunks are in the catalog. When the caller is cancelled, the worker stops at
        its next step; what it has done is kept.

        Args:
            paths: files whose rows may have to change; one that has no chunks any more loses its rows.
            gone: files that shall have no rows, whatever chunks they have.
            quiet: nobody types, so that more than one processor core may be used.
            on_step: told how many chunks of how many read so far have their vectors.

        Raises:
            SemanticDiedError: the worker ended.
            SemanticFailedError: catalog or table cannot be used.

        """
        question = Refresh(id=self._next(), paths=list(paths), gone=list(gone), quiet=quiet)
        self._steps[question.id] = on_step
        try:
            done = await self._ask(question, Refreshed)
        except asyncio.CancelledError:
            self._send(Cancel(question.id))
            raise
        finally:
            self._steps.pop(question.id, None)
        self.memory = done.memory
        return done

    async def search(
        self, text: str, limit: int, filters: VectorFilters | None = None, *, as_passage: bool = False
    ) -> list[VectorHit]:
        """Return the chunks nearest to a text, the nearest first; see `nearest`."""
        return (await self.nearest(text, limit, filters, as_passage=as_passage)).hits

    async def nearest(
        self, text: str, limit: int, filters: VectorFilters | None = None, *, as_passage: bool = False
    ) -> Found:
        """Return the chunks nearest to a text, the nearest first, and the vector of the text.

        Args:
            text: what is asked for; with `as_passage` something like what is to be found.
            limit: how many at most.
            filters: which may be found.

        Raises:
            SemanticDiedError: the worker ended.
            SemanticFailedError: the table cannot be used.

        """
        question = Search(
            id=self._next(), text=text, as_passage=as_passage, limit=limit, filters=filters or VectorFilters()
        )
        return await self._ask(question, Found)

    async def embed(self, texts: Sequence[str], *, as_passages: bool = False) -> list[bytes]:
        """Return the vector of each text, as float32 in little endian: for texts that must not get into any table."""
        answer = await self._ask(Embed(id=self._next(), texts=list(texts), as_passages=as_passages), Embedded)
        size = 4 * self.model.dims
        return [answer.vectors[start : start + size] for start in range(0, len(answer.vectors), size)]

    async def maintain(self, *, idle: bool = False) -> Maintained:
        """Do the upkeep of the table that is due; searches go on meanwhile."""
        done = await self._ask(Maintain(id=self._next(), idle=idle), Maintained)
        self.memory = done.memory
        return done

    def private_bytes(self) -> int:
        """Return how much memory the worker has to itself at this moment; 0 where the system does not say."""
        try:
            return int(psutil.Process(self.pid).memory_full_info().uss)
        except (psutil.Error, AttributeError):
            return 0

    async def end(self, *, kill: bool = False) -> None:
        """Let the worker go and wait until it is gone."""
        if kill:
            self._process.kill()
        await self._process.end(_GOODBYE_S)
        await self._reader

    # --- plumbing ----------------------------------------------------------------------------------------------------

    def _next(self) -> int:
        self._number += 1
        return self._number

    async def _ask(self, question: Any, expected: type[_Answer]) -> _Answer:
        if not self.is_alive:
            raise self._died()
        future = self._waiting[question.id] = asyncio.get_running_loop().create_future()
        try:
            self._send(question)
            answer = await future
        finally:
            self._waiting.pop(question.id, None)
        if isinstance(answer, Failed):
            raise SemanticFailedError(answer.message, passing=answer.passing)
        assert isinstance(answer, expected)
        return answer

    def _send(self, message: ToWorker) -> None:
        self._process.send(encode(message))

    async def _read(self) -> None:
        """Hand each answer to who waits for it, until the worker is gone."""
        try:
            while True:
                self._take(decode_answer(await self._process.receive()))
        except (EOFError, OSError):
            pass
        finally:
            self._process.kill()  # whoever cannot be heard any more is of no use
            await self._process.gone()
            for future in self._waiting.values():
                if not future.done():
                    future.set_exception(self._died())

    def _take(self, answer: FromWorker) -> None:
        if isinstance(answer, Step):
            if answer.id in self._steps:
                self._steps[answer.id](answer.chunks, answer.total)
            return
        future = self._waiting.get(answer.id)
        if future is not None and not future.done():
            future.set_result(answer)

    def _died(self) -> SemanticDiedError:
        return SemanticDiedError(self.last_words or f"it ended with code {self._process.code}")


def setup_of(settings: Settings, catalog: Path, vectors: Path, tables: Path, fetched: Path) -> Setup:
    """Return what a worker is told first.

    Args:
        settings: the root's.
        catalog: the file of its catalog.
        vectors: the folder of its repository's vector caches (`locations.claim_vectors`).
        tables: the folder for its vector tables.
        fetched: the folder for models that are fetched (`locations.models_folder`).

    """
    semantic = settings.semantic
    model = ModelSettings(
        name=semantic.model,
        query_prefix=semantic.query_prefix,
        passage_prefix=semantic.passage_prefix,
        max_tokens=semantic.max_tokens,
        network=settings.network.enabled,
        fetched=str(fetched),
    )
    return Setup(
        catalog=str(catalog),
        vectors=str(vectors),
        tables=str(tables),
        model=model,
        cache_mb=semantic.cache_mb,
        threads=settings.limits.worker_count(),
    )
