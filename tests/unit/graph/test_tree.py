"""The paths closest to a folder, and that many of one name cost no comparison for each of their importers."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pilotfish.graph import tree as tree_module
from pilotfish.graph.resolve import RESOLVERS
from pilotfish.graph.tree import Nearby, Tree, shared
from pilotfish.syntax.outline import Import, ImportedName

_FOLDERS = st.lists(st.sampled_from(["a", "b", "a.b", "a-", "ab", "é"]), max_size=4).map("/".join)


@given(st.lists(_FOLDERS, unique=True, max_size=12), st.lists(_FOLDERS, max_size=4))
def test_the_closest_share_the_most_folders_and_keep_their_order(paths: list[str], folders: list[str]) -> None:
    nearby = Nearby(paths)
    for folder in folders:
        most = max((shared(folder, path) for path in paths), default=0)
        assert nearby.closest(folder) == tuple(path for path in paths if shared(folder, path) == most)


def test_folders_to_which_the_same_paths_are_closest_are_given_the_same_object() -> None:
    nearby = Nearby(["a/x", "a/y", "b/x"])
    assert nearby.closest("a/p") is nearby.closest("a/q")


class _CountingTree(Tree):
    """A tree that counts what is looked up in it."""

    lookups = 0

    def __contains__(self, path: object) -> bool:
        self.lookups += 1
        return super().__contains__(path)

    def has_folder(self, folder: str) -> bool:
        self.lookups += 1
        return super().has_folder(folder)

    def ending(self, tail: str) -> list[str]:
        found = list(super().ending(tail))
        self.lookups += len(found)
        return found

    def folder(self, folder: str) -> list[str]:
        self.lookups += 1
        return list(super().folder(folder))


_COUNT = 300


def _import(module: str, *names: str) -> Import:
    return Import(module, [ImportedName(name, name) for name in names], 0, 0)


def _each(pattern: str) -> list[str]:
    return [pattern.format(number) for number in range(_COUNT)]


@pytest.mark.parametrize(
    ("language", "patterns", "manifest", "importers", "imported"),
    [
        ("python", ["d{0}/pk{0}/__init__.py"], "", "d{0}/pk{0}/__init__.py", lambda _: _import("missing")),
        ("python", ["d{0}/pk{0}/__init__.py"], "", "d0/pk0/__init__.py", lambda place: _import(f"missing{place}")),
        ("python", ["d{0}/tests/__init__.py"], "", "d{0}/tests/__init__.py", lambda _: _import("tests")),
        (
            "python",
            ["d{0}/tests/__init__.py", "d{0}/tests/m{0}.py"],
            "",
            "x{0}/a.py",
            lambda place: _import(f"tests.m{place}"),
        ),
        ("ruby", ["d{0}/lib/a.rb"], "", "d{0}/lib/a.rb", lambda _: _import("a")),
        ("c", ["d{0}/lib/a.h"], "", "d{0}/src/x.c", lambda _: _import("lib/a.h")),
        ("c", ["d{0}/include/stdio.h"], "", "d{0}/src/x.c", lambda _: _import("<stdio.h>")),
        (
            "java",
            ["d{0}/src/main/java/com/x/A.java"],
            "",
            "d{0}/src/main/java/com/x/B.java",
            lambda _: _import("com.x", "A"),
        ),
        (
            "rust",
            ["d{0}/Cargo.toml", "d{0}/src/lib.rs"],
            '[package]\nname = "x"',
            "d{0}/src/b.rs",
            lambda _: _import("x::y"),
        ),
        ("go", ["d{0}/go.mod", "d{0}/a.go"], "module example.com/x", "d{0}/a.go", lambda _: _import("example.com/x/y")),
        (
            "go",
            ["d{0}/go.mod", "d{0}/y/a.go"],
            "module example.com/x",
            "e{0}/a.go",
            lambda _: _import("example.com/x/y"),
        ),
    ],
)
def test_the_work_grows_with_the_files_and_not_with_their_pairs(
    monkeypatch: pytest.MonkeyPatch,
    language: str,
    patterns: Iterable[str],
    manifest: str,
    importers: str,
    imported: Callable[[int], Import],
) -> None:
    paths = [path for pattern in patterns for path in _each(pattern)]
    manifests = {path: manifest.encode() for path in paths if path.endswith((".toml", ".mod"))}
    tree = _CountingTree({*paths, *_each(importers)}, manifests)
    compared = 0
    measure = tree_module._shared

    def counted(parts: list[str], path: str) -> int:
        nonlocal compared
        compared += 1
        return measure(parts, path)

    monkeypatch.setattr(tree_module, "_shared", counted)
    resolver = RESOLVERS[language](tree)
    for place, importer in enumerate(_each(importers)):
        resolver.bindings(importer, imported(place))
    assert tree.lookups + compared < 40 * _COUNT
