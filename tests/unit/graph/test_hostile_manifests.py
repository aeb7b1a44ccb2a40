"""What a manifest of a repository costs is bounded, however it is written: counted in calls, not in seconds."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from types import FrameType
from typing import Any

import pytest

from pilotfish.graph.entry_points import Degree, entry_points
from pilotfish.graph.resolve.ecmascript import EcmaScript
from pilotfish.graph.tree import Tree
from pilotfish.syntax.outline import Import


def calls(work: Callable[[], object]) -> int:
    """Return how many functions are called, and generators resumed, while work is done; reading TOML is not counted."""
    count = 0

    def counted(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        is_parser = frame.f_globals["__name__"].startswith("tomllib")
        count += event in ("call", "c_call") and not is_parser

    before = sys.getprofile()
    sys.setprofile(counted)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count


def paths(table: object) -> Mapping[str, object]:
    return {"tsconfig.json": {"compilerOptions": {"paths": table}}}


NESTED: list[Any] = []
for _ in range(12):
    NESTED = [NESTED, NESTED]

HOSTILE: Mapping[str, Mapping[str, object]] = {
    "many empty targets": paths({"*": [[]] * 130_000}),
    "nested targets": paths({"*": NESTED}),
    "many conditions": paths({"*": {f"c{number}": [] for number in range(35_000)}}),
    "many patterns": paths({f"q{number}*": ["z"] for number in range(20_000)}),
    "exports of many keys": {"x/package.json": {"name": "x", "exports": {f"c{n}": [] for n in range(35_000)}}},
    "a deep main": {"x/package.json": {"name": "x", "main": "dist/" * 50_000}},
    "packages of one name": {f"p{number}/package.json": {"name": "x"} for number in range(2_000)},
    "a long list of parents": {"tsconfig.json": {"extends": ["./none"] * 40_000}},
}


@pytest.mark.parametrize("manifests", HOSTILE.values(), ids=HOSTILE.keys())
def test_an_import_costs_little_once_the_manifests_are_read(manifests: Mapping[str, object]) -> None:
    texts = {path: json.dumps(value).encode() for path, value in manifests.items()}
    resolver = EcmaScript(Tree(["a/a.ts", "b/b.ts", *texts], texts))
    imported = [Import(module, [], 0, 0) for module in ("x/none", "x", "../x", "#x")]

    def resolve(importer: str) -> None:
        assert not [each for one in imported for each in resolver.bindings(importer, one)]

    resolve("a/a.ts")
    assert calls(lambda: resolve("b/b.ts")) < 2_000


def test_the_closest_packages_of_a_name_are_tried() -> None:
    texts = {f"p{number:03}/{inner}/package.json": b'{"name": "x"}' for number in range(50) for inner in ("a", "b")}
    files = [path.replace("package.json", "index.ts") for path in texts]
    resolver = EcmaScript(Tree([*files, "p030/b/c/main.ts", "main.ts"], texts))
    for importer, expected in {"p030/b/c/main.ts": "p030/b/index.ts", "main.ts": "p000/a/index.ts"}.items():
        assert [each.files for each in resolver.bindings(importer, Import("x", [], 0, 0))] == [(expected,)]


WIDE_PACKAGE: Mapping[str, object] = {
    "bin": {f"b{number}": f"dist/b{number}" for number in range(10_000)},
    "exports": {f"./{number}": [[f"dist/{number}.js"]] for number in range(10_000)},
    "main": "dist/" * 30_000 + "\nx",
}
WIDE_PROJECT = "[project.scripts]\n" + "".join(f"s{number} = 'none{number}:main'\n" for number in range(15_000))


def test_few_of_the_names_in_manifests_are_looked_at() -> None:
    files = {"a.js": Degree(0, 0)}
    wide = {"package.json": json.dumps(WIDE_PACKAGE).encode(), "pyproject.toml": WIDE_PROJECT.encode()}
    assert calls(lambda: entry_points(files, [], wide)) < 150_000
    many = {f"p{number}/package.json": b'{"bin": ["b", "c", "d", "e", "f"]}' for number in range(6_000)}
    assert calls(lambda: entry_points(files, [], many)) < 300_000


def test_a_source_is_found_behind_folders_of_builds() -> None:
    files = {"p/src/main.ts": Degree(0, 0), "src/cli.ts": Degree(0, 0)}
    manifests = {"p/package.json": b'{"main": "./dist/esm/main.js"}', "package.json": b'{"bin": "lib/cli.mjs"}'}
    assert [entry.path for entry in entry_points(files, [], manifests)] == ["p/src/main.ts", "src/cli.ts"]
