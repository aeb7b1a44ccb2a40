"""What may answer a question in words: chunks of the catalog and of unsaved texts, by their terms and by vectors.

Chunks of a file that is open in another version are replaced by those of its text in the editor. Vectors come from
beside the catalog (`Nearest`) and are met with it here: what they found and the catalog no longer has is passed over.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from pilotfish.engine.filters import Filter
from pilotfish.store.chunks import ChunkFilter, ChunkRow
from pilotfish.store.rows import PackedChunks, unpack_chunks
from pilotfish.syntax.outline import SymbolKind
from pilotfish.syntax.passages import HASH_BYTES

if TYPE_CHECKING:
    from pilotfish.engine.view import View

MOST_BY_TERMS: Final = 300
"""Chunks that are taken by their terms."""

MOST_BY_VECTOR: Final = 200
"""Chunks that are asked for by vector."""


class Near(NamedTuple):
    """A chunk that a vector found, and the cosine of both."""

    path: str
    line_start: int
    cosine: float


@dataclass(frozen=True, slots=True)
class Nearest:
    """What the vectors say to a question; `missing` says in words why there are none, or not of everything."""

    found: Sequence[Near] = ()
    threshold: float = 0.0
    was_asked: bool = False
    missing: str = ""


@dataclass(slots=True)
class Candidate:
    """A chunk that may answer: `id` is negative for one of an unsaved text. `terms` is its score by BM25, 0 where none
    of the question's stands in it; `cosine` is None where no vector was compared."""

    row: ChunkRow
    terms: float = 0.0
    cosine: float | None = None


class Gathering:
    """Gathers for one question."""

    def __init__(self, view: View, wanted: Filter, kinds: frozenset[SymbolKind] | None = None) -> None:
        self._chunks = view.reader.chunks
        self._wanted = wanted
        self._kinds = kinds
        self._overlays = view.overlays()
        self._found: dict[int, Candidate] = {}
        self._unsaved: list[ChunkRow] = []

    def candidates(self) -> list[Candidate]:
        """Return what was gathered, in the order in which it was found."""
        return list(self._found.values())

    def by_terms(self, terms: Sequence[str], most: int = MOST_BY_TERMS) -> None:
        """Take the chunks that these terms say most about."""
        hits = [*self._chunks.lexical(terms, most, self._filter()), *self._unsaved_hits(terms)]
        hits.sort(key=lambda hit: -hit[1])
        hits = hits[:most]
        rows = {row.id: row for row in self._chunks.rows([number for number, _ in hits if number >= 0])}
        rows.update((row.id, row) for row in self._unsaved)
        for number, score in hits:
            if number in rows:
                self._take(rows[number]).terms = score

    def by_vector(self, nearest: Nearest) -> None:
        """Take the chunks that a vector found, nearest first."""
        of_path: dict[str, dict[int, ChunkRow]] = {}
        for path, line_start, cosine in nearest.found:
            if path in self._overlays or not self._wanted.accepts_test(path):
                continue
            if path not in of_path:
                of_path[path] = {row.line_start: row for row in self._chunks.of_path(path)}
            row = of_path[path].get(line_start)
            if row is not None and self._accepts(row):
                self._take(row).cosine = cosine

    def _take(self, row: ChunkRow) -> Candidate:
        return self._found.setdefault(row.id, Candidate(row))

    def _filter(self) -> ChunkFilter:
        hidden, accepts_test = self._overlays, self._wanted.accepts_test
        return ChunkFilter(
            path_glob=self._wanted.path_glob,
            languages=None if self._wanted.language is None else {self._wanted.language},
            kinds=self._kinds,
            accepts=lambda path: path not in hidden and accepts_test(path),
        )

    def _accepts(self, row: ChunkRow) -> bool:
        is_kind = self._kinds is None or row.kind in self._kinds
        return is_kind and self._wanted.accepts(row.path, row.language)

    def _unsaved_hits(self, terms: Sequence[str]) -> list[tuple[int, float]]:
        texts = [
            (path, overlay.language, unpack_chunks(overlay.chunks))
            for path, overlay in sorted(self._overlays.items())
            if overlay.chunks
        ]
        if not texts:
            return []
        scores = self._chunks.scores(terms, [(path, chunks.postings) for path, _, chunks in texts])
        self._unsaved = []
        hits: list[tuple[int, float]] = []
        for text, of_chunks in zip(texts, scores, strict=True):
            for row, score in zip(_rows(*text, -1 - len(self._unsaved)), of_chunks, strict=True):
                self._unsaved.append(row)
                if score > 0 and self._accepts(row):
                    hits.append((row.id, score))
        return hits


def _rows(path: str, language: str | None, chunks: PackedChunks, first_id: int) -> Iterator[ChunkRow]:
    """Yield the chunks of an unsaved text as rows, their ids counting down."""
    for place, start in enumerate(chunks.starts):
        yield ChunkRow(
            id=first_id - place,
            path=path,
            language=language,
            start=start,
            end=chunks.ends[place],
            line_start=chunks.first_lines[place],
            line_end=chunks.last_lines[place],
            node_type=chunks.node_types[place],
            kind=chunks.kinds[place] or None,
            name=chunks.names[place],
            scope=chunks.scopes[place],
            names=chunks.defined[place],
            text_hash=chunks.hashes[HASH_BYTES * place : HASH_BYTES * (place + 1)],
        )
