"""Answers for people and for scripts."""

from __future__ import annotations

import io
import json

import msgspec
import pytest

from pilotfish.cli.render import outline_lines, render, to_json
from pilotfish.cli.terminal import Terminal
from pilotfish.operations import OPERATIONS
from pilotfish.operations.answer import Answer, IndexState, Position, Span
from pilotfish.operations.index import WhyResult
from pilotfish.operations.symbols import FileOutline, FindSymbolsResult, OutlineResult, SymbolRecord


def span(first: int, last: int) -> Span:
    return Span(Position(first, 0, 0, 0), Position(last, 9, 9, 9))


def record(name: str, first: int, last: int, **more: str) -> SymbolRecord:
    return SymbolRecord(
        name=name,
        kind="class",
        path="a.py",
        line=first + 1,
        name_span=span(first, first),
        span=span(first, last),
        **more,
    )


def shown(answer: Answer) -> tuple[str, str]:
    output, errors = io.StringIO(), io.StringIO()
    render(answer, Terminal(output, errors, {}))
    return output.getvalue(), errors.getvalue()


@pytest.mark.parametrize(
    "operation", [operation for operation in OPERATIONS if operation.cli], ids=lambda operation: operation.name
)
def test_every_answer_of_a_command_can_be_shown_both_ways(operation: object) -> None:
    answer = operation.result()  # type: ignore[attr-defined]
    shown(answer)
    keys = list(json.loads(to_json(answer)))
    assert keys[-3:] == ["outcome", "unsaved", "index"]
    assert set(keys) == {field.name for field in msgspec.structs.fields(type(answer))}


def test_json_counts_from_one() -> None:
    answer = FindSymbolsResult(symbols=[record("A", 0, 3)], index=IndexState(generation=4))
    symbol = json.loads(to_json(answer))["symbols"][0]
    assert symbol["line"] == symbol["span"]["start"]["line"] == symbol["span"]["start"]["column"] == 1
    assert symbol["span"]["end"] == {"line": 4, "column": 10}


def test_the_root_itself_is_named_as_in_the_shell() -> None:
    assert shown(WhyResult(rule="folder"))[0] == ".: not indexed\n  folder\n"


def test_outlines_are_indented_by_what_encloses() -> None:
    inner = [record("1.2 dotted", 1, 2), record("deep", 2, 2), record("next", 3, 3)]
    answer = OutlineResult(files=[FileOutline(path="a.py", language="python", symbols=[record("A", 0, 4), *inner])])
    out, _ = shown(answer)
    assert [len(line) - len(line[6:].lstrip()) for line in out.splitlines()[1:]] == [8, 10, 12, 10]


def test_outline_lines_hold_what_an_oracle_compares() -> None:
    (line,) = outline_lines(FileOutline(path="a.py", symbols=[record("m", 1, 2, container="A")]))
    assert json.loads(line) == {"path": "a.py", "name": "m", "kind": "class", "line": 2, "container": "A"}


def test_people_are_told_what_is_unsaved_and_what_was_cut() -> None:
    _, err = shown(FindSymbolsResult(symbols=[record("A\x07", 0, 1)], truncated=True, unsaved=["a.py"]))
    assert "--max-results" in err
    assert "a.py" in err
