"""Bringing the rows of files up to date: what is known from the cache, the rest embedded, all written in few commits.

Every step is kept as soon as it is done, vectors in the cache and whole files in the table; whoever is stopped or
killed in between loses less than the last step.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from pilotfish.semantic.embedder import Embedder
from pilotfish.semantic.models import ModelError
from pilotfish.semantic.rows import FileRows, read_rows
from pilotfish.store.vector_cache import VectorCache, VectorCacheError, rounded
from pilotfish.store.vector_rows import VectorRow

if TYPE_CHECKING:
    from pilotfish.store.vectors import VectorTable

TABLE_GROUP: Final = 1_024
"""Chunks of the files that are read at once, with the table; of so many, those of like length share a batch."""

TRANSFORMER_GROUP: Final = 64

TABLE_STEP: Final = 256
"""Texts that are embedded before their vectors are kept, with the table: a sixth of a second. Another model's step is
one batch: seconds."""

COMMIT_ROWS: Final = 8_192
COMMIT_S: Final = 10.0
"""Rows are written when there are so many, or after so long: each commit costs as much as a hundred rows."""

_HARMLESS: Final = "def first(): pass"

Floats = NDArray[np.float32]


class VectorSource:
    """Vectors of passages: from the cache, or else from the model, and then in the cache.

    Args:
        embedder: the model.
        cache: its cache; None where there is no place for one.
        say: takes a line for the log.

    """

    def __init__(self, embedder: Embedder, cache: VectorCache | None, say: Callable[[str], None]) -> None:
        self.embedder = embedder
        self._cache = cache
        self._say = say

    def known(self, hashes: Sequence[bytes]) -> tuple[Floats, NDArray[np.bool_]]:
        """Return a row for each hash, and which are filled."""
        if self._cache is not None:
            try:
                return self._cache.find(hashes)
            except VectorCacheError as error:
                self._go_on_without(error)
        return np.zeros((len(hashes), self.embedder.model.dims), np.float32), np.zeros(len(hashes), np.bool_)

    def made(self, hashes: Sequence[bytes], passages: Sequence[str]) -> Floats:
        """Embed passages, keep their vectors, and return these as they will come back."""
        vectors, is_made = self._embedded(passages)
        if self._cache is not None:
            kept = np.flatnonzero(is_made).tolist()
            try:
                self._cache.add([hashes[at] for at in kept], vectors[kept])
            except VectorCacheError as error:
                self._go_on_without(error)
        return rounded(vectors)

    def _embedded(self, passages: Sequence[str]) -> tuple[Floats, NDArray[np.bool_]]:
        """Return the vectors of passages, and which the model could make: one that it fails on has none, and takes none
        from the others."""
        is_made = np.ones(len(passages), np.bool_)
        try:
            return self.embedder.passages(passages), is_made
        except ModelError:
            self.embedder.passages([_HARMLESS])  # where this fails too, the passages are not at fault
        vectors = np.zeros((len(passages), self.embedder.model.dims), np.float32)
        for at, passage in enumerate(passages):
            try:
                vectors[at] = self.embedder.passages([passage])[0]
            except ModelError as error:
                is_made[at] = False
                self._say(f"a passage goes without a vector: {error}")
        return vectors, is_made

    def note_use(self) -> None:
        """Let the cache know how fresh its vectors are."""
        if self._cache is not None:
            try:
                self._cache.note_use()
            except VectorCacheError as error:
                self._go_on_without(error)

    def close(self) -> None:
        """Close the cache in good order."""
        if self._cache is not None:
            self._cache.close()

    def _go_on_without(self, error: VectorCacheError) -> None:
        self._say(str(error))
        self._cache = None


class Refreshing:
    """One round over some files; the counters tell how far it came.

    Args:
        catalog: the file to read chunks from.
        source: of vectors.
        table: where rows are written.
        on_step: told how many chunks of how many that are known so far have their vectors.
        is_cancelled: asked before each step.

    """

    def __init__(
        self,
        catalog: Path,
        source: VectorSource,
        table: VectorTable,
        *,
        on_step: Callable[[int, int], None],
        is_cancelled: Callable[[], bool],
    ) -> None:
        self.done: list[str] = []
        self.embedded = self.from_cache = self.written = self.left_out = 0
        self._catalog = catalog
        self._source = source
        self._table = table
        self._on_step = on_step
        self._is_cancelled = is_cancelled
        is_table = source.embedder.model.kind == "table"
        self._group = TABLE_GROUP if is_table else TRANSFORMER_GROUP
        self._step = TABLE_STEP if is_table else source.embedder.batch
        self._ready = 0
        self._found = 0
        self._begin_commit()

    def run(self, paths: Sequence[str], gone: Sequence[str]) -> None:
        """Write the rows of `paths`, remove those of `gone`.

        Raises:
            CatalogError: the catalog cannot be read.
            VectorsError: the table cannot be written.

        """
        self._paths += gone
        for group in read_rows(self._catalog, paths, self._group):
            vectors = self._vectors(group)
            if vectors is None:
                break
            self._paths += [file.path for file in group]
            self._rows += [row for file in group for row in file.rows]
            self._matrices.append(vectors)
            if len(self._rows) >= COMMIT_ROWS or time.monotonic() - self._since > COMMIT_S:
                self._commit()
        self._commit()
        self._source.note_use()

    def _vectors(self, group: Sequence[FileRows]) -> Floats | None:
        """Return a vector for every row of a group, or None when the round was cancelled meanwhile."""
        hashes = [row.text_hash for file in group for row in file.rows]
        passages = [passage for file in group for passage in file.passages]
        vectors, known = self._source.known(hashes)
        self._found += len(hashes)
        self._ready += int(known.sum())
        self.from_cache += int(known.sum())
        wanted: dict[bytes, list[int]] = {}
        for at in np.flatnonzero(~known).tolist():
            wanted.setdefault(hashes[at], []).append(at)
        missing = sorted(wanted, key=lambda each: len(passages[wanted[each][0]]))
        for start in range(0, len(missing), self._step):
            if self._is_cancelled():
                return None
            step = missing[start : start + self._step]
            made = self._source.made(step, [passages[wanted[each][0]] for each in step])
            for each, vector in zip(step, made, strict=True):
                vectors[wanted[each]] = vector
                self._ready += len(wanted[each])
            self.embedded += len(step)
            self._on_step(self._ready, self._found)
        return vectors

    def _commit(self) -> None:
        """Write all whole files that are ready."""
        if self._paths:
            dims = self._source.embedder.model.dims
            vectors = np.concatenate([np.empty((0, dims), np.float32), *self._matrices])
            written = self._table.replace(list(dict.fromkeys(self._paths)), self._rows, vectors)
            self.written += written.rows
            self.left_out += written.left_out
            self.done += self._paths
        self._begin_commit()

    def _begin_commit(self) -> None:
        self._paths: list[str] = []
        self._rows: list[VectorRow] = []
        self._matrices: list[Floats] = []
        self._since = time.monotonic()
