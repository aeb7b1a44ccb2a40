"""One question put to a table of vectors: what LanceDB can decide, and patterns of paths, which it cannot.

A pattern is matched against the table's paths. If few match, LanceDB is given their names; if many do, the nearest rows
are fetched and filtered, more of them until there are enough.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pathspec
from lancedb.expr import Expr, col, lit

from pilotfish.store.vector_rows import VectorFilters, VectorHit, path_of, storable_text, stored_path

PROBES: Final = 20
"""Partitions of the index that a search looks into; more only where a filter leaves too few rows."""
REFINE: Final = 2
"""Times as many candidates are taken from the quantized index as are asked for, and compared by their full vectors.
More finds the same (5 times: of the nearest 500 of 217,000 rows less than one in 1,000 is another), and reading full
vectors is what most of a search's time goes into: 5 times took a third of it."""
MOST_NAMED: Final = 1_000
"""Paths that are named to LanceDB; a list of 2,000 takes it 86 ms."""
MOST_FETCHED: Final = 5_000
"""Rows that are fetched at most to find those whose path matches a pattern."""

_DISTANCE: Final = "_distance"
_ALL_COLUMNS: Final = list(VectorHit.__struct_fields__[1:])
_FEW_COLUMNS: Final = ["filepath", "line_start", "text_hash"]
"""What says which chunk a row is of. To read all of 500 rows takes a quarter of a search's time, in a small table half:
they lie scattered, and some columns are packed."""


class VectorSearch:
    """A question: a vector of the right length, not zero, and how many rows at most."""

    def __init__(self, lance: Any, vector: npt.NDArray[np.float32], limit: int, *, whole: bool) -> None:
        self._lance = lance
        self._vector = vector
        self._limit = limit
        self._columns = _ALL_COLUMNS if whole else _FEW_COLUMNS

    def hits(self, filters: VectorFilters, paths: frozenset[str]) -> list[VectorHit]:
        """Return the nearest rows that pass, nearest first.

        Args:
            filters: which pass.
            paths: the stored form of every path that the table holds.

        """
        where = _condition(filters)
        if not filters.globs:
            return self._nearest(self._limit, where)
        starts = tuple(map(stored_path, filters.prefixes)) or ("",)
        matching = _matching(filters.globs, paths)
        named = [path for path in matching if path.startswith(starts)]
        if len(named) > MOST_NAMED:
            return self._filtered(where, lambda path: stored_path(path) in matching)
        condition = any_of("filepath", named)
        return self._nearest(self._limit, condition if where is None else where & condition) if named else []

    def _filtered(self, where: Expr | None, matches: Callable[[str], bool]) -> list[VectorHit]:
        count = 4 * self._limit
        while True:
            found = self._nearest(count, where)
            passed = [hit for hit in found if matches(hit.filepath)]
            if len(passed) >= self._limit or len(found) < count or count >= MOST_FETCHED:
                return passed[: self._limit]
            count = min(4 * count, MOST_FETCHED)

    def _nearest(self, count: int, where: Expr | None) -> list[VectorHit]:
        # Without naming it, the metric would be L2 until there is an index, and the index's own from then on.
        search = self._lance.search(self._vector, vector_column_name="vector").distance_type("cosine")
        search = search.select([*self._columns, _DISTANCE]).limit(count)
        search = search.minimum_nprobes(PROBES).maximum_nprobes(0).refine_factor(REFINE)
        found = (search if where is None else search.where(where, prefilter=True)).to_arrow()
        columns = [found.column(name).to_pylist() for name in (*self._columns, _DISTANCE)]
        hits = [_hit(dict(zip(self._columns, row, strict=False)), row[-1]) for row in zip(*columns, strict=True)]
        return sorted(hits, key=lambda hit: (-hit.score, hit.filepath, hit.line_start, hit.text_hash))


@lru_cache(maxsize=8)
def _matching(globs: tuple[str, ...], paths: frozenset[str]) -> frozenset[str]:
    """Return the paths, all in stored form, that patterns match; kept, since matching 8,000 paths takes 100 ms."""
    matches = pathspec.PathSpec.from_lines("gitignore", globs).match_file
    return frozenset(path for path in paths if matches(path_of(path)))


def _hit(row: dict[str, Any], distance: float) -> VectorHit:
    row["filepath"] = path_of(row["filepath"])
    return VectorHit(score=1.0 - distance, **row)


def any_of(column: str, values: Iterable[str]) -> Expr:
    """Return the condition that a column has one of some values."""
    return col(column).isin(list(values))


def _condition(filters: VectorFilters) -> Expr | None:
    """Return what LanceDB can say of the filters."""
    where: Expr | None = None
    starts: Expr | None = None
    for prefix in filters.prefixes:
        start = _starts_with(stored_path(prefix))
        starts = start if starts is None else starts | start
    languages = any_of("language", map(storable_text, filters.languages)) if filters.languages else None
    kinds = any_of("symbol_type", map(storable_text, filters.symbol_types)) if filters.symbol_types else None
    for part in (starts, languages, kinds):
        if part is not None:
            where = part if where is None else where & part
    return where


def _starts_with(prefix: str) -> Expr:
    """Compare with a range, since in LIKE `_` and `%` are wildcards, and `starts_with` cannot be called from here."""
    path, after = col("filepath"), _after(prefix)
    return path >= lit(prefix) if after is None else (path >= lit(prefix)) & (path < lit(after))


def _after(prefix: str) -> str | None:
    """Return the least text above every text with this start; None if there is none. UTF-8 orders as code points do."""
    for end in range(len(prefix), 0, -1):
        following = ord(prefix[end - 1]) + 1
        if following <= 0x10FFFF:
            return prefix[: end - 1] + chr(0xE000 if following == 0xD800 else following)
    return None
