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
from pilotfish.operations.index import SemanticStatus, StatusResult, WhyResult
from pilotfish.operations.search import Coverage, SearchCodeResult
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


def test_a_folder_is_said_to_be_one_and_its_files_are_counted() -> None:
    answer = WhyResult(path="lib", indexed=True, listed=True, files=2, rule="folder", detail="1 of them by name")
    assert shown(answer)[0] == "lib: folder, 2 files indexed\n  folder: 1 of them by name\n"


def test_advice_is_in_the_words_of_the_shell_for_scripts_too() -> None:
    missing = "Meaning was not compared: see max_tokens"
    answer = SearchCodeResult(hint="page=2 shows more.", coverage=Coverage(missing=missing))
    said = json.loads(to_json(answer))
    assert (said["hint"], said["coverage"]["missing"]) == ("--page 2 shows more.", missing.replace("max_t", "--max-t"))


def test_what_is_wrong_is_said_once() -> None:
    reason = "the model minilm is not installed"
    warnings = [f"search goes on without vectors: {reason}", "the disk is full"]
    status = StatusResult(semantic=SemanticStatus(phase="failed", model="minilm", message=reason), warnings=warnings)
    out, err = shown(status)
    assert out.count(reason) == 1
    assert err == "warning: the disk is full\n"
    late = SearchCodeResult(outcome="not_indexed", coverage=Coverage(missing="The index is being made."), hint="page=2")
    assert shown(late) == ("", "")


def test_where_no_file_is_indexed_no_other_words_help() -> None:
    answer = SearchCodeResult(outcome="no_match", hint="Nothing was found. Try again with other words.")
    assert shown(answer)[1] == "No file is indexed here; `pilotfish index --dry-run` tells why.\n"
    answer = SearchCodeResult(outcome="no_match", hint="Try again.", index=IndexState(files=3))
    assert shown(answer)[1] == "Try again.\n"


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
