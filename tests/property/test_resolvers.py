"""Whatever a repository holds, its imports are resolved without failure and to files of its own."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pilotfish.graph.resolve import RESOLVERS
from pilotfish.graph.tree import Tree
from pilotfish.syntax.outline import Import, ImportedName

PARTS = st.sampled_from(
    [
        "a",
        "b",
        "src",
        "dist",
        "index",
        "mod",
        "lib",
        "main",
        "vendor",
        "include",
        "__init__",
        "json",
        "..",
        ".",
        "",
        "@",
        "~",
        "#x",
        "*",
        "é",
    ]
)
MODULES = st.one_of(
    st.builds(
        "".join,
        st.lists(
            st.sampled_from(
                [".", "/", "a", "b", "index", ".js", "@", "#", "~", "::", "<", "\0", "super", "crate", "lib", "$x"]
            )
        ),
    ),
    st.text(max_size=40),
)
PATHS = st.builds(
    lambda parts, ending: "/".join(part for part in parts if part not in ("", ".", "..")) + ending,
    st.lists(PARTS, min_size=1, max_size=4),
    st.sampled_from([".py", ".pyi", ".ts", ".d.ts", ".js", ".vue", ".go", ".rs", ".java", ".h", ".rb", ".sh"]),
)
MANIFESTS = ["package.json", "tsconfig.json", "tsconfig.base.json", "pyproject.toml", "go.mod", "Cargo.toml"]
VALUES = st.recursive(
    st.one_of(st.none(), st.integers(), MODULES),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(
            st.one_of(
                st.sampled_from(
                    ["name", "main", "exports", "imports", "compilerOptions", "paths", "baseUrl", "extends"]
                ),
                MODULES,
            ),
            inner,
            max_size=4,
        ),
    ),
    max_leaves=12,
)
TEXTS = st.one_of(
    st.binary(max_size=80),
    VALUES.map(lambda value: json.dumps(value).encode()),
    MODULES.map(lambda module: f"module {module}\nreplace (\n a => ../{module}\n".encode("utf-8", "replace")),
    MODULES.map(lambda module: f"[tool.pytest.ini_options]\npythonpath = {json.dumps(module)}".encode()),
)


HOSTILE = [b"[" * 200_000, b'{"name":' * 50_000, b'"\\' * 50_000, b"/*" * 50_000, b"a=[" * 10_000, b'{"a":1,' * 50_000]
HOSTILE += [
    b"a." * 100_000 + b"a = 1",
    b"[" + b"a . " * 9_000 + b"a]\n" + b"b.c.d = 1\n" * 9_000,
    b"replace (\n" * 20_000,
]


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: text[:8].decode())
def test_no_manifest_is_too_nested(text: bytes) -> None:
    for language, resolver in RESOLVERS.items():
        manifests = dict.fromkeys(MANIFESTS, text)
        made = resolver(Tree(["a/main.py", *manifests], manifests))
        assert not made.bindings("a/main.py", Import("#some", [], 0, 0)), language


@pytest.mark.parametrize(
    "language", sorted({each.__module__: language for language, each in RESOLVERS.items()}.values())
)
@settings(max_examples=30, deadline=None)
@given(data=st.data())
def test_an_import_leads_to_files_of_the_tree_or_nowhere(language: str, data: st.DataObject) -> None:
    paths = data.draw(st.lists(PATHS, min_size=1, max_size=12))
    folders = st.sampled_from(["", "a/", "src/", "a/b/"])
    names = st.builds(lambda folder, name: folder + name, folders, st.sampled_from(MANIFESTS))
    manifests = data.draw(st.dictionaries(names, TEXTS, max_size=3))
    tree = Tree([*paths, *manifests], manifests)
    resolver = RESOLVERS[language](tree)
    for module in data.draw(st.lists(MODULES, min_size=1, max_size=6)):
        brought = data.draw(st.lists(st.builds(ImportedName, MODULES, MODULES), max_size=2))
        importer = data.draw(st.sampled_from(paths))
        for binding in resolver.bindings(importer, Import(module, brought, 0, 0)):
            assert binding.files
            assert tree.paths.issuperset(binding.files)
        resolver.package(importer)
