"""Answers that are written as plain JSON equal those that the library's types would be written as."""

from __future__ import annotations

import pytest
from lsprotocol import types
from lsprotocol.converters import get_converter

from pilotfish.lsp import converters
from pilotfish.operations.answer import Position, Span
from pilotfish.operations.search import SearchHit
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


def test_a_result_is_shown_from_the_line_that_matches() -> None:
    hits = [
        SearchHit(path="lib/a.txt", line_start=3, line_end=40, match_line=21),
        SearchHit(path="a.py", line_start=3, line_end=40, symbol_name="area", symbol_type="method"),
    ]
    matching, whole = converters.hits_as_symbols(hits, ROOT)
    assert matching["location"]["range"]["start"] == {"line": 20, "character": 0}
    assert whole["location"]["range"]["start"] == {"line": 2, "character": 0}
    assert [each["name"] for each in (matching, whole)] == ["a.txt:21", "area"]
