"""What may answer a question in words: chunks by their terms, by vectors, and by what past commits changed.

Chunks of a file that is open in another version are replaced by those of its text in the editor. Vectors come from
beside the catalog and are met with it here: what they found and the catalog no longer has is passed over.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

from pilotfish.engine.searching.filters import Filter
from pilotfish.engine.unsaved import cosines
from pilotfish.store.chunks import ChunkFilter, ChunkRow, Hit, LookedUp
from pilotfish.store.rows import PackedChunks, unpack_chunks
from pilotfish.store.vector_rows import VectorFilters, VectorHit
from pilotfish.syntax.outline import SymbolKind
from pilotfish.syntax.passages import HASH_BYTES

if TYPE_CHECKING:
    from pilotfish.engine.searching.meaning import Nearest
    from pilotfish.engine.view import View
    from pilotfish.store.commits import Evidence

MOST_BY_TERMS: Final = 300
"""Chunks that are taken by their terms."""

MOST_BY_VECTOR: Final = 300
"""Chunks that are asked for by vector: many, so that few that words found go without a cosine."""

MOST_BY_HISTORY: Final = 12
"""Files that are taken because past commits speak for them."""

MOST_OF_FILE: Final = 12
"""Chunks that are taken of such a file."""


@dataclass(slots=True)
class Gathered:
    """A chunk that may answer; the id of one of an unsaved text is negative. `terms` is its score by BM25, 0 where none
    of the question's stands in it; `cosine` is None where no vector was compared."""

    row: ChunkRow
    terms: float = 0.0
    cosine: float | None = None


class Gathering:
    """Gathers for one question."""

    def __init__(self, view: View, wanted: Filter, kinds: frozenset[SymbolKind] | None = None) -> None:
        self._view = view
        self._chunks = view.reader.chunks
        self._wanted = wanted
        self._kinds = kinds
        self._overlays = view.overlays()
        self._found: dict[int, Gathered] = {}
        self.voted_for: set[str] = set()
        self._hidden_tests: set[str] = set()

    @property
    def hidden_tests(self) -> int:
        """How many files of tests, which were not asked for, have the question's words."""
        return len(self._hidden_tests)

    def all(self) -> list[Gathered]:
        """Return what was gathered, in the order in which it was found."""
        return list(self._found.values())

    def by_terms(self, terms: Sequence[str], most: int = MOST_BY_TERMS, *, known: LookedUp | None = None) -> None:
        """Take the chunks that these terms say most about; what is `known` of them need not be read again."""
        looked_up = self._chunks.looked_up(terms) if known is None else known
        saved = self._saved_hits(terms, looked_up, most)
        unsaved = list(self._unsaved_hits(terms, looked_up))
        ranked = sorted([*saved, *unsaved], key=lambda hit: -hit[1])[:most]
        for row, score in ranked:
            self._take(row).terms = score

    def by_vector(self, nearest: Nearest, most: int) -> None:
        """Take the chunks that a vector found when it was asked for so many, nearest first."""
        found = [*self._saved_near(nearest.hits), *self._unsaved_near(nearest, most)]
        for row, cosine in sorted(found, key=lambda near: -near[1]):
            self._take(row).cosine = cosine

    def by_history(self, evidence: Evidence) -> None:
        """Take the files that past commits say most of: their chunks that were found, be they ever so far from the
        question, and some where none was."""
        known = {each.row.path for each in self._found.values()}
        for path in sorted(evidence.files, key=lambda path: (-evidence.files[path], path)):
            if len(self.voted_for) == MOST_BY_HISTORY:
                return
            if path in self._overlays or not self._wanted.accepts_test(path):
                continue
            rows: list[ChunkRow] = []
            if path not in known:
                rows = [row for row in self._chunks.of_path(path) if self._accepts(row)][:MOST_OF_FILE]
            for row in rows:
                self._take(row)
            if rows or path in known:
                self.voted_for.add(path)

    def vector_filters(self) -> VectorFilters:
        """Return the filters that vectors are asked with; tests are sorted out afterwards."""
        wanted = self._wanted
        return VectorFilters(
            globs=() if wanted.path_glob is None else (wanted.path_glob,),
            languages=() if wanted.language is None else (wanted.language,),
            symbol_types=() if self._kinds is None else tuple(sorted(kind.label for kind in self._kinds)),
        )

    def _take(self, row: ChunkRow) -> Gathered:
        return self._found.setdefault(row.id, Gathered(row))

    def _saved_hits(self, terms: Sequence[str], looked_up: LookedUp, most: int) -> list[tuple[ChunkRow, float]]:
        """Return rows by terms. Tests are mostly few: it is cheaper to leave them out of the best than to ask of all
        files which is one, unless that leaves too little."""
        languages = None if self._wanted.language is None else {self._wanted.language}
        given = ChunkFilter(self._wanted.path_glob, languages, self._kinds)
        hits = looked_up.lexical(terms, 2 * most, given)
        found = self._passing(hits)
        if len(hits) == 2 * most and len(found) < most // 2:
            hidden, accepts = self._overlays, self._wanted.accepts_test
            given = ChunkFilter(
                self._wanted.path_glob, languages, self._kinds, lambda path: path not in hidden and accepts(path)
            )
            found = self._passing(looked_up.lexical(terms, most, given))
        scores = {hit.id: hit.score for hit in found[:most]}
        return [(row, scores[row.id]) for row in self._chunks.rows(list(scores))]

    def _saved_near(self, hits: Sequence[VectorHit]) -> Iterator[tuple[ChunkRow, float]]:
        accepts = self._wanted.accepts_test
        meant = [hit for hit in hits if hit.filepath not in self._overlays and accepts(hit.filepath)]
        rows = {(each.row.path, each.row.line_start): each.row for each in self._found.values()}
        new = [place for hit in meant if (place := (hit.filepath, hit.line_start)) not in rows]
        rows |= self._chunks.at(new)
        for hit in meant:
            row = rows.get((hit.filepath, hit.line_start))
            if row is not None and row.text_hash == hit.text_hash and self._accepts(row):
                yield row, hit.score

    def _unsaved_near(self, nearest: Nearest, most: int) -> Iterator[tuple[ChunkRow, float]]:
        """Yield the chunks of unsaved texts that would be among the nearest: those that are as they were saved bear the
        hash of what was found, others have vectors of their own."""
        least = nearest.hits[-1].score if len(nearest.hits) >= most else -1.0
        found = {(hit.filepath, hit.text_hash): hit.score for hit in nearest.hits if hit.filepath in self._overlays}
        for text in self._unsaved:
            own = cosines(self._view.vectors(text.path), nearest.model, nearest.vector)
            for row in text.rows:
                cosine = own.get(row.text_hash, found.get((text.path, row.text_hash)))
                if cosine is not None and cosine >= least and self._accepts(row):
                    yield row, cosine

    def _passing(self, hits: Sequence[Hit]) -> list[Hit]:
        return [hit for hit in hits if hit.path not in self._overlays and self._accepts_test(hit.path)]

    def _accepts_test(self, path: str) -> bool:
        is_meant = self._wanted.accepts_test(path)
        if not is_meant:
            self._hidden_tests.add(path)
        return is_meant

    def _accepts(self, row: ChunkRow) -> bool:
        is_kind = self._kinds is None or row.kind in self._kinds
        return is_kind and self._wanted.accepts(row.path, row.language)

    @cached_property
    def _unsaved(self) -> list[_Unsaved]:
        texts = []
        count = 0
        for path, overlay in sorted(self._overlays.items()):
            if overlay.chunks:
                chunks = unpack_chunks(overlay.chunks)
                texts.append(_Unsaved(path, chunks, list(_rows(path, overlay.language, chunks, -1 - count))))
                count += len(chunks.starts)
        return texts

    def _unsaved_hits(self, terms: Sequence[str], looked_up: LookedUp) -> Iterator[tuple[ChunkRow, float]]:
        if not self._unsaved:
            return
        scores = looked_up.scores(terms, [(text.path, text.chunks.postings) for text in self._unsaved])
        for text, of_chunks in zip(self._unsaved, scores, strict=True):
            for row, score in zip(text.rows, of_chunks, strict=True):
                if score > 0 and self._accepts(row):
                    yield row, score


class _Unsaved(NamedTuple):
    """The chunks of an open text."""

    path: str
    chunks: PackedChunks
    rows: list[ChunkRow]


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
