"""Nix: a path literal is a file, or a folder that stands for its `default.nix`."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence
from typing import ClassVar

from pilotfish.graph.resolve.binding import Binding
from pilotfish.graph.tree import LONGEST_MODULE, Tree, joined
from pilotfish.syntax.outline import Import


class Nix:
    """Resolves paths; what a file evaluates to is used under any name."""

    manifests: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, tree: Tree) -> None:
        self._tree = tree

    def bindings(self, importer: str, imported: Import) -> Sequence[Binding]:
        """The file as a whole, where it is in the tree."""
        if not imported.module.startswith(".") or len(imported.module) > LONGEST_MODULE:
            return ()
        path = joined(posixpath.dirname(importer), imported.module)
        if path is None:
            return ()
        files = tuple(each for each in (path, posixpath.join(path, "default.nix")) if each in self._tree)
        return (Binding("", "*", files),) if files else ()

    def package(self, path: str) -> str | None:
        """Nothing is seen without a path."""
        return None
