"""Julia: `include` puts a file into a module; `using` opens a package, whose file is called like it."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence
from typing import ClassVar

from pilotfish.graph.resolve.binding import Binding
from pilotfish.graph.tree import LONGEST_MODULE, Nearby, Tree, above, joined
from pilotfish.syntax.outline import Import


class Julia:
    """Resolves `include`, `using` and `import`."""

    manifests: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._packages: dict[str, Nearby] = {}
        self._resolved: dict[tuple[str, str], str | None] = {}

    def bindings(self, importer: str, imported: Import) -> Sequence[Binding]:
        """What an included file or a package defines, or the names that are taken from it."""
        place = (posixpath.dirname(importer), imported.module)
        if place not in self._resolved:
            self._resolved[place] = self._path(*place)
        path = self._resolved[place]
        if path is None or path == importer:
            return ()
        if not imported.names:
            return (Binding("*", "*", (path,)),)
        return tuple(Binding(each.alias, each.name, (path,)) for each in imported.names)

    def package(self, path: str) -> str | None:
        """The sources of a package, which are one module as a rule; any other file's folder."""
        folder = posixpath.dirname(path)
        return next((outer for outer in above(folder) if posixpath.basename(outer) == "src"), folder)

    def _path(self, folder: str, module: str) -> str | None:
        if not module or len(module) > LONGEST_MODULE:
            return None
        if module.startswith("./"):
            path = joined(folder, module)
            return path if path is not None and path in self._tree else None
        name = f"{module.lstrip('.').split('.')[0]}.jl"
        if module.startswith("."):  # a module of the same package, by custom in a file of its name
            return next((path for outer in above(folder) if (path := joined(outer, name)) in self._tree), None)
        nearby = self._packages.get(name)
        if nearby is None:
            nearby = self._packages[name] = Nearby(self._tree.ending(f"src/{name}"))
        return next(iter(nearby.closest(folder)), None)
