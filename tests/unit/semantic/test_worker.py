"""The semantic worker: nothing is embedded twice, it may be killed at any moment, and questions go on meanwhile."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import shutil
import signal
from pathlib import Path

import psutil
import pytest

import pilotfish
from pilotfish.semantic.child import SemanticDiedError, SemanticFailedError
from pilotfish.store.vector_rows import VectorFilters
from pilotfish.store.vectors import VectorTable, folder_of

TABLE = Path(pilotfish.__file__).parent / "models" / "table"
RETRY = '''
def send(message):
    """Send a message again and again until it arrives, waiting longer after each failure."""
    delay = 1.0
    while True:
        try:
            return connection.post(message)
        except TimeoutError:
            time.sleep(delay)
            delay = min(delay * 2, 60.0)
'''
PARSE = '''
class Reader:
    def parse_document(self, text):
        """Turn JSON text into a tree of nodes."""
        tokens = self.tokenize(text)
        return self.build_tree(tokens)
'''
WHERE_IS_RETRY = "where are failed requests retried with growing delays?"


def module(number: int, functions: int = 4) -> str:
    """Return a module unlike all others, of about as many chunks as functions."""
    return "\n".join(
        f"def function_{number}_{each}(first, second):\n"
        f"    value_{number} = first * {each} + second\n"
        f"    return compute_{each}(value_{number}, limit={number})\n" * 6
        for each in range(functions)
    )


async def test_files_are_found_by_meaning(repository) -> None:
    paths = await repository.write(retry=RETRY, parse=PARSE)
    async with repository.worker() as child:
        done = await child.refresh(paths)
        assert done.paths == paths
        assert done.embedded == done.written == done.rows > 1
        assert done.from_cache == done.left_out == 0
        hits = await child.search(WHERE_IS_RETRY, 5)
        assert (hits[0].filepath, hits[0].line_start) == ("retry.py", 2)
        narrowed = await child.search(WHERE_IS_RETRY, 5, VectorFilters(globs=("parse*",)))
        assert {hit.filepath for hit in narrowed} == {"parse.py"}
        assert (await child.search(PARSE, 1, as_passage=True))[0].filepath == "parse.py"
        assert await child.search("", 5) == []
        assert await child.search(" \n\t ", 5) == []


async def test_a_row_says_what_its_chunk_is_about(repository) -> None:
    await repository.refreshed(await repository.write(retry=RETRY))
    model = repository.opened.model
    with contextlib.closing(
        VectorTable.open(folder_of(repository.index / "tables", model.id), model.id, model.dims)
    ) as table:
        (row, *_) = table.search([1.0] * model.dims, 5, whole=True)
    assert (row.filepath, row.symbol_name, row.symbol_type) == ("retry.py", "send", "function")
    assert (row.line_start, row.parent, row.signature) == (2, "", "def send(message)")
    assert row.docstring.startswith("Send a message again")


async def test_hostile_questions_are_answered(repository) -> None:
    paths = await repository.write(retry=RETRY)
    async with repository.worker() as child:
        await child.refresh(paths)
        for question in ("x" * 500_000, "\x00", "ﷺ" * 5_000, "где повтор запроса?", "'; DROP TABLE chunks", "%_*"):
            assert len(await child.search(question, 3)) <= 3


async def test_nothing_is_embedded_twice(repository) -> None:
    paths = await repository.write(retry=RETRY, parse=PARSE, again=RETRY)
    first = await repository.refreshed(paths)
    assert first.embedded < first.written  # the copy
    repository.move("retry.py", "moved.py")
    async with repository.worker() as child:
        moved = await child.refresh(["retry.py", "moved.py"])
        assert (moved.embedded, moved.rows) == (0, first.rows)
        hits = await child.search(WHERE_IS_RETRY, 2)
        assert {hit.filepath for hit in hits} == {"moved.py", "again.py"}
        await repository.write(moved=PARSE, parse=RETRY)  # as when a branch is switched
        assert (await child.refresh(["moved.py", "parse.py"])).embedded == 0
    again = await repository.refreshed(["again.py", "moved.py", "parse.py"], tables="of-another-worktree")
    assert (again.embedded, again.from_cache) == (0, again.rows)


async def test_an_edit_embeds_what_changed(repository) -> None:
    paths = await repository.write(a=module(1))
    before = await repository.refreshed(paths)
    await repository.write(a=module(1) + "\n\n" + RETRY)
    after = await repository.refreshed(paths)
    assert 0 < after.embedded <= 2
    assert after.rows >= before.rows


async def test_deleted_and_unwanted_files_have_no_rows(repository) -> None:
    paths = await repository.write(retry=RETRY, parse=PARSE)
    async with repository.worker() as child:
        await child.refresh(paths)
        await repository.write(retry=None)
        await child.refresh(["retry.py"])
        assert {hit.filepath for hit in await child.search(WHERE_IS_RETRY, 9)} == {"parse.py"}
        done = await child.refresh([], gone=["parse.py"])
        assert (done.paths, done.rows) == (["parse.py"], 0)


async def test_killed_and_resumed_it_embeds_only_the_rest(repository, eventually) -> None:
    paths = await repository.write(**{f"m{number}": module(number) for number in range(120)})
    child = await repository.start()
    await repository.open(child)
    steps: list[int] = []
    work = asyncio.ensure_future(child.refresh(paths, on_step=lambda chunks, total: steps.append(chunks)))
    await eventually(lambda: len(steps) >= 1)
    os.kill(child.pid, signal.SIGKILL)
    with pytest.raises(SemanticDiedError):
        await work
    assert not child.is_alive
    await child.end()
    done = await repository.refreshed(paths)
    assert done.from_cache >= steps[-1] > 0
    assert done.embedded + done.from_cache >= done.rows == done.written > steps[-1]
    assert (await repository.refreshed(paths)).embedded == 0


async def test_questions_are_answered_while_files_are_embedded(repository, eventually) -> None:
    paths = await repository.write(retry=RETRY, **{f"m{number}": module(number) for number in range(120)})
    async with repository.worker() as child:
        await child.refresh(["retry.py"])
        steps: list[int] = []
        work = asyncio.ensure_future(child.refresh(paths, on_step=lambda chunks, total: steps.append(chunks)))
        await eventually(lambda: bool(steps))
        hits = await child.search(WHERE_IS_RETRY, 1)
        assert hits[0].filepath == "retry.py"
        assert not work.done()
        await work


async def test_a_cancelled_refresh_keeps_what_it_did(repository, eventually) -> None:
    paths = await repository.write(**{f"m{number}": module(number, 20) for number in range(120)})
    async with repository.worker() as child:
        steps: list[int] = []
        work = asyncio.ensure_future(child.refresh(paths, on_step=lambda chunks, total: steps.append(chunks)))
        await eventually(lambda: bool(steps))
        work.cancel()
        with pytest.raises(asyncio.CancelledError):
            await work
        rest = await child.refresh(paths)
        assert 0 < rest.embedded < rest.rows
        assert rest.from_cache >= steps[0]


async def test_a_damaged_table_is_made_anew_without_embedding(repository) -> None:
    paths = await repository.write(retry=RETRY, parse=PARSE)
    rows = (await repository.refreshed(paths)).rows
    first = repository.opened
    async with repository.worker() as child:
        assert (repository.opened.table, repository.opened.rows) == (first.table, rows)
        assert repository.opened.cached == rows
        for file in (repository.index / "tables").rglob("*"):
            if file.is_file():
                file.unlink()
        with pytest.raises(SemanticDiedError, match="anew"):
            await child.refresh(["retry.py"], gone=["parse.py"])
    async with repository.worker() as child:
        assert repository.opened.table != first.table
        assert repository.opened.rows == 0
        done = await child.refresh(paths)
        assert (done.embedded, done.rows) == (0, rows)
    for file in (repository.index / "tables").rglob("*.lance"):
        if file.is_file():
            file.write_bytes(file.read_bytes()[:40])
    second = repository.opened
    async with repository.worker():
        assert repository.opened.table != second.table
        assert repository.opened.rows == 0


async def test_a_damaged_cache_is_filled_anew(repository) -> None:
    paths = await repository.write(retry=RETRY)
    done = await repository.refreshed(paths)
    (file,) = repository.vectors.glob("*.sqlite")
    file.write_bytes(b"not a database" * 400)
    assert (await repository.refreshed(paths)).embedded == done.embedded
    assert (await repository.refreshed(paths)).embedded == 0


async def test_a_model_that_is_not_there_is_named_at_once(repository) -> None:
    child = await repository.start(model="BAAI/bge-small-en-v1.5")
    with pytest.raises(SemanticFailedError, match=r"BAAI/bge-small-en-v1.5 is not on this machine.*network.enabled"):
        await repository.open(child)
    with pytest.raises(SemanticFailedError):
        await child.search("anything", 1)
    await child.end()


async def test_a_text_that_the_model_fails_on_costs_itself_alone(repository, tmp_path: Path) -> None:
    shutil.copytree(TABLE, model := tmp_path / "failing")
    tokenizer = json.loads((model / "tokenizer.json").read_text("utf-8"))
    tokenizer["model"]["vocab"]["banana"] = 10_000_000  # a row that the table does not have
    (model / "tokenizer.json").write_text(json.dumps(tokenizer), "utf-8")
    paths = await repository.write(bad="def banana():\n    return 1\n", good="def apple():\n    return 1\n")
    async with repository.worker(model=str(model)) as child:
        done = await child.refresh(paths)
        assert (sorted(done.paths), done.rows, done.left_out) == (["bad.py", "good.py"], 1, 1)
        with pytest.raises(SemanticFailedError, match="the model failing fails"):
            await child.search("banana", 5)
        hits = await child.search("apple", 5)
        assert [hit.filepath for hit in hits] == ["good.py"]


async def test_it_ends_with_its_engine_and_when_told(repository) -> None:
    child = await repository.start()
    await repository.open(child)
    process = psutil.Process(child.pid)
    assert child.private_bytes() > 0
    await child.end()
    assert not process.is_running()
    assert not child.is_alive
    with pytest.raises(SemanticDiedError):
        await child.search("anything", 1)


async def test_a_fault_in_the_catalog_is_told(repository, tmp_path: Path) -> None:
    paths = await repository.write(retry=RETRY)
    async with repository.worker() as child:
        repository.catalog.close()
        for file in repository.index.glob("catalog.sqlite*"):
            file.write_bytes(b"nothing that SQLite could read" * 100)
        with pytest.raises(SemanticFailedError):
            await child.refresh(paths)
        assert await child.search(WHERE_IS_RETRY, 1) == []
