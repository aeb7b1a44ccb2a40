"""Reading the chunks of a catalog: by their terms, by id, by path; and which paths wait for their vectors.

Works over any connection to the catalog, also that of another process. A question is scored in one pass over arrays
(`postings` says why): BM25 (Robertson and Zaragoza 2009, "The Probabilistic Relevance Framework: BM25 and Beyond") with
the terms of text and names weighed together, plus BM25 of the path, which all chunks of a file share.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec
import pathspec

from pilotfish.store import schema
from pilotfish.store.errors import CatalogDamagedError, explained
from pilotfish.store.postings import (
    FILE_BITS,
    FILES,
    PATH,
    PLACE_SHIFT,
    TERM_BITS,
    WEIGHT_SHIFT,
    Postings,
    frequencies,
    path_postings,
    term_id,
)
from pilotfish.store.rows import DAMAGED, unpack_text
from pilotfish.store.schema import ORDINAL_BITS
from pilotfish.syntax.terms import terms as terms_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ids = NDArray[np.int64]
    Numbers = NDArray[np.float64]

MOST_TERMS: Final = 64
"""Terms of one question that are looked up; further ones are passed over."""

_WEIGHT_BITS: Final = 32 - WEIGHT_SHIFT
_PAGE: Final = 500


class Weights(NamedTuple):
    """How much a term counts in each field, and BM25's own parameters."""

    body: float = 1.0
    path: float = 2.0
    names: float = 3.0
    k1: float = 1.2
    b: float = 0.75


class Hit(NamedTuple):
    """A chunk that holds terms of a question, its score (larger is better), and the path of its file."""

    id: int
    score: float
    path: str


@dataclass(frozen=True)
class ChunkFilter:
    """What chunks may come from: files whose path matches a pattern as in an ignore file, whose language is one of
    some, and whose path `accepts` takes; and which kinds of definition they are about, as `SymbolKind`s."""

    path_glob: str | None = None
    languages: Collection[str] | None = None
    kinds: Collection[int] | None = None
    accepts: Callable[[str], bool] | None = None

    @property
    def is_empty(self) -> bool:
        """Whether everything passes."""
        return self == ChunkFilter()

    def passes(self, path: str, language: str | None, kind: int | None) -> bool:
        """Tell whether a chunk may be an answer."""
        return (self.kinds is None or kind in self.kinds) and self.passes_file(path, language)

    def passes_file(self, path: str, language: str | None) -> bool:
        """Tell whether chunks of a file may be."""
        return (
            (self.languages is None or language in self.languages)
            and (self._glob is None or self._glob.match_file(path))
            and (self.accepts is None or self.accepts(path))
        )

    @cached_property
    def _glob(self) -> pathspec.PathSpec[pathspec.Pattern] | None:
        return None if self.path_glob is None else pathspec.PathSpec.from_lines("gitignore", [self.path_glob])


EVERYTHING: Final = ChunkFilter()


class ChunkRow(NamedTuple):
    """One chunk. `start` and `end` are byte offsets into the file's text in UTF-8, lines are 1-based and inclusive;
    `kind` is a `SymbolKind` or None, `name` and `scope` are the definition that it is about and the dotted names around
    that; `names` are those of all definitions in it, parted by spaces; `text_hash` is that of its passage."""

    id: int
    path: str
    language: str | None
    start: int
    end: int
    line_start: int
    line_end: int
    node_type: str
    kind: int | None
    name: str
    scope: str
    names: str
    text_hash: bytes


_COLUMNS: Final = (
    'c.id, f.path, f.language, c.start, c."end", c.line_start, c.line_end, c.node_type, c.kind, c.name, c.scope, '
    "c.names, c.text_hash"
)


@contextlib.contextmanager
def open_chunks(file: Path) -> Iterator[Chunks]:
    """Read the catalog in `file` from another process: everything inside comes from one snapshot.

    Raises:
        CatalogError: it cannot be read, or is of another version.

    """
    try:
        connection = schema.connect(f"{file.absolute().as_uri()}?mode=ro", read_only=True, uri=True)
    except sqlite3.DatabaseError as error:
        raise explained(error) from error
    with contextlib.closing(connection):
        chunks = Chunks(connection)
        with chunks.snapshot():
            yield chunks


class Chunks:
    """Answers over one connection, in its thread."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    @contextlib.contextmanager
    def snapshot(self) -> Iterator[None]:
        """Take all answers inside from one snapshot; that of the connection where there is one already."""
        if self._connection.in_transaction:
            yield
            return
        self._connection.execute("BEGIN")
        try:
            yield
        finally:
            self._connection.execute("ROLLBACK")

    # --- by terms ----------------------------------------------------------------------------------------------------

    def lexical(
        self,
        terms: Sequence[str],
        limit: int,
        filters: ChunkFilter = EVERYTHING,
        weights: Weights = Weights(),  # noqa: B008 - immutable
    ) -> list[Hit]:
        """Return the chunks that terms (`syntax.terms`) say most about, best first; the same score goes by path.

        Args:
            terms: those of the question, at most `MOST_TERMS`; each counts once.
            limit: how many at most.
            filters: what may be an answer.
            weights: of the fields.

        """
        with self.snapshot():
            return self.looked_up(list(dict.fromkeys(terms))[:MOST_TERMS]).lexical(terms, limit, filters, weights)

    def looked_up(self, terms: Sequence[str]) -> LookedUp:
        """Read all about some terms, for who has several questions about them."""
        with self.snapshot():
            return LookedUp(self, list(dict.fromkeys(terms)))

    def frequencies(self, terms: Sequence[str]) -> dict[str, int]:
        """Return in how many chunks each term stands, in text or names; those that stand in none left out."""
        return self.looked_up(terms).frequencies

    # --- by id and path ----------------------------------------------------------------------------------------------

    def rows(self, ids: Sequence[int]) -> list[ChunkRow]:
        """Return chunks by their ids, in the order of these; those that are gone left out."""
        found: list[ChunkRow] = []
        for start in range(0, len(ids), _PAGE):
            rows = self._all(
                f"SELECT {_COLUMNS} FROM json_each(?) j JOIN chunks c ON c.id = j.value "
                f"JOIN files f ON f.id = c.id >> {ORDINAL_BITS} AND f.deleted_at IS NULL ORDER BY j.key",
                _json(ids[start : start + _PAGE]),
            )
            found += map(ChunkRow._make, rows)
        return found

    def of_path(self, path: str) -> list[ChunkRow]:
        """Return the chunks of a file, in the order of its text."""
        rows = self._all(
            f"SELECT {_COLUMNS} FROM files f JOIN chunks c "
            f"ON c.id >= f.id << {ORDINAL_BITS} AND c.id < (f.id + 1) << {ORDINAL_BITS} "
            "WHERE f.path = ? AND f.deleted_at IS NULL ORDER BY c.id",
            path,
        )
        return list(map(ChunkRow._make, rows))

    def at(self, places: Sequence[tuple[str, int]]) -> dict[tuple[str, int], ChunkRow]:
        """Return the chunks that begin in some lines, each a path and a line counted from 1, by these."""
        found: dict[tuple[str, int], ChunkRow] = {}
        for start in range(0, len(places), _PAGE):
            # The places are taken apart first: it would be done for every chunk of their files.
            rows = self._all(
                "WITH places(path, line) AS MATERIALIZED "
                "(SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]') FROM json_each(?)) "
                f"SELECT {_COLUMNS} FROM places p CROSS JOIN files f ON f.path = p.path AND f.deleted_at IS NULL "
                f"CROSS JOIN chunks c ON c.id >= f.id << {ORDINAL_BITS} AND c.id < (f.id + 1) << {ORDINAL_BITS} "
                "AND c.line_start = p.line ORDER BY c.id",
                _json(places[start : start + _PAGE]),
            )
            for row in map(ChunkRow._make, rows):
                found.setdefault((row.path, row.line_start), row)
        return found

    def text(self, path: str) -> bytes | None:
        """Return the text of a file that has chunks, in UTF-8, as its chunks were cut from it.

        Raises:
            CatalogDamagedError: it cannot be read.

        """
        return self.texts([path]).get(path)

    def texts(self, paths: Sequence[str]) -> dict[str, bytes]:
        """Return the texts of several files, those that have one, by path. Raises as `text`."""
        rows = self._all(
            "SELECT f.path, text FROM json_each(?) asked CROSS JOIN files f ON f.path = asked.value "
            "AND f.deleted_at IS NULL JOIN texts ON file_id = f.id",
            _json(paths),
        )
        found = {}
        for path, packed in rows:
            try:
                found[path] = unpack_text(packed)
            except DAMAGED as error:
                raise CatalogDamagedError(f"the text of {path} cannot be read: {error}") from error
        return found

    def outline(self, path: str) -> bytes | None:
        """Return the packed outline of a file (`rows.PackedSymbols` reads it), or None where it has none."""
        rows = self._all(
            "SELECT outline FROM files JOIN outlines ON file_id = id WHERE path = ? AND deleted_at IS NULL", path
        )
        return bytes(rows[0][0]) if rows else None

    def paths(self) -> list[tuple[str, str | None]]:
        """Return path and language of every file that has chunks, by path."""
        return self._all(
            "SELECT path, language FROM files JOIN texts ON file_id = id WHERE deleted_at IS NULL ORDER BY path"
        )

    def count(self) -> int:
        """Return how many chunks there are."""
        with self.snapshot():
            return _Sizes(self).alive

    def count_of(self, paths: Sequence[str]) -> int:
        """Return how many chunks some files have."""
        rows = self._all(
            "SELECT count(*) FROM json_each(?) p CROSS JOIN files f ON f.path = p.value AND f.deleted_at IS NULL "
            f"CROSS JOIN chunks c ON c.id >= f.id << {ORDINAL_BITS} AND c.id < (f.id + 1) << {ORDINAL_BITS}",
            _json(paths),
        )
        return int(rows[0][0])

    # --- the outbox --------------------------------------------------------------------------------------------------

    def pending(self, limit: int = -1) -> list[tuple[str, int]]:
        """Return paths that wait for their vectors, with the generation since when; at most `limit`, by path."""
        return self._all("SELECT path, generation FROM outbox ORDER BY path LIMIT ?", limit)

    def table(self) -> str:
        """Return the name of the table of vectors that the catalog goes with, "" for none yet."""
        return str(self._meta("vectors") or "")

    def choice(self) -> str:
        """Return what the settings said of which vectors there are to be when all paths were last put into the outbox
        for it; "" where they never were."""
        return str(self._meta("vector_choice") or "")

    def table_rows(self) -> int:
        """Return how many rows that table had when files were last taken out of the outbox."""
        return int(self._meta("vector_rows") or 0)

    def _meta(self, key: str) -> str | int | None:
        rows = self._all("SELECT value FROM meta WHERE key = ?", key)
        return rows[0][0] if rows else None

    # --- plumbing ----------------------------------------------------------------------------------------------------

    def _all(self, sql: str, *parameters: object) -> list[Any]:
        try:
            return self._connection.execute(sql, parameters).fetchall()
        except sqlite3.DatabaseError as error:
            raise explained(error) from error


class LookedUp:
    """What the chunks of a catalog have of some terms, read once: `frequencies` tells in how many chunks each term
    stands, in text or names, those left out that stand in none; `count` is the number of all chunks."""

    def __init__(self, chunks: Chunks, terms: Sequence[str]) -> None:
        self._chunks = chunks
        self._numbers = {term: number for number, term in enumerate(terms)}
        self._scores = _Scores(chunks, terms)
        counts = self._scores.frequencies.tolist()
        self.frequencies = {term: count for term, count in zip(terms, counts, strict=True) if count}
        self.count = self._scores.sizes.alive

    def lexical(
        self,
        terms: Sequence[str],
        limit: int,
        filters: ChunkFilter = EVERYTHING,
        weights: Weights = Weights(),  # noqa: B008 - immutable
    ) -> list[Hit]:
        """Answer as `Chunks.lexical` does; all terms are among those that were looked up."""
        totals = self._scores.totals(weights, self._numbers_of(terms))
        with self._chunks.snapshot():
            hits = self._first(totals, limit, filters)
            if len(hits) < limit and not filters.is_empty and totals.any():  # what passes is rare: all are asked
                hits = self._first(totals * self._scores.passing(filters), limit, filters)
        return hits

    def scores(
        self,
        terms: Sequence[str],
        others: Sequence[tuple[str, Postings]],
        weights: Weights = Weights(),  # noqa: B008 - immutable
    ) -> list[Sequence[float]]:
        """Return what `lexical` would say of chunks that the catalog does not have, of texts that are not saved: for
        each path and its postings the scores of the chunks, in the order of the text; they count among no frequencies.
        """
        wanted = self._numbers_of(terms)
        return [self._scores.others(wanted, path, postings, weights) for path, postings in others]

    def _numbers_of(self, terms: Sequence[str]) -> dict[str, int]:
        return {term: self._numbers[term] for term in list(dict.fromkeys(terms))[:MOST_TERMS]}

    def _first(self, totals: Numbers, limit: int, filters: ChunkFilter) -> list[Hit]:
        """Return those of the chunks with the highest scores that pass the filters, best first."""
        import numpy as np

        wanted = min(limit, int(np.count_nonzero(totals)))
        if wanted <= 0:
            return []
        least = np.partition(totals, len(totals) - wanted)[len(totals) - wanted]
        chosen = np.flatnonzero(totals >= least)  # with all that score like the last one
        return self._in_order(self._scores.ids(chosen).tolist(), totals[chosen].tolist(), filters)[:limit]

    def _in_order(self, ids: Sequence[int], scores: Sequence[float], filters: ChunkFilter) -> list[Hit]:
        read = self._chunks._all
        file_ids = _json(list({chunk >> ORDINAL_BITS for chunk in ids}))
        rows = read("SELECT f.id, f.path, f.language FROM json_each(?) j JOIN files f ON f.id = j.value", file_ids)
        files = {file_id: (path, language) for file_id, path, language in rows}
        kinds: dict[int, int | None] = {}
        if filters.kinds is not None:
            kinds = dict(read("SELECT c.id, c.kind FROM json_each(?) j JOIN chunks c ON c.id = j.value", _json(ids)))
        hits = []
        is_any = filters.is_empty
        for chunk, score in zip(ids, scores, strict=True):
            path, language = files[chunk >> ORDINAL_BITS]
            if is_any or filters.passes(path, language, kinds.get(chunk)):
                hits.append(Hit(chunk, score, path))
        hits.sort(key=lambda hit: (-hit.score, hit.path, hit.id))
        return hits


class _Sizes:
    """How many chunks and terms each file has, and where its chunks stand when those of all are numbered: arrays over
    all files of all blocks, holes included."""

    def __init__(self, chunks: Chunks) -> None:
        import numpy as np

        rows = chunks._all("SELECT block, sizes, lengths FROM chunk_blocks ORDER BY block")
        self.blocks = np.array([row[0] for row in rows], np.int64)
        self.of_file = np.frombuffer(b"".join([row[1] for row in rows]), "<u2").astype(np.int64)
        lengths = np.frombuffer(b"".join([row[2] for row in rows]), "<u4").astype(np.int64)
        self.starts = np.cumsum(self.of_file) - self.of_file
        self.all = int(self.of_file.sum())
        self.is_alive = np.ones(len(self.of_file), np.bool_)
        dead = np.array([row[0] for row in chunks._all("SELECT id FROM files WHERE deleted_at IS NOT NULL")], np.int64)
        if len(dead) and len(self.blocks):
            slots = self.slots(dead)
            self.is_alive[slots[slots >= 0]] = False
            self.of_file = np.where(self.is_alive, self.of_file, 0)
            lengths = np.where(self.is_alive, lengths, 0)
        self.alive = int(self.of_file.sum())
        self.length = int(lengths.sum())

    def slots(self, file_ids: Ids) -> Ids:
        """Return where files stand in the arrays; -1 for those whose block has no chunks."""
        import numpy as np

        blocks = file_ids >> FILE_BITS
        places = np.minimum(np.searchsorted(self.blocks, blocks), len(self.blocks) - 1)
        return np.where(self.blocks[places] == blocks, places * FILES + (file_ids & (FILES - 1)), -1)


class _Scores:
    """The records of some terms, as arrays."""

    def __init__(self, chunks: Chunks, terms: Sequence[str]) -> None:
        import numpy as np

        self._chunks = chunks
        self.sizes = sizes = _Sizes(chunks)
        self._count = len(terms)
        rows = chunks._all(
            "SELECT b.key, j.key, t.records FROM json_each(?) b CROSS JOIN json_each(?) j "
            "CROSS JOIN chunk_terms t ON t.id = b.value + j.value",
            _json((sizes.blocks << TERM_BITS).tolist()),
            _json(list(map(term_id, terms))),
        )
        records = np.frombuffer(b"".join([row[2] for row in rows]), "<u4")
        counts = [len(row[2]) // records.itemsize for row in rows]
        slots = np.repeat(np.array([row[0] * FILES for row in rows], np.int32), counts)
        slots += (records & (FILES - 1)).astype(np.int32)
        kinds = np.repeat(np.array([row[1] << _WEIGHT_BITS for row in rows], np.int32), counts)
        kinds |= (records >> WEIGHT_SHIFT).astype(np.int32)
        if not sizes.is_alive.all():
            alive = sizes.is_alive[slots]
            records, slots, kinds = records[alive], slots[alive], kinds[alive]
        numbers = (records >> PLACE_SHIFT & PATH).astype(np.int32)
        of_paths = np.flatnonzero(numbers == PATH)
        numbers += sizes.starts[slots]
        numbers[of_paths] = sizes.all  # behind the last chunk
        self._numbers, self._kinds = numbers, kinds
        self._path_slots, self._path_kinds = slots[of_paths], kinds[of_paths]
        self._path_frequencies = self._count_terms(self._path_kinds)
        self.frequencies = self._count_terms(kinds) - self._path_frequencies

    def _count_terms(self, kinds: NDArray[np.int32]) -> NDArray[np.int64]:
        import numpy as np

        counts: NDArray[np.int64] = np.bincount(kinds >> _WEIGHT_BITS, minlength=self._count)
        return counts

    def totals(self, weights: Weights, terms: Mapping[str, int]) -> Numbers:
        """Return the score of each chunk, by its number, for some of the terms, given with their numbers."""
        import numpy as np

        sizes = self.sizes
        counts = np.bincount(list(terms.values()), minlength=self._count)
        shares = _shares(weights, sizes.length / max(sizes.alive, 1))
        values = np.outer(counts * _rarities(self.frequencies, sizes.alive), shares).ravel()
        totals: Numbers = np.bincount(self._numbers, values[self._kinds], sizes.all + 1)[:-1].astype(np.float64)
        if weights.path and len(self._path_slots):
            rarities = _rarities(self._path_frequencies, int(np.count_nonzero(sizes.of_file)))
            values = np.outer(counts * rarities, _path_shares(weights)).ravel()
            of_file = np.bincount(self._path_slots, values[self._path_kinds], len(sizes.of_file))
            totals += np.repeat(of_file, np.diff(np.append(sizes.starts, sizes.all)))
        return totals

    def others(self, terms: Mapping[str, int], path: str, postings: Postings, weights: Weights) -> list[float]:
        """Return the scores of chunks that are not among these."""
        import numpy as np

        sizes = self.sizes
        chunks, files = max(sizes.alive, 1), max(int(np.count_nonzero(sizes.of_file)), 1)
        shares = _shares(weights, (sizes.length or postings.length) / chunks)
        rarities = _rarities(self.frequencies, chunks)
        totals = np.zeros(postings.chunks)
        for number, records in _records_of(terms, postings):
            np.add.at(totals, records >> PLACE_SHIFT & PATH, shares[records >> WEIGHT_SHIFT] * rarities[number])
        path_shares = _path_shares(weights)
        path_rarities = _rarities(self._path_frequencies, files)
        for number, records in _records_of(terms, path_postings(terms_of(path))):
            totals += float((path_shares[records >> WEIGHT_SHIFT] * path_rarities[number]).sum())
        scores: list[float] = totals.tolist()
        return scores

    def passing(self, filters: ChunkFilter) -> NDArray[np.bool_]:
        """Tell of each chunk, by its number, whether it passes."""
        import numpy as np

        sizes = self.sizes
        rows = self._chunks._all("SELECT id, path, language FROM files WHERE deleted_at IS NULL")
        passes = np.zeros(len(sizes.of_file), np.bool_)
        slots = sizes.slots(np.array([file_id for file_id, *file in rows if filters.passes_file(*file)], np.int64))
        passes[slots[slots >= 0]] = True
        chunks = np.repeat(passes, np.diff(np.append(sizes.starts, sizes.all)))
        if filters.kinds is not None:
            kinds = _json(sorted(filters.kinds))
            rows = self._chunks._all("SELECT id FROM chunks WHERE kind IN (SELECT value FROM json_each(?))", kinds)
            ids = np.array([row[0] for row in rows], np.int64)
            of_kind = np.zeros(sizes.all, np.bool_)
            of_kind[sizes.starts[sizes.slots(ids >> ORDINAL_BITS)] + (ids & ((1 << ORDINAL_BITS) - 1))] = True
            chunks &= of_kind
        return chunks

    def ids(self, numbers: Ids) -> Ids:
        """Return the ids of chunks by their numbers."""
        import numpy as np

        sizes = self.sizes
        slots = np.searchsorted(sizes.starts, numbers, "right") - 1  # of files without chunks the last is meant
        files = sizes.blocks[slots >> FILE_BITS] * FILES + (slots & (FILES - 1))
        ids: Ids = (files << ORDINAL_BITS) + numbers - sizes.starts[slots]
        return ids


def _records_of(terms: Mapping[str, int], postings: Postings) -> Iterator[tuple[int, NDArray[np.uint32]]]:
    """Yield the number and the records of each term."""
    import numpy as np

    ids, records = np.frombuffer(postings.terms, "<i8"), np.frombuffer(postings.records, "<u4")
    for term, number in terms.items():
        yield number, records[ids == term_id(term)]


@cache
def _fields() -> tuple[Numbers, Numbers, Numbers]:
    """Return by the weight of a record the length of its chunk and the counts of its term in text and names."""
    import numpy as np

    lengths, in_text, in_names = np.array([frequencies(weight) for weight in range(1 << _WEIGHT_BITS)], np.float64).T
    return lengths, in_text, in_names


def _shares(weights: Weights, average: float) -> Numbers:
    """Return by the weight of a record what its term adds to its chunk, were all terms equally rare."""
    lengths, in_text, in_names = _fields()
    counts = weights.body * in_text + weights.names * in_names
    norm = weights.k1 * (1.0 - weights.b + weights.b * lengths / max(average, 1.0))
    shares: Numbers = counts * (weights.k1 + 1.0) / (counts + norm)
    return shares


def _path_shares(weights: Weights) -> Numbers:
    """Return the same of the records of paths, which have no length worth the name."""
    _, counts, _ = _fields()
    shares: Numbers = weights.path * counts * (weights.k1 + 1.0) / (counts + weights.k1)
    return shares


def _rarities(frequencies: NDArray[np.int64], total: int) -> Numbers:
    """Return the inverse document frequency of terms, never below zero."""
    import numpy as np

    rarities: Numbers = np.log1p((total - frequencies + 0.5) / (frequencies + 0.5))
    return rarities


def _json(values: Sequence[object]) -> str:
    return msgspec.json.encode(values).decode()
