"""Ada: GNAT's custom names the file of a unit after it, in lower case, with dashes for dots."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence
from typing import ClassVar

from pilotfish.graph.resolve.binding import Binding
from pilotfish.graph.tree import LONGEST_MODULE, Nearby, Tree
from pilotfish.syntax.outline import Import

_ENDINGS = (".ads", ".adb")
# The library of the compiler shortens the first parts of its own names.
_LIBRARY = {"ada": "a", "gnat": "g", "interfaces": "i", "system": "s"}


class Ada:
    """Resolves `with`: `Geometry.Plane` is `geometry-plane.ads`, with its body."""

    manifests: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._units: dict[str, Nearby] = {}

    def bindings(self, importer: str, imported: Import) -> Sequence[Binding]:
        """The unit as a whole."""
        unit = imported.module.lower().replace(" ", "").replace("\n", "")
        if not unit or len(unit) > LONGEST_MODULE:
            return ()
        places = self._units.get(unit)
        if places is None:
            parts = unit.split(".")
            stems = ["-".join(parts)]
            if len(parts) > 1 and parts[0] in _LIBRARY:
                stems.append("-".join([_LIBRARY[parts[0]], *parts[1:]]))
            found = [path for stem in stems for ending in _ENDINGS for path in self._tree.named(stem + ending)]
            places = self._units[unit] = Nearby(found)
        near = places.closest(posixpath.dirname(importer))
        if not near:
            return ()
        stem = posixpath.basename(near[0]).partition(".")[0]
        return (Binding("", "*", tuple(path for path in near if posixpath.basename(path).partition(".")[0] == stem)),)

    def package(self, path: str) -> str | None:
        """The unit: a body sees what its specification declares."""
        return posixpath.splitext(path)[0]
