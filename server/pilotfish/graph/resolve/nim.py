"""Nim: modules are paths from the importer's folder, from the package's sources, or of the library."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence
from typing import ClassVar

from pilotfish.graph.resolve.binding import Binding
from pilotfish.graph.tree import LONGEST_MODULE, Nearby, Tree, above, joined
from pilotfish.syntax.outline import Import

# Folders below which the library lies, and those of packages.
_SEARCHED = re.compile(r"(?:^|/)(?:src|lib|pure|std|core|impure|js|posix|collections|concurrency|pkgs2?/[^/]+)$")


class Nim:
    """Resolves `import`, `from` and `include`."""

    manifests: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._found: dict[str, Nearby] = {}
        self._resolved: dict[tuple[str, str], str | None] = {}

    def bindings(self, importer: str, imported: Import) -> Sequence[Binding]:
        """A module by its name with all that it exports, the names that are taken from it, or what is included."""
        place = (posixpath.dirname(importer), imported.module)
        if place not in self._resolved:
            self._resolved[place] = self._path(*place)
        path = self._resolved[place]
        if path is None or path == importer:
            return ()
        files = (path,)
        if any(each.name != "*" for each in imported.names):
            return tuple(Binding(each.alias, each.name, files) for each in imported.names)
        module = imported.names[0].alias if imported.names else posixpath.basename(path).removesuffix(".nim")
        return (Binding(module, "*", files), Binding("", "*", files))

    def package(self, path: str) -> str | None:
        """Nothing is seen without an import."""
        return None

    def _path(self, folder: str, module: str) -> str | None:
        module = module.replace(" ", "").strip('"')
        if not module or len(module) > LONGEST_MODULE:
            return None
        root, _, rest = module.partition("/")
        is_library = root in ("std", "pkg", "system") and rest != ""
        written = f"{(rest if is_library else module).removesuffix('.nim')}.nim"
        if not is_library:
            for outer in (folder,) if module.startswith((".", "..")) else above(folder):
                for place in (outer, f"{outer}/src".strip("/")):
                    if (path := joined(place, written)) in self._tree:
                        return path
            if module.startswith("."):
                return None
        nearby = self._found.get(written)
        if nearby is None:
            ends = ((path, path[: -len(written) - 1]) for path in self._tree.ending(written))
            nearby = self._found[written] = Nearby([path for path, outer in ends if _SEARCHED.search(outer)])
        return next(iter(nearby.closest(folder)), None)
