"""R: `library` attaches a package, which a `DESCRIPTION` names; `source` reads a file from the working folder."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence
from typing import ClassVar, Final

from pilotfish.graph.resolve.binding import Binding
from pilotfish.graph.tree import LONGEST_MODULE, Nearby, Tree, above, joined
from pilotfish.syntax.outline import Import

_LARGEST_MANIFEST: Final = 1 << 16  # bytes
_MOST_FILES: Final = 2_000
_NAME = re.compile(rb"^Package:[ \t]*([\w.]+)", re.MULTILINE)


class R:
    """Resolves `library`, `require`, `requireNamespace` and `source`."""

    manifests: ClassVar[frozenset[str]] = frozenset({"DESCRIPTION"})

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        folders: dict[str, list[str]] = {}
        for path in sorted(tree.manifests):
            if posixpath.basename(path) == "DESCRIPTION":
                found = _NAME.search(tree.manifests[path][:_LARGEST_MANIFEST])
                if found is not None:
                    folders.setdefault(found[1].decode("latin-1"), []).append(posixpath.dirname(path))
        self._packages = {name: Nearby(places) for name, places in folders.items()}
        self._roots = frozenset(place for places in folders.values() for place in places)
        self._resolved: dict[tuple[str, str], tuple[Binding, ...]] = {}

    def bindings(self, importer: str, imported: Import) -> Sequence[Binding]:
        """What a package or a file defines, usable as it is."""
        place = (importer.rpartition("/")[0], imported.module)
        found = self._resolved.get(place)
        if found is None:
            files = self._files(*place)
            found = self._resolved[place] = (Binding("*", "*", files),) if files else ()
        return found

    def package(self, path: str) -> str | None:
        """The folder of the package that a file belongs to: all its files see each other, and its tests see them."""
        folder = posixpath.dirname(path)
        return next((outer for outer in above(folder) if outer in self._roots), folder)

    def _files(self, folder: str, module: str) -> tuple[str, ...]:
        if not module or len(module) > LONGEST_MODULE:
            return ()
        if module.startswith("./"):
            places = (joined(outer, module) for outer in above(folder))
            return next(((path,) for path in places if path is not None and path in self._tree), ())
        known = self._packages.get(module)
        if known is None:
            return ()
        sources = self._tree.folder(posixpath.join(next(iter(known.closest(folder))), "R"))
        return tuple(path for path in sources if path.lower().endswith(".r"))[:_MOST_FILES]
