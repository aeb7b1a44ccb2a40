"""The walk's reading of ignore files equals git's, on random trees with random rules."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pilotfish.workspace.scan import Decider, scan

NAMES = ["a", "b", "ab", "a.c", "b.c", "x y", "é", "à", "!a", "#a", "a]", "A"]
SEGMENTS = [
    *NAMES,
    "*",
    "?",
    "*.c",
    "a*",
    "[ab]",
    "[!a]",
    "[a-b].c",
    "\\a",
    "\\#a",
    "\\!a",
    "**",
    "*b*",
    "[[:alpha:]]",
    "a\\ ",
    "à",
    "[à-é]",
    "??",
]

segment = st.sampled_from(SEGMENTS)
pattern = st.builds(
    lambda negated, anchored, parts, folder, tail: f"{negated}{anchored}{'/'.join(parts)}{folder}{tail}",
    st.sampled_from(["", "", "", "!"]),
    st.sampled_from(["", "", "/"]),
    st.lists(segment, min_size=1, max_size=3),
    st.sampled_from(["", "", "/"]),
    st.sampled_from(["", "", " ", "\r"]),
)
ignore_file = st.lists(st.one_of(pattern, st.sampled_from(["", "# note", "/", "!"])), min_size=1, max_size=4)
folder = st.lists(st.sampled_from(NAMES), max_size=2).map("/".join)
tree = st.lists(st.lists(st.sampled_from(NAMES), min_size=1, max_size=3).map("/".join), min_size=1, max_size=10)


@pytest.fixture(scope="module")
def places() -> Iterator[tuple[Path, Path]]:
    with tempfile.TemporaryDirectory() as top:
        with_git, without = Path(os.path.realpath(top), "git"), Path(os.path.realpath(top), "plain")
        with_git.mkdir()
        subprocess.run(["git", "init", "-q", str(with_git)], check=True)
        (with_git / ".git/info/exclude").write_text("")
        yield with_git, without


def build(root: Path, files: list[str], ignores: dict[str, list[str]]) -> None:
    for path in files:
        target = root / path
        if not any(parent.is_file() for parent in target.parents) and not target.is_dir():
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text("")
    for path, lines in ignores.items():
        if (root / path).is_dir():
            (root / path / ".gitignore").write_text("\n".join(lines), newline="")


def empty(root: Path) -> None:
    root.mkdir(exist_ok=True)
    for child in root.iterdir():
        if child.name != ".git":
            shutil.rmtree(child) if child.is_dir() else child.unlink()


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
)
@given(files=tree, ignores=st.dictionaries(folder, ignore_file, min_size=1, max_size=3))
def test_walk_equals_git(places: tuple[Path, Path], files: list[str], ignores: dict[str, list[str]]) -> None:
    with_git, without = places
    for root in places:
        empty(root)
        build(root, files, ignores)
    listing = subprocess.run(
        ["git", "ls-files", "-z", "-co", "--exclude-standard"], cwd=with_git, capture_output=True, check=True
    ).stdout.decode()
    expected = sorted(listing.split("\0")[:-1])

    assert [found.path for found in scan(str(without)).files] == expected
    assert [found.path for found in scan(str(with_git)).files] == expected
    for root in places:
        everything = [os.path.relpath(Path(top, name), root) for top, _, names in os.walk(root) for name in names]
        decisions = Decider(str(root)).decide_all(path for path in everything if not path.startswith(".git/"))
        assert sorted(path for path, decision in decisions.items() if decision.accepted) == expected
