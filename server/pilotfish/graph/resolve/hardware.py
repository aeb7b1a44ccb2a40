"""VHDL and Verilog: by custom a package's file has its name; included files are found by the end of their path."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence
from typing import ClassVar

from pilotfish.graph.resolve.binding import Binding
from pilotfish.graph.resolve.stems import Stems
from pilotfish.graph.tree import LONGEST_MODULE, Nearby, Tree, joined
from pilotfish.syntax.outline import Import


class Vhdl:
    """Resolves `use library.package.name`."""

    manifests: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, tree: Tree) -> None:
        self._packages = Stems(tree, (".vhd", ".vhdl"))

    def bindings(self, importer: str, imported: Import) -> Sequence[Binding]:
        """The names of a package, all or one."""
        if len(imported.module) > LONGEST_MODULE:
            return ()
        file = self._packages.closest(posixpath.dirname(importer), imported.module.rpartition(".")[2])
        if file is None:
            return ()
        if not imported.names:
            return (Binding("", "*", (file,)),)
        return [Binding("" if name.alias == "*" else name.alias, name.name, (file,)) for name in imported.names]

    def package(self, path: str) -> str | None:
        """Nothing is seen without `use`, save entities of the library, which go by name."""
        return None


class Verilog:
    """Resolves `` `include `` and the import of packages."""

    manifests: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._packages = Stems(tree, (".sv", ".svh", ".v", ".vh"))
        self._included: dict[str, Nearby] = {}

    def bindings(self, importer: str, imported: Import) -> Sequence[Binding]:
        """An included file's contents; the names of a package, all or one."""
        folder, module = posixpath.dirname(importer), imported.module
        if not module or len(module) > LONGEST_MODULE:
            return ()
        if "." in module:
            file = self._header(folder, module)
            return (Binding("*", "*", (file,)),) if file is not None else ()
        file = self._packages.closest(folder, module)
        if file is None:
            return ()
        return [Binding(name.alias, name.name, (file,)) for name in imported.names] or (Binding("", "*", (file,)),)

    def package(self, path: str) -> str | None:
        """Modules go by name, wherever they lie."""
        return None

    def _header(self, folder: str, written: str) -> str | None:
        beside = joined(folder, written)
        if beside is not None and beside in self._tree:
            return beside
        places = self._included.get(written)
        if places is None:
            tail = posixpath.normpath(written)
            places = self._included[written] = Nearby([] if tail.startswith(("..", "/")) else self._tree.ending(tail))
        return next(iter(places.closest(folder)), None)
