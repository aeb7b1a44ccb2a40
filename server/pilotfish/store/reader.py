"""Reading a catalog: every answer that it can give, from one consistent snapshot."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterator, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

import msgspec

from pilotfish.store.chunks import Chunks
from pilotfish.store.commits import Commits
from pilotfish.store.dump import dump
from pilotfish.store.errors import CatalogDamagedError, explained
from pilotfish.store.matching import SymbolQuery, fold, holds_nearly
from pilotfish.store.postings import FILE_BITS, FILES, TERM_BITS, term_id
from pilotfish.store.records import (
    FILE_COLUMNS,
    STORED_COLUMNS,
    SYMBOL_COLUMNS,
    SYMBOL_JOINS,
    Counts,
    FileRow,
    LanguageCounts,
    MoveRow,
    StoredFile,
    SymbolHit,
    SymbolRow,
    file_row,
    stored_file,
    symbol_row,
)
from pilotfish.store.rows import DAMAGED, token, tokens_in_any_case, unpack_facts
from pilotfish.store.search import SymbolSearch
from pilotfish.syntax.facts import FileFacts
from pilotfish.syntax.outline import Outline, SymbolKind
from pilotfish.syntax.spellings import folded_spellings, keyed_among, spellings_of
from pilotfish.syntax.text import LineTable

if TYPE_CHECKING:
    from pilotfish.store.catalog import Catalog

_PAGE = 1_000
_OUTLINES = 100
"""Outlines are large: so many are held at a time."""

_FEW_DEFINITIONS = 3
_NAMED_FOR_USE = (
    SymbolKind.CLASS,
    SymbolKind.INTERFACE,
    SymbolKind.STRUCT,
    SymbolKind.ENUM,
    SymbolKind.FUNCTION,
    SymbolKind.CONSTANT,
)


class Reader:
    """Answers in one thread. As a context manager, all answers inside come from one snapshot."""

    def __init__(self, catalog: Catalog) -> None:
        """Use `Catalog.reader`."""
        self._catalog = catalog
        self._epoch, self._connection = catalog.connected()
        self._depth = 0

    def __enter__(self) -> Self:
        self._depth += 1
        if self._depth == 1:
            try:
                self._begin()
            except BaseException:
                self.__exit__(None, None, None)
                raise
        return self

    def _begin(self) -> None:
        self._follow()
        self._connection.execute("BEGIN")
        self._one("SELECT 1 FROM meta")  # the snapshot is taken with the first read

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._depth -= 1
        if self._depth == 0 and self._connection.in_transaction:
            self._connection.execute("ROLLBACK")

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def _follow(self) -> None:
        """Connect anew where another file has taken the place of a damaged one, but never within a snapshot."""
        if not self._connection.in_transaction and self._epoch != self._catalog.epoch:
            before = self._connection
            self._epoch, self._connection = self._catalog.connected()
            before.close()

    # --- files -------------------------------------------------------------------------------------------------------

    def generation(self) -> int:
        """Return the generation of the snapshot."""
        row = self._one("SELECT value FROM meta WHERE key = 'generation'")
        return 0 if row is None else int(row[0])

    def file(self, path: str) -> FileRow | None:
        """Return the file at a path."""
        row = self._one(f"SELECT {FILE_COLUMNS} FROM files WHERE path = ? AND deleted_at IS NULL", path)
        return None if row is None else file_row(row)

    def files(self, after: str | None = None, limit: int | None = None) -> Iterator[FileRow]:
        """Yield files in the order of their paths, those after `after`, at most `limit`."""
        left = -1 if limit is None else limit
        while left:
            page = self._all(
                f"SELECT {FILE_COLUMNS} FROM files WHERE deleted_at IS NULL AND path > ? ORDER BY path LIMIT ?",
                "" if after is None else after,
                _PAGE if left < 0 else min(left, _PAGE),
            )
            yield from map(file_row, page)
            if len(page) < _PAGE:
                return
            after = page[-1][0]
            left = left if left < 0 else left - len(page)

    def files_below(self, folder: str) -> list[str]:
        """Return the paths of the files in a folder and below it, in order; "" is the root."""
        if not folder:
            return [row[0] for row in self._all("SELECT path FROM files WHERE deleted_at IS NULL ORDER BY path")]
        rows = self._all(
            "SELECT path FROM files WHERE deleted_at IS NULL AND path >= ? AND path < ? ORDER BY path",
            folder + "/",
            folder + "0",
        )
        return [row[0] for row in rows]

    def with_hash(self, content_hash: bytes, size: int) -> list[FileRow]:
        """Return the files with this content by path, tombstones included."""
        rows = self._all(
            f"SELECT {FILE_COLUMNS} FROM files WHERE content_hash = ? AND size = ? ORDER BY path, id",
            content_hash,
            size,
        )
        return list(map(file_row, rows))

    def stored(self, path: str) -> StoredFile | None:
        """Return a file that has an outline, with it and its line table."""
        row = self._one(
            f"SELECT {STORED_COLUMNS} FROM files JOIN outlines ON file_id = id WHERE path = ? AND deleted_at IS NULL",
            path,
        )
        return None if row is None else stored_file(row)

    def stored_among(self, paths: Collection[str]) -> list[StoredFile]:
        """Return those of some files that have an outline, as `stored` does, in no order."""
        rows = self._all(
            f"SELECT {STORED_COLUMNS} FROM files JOIN outlines ON file_id = id "
            f"WHERE path IN ({', '.join('?' * len(paths))}) AND deleted_at IS NULL",
            *paths,
        )
        return list(map(stored_file, rows))

    def outline(self, path: str) -> Outline | None:
        """Return the outline of a file."""
        found = self.stored(path)
        return None if found is None else found.outline()

    def line_table(self, path: str) -> LineTable | None:
        """Return the line table of a file that has an outline."""
        found = self.stored(path)
        return None if found is None else found.lines()

    def contents(self) -> list[tuple[str, bytes, str | None]]:
        """Return path, hash of the content and language of every file; the language is None where it has no outline."""
        return self._all(
            "SELECT path, content_hash, iif(status = 'parsed', language, NULL) FROM files "
            "WHERE deleted_at IS NULL ORDER BY path"
        )

    def facts(self, paths: Sequence[str]) -> Iterator[FileFacts]:
        """Yield what the outlines of these files say to the graph, in the order of the paths."""
        for start in range(0, len(paths), _OUTLINES):
            page = msgspec.json.encode(paths[start : start + _OUTLINES]).decode()
            for path, outline in self._all(
                "SELECT j.value, outline FROM json_each(?) j JOIN files f ON f.path = j.value AND f.deleted_at IS NULL "
                "JOIN outlines ON file_id = f.id ORDER BY j.key",
                page,
            ):
                try:
                    yield unpack_facts(path, outline)
                except DAMAGED as error:
                    raise CatalogDamagedError(f"the outline of {path} cannot be read: {error}") from error

    def moves(self) -> list[MoveRow]:
        """Return the remembered moves, the oldest first."""
        rows = self._all(
            "SELECT old_path, new_path, content_hash, moved_at, move_type FROM file_moves ORDER BY moved_at, id"
        )
        return [MoveRow(*row) for row in rows]

    # --- symbols -----------------------------------------------------------------------------------------------------

    def symbols_named(self, name: str, languages: Collection[str | None] | None = None) -> list[SymbolRow]:
        """Return the definitions with exactly this name, in any of its spellings, by path and line, those in
        `languages` where these are given; files without outline are none."""
        among, chosen = _among("f.language", languages)
        rows = self._all(
            f"SELECT {SYMBOL_COLUMNS} FROM names JOIN symbols s ON s.name_id = names.id {SYMBOL_JOINS} "
            f"WHERE names.name = ? AND s.kind <> ?{among} ORDER BY f.path, s.id",
            name,
            int(SymbolKind.FILE),
            *chosen,
        )
        found = list(map(symbol_row, rows))
        others = self._spelled_otherwise(name, keyed_among(languages))
        return sorted((*found, *others), key=_place) if others else found

    def _spelled_otherwise(self, name: str, languages: Collection[str]) -> list[SymbolRow]:
        """Return the definitions that have a name in another spelling, in languages in which that is the same."""
        if not languages:
            return []
        written = [fold(each) for each in folded_spellings(name, languages)]
        among, chosen = _among("f.language", languages)
        rows = self._all(
            f"SELECT {SYMBOL_COLUMNS} FROM names JOIN symbols s ON s.name_id = names.id {SYMBOL_JOINS} "
            f"WHERE names.folded IN ({', '.join('?' * len(written))}) AND names.name <> ? AND s.kind <> ?{among}",
            *written,
            name,
            int(SymbolKind.FILE),
            *chosen,
        )
        found = map(symbol_row, rows)
        return [each for each in found if (one := spellings_of(name, each.language)) and one.has(each.name, each.kind)]

    def search_symbols(
        self,
        query: SymbolQuery | str,
        kinds: Collection[SymbolKind] | None = None,
        path_glob: str | None = None,
        limit: int = 128,
    ) -> list[SymbolHit]:
        """Return at most `limit` definitions that match a query, best first: by match (`matching`), visibility, uses,
        path and line. A better match is never left out for a worse one."""
        if isinstance(query, str):
            query = SymbolQuery(query, kinds=kinds, path_glob=path_glob)
        with self:
            try:
                return SymbolSearch(self._connection, self._catalog.names, query, limit).run()
            except sqlite3.DatabaseError as error:
                raise explained(error) from error

    def nearly_named(self, name: str, longest: int) -> list[str]:
        """Return the names of definitions, of at most `longest` characters, that hold the letters of another, of at
        most 64, in their order, but for one at most (`matching.holds_nearly`); case apart, in no order."""
        wanted, names = fold(name), self._catalog.names
        with self:
            names.refresh(self._connection)
            rows = self._all(
                "SELECT name FROM json_each(?) j JOIN names ON names.id = j.value WHERE folded IS NOT NULL",
                msgspec.json.encode(names.nearly(wanted, longest).tolist()).decode(),
            )
        return [each for (each,) in rows if holds_nearly(fold(each), wanted)]

    def most_used(self, limit: int) -> list[SymbolRow]:
        """Return the functions and types whose names are referenced most, one definition each, best first.

        A name counts only where few definitions share it and it has three letters or more: uses are counted by name,
        and `get` or `T` say nothing about one definition.
        """
        kinds = ", ".join(str(int(kind)) for kind in _NAMED_FOR_USE)
        rows = self._all(
            "SELECT id FROM (SELECT id, name, uses FROM names WHERE folded IS NOT NULL AND uses > 0 "
            "AND length(name) > 2 ORDER BY uses DESC, name LIMIT ?1) AS top "
            "WHERE (SELECT count(*) FROM symbols WHERE name_id = top.id) <= ?2 "
            f"AND EXISTS (SELECT 1 FROM symbols WHERE name_id = top.id AND kind IN ({kinds})) "
            "ORDER BY uses DESC, name LIMIT ?3",
            50 * limit,
            _FEW_DEFINITIONS,
            limit,
        )
        found = []
        for (name_id,) in rows:
            row = self._one(
                f"SELECT {SYMBOL_COLUMNS} FROM names JOIN symbols s ON s.name_id = names.id {SYMBOL_JOINS} "
                f"WHERE names.id = ? AND s.kind IN ({kinds}) ORDER BY s.visibility, f.path, s.id LIMIT 1",
                name_id,
            )
            if row is not None:
                found.append(symbol_row(row))
        return found

    # --- references --------------------------------------------------------------------------------------------------

    def files_referencing(self, name: str, languages: Collection[str | None] | None = None) -> list[str]:
        """Return the paths of the files with a stored reference to this name, in any of its spellings, in order, those
        in `languages` where these are given."""
        found = self._matching(f'"{token(name)}"', languages)
        keyed = keyed_among(languages)
        if not keyed:
            return found
        others = self._matching(tokens_in_any_case(folded_spellings(name, keyed)), keyed)
        return sorted({*found, *others})

    def _matching(self, tokens: str, languages: Collection[str | None] | None) -> list[str]:
        among, chosen = _among("language", languages)
        rows = self._all(
            "SELECT path FROM postings JOIN files ON files.id = postings.rowid "
            f"WHERE postings MATCH ?{among} ORDER BY path",
            tokens,
            *chosen,
        )
        return [row[0] for row in rows]

    def files_mentioning(self, terms: Collection[str], languages: Collection[str | None] | None = None) -> list[str]:
        """Return the paths of the files that have all of some terms, in any of their chunks or in the path, in order;
        those in `languages` where these are given."""
        import numpy as np

        with self:
            rows = self._all(
                "SELECT b.block, j.key, t.records FROM chunk_blocks b CROSS JOIN json_each(?) j "
                f"CROSS JOIN chunk_terms t ON t.id = (b.block << {TERM_BITS}) + j.value",
                msgspec.json.encode([*map(term_id, dict.fromkeys(terms))]).decode(),
            )
            if not rows:
                return []
            blocks, numbers, records = zip(*rows, strict=True)
            counts = [len(each) // 4 for each in records]
            places = np.frombuffer(b"".join(records), "<u4") & (FILES - 1)
            having = np.zeros((len({*terms}), max(blocks) + 1 << FILE_BITS), np.bool_)
            having[np.repeat(numbers, counts), np.repeat(np.array(blocks) << FILE_BITS, counts) + places] = True
            among, chosen = _among("f.language", languages)
            found = self._all(
                f"SELECT f.path FROM json_each(?) j JOIN files f ON f.id = j.value WHERE f.deleted_at IS NULL{among}",
                msgspec.json.encode(np.flatnonzero(having.all(axis=0)).tolist()).decode(),
                *chosen,
            )
        return sorted(path for (path,) in found)

    def uses(self, name: str) -> tuple[int, int]:
        """Return how many stored references there are to a name, and in how many files."""
        row = self._one("SELECT uses, files FROM names WHERE name = ?", name)
        return (0, 0) if row is None else (row[0], row[1])

    # --- chunks ------------------------------------------------------------------------------------------------------

    @property
    def chunks(self) -> Chunks:
        """What there is to search by content; within `with reader:` from the same snapshot as everything else."""
        self._follow()
        return Chunks(self._connection)

    # --- history -----------------------------------------------------------------------------------------------------

    @property
    def commits(self) -> Commits:
        """What past commits say; within `with reader:` from the same snapshot as everything else."""
        self._follow()
        return Commits(self._connection)

    # --- counts ------------------------------------------------------------------------------------------------------

    def counts(self) -> Counts:
        """Count what the catalog holds."""
        files, symbols, references, source, parsed, listed = self._all(
            "SELECT count(*), total(symbols), total(\"references\"), total(iif(status = 'parsed', size, 0)), "
            "total(status = 'parsed'), total(status = 'listed') FROM files WHERE deleted_at IS NULL"
        )[0]
        languages = self._all(
            "SELECT language, count(*), sum(symbols), sum(has_errors) FROM files "
            "WHERE deleted_at IS NULL AND language IS NOT NULL AND status = 'parsed' "
            "GROUP BY language ORDER BY count(*) DESC, language"
        )
        skipped = self._all(
            "SELECT skip_reason, count(*) FROM files WHERE deleted_at IS NULL AND skip_reason <> '' "
            "GROUP BY skip_reason ORDER BY count(*) DESC, skip_reason"
        )
        return Counts(
            files,
            int(symbols),
            int(references),
            int(source),
            int(parsed),
            int(listed),
            [LanguageCounts(*row) for row in languages],
            [(reason, count) for reason, count in skipped],
        )

    def dump(self) -> dict[str, list[tuple[Any, ...]]]:
        """Return everything that an answer can come from, in canonical form; see `dump`. For tests and for support."""
        return dump(self._catalog.file)

    # --- plumbing ----------------------------------------------------------------------------------------------------

    def _one(self, sql: str, *parameters: object) -> Any:
        self._follow()
        try:
            return self._connection.execute(sql, parameters).fetchone()
        except sqlite3.DatabaseError as error:
            raise explained(error) from error

    def _all(self, sql: str, *parameters: object) -> list[Any]:
        self._follow()
        try:
            return self._connection.execute(sql, parameters).fetchall()
        except sqlite3.DatabaseError as error:
            raise explained(error) from error


def _place(row: SymbolRow) -> tuple[str, int]:
    return row.path, row.ordinal


def _among(column: str, languages: Collection[str | None] | None) -> tuple[str, list[str | None]]:
    """Return a condition on the language of a file, and its parameters."""
    if languages is None:
        return "", []
    return f" AND {column} IN ({', '.join('?' * len(languages))})", sorted(languages, key=str)
