"""Pascal: a unit's file has the unit's name."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence
from typing import ClassVar

from pilotfish.graph.resolve.binding import Binding
from pilotfish.graph.resolve.stems import Stems
from pilotfish.graph.tree import LONGEST_MODULE, Tree
from pilotfish.syntax.outline import Import


class Pascal:
    """Resolves `uses`; what a unit's interface declares is usable as it is."""

    manifests: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, tree: Tree) -> None:
        self._units = Stems(tree, (".pas", ".pp", ".lpr", ".dpr"))

    def bindings(self, importer: str, imported: Import) -> Sequence[Binding]:
        """The unit's contents."""
        if len(imported.module) > LONGEST_MODULE:
            return ()
        file = self._units.closest(posixpath.dirname(importer), imported.module)
        return (Binding("", "*", (file,)),) if file is not None else ()

    def package(self, path: str) -> str | None:
        """Nothing is seen without `uses`."""
        return None
