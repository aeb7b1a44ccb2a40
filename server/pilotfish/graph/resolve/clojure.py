"""Clojure: a namespace is a path, with underscores for dashes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from pilotfish.graph.resolve.binding import Binding
from pilotfish.graph.tree import LONGEST_MODULE, Nearby, Tree
from pilotfish.syntax.outline import Import

_ENDINGS = (".clj", ".cljc", ".cljs", ".bb")


class Clojure:
    """Resolves `require` and `use`: `my.app-core` is `…/my/app_core.clj`."""

    manifests: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._namespaces: dict[str, Nearby] = {}

    def bindings(self, importer: str, imported: Import) -> Sequence[Binding]:
        """A namespace under its alias, names that are referred to under themselves."""
        module = imported.module
        if len(module) > LONGEST_MODULE:
            return ()
        places = self._namespaces.get(module)
        if places is None:
            tail = module.replace(".", "/").replace("-", "_")
            places = Nearby([path for ending in _ENDINGS for path in self._tree.ending(tail + ending)])
            self._namespaces[module] = places
        near = places.closest(importer.rpartition("/")[0])
        if not near:
            return ()
        # A namespace may have a file for each platform.
        stem = near[0].rpartition(".")[0]
        files = tuple(path for path in near if path.rpartition(".")[0] == stem)
        if not imported.names:
            return (Binding("", "*", files),)
        return [Binding("" if name.alias == "*" else name.alias, name.name, files) for name in imported.names]

    def package(self, path: str) -> str | None:
        """Nothing is seen without `require`."""
        return None
