"""What is damaged behind the back of an engine, or before it begins, is noticed; no answer passes it over."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from tests.unit.engine.test_semantics import Place, cut_in_half, has_all_rows, nearest

from pilotfish.engine import engine as engine_module
from pilotfish.engine import wire
from pilotfish.engine.engine import Engine
from pilotfish.engine.wire import OperationError
from pilotfish.indexing import semantic
from pilotfish.operations.index import StatusResult, SyncResult
from pilotfish.operations.search import SearchCodeResult

QUESTION = "mix two colours"


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


async def call(engine: Engine, operation: str, **parameters: object) -> object:
    hello = wire.Hello(token="", wire=wire.WIRE_VERSION, build="", kind="cli", client="test", pid=1)
    session = engine.connect(hello, lambda method, params: None)
    try:
        return await engine.call(session, operation, msgspec.Raw(msgspec.json.encode(parameters)))
    finally:
        engine.disconnect(session)


async def search(engine: Engine, how: str = "semantic") -> SearchCodeResult:
    answer = await call(engine, "search_code", query=QUESTION, search_type=how, similarity_threshold=0.01)
    assert isinstance(answer, SearchCodeResult)
    return answer


def files_of(place: Place, pattern: str) -> list[Path]:
    files = [file for file in place.tables.rglob(pattern) if file.is_file()]
    assert files
    return files


def forget_the_current_one(place: Place) -> None:
    for file in files_of(place, "current.json"):
        file.unlink()


def scribble_over_versions(place: Place) -> None:
    for file in files_of(place, "*.manifest"):
        file.write_bytes(b"\xa5" * file.stat().st_size)


def lose_data(place: Place) -> None:
    for file in files_of(place, "data/*.lance"):
        file.unlink()


def lose_all(place: Place) -> None:
    for file in files_of(place, "*"):
        file.unlink()


def rot(place: Place) -> None:
    """Change bytes as a failing disk does: neither size nor time tell of it."""
    for file in files_of(place, "data/*.lance"):
        status = file.stat()
        data = bytearray(file.read_bytes())
        for at in range(len(data) // 4, 3 * len(data) // 4):
            data[at] ^= 0x5A
        file.write_bytes(data)
        os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))


def scribble_over_data(place: Place) -> None:
    rot(place)
    for file in files_of(place, "data/*.lance"):
        os.utime(file)


@pytest.mark.parametrize("damage", [forget_the_current_one, cut_in_half, scribble_over_versions, scribble_over_data])
async def test_whoever_waits_for_the_index_has_a_damaged_table_made_anew(
    place: Place, damage: Callable[[Place], None]
) -> None:
    async with place.engine() as engine:
        await engine.wait_quiet()
        healthy = await search(engine)
        assert healthy.results
    damage(place)
    async with place.engine() as engine:
        await engine.wait_quiet()
        assert has_all_rows(place, engine)
        assert engine.semantics.state.embedded == 4
        answer = await search(engine)
        assert (answer.results, answer.coverage.missing) == (healthy.results, "")
        assert engine.semantics.done.embedded == 0


@pytest.mark.parametrize("damage", [lose_all, scribble_over_data])
async def test_a_question_over_a_table_that_was_just_damaged_waits_until_it_is_filled_again(
    place: Place, damage: Callable[[Place], None]
) -> None:
    async with place.engine() as engine:
        await engine.wait_quiet()
        healthy = await search(engine)
        damage(place)
        for _ in range(2):
            answer = await search(engine)
            assert (answer.results, answer.coverage.missing) == (healthy.results, "")
        assert engine.semantics.done.semantic_workers == 2


async def test_where_filling_takes_long_an_answer_says_how_much_is_there(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(semantic, "REFILL_S", 0.0)
    async with place.engine() as engine:
        await engine.wait_quiet()
        healthy = await search(engine)
        lose_all(place)
        answer = await search(engine)
        if answer.results != healthy.results:
            assert "of 4 passages" in answer.coverage.missing
            assert answer.index.embedded <= 4
        await engine.wait_quiet()
        assert (await search(engine)).results == healthy.results


async def test_who_waits_beside_a_live_engine_has_a_damaged_table_made_anew(place: Place) -> None:
    async with place.engine() as engine:
        await engine.wait_quiet()
        lose_data(place)
        await engine.wait_quiet()
        assert has_all_rows(place, engine)


async def test_what_rots_without_a_trace_is_found_in_a_quiet_moment(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with place.engine() as engine:
        await engine.wait_quiet()
        rot(place)
        monkeypatch.setattr(semantic, "UPKEEP_S", 0.1)
        place.write("src/new.py", "def new():\n    return 'something that is new'\n")
        await engine.indexer.sync()
        while engine.semantics.done.semantic_workers < 2:
            await asyncio.sleep(0.05)
        await engine.wait_quiet()
        assert has_all_rows(place, engine)
        assert await nearest(engine, QUESTION) == ["src/colour.py"]


async def test_from_the_moment_that_the_catalog_is_known_to_be_damaged_no_answer_passes_for_whole(
    place: Place,
) -> None:
    async with place.engine() as engine:
        await engine.wait_quiet()
        healthy = await search(engine, "hybrid")
        epoch = engine.indexer.epoch
        repairs = [asyncio.ensure_future(engine.indexer.repair("a test says so", epoch)) for _ in range(3)]
        await asyncio.sleep(0)
        while True:
            index = engine.index_state()
            assert index.files <= 4
            assert index.embedded <= 4
            answer = await search(engine, "hybrid")
            if answer.results == healthy.results:
                break
            assert answer.outcome == "not_indexed" or answer.coverage.missing
        await asyncio.gather(*repairs)
        await engine.wait_quiet()
        assert engine.catalog.epoch == epoch + 1, "whoever finds the same damage later does not damage the new one"
        assert (await search(engine, "hybrid")).results == healthy.results
        assert engine.index_state().chunks == engine.index_state().embedded == 4


async def test_a_catalog_whose_pages_are_overwritten_is_not_answered_from(place: Place) -> None:
    async with place.engine() as engine:
        await engine.wait_quiet()
        healthy = await search(engine, "hybrid")
        await engine.indexer.write(lambda catalog: catalog.checkpoint())
        file = engine.catalog.file
        half = file.stat().st_size // 4
        with file.open("r+b") as stream:
            stream.seek(half)
            data = stream.read(2 * half)
            stream.seek(half)
            stream.write(bytes(byte ^ 0x5A for byte in data))
        before = engine.catalog.epoch
        while engine.catalog.epoch == before:
            with pytest.raises(OperationError, match="damaged"):
                await search(engine, "hybrid")
        answers = await asyncio.gather(*[search(engine, "hybrid") for _ in range(3)])
        for answer in answers:
            if answer.results != healthy.results:
                assert answer.outcome == "not_indexed" or answer.coverage.missing
        await engine.wait_quiet()
        assert (await search(engine, "hybrid")).results == healthy.results


async def test_a_catalog_that_is_removed_under_its_engine_is_made_anew(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine_module, "SETTINGS_S", 0.05)
    async with place.engine() as engine:
        await engine.wait_quiet()
        engine.catalog.file.unlink()
        while engine.catalog.epoch == 0:
            await asyncio.sleep(0.05)
        await engine.wait_quiet()
        assert engine.catalog.file.is_file()
        assert engine.index_state().files == engine.index_state().embedded == 4
        assert any("was removed" in line for line in engine.warnings)
    async with place.engine() as engine:
        await engine.wait_quiet()
        assert engine.semantics.done.semantic_workers == 0, "the new catalog knows all that the old one did"


async def test_a_fresh_engine_knows_what_is_indexed_when_it_is_asked(place: Place) -> None:
    async with place.engine() as engine:
        first = await call(engine, "sync_repository")
        assert isinstance(first, SyncResult)
        assert (first.index.phase, first.index.pending, first.index.chunks) == ("ready", 0, 4)
        await engine.wait_quiet()
    async with place.engine() as engine:
        status = await call(engine, "get_repo_status")
        assert isinstance(status, StatusResult)
        index = status.index
        assert (index.phase, index.files, index.pending, index.chunks, index.embedded) == ("ready", 4, 0, 4, 4)
        assert (status.semantic.phase, status.watcher != "not watching") == ("ready", True)


async def test_a_warning_that_does_not_hold_any_more_is_taken_back(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(semantic, "RETRY_S", 0.1)
    place.tables.parent.mkdir()
    place.tables.write_text("no folder")
    async with place.engine() as engine:
        await engine.wait_quiet()
        assert len(engine.warnings) == 1
        place.tables.unlink()
        while engine.warnings:
            await asyncio.sleep(0.05)
        await engine.wait_quiet()
        assert engine.semantics.state.embedded == 4
