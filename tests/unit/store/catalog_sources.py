"""Small files for the catalog's tests, written as text: one definition or use a line.

class Engine            a definition at the top
  def open              one inside it
  def _shut             private by its underscore
use open open           references
"""

from __future__ import annotations

import hashlib

from pilotfish.store.catalog import ParsedFile
from pilotfish.store.rows import pack
from pilotfish.syntax.outline import Outline, ReferenceGroup, Role, Symbol, SymbolKind, Visibility
from pilotfish.syntax.text import LineTable

KINDS = {"class": SymbolKind.CLASS, "def": SymbolKind.FUNCTION, "enum": SymbolKind.ENUM}


def outline_of(source: str) -> Outline:
    symbols: list[Symbol] = []
    uses: dict[str, list[int]] = {}
    offset, parent = 0, -1
    for line in source.splitlines(keepends=True):
        word, *names = line.split() or [""]
        if word == "use":
            for name in names:
                uses.setdefault(name, []).append(offset + len(uses))
        elif word in KINDS:
            is_top = not line.startswith(" ")
            start = offset + len(line[: line.index(names[0])].encode())
            symbols.append(
                Symbol(
                    name=names[0],
                    kind=KINDS[word],
                    parent=-1 if is_top else parent,
                    start=offset,
                    end=offset + len(line.encode()),
                    name_start=start,
                    name_end=start + len(names[0].encode()),
                    visibility=Visibility.PRIVATE if names[0].startswith("_") else Visibility.PUBLIC,
                )
            )
            parent = len(symbols) - 1 if is_top else parent
        offset += len(line.encode())
    references = [ReferenceGroup(name, Role.CALL, sorted(offsets)) for name, offsets in uses.items()]
    return Outline("python", symbols, references)


def parsed(path: str, source: str) -> ParsedFile:
    data = source.encode()
    lines = LineTable.from_text(data)
    outline, rows = pack(outline_of(source), data)
    return ParsedFile(
        path=path,
        content_hash=hashlib.sha256(data).digest(),
        size=len(data),
        mtime_ns=1,
        language="python",
        outline=outline,
        rows=rows,
        line_table=lines.to_bytes(),
    )


def listed(path: str, data: bytes = b"", reason: str = "") -> ParsedFile:
    return ParsedFile(
        path=path,
        content_hash=hashlib.sha256(data).digest(),
        size=len(data),
        mtime_ns=1,
        status="skipped" if reason else "listed",
        skip_reason=reason,
    )
