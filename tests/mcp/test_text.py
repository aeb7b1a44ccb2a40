"""Text for a model: never over its budget, and nothing of the repository gets out of its fences."""

from __future__ import annotations

import json
import re

from hypothesis import given
from hypothesis import strategies as st

from pilotfish.graph.tokens import estimate
from pilotfish.mcp import pages, schemas, structured
from pilotfish.mcp.text import DATA, clean, fenced, shares
from pilotfish.operations import OPERATIONS
from pilotfish.operations.answer import Answer, IndexState
from pilotfish.operations.explain import ExplainCodeResult
from pilotfish.operations.repo_map import RepoMapResult
from pilotfish.operations.search import BuildContextResult, SearchCodeResult, SearchHit

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


@given(texts)
def test_nothing_inside_closes_a_fence(source: str) -> None:
    first, *inside, last = fenced(source, "python").split("\n")
    ticks = first.removesuffix("python")
    assert set(ticks) == {"`"}
    assert last == ticks
    assert all(ticks not in line for line in inside)


@given(answers)
def test_source_stands_between_fences_after_one_sentence(answer: Answer) -> None:
    text = pages.render(answer, 5_000)
    fences = [line for line in text.split("\n") if re.match("`{3}", line)]
    if fences and not isinstance(answer, BuildContextResult):
        assert text.index(DATA) < text.index("\n" + fences[0])
    assert text.count(DATA) <= 1 + str(answer).count(DATA)


@given(st.text())
def test_what_nobody_sees_is_taken_out(text: str) -> None:
    assert not re.search(
        "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff\U000e0000-\U000e007f]",
        clean(text),
    )
    assert clean("def naïve_名前(x): return '🐟'\n\tpass") == "def naïve_名前(x): return '🐟'\n\tpass"


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
    assert (
        first == "Not indexed yet (indexing, 40 of 120 files): nothing is found so far; there may be some. Ask again."
    )
    assert last == "[index: generation 7, indexing, 40 files, 80 pending, unsaved in the editor: a.py]"
