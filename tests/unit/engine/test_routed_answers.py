"""Questions in words that reach usages, calls and likeness by what they ask for."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
import pytest_asyncio
from tests.unit.engine.test_tracing import PYTHON

from pilotfish.engine import wire
from pilotfish.engine.engine import Engine
from pilotfish.engine.sessions import Session
from pilotfish.operations.search import SearchCodeResult


@pytest_asyncio.fixture
async def engine(tmp_path: Path) -> AsyncIterator[tuple[Engine, Session]]:
    root = tmp_path / "root"
    for path, text in PYTHON.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    engine = await Engine.open(root, index_folder=tmp_path / "index")
    hello = wire.Hello(token="", wire=wire.WIRE_VERSION, build="", kind="cli", client="test", pid=1)
    session = engine.connect(hello, lambda method, params: None)
    await engine.indexer.wait_quiet()
    yield engine, session
    await engine.close()


async def asked(engine: tuple[Engine, Session], query: str, **parameters: Any) -> SearchCodeResult:
    given = {"query": query, **parameters}
    answer = await engine[0].call(engine[1], "search_code", msgspec.Raw(msgspec.json.encode(given)))
    assert isinstance(answer, SearchCodeResult)
    return answer


async def test_who_calls_a_name_is_answered_by_its_callers_first(engine: tuple[Engine, Session]) -> None:
    found = await asked(engine, "who calls Store.save?")
    assert (found.strategy, found.intent) == ("usages", "find_usage")
    first = found.results[:2]
    assert {(hit.path, hit.symbol_name) for hit in first} == {("app/store.py", "flush"), ("app/main.py", "main")}
    assert all("save" in hit.code_snippet and hit.why.startswith("calls save") for hit in first)
    assert not any(hit.path.startswith("tests/") for hit in found.results)
    with_tests = await asked(engine, "which tests call Store.save?")
    assert ("tests/test_store.py", "test_save") in {(hit.path, hit.symbol_name) for hit in with_tests.results}
    assert "find_usages Store.save" in found.hint


async def test_what_a_name_calls_stands_behind_its_definition(engine: tuple[Engine, Session]) -> None:
    found = await asked(engine, "what does Store.save call")
    assert (found.strategy, found.intent) == ("callees", "trace_flow")
    assert [hit.symbol_name for hit in found.results[:3]] == ["save", "check", "flush"]
    assert "trace_execution Store.save" in found.hint


async def test_a_way_is_shown_by_its_definitions(engine: tuple[Engine, Session]) -> None:
    found = await asked(engine, "path from main to strip")
    assert found.strategy == "path"
    assert [hit.symbol_name for hit in found.results[:3]] == ["main", "clean", "strip"]


async def test_likeness_by_name(engine: tuple[Engine, Session]) -> None:
    found = await asked(engine, "code like Store.close")
    assert (found.strategy, found.intent) == ("similar", "find_similar")
    assert found.results[0].path == "app/base.py"


@pytest.mark.parametrize(
    ("query", "more", "strategy"),
    [
        ("who calls nothing_like_it", {}, "words"),
        ("save the store", {}, "words"),
        ("load", {}, "definitions"),
        ("who calls Store.save?", {"search_type": "symbol"}, "symbols"),
        ('"def load"', {}, "text"),
        ("who calls load", {"search_type": "text"}, "text"),
        ("", {}, "none"),
    ],
)
async def test_other_questions_say_how_they_were_answered(
    engine: tuple[Engine, Session], query: str, more: dict[str, Any], strategy: str
) -> None:
    assert (await asked(engine, query, **more)).strategy == strategy


async def test_filters_hold_for_what_is_routed(engine: tuple[Engine, Session]) -> None:
    found = await asked(engine, "usages of save", file_filter="app/main.py")
    assert {hit.path for hit in found.results} == {"app/main.py"}
    paged = [await asked(engine, "usages of save", max_results=1, page=page) for page in (1, 2)]
    assert paged[0].results[0] != paged[1].results[0]
    assert paged[0].truncated
