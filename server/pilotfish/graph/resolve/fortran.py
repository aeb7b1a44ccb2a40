"""Fortran: `use` names a module, and by custom a module's file has its name."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence
from functools import cached_property
from typing import ClassVar

from pilotfish.graph.resolve.binding import Binding
from pilotfish.graph.tree import LONGEST_MODULE, Nearby, Tree, joined
from pilotfish.syntax.outline import Import

_ENDINGS = (".f90", ".f95", ".f03", ".f08", ".f18", ".fpp", ".fypp", ".f", ".for", ".f77", ".ftn")


class Fortran:
    """Resolves `use`, `include` and `#include`; case says nothing in names of modules."""

    manifests: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._nearby: dict[str, Nearby] = {}

    def bindings(self, importer: str, imported: Import) -> Sequence[Binding]:
        """The module's contents or the names that are taken of it; an included file's contents."""
        module = imported.module
        if not module or len(module) > LONGEST_MODULE:
            return ()
        files = self._files(posixpath.dirname(importer), module)
        if not files:
            return ()
        return [Binding(name.alias, name.name, files) for name in imported.names] or (Binding("*", "*", files),)

    def package(self, path: str) -> str | None:
        """Nothing is seen without `use`, save procedures outside of modules, which go by name."""
        return None

    def _files(self, folder: str, module: str) -> tuple[str, ...]:
        places = self._nearby.get(module)
        if "." in module or "/" in module:
            beside = joined(folder, module.strip("<>"))
            if beside is not None and beside in self._tree:
                return (beside,)
            if places is None:
                tail = posixpath.normpath(module.strip("<>"))
                places = self._nearby[module] = Nearby([] if tail.startswith(("..", "/")) else self._tree.ending(tail))
        elif places is None:
            places = self._nearby[module] = Nearby(self._by_stem.get(module.lower(), ()))
        return places.closest(folder)[:1]

    @cached_property
    def _by_stem(self) -> dict[str, list[str]]:
        """The files of the language by their names in lower case without ending."""
        found: dict[str, list[str]] = {}
        for path in sorted(self._tree.paths):
            stem, ending = posixpath.splitext(posixpath.basename(path))
            if ending.lower() in _ENDINGS:
                found.setdefault(stem.lower(), []).append(path)
        return found
