"""What a resolver is, and what it says of an import."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, NamedTuple, Protocol

from pilotfish.graph.tree import Tree
from pilotfish.syntax.outline import Import


class Binding(NamedTuple):
    """What one name in the importing file stands for.

    `alias` is the name as the importing file writes it, `name` as the `files` define it. `name` is `*` where the files
    stand for themselves: a module bound whole under `alias` (`import numpy as np`), or, with the alias `*`, a module
    whose contents are usable without a prefix, here and by those who import this file (`from m import *`, `#include`,
    Ruby's `require`). `alias` is "" where nothing is bound that this file hands on (`import "./side-effect"`, Java's
    `import a.b.*`).
    """

    alias: str
    name: str
    files: tuple[str, ...]


class Resolver(Protocol):
    """Resolves the imports of one family of languages in one tree."""

    manifests: ClassVar[frozenset[str]]
    """Names of the files whose texts it needs (`go.mod`), as patterns of fnmatch (`tsconfig*.json`); they are read at
    most once a tree."""

    def __init__(self, tree: Tree) -> None:
        """Read what the manifests say; must not fail on damaged or hostile ones."""

    def bindings(self, importer: str, imported: Import) -> Sequence[Binding]:
        """Return what an import of the file `importer` binds; empty where it leads out of the workspace."""

    def package(self, path: str) -> str | None:
        """Return what names the files that see each other's definitions without an import: Go's folder, Java's
        package. None where a language has no such thing."""
