"""Unsaved texts are found by meaning once nobody types: real worker, real model, real table; nothing of it is kept."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
import pytest_asyncio

from pilotfish.engine import unsaved, wire
from pilotfish.engine.engine import Engine
from pilotfish.engine.sessions import Document, OverlayVectors, Session
from pilotfish.operations.search import (
    BuildContextResult,
    FindSimilarResult,
    SearchCodeResult,
)

pytestmark = pytest.mark.vectors

PATIENCE_S = 60.0
SAVED = '''\
def total(basket):
    """Add up what the things in a basket cost, the cheapest one for nothing when there are three of a kind."""
    prices = sorted(thing.price * thing.number for thing in basket.things if not thing.is_free)
    if len({thing.kind for thing in basket.things}) == 1 and len(basket.things) > 2:
        prices = prices[1:]
    if basket.voucher is not None and basket.voucher.least <= sum(prices):
        prices.append(-basket.voucher.worth)
    if basket.parcel.weight > HEAVY:
        prices.append(basket.parcel.weight * PRICE_OF_WEIGHT)
    if basket.parcel.is_abroad:
        prices.append(basket.parcel.country.duty(sum(prices)))
    return max(sum(prices), 0)
'''
TYPED = '''\
def delete_user(account):
    """Remove the account and erase every personal record from the database."""
    database.execute("delete from users where id = ?", account.id)
    audit.write("removed", account.id)
'''
QUESTION = "wipe somebody's profile"
"""Shares no word with what is typed."""


@pytest.fixture(autouse=True)
def _own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PILOTFISH_HOME", str(tmp_path / "home"))


@pytest_asyncio.fixture
async def engine(tmp_path: Path) -> AsyncIterator[Engine]:
    (tmp_path / "root").mkdir()
    (tmp_path / "root" / "basket.py").write_text(SAVED)
    engine = await Engine.open(tmp_path / "root", index_folder=tmp_path / "index")
    await engine.wait_quiet()
    yield engine
    await engine.close()


def joined(engine: Engine, kind: str = "lsp") -> Session:
    hello = wire.Hello(token="", wire=wire.WIRE_VERSION, build="", kind=kind, client="test", pid=1)  # type: ignore[arg-type]
    return engine.connect(hello, lambda method, params: None)


async def show(engine: Engine, session: Session, path: str, text: str) -> Document:
    """Have a document open with a text."""
    uri = (Path(engine.root) / path).as_uri()
    method = "document/open" if uri not in session.documents else "document/change"
    params = wire.DocumentText(uri=uri, version=1, text=text, language="python")
    engine.receive(session, method, msgspec.Raw(msgspec.json.encode(params)))
    document = session.documents[uri]
    await document.decided.wait()
    await document.settled.wait()
    return document


def tell(engine: Engine, session: Session, method: str, document: Document) -> None:
    engine.receive(session, method, msgspec.Raw(msgspec.json.encode(wire.DocumentName(uri=document.uri))))


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not condition():
            await asyncio.sleep(0.02)


def vectors(document: Document) -> OverlayVectors | None:
    return document.vectors


async def asked(engine: Engine, session: Session, operation: str, **parameters: Any) -> Any:
    return await engine.call(session, operation, msgspec.Raw(msgspec.json.encode(parameters)))


async def by_meaning(engine: Engine, session: Session, question: str = QUESTION) -> list[str]:
    """Return the paths that are found by meaning alone."""
    answer = await asked(engine, session, "search_code", query=question, search_type="semantic")
    assert isinstance(answer, SearchCodeResult)
    return [hit.path for hit in answer.results]


async def test_what_is_typed_is_found_by_meaning_until_it_is_closed(engine: Engine, tmp_path: Path) -> None:
    editor, agent = joined(engine), joined(engine, "mcp")
    known = _cached(tmp_path)
    document = await show(engine, editor, "basket.py", SAVED + "\n\n" + TYPED)
    await until(lambda: vectors(document) is not None)
    for session in (editor, agent):
        (hit, *_) = (await asked(engine, session, "search_code", query=QUESTION)).results
        assert (hit.path, hit.symbol_name) == ("basket.py", "delete_user")
        assert "meaning" in hit.why
        context = await asked(engine, session, "build_context", task=QUESTION)
        assert isinstance(context, BuildContextResult)
        assert "def delete_user(account):" in context.text
        alike = await asked(engine, session, "find_similar", snippet="def drop_member(who): registry.purge(who.key)")
        assert isinstance(alike, FindSimilarResult)
        assert [each.symbol_name for each in alike.results if each.similarity is not None][:1] == ["delete_user"]
    assert joined(engine).documents == {}
    assert await by_meaning(engine, joined(engine)) == [], "another editor sees the file"
    tell(engine, editor, "document/close", document)
    assert vectors(document) is None
    assert await by_meaning(engine, agent) == []
    await engine.wait_quiet()
    assert _cached(tmp_path) == known
    assert not [file for file in tmp_path.rglob("*") if file.is_file() and b"personal record" in file.read_bytes()]


async def test_only_chunks_that_the_file_does_not_have_are_embedded_and_secrets_never(engine: Engine) -> None:
    session = joined(engine)
    clean = await show(engine, session, "basket.py", SAVED)
    key = "AKIA" + "QX7ZP3MNB2VK5TLD"
    other = await show(engine, session, "other.py", f'ACCESS = "{key}"\n' + TYPED)
    hidden = await show(engine, session, ".env", f"TOKEN={key}\n" + TYPED)
    await until(lambda: vectors(other) is not None)
    assert vectors(clean) is None, "all of it is in the table"
    assert vectors(hidden) is None
    assert "basket.py" in await by_meaning(engine, session, "sum of all prices"), "an open text has its rows' evidence"
    (told,) = unsaved._passages(other.overlay, frozenset(), with_secrets=False).values()  # type: ignore[arg-type]
    assert key not in told
    held = vectors(other)
    assert held is not None
    assert len(held.by_hash) == 1
    changes = engine.unsaved.changes
    await show(engine, session, "other.py", f'\n\nACCESS = "{key}"\n' + TYPED)  # moved, the same chunk
    async with asyncio.timeout(PATIENCE_S):
        while engine.unsaved._timers or engine.unsaved._turn.locked():
            await asyncio.sleep(0.02)
    assert engine.unsaved.changes == changes


async def test_the_table_takes_over_what_is_saved(engine: Engine) -> None:
    session = joined(engine)
    document = await show(engine, session, "basket.py", SAVED + "\n\n" + TYPED)
    await until(lambda: vectors(document) is not None)
    (Path(engine.root) / "basket.py").write_text(SAVED + "\n\n" + TYPED)
    tell(engine, session, "document/save", document)
    await until(lambda: vectors(document) is None)
    await engine.wait_quiet()
    assert await by_meaning(engine, session) == ["basket.py"]


async def test_a_session_that_ends_and_a_bound_that_is_met_leave_nothing(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = joined(engine)
    first = await show(engine, session, "first.py", TYPED)
    await until(lambda: vectors(first) is not None)
    monkeypatch.setattr(unsaved, "MOST_BYTES", 1_500)  # one vector of 256 numbers
    second = await show(engine, session, "second.py", TYPED.replace("delete_user", "remove_user"))
    await until(lambda: vectors(second) is not None)
    assert vectors(first) is None, "it was left alone for longer"
    engine.disconnect(session)
    assert vectors(second) is None
    assert not engine.unsaved._documents


async def test_nothing_happens_where_vectors_are_switched_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PILOTFISH_SEMANTIC_COVERAGE", "off")
    (tmp_path / "root").mkdir()
    engine = await Engine.open(tmp_path / "root", index_folder=tmp_path / "index")
    await show(engine, joined(engine), "typed.py", TYPED)
    assert not engine.unsaved._timers
    assert engine.semantics.pids() == []
    await engine.close()


def _cached(folder: Path) -> dict[str, int]:
    """Return how many vectors each cache holds."""
    from pilotfish.store.vector_cache import VectorCache

    found = {}
    for file in folder.rglob("*.sqlite"):
        if "-" in file.stem:
            cache = VectorCache.open(file, 256)
            found[file.name] = len(cache)
            cache.close()
    return found
