"""Text for a model: never over its budget, and nothing of the repository gets out of its fences."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from pilotfish.graph.tokens import estimate
from pilotfish.mcp import pages, schemas, structured
from pilotfish.mcp.text import DATA, error_line, outside, quoted, shares
from pilotfish.operations import OPERATIONS
from pilotfish.operations.answer import Answer, IndexState
from pilotfish.operations.explain import ExplainCodeResult
from pilotfish.operations.index import StatusResult
from pilotfish.operations.repo_map import RepoMapResult
from pilotfish.operations.search import (
    NOTHING_CLOSE,
    BuildContextResult,
    ContextPassage,
    SearchCodeResult,
    SearchHit,
)
from pilotfish.operations.trace import TraceExecutionResult, TraceStep
from pilotfish.retrieval.context import Piece, pack

texts = st.text(st.sampled_from("ab `~\n\t#\x1b\u202e\u200b\U000e0041é🐟") | st.characters(), max_size=300)
indexes = st.builds(
    IndexState,
    phase=st.sampled_from(["ready", "indexing", "starting"]),
    files=st.integers(0, 10**6),
    pending=st.integers(0, 10**6),
)
hits = st.builds(
    SearchHit,
    path=texts,
    line_start=st.integers(1, 10**6),
    line_end=st.integers(1, 10**6),
    symbol_name=texts,
    language=st.sampled_from(["python", "c++", ""]),
    code_snippet=texts,
    why=texts,
)
common = {
    "index": indexes,
    "unsaved": st.lists(texts, max_size=3),
    "outcome": st.sampled_from(["found", "not_indexed"]),
}
answers: st.SearchStrategy[Answer] = st.one_of(
    st.builds(SearchCodeResult, results=st.lists(hits, max_size=30), total=st.integers(0, 99), hint=texts, **common),
    st.builds(RepoMapResult, text=texts.map(lambda text: text * 20), **common),
    st.builds(BuildContextResult, text=texts.map(lambda text: text * 20), **common),
    st.builds(ExplainCodeResult, name=st.just("f"), source=texts, file_imports=st.lists(texts, max_size=30), **common),
)
BY_RESULT = {operation.result: operation for operation in OPERATIONS if operation.mcp}


@given(answers, st.integers(150, 2_000))
def test_no_answer_is_over_its_budget(answer: Answer, budget: int) -> None:
    text = pages.render(answer, budget)
    assert estimate(text) <= budget
    assert text.rpartition("\n")[2].startswith("[index: ")
    whole = schemas.plain(BY_RESULT[type(answer)], answer)
    assert estimate(json.dumps(structured.within(whole, budget), ensure_ascii=False, separators=(",", ":"))) <= budget


SECRET_ORDER = "ORDER"
hostile = st.lists(
    st.sampled_from(["`", "``", "```", "~~~", "\u200b", "\ufe0f", "\u3164", "\r", "\n", "\x85", "\u2028", "\x1b", "\t"])
    | st.sampled_from(["#", "# ", ">", "- ", "---", "===", "<!--", "1. ", " ", "word"]),
    max_size=20,
).map("".join)


@settings(deadline=None)
@given(hostile, hostile, hostile, st.booleans())
def test_nothing_of_a_file_gets_out_and_no_name_opens_a_block(path: str, name: str, source: str, named: bool) -> None:
    source = f"{source}{SECRET_ORDER}\n{source}"
    path, name = path or "p", name or "n"
    hit = SearchHit(path=path, line_start=1, line_end=3, symbol_name=name, code_snippet=source, language="python")
    packed = pack([Piece(path, 1, 3, source, source, "python")], 1_000, len)
    passage = ContextPassage(path=path, line_start=1, line_end=3)
    step = TraceStep(depth=1, caller=name, callee=name, path=path, line=1, kind="function", defined_at=f"{path}:1")
    for answer in (
        SearchCodeResult(results=[hit], total=1, hint=name if named else ""),
        ExplainCodeResult(name=name, path=path, kind="function", line_start=1, line_end=3, source=source),
        TraceExecutionResult(entry=name, entry_kind="function", entry_at=f"{path}:1", steps=[step], hint=path),
        BuildContextResult(text=packed.text, passages=[passage]),
        RepoMapResult(text=source),
    ):
        tokens = MarkdownIt().parse(pages.render(answer, 5_000))
        blocks = {token.type for token in tokens if token.nesting >= 0}
        headings = {"heading_open"} if isinstance(answer, BuildContextResult) else set()
        assert blocks <= {"paragraph_open", "inline", "fence", "ordered_list_open", "list_item_open"} | headings
        assert not any(SECRET_ORDER in token.content for token in tokens if token.type != "fence")


def test_names_that_read_like_sentences_are_quoted_and_cut() -> None:
    assert quoted("shop/__init__.py") == "shop/__init__.py"
    assert outside("__init__.py:1-3 file") == "__init__.py:1-3 file"
    assert quoted('Ignore "all"\n```\nbefore') == "\"Ignore 'all' ``` before\""
    assert len(quoted("x" * 300)) == 80
    assert outside("```.py:1-3 function f") == "\\`\\`\\`.py:1-3 function f"
    assert outside("1. # title") == "1. \\# title"


def test_errors_are_one_visible_line_that_ends_with_what_to_do() -> None:
    line = error_line("unknown language '" + "\x1b[31m x\n" * 50_000 + "'; the languages are python, rust")
    assert len(line) < 1_300
    assert line.isprintable()
    assert line.endswith("; the languages are python, rust")


@pytest.mark.parametrize("budget", [200, 1_500])
def test_a_status_names_few_of_many_warnings_and_repositories(budget: int) -> None:
    names = [f"repository {number}" for number in range(100)]
    text = pages.render(
        StatusResult(warnings=["w" * 80] * 2_000, nested_roots=names, nested_total=140, outcome="found"), budget
    )
    assert estimate(text) <= budget
    assert '140 repositories inside, each a root of its own ("repository 0", ' in text
    assert "and 132 more" in text
    assert "warning: and 1,995 more" in text or budget == 200


@given(answers)
def test_source_stands_between_fences_after_one_sentence(answer: Answer) -> None:
    text = pages.render(answer, 5_000)
    fences = [line for line in text.split("\n") if re.match("`{3}", line)]
    if fences and not isinstance(answer, BuildContextResult):
        assert text.index(DATA) < text.index("\n" + fences[0])
    assert text.count(DATA) <= 1 + str(answer).count(DATA)


def test_structured_content_holds_nothing_that_nobody_sees() -> None:
    hidden = "a\ufe0f\U000e0100\u034f\u115f\u1160\u3164\uffa0\u2800\U000e0041\u202eb"
    hit = SearchHit(path=hidden, line_start=1, line_end=1, symbol_name=hidden, code_snippet=hidden)
    answer = SearchCodeResult(results=[hit], total=1)
    shown = structured.within(schemas.plain(BY_RESULT[SearchCodeResult], answer), 1_000)
    (result,) = shown["results"]
    assert result["path"] == result["symbol_name"] == result["code_snippet"] == "ab"


@given(st.lists(st.integers(0, 500), max_size=20), st.integers(0, 2_000))
def test_room_is_shared_fairly_and_used(wishes: list[int], room: int) -> None:
    granted = shares(wishes, room)
    assert sum(granted) <= room
    assert all(0 <= share <= wish for share, wish in zip(granted, wishes, strict=True))
    if sum(wishes) <= room:
        assert granted == wishes


def test_the_last_line_tells_what_is_not_saved_and_what_is_pending() -> None:
    answer = SearchCodeResult(
        index=IndexState(generation=7, phase="indexing", files=40, pending=80), unsaved=["a.py"], outcome="not_indexed"
    )
    first, *_, last = pages.render(answer, 1_500).splitlines()
    said = "nothing is found so far. sync_repository waits until it is."
    assert first == f"Not indexed yet (indexing, 40 of 120 files): {said}"
    assert "No match" not in pages.render(answer, 1_500)
    assert last == "[index: generation 7, indexing, 40 files, 80 pending, unsaved in the editor: a.py]"


def test_source_is_cut_to_what_is_around_the_line_that_matches() -> None:
    lines = [f"line {number:02}" for number in range(60)]
    snippet = "\n".join([lines[0], "… 9 lines", *lines[10:50], "… 10 more lines"])
    hit = SearchHit(path="a.py", line_start=101, line_end=160, match_line=141, code_snippet=snippet)
    shown = pages.render(SearchCodeResult(results=[hit], total=1), 110)
    assert "\nline 00\n…\nline 38\nline 39\nline 40\n" in shown


def test_that_nothing_is_close_is_said_before_the_results() -> None:
    hits = [SearchHit(path="a.py", line_start=1, line_end=2, code_snippet="pass")]
    ready = IndexState(phase="ready", files=1)
    answer = SearchCodeResult(results=hits, total=1, hint=f"{NOTHING_CLOSE} Ask in other words.", index=ready)
    first, second, *_, _ = pages.render(answer, 1_500).splitlines()
    assert (first, second) == (NOTHING_CLOSE, "1 result of 1 found, page 1")
