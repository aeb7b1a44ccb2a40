"""The vectors, as a search in a reader thread asks for them: near chunks, and how alike texts are.

Search goes on without them: what is missing is told in words and found in the answer (`Coverage.missing`).
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import threading
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

from pilotfish.indexing.semantic import SemanticIndexer, VectorsUnavailableError
from pilotfish.store.vector_rows import VectorFilters, VectorHit
from pilotfish.syntax.passages import passage_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from pilotfish.engine.passages import Sources
    from pilotfish.engine.view import View
    from pilotfish.semantic.child import SemanticChild

    Matrix = NDArray[np.float32]
    Vector = NDArray[np.float32]

PATIENCE_S: Final = 15.0
"""Seconds that one question waits for the vectors, also for a model that must be loaded, before it does without. That
is long, since the same question should have the same answer on a busy machine."""

SENDING_S: Final = 0.1
"""Seconds that an event loop gets at most to send a question, before who asks does something else."""

SAMPLED: Final = 64
"""Chunks whose vectors stand for those of all."""

MOST_KEPT_BYTES: Final = 8 << 20
"""Bytes of vectors and their texts that are kept: those of some 6,000 heads of definitions."""

_OBJECT_BYTES: Final = 200
"""What a text, a vector and their place take besides."""

T = TypeVar("T")


class Nearest(NamedTuple):
    """What the vectors say to a question: the nearest chunks, the question's own vector, which model made it, and that
    model's least cosine; and what they lacked at that moment (`Meaning.missing`)."""

    hits: Sequence[VectorHit]
    vector: Vector
    model: str
    threshold: float
    missing: str = ""


class KeptVectors:
    """The vectors of texts that were asked for last, of one model: heads of definitions that many questions come by.
    Used from any thread."""

    def __init__(self, most_bytes: int = MOST_KEPT_BYTES) -> None:
        self._most_bytes = most_bytes
        self._model = ""
        self._vectors: dict[str, Vector] = {}  # those that were asked for last are at the end
        self._bytes = 0
        self._turn = threading.Lock()

    def found(self, model: str, texts: Sequence[str]) -> dict[str, Vector]:
        """Return those that are known."""
        with self._turn:
            if model != self._model:
                return {}
            vectors = self._vectors
            found = {text: vectors.pop(text) for text in dict.fromkeys(texts) if text in vectors}
            vectors.update(found)
            return found

    def keep(self, model: str, vectors: Mapping[str, Vector]) -> None:
        """Take some in; for them go those that nobody has asked for the longest."""
        with self._turn:
            if model != self._model:
                self._model, self._bytes = model, 0
                self._vectors.clear()
            for text, vector in vectors.items():
                if text not in self._vectors:
                    self._vectors[text] = vector
                    self._bytes += _size(text, vector)
            while self._bytes > self._most_bytes:
                oldest = next(iter(self._vectors))
                self._bytes -= _size(oldest, self._vectors.pop(oldest))


class Meaning:
    """Asks from any thread but the event loop's own."""

    def __init__(self, semantics: SemanticIndexer, loop: asyncio.AbstractEventLoop) -> None:
        self._semantics = semantics
        self._loop = loop
        self._kept = KeptVectors()
        self._mean: tuple[tuple[str, int, str], Vector] | None = None

    @property
    def missing(self) -> str:
        """What the vectors do not have yet, in words; empty where nothing is missing."""
        state = self._semantics.state
        if state.phase == "off":
            return "Meaning was not compared: `semantic.coverage` is off."
        if state.phase == "failed":
            return f"Meaning was not compared: {state.message}"
        if state.phase == "waiting" and not state.chunks:
            return "Meaning was not compared with what is being indexed."
        if state.pending:
            return f"Meaning was compared with {state.embedded:,} of {state.chunks:,} passages; the rest is being read."
        return ""

    @property
    def is_awaited(self) -> bool:
        """Whether the vectors only wait for the first index: who asks later will have them."""
        return self._semantics.state.phase == "waiting"

    def nearest(self, text: str, limit: int, filters: VectorFilters, *, as_passage: bool = False) -> Nearest:
        """Return the chunks nearest to a question, or with `as_passage` to a text like them.

        Raises:
            VectorsUnavailableError: there are no vectors to ask, or not in time.

        """
        return self.ask_nearest(text, limit, filters, as_passage=as_passage)()

    def ask_nearest(
        self, text: str, limit: int, filters: VectorFilters, *, as_passage: bool = False
    ) -> Callable[[], Nearest]:
        """Begin to ask for them, and return what waits for the answer: `nearest` in two steps, for who has something
        else to do meanwhile."""
        import numpy as np

        async def ask(child: SemanticChild) -> Nearest:
            missing = self.missing
            found = await child.nearest(text, limit, filters, as_passage=as_passage)
            vector = np.frombuffer(found.vector, "<f4")
            return Nearest(found.hits, vector, child.model.id, child.model.threshold, missing)

        return self._begin(ask)

    def ask_cosines(self, question: Nearest, texts: Sequence[str]) -> Callable[[], list[float]]:
        """Begin to ask for the cosine of a question with each text, and return what waits for the answer, which raises
        what `nearest` does."""
        vectors = self._ask_vectors(question.model, texts)

        def answer() -> list[float]:
            cosines: list[float] = (vectors() @ question.vector).tolist() if texts else []
            return cosines

        return answer

    def mean_cosine(self, question: Nearest, view: View, sources: Sources) -> float:
        """Return about the mean cosine of a question with all chunks: that with the mean of some that stand evenly.

        Raises:
            VectorsUnavailableError: see `nearest`.

        """
        key = (question.model, view.generation, self._semantics.state.phase)
        known = self._mean
        if known is None or known[0] != key:
            sample = _evenly(view, sources)
            if not sample:
                return 0.0
            known = self._mean = (key, self._ask_vectors(question.model, sample)().mean(axis=0))
        return float(known[1] @ question.vector)

    def _ask_vectors(self, model: str, texts: Sequence[str]) -> Callable[[], Matrix]:
        """Begin to ask for the vectors of texts; those that are not kept are asked for together."""
        import numpy as np

        vectors = self._kept.found(model, texts)
        new = [text for text in dict.fromkeys(texts) if text not in vectors]

        async def ask(child: SemanticChild) -> list[bytes]:
            return await child.embed(new, as_passages=True)

        begun = self._begin(ask) if new else list

        def answer() -> Matrix:
            embedded = {text: np.frombuffer(vector, "<f4") for text, vector in zip(new, begun(), strict=True)}
            self._kept.keep(model, embedded)
            vectors.update(embedded)
            return np.stack([vectors[text] for text in texts])

        return answer

    def _begin(self, question: Callable[[SemanticChild], Awaitable[T]]) -> Callable[[], T]:
        is_sent = threading.Event()

        async def ask() -> T:
            self._loop.call_soon(is_sent.set)  # that is, when this first has to wait: for the answer
            return await self._semantics.ask(question)

        future = asyncio.run_coroutine_threadsafe(ask(), self._loop)
        # Who goes on at once keeps the event loop from its turn for milliseconds, and the worker from its question.
        is_sent.wait(SENDING_S)

        def answer() -> T:
            try:
                return future.result(PATIENCE_S)
            except (concurrent.futures.TimeoutError, concurrent.futures.CancelledError) as error:
                future.cancel()
                raise VectorsUnavailableError(f"the model did not answer within {PATIENCE_S:g} s") from error

        return answer


def _size(text: str, vector: Vector) -> int:
    return vector.nbytes + 2 * len(text) + _OBJECT_BYTES


def _evenly(view: View, sources: Sources) -> list[str]:
    """Return the passages of chunks that stand at even distances among all files."""
    chunks = view.reader.chunks
    paths = [path for path, _ in chunks.paths()]
    chosen = paths[:: max(len(paths) // SAMPLED, 1)][:SAMPLED]
    found = []
    for number, path in enumerate(chosen):
        rows = chunks.of_path(path)
        if rows:
            row = rows[number % len(rows)]
            code = sources.read(path)[row.start : row.end].decode("utf-8", "replace")
            found.append(passage_of(code, row.name, row.scope))
    return found
