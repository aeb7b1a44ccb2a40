"""Ruby: `require` looks through load paths, `require_relative` from the folder of its file."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence
from typing import ClassVar

from pilotfish.graph.resolve.binding import Binding
from pilotfish.graph.tree import LONGEST_MODULE, Nearby, Tree, joined
from pilotfish.syntax.outline import Import

# The last part of folders that are load paths: a gem's and Rails' own, those of tests, and those of an installed Ruby.
_LOAD_PATH = re.compile(r"(?:^|/)(?:lib|test|spec|ext|vendor_ruby|site_ruby|\d+\.\d+(?:\.\d+)?)$|(?:^|/)app/[^/]+$")


class Ruby:
    """Resolves `require`, `require_relative`, `load` and `autoload`; what a file defines is usable without a prefix."""

    manifests: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._loaded: dict[str, Nearby] = {}  # files in load paths by what is written
        self._resolved: dict[tuple[str, str], tuple[Binding, ...]] = {}

    def bindings(self, importer: str, imported: Import) -> Sequence[Binding]:
        """The required file's contents."""
        place = (importer.rpartition("/")[0], imported.module)
        found = self._resolved.get(place)
        if found is None:
            path = self._path(*place)
            found = self._resolved[place] = (Binding("*", "*", (path,)),) if path else ()
        return found

    def package(self, path: str) -> str | None:
        """Nothing is seen without a `require`, save by the autoloaders, which go by name."""
        return None

    def _path(self, folder: str, module: str) -> str | None:
        if not module or len(module) > LONGEST_MODULE:
            return None
        module = module.replace("#{__dir__}/", "./", 1)
        written = module if module.endswith(".rb") else f"{module}.rb"
        if module.startswith("."):
            beside = (joined(place, written) for place in (folder, ""))
            return next((path for path in beside if path is not None and path in self._tree), None)
        found = self._loaded.get(written)
        if found is None:
            paths = self._tree.ending(posixpath.normpath(written))
            found = self._loaded[written] = Nearby(
                [path for path in paths if path == written or _LOAD_PATH.search(path[: -len(written) - 1])]
            )
        return next(iter(found.closest(folder)), None)
