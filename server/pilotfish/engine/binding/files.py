"""The files of one view, and their definitions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from pilotfish.engine.outlined import File, Node
from pilotfish.engine.view import definition_in

if TYPE_CHECKING:
    from pilotfish.engine.passages import Sources
    from pilotfish.engine.resolution import Resolution
    from pilotfish.engine.view import Definition, View


class Files:
    """Reads each file once, for the resolution and for all others."""

    def __init__(self, view: View, sources: Sources, resolution: Resolution) -> None:
        self.view = view
        self.resolution = resolution
        self._sources = sources
        self._known: dict[str, File | None] = {}

    def file(self, path: str) -> File | None:
        """Return a file; None where it has no outline."""
        if path not in self._known:
            self._known[path] = self._read(path)
        return self._known[path]

    def _read(self, path: str) -> File | None:
        source = self.resolution.source(path)
        if source is not None:
            return source.file
        text = self.view.file(path)  # it has changed since, or is empty
        return None if text is None else File(text, self._sources.text(path))

    def definition(self, node: Node) -> Definition | None:
        """Return a node as a definition; None for a file."""
        file = self.file(node.path)
        if file is None or node.ordinal < 0:
            return None
        return definition_in(file.text, node.ordinal, file.symbols[node.ordinal], file.containers[node.ordinal])

    def nodes(self, definitions: Iterable[Definition]) -> list[Node]:
        """Return those of some definitions that an outline lists, each once."""
        found: dict[Node, None] = {}
        for each in definitions:
            ordinal = each.ordinal if each.ordinal >= -1 else self._listed_at(each.address, -2 - each.ordinal)
            if ordinal >= 0:
                found[Node(each.address, ordinal)] = None
        return [*found]

    def _listed_at(self, address: str, start: int) -> int:
        """Return the definition whose name stands at a place; -1 where an outline has none."""
        file = self.file(address)
        symbols = () if file is None else file.symbols
        return next((number for number, each in enumerate(symbols) if each.name_start == start), -1)
