"""Zig: `@import("x.zig")` is a path from the file's folder, `@import("x")` a module that the build names."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence
from typing import ClassVar

from pilotfish.graph.resolve.binding import Binding
from pilotfish.graph.tree import LONGEST_MODULE, Nearby, Tree, joined
from pilotfish.syntax.outline import Import


class Zig:
    """Resolves `@import`; a module is found where its root lies by custom, since only the build program says where."""

    manifests: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._modules: dict[str, Nearby] = {}

    def bindings(self, importer: str, imported: Import) -> Sequence[Binding]:
        """The file under the name that it is given, a definition of it, or what it hands on."""
        path = self._path(posixpath.dirname(importer), imported.module)
        if path is None:
            return ()
        if not imported.names:
            return (Binding("", "*", (path,)),)
        return tuple(Binding(each.alias, each.name, (path,)) for each in imported.names)

    def package(self, path: str) -> str | None:
        """Nothing is seen without an import."""
        return None

    def _path(self, folder: str, module: str) -> str | None:
        if not module or len(module) > LONGEST_MODULE:
            return None
        if module.endswith((".zig", ".zon")):
            path = joined(folder, module)
            return path if path is not None and path in self._tree else None
        nearby = self._modules.get(module)
        if nearby is None:
            roots = (f"{module}/{module}.zig", f"src/{module}.zig", f"{module}/src/root.zig", f"{module}/src/main.zig")
            paths = dict.fromkeys(path for root in roots for path in self._tree.ending(root))
            nearby = self._modules[module] = Nearby(list(paths))
        return next(iter(nearby.closest(folder)), None)
