"""The index follows the tree: what is read, what is not read again, and what is told meanwhile."""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import Callable

from pilotfish.indexing import indexer as indexer_module
from pilotfish.indexing.indexer import Indexer
from pilotfish.store.catalog import Catalog


def names(indexer: Indexer, path: str) -> list[str]:
    with indexer._catalog.reader() as reader:
        outline = reader.outline(path)
        return [] if outline is None else [symbol.name for symbol in outline.symbols]


def moves(indexer: Indexer) -> set[tuple[str, str, str]]:
    with indexer._catalog.reader() as reader:
        return {(move.old_path, move.new_path, move.move_type) for move in reader.moves()}


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not condition():
            await asyncio.sleep(0.02)


async def watching(indexer: Indexer) -> None:
    """Wait until the watcher is ready and the scan that follows its start is over."""
    await until(lambda: indexer.watcher_state.startswith("watching"))
    await indexer.sync()


async def test_a_first_index_and_single_changes(workspace):
    workspace.write("a.py", "def a(): pass\n")
    workspace.write("sub/b.py", "def b(): pass\n")
    async with workspace.index() as indexer:
        assert names(indexer, "a.py") == ["a"]
        assert names(indexer, "sub/b.py") == ["b"]
        assert indexer.state.phase == "ready"
        workspace.write("a.py", "def changed(): pass\n")
        (workspace.root / "sub/b.py").unlink()
        workspace.write("sub/deep/c.py", "def c(): pass\n")
        indexer.changed(["a.py", "sub"])
        await indexer.wait_quiet()
        assert names(indexer, "a.py") == ["changed"]
        assert names(indexer, "sub/b.py") == []
        assert names(indexer, "sub/deep/c.py") == ["c"]
        assert (indexer.state.files, indexer.state.pending) == (2, 0)
        assert workspace.log == []


async def test_moves_copies_and_swaps_parse_nothing(workspace):
    for name in ("a", "b", "c", "d"):
        workspace.write(f"old/{name}.py", f"def {name}(): pass\n")
    workspace.write("x.py", "def x(): pass\n")
    workspace.write("y.py", "def y(): pass\n")
    async with workspace.index() as indexer:
        parsed = indexer.counters.parsed
        root = workspace.root
        (root / "old").rename(root / "new")
        indexer.changed(["new", "old"])
        await indexer.wait_quiet()
        assert {names(indexer, f"new/{name}.py")[0] for name in "abcd"} == set("abcd")
        assert {kind for *_, kind in moves(indexer)} == {"folder"}

        (root / "x.py").rename(root / "t")
        (root / "y.py").rename(root / "x.py")
        (root / "t").rename(root / "y.py")
        shutil.copy2(root / "new/a.py", root / "copy.py")
        (root / "new/b.py").rename(root / "new/renamed.py")
        counts = await indexer.sync()
        assert (counts.moved, counts.added, counts.changed, counts.removed) == (4, 0, 0, 0)
        assert [names(indexer, name) for name in ("x.py", "y.py", "copy.py", "new/renamed.py")] == [
            ["y"],
            ["x"],
            ["a"],
            ["b"],
        ]
        assert {("x.py", "y.py", "swap"), ("y.py", "x.py", "swap"), ("new/a.py", "copy.py", "copy")} < moves(indexer)
        assert indexer.counters.parsed == parsed


async def test_a_rename_seen_as_deletion_first_is_still_a_move(workspace):
    workspace.write("a.py", "def a(): pass\n")
    async with workspace.index() as indexer:
        (workspace.root / "a.py").rename(workspace.root / "hidden.away")
        (workspace.root / "hidden.away").rename(workspace.folder / "away")
        indexer.changed(["a.py"])
        await indexer.wait_quiet()
        assert names(indexer, "a.py") == []
        (workspace.folder / "away").rename(workspace.root / "b.py")
        indexer.changed(["b.py"])
        await indexer.wait_quiet()
        assert names(indexer, "b.py") == ["a"]
        assert (indexer.counters.parsed, moves(indexer)) == (1, {("a.py", "b.py", "rename")})


async def test_a_path_with_several_pasts_gives_the_right_one(workspace):
    workspace.write("a.py", "def first(): pass\n")
    async with workspace.index() as indexer:
        (workspace.root / "a.py").unlink()
        indexer.changed(["a.py"])
        await indexer.wait_quiet()
        workspace.write("a.py", "def other(): pass\n")
        indexer.changed(["a.py"])
        await indexer.wait_quiet()
        workspace.write("b.py", "def first(): pass\n")
        indexer.changed(["b.py"])
        await indexer.wait_quiet()
        assert (names(indexer, "a.py"), names(indexer, "b.py")) == (["other"], ["first"])
        assert indexer.counters.parsed == 2


async def test_a_language_that_changes_with_the_name_is_parsed_anew(workspace):
    workspace.write("a.py", "x = 1\n")
    async with workspace.index() as indexer:
        (workspace.root / "a.py").rename(workspace.root / "a.rb")
        await indexer.sync()
        with indexer._catalog.reader() as reader:
            row = reader.file("a.rb")
            assert row is not None
            assert row.language == "ruby"
        assert indexer.counters.parsed == 2


async def test_touched_files_are_hashed_and_not_parsed(workspace):
    paths = [workspace.write(f"{number}.py", f"def f{number}(): pass\n") for number in range(5)]
    async with workspace.index() as indexer:
        for path in paths:
            os.utime(workspace.root / path, (1, 1))
        workspace.grow_old()
        indexer.changed(paths)
        await indexer.wait_quiet()
        assert (indexer.counters.parsed, indexer.counters.touched) == (5, 5)
        generation, hashed = indexer._catalog.generation, indexer.counters.hashed
        await indexer.sync()
        assert (indexer._catalog.generation, indexer.counters.hashed) == (generation, hashed)


async def test_an_unchanged_tree_writes_nothing_at_restart(workspace):
    workspace.write("a.py")
    workspace.write("b.bin", "\0")
    workspace.grow_old()
    async with workspace.index() as indexer:
        generation = indexer._catalog.generation
    before = {path.name: path.read_bytes() for path in workspace.folder.iterdir()}
    async with workspace.index() as indexer:
        assert (indexer._catalog.generation, indexer.counters.hashed) == (generation, 0)
        await indexer.sync(force=True)
        assert (indexer._catalog.generation, indexer.counters.parsed) == (generation, 0)
    assert {path.name: path.read_bytes() for path in workspace.folder.iterdir()} == before


async def test_a_racy_file_is_hashed_once_more_and_then_left_alone(workspace):
    workspace.write("a.py", "def a(): pass\n")
    async with workspace.index() as indexer:
        workspace.grow_old()
        await indexer.sync()
        assert (indexer.counters.hashed, indexer.counters.touched) == (2, 1)
        await indexer.sync()
        assert (indexer.counters.hashed, indexer.counters.touched) == (2, 1)


async def test_a_file_with_the_size_and_time_of_the_one_before_is_noticed(workspace):
    workspace.write("a.py", "def a(): pass\n")
    workspace.grow_old()
    async with workspace.index() as indexer:
        status = (workspace.root / "a.py").stat()
        workspace.write("a.py", "def b(): pass\n")
        os.utime(workspace.root / "a.py", ns=(status.st_mtime_ns, status.st_mtime_ns))
        await indexer.sync()
        assert names(indexer, "a.py") == ["b"]


async def test_ignore_rules_that_change_are_followed(workspace):
    workspace.write("a.py")
    workspace.write("out/b.py")
    async with workspace.index() as indexer:
        workspace.write(".gitignore", "out/\n")
        indexer.changed([".gitignore"])
        await indexer.wait_quiet()
        assert names(indexer, "out/b.py") == []
        assert not indexer.decide("out/b.py").accepted
        (workspace.root / ".gitignore").unlink()
        indexer.changed([".gitignore"])
        await indexer.wait_quiet()
        assert names(indexer, "out/b.py") == ["f"]
        assert indexer.decide("out/b.py").accepted


async def test_rules_that_changed_unheard_hold_after_any_scan(workspace):
    workspace.write("a.py")
    async with workspace.index() as indexer:
        indexer.changed(["a.py"])
        await indexer.wait_quiet()
        workspace.write(".gitignore", "out/\n")
        await indexer.sync()
        workspace.write("out/b.py")
        indexer.changed(["out", "out/b.py"])
        await indexer.wait_quiet()
        assert names(indexer, "out/b.py") == []


async def test_a_file_that_git_is_made_to_track_or_to_forget_is_followed(workspace):
    workspace.git("init", "-q")
    workspace.write(".gitignore", "made.py\n")
    workspace.write("made.py")
    async with workspace.index(watch=True) as indexer:
        await watching(indexer)
        workspace.git("add", "-f", "made.py")
        await until(lambda: names(indexer, "made.py") == ["f"])
        workspace.git("rm", "-q", "--cached", "made.py")
        await until(lambda: names(indexer, "made.py") == [])


async def test_folders_that_the_settings_let_in_are_watched(workspace):
    workspace.write("a.py")
    workspace.write("d/b.py")
    async with workspace.index(watch=True, exclude=("d",)) as indexer:
        await watching(indexer)
        settings = indexer._settings
        index = type(settings.index)(debounce_ms=5)
        await indexer.reconfigure(type(settings)(index=index, limits=settings.limits))
        await until(lambda: names(indexer, "d/b.py") == ["f"])
        await watching(indexer)
        workspace.write("d/c.py")
        await until(lambda: names(indexer, "d/c.py") == ["f"])


async def test_who_waits_for_a_scan_is_answered_when_the_rounds_end(workspace):
    workspace.write("a.py")
    async with workspace.index() as indexer:
        syncing = asyncio.ensure_future(indexer.sync(force=True))
        await asyncio.sleep(0)
        indexer.pause()
        await asyncio.sleep(0.05)
        await indexer.rebuild()
        async with asyncio.timeout(20):
            await syncing
        await indexer.wait_quiet()


async def test_a_branch_switch_parses_what_differs_once_under_one_progress(workspace, monkeypatch):
    monkeypatch.setattr(indexer_module, "BIG_FILES", 10)
    workspace.git("init", "-q")
    for number in range(30):
        workspace.write(f"same/{number}.py", f"def same{number}(): pass\n")
        workspace.write(f"differs/{number}.py", f"def main{number}(): pass\n")
    workspace.git("add", ".")
    workspace.git("commit", "-qm", "main")
    workspace.git("switch", "-qc", "other")
    for number in range(30):
        workspace.write(f"differs/{number}.py", f"def other{number}(): pass\n")
    workspace.git("mv", "same", "moved")
    workspace.git("commit", "-qam", "other")
    async with workspace.index() as indexer:
        workspace.progress.clear()
        parsed = indexer.counters.parsed
        workspace.git("switch", "-q", "main")
        changed = [f"{folder}/{number}.py" for folder in ("same", "moved", "differs") for number in range(30)]
        indexer.changed(changed[::2])
        indexer.changed(changed[1::2])
        await indexer.wait_quiet()
        assert names(indexer, "differs/7.py") == ["main7"]
        assert names(indexer, "same/7.py") == ["same7"]
        assert indexer.counters.parsed - parsed == 30
        assert [step.kind for step in workspace.progress if step.kind != "report"] == ["begin", "end"]
        await indexer.sync()
        assert indexer.counters.parsed - parsed == 30
        assert indexer.head is not None
        assert indexer.head.startswith("main ")


async def test_other_settings_parse_everything_again(workspace):
    workspace.write("a.inc", "def a(): pass\n")
    workspace.write("b.py")
    async with workspace.index() as indexer:
        assert names(indexer, "a.inc") == []
        settings = indexer._settings
        changed = type(settings.languages)(associations={"*.inc": "python"})
        await indexer.reconfigure(type(settings)(index=settings.index, limits=settings.limits, languages=changed))
        await indexer.wait_quiet()
        assert names(indexer, "a.inc") == ["a"]
        off = type(settings.index)(enabled=False)
        await indexer.reconfigure(type(settings)(index=off, limits=settings.limits))
        assert indexer.state.phase == "off"
        await indexer.wait_quiet()


async def test_a_file_that_hangs_is_tried_once_and_never_again(workspace):
    workspace.write("hung.py", "x=" * 200_000 + "\n")
    workspace.write("good.py")
    limits = {"parse_s": 0.5, "line_chars": 1_000_000}
    async with workspace.index(limits=limits) as indexer:
        assert names(indexer, "good.py") == ["f"]
        assert indexer.counters.deaths == 1
        os.utime(workspace.root / "hung.py", (1, 1))
        await indexer.sync(force=True)
        assert indexer.counters.deaths == 1
    async with workspace.index(limits=limits) as indexer:
        assert indexer.counters.deaths == 0
        with indexer._catalog.reader() as reader:
            row = reader.file("hung.py")
            assert row is not None
            assert row.skip_reason == "parse timed out"


async def test_pause_cancel_and_resume(workspace):
    workspace.write("a.py")
    async with workspace.index() as indexer:
        indexer.pause()
        workspace.write("b.py", "def b(): pass\n")
        indexer.changed(["b.py"])
        assert (indexer.state.phase, indexer.state.pending) == ("paused", 1)
        indexer.resume()
        await indexer.wait_quiet()
        assert names(indexer, "b.py") == ["b"]
        for number in range(120):
            workspace.write(f"many/{number}.py", f"def m{number}(): pass\n" + "x = [1, 2, 3]\n" * 200)
        indexer.changed(["many"])
        while indexer.state.phase != "indexing":
            await asyncio.sleep(0.001)
        indexer.cancel()
        await indexer.wait_quiet()
        assert indexer.state.phase == "paused"
        assert indexer.state.pending > 0
        assert [step.message for step in workspace.progress if step.kind == "end"][-1] == "cancelled"
        counts = await indexer.sync()
        assert counts.added > 0
        assert (indexer.state.phase, indexer.state.files) == ("ready", 122)


async def test_a_root_that_is_gone_keeps_its_index_and_says_so(workspace):
    workspace.write("a.py")
    async with workspace.index() as indexer:
        workspace.root.rename(workspace.folder / "elsewhere")
        indexer.changed([".gitignore"])
        await indexer.wait_quiet()
        assert names(indexer, "a.py") == ["f"]
        assert workspace.health[-1].health == "error"
        (workspace.folder / "elsewhere").rename(workspace.root)
        await indexer.sync()
        assert workspace.health[-1].health == "ok"


async def test_an_empty_root_says_why(workspace):
    workspace.write("node_modules/a.py")
    async with workspace.index():
        assert workspace.health[-1].health == "warning"
        assert "ignored by default" in workspace.health[-1].message


async def test_a_damaged_catalog_is_built_anew(workspace):
    workspace.write("a.py")
    async with workspace.index() as indexer:
        await indexer.repair("a test says so", indexer.epoch)
        await indexer.wait_quiet()
        assert names(indexer, "a.py") == ["f"]
        await indexer.rebuild()
        await indexer.wait_quiet()
        assert names(indexer, "a.py") == ["f"]


async def test_tombstones_are_purged_and_then_nothing_is_written(workspace, monkeypatch):
    monkeypatch.setattr(indexer_module, "TOMBSTONE_S", -1.0)
    workspace.write("a.py")
    async with workspace.index() as indexer:
        (workspace.root / "a.py").unlink()
        purged: list[float] = []
        monkeypatch.setattr(Catalog, "purge", lambda self: purged.append(self.generation))
        await indexer.sync()
        while not purged:
            await asyncio.sleep(0.001)
