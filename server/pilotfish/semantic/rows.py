"""From the chunks of a file in the catalog to rows of the vector table, and the texts that are embedded for them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from pilotfish.store.chunks import ChunkRow, Chunks, open_chunks
from pilotfish.store.matching import clean
from pilotfish.store.rows import DAMAGED, PackedSymbols
from pilotfish.store.vector_rows import VectorRow
from pilotfish.syntax import documentation
from pilotfish.syntax.languages import REGISTRY
from pilotfish.syntax.outline import Symbol, SymbolKind
from pilotfish.syntax.passages import passage_of

MOST_TEXT: Final = 6_000
"""Of a chunk's text, so many characters are kept beside its vector."""


class FileRows(NamedTuple):
    """The rows of one file, and beside each the passage that is embedded for it."""

    path: str
    rows: list[VectorRow]
    passages: list[str]


def read_rows(catalog: Path, paths: Sequence[str], enough: int) -> Iterator[list[FileRows]]:
    """Read files from a catalog, group by group; no snapshot stays open while the caller works on a group.

    Args:
        catalog: the file of the catalog of another process.
        paths: what to read; a file that is gone or has no chunks has no rows.
        enough: a group ends with the file with which it has as many chunks.

    Raises:
        CatalogError: the catalog cannot be read.

    """
    waiting = list(reversed(paths))
    while waiting:
        group: list[FileRows] = []
        found = 0
        with open_chunks(catalog) as chunks:
            while waiting and found < enough:
                group.append(_rows_of(chunks, waiting.pop()))
                found += len(group[-1].rows)
        yield group


def _rows_of(chunks: Chunks, path: str) -> FileRows:
    found = chunks.of_path(path)
    text = chunks.text(path) if found else None
    if text is None:
        return FileRows(path, [], [])
    about = _About(chunks.outline(path), text, found[0].language)
    rows, passages = [], []
    for chunk in found:
        code = text[chunk.start : chunk.end].decode("utf-8", "replace")
        signature, prose = about.described(chunk)
        rows.append(
            VectorRow(
                filepath=path,
                symbol_name=chunk.name,
                symbol_type="" if chunk.kind is None else SymbolKind(chunk.kind).label,
                language=chunk.language or "",
                line_start=chunk.line_start,
                line_end=chunk.line_end,
                text=code[:MOST_TEXT],
                text_hash=chunk.text_hash,
                signature=signature,
                parent=chunk.scope,
                docstring=prose,
            )
        )
        passages.append(passage_of(code, chunk.name, chunk.scope))
    return FileRows(path, rows, passages)


class _About:
    """Signature and documentation of the definitions that the chunks of a file are about."""

    def __init__(self, packed: bytes | None, text: bytes, language: str | None) -> None:
        self._text = text
        self._language = language if language in REGISTRY else None
        self._places: dict[str, list[int]] = {}
        self._symbols: PackedSymbols | None = None
        if packed is None or self._language is None:
            return
        try:
            self._symbols = PackedSymbols(packed)
        except DAMAGED:  # the catalog finds out by itself; rows are found without
            return
        for ordinal, name in enumerate(self._symbols.names):
            self._places.setdefault(clean(name), []).append(ordinal)

    def described(self, chunk: ChunkRow) -> tuple[str, str]:
        symbol = self._symbol(chunk)
        if symbol is None or self._language is None:
            return "", ""
        return (
            documentation.signature(self._text, symbol, self._language),
            documentation.documentation(self._text, symbol, self._language),
        )

    def _symbol(self, chunk: ChunkRow) -> Symbol | None:
        """Return the definition that a chunk is about: of its name and kind, the first that reaches into it."""
        if self._symbols is None or not chunk.name:
            return None
        for ordinal in self._places.get(chunk.name, ()):
            symbol = self._symbols.symbol(ordinal)
            if symbol.kind == chunk.kind and symbol.start < chunk.end and symbol.end > chunk.start:
                return symbol
        return None
