"""References bound to definitions, one by one: what tracing, explaining and hierarchies share.

What a reference means is asked in one place (`meanings`). Where its text says it, that holds (`engine.resolution`, as
for hover, definition and references); where it does not, the graph of files is evidence (`evidence`). Who inherits what
(`kinship`) and who calls whom (`calls`) follow from that.
"""

from __future__ import annotations

import math
import weakref
from typing import TYPE_CHECKING

from pilotfish.engine.binding.calls import Calls
from pilotfish.engine.binding.evidence import Evidence
from pilotfish.engine.binding.files import Files
from pilotfish.engine.binding.kinship import Kinship
from pilotfish.engine.binding.meanings import Meanings
from pilotfish.engine.resolution import Resolution

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pilotfish.engine.outlined import File, Node, Reference
    from pilotfish.engine.passages import Sources
    from pilotfish.engine.view import Definition, View

__all__ = ["Binder"]


class Binder:
    """Binds references within one view. Each file is read once; the same question is answered once."""

    def __init__(self, view: View, sources: Sources, read_bytes: float = math.inf) -> None:
        """`read_bytes`: of so much text it is read what it says; see `Meanings`."""
        # Weakly, so that texts go with the binder, not when memory is searched for cycles.
        resolution = Resolution(view, weakref.proxy(self))
        self._files = Files(view, sources, resolution)
        self._evidence = Evidence(self._files)
        self._meanings = Meanings(self._files, self._evidence, read_bytes)
        self.kinship = Kinship(self._files, self._evidence, self._meanings)
        self.calls = Calls(self._files, self._evidence, self._meanings, self.kinship)

    def file(self, path: str) -> File | None:
        """Return a file; None where it has no outline."""
        return self._files.file(path)

    def definition(self, node: Node) -> Definition | None:
        """Return a node as a definition; None for a file."""
        return self._files.definition(node)

    def meanings(self, path: str, reference: Reference) -> list[Node]:
        """Return the definitions that a reference may mean, the likeliest first; none where nothing in the repository
        is meant, as far as can be told."""
        return self._meanings.of(path, reference)

    def using(self, path: str, names: Iterable[str]) -> list[str]:
        """Return the files that use some names of a file: itself, then the nearest, tests last."""
        return self._evidence.using(path, names)

    # --- what the resolution asks where a text does not say it -------------------------------------------------------

    def likely_base(self, path: str, reference: Reference) -> list[Definition]:
        """See `resolution.members.Kindred`."""
        file = self._files.file(path)
        found = [] if file is None else self._evidence.found(file, reference)
        return [each for node in found if (each := self._files.definition(node)) is not None]

    def implemented_by(self, kind: Definition) -> list[Definition]:
        """See `resolution.members.Kindred`."""
        return self.kinship.implemented_by(kind)
