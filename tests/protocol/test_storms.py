"""Storms: everything changes at once under a live editor, and once it is quiet the index equals a fresh one."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pilotfish.store.catalog import FILE_NAME
from pilotfish.store.dump import dump
from tests.protocol.conftest import engines
from tests.protocol.test_live import command, editor, git, names, root, shell, until

__all__ = ["root"]

pytestmark = pytest.mark.usefixtures("private_home")

TEXTS = (
    b"def f(): pass\n",
    b"class A:\n    def m(self):\n        return g(f)\n",
    b"",
    b"\0binary" * 9,
    b"\xef\xbb\xbfdef bom(): pass\r\n",
    "def utf16(): pass\n".encode("utf-16"),
    b"def cr(): pass\rdef cr2(): pass\r",
    b"(" * 50_000,
    b"def l\xe9(): pass\n",
)
FOLDERS = ("", "d", "d/s", "Pkg", "pkg", "w#x", "[z]", "deep/a/b/c")
NAMES = ("a.py", "A.py", "b.js", "q'uote.py", "new\nline.py", "ü.md", "%41.go", "-dash", "n" * 200 + ".py")


class Storm:
    """Random changes of a tree; an act that cannot be done where it strikes is left out."""

    def __init__(self, root: Path, seed: int) -> None:
        self.root = root
        self.random = random.Random(seed)
        self.acts: list[Callable[[], object]] = [
            *[self.write, self.edit] * 4,
            *[self.delete, self.rename, self.move_folder] * 2,
            self.swap, self.copy, self.remove_folder, self.away_and_back, self.file_to_folder, self.folder_to_link,
            self.unreadable_name, self.set_time_back, self.ignore, self.settings, self.cache_marker, self.nested,
            self.track, self.commit, self.switch, self.stash, self.lock,
        ]  # fmt: skip

    def strike(self) -> None:
        with contextlib.suppress(OSError, IndexError, shutil.Error, AssertionError):
            self.random.choice(self.acts)()

    def target(self) -> Path:
        path = self.root / self.random.choice(FOLDERS) / self.random.choice(NAMES)
        path.parent.mkdir(parents=True, exist_ok=True)
        return path

    def listed(self, wanted: Callable[[Path], bool]) -> list[Path]:
        return sorted(path for path in self.root.rglob("*") if ".git" not in path.parts and wanted(path))

    def file(self) -> Path:
        return self.random.choice(self.listed(lambda path: path.is_file() and not path.is_symlink()))

    def folder(self) -> Path:
        return self.random.choice(self.listed(lambda path: path.is_dir() and not path.is_symlink()))

    def write(self) -> None:
        self.target().write_bytes(self.random.choice(TEXTS))

    def edit(self) -> None:
        with self.file().open("ab") as file:
            file.write(b"\ndef more(): pass\n")

    def delete(self) -> None:
        self.file().unlink()

    def rename(self) -> None:
        self.file().rename(self.target())

    def move_folder(self) -> None:
        self.folder().rename(self.root / self.random.choice(["e", "Pkg", "pkg", "d/n"]))

    def swap(self) -> None:
        one, other, away = self.file(), self.file(), self.root / ".git/away"
        one.rename(away)
        other.rename(one)
        away.rename(other)

    def copy(self) -> None:
        shutil.copy2(self.file(), self.target())

    def remove_folder(self) -> None:
        shutil.rmtree(self.folder())

    def away_and_back(self) -> None:
        folder, away = self.folder(), self.root.with_name("away")
        folder.rename(away)
        away.rename(self.random.choice([folder, folder.with_name("back")]))

    def file_to_folder(self) -> None:
        path = self.file()
        path.unlink()
        path.mkdir()
        (path / "in.py").write_text("def inside(): pass\n")

    def folder_to_link(self) -> None:
        folder = self.folder()
        folder.rename(folder.with_name("real"))
        folder.symlink_to(self.random.choice(["real", ".", "..", "/etc"]))

    def unreadable_name(self) -> None:
        Path(os.fsdecode(os.fsencode(self.folder()) + b"/\xff.py")).write_text("def nameless(): pass\n")

    def set_time_back(self) -> None:
        path = self.file()
        status = path.stat()
        content = path.read_bytes()
        path.write_bytes(content[:-5] + b"\nx()\n")
        os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))

    def ignore(self) -> None:
        name = self.random.choice([".gitignore", "d/.gitignore", ".pilotfishignore", ".git/info/exclude"])
        (self.root / name).write_text(self.random.choice(["", "*.js\n", "d/*\n!d/s\n", "s/\n", "*.md\nPkg/\n"]))

    def settings(self) -> None:
        text = self.random.choice(["", "exclude = ['d']", "include = ['*.py']", "paths = ['d', 'e']", "nonsense[["])
        (self.root / "pilotfish.toml").write_text(f"[index]\n{text}\n")

    def cache_marker(self) -> None:
        (self.folder() / "CACHEDIR.TAG").touch()

    def nested(self) -> None:
        folder = self.folder()
        if (folder / ".git").exists():
            shutil.rmtree(folder / ".git")
        else:
            git(folder, "init", "-q")

    def track(self) -> None:
        self.attempt(*self.random.choice([["add", "-f"], ["rm", "-q", "--cached"]]), str(self.file()))

    def commit(self) -> None:
        self.attempt("add", "-A")
        self.attempt("commit", "-q", "-m", "more")

    def switch(self) -> None:
        branch = self.random.choice(["one", "two"])
        self.attempt("branch", branch)
        self.attempt("checkout", "-q", "-f", branch)

    def stash(self) -> None:
        self.attempt("stash", *self.random.choice([["-q", "-u"], ["pop", "-q"]]))

    def lock(self) -> None:
        path = self.root / ".git/index.lock"
        path.unlink() if path.exists() else path.touch()

    def attempt(self, *arguments: str) -> None:
        """Git may refuse: half of a storm is what it leaves then."""
        with contextlib.suppress(Exception):
            git(self.root, *arguments)


def catalog(home: Path) -> dict[str, list[tuple[Any, ...]]]:
    (file,) = home.rglob(FILE_NAME)
    return dump(file)


async def equals_fresh(root: Path, home: Path, reference: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait until the living index is what a new one is."""
    with monkeypatch.context() as elsewhere:
        elsewhere.setenv("PILOTFISH_HOME", str(reference))
        await shell("index", "--root", str(root), cwd=reference)
    expected = catalog(reference)
    async with asyncio.timeout(30):
        while (living := catalog(home)) != expected:
            await asyncio.sleep(0.2)
    assert living == expected


@pytest.mark.parametrize("seed", range(3))
async def test_a_storm_ends_in_the_index_of_a_fresh_start(
    root: Path, private_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    storm = Storm(root, seed)
    for _ in range(20):
        storm.write()
    storm.commit()
    async with editor(root) as client:
        await command(client, "control", action="wait")
        for number in range(3):
            for _ in range(20):
                storm.strike()
                await asyncio.sleep(storm.random.choice([0, 0, 0, 0.05, 0.4]))
            reference = tmp_path / f"home-{number}"
            reference.mkdir()
            await equals_fresh(root, private_home, reference, monkeypatch)
    assert not [path for path in root.rglob(".pilotfish*") if path.name != ".pilotfishignore"]


async def test_settings_count_wherever_the_rules_put_their_file(root: Path) -> None:
    (root / "d").mkdir()
    (root / "d/inner.py").write_text("def inner(): pass\n")
    async with editor(root) as client:
        await until(lambda: names(client, "inner"), ["inner.py:1"])
        settings = root / "pilotfish.toml"
        settings.write_text("[index]\nexclude = ['d', '*.toml']\n")
        await until(lambda: names(client, "inner"), [])
        settings.write_text("[index]\nenabled = false\nexclude = ['*.toml']\n")
        await until(lambda: names(client, "function_1"), [])
        settings.unlink()
        await until(lambda: names(client, "inner"), ["inner.py:1"])
        (root / "d/inner.py").write_text("def changed(): pass\n")
        await until(lambda: names(client, "changed"), ["inner.py:1"])


@pytest.mark.parametrize("what", ["indexes", "run"])
async def test_a_folder_of_ours_that_is_deleted_costs_a_new_engine(root: Path, private_home: Path, what: str) -> None:
    async with editor(root) as client:
        await until(lambda: names(client, "function_1"), ["module_1.py:1"])
        (before,) = engines(private_home)
        shutil.rmtree(private_home / what)
        async with asyncio.timeout(20):
            while before.is_running() and before.status() != "zombie":
                await asyncio.sleep(0.1)
        (root / "fresh.py").write_text("def fresh(): pass\n")
        await until(lambda: names(client, "fresh"), ["fresh.py:1"])
        await until(lambda: names(client, "function_1"), ["module_1.py:1"])
        assert len(engines(private_home)) == 1
        assert list((private_home / "indexes").rglob(FILE_NAME))
