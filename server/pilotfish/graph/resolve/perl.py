"""Perl: `use A::B` is `A/B.pm` in a folder that is searched; `require` and `do` name files as well."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import ClassVar

from pilotfish.graph.resolve.binding import Binding
from pilotfish.graph.tree import LONGEST_MODULE, Nearby, Tree, above, joined
from pilotfish.syntax.outline import Import

# The last part of folders that are searched: a distribution's and those of an installed Perl.
_SEARCHED = re.compile(r"(?:^|/)(?:lib|inc|perl-?\d?|perllib|(?:vendor|site)_perl|\d+\.\d+(?:\.\d+)?)$")
_MODULE = re.compile(r"\w+(?:(?:::|')\w+)*")


class Perl:
    """Resolves `use`, `require` and `do`; what a loaded file defines is usable by its qualified name."""

    manifests: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._found: dict[str, Nearby] = {}  # the files of a module in folders that are searched
        self._resolved: dict[tuple[str, str], str | None] = {}

    def bindings(self, importer: str, imported: Import) -> Sequence[Binding]:
        """The package, the names that are imported from it, and what else it defines."""
        place = (importer.rpartition("/")[0], imported.module)
        if place not in self._resolved:
            self._resolved[place] = self._path(*place)
        path = self._resolved[place]
        if path is None:
            return ()
        files = (path,)
        if not _MODULE.fullmatch(imported.module):
            return (Binding("*", "*", files),)
        package = imported.module.rpartition("::")[2]
        names = [Binding(each.alias, each.name, files) for each in imported.names]
        return (Binding(package, package, files), *names, Binding("", "*", files))

    def package(self, path: str) -> str | None:
        """Nothing is seen without being loaded by somebody."""
        return None

    def _path(self, folder: str, module: str) -> str | None:
        if not module or len(module) > LONGEST_MODULE:
            return None
        is_module = _MODULE.fullmatch(module) is not None
        written = f"{module.replace('::', '/')}.pm" if is_module else module
        # From a folder of the importer's own, or `lib` in it, before any other.
        for outer in above(folder):
            for place in (outer, f"{outer}/lib".strip("/")):
                if (path := joined(place, written)) in self._tree:
                    return path
        if not is_module:
            return None
        nearby = self._found.get(written)
        if nearby is None:
            ends = ((path, path[: -len(written) - 1]) for path in self._tree.ending(written))
            nearby = self._found[written] = Nearby([path for path, root in ends if _SEARCHED.search(root)])
        return next(iter(nearby.closest(folder)), None)
