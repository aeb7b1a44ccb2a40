"""Shells: `source` names a file from the working folder, which scripts take to be their own or the root."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import ClassVar

from pilotfish.graph.resolve.binding import Binding
from pilotfish.graph.tree import LONGEST_MODULE, Tree, above, joined
from pilotfish.syntax.outline import Import

# A folder that is known when the script runs: `$DIR/`, `${BASH_SOURCE%/*}/`, `$(dirname "$0")/`.
_COMPUTED = re.compile(r"""["']?(?:\$\w+|\$\{[^{}]*\}|\$\([^()]*(?:\([^()]*\)[^()]*)*\)|`[^`]*`)["']?/""")

# Folders that are no script's.
_ELSEWHERE = re.compile(r"HOME|XDG|TMP|TEMP")


class Bash:
    """Resolves `source` and `.`; what the sourced file defines is usable as it is."""

    manifests: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._resolved: dict[tuple[str, str], tuple[Binding, ...]] = {}

    def bindings(self, importer: str, imported: Import) -> Sequence[Binding]:
        """The sourced file's contents."""
        place = (importer.rpartition("/")[0], imported.module)
        found = self._resolved.get(place)
        if found is None:
            path = self._path(*place)
            found = self._resolved[place] = (Binding("*", "*", (path,)),) if path else ()
        return found

    def package(self, path: str) -> str | None:
        """Nothing is seen without a `source`."""
        return None

    def _path(self, folder: str, module: str) -> str | None:
        if len(module) > LONGEST_MODULE:
            return None
        computed = _COMPUTED.match(module)
        written = (module[computed.end() :] if computed else module).strip("\"'")
        if computed and _ELSEWHERE.search(computed[0]):
            return None
        if not written or "$" in written or "`" in written:
            return None
        # Where a script computes the folder, it is its own or one that it lies in.
        for place in above(folder) if computed else (folder, ""):
            path = joined(place, written)
            if path is not None and path in self._tree:
                return path
        return None
