"""What a reference means: what its text says, else what the graph of files makes likely."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pilotfish.engine.binding.evidence import overloads_as_one
from pilotfish.engine.resolution.things import Sort
from pilotfish.syntax.outline import SymbolKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pilotfish.engine.binding.evidence import Evidence
    from pilotfish.engine.binding.files import Files
    from pilotfish.engine.outlined import File, Node, Reference
    from pilotfish.engine.view import Definition


class Meanings:
    """Answers for one view; the same question is answered once.

    `read_bytes` bounds of how much text it is read what it says: that may take a parse of each. In the texts for which
    it does not suffice, the graph is asked at once."""

    def __init__(self, files: Files, evidence: Evidence, read_bytes: float) -> None:
        self._read_bytes = read_bytes
        self._is_read: dict[str, bool] = {}
        self._files = files
        self._evidence = evidence
        self._known: dict[tuple[str, Reference], list[Node]] = {}

    def of(self, path: str, reference: Reference) -> list[Node]:
        """Return the definitions that a stored reference may mean, the likeliest first."""
        key = (path, reference)
        if key not in self._known:
            self._known[key] = []  # what a name means may hang on what it means
            file = self._files.file(path)
            if file is not None:
                self._known[key] = self._bound(file, reference)
        return self._known[key]

    def _bound(self, file: File, reference: Reference) -> list[Node]:
        said = self._said(file, reference)
        if said is not None:
            return said
        if not self._is_read[file.text.address]:
            return self._evidence.found(file, reference)
        # An object that is known, but not to have a member of that name, has it from outside.
        is_known = self._files.resolution.is_known(file.text, reference.offset)
        return [] if is_known else self._evidence.found(file, reference)

    def _reads(self, file: File) -> bool:
        known = self._is_read.get(file.text.address)
        if known is None:
            size = len(file.source)
            known = self._is_read[file.text.address] = size <= self._read_bytes
            self._read_bytes -= size if known else 0
        return known

    def _said(self, file: File, reference: Reference) -> list[Node] | None:
        """Return what the text says that a reference means; None where it does not say it, or is not read."""
        if not self._reads(file):
            return None
        said = self._files.resolution.used(file.text, reference.name, reference.offset)
        if said is None or (said and all(_is_module(each) for each in said)):
            return None
        found = self._files.nodes(self._listed(said))
        return overloads_as_one(self._files, found)

    def _listed(self, definitions: Sequence[Definition]) -> Iterator[Definition]:
        """Yield some definitions, for a variable that no outline lists the functions and types that it holds."""
        for each in definitions:
            yield each
            if each.ordinal < -1:
                for thing in self._files.resolution.values.of(each):
                    if thing.definition is not None and thing.sort in (Sort.FUNCTION, Sort.TYPE):
                        yield thing.definition


def _is_module(definition: Definition) -> bool:
    return definition.kind is SymbolKind.MODULE and definition.ordinal == -1
