"""The semantic worker: a process that embeds, keeps the vector cache, and alone touches the vector table of its root.

Started by `child.SemanticChild` as `python -I -m pilotfish.semantic.worker`; standard input and output are its private
pipes. One thread answers questions, another brings files up to date at a lower priority, so that a question never
waits for files. The process never outlives its engine: it ends when the pipe does, and on Linux by the kernel's hand.
What it did is kept at every step, so it may be killed at any moment.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import queue
import shutil
import sys
import threading
import time
import traceback
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final, NoReturn

from pilotfish.children.frames import encode
from pilotfish.children.inside import claim_pipes, end_with_engine
from pilotfish.semantic.embedder import Embedder
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
    read_message,
)
from pilotfish.semantic.imports import import_tables, leave_commands_out
from pilotfish.semantic.models import ModelError
from pilotfish.store.errors import CatalogError
from pilotfish.store.vector_folder import TOKEN, folder_of
from pilotfish.store.vector_rows import (
    BadVectorError,
    VectorHit,
    VectorsDamagedError,
    VectorsError,
    VectorsMissingError,
)

if TYPE_CHECKING:
    from pilotfish.semantic.refresh import VectorSource
    from pilotfish.store.vectors import VectorTable

OTHERS_KEPT_S: Final = 7 * 86_400.0
"""How long the table of a model that is not used any more stays, in seconds."""

DAMAGED_CODE: Final = 3
"""Exit code after the table turned out to be damaged; an empty one is in its place."""

_PATIENCE_S: Final = 1.0
_PAGE_BYTES: Final = os.sysconf("SC_PAGE_SIZE") if sys.platform != "win32" else 0

Question = Open | Refresh | Embed | Search | Maintain


class Worker:
    """What the process has open, and what it does with it."""

    def __init__(self, setup: Setup, answer: Callable[[FromWorker], None]) -> None:
        self._setup = setup
        self._answer = answer
        self._writing = threading.Lock()
        self._embedder: Embedder | None = None
        self._source: VectorSource | None = None
        self._table: VectorTable | None = None
        self._cancelled: set[int] = set()

    def cancel(self, question: int) -> None:
        """Let a `Refresh` stop at its next step."""
        self._cancelled.add(question)

    def close(self) -> None:
        """Close the cache in good order, if it is not in use."""
        if self._source is not None and self._writing.acquire(timeout=_PATIENCE_S):
            self._source.close()

    def do(self, question: Question) -> None:
        """Do what is asked and answer; a fault is an answer too."""
        try:
            self._answer(self._answered(question))
        except VectorsDamagedError as error:
            self._begin_anew(error)
        except (CatalogError, VectorsError) as error:
            self._answer(Failed(id=question.id, message=str(error), passing=True))
        except ModelError as error:
            self._answer(Failed(id=question.id, message=str(error)))
        except Exception as error:
            traceback.print_exc()
            self._answer(Failed(id=question.id, message=f"this is a fault of Pilotfish: {error!r}"))
        self._cancelled.discard(question.id)

    def _answered(self, question: Question) -> FromWorker:
        match question:
            case Open():
                return self._open(question)
            case Refresh():
                return self._refresh(question)
            case Search():
                return self._search(question)
            case Embed():
                return Embedded(id=question.id, vectors=self._embed(question.texts, question.as_passages))
            case Maintain():
                return self._maintain(question)

    # --- opening -----------------------------------------------------------------------------------------------------

    def _open(self, question: Open) -> Opened:
        """Load the model while LanceDB is imported, which takes longer."""
        importing = threading.Thread(target=import_tables, daemon=True)
        importing.start()
        leave_commands_out()
        self._embedder = Embedder.load(self._setup.model)
        cached = self._open_cache(self._embedder)
        importing.join()
        self._table, name = self._opened_table(self._embedder, question.known)
        return Opened(
            id=question.id,
            model=self._embedder.model,
            table=name,
            rows=self._table.rows,
            cached=cached,
            memory=_memory_bytes(),
        )

    def _open_cache(self, embedder: Embedder) -> int:
        from pilotfish.semantic.refresh import VectorSource
        from pilotfish.store.vector_cache import VectorCache, VectorCacheError

        model = embedder.model
        file = Path(self._setup.vectors) / f"{model.id}.sqlite"
        cache: VectorCache | None = None
        try:
            cache = VectorCache.open(file, model.dims, most_mb=self._setup.cache_mb, on_damage=_say)
        except VectorCacheError as error:
            _say(str(error))
        self._source = VectorSource(embedder, cache, _say)
        return len(cache) if cache is not None else 0

    def _opened_table(self, embedder: Embedder, known: str) -> tuple[VectorTable, str]:
        """Return the table and its name: the model's id, and what was drawn when the table was made."""
        from pilotfish.store.vectors import VectorTable

        model = embedder.model
        folder = folder_of(Path(self._setup.tables), model.id)
        _remove_others(folder)
        token = folder / TOKEN
        try:
            name = token.read_text("ascii").strip()
            table = VectorTable.open(folder, model.id, model.dims)
            token.touch()
        except (OSError, ValueError, VectorsMissingError):
            return self._new_table(embedder)
        except VectorsDamagedError as error:
            _say(str(error))
            return self._new_table(embedder)
        name = f"{model.id}:{name}"
        return (table, name) if name == known or not table.rows else self._new_table(embedder)

    def _new_table(self, embedder: Embedder) -> tuple[VectorTable, str]:
        """Make an empty table. Its name is written last, so that it is never taken for the one before it."""
        from pilotfish.store.vectors import VectorTable

        model = embedder.model
        folder, name = folder_of(Path(self._setup.tables), model.id), uuid.uuid4().hex
        try:
            (folder / TOKEN).unlink(missing_ok=True)
            table = VectorTable.create(folder, model.id, model.dims)
            (folder / TOKEN).write_text(name, "ascii")
        except OSError as error:
            raise VectorsError(f"cannot make a table of vectors in {folder}: {error.strerror or error}") from error
        return table, f"{model.id}:{name}"

    def _begin_anew(self, error: VectorsDamagedError) -> NoReturn:
        """Put an empty table in the place of one that cannot be read, and end: the next worker begins to fill it."""
        _say(f"{error}; they are made anew")
        if self._embedder is not None:
            with contextlib.suppress(VectorsError):
                self._new_table(self._embedder)
        os._exit(DAMAGED_CODE)

    # --- questions ---------------------------------------------------------------------------------------------------

    def _search(self, question: Search) -> Found:
        import numpy as np

        vector = self._embed([question.text], question.as_passage)
        hits: list[VectorHit] = []
        with contextlib.suppress(BadVectorError):  # nothing is near to an empty question
            hits = self._opened.search(np.frombuffer(vector, "<f4"), question.limit, question.filters)
        return Found(id=question.id, hits=hits, vector=vector)

    def _embed(self, texts: list[str], as_passages: bool) -> bytes:
        embed = self._loaded.passages if as_passages else self._loaded.queries
        return embed(texts).astype("<f4").tobytes()

    # --- files -------------------------------------------------------------------------------------------------------

    def _refresh(self, question: Refresh) -> Refreshed:
        from pilotfish.semantic.refresh import Refreshing

        table = self._opened
        assert self._source is not None
        self._loaded.use_threads(self._setup.threads if question.quiet else 1)
        work = Refreshing(
            Path(self._setup.catalog),
            self._source,
            table,
            on_step=lambda chunks, total: self._answer(Step(id=question.id, chunks=chunks, total=total)),
            is_cancelled=lambda: question.id in self._cancelled,
        )
        with self._writing:
            work.run(question.paths, question.gone)
        return Refreshed(
            id=question.id,
            paths=work.done,
            embedded=work.embedded,
            from_cache=work.from_cache,
            written=work.written,
            left_out=work.left_out,
            rows=table.rows,
            memory=_memory_bytes(),
        )

    def _maintain(self, question: Maintain) -> Maintained:
        if question.idle:
            self._opened.check()
        due = self._opened.maintain(idle=question.idle)
        done = [name for name in ("compact", "index_names", "train") if getattr(due, name)]
        return Maintained(id=question.id, done=done, rows=self._opened.rows, memory=_memory_bytes())

    @property
    def _loaded(self) -> Embedder:
        if self._embedder is None:
            raise ModelError("no model is loaded")
        return self._embedder

    @property
    def _opened(self) -> VectorTable:
        if self._table is None:
            raise VectorsError("the table of vectors is not open")
        return self._table


def _remove_others(folder: Path) -> None:
    """Remove the tables of models that nobody has used for a while."""
    with contextlib.suppress(OSError):
        for other in folder.parent.iterdir():
            token = other / TOKEN
            if other != folder and token.is_file() and time.time() - token.stat().st_mtime > OTHERS_KEPT_S:
                shutil.rmtree(other, ignore_errors=True)


def _say(line: str) -> None:
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()


# --- the process -----------------------------------------------------------------------------------------------------


def _step_back(niceness: int) -> None:
    """Let this thread, and those that it starts, work when nobody else wants to. Only Linux knows that of threads."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), niceness)


def _memory_bytes() -> int:
    """Return how much memory this process has to itself, after giving back what is free; 0 where nobody says."""
    if sys.platform != "linux":
        return 0
    else:  # noqa: RET505 - the type checker follows this form only
        with contextlib.suppress(AttributeError):
            ctypes.CDLL(None).malloc_trim(0)
        resident, shared = Path("/proc/self/statm").read_bytes().split()[1:3]
        return (int(resident) - int(shared)) * _PAGE_BYTES


def _work(waiting: queue.SimpleQueue[Question], worker: Worker, niceness: int) -> None:
    """Do one thing after the other, until the process ends."""
    if niceness:
        _step_back(niceness)
    while True:
        worker.do(waiting.get())


def main() -> None:
    """Serve questions until the engine is gone."""
    os.umask(0o077)  # what it writes is the user's alone
    pipe, answers = claim_pipes()
    setup = read_message(pipe)
    if not isinstance(setup, Setup):
        return
    end_with_engine()
    turn = threading.Lock()

    def answer(message: FromWorker) -> None:
        with turn, contextlib.suppress(BrokenPipeError):
            _write(answers, encode(message))

    worker = Worker(setup, answer)
    questions: queue.SimpleQueue[Any] = queue.SimpleQueue()
    files: queue.SimpleQueue[Any] = queue.SimpleQueue()
    # The thread that opens is not a patient one: libraries start threads of their own, as patient as who loads them.
    threading.Thread(target=_work, args=(questions, worker, 0), daemon=True).start()
    threading.Thread(target=_work, args=(files, worker, setup.niceness), daemon=True).start()
    while message := read_message(pipe):
        if isinstance(message, Cancel):
            worker.cancel(message.id)
        elif isinstance(message, Refresh | Maintain):
            files.put(message)
        elif isinstance(message, Open | Search | Embed):
            questions.put(message)
    worker.close()
    os._exit(0)  # threads at work lose their last step, as they may at any moment


def _write(pipe: BinaryIO, frame: bytes) -> None:
    """Write all of a frame: an unbuffered pipe may take less at once."""
    view = memoryview(frame)
    while view:
        view = view[pipe.write(view) :]


if __name__ == "__main__":
    main()
