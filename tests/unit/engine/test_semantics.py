"""Vectors follow the catalog: real worker, real model, real LanceDB. Counters prove what was not embedded."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import shutil
import signal
import subprocess
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import lancedb
import pytest

import pilotfish
from pilotfish.engine import wire
from pilotfish.engine.engine import VECTORS_FOLDER, Engine
from pilotfish.indexing import semantic
from pilotfish.indexing.semantic import VectorsUnavailableError
from pilotfish.store.vector_rows import VectorFilters

PATIENCE_S = 30.0
TABLE = Path(pilotfish.__file__).parent / "models" / "table"
FUNCTION = '''
def {name}({argument}):
    """{words}."""
    {argument} = {argument}.strip().lower().replace("{name}", "")
    if not {argument}:
        raise ValueError("nothing is left of the {argument} of {name}")
    return [{argument}, len({argument}), "{name} has been called with something that was long enough to be of use"]
'''

TOPICS = {
    "retry": "Try a failed request again after a pause that grows each time",
    "cookie": "Sign the cookie of a session and set its expiry date",
    "tree": "Walk the syntax tree of a file and yield all its leaves",
    "colour": "Mix two colours in linear space and return the hexadecimal code",
}


def source(*names: str, salt: str = "") -> str:
    """Return a module with one function for each name, each a chunk of its own."""
    return "\n".join(
        FUNCTION.format(name=f"{name}{salt}", argument=f"{name}_text", words=TOPICS.get(name, f"Does {name}"))
        for name in names
    )


class Place:
    """A root, and a home for indexes and caches that engines share."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.root = folder / "root"
        self.root.mkdir()
        self.settings = folder / "home" / "config.toml"
        self.settings.parent.mkdir()
        for name in TOPICS:
            self.write(f"src/{name}.py", source(name))

    def write(self, name: str, text: str) -> None:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def git(self, *arguments: str) -> None:
        identity = ["-c", "user.name=t", "-c", "user.email=t@t", "-c", "init.defaultBranch=main"]
        subprocess.run(["git", *identity, *arguments], cwd=self.root, check=True, capture_output=True)

    @property
    def tables(self) -> Path:
        return self.folder / "index" / VECTORS_FOLDER

    @asynccontextmanager
    async def engine(self, root: Path | None = None, index: str = "index") -> AsyncIterator[Engine]:
        """Open an engine and wait until it is quiet."""
        environment = {"PILOTFISH_HOME": str(self.settings.parent), "PATH": os.environ["PATH"]}
        (self.folder / index).mkdir(exist_ok=True)
        engine = await Engine.open(root or self.root, index_folder=self.folder / index, environment=environment)
        try:
            yield engine
        finally:
            await engine.close()


async def settled(engine: Engine) -> None:
    """Look at the whole tree, and wait until nothing is pending."""
    await engine.indexer.sync()
    await engine.wait_quiet()


async def nearest(engine: Engine, question: str, limit: int = 1) -> list[str]:
    """Return the paths that are nearest to a question."""
    return [hit.filepath for hit in await engine.semantics.search(question, limit, VectorFilters())]


def rows_in(engine: Engine) -> list[tuple[str, int, bytes]]:
    """Return path, first line and hash of every chunk in the catalog."""
    with engine.catalog.reader() as reader:
        return sorted(
            (row.path, row.line_start, row.text_hash)
            for path, _ in reader.chunks.paths()
            for row in reader.chunks.of_path(path)
        )


def rows_of_table(place: Place) -> list[tuple[str, int, bytes]]:
    """Return the same of every row in the table of vectors; one without a path is retired and about to be removed."""
    (folder,) = place.tables.iterdir()
    table = lancedb.connect(folder).open_table(json.loads((folder / "current.json").read_text())["table"])
    rows = table.search().select(["filepath", "line_start", "text_hash"]).to_list()
    return sorted((row["filepath"], row["line_start"], row["text_hash"]) for row in rows if row["filepath"])


def has_all_rows(place: Place, engine: Engine) -> bool:
    """Tell whether the table of vectors can be read and has the chunks of the catalog."""
    try:
        return rows_of_table(place) == rows_in(engine)
    except (OSError, RuntimeError, ValueError):
        return False


def cut_in_half(place: Place) -> None:
    """Damage the table of vectors."""
    for file in place.tables.rglob("*.lance"):
        if file.is_file():
            file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


async def test_everything_is_found_by_meaning_and_a_restart_embeds_nothing(place: Place) -> None:
    async with place.engine() as engine:
        await engine.wait_quiet()
        state = engine.semantics.state
        assert state.phase == "ready"
        assert (state.chunks, state.embedded, state.pending) == (4, 4, 0)
        assert engine.index_state().embedded == 4
        assert await nearest(engine, "what happens when a call fails and is repeated") == ["src/retry.py"]
        chunks = rows_in(engine)
    async with place.engine() as engine:
        await engine.wait_quiet()
        assert engine.semantics.done.semantic_workers == 0
        assert engine.semantics.state.embedded == 4
        assert await nearest(engine, "signing of session cookies") == ["src/cookie.py"]
        assert engine.semantics.done.embedded == 0
    assert rows_of_table(place) == chunks


async def test_what_is_moved_copied_or_swapped_is_found_there_and_not_embedded_again(place: Place) -> None:
    async with place.engine() as engine:
        await engine.wait_quiet()
        before = engine.semantics.done.embedded
        source_folder, other = place.root / "src", place.root / "lib"
        source_folder.rename(other)
        await settled(engine)
        assert await nearest(engine, "walk a syntax tree") == ["lib/tree.py"]
        (other / "tree.py").rename(other / "aside")
        (other / "colour.py").rename(other / "tree.py")
        (other / "aside").rename(other / "colour.py")
        shutil.copy(other / "retry.py", place.root / "copy of retry 'x' %_\n🐟.py")
        await settled(engine)
        assert await nearest(engine, "walk a syntax tree") == ["lib/colour.py"]
        again = await nearest(engine, "try a failed request again", 2)
        assert sorted(again) == ["copy of retry 'x' %_\n🐟.py", "lib/retry.py"]
        (other / "cookie.py").unlink()
        await settled(engine)
        assert "lib/cookie.py" not in await nearest(engine, "cookie session", 10)
        assert engine.semantics.done.embedded == before
        chunks = rows_in(engine)
    assert rows_of_table(place) == chunks


async def test_an_edit_embeds_the_chunk_that_changed(place: Place) -> None:
    names = [f"topic{number}" for number in range(8)]
    place.write("src/many.py", source(*names))
    async with place.engine() as engine:
        await engine.wait_quiet()
        before = engine.semantics.done.embedded
        place.write("src/many.py", source(*names).replace("topic3 has been", "topic3 was once"))
        await settled(engine)
        assert engine.semantics.done.embedded == before + 1
        chunks = rows_in(engine)
    assert rows_of_table(place) == chunks


async def test_branches_and_worktrees_share_vectors(place: Place) -> None:
    place.git("init", "-q")
    place.git("add", ".")
    place.git("commit", "-qm", "one")
    place.git("switch", "-qc", "other")
    for name in TOPICS:
        place.write(f"src/{name}.py", source(name, salt="_other"))
    place.git("commit", "-qam", "two")
    async with place.engine() as engine:
        await engine.wait_quiet()
        place.git("switch", "-q", "main")
        await settled(engine)
        seen = engine.semantics.done.embedded
        assert seen == 8
        for branch in ("other", "main"):
            place.git("switch", "-q", branch)
            await settled(engine)
        assert engine.semantics.done.embedded == seen
    place.git("worktree", "add", "-q", "../linked", "other")
    async with place.engine(place.folder / "linked", "index-linked") as engine:
        await engine.wait_quiet()
        assert engine.semantics.state.embedded == 4
        assert engine.semantics.done.embedded == 0
        assert engine.semantics.done.cached == 4


async def test_a_worker_killed_in_mid_work_costs_its_last_step(place: Place) -> None:
    for number in range(120):
        place.write(f"big/{number}.py", source(*[f"part{number}of{part}" for part in range(20)]))
    async with place.engine() as engine:
        while not any(each.token.startswith("semantic") for each in engine._progress.values()):
            await asyncio.sleep(0.01)
        while not any(each.token.startswith("semantic") and each.done for each in engine._progress.values()):
            await asyncio.sleep(0.01)
        (pid,) = engine.semantics.pids()
        os.kill(pid, signal.SIGKILL)
        await engine.wait_quiet()
        state, done = engine.semantics.state, engine.semantics.done
        assert done.semantic_deaths == 1
        assert state.embedded == state.chunks > 2_000
        assert 0 < done.cached < state.chunks  # what the dead worker did is not done again
        assert done.embedded + done.cached == state.chunks
        chunks = rows_in(engine)
    assert rows_of_table(place) == chunks


async def test_an_engine_that_ends_in_mid_work_goes_on_at_its_next_start(place: Place) -> None:
    for number in range(120):
        place.write(f"big/{number}.py", source(*[f"part{number}of{part}" for part in range(20)]))
    async with place.engine() as engine:
        while not any(each.token.startswith("semantic") and each.done for each in engine._progress.values()):
            await asyncio.sleep(0.01)
    async with place.engine() as engine:
        await engine.wait_quiet()
        assert engine.semantics.state.embedded == engine.semantics.state.chunks > 2_000
        assert engine.semantics.done.cached > 0
        chunks = rows_in(engine)
    assert rows_of_table(place) == chunks


@pytest.mark.parametrize("damage", ["gone", "cut", "other"])
async def test_a_table_that_is_lost_is_made_anew_without_the_model(place: Place, damage: str) -> None:
    async with place.engine() as engine:
        await engine.wait_quiet()
    match damage:
        case "gone":
            shutil.rmtree(place.tables)
        case "cut":
            cut_in_half(place)
        case "other":
            (place.folder / "index" / "catalog.sqlite").unlink()
    async with place.engine() as engine:
        await engine.wait_quiet()
        if damage == "cut":
            await nearest(engine, "mix two colours")  # the first question finds out
            await engine.wait_quiet()
        assert await nearest(engine, "mix two colours") == ["src/colour.py"]
        assert engine.semantics.done.embedded == 0
        assert engine.semantics.state.embedded == 4
        chunks = rows_in(engine)
    assert rows_of_table(place) == chunks


@pytest.mark.parametrize("when", ["before a start", "beside a worker"])
async def test_damage_is_found_and_mended_before_somebody_asks(
    place: Place, when: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(semantic, "UPKEEP_S", 0.2)
    hello = wire.Hello(token="", wire=wire.WIRE_VERSION, build="", kind="lsp", client="test", pid=1)
    if when == "before a start":
        async with place.engine() as engine:
            await engine.wait_quiet()
        cut_in_half(place)
    async with place.engine() as engine:
        engine.connect(hello, lambda method, params: None)
        await engine.wait_quiet()
        if when == "beside a worker":
            cut_in_half(place)
            place.write("src/new.py", source("new"))  # written without a look at the other rows
            await settled(engine)
        while not has_all_rows(place, engine):
            await asyncio.sleep(0.1)
        await engine.wait_quiet()
        assert engine.semantics.done.semantic_workers == 1 + (when == "beside a worker")
        assert engine.semantics.done.embedded == (0 if when == "before a start" else 5)


async def test_a_slow_model_tells_how_far_it_is_in_a_small_repository_too(place: Place) -> None:
    shutil.copytree(TABLE, model := place.folder / "model")
    place.write("src/more.py", source(*[f"part{number}" for number in range(3 * semantic.MANY_PASSAGES)]))

    async def told() -> tuple[list[wire.Progress], int]:
        said: list[wire.Progress] = []
        hello = wire.Hello(token="", wire=wire.WIRE_VERSION, build="", kind="cli", client="test", pid=1)
        async with place.engine() as engine:
            engine.connect(hello, lambda method, params: said.append(params) if method == "progress" else None)
            await engine.wait_quiet()
            passages = engine.semantics.state.embedded
        return [each for each in said if each.token.startswith(semantic.TOKEN)], passages

    assert (await told())[0] == []
    (model / "pilotfish-model.toml").write_text('kind = "transformer"\npooling = "none"\n')
    place.settings.write_text(f'[semantic]\nmodel = "{model.as_posix()}"\ncoverage = "all"\n')
    (begun, *reports, ended), passages = await told()
    assert (begun.kind, begun.title, ended.kind) == ("begin", "Embedding", "end")
    assert ended.done == ended.total == passages >= semantic.MANY_PASSAGES
    assert all(each.message.endswith(f" of {ended.total} passages") for each in reports)


async def test_many_files_are_told_in_passages(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files are ready only when a large batch is: counted in files, the work would stand still until its end."""
    monkeypatch.setattr(semantic, "BIG_FILES", 1)
    said: list[wire.Progress] = []
    hello = wire.Hello(token="", wire=wire.WIRE_VERSION, build="", kind="cli", client="test", pid=1)
    async with place.engine() as engine:
        engine.connect(hello, lambda method, params: said.append(params) if method == "progress" else None)
        await engine.wait_quiet()
        passages = engine.semantics.state.embedded
    told = [each for each in said if each.token.startswith(semantic.TOKEN)]
    assert told[-1].done == told[-1].total == passages
    assert all(each.message.endswith(" passages") for each in told[1:])


async def test_a_slow_model_goes_when_nobody_has_asked_for_a_while(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(TABLE, model := place.folder / "model")
    (model / "pilotfish-model.toml").write_text('kind = "transformer"\npooling = "none"\n')
    place.settings.write_text(f'[semantic]\nmodel = "{model.as_posix()}"\ncoverage = "all"\n')
    monkeypatch.setattr(semantic, "UPKEEP_S", 0.2)
    async with place.engine() as engine:
        await engine.wait_quiet()
        for _ in range(2):
            while engine.semantics.pids():
                await asyncio.sleep(0.05)
            assert await nearest(engine, "mix two colours") == ["src/colour.py"]


async def test_what_may_pass_is_tried_again(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(semantic, "RETRY_S", 0.2)
    place.tables.parent.mkdir()
    place.tables.write_text("no folder")  # there is no place for a table, as on a disk that is full
    async with place.engine() as engine:
        await engine.wait_quiet()
        assert engine.semantics.state.phase in ("failed", "waiting")
        assert "vectors" in engine.semantics.state.message
        while engine.semantics.done.semantic_workers < 3:
            await asyncio.sleep(0.1)
        assert len(engine.warnings) == 1, "said once"
        place.tables.unlink()
        while engine.semantics.state.embedded < 4:
            await asyncio.sleep(0.1)
        await engine.wait_quiet()
        state = engine.semantics.state
        assert (state.phase, state.pending, state.message) == ("ready", 0, "")
        assert await nearest(engine, "mix two colours") == ["src/colour.py"]


async def test_work_is_held_back_by_pause_and_cancel_until_it_is_taken_up(place: Place) -> None:
    async with place.engine() as engine:
        engine.semantics.pause()
        await engine.wait_quiet()
        assert engine.semantics.state.embedded == 0
        engine.semantics.resume()
        await engine.wait_quiet()
        assert engine.semantics.state.embedded == 4
        engine.semantics.cancel()
        place.write("src/retry.py", source("retry", salt="_again"))
        await settled(engine)
        assert engine.semantics.state.pending == 1
        engine.semantics.resume()
        await engine.wait_quiet()
        assert engine.semantics.state.pending == 0


async def test_who_asks_before_there_is_an_index_does_not_wait_for_the_scan(place: Place) -> None:
    place.settings.write_text("[index]\nauto_index = false\n")
    begun, ended = threading.Event(), threading.Event()

    def look(reader: object) -> None:
        begun.set()
        ended.wait()

    async with place.engine() as engine:
        scan = asyncio.ensure_future(engine.indexer.read(look))
        await asyncio.to_thread(begun.wait)
        try:
            async with asyncio.timeout(PATIENCE_S):
                with pytest.raises(VectorsUnavailableError, match="the first index is being made"):
                    await nearest(engine, "how is a cookie signed")
        finally:
            ended.set()
            await scan


async def test_nothing_is_embedded_where_it_is_switched_off(place: Place) -> None:
    place.write("pilotfish.toml", '[semantic]\ncoverage = "off"\n')
    async with place.engine() as engine:
        await engine.wait_quiet()
        assert engine.semantics.state.phase == "off"
        with pytest.raises(VectorsUnavailableError, match="coverage"):
            await nearest(engine, "anything")
        assert engine.semantics.pids() == []


async def test_a_selection_holds_what_is_named_and_prose_only(place: Place) -> None:
    place.write("pilotfish.toml", '[semantic]\ncoverage = "selective"\ntop_share = 0\npaths = ["src/tr*.py"]\n')
    place.write("README.md", "# A project\n\nHow bread is baked, at which heat and for how long, in many words.\n")
    async with place.engine() as engine:
        await engine.wait_quiet()
        assert set(await nearest(engine, "anything at all", 10)) == {"README.md", "src/tree.py"}
        place.write("pilotfish.toml", '[semantic]\ncoverage = "all"\n')
        found: list[str] = []
        while "src/retry.py" not in found:
            await asyncio.sleep(0.1)
            with contextlib.suppress(VectorsUnavailableError):
                found = await nearest(engine, "try again", 10)


async def test_settings_that_change_while_no_engine_is_there_are_taken_up_by_the_next_one(place: Place) -> None:
    place.write("pilotfish.toml", '[semantic]\ncoverage = "selective"\ntop_share = 0\n')
    async with place.engine() as engine:
        await engine.wait_quiet()
        assert engine.semantics.state.embedded == 0
    place.write("pilotfish.toml", "")
    async with place.engine() as engine:
        await engine.wait_quiet()
        assert engine.semantics.state.embedded == 4
    shutil.copytree(TABLE, model := place.folder / "model")
    (model / "pilotfish-model.toml").write_text('kind = "table"\npooling = "none"\npassage_prefix = "code "\n')
    place.settings.write_text(f'[semantic]\nmodel = "{model.as_posix()}"\n')
    async with place.engine() as engine:
        await engine.wait_quiet()
        assert engine.semantics.done.embedded == 4
        assert await nearest(engine, "mix two colours") == ["src/colour.py"]
    async with place.engine() as engine:  # nothing has changed: no worker is needed to know that
        await engine.wait_quiet()
        assert engine.semantics.done.semantic_workers == 0


async def test_a_model_that_would_need_a_network_is_named_and_the_rest_goes_on(place: Place) -> None:
    place.settings.write_text('[semantic]\nmodel = "BAAI/bge-small-en-v1.5"\n')
    async with place.engine() as engine:
        await engine.wait_quiet()
        state = engine.semantics.state
        assert state.phase == "failed"
        assert "BAAI/bge-small-en-v1.5" in state.message
        assert "network.enabled" in state.message
        assert any("BAAI/bge-small-en-v1.5" in line for line in engine.warnings)
        with pytest.raises(VectorsUnavailableError, match="bge-small"):
            await nearest(engine, "anything")
        workers = engine.semantics.done.semantic_workers
        place.write("src/new.py", source("new"))
        await settled(engine)
        assert engine.semantics.done.semantic_workers == workers  # it would not work another time either
