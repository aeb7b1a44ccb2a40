"""Haskell: a module's name is the path of its file below a source folder."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from pilotfish.graph.resolve.binding import Binding
from pilotfish.graph.tree import LONGEST_MODULE, Nearby, Tree
from pilotfish.syntax.outline import Import

_ENDINGS = (".hs", ".hsc", ".lhs")


class Haskell:
    """Resolves imports: `Data.Map` is `…/Data/Map.hs`, in the closest source folder that has it."""

    manifests: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._modules: dict[str, Nearby] = {}

    def bindings(self, importer: str, imported: Import) -> Sequence[Binding]:
        """Names under themselves, a module under its alias, its contents where nothing is listed."""
        module = imported.module
        if len(module) > LONGEST_MODULE:
            return ()
        places = self._modules.get(module)
        if places is None:
            tail = module.replace(".", "/")
            places = Nearby([path for ending in _ENDINGS for path in self._tree.ending(tail + ending)])
            self._modules[module] = places
        files = places.closest(importer.rpartition("/")[0])[:1]
        if not files:
            return ()
        # Who imports this file in turn gets nothing of what it opens.
        return [Binding("" if name.alias == "*" else name.alias, name.name, files) for name in imported.names]

    def package(self, path: str) -> str | None:
        """Nothing is seen without an import."""
        return None
