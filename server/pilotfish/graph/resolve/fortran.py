"""Fortran: `use` names a module, and by custom a module's file has its name."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence
from typing import ClassVar

from pilotfish.graph.resolve.binding import Binding
from pilotfish.graph.resolve.stems import Stems
from pilotfish.graph.tree import LONGEST_MODULE, Nearby, Tree, joined
from pilotfish.syntax.outline import Import

_ENDINGS = (".f90", ".f95", ".f03", ".f08", ".f18", ".fpp", ".fypp", ".f", ".for", ".f77", ".ftn")


class Fortran:
    """Resolves `use`, `include` and `#include`; case says nothing in names of modules."""

    manifests: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._modules = Stems(tree, _ENDINGS)
        self._included: dict[str, Nearby] = {}

    def bindings(self, importer: str, imported: Import) -> Sequence[Binding]:
        """The module's contents or the names that are taken of it; an included file's contents."""
        module = imported.module
        if not module or len(module) > LONGEST_MODULE:
            return ()
        file = self._file(posixpath.dirname(importer), module)
        if file is None:
            return ()
        files = (file,)
        return [Binding(name.alias, name.name, files) for name in imported.names] or (Binding("*", "*", files),)

    def package(self, path: str) -> str | None:
        """Nothing is seen without `use`, save procedures outside of modules, which go by name."""
        return None

    def _file(self, folder: str, module: str) -> str | None:
        if "." not in module and "/" not in module:
            return self._modules.closest(folder, module)
        written = module.strip("<>")
        beside = joined(folder, written)
        if beside is not None and beside in self._tree:
            return beside
        places = self._included.get(module)
        if places is None:
            tail = posixpath.normpath(written)
            places = self._included[module] = Nearby([] if tail.startswith(("..", "/")) else self._tree.ending(tail))
        return next(iter(places.closest(folder)), None)
