"""Vectors of unsaved texts: made when an open document has been quiet for a moment, kept in memory beside it alone.

Of a document those chunks are embedded whose passage the saved file does not have; the others have rows in the vector
table, which bear the same hash. Nothing of it reaches a cache, a table or any other file: vectors go with the document
when it is closed or its session ends, and those of a text that was saved when the table has taken it over.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Coroutine, Iterable, Mapping, Set
from typing import TYPE_CHECKING, Any, Final

from pilotfish.engine.sessions import Document, Overlay, OverlayVectors
from pilotfish.indexing.semantic import SemanticIndexer, VectorsUnavailableError
from pilotfish.store.catalog import CatalogError, Reader
from pilotfish.store.rows import unpack_chunks
from pilotfish.syntax.passages import HASH_BYTES, hash_of, passage_of
from pilotfish.workspace.secrets import redact

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from pilotfish.indexing.indexer import Indexer
    from pilotfish.semantic.child import SemanticChild

QUIET_S: Final = 2.0
"""How long nobody must have typed in a document before it is looked at, in seconds."""

AT_ONCE: Final = 16
"""Passages that the worker is given at once: a question that comes meanwhile waits for so many."""

MOST_BYTES: Final = 16 << 20
"""Of the vectors of all open documents; beyond it those go whose document was left alone for longest."""

_log = logging.getLogger(__name__)


class UnsavedVectors:
    """Follows the open documents of one engine. Used on its event loop.

    Args:
        indexer: knows the chunks of saved files.
        semantics: embeds.
        with_secrets: tells whether the user's own settings say that nothing is secret.
        spawn: runs work in the background.

    """

    def __init__(
        self,
        indexer: Indexer,
        semantics: SemanticIndexer,
        *,
        with_secrets: Callable[[], bool],
        spawn: Callable[[Coroutine[Any, Any, None]], None],
    ) -> None:
        self.changes = 0
        """Counts how often there were other vectors than before."""
        self._indexer = indexer
        self._semantics = semantics
        self._with_secrets = with_secrets
        self._spawn = spawn
        self._loop = asyncio.get_running_loop()
        self._timers: dict[int, asyncio.TimerHandle] = {}
        self._documents: dict[int, Document] = {}  # those that changed last are at the end
        self._turn = asyncio.Lock()

    def changed(self, document: Document) -> None:
        """Take note of a text that was opened or changed, or whose file was: it is looked at once it has been quiet."""
        self._stop_timer(document)
        if document.path is None or self._semantics.state.phase == "off":
            return
        self._documents.pop(id(document), None)
        self._documents[id(document)] = document
        self._timers[id(document)] = self._loop.call_later(QUIET_S, self._begin, document)

    def forget(self, documents: Iterable[Document]) -> None:
        """Drop the vectors of documents that are not open any more."""
        for document in documents:
            self._stop_timer(document)
            self._documents.pop(id(document), None)
            self._keep(document, None)

    def begin_anew(self, documents: Iterable[Document]) -> None:
        """Look at all open documents: settings have changed, and perhaps the model."""
        for document in documents:
            if self._semantics.state.phase == "off":
                self.forget([document])
            self.changed(document)

    def close(self) -> None:
        """Look at nothing any more."""
        self.forget(list(self._documents.values()))

    def _stop_timer(self, document: Document) -> None:
        if (timer := self._timers.pop(id(document), None)) is not None:
            timer.cancel()

    def _begin(self, document: Document) -> None:
        self._timers.pop(id(document), None)
        self._spawn(self._follow(document))

    async def _follow(self, document: Document) -> None:
        """Bring the vectors of a document after its text; one that changes meanwhile is looked at again later."""
        async with self._turn:
            await document.decided.wait()
            await document.settled.wait()
            await self._indexer.wait_quiet()
            overlay, path = document.overlay, document.path
            if overlay is None or path is None or not self._is_current(document, overlay):
                return
            with contextlib.suppress(CatalogError, VectorsUnavailableError):  # told where questions are asked
                saved = await self._indexer.read(lambda reader: _hashes(reader, path))
                passages = await asyncio.to_thread(_passages, overlay, saved, with_secrets=self._with_secrets())
                await self._embed(document, overlay, passages if document.accepted else {})

    async def _embed(self, document: Document, overlay: Overlay, passages: Mapping[bytes, str]) -> None:
        """Give a document the vectors of its passages, and of no others."""
        known = document.vectors
        model = await self._semantics.ask(_model) if passages else ""
        vectors: dict[bytes, bytes] = {}
        if known is not None and known.model == model:
            vectors = {key: known.by_hash[key] for key in passages if key in known.by_hash}
        missing = [key for key in passages if key not in vectors]
        if known is not None and len(vectors) < len(known.by_hash):
            self._keep(document, OverlayVectors(model, dict(vectors)) if vectors else None)
        for start in range(0, len(missing), AT_ONCE):
            part = missing[start : start + AT_ONCE]
            made = await self._semantics.ask(_embedding(model, [passages[key] for key in part]))
            if made is None or not self._is_current(document, overlay):
                return
            vectors.update(zip(part, made, strict=True))
            self._keep(document, OverlayVectors(model, dict(vectors)))
            if not self._make_room(document):
                _log.warning("%s has too many unsaved chunks: some are not compared by meaning", overlay.path)
                return

    def _is_current(self, document: Document, overlay: Overlay) -> bool:
        return id(document) in self._documents and document.overlay is overlay

    def _keep(self, document: Document, vectors: OverlayVectors | None) -> None:
        if vectors is not document.vectors:
            document.vectors = vectors
            self.changes += 1

    def _make_room(self, document: Document) -> bool:
        """Keep to the bound at the cost of other documents; tell whether that was enough."""
        holders = [each for each in self._documents.values() if each.vectors is not None]
        total = sum(each.vectors.size for each in holders if each.vectors is not None)
        for each in holders:
            if total <= MOST_BYTES:
                break
            if each is not document and each.vectors is not None:
                total -= each.vectors.size
                self._keep(each, None)
        return total <= MOST_BYTES


def cosines(vectors: OverlayVectors | None, model: str, question: NDArray[np.float32]) -> dict[bytes, float]:
    """Return the cosine of each vector with a question's, by hash; of another model's vectors none."""
    import numpy as np

    if vectors is None or vectors.model != model:
        return {}
    keys = [key for key, vector in vectors.by_hash.items() if vector]
    matrix = np.frombuffer(b"".join(vectors.by_hash[key] for key in keys), "<f4").reshape(len(keys), -1)
    return dict(zip(keys, (matrix @ question).tolist(), strict=True)) if keys else {}


def _hashes(reader: Reader, path: str) -> frozenset[bytes]:
    return frozenset(row.text_hash for row in reader.chunks.of_path(path))


def _passages(overlay: Overlay, saved: Set[bytes], *, with_secrets: bool) -> dict[bytes, str]:
    """Return the passages of an unsaved text that the saved file does not have, by hash, secrets blanked.

    The hashes were made where the text was parsed, of what may be shown of it: nothing else can pass for a passage.
    """
    if not overlay.chunks:
        return {}
    chunks = unpack_chunks(overlay.chunks)
    shown: bytes | None = None
    found: dict[bytes, str] = {}
    for place, (start, end) in enumerate(zip(chunks.starts, chunks.ends, strict=True)):
        key = chunks.hashes[HASH_BYTES * place : HASH_BYTES * (place + 1)]
        if key in saved or key in found:
            continue
        if shown is None:
            shown = overlay.text if with_secrets else redact(overlay.text)
        passage = passage_of(shown[start:end].decode("utf-8", "replace"), chunks.names[place], chunks.scopes[place])
        if hash_of(passage) == key:
            found[key] = passage
    return found


async def _model(child: SemanticChild) -> str:
    return child.model.id


def _embedding(model: str, passages: list[str]) -> Callable[[SemanticChild], Coroutine[Any, Any, list[bytes] | None]]:
    """Return the question for vectors of passages: empty where there is nothing to compare, None by another model."""

    async def embed(child: SemanticChild) -> list[bytes] | None:
        if child.model.id != model:
            return None
        return [vector if any(vector) else b"" for vector in await child.embed(passages, as_passages=True)]

    return embed
