"""What readers of a catalog answer with, and the columns that it is made from."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any, Final, NamedTuple, TypeVar

import msgspec

from pilotfish.store.errors import CatalogDamagedError
from pilotfish.store.matching import Match
from pilotfish.store.rows import (
    DAMAGED,
    FileStatus,
    Mentions,
    PackedSymbols,
    may_import,
    unpack_imports,
    unpack_mentions,
    unpack_outline,
    unpack_symbol,
    unpack_uses,
)
from pilotfish.store.schema import ORDINAL_BITS
from pilotfish.syntax.outline import Import, Outline, Symbol, SymbolKind, Visibility
from pilotfish.syntax.text import LineTable

T = TypeVar("T")

Place = tuple[int, int, int, int]
"""Line, and column in UTF-8 bytes, UTF-16 units and code points, all 0-based."""


class FileRow(NamedTuple):
    """One file. `symbols` and `references` count; `deleted_at` is set, in seconds UTC, while it is a tombstone."""

    path: str
    content_hash: bytes
    size: int
    mtime_ns: int
    racy: bool
    language: str | None
    encoding: str
    status: FileStatus
    skip_reason: str
    symbols: int
    references: int
    has_errors: bool
    deleted_at: float | None


class StoredFile(NamedTuple):
    """One file with its outline and line table as they are kept: unpacked as far as it is asked, and no further.

    Every method raises `CatalogDamagedError` where what is kept cannot be read.
    """

    row: FileRow
    packed_outline: bytes
    packed_lines: bytes

    def outline(self) -> Outline:
        """Return the whole outline."""
        return self._unpacked("outline", unpack_outline, self.packed_outline)

    def lines(self) -> LineTable:
        """Return the line table."""
        return self._unpacked("lines", LineTable.from_bytes, self.packed_lines)

    def mentions(self, name: str) -> Mentions:
        """Return what the outline says of one name."""
        return self._unpacked("outline", unpack_mentions, self.packed_outline, name)

    def imports(self) -> list[Import]:
        """Return what the file imports."""
        return self._unpacked("outline", unpack_imports, self.packed_outline)

    def may_import(self, words: Collection[bytes]) -> bool:
        """Whether the file may import one of some modules, given by the words that such a name can end in."""
        return self._unpacked("outline", may_import, self.packed_outline, words)

    def symbols(self) -> PackedSymbols:
        """Return the definitions, to be looked at one by one."""
        return self._unpacked("outline", PackedSymbols, self.packed_outline)

    def symbol(self, ordinal: int) -> Symbol | None:
        """Return one definition; None where there are fewer."""
        return self._unpacked("outline", unpack_symbol, self.packed_outline, ordinal)

    def uses(self) -> Mapping[str, int]:
        """Count the references by name."""
        return self._unpacked("outline", unpack_uses, self.packed_outline)

    def _unpacked(self, what: str, unpack: Callable[..., T], *arguments: object) -> T:
        try:
            return unpack(*arguments)
        except DAMAGED as error:
            raise CatalogDamagedError(f"the {what} of {self.row.path} cannot be read: {error}") from error


class SymbolRow(NamedTuple):
    """One definition; `ordinal` is its place in `Outline.symbols`. A file without outline is one of kind `FILE`."""

    path: str
    language: str | None
    ordinal: int
    name: str
    kind: SymbolKind
    container: str
    visibility: Visibility
    name_start: Place
    name_end: Place


class SymbolHit(NamedTuple):
    """A definition that a query matched, how, and how often its name is referenced."""

    row: SymbolRow
    match: Match
    uses: int


class LanguageCounts(NamedTuple):
    """Files and definitions of one language; `with_errors` of the files have syntax errors."""

    language: str
    files: int
    symbols: int
    with_errors: int


class Counts(NamedTuple):
    """How much the catalog holds; `source_bytes` is the size of the files with an outline."""

    files: int
    symbols: int
    references: int
    source_bytes: int
    parsed: int
    listed: int
    languages: list[LanguageCounts]
    skipped: list[tuple[str, int]]


class MoveRow(NamedTuple):
    """A remembered move; `moved_at` in seconds UTC."""

    old_path: str
    new_path: str
    content_hash: bytes
    moved_at: float
    move_type: str


FILE_COLUMNS: Final = (
    "path, content_hash, size, mtime_ns, racy, language, encoding, status, skip_reason, "
    'symbols, "references", has_errors, deleted_at'
)

STORED_COLUMNS: Final = f"{FILE_COLUMNS}, outline, line_table"
"""Of `files` joined with `outlines`."""

SYMBOL_COLUMNS: Final = (
    's.id, names.name, s.kind, s.visibility, c.path, s.line, s."column", s.width, s.wide, f.path, f.language'
)
"""Of `symbols` as s, joined with `names` and by `SYMBOL_JOINS`; ends in the path and language of the file."""

SYMBOL_JOINS: Final = f"JOIN files f ON f.id = s.id >> {ORDINAL_BITS} LEFT JOIN containers c ON c.id = s.container_id"

# An enumeration called with a number costs more than the rest of a row.
_KINDS: Final = {kind.value: kind for kind in SymbolKind}
_VISIBILITIES: Final = {visibility.value: visibility for visibility in Visibility}

_ORDINAL: Final = (1 << ORDINAL_BITS) - 1


def file_row(row: tuple[Any, ...]) -> FileRow:
    """Return what `FILE_COLUMNS` gave."""
    return FileRow._make((*row[:4], bool(row[4]), *row[5:11], bool(row[11]), row[12]))


def stored_file(row: tuple[Any, ...]) -> StoredFile:
    """Return what `STORED_COLUMNS` gave."""
    return StoredFile(file_row(row[:-2]), *row[-2:])


def symbol_row(row: tuple[Any, ...]) -> SymbolRow:
    """Return what `SYMBOL_COLUMNS` gave."""
    symbol_id, name, kind, visibility, container, line, column, width, wide, path, language = row[:11]
    if wide is None:
        end = column + width
        start_place, end_place = (line, column, column, column), (line, end, end, end)
    else:
        numbers = msgspec.msgpack.decode(wide, type=list[int])
        start_place, end_place = tuple(numbers[:4]), tuple(numbers[4:])  # type: ignore[assignment]
    return SymbolRow(
        path,
        language,
        symbol_id & _ORDINAL,
        name,
        _KINDS[kind],
        container or "",
        _VISIBILITIES[visibility],
        start_place,
        end_place,
    )
