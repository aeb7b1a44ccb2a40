"""Solidity: imports are paths: from the file's folder, from the project's, or through a remapping."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence
from typing import ClassVar, Final

from pilotfish.graph.resolve.binding import Binding
from pilotfish.graph.resolve.manifests import at, read_toml, strings
from pilotfish.graph.tree import LONGEST_MODULE, Tree, above, joined
from pilotfish.syntax.outline import Import

_LARGEST_MANIFEST: Final = 1 << 18  # bytes
_MOST_REMAPPINGS: Final = 1_000
_REMAPPING = re.compile(r"^\s*(?:[^:=\s]*:)?([^:=\s]+)=(\S+)\s*$")


class Solidity:
    """Resolves imports with the remappings of Foundry and the folders of packages."""

    manifests: ClassVar[frozenset[str]] = frozenset({"remappings.txt", "foundry.toml"})

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._remapped: dict[str, list[tuple[str, str]]] = {}  # prefix and folder, the longest first, by manifest's
        for path in sorted(tree.manifests):
            text = tree.manifests[path][:_LARGEST_MANIFEST]
            folder, name = posixpath.split(path)
            if name == "remappings.txt":
                self._add(folder, text.decode("utf-8", "replace").splitlines())
            elif name == "foundry.toml":
                self._add(folder, strings(at(read_toml(text), "profile", "default", "remappings")))
        for remappings in self._remapped.values():
            remappings.sort(key=lambda each: -len(each[0]))
        self._resolved: dict[tuple[str, str], str | None] = {}

    def bindings(self, importer: str, imported: Import) -> Sequence[Binding]:
        """The imported names, the file under an alias, or all that it defines and imports."""
        place = (posixpath.dirname(importer), imported.module)
        if place not in self._resolved:
            self._resolved[place] = next((path for path in self._paths(*place) if path in self._tree), None)
        path = self._resolved[place]
        if path is None:
            return ()
        if not imported.names:
            return (Binding("*", "*", (path,)),)
        return tuple(Binding(each.alias, each.name, (path,)) for each in imported.names)

    def package(self, path: str) -> str | None:
        """Nothing is seen without an import."""
        return None

    def _add(self, folder: str, lines: Sequence[str]) -> None:
        for line in lines[:_MOST_REMAPPINGS]:
            if found := _REMAPPING.match(line):
                self._remapped.setdefault(folder, []).append((found[1], found[2]))

    def _paths(self, folder: str, module: str) -> Iterator[str]:
        """Where an import may lie, the likeliest first."""
        if not module or len(module) > LONGEST_MODULE:
            return
        if module.startswith("."):
            places: list[str | None] = [joined(folder, module)]
        else:
            places = [
                joined(outer, target + module[len(prefix) :])
                for outer in above(folder)
                for prefix, target in self._remapped.get(outer, ())
                if module.startswith(prefix)
            ]
            places += [joined(outer, f"{inner}{module}") for outer in above(folder) for inner in ("", "node_modules/")]
            package, _, rest = module.partition("/")
            places += [joined(outer, f"lib/{package}/src/{rest}") for outer in above(folder)]
        yield from (place for place in places if place is not None)
