"""Files by their names without ending, in languages that name a file after what it holds."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence

from pilotfish.graph.tree import Nearby, Tree


class Stems:
    """The files of a language by stem, whose case says nothing."""

    def __init__(self, tree: Tree, endings: Sequence[str]) -> None:
        """`endings` are those of the language's files, with the dot; of files of one stem the first ending wins."""
        paths: dict[str, list[str]] = {}
        ranks = {ending: rank for rank, ending in enumerate(endings)}
        for path in sorted(tree.paths):
            stem, ending = posixpath.splitext(posixpath.basename(path))
            if ending.lower() in ranks:
                paths.setdefault(stem.lower(), []).append(path)
        self._paths = {
            stem: sorted(each, key=lambda path: ranks[posixpath.splitext(path)[1].lower()])
            for stem, each in paths.items()
        }
        self._nearby: dict[str, Nearby] = {}

    def closest(self, folder: str, name: str) -> str | None:
        """Return the file called `name` that is closest to a folder; None where there is none."""
        stem = name.lower()
        found = self._paths.get(stem)
        if found is None:
            return None
        if len(found) == 1:
            return found[0]
        nearby = self._nearby.get(stem)
        if nearby is None:
            nearby = self._nearby[stem] = Nearby(found)
        return nearby.closest(folder)[0]
