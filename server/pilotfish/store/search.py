"""Searching the catalog for definitions by name: tier after tier, until there are enough.

Each tier asks the catalog for the best names only. How many definitions of which visibility a name has stands in its
row, so it is known which symbols will be wanted before any is read.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, groupby, islice, product
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec

from pilotfish.store.matching import Match, NamePattern, SymbolQuery, Tier
from pilotfish.store.names import NameIndex
from pilotfish.store.records import SYMBOL_COLUMNS, SYMBOL_JOINS, SymbolHit, symbol_row
from pilotfish.store.schema import NAME_START, VISIBILITY

if TYPE_CHECKING:
    from pilotfish.store.names import Ids

_NAME: Final = "names.id, name, uses, public, restricted, private"
_WITH_IDS: Final = "id IN (SELECT value FROM json_each(?))"
_NAMES_BY_PARTS: Final = "name_parts CROSS JOIN names ON names.id = name_parts.rowid"
_BY_USE: Final = f"{VISIBILITY}, uses DESC, names.folded, name"
_PAGE: Final = 1_000
_MANY: Final = 3_000
"""From this many names on that a condition lets through, the best are found by going through all in their order."""

_MOST_CANDIDATES: Final = 5_000
_MOST_MEMBERS: Final = 500
"""Names and definitions that are looked at one by one where no index can tell; the most used come first."""


class _Name(NamedTuple):
    id: int
    name: str
    uses: int
    definitions: tuple[int, int, int]


class SymbolSearch:
    """One search in one snapshot."""

    def __init__(self, connection: sqlite3.Connection, names: NameIndex, query: SymbolQuery, limit: int) -> None:
        self._connection = connection
        self._names = names
        self._query = query
        self._limit = limit
        self._filtered = query.kinds is not None or query.path_glob is not None

    def run(self) -> list[SymbolHit]:
        """Return the hits, best first."""
        if self._query.is_empty or self._limit <= 0:
            return []
        if self._query.path_glob is not None:
            self._connection.create_function("accepts_path", 1, self._query.accepts_path, deterministic=True)
        hits: dict[tuple[str, int], SymbolHit] = {}
        for hit in (*self._members(), *self._by_name(self._query.whole)):
            hits.setdefault((hit.row.path, hit.row.ordinal), hit)
        return sorted(hits.values(), key=_order)[: self._limit]

    # --- by the name alone -------------------------------------------------------------------------------------------

    def _by_name(self, pattern: NamePattern) -> list[SymbolHit]:
        hits: list[SymbolHit] = []
        for tier in Tier:
            if len(hits) < self._limit:
                hits += self._tier(pattern, tier, len(hits))
        return hits

    def _tier(self, pattern: NamePattern, tier: Tier, before: int) -> list[SymbolHit]:
        """Return the best hits of one tier; better tiers gave `before` hits, whose names may come again."""
        want = self._limit - before
        matches: dict[int, tuple[Match, int]] = {}
        entries = self._entries(pattern, tier, -1 if self._filtered else self._limit + before, matches)
        if not self._filtered:
            return self._symbols(_enough(entries, want), matches, want)
        hits: list[SymbolHit] = []
        while len(hits) < want and (page := list(islice(entries, _PAGE))):
            hits += self._symbols(page, matches, want - len(hits))
        return hits

    def _entries(
        self, pattern: NamePattern, tier: Tier, most: int, matches: dict[int, tuple[Match, int]]
    ) -> Iterator[tuple[_Name, int]]:
        """Yield names and visibilities in the order of their symbols; note the match and uses of each by its id."""
        for match, group in groupby(self._matched(pattern, tier, most), key=itemgetter(0)):
            names = []
            for _, name in group:  # the most visible come first, by use: mostly they are enough
                matches[name.id] = match, name.uses
                names.append(name)
                if name.definitions[0]:
                    yield name, 0
            names.sort(key=lambda name: -name.uses)
            for visibility in (1, 2):
                yield from ((name, visibility) for name in names if name.definitions[visibility])

    def _matched(self, pattern: NamePattern, tier: Tier, most: int) -> Iterator[tuple[Match, _Name]]:
        for name in self._candidates(pattern, tier, most):
            match = pattern.match(name.name)
            if match is not None and match.tier == tier:
                yield match, name

    def _symbols(
        self, entries: Sequence[tuple[_Name, int]], matches: dict[int, tuple[Match, int]], want: int
    ) -> list[SymbolHit]:
        """Return the symbols of names with one visibility each, in that order, then by path and line."""
        if not entries:
            return []
        where, parameters = self._filters()
        rows = self._connection.execute(
            f"SELECT {SYMBOL_COLUMNS}, s.name_id FROM json_each(?) j "
            "CROSS JOIN symbols s ON s.name_id = j.value >> 2 AND s.visibility = j.value & 3 "
            f"CROSS JOIN names ON names.id = s.name_id {SYMBOL_JOINS} "
            f"WHERE TRUE {where} ORDER BY j.key, f.path, s.line, s.id LIMIT ?",
            (_json([name.id << 2 | visibility for name, visibility in entries]), *parameters, want),
        )
        return [SymbolHit(symbol_row(row), *matches[row[-1]]) for row in rows.fetchall()]

    def _filters(self) -> tuple[str, list[object]]:
        where = ""
        parameters: list[object] = []
        if self._query.kinds is not None:
            where += " AND s.kind IN (SELECT value FROM json_each(?))"
            parameters.append(_json(sorted(self._query.kinds)))
        if self._query.path_glob is not None:
            where += " AND accepts_path(f.path)"
        return where, parameters

    # --- candidates of each tier -------------------------------------------------------------------------------------

    def _candidates(self, pattern: NamePattern, tier: Tier, most: int) -> Iterator[_Name]:
        """Yield names that may match in a tier, best first, those of one match together; at most `most`, -1 for all."""
        if tier is Tier.EXACT:
            return self._select("folded = ?", [pattern.key], most, "name <> ?", pattern.text)
        if tier is Tier.PREFIX:
            return self._prefix(pattern, most)
        if tier is Tier.HUMP:
            return self._humps(pattern, most)
        if tier is Tier.INFIX:
            return self._infix(pattern, most)
        return self._loose(self._names_in_memory().subsequence(pattern.key), most)

    def _prefix(self, pattern: NamePattern, most: int) -> Iterator[_Name]:
        begins, bounds = _begins("folded", pattern.key)
        condition = f"{begins} AND folded <> ?", [*bounds, pattern.key]
        length = len(pattern.text)
        if self._is_many(f"names WHERE folded IS NOT NULL AND {begins}", bounds):
            begins, bounds = _begins(NAME_START, pattern.text[:4])
            same_case = (f"{begins} AND substr(name, 1, {length}) = ?", [*bounds, pattern.text])
            return self._by_rank(*condition, most, *(same_case if pattern.minds_case else ()))
        miss = (f"substr(name, 1, {length}) <> ?", pattern.text) if pattern.minds_case else ()
        return self._select(*condition, most, *miss)

    def _humps(self, pattern: NamePattern, most: int) -> Iterator[_Name]:
        segments = pattern.segments
        if not segments:
            return iter(())
        begins, bounds = _begins("hump", "".join(segment[0] for segment in segments))
        longer = [segment for segment in segments if len(segment) > 1]
        if longer:
            most = _MOST_CANDIDATES  # the key does not tell how the words go on
        not_prefix, prefix = _begins("names.folded", pattern.key)
        where = f"{begins} AND NOT ({not_prefix}) {' AND instr(names.folded, ?)' * len(longer)}"
        parts = _parts(longer)
        if parts and self._is_many(f"names WHERE hump IS NOT NULL AND {begins}", bounds):
            where = f"name_parts MATCH ? AND {where}"
            return self._select(where, [parts, *bounds, *prefix, *longer], most, source=_NAMES_BY_PARTS)
        return self._select(where, [*bounds, *prefix, *longer], most)

    def _infix(self, pattern: NamePattern, most: int) -> Iterator[_Name]:
        key = pattern.key
        if len(key) < 3:
            return self._loose(self._names_in_memory().infix(key), most)
        not_prefix, prefix = _begins("names.folded", key)
        where = f"instr(names.folded, ?) AND NOT ({not_prefix})"
        ids = self._connection.execute(
            f"SELECT rowid FROM name_parts WHERE name_parts MATCH ? LIMIT {_MANY}", (_parts([key]),)
        ).fetchall()
        if len(ids) == _MANY:
            same_case = ("instr(name, ?)", [pattern.text]) if pattern.minds_case else ()
            return self._by_rank(where, [key, *prefix], most, *same_case)
        miss = ("instr(name, ?) = 0", pattern.text) if pattern.minds_case else ()
        return self._select(f"{_WITH_IDS} AND {where}", [_json([row[0] for row in ids]), key, *prefix], most, *miss)

    def _is_many(self, rows: str, parameters: Sequence[object]) -> bool:
        (count,) = self._connection.execute(
            f"SELECT count(*) FROM (SELECT 1 FROM {rows} LIMIT {_MANY})", parameters
        ).fetchone()
        return bool(count == _MANY)

    def _by_rank(
        self,
        where: str,
        parameters: Sequence[object],
        most: int,
        same_case: str = "",
        case_parameters: Sequence[object] = (),
    ) -> Iterator[_Name]:
        """Yield what `_select` would, in its order, reading no more names than it takes to find them.

        Where only a condition on `folded` is asked, unused names, which are ordered by it, are sought directly.
        """
        cases = (f"AND {same_case}", f"AND NOT ({same_case})") if same_case else ("",)
        ranks = (
            f"{VISIBILITY} = {visibility} AND uses {used} {case}"
            for case, visibility, used in product(cases, range(3), ("> 0", "= 0"))
        )
        rows = (
            self._connection.execute(
                f"SELECT {_NAME} FROM names INDEXED BY names_by_rank WHERE folded IS NOT NULL AND {where} AND {rank} "
                "ORDER BY uses DESC, folded, name LIMIT ?",
                (*parameters, *case_parameters, most),
            )
            for rank in ranks
        )
        return islice(map(_name, chain.from_iterable(rows)), most if most >= 0 else None)

    def _loose(self, parts: Iterator[tuple[Ids, Ids]], most: int) -> Iterator[_Name]:
        """Yield the names with these ids, those of equal looseness together, whatever of them is still defined."""
        found = 0
        for page in _pages(parts, most if most >= 0 else _PAGE):
            names = list(self._select(_WITH_IDS, [_json(list(page))], -1))
            yield from sorted(names, key=lambda name: page[name.id])
            found += len(names)
            if 0 <= most <= found:
                return

    def _select(
        self,
        where: str,
        parameters: Sequence[object],
        most: int,
        miss: str = "NULL",
        *miss_parameter: object,
        source: str = "names",
    ) -> Iterator[_Name]:
        """Yield defined names, those first whose case is the query's, then the most visible and the most used."""
        rows = self._connection.execute(
            f"SELECT {_NAME} FROM {source} WHERE names.folded IS NOT NULL AND {where} "
            f"ORDER BY {miss}, {_BY_USE} LIMIT ?",
            (*parameters, *miss_parameter, most),
        )
        return map(_name, rows)

    def _names_in_memory(self) -> NameIndex:
        self._names.refresh(self._connection)
        return self._names

    # --- members of a container --------------------------------------------------------------------------------------

    def _members(self) -> list[SymbolHit]:
        """Return what matches `Class.method`: members that hold the letters; of very many, those that begin so."""
        query = self._query
        if not query.containers:
            return []
        begins, bounds = _begins("leaf", query.containers[-1])
        rows = self._connection.execute(f"SELECT id, path FROM containers WHERE {begins}", bounds)
        if len(query.containers) > 1:
            rows = (row for row in rows if query.match_container(row[1]) is not None)  # type: ignore[assignment]
        containers = _json([container_id for container_id, _ in rows])
        letters = sorted(set(query.member.key))
        holds = "".join(" AND instr(names.folded, ?)" for _ in letters)
        begins, bounds = _begins("names.folded", query.member.key)
        where, parameters = self._filters()
        rows = self._connection.execute(
            f"SELECT {SYMBOL_COLUMNS}, names.uses FROM json_each(?) j CROSS JOIN symbols s ON s.container_id = j.value "
            f"CROSS JOIN names ON names.id = s.name_id {SYMBOL_JOINS} WHERE TRUE {holds} {where} "
            f"ORDER BY names.folded <> ?, NOT ({begins}), s.visibility, names.uses DESC, f.path, s.line, s.id LIMIT ?",
            (containers, *letters, *parameters, query.member.key, *bounds, max(_MOST_MEMBERS, 2 * self._limit)),
        )
        hits = []
        for row in rows.fetchall():
            found = symbol_row(row)
            match = query.match(found.name, found.container, found.kind)
            if match is not None:
                hits.append(SymbolHit(found, match, row[-1]))
        return hits


def _name(row: tuple[Any, ...]) -> _Name:
    return _Name(row[0], row[1], row[2], row[3:])


def _enough(entries: Iterable[tuple[_Name, int]], want: int) -> list[tuple[_Name, int]]:
    """Return the first entries that have `want` definitions together."""
    taken = []
    for name, visibility in entries:
        if want <= 0:
            break
        taken.append((name, visibility))
        want -= name.definitions[visibility]
    return taken


def _pages(parts: Iterable[tuple[Ids, Ids]], size: int) -> Iterator[dict[int, int]]:
    """Join and cut ids and looseness, given in rising order, so that a page has `size` or few more of them, the last
    one perhaps fewer, and no two pages share a looseness."""
    page: dict[int, int] = {}
    for ids, loose in parts:
        start = 0
        while start < len(ids):
            last = start + size - len(page) - 1
            stop = len(ids) if last >= len(ids) else int(loose.searchsorted(loose[last], "right"))
            page.update(zip(ids[start:stop].tolist(), loose[start:stop].tolist(), strict=True))
            start = stop
            if len(page) >= size:
                yield page
                page = {}
    if page:
        yield page


def _parts(texts: Iterable[str]) -> str:
    """Return the full-text query for names that hold all parts of three characters of these texts; empty where there
    is none."""
    trigrams = {text[place : place + 3] for text in texts for place in range(len(text) - 2)}
    return " AND ".join('"' + trigram.replace('"', '""') + '"' for trigram in sorted(trigrams))


def _begins(column: str, start: str) -> tuple[str, list[str]]:
    """Return a condition for texts that begin with `start`, which an index can answer, and its parameters."""
    for place in range(len(start) - 1, -1, -1):
        following = ord(start[place]) + 1
        if 0xD800 <= following <= 0xDFFF:
            following = 0xE000
        if following <= 0x10FFFF:
            return f"{column} >= ? AND {column} < ?", [start, start[:place] + chr(following)]
    return f"{column} >= ?", [start]


def _order(hit: SymbolHit) -> tuple[object, ...]:
    row = hit.row
    return (hit.match, row.visibility, -hit.uses, row.path, row.name_start[0], row.ordinal)


def _json(values: Sequence[object]) -> str:
    return msgspec.json.encode(values).decode()
