"""Searching the catalog for definitions by name: tier after tier, until there are enough.

Each tier asks the catalog for the best names only. How many definitions of which visibility a name has stands in its
row, so it is known which symbols will be wanted before any is read.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, islice
from typing import Final, NamedTuple

import msgspec

from pilotfish.store.matching import Match, NamePattern, SymbolQuery, Tier
from pilotfish.store.names import NameIndex
from pilotfish.store.records import SYMBOL_COLUMNS, SYMBOL_JOINS, SymbolHit, symbol_row

_NAME: Final = "id, name, uses, public, restricted, private"
_BY_USE: Final = "CASE WHEN public > 0 THEN 0 WHEN restricted > 0 THEN 1 ELSE 2 END, uses DESC, folded, name"
_PAGE: Final = 1_000
_MOST_CANDIDATES: Final = 5_000
"""Definitions or names that are looked at one by one where no index can tell; the best are taken."""


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
            want = self._limit - len(hits)
            if want > 0:
                hits += islice(self._tier(pattern, tier, self._limit + len(hits), want), want)
        return hits

    def _tier(self, pattern: NamePattern, tier: Tier, most_names: int, want: int) -> Iterator[SymbolHit]:
        """Yield the hits of one tier, best first."""
        matched = self._matched(pattern, tier, -1 if self._filtered else most_names)
        for match, group in groupby(matched, key=lambda pair: pair[0]):
            names = [name for _, name in group]
            entries = _entries(names)
            if self._filtered:
                while page := list(islice(entries, _PAGE)):
                    yield from self._symbols(match, names, page, want)
            else:
                yield from self._symbols(match, names, _enough(entries, want), want)

    def _matched(self, pattern: NamePattern, tier: Tier, most: int) -> Iterator[tuple[Match, _Name]]:
        for name in self._candidates(pattern, tier, most):
            match = pattern.match(name.name)
            if match is not None and match.tier == tier:
                yield match, name

    def _symbols(
        self, match: Match, names: Sequence[_Name], entries: Sequence[tuple[_Name, int]], want: int
    ) -> Iterator[SymbolHit]:
        """Yield the symbols of names with one visibility each, in that order, then by path and line."""
        uses = {name.name: name.uses for name in names}
        where, parameters = self._filters()
        rows = self._connection.execute(
            f"SELECT {SYMBOL_COLUMNS} FROM json_each(?) j CROSS JOIN names ON names.id = j.value >> 2 "
            "CROSS JOIN symbols s ON s.name_id = names.id AND s.visibility = j.value & 3 "
            f"{SYMBOL_JOINS} WHERE TRUE {where} ORDER BY j.key, f.path, s.line, s.id LIMIT ?",
            (_json([name.id << 2 | visibility for name, visibility in entries]), *parameters, want),
        )
        for row in rows.fetchall():
            found = symbol_row(row)
            yield SymbolHit(found, match, uses[found.name])

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
            begins, bounds = _begins("folded", pattern.key)
            same_case = (f"substr(name, 1, {len(pattern.text)}) <> ?", pattern.text) if pattern.minds_case else ()
            return self._select(f"{begins} AND folded <> ?", [*bounds, pattern.key], most, *same_case)
        if tier is Tier.HUMP:
            return self._humps(pattern, most)
        if tier is Tier.INFIX:
            return self._infix(pattern, most)
        return self._loose(*self._names_in_memory().subsequence(pattern.key), most)

    def _humps(self, pattern: NamePattern, most: int) -> Iterator[_Name]:
        segments = pattern.segments
        if not segments:
            return iter(())
        begins, bounds = _begins("hump", "".join(segment[0] for segment in segments))
        if any(len(segment) > 1 for segment in segments):
            most = _MOST_CANDIDATES  # the key does not tell how the words go on
        not_prefix, prefix = _begins("folded", pattern.key)
        return self._select(f"{begins} AND NOT ({not_prefix})", [*bounds, *prefix], most)

    def _infix(self, pattern: NamePattern, most: int) -> Iterator[_Name]:
        key = pattern.key
        if len(key) < 3:
            return self._loose(*self._names_in_memory().infix(key), most)
        trigrams = {key[place : place + 3] for place in range(len(key) - 2)}
        quoted = " AND ".join('"' + trigram.replace('"', '""') + '"' for trigram in sorted(trigrams))
        not_prefix, prefix = _begins("folded", key)
        same_case = ("instr(name, ?) = 0", pattern.text) if pattern.minds_case else ()
        return self._select(
            "id IN (SELECT rowid FROM name_parts WHERE name_parts MATCH ?) "
            f"AND instr(folded, ?) AND NOT ({not_prefix})",
            [quoted, key, *prefix],
            most,
            *same_case,
        )

    def _loose(self, ids: Iterable[int], loose: Iterable[int], most: int) -> Iterator[_Name]:
        """Yield the names with these ids, those of equal looseness together, whatever of them is still defined."""
        found = 0
        pairs = zip(ids.tolist(), loose.tolist(), strict=True)  # type: ignore[attr-defined]
        for _, group in groupby(pairs, key=lambda pair: pair[1]):
            if 0 <= most <= found:
                return
            names = list(
                self._select("id IN (SELECT value FROM json_each(?))", [_json([id_ for id_, _ in group])], most)
            )
            found += len(names)
            yield from names

    def _select(
        self, where: str, parameters: Sequence[object], most: int, miss: str = "NULL", *miss_parameter: object
    ) -> Iterator[_Name]:
        """Yield defined names, those first whose case is the query's, then the most visible and the most used."""
        rows = self._connection.execute(
            f"SELECT {_NAME} FROM names WHERE folded IS NOT NULL AND {where} ORDER BY {miss}, {_BY_USE} LIMIT ?",
            (*parameters, *miss_parameter, most),
        )
        for name_id, name, uses, *definitions in rows:
            yield _Name(name_id, name, uses, tuple(definitions))

    def _names_in_memory(self) -> NameIndex:
        self._names.refresh(self._connection)
        return self._names

    # --- members of a container --------------------------------------------------------------------------------------

    def _members(self) -> Iterator[SymbolHit]:
        """Yield what matches `Class.method`: the members of all containers asked for that hold the member's letters."""
        query = self._query
        if not query.containers:
            return
        begins, bounds = _begins("leaf", query.containers[-1])
        containers = [
            container_id
            for container_id, path in self._connection.execute(
                f"SELECT id, path FROM containers WHERE {begins}", bounds
            )
            if query.match_container(path) is not None
        ]
        if not containers:
            return
        key = query.member.key
        letters = sorted(set(key))
        where, parameters = self._filters()
        rows = self._connection.execute(
            f"SELECT {SYMBOL_COLUMNS}, names.uses FROM json_each(?) j CROSS JOIN symbols s ON s.container_id = j.value "
            f"JOIN names ON names.id = s.name_id {SYMBOL_JOINS} "
            f"WHERE TRUE {' AND instr(names.folded, ?)' * len(letters)} {where} "
            f"ORDER BY instr(names.folded, ?) <> 1, s.visibility, names.uses DESC, names.folded, names.name, f.path, "
            "s.line, s.id LIMIT ?",
            (_json(containers), *letters, *parameters, key, max(_MOST_CANDIDATES, self._limit)),
        )
        for *row, uses in rows.fetchall():
            found = symbol_row(tuple(row))
            match = query.match(found.name, found.container, found.kind)
            if match is not None:
                yield SymbolHit(found, match, uses)


def _entries(names: Sequence[_Name]) -> Iterator[tuple[_Name, int]]:
    """Yield the names with each visibility that they are defined with, the widest first, then the most used."""
    by_use = sorted(names, key=lambda name: -name.uses)
    for visibility in range(3):
        yield from ((name, visibility) for name in by_use if name.definitions[visibility])


def _enough(entries: Iterable[tuple[_Name, int]], want: int) -> list[tuple[_Name, int]]:
    """Return the first entries that have `want` definitions together."""
    taken = []
    for name, visibility in entries:
        if want <= 0:
            break
        taken.append((name, visibility))
        want -= name.definitions[visibility]
    return taken


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
