"""Lua: `require "a.b"` is `a/b.lua` or `a/b/init.lua` below a folder of the search path."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import ClassVar

from pilotfish.graph.resolve.binding import Binding
from pilotfish.graph.tree import LONGEST_MODULE, Nearby, Tree, above, joined
from pilotfish.syntax.outline import Import

# The last part of folders that are searched: a plugin's, a project's, and those of an installed Lua.
_SEARCHED = re.compile(r"(?:^|/)(?:lua|luajit|src|lib|lualib|scripts?|spec|tests?|modules|share/lua/\d\.\d|\d\.\d)$")


class Lua:
    """Resolves `require`, `dofile` and `loadfile`."""

    manifests: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._found: dict[str, Nearby] = {}  # the files of a module in folders that are searched
        self._resolved: dict[tuple[str, str], str | None] = {}

    def bindings(self, importer: str, imported: Import) -> Sequence[Binding]:
        """A module under the name that it is given, a field of it, or what it makes global."""
        place = (importer.rpartition("/")[0], imported.module)
        if place not in self._resolved:
            self._resolved[place] = self._path(*place)
        path = self._resolved[place]
        if path is None:
            return ()
        if not imported.names:
            return (Binding("*", "*", (path,)),)
        return tuple(Binding(each.alias, each.name, (path,)) for each in imported.names)

    def package(self, path: str) -> str | None:
        """Nothing is seen without a `require`, save what is global."""
        return None

    def _path(self, folder: str, module: str) -> str | None:
        if not module or len(module) > LONGEST_MODULE:
            return None
        if module.startswith("./"):
            places = (joined(place, module) for place in above(folder))
            return next((path for path in places if path in self._tree), None)
        written = module if "/" in module else module.replace(".", "/")
        tails = (f"{written.strip('/')}.lua", f"{written.strip('/')}/init.lua")
        # From the folder of the importer or one that it lies in, before any other.
        for outer in above(folder):
            for tail in tails:
                if (path := joined(outer, tail)) in self._tree:
                    return path
        nearby = self._found.get(written)
        if nearby is None:
            ends = ((path, path[: -len(tail) - 1]) for tail in tails for path in self._tree.ending(tail))
            nearby = self._found[written] = Nearby([path for path, root in ends if _SEARCHED.search(root)])
        return next(iter(nearby.closest(folder)), None)
