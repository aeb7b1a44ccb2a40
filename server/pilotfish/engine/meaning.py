"""The vectors, as a search in a reader thread asks for them: near chunks, and how alike texts are.

Search goes on without them: what is missing is told in words and found in the answer (`Coverage.missing`).
"""

from __future__ import annotations

import asyncio
import concurrent.futures
from collections.abc import Awaitable, Callable, Sequence
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

PATIENCE_S: Final = 15.0
"""Seconds that one question waits for the vectors, also for a model that must be loaded, before it does without. That
is long, since the same question should have the same answer on a busy machine."""

SAMPLED: Final = 64
"""Chunks whose vectors stand for those of all."""

T = TypeVar("T")


class Nearest(NamedTuple):
    """What the vectors say to a question: the nearest chunks, and the model's own least cosine."""

    hits: Sequence[VectorHit] = ()
    threshold: float = 0.0


class Meaning:
    """Asks from any thread but the event loop's own."""

    def __init__(self, semantics: SemanticIndexer, loop: asyncio.AbstractEventLoop) -> None:
        self._semantics = semantics
        self._loop = loop
        self._mean: tuple[tuple[int, str], Matrix] | None = None

    @property
    def missing(self) -> str:
        """What the vectors do not have yet, in words; empty where nothing is missing."""
        state = self._semantics.state
        if state.phase == "off":
            return "Meaning was not compared: `semantic.coverage` is off."
        if state.phase == "failed":
            return f"Meaning was not compared: {state.message}"
        if state.pending:
            return f"Meaning was compared with {state.embedded:,} of {state.chunks:,} passages; the rest is being read."
        return ""

    def nearest(self, text: str, limit: int, filters: VectorFilters, *, as_passage: bool = False) -> Nearest:
        """Return the chunks nearest to a question, or with `as_passage` to a text like them.

        Raises:
            VectorsUnavailableError: there are no vectors to ask, or not in time.

        """

        async def ask(child: SemanticChild) -> Nearest:
            return Nearest(await child.search(text, limit, filters, as_passage=as_passage), child.model.threshold)

        return self._ask(ask)

    def cosines(self, question: str, texts: Sequence[str]) -> list[float]:
        """Return the cosine of a question with each text.

        Raises:
            VectorsUnavailableError: see `nearest`.

        """
        own = self._vectors([question], as_passages=False)[0]
        return [float(cosine) for cosine in self._vectors(texts, as_passages=True) @ own] if texts else []

    def mean_cosine(self, question: str, view: View, sources: Sources) -> float:
        """Return about the mean cosine of a question with all chunks: that with the mean of some that stand evenly.

        Raises:
            VectorsUnavailableError: see `nearest`.

        """
        key = (view.generation, self._semantics.state.phase)
        known = self._mean
        if known is None or known[0] != key:
            sample = _evenly(view, sources)
            if not sample:
                return 0.0
            known = self._mean = (key, self._vectors(sample, as_passages=True).mean(axis=0))
        return float(known[1] @ self._vectors([question], as_passages=False)[0])

    def _vectors(self, texts: Sequence[str], *, as_passages: bool) -> Matrix:
        import numpy as np

        async def ask(child: SemanticChild) -> list[bytes]:
            return await child.embed(texts, as_passages=as_passages)

        found = self._ask(ask)
        return np.frombuffer(b"".join(found), "<f4").reshape(len(texts), -1)

    def _ask(self, question: Callable[[SemanticChild], Awaitable[T]]) -> T:
        future = asyncio.run_coroutine_threadsafe(self._semantics.ask(question), self._loop)
        try:
            return future.result(PATIENCE_S)
        except (concurrent.futures.TimeoutError, concurrent.futures.CancelledError) as error:
            future.cancel()
            raise VectorsUnavailableError(f"the model did not answer within {PATIENCE_S:g} s") from error


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
