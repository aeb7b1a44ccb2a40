from __future__ import annotations

import os
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pilotfish.workspace.scan import Decider
from pilotfish.workspace.watch import Listener, Watcher, silent_file_system

Make = Callable[..., Any]
PATIENCE_S = 20.0


class Record:
    """What a watcher said, with a way to wait for it."""

    def __init__(self) -> None:
        self.changed: set[str] = set()
        self.lost: list[str] = []
        self.notices: list[str] = []
        self.heads = 0
        self.indexes = 0
        self._news = threading.Condition()

    def listener(self) -> Listener:
        return Listener(self._on_change, self._on_lost, self._on_head, self.notices.append, self._on_index)

    def wait(self, condition: Callable[[], bool]) -> None:
        with self._news:
            assert self._news.wait_for(condition, PATIENCE_S), (self.changed, self.lost, self.notices, self.heads)

    def _on_change(self, paths: set[str]) -> None:
        with self._news:
            self.changed |= paths
            self._news.notify_all()

    def _on_lost(self, reason: str) -> None:
        with self._news:
            self.lost.append(reason)
            self._news.notify_all()

    def _on_head(self) -> None:
        with self._news:
            self.heads += 1
            self._news.notify_all()

    def _on_index(self) -> None:
        with self._news:
            self.indexes += 1
            self._news.notify_all()


@pytest.fixture
def record() -> Record:
    return Record()


@pytest.fixture
def watch(record: Record) -> Iterator[Callable[..., Watcher]]:
    running: list[Watcher] = []

    def start(root: Path, budget: int = 1000, **options: object) -> Watcher:
        watcher = Watcher(str(root), Decider(str(root)), budget, record.listener(), **options)  # type: ignore[arg-type]
        running.append(watcher)
        watcher.start()
        assert watcher.wait_ready(PATIENCE_S)
        return watcher

    yield start
    for watcher in running:
        watcher.stop()
    deadline = time.monotonic() + 5
    while any(thread.name.startswith("watch") for thread in threading.enumerate()):
        assert time.monotonic() < deadline
        time.sleep(0.02)


MODES = {
    "each folder": {"recursive": False},
    "whole tree": {"recursive": True},
    "polling": {"force_polling": "a test", "poll_s": 0.1},
}


@pytest.mark.parametrize("options", MODES.values(), ids=MODES)
def test_changes_are_reported_and_ignored_trees_are_not(
    repository: Make, watch: Callable[..., Watcher], record: Record, options: dict[str, object]
) -> None:
    tree = repository().fill({".gitignore": "node_modules/\n", "src/a.py": "1", "src/b.py": "", "gone/c.py": ""})
    tree.fill({"node_modules/m/index.js": ""}).commit()
    (tree.root / "empty").mkdir()
    watcher = watch(tree.root, **options)
    assert "4 folders" in watcher.state

    tree.fill({"src/a.py": "changed", "empty/new.py": "", "node_modules/m/index.js": "changed"})
    (tree.root / "src/b.py").rename(tree.root / "src/d.py")
    shutil.rmtree(tree.root / "gone")
    record.wait(lambda: {"src/a.py", "src/b.py", "src/d.py", "empty/new.py", "gone"} <= record.changed)
    assert not {path for path in record.changed if path.startswith(("node_modules", ".git/"))}
    assert record.lost == []


@pytest.mark.parametrize("options", MODES.values(), ids=MODES)
def test_new_and_renamed_folders_are_watched_in_depth(
    repository: Make, watch: Callable[..., Watcher], record: Record, options: dict[str, object]
) -> None:
    tree = repository().fill({"old/deep/a.py": "", ".gitignore": "*.log\n"})
    watch(tree.root, **options)
    decider = Decider(str(tree.root))

    tree.fill({"x/y/z/first.py": ""})
    (tree.root / "old").rename(tree.root / "new")
    record.wait(lambda: {"x", "old", "new"} <= record.changed)
    # A folder is reported once it is watched, so walking it now and hearing of what follows is complete.
    assert [found.path for found in decider.below("x").files] == ["x/y/z/first.py"]
    tree.fill({"x/y/z/second.py": "", "new/deep/b.py": "", "x/y/more/third.py": ""})
    record.wait(lambda: {"x/y/z/second.py", "new/deep/b.py", "x/y/more"} <= record.changed)
    tree.fill({"x/y/more/fourth.py": ""})
    record.wait(lambda: "x/y/more/fourth.py" in record.changed)

    shutil.rmtree(tree.root / "x")
    record.wait(lambda: {"x", "x/y/z/second.py"} <= record.changed)
    tree.fill({"x/again.py": ""})
    time.sleep(0.5)
    tree.fill({"x/later.py": ""})
    record.wait(lambda: "x/later.py" in record.changed)


@pytest.mark.parametrize("options", MODES.values(), ids=MODES)
def test_rules_and_head(
    repository: Make, watch: Callable[..., Watcher], record: Record, options: dict[str, object]
) -> None:
    tree = repository().fill({"out/a.py": "", ".gitignore": "out/\n", "b.py": ""}).commit()
    watch(tree.root, **options)
    tree.fill({".gitignore": "# nothing\n"})
    record.wait(lambda: ".gitignore" in record.changed)
    tree.fill({"out/new.py": ""})
    record.wait(lambda: "out/new.py" in record.changed)
    heads = record.heads
    tree.git("checkout", "-q", "-b", "other")
    record.wait(lambda: record.heads > heads)
    indexes = record.indexes
    tree.fill({"c.py": ""}).git("add", "c.py")
    record.wait(lambda: record.indexes > indexes)
    assert ".git" not in record.changed
    (tree.root / ".git/info/exclude").write_text("b.py\n")
    record.wait(lambda: ".git/info/exclude" in record.changed)


@pytest.mark.parametrize("options", MODES.values(), ids=MODES)
def test_root_that_goes_and_comes_back(
    repository: Make, watch: Callable[..., Watcher], record: Record, options: dict[str, object]
) -> None:
    tree = repository(git=False).fill({"a.py": ""})
    watcher = watch(tree.root, **options)
    tree.root.rename(tree.root.with_name("away"))
    record.wait(lambda: "the workspace folder was removed or replaced" in record.lost)
    tree.root.mkdir()
    record.wait(lambda: len(record.lost) == 2)
    tree.fill({"b.py": ""})
    record.wait(lambda: "b.py" in record.changed)
    assert "1 folder" in watcher.state


def test_budget_turns_to_polling_with_one_message(
    repository: Make, watch: Callable[..., Watcher], record: Record
) -> None:
    tree = repository().fill({f"d{number}/a.py": "" for number in range(5)})
    watcher = watch(tree.root, budget=5, poll_s=0.1, recursive=False)
    assert watcher.state.startswith("polling 6 folders")
    tree.fill({"d1/b.py": "", "e/f/g.py": ""})
    record.wait(lambda: {"d1/b.py", "e"} <= record.changed)
    tree.fill({"e/f/h.py": ""})
    record.wait(lambda: "e/f/h.py" in record.changed)
    assert len(record.notices) == 1
    assert "limits.watches is 5" in record.notices[0]


def test_budget_reached_later_turns_to_polling(repository: Make, watch: Callable[..., Watcher], record: Record) -> None:
    tree = repository().fill({"a.py": ""})
    watcher = watch(tree.root, budget=6, poll_s=0.1, recursive=False)
    assert watcher.state == "watching 1 folder"
    tree.fill({f"d{number}/a.py": "" for number in range(8)})
    record.wait(lambda: bool(record.notices) and bool(record.lost))
    tree.fill({"d7/b.py": ""})
    record.wait(lambda: "d7/b.py" in record.changed)
    assert watcher.state.startswith("polling 9 folders")


def test_name_that_is_no_utf8_does_not_end_the_watching(
    repository: Make, watch: Callable[..., Watcher], record: Record
) -> None:
    tree = repository().fill({"a.py": ""})
    watch(tree.root, recursive=False)
    (tree.root / os.fsdecode(b"\xff.py")).write_text("")
    record.wait(lambda: bool(record.lost))
    tree.fill({"b.py": ""})
    record.wait(lambda: "b.py" in record.changed)


def test_folder_whose_news_were_lost_is_watched(
    repository: Make, watch: Callable[..., Watcher], record: Record
) -> None:
    tree = repository().fill({"a.py": ""})
    watch(tree.root, recursive=False)
    (tree.root / "folder/inner").mkdir(parents=True)
    (tree.root / os.fsdecode(b"\xff.py")).write_text("")  # an event that cannot be read takes all others with it
    record.wait(lambda: bool(record.lost))
    tree.fill({"folder/inner/b.py": ""})
    record.wait(lambda: "folder/inner/b.py" in record.changed or len(record.lost) > 1)
    tree.fill({"folder/inner/c.py": ""})
    record.wait(lambda: "folder/inner/c.py" in record.changed)


@pytest.mark.parametrize("options", MODES.values(), ids=MODES)
def test_content_that_changes_under_size_and_time_is_reported(
    repository: Make, watch: Callable[..., Watcher], record: Record, options: dict[str, object]
) -> None:
    tree = repository().fill({"a.py": "one"})
    watch(tree.root, **options)
    status = (tree.root / "a.py").stat()
    tree.fill({"a.py": "two"})
    os.utime(tree.root / "a.py", ns=(status.st_atime_ns, status.st_mtime_ns))
    record.wait(lambda: "a.py" in record.changed)


def test_many_changes_at_once_ask_for_a_scan(repository: Make, watch: Callable[..., Watcher], record: Record) -> None:
    tree = repository()
    watch(tree.root, recursive=False)
    for number in range(2500):
        (tree.root / f"{number}.py").touch()
    record.wait(lambda: len(record.changed) == 2500)
    record.wait(lambda: any("changes at once" in reason for reason in record.lost))


def test_host_and_network_file_systems_are_polled(tmp_path: Path) -> None:
    mounts = tmp_path / "mountinfo"
    mounts.write_text(
        "1 0 8:1 / / rw - ext4 /dev/sda1 rw\n"
        "2 1 0:2 / /mnt/c rw,noatime shared:1 - 9p C:\\134 rw\n"
        "3 1 0:3 / /mnt/c/linux\\040disk rw - ext4 /dev/sdb rw\n"
    )
    assert silent_file_system("/mnt/c/work", str(mounts)) == "the file system (9p) sends no events"
    for root in ("/home/me", "/mnt/cd", "/mnt/c/linux disk/x"):
        assert silent_file_system(root, str(mounts)) is None
    assert silent_file_system("/x", str(tmp_path / "none")) is None
