"""Imports to files: one module per language, each a pure function of the import, the importer's path and the tree.

A resolver says what every name that an import brings in stands for: a name in certain files, or those files as a
whole. It never guesses by name alone: an import that leads out of the workspace has no files. Each is registered in
`RESOLVERS` under the languages whose imports it reads; a language without one has only its names.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping, Sequence
from fnmatch import translate
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


# The modules of the languages need what stands above.
from pilotfish.graph.resolve.bash import Bash  # noqa: E402
from pilotfish.graph.resolve.c import C  # noqa: E402
from pilotfish.graph.resolve.ecmascript import EcmaScript  # noqa: E402
from pilotfish.graph.resolve.go import Go  # noqa: E402
from pilotfish.graph.resolve.java import Java  # noqa: E402
from pilotfish.graph.resolve.python import Python  # noqa: E402
from pilotfish.graph.resolve.ruby import Ruby  # noqa: E402
from pilotfish.graph.resolve.rust import Rust  # noqa: E402

RESOLVERS: Mapping[str, type[Resolver]] = {
    "bash": Bash,
    "c": C,
    "cpp": C,
    "go": Go,
    "java": Java,
    "javascript": EcmaScript,
    "python": Python,
    "ruby": Ruby,
    "rust": Rust,
    "tsx": EcmaScript,
    "typescript": EcmaScript,
}
"""By language name (`syntax.languages`)."""

_MANIFESTS = re.compile(
    "|".join(sorted(translate(pattern) for made in {*RESOLVERS.values()} for pattern in made.manifests))
)


def is_manifest(path: str) -> bool:
    """Whether a file says how modules are found, so that a resolver needs its text."""
    return _MANIFESTS.match(posixpath.basename(path)) is not None
