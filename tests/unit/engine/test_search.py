"""Searching in a live engine: what is gathered from the catalog and from unsaved texts, filters, likeness."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
import pytest_asyncio

from pilotfish.engine import wire
from pilotfish.engine.engine import Engine
from pilotfish.engine.searching.filters import Filter, speaks_of_tests
from pilotfish.engine.searching.gathering import Gathering
from pilotfish.engine.searching.meaning import PATIENCE_S
from pilotfish.engine.searching.search import so_far
from pilotfish.engine.sessions import Session
from pilotfish.engine.view import View
from pilotfish.graph.tokens import estimate
from pilotfish.indexing.progress import State
from pilotfish.operations.answer import Answer
from pilotfish.operations.search import (
    NOTHING_CLOSE,
    BuildContextResult,
    Coverage,
    FindSimilarParameters,
    FindSimilarResult,
    SearchCodeParameters,
    SearchCodeResult,
)
from pilotfish.syntax.terms import question_terms

pytestmark = pytest.mark.vectors

RETRY = '''\
def {name}(request, attempts):
    """Send the request again after a pause that doubles each time."""
    pause = 1.0
    for number in range(attempts):
        answer = transport.deliver(request, deadline=pause)
        if answer.accepted:
            return answer
        pause *= 2
    raise GaveUp(request, attempts)
'''
FILES = {
    "net/again.py": RETRY.format(name="send_again"),
    "net/copy.py": "# The same once more.\n" + RETRY.format(name="deliver_with_patience"),
    "net/limits.go": "package net\n\n// Throttle holds requests back.\nfunc Throttle(request Request) bool {\n"
    "\treturn request.Weight() > budget.Left()\n}\n",
    "shop/basket.py": "class Basket:\n    def total(self):\n        return sum(item.price for item in self.items)\n",
    "tests/test_again.py": "def test_send_again_gives_up():\n    assert send_again(request, attempts=3) is None\n",
    "docs/guide.md": "# Guide\n\nA request that fails is sent again after a pause.\n\n## Limits\n\nAsk for less.\n",
}


@pytest.fixture(autouse=True)
def _own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PILOTFISH_HOME", str(tmp_path / "home"))


@pytest_asyncio.fixture
async def engine(tmp_path: Path) -> AsyncIterator[tuple[Engine, Session]]:
    root = tmp_path / "root"
    for path, text in FILES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    engine = await Engine.open(root, index_folder=tmp_path / "index")
    hello = wire.Hello(token="", wire=wire.WIRE_VERSION, build="", kind="lsp", client="test", pid=1)
    session = engine.connect(hello, lambda method, params: None)
    await engine.indexer.wait_quiet()
    yield engine, session
    await engine.close()


async def search(engine: tuple[Engine, Session], query: str, **more: Any) -> SearchCodeResult:
    answer = await _asked(engine, "search_code", query=query, **more)
    assert isinstance(answer, SearchCodeResult)
    return answer


async def similar(engine: tuple[Engine, Session], **parameters: Any) -> FindSimilarResult:
    answer = await _asked(engine, "find_similar", **parameters)
    assert isinstance(answer, FindSimilarResult)
    return answer


async def _asked(engine: tuple[Engine, Session], operation: str, **parameters: Any) -> Answer:
    return await engine[0].call(engine[1], operation, msgspec.Raw(msgspec.json.encode(parameters)))


async def show(engine: tuple[Engine, Session], path: str, text: str, version: int = 1) -> None:
    """Have a document open with a text."""
    uri = (Path(engine[0].root) / path).as_uri()
    method = "document/open" if uri not in engine[1].documents else "document/change"
    params = wire.DocumentText(uri=uri, version=version, text=text, language="python")
    engine[0].receive(engine[1], method, msgspec.Raw(msgspec.json.encode(params)))
    document = engine[1].documents[uri]
    await document.decided.wait()
    await document.settled.wait()


def places(answer: SearchCodeResult | FindSimilarResult) -> list[str]:
    return [hit.path for hit in answer.results]


async def gathered(engine: tuple[Engine, Session], question: str) -> dict[tuple[str, int], float]:
    """What a question's terms find: the score of each chunk by path and first line."""
    found: dict[tuple[str, int], float] = {}

    def gather(view: View, parameters: SearchCodeParameters) -> Answer:
        gathering = Gathering(view, Filter(parameters))
        gathering.by_terms(question_terms(question))
        found.update({(each.row.path, each.row.line_start): each.terms for each in gathering.all()})
        return Answer()

    await engine[0].read(engine[1], gather, SearchCodeParameters(query=question, tests="include"))
    return found


async def test_words_find_code_and_documentation(engine: tuple[Engine, Session]) -> None:
    answer = await search(engine, "where are requests sent again after a pause?")
    assert {"net/again.py", "net/copy.py", "docs/guide.md"} <= set(places(answer))
    assert "tests/test_again.py" not in places(answer)
    assert "tests/test_again.py" in places(await search(engine, "test that sending again gives up"))
    assert places(await search(engine, "requests that are throttled", language="go")) == ["net/limits.go"]
    assert set(places(await search(engine, "requests", file_filter="docs/"))) == {"docs/guide.md"}
    assert set(places(await search(engine, "total price of a basket", kind="method"))) <= {"shop/basket.py"}
    assert (await search(engine, "quantum chromodynamics")).outcome == "no_match"


async def test_an_unsaved_text_is_scored_as_a_saved_one(engine: tuple[Engine, Session]) -> None:
    question = "send the request again with a deadline"
    saved = await gathered(engine, question)
    await show(engine, "net/again.py", FILES["net/again.py"])
    unsaved = await gathered(engine, question)
    assert unsaved == pytest.approx(saved)
    await show(engine, "net/again.py", "\n\n\n" + FILES["net/again.py"], 2)
    moved = await gathered(engine, question)
    assert moved[("net/again.py", 4)] == pytest.approx(saved[("net/again.py", 1)])
    assert ("net/again.py", 1) not in moved


async def test_what_is_typed_is_found_before_it_is_saved(engine: tuple[Engine, Session]) -> None:
    await show(engine, "shop/basket.py", "def discount_for_loyal_customers(basket):\n    return basket.total() * 0.9\n")
    await show(engine, "shop/new.py", "def gift_wrapping(parcel):\n    return parcel.in_paper()\n")
    (hit, *_) = (await search(engine, "discount for customers that are loyal")).results
    assert (hit.path, hit.symbol_name) == ("shop/basket.py", "discount_for_loyal_customers")
    assert hit.code_snippet.startswith("def discount_for_loyal_customers(basket):")
    assert places(await search(engine, "wrapping of gifts in paper"))[0] == "shop/new.py"
    assert "shop/basket.py" not in places(await search(engine, "the price of an item"))


async def test_text_of_several_words_is_found(engine: tuple[Engine, Session]) -> None:
    assert places(await search(engine, '"return request.Weight() > budget.Left()"')) == ["net/limits.go"]
    assert places(await search(engine, "a REQUEST that fails", search_type="text")) == []
    assert places(await search(engine, "a request that\nfails is sent", search_type="text")) == ["docs/guide.md"]
    assert len((await search(engine, "answer = transport.deliver(request", search_type="text")).results) == 2
    await show(engine, "shop/basket.py", "# nothing in this basket is sold\n")
    assert places(await search(engine, '"nothing in this basket is sold"')) == ["shop/basket.py"]


@pytest.mark.parametrize(
    ("query", "name", "path"),
    [
        ("send_agian", "send_again", "net/again.py"),
        ("deliver_with_patiience", "deliver_with_patience", "net/copy.py"),
        ("Throtttle", "Throttle", "net/limits.go"),
        ("Basket.totla()", "total", "shop/basket.py"),
    ],
)
async def test_a_slip_in_a_name_finds_what_was_meant(
    engine: tuple[Engine, Session], query: str, name: str, path: str
) -> None:
    for search_type in ("hybrid", "symbol"):
        answer = await search(engine, query, search_type=search_type)
        hit = answer.results[0]
        assert (hit.path, hit.symbol_name, hit.why) == (path, name, f"name like {name}")
        assert answer.hint.endswith(f"Nothing is called {query}. Did you mean {name}?")
        assert all(other.score < hit.score for other in answer.results[1:])


async def test_what_is_no_slip_is_answered_by_words(engine: tuple[Engine, Session]) -> None:
    answer = await search(engine, "patience")  # a part of a name
    assert not any(hit.why.startswith("name like") for hit in answer.results)
    answer = await search(engine, "deadline")  # in a text alone
    assert not any(hit.why.startswith("name like") for hit in answer.results)
    assert (await search(engine, "send_agian", kind="class", search_type="symbol")).outcome == "no_match"
    assert "did you mean send_again?" in (await similar(engine, symbol_name="send_agian")).hint


async def test_places_within_a_definition_are_one_result(engine: tuple[Engine, Session]) -> None:
    lines = "".join(f"    step_{number}()\n" + "    rest()\n" * 20 for number in range(3))
    await show(engine, "shop/basket.py", f"def many():\n{lines}\n\ndef one():\n    step_1()\n")
    answer = await search(engine, '"step_"')
    assert [hit.symbol_name for hit in answer.results] == ["many", "one"]
    assert answer.results[0].why == "text on lines 2, 23, 44"


async def test_code_like_a_definition(engine: tuple[Engine, Session]) -> None:
    answer = await similar(engine, symbol_name="send_again")
    assert answer.subject == "function send_again in net/again.py:1-9"
    assert answer.results[0].path == "net/copy.py"
    assert "again.py" not in {Path(path).name for path in places(answer)}
    same = await similar(engine, file_path="net/again.py", line_start=1, line_end=9)
    assert places(same)[0] == places(answer)[0]
    (copy, *_) = (await similar(engine, snippet=FILES["net/copy.py"])).results
    assert copy.why == "a copy, or nearly"
    await show(engine, "shop/basket.py", RETRY.format(name="send_again"))
    assert "2 definitions are called so; file_hint" in (await similar(engine, symbol_name="send_again")).hint
    assert "file_hint" not in (await similar(engine, symbol_name="send_again", file_hint="net/again.py")).hint
    assert (await similar(engine, symbol_name="nowhere")).outcome == "no_match"
    assert (await similar(engine, file_path="net/none.py")).outcome == "no_match"
    assert (await similar(engine, snippet="")).outcome == "no_match"


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        ({}, "one piece"),
        ({"symbol_name": "a", "snippet": "b"}, "one piece"),
        ({"file_path": "../elsewhere.py"}, "outside the root"),
        ({"file_path": "net/again.py", "line_start": 5, "line_end": 2}, "before line 5"),
        ({"file_path": "net/again.py", "line_start": 0}, "line_start"),
        ({"symbol": "a"}, "symbol"),
    ],
)
async def test_likeness_needs_one_piece(engine: tuple[Engine, Session], parameters: dict[str, Any], said: str) -> None:
    with pytest.raises(wire.OperationError, match=said):
        await similar(engine, **parameters)


async def test_a_context_keeps_to_its_budget(engine: tuple[Engine, Session]) -> None:
    task = "send a request again after a longer pause"
    whole = await context(engine, task)
    assert (whole.outcome, whole.max_tokens, whole.counter) == ("found", 8_000, "characters / 4")
    assert "def send_again(request, attempts):" in whole.text
    assert {each.form for each in whole.passages} == {"full"}
    assert not {"tests/test_again.py"} & {each.path for each in whole.passages}
    for budget in (0, 1, 30, 60, 120, 240):
        part = await context(engine, task, max_tokens=budget)
        assert part.tokens == estimate(part.text) <= part.max_tokens == budget
        assert (part.outcome == "found") == bool(part.passages) == bool(part.text)
    assert (await context(engine, task, context_tokens=1_000)).max_tokens == 400
    assert (await context(engine, task, context_tokens=1_000, max_tokens=100)).max_tokens == 100
    assert (await context(engine, "  ")).outcome == "no_match"
    nothing = await context(engine, task, max_tokens=1)
    assert "max_tokens" in nothing.hint


async def context(engine: tuple[Engine, Session], task: str, **more: Any) -> BuildContextResult:
    answer = await _asked(engine, "build_context", task=task, **more)
    assert isinstance(answer, BuildContextResult)
    return answer


async def test_meaning_is_compared_once_there_are_vectors(engine: tuple[Engine, Session]) -> None:
    await engine[0].wait_quiet()
    answer = await search(engine, "retry with exponential backoff", max_results=3)
    assert answer.coverage.missing == ""
    assert "vectors" in answer.coverage.searched
    assert all(hit.similarity is not None for hit in answer.results)
    assert answer.index.embedded == answer.index.chunks > 0
    alone = await search(engine, "retry with exponential backoff", search_type="semantic", similarity_threshold=0.05)
    assert alone.coverage.searched == ["vectors"]
    assert {hit.path for hit in alone.results} & {"net/again.py", "net/copy.py"}
    strict = await search(engine, "retry with exponential backoff", search_type="semantic", similarity_threshold=0.99)
    assert strict.results == []
    again = await search(engine, "retry with exponential backoff", max_results=3)
    assert msgspec.json.encode(again.results) == msgspec.json.encode(answer.results)


async def test_a_question_about_what_is_not_there_is_told_so(engine: tuple[Engine, Session]) -> None:
    await engine[0].wait_quiet()
    far = NOTHING_CLOSE
    assert far in (await search(engine, "which patients have an appointment with more items")).hint
    assert far not in (await search(engine, "where are requests sent again after a pause")).hint
    assert far not in (await search(engine, "throttle requests")).hint


async def test_a_passage_is_called_by_the_definition_that_has_the_words(engine: tuple[Engine, Session]) -> None:
    shelf = "class Shelf:\n    size = 1\n\n\ndef first():\n    return 0\n"
    await show(engine, "shop/shelf.py", f"{shelf}\n\ndef last(parcel):\n    return weigh_twice(parcel)\n")
    (hit, *_) = (await search(engine, "where is a parcel weighed twice")).results
    assert (hit.path, hit.symbol_name, hit.line_start, hit.match_line) == ("shop/shelf.py", "last", 1, 10)


async def test_a_long_result_shows_the_line_that_matters(engine: tuple[Engine, Session]) -> None:
    body = "".join(f"    step_{number} = {number}\n" for number in range(30))
    await show(engine, "shop/long.py", f"def long(parcel):\n{body}    seal_with_wax(parcel)\n    return parcel\n")
    (hit, *_) = (await search(engine, "where is a parcel sealed with wax", snippet_chars=120)).results
    lines = hit.code_snippet.splitlines()
    assert lines[0] == "def long(parcel):"
    assert "    seal_with_wax(parcel)" in lines
    assert hit.match_line == 32


async def test_names_that_a_task_writes_out_come_first(engine: tuple[Engine, Session]) -> None:
    await show(engine, "shop/keys.py", 'def weigh(box):\n    return box.weight > settings["MAX_BOX_WEIGHT"]\n')
    task = "send requests again after a pause: MAX_BOX_WEIGHT is now the greatest number of attempts"
    answer = await _asked(engine, "build_context", task=task)
    assert isinstance(answer, BuildContextResult)
    assert answer.passages[0].path == "shop/keys.py"
    assert "net/again.py" in {each.path for each in answer.passages}


async def test_an_engine_closes_while_it_is_asked(tmp_path: Path) -> None:
    (tmp_path / "root").mkdir()
    (tmp_path / "root" / "again.py").write_text(FILES["net/again.py"])
    engine = await Engine.open(tmp_path / "root", index_folder=tmp_path / "index")
    hello = wire.Hello(token="", wire=wire.WIRE_VERSION, build="", kind="lsp", client="test", pid=1)
    session = engine.connect(hello, lambda method, params: None)
    await engine.wait_quiet()
    asked = [asyncio.ensure_future(search((engine, session), f"send request {number}")) for number in range(6)]
    await asyncio.sleep(0.02)
    async with asyncio.timeout(PATIENCE_S):
        await engine.close()
    await asyncio.gather(*asked, return_exceptions=True)


def test_an_answer_says_that_the_index_is_being_made() -> None:
    missing = Coverage(searched=["text"], missing="No meaning.")
    assert so_far(missing, State(phase="ready")) is missing
    made = so_far(missing, State(phase="indexing", pending=1_200))
    assert made.missing == "The index is being made, 1,200 files are pending. No meaning."
    assert so_far(Coverage(), State(phase="scanning")).missing == "The index is being made."


def test_questions_that_speak_of_tests() -> None:
    assert all(map(speaks_of_tests, ("unit tests of login", "the retry test", "fixtures for users", "tests/unit")))
    assert not any(map(speaks_of_tests, ("attest a claim", "latest version", "contest", "where is login")))
    assert Filter(FindSimilarParameters(file_filter="tests/**")).accepts("tests/test_a.py", "python")
