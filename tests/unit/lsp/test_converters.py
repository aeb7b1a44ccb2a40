"""Answers that are written as plain JSON equal those that the library's types would be written as."""

from __future__ import annotations

import pytest
from lsprotocol import types
from lsprotocol.converters import get_converter

from pilotfish.lsp import converters
from pilotfish.operations.answer import Position, Span
from pilotfish.operations.symbols import SymbolRecord

ROOT = "/a root"
SPAN = Span(Position(2, 1, 2, 3), Position(2, 4, 5, 6))
RECORDS = [
    SymbolRecord(name="ünï", kind="enum member", path="b c/ü.py", line=3, name_span=SPAN),
    SymbolRecord(name="area", kind="method", path="b c/ü.py", line=3, container="Outer.Circle", name_span=SPAN),
    SymbolRecord(name="odd", kind="no kind of LSP's", path="other.go", line=9, name_span=SPAN),
]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
def test_plain_workspace_symbols_equal_the_librarys(encoding: converters.Encoding) -> None:
    wanted = [
        types.WorkspaceSymbol(
            name=record.name,
            kind=converters.symbol_kind(record.kind),
            location=types.Location(
                converters.uri_in(ROOT, record.path), converters.span_range(record.name_span, encoding)
            ),
            container_name=record.container or None,
            data={"root": ROOT, "path": record.path, "name": qualified, "line": record.line},
        )
        for record, qualified in zip(RECORDS, ["ünï", "Outer.Circle.area", "odd"], strict=True)
    ]
    assert converters.workspace_symbols(RECORDS, ROOT, encoding) == get_converter().unstructure(wanted)
