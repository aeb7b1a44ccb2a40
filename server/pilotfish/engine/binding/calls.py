"""Who calls whom, one step at a time."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from pilotfish.engine.outlined import Node
from pilotfish.graph.calls import Call
from pilotfish.syntax.outline import TYPES, Role

if TYPE_CHECKING:
    from collections.abc import Container, Iterator

    from pilotfish.engine.binding.evidence import Evidence
    from pilotfish.engine.binding.files import Files
    from pilotfish.engine.binding.kinship import Kinship
    from pilotfish.engine.binding.meanings import Meanings
    from pilotfish.engine.outlined import File, Reference


class Calls:
    """Answers for one view."""

    def __init__(self, files: Files, evidence: Evidence, meanings: Meanings, kinship: Kinship) -> None:
        self._files = files
        self._evidence = evidence
        self._meanings = meanings
        self._kinship = kinship

    # --- from a definition -------------------------------------------------------------------------------------------

    def called_by(self, node: Node) -> list[Call[Node]]:
        """Return what a definition calls, in the order of its text. A type calls what its constructor does."""
        file = self._files.file(node.path)
        if file is None:
            return []
        found: dict[Node, Call[Node]] = {}
        for each in self._implementations(file, node):
            found[each] = Call(each, *self._place(each), role="implementation")
        for reference, meant in self.made_by(node):
            _count(found, meant[0], node.path, file, reference, len(meant))
        return list(found.values())

    def calls_beyond(self, node: Node, way: Container[Node]) -> bool:
        """Whether a definition calls anything that is not on the `way` to it."""
        file = self._files.file(node.path)
        if file is None:
            return False
        called = (meant[0] for _, meant in self.made_by(node))
        return any(each not in way for each in chain(called, self._implementations(file, node)))

    def made_by(self, node: Node) -> Iterator[tuple[Reference, list[Node]]]:
        """Yield the calls that a definition makes, and what each may mean, where that is anything."""
        file = self._files.file(node.path)
        if file is None:
            return
        references = file.own(node.ordinal)
        if node.ordinal >= 0 and file.symbols[node.ordinal].kind in TYPES:
            for each in self._kinship.constructors(node):
                references += file.own(each.ordinal)
        for reference in references:
            if reference.role is Role.CALL and (meant := self._meanings.of(node.path, reference)):
                yield reference, meant

    def _implementations(self, file: File, node: Node) -> list[Node]:
        """Return the members that stand in for one without a body in the types that inherit directly."""
        if node.ordinal < 0 or not file.is_abstract(node.ordinal):
            return []
        kind = file.type_of(node.ordinal)
        if kind < 0:
            return []
        name = file.symbols[node.ordinal].name
        heirs = self._kinship.heirs(Node(node.path, kind))
        return [each for heir in heirs for each in self._kinship.members_named(heir, name)]

    def _place(self, node: Node) -> tuple[str, int]:
        file = self._files.file(node.path)
        return node.path, 0 if file is None else file.text.line_of(file.symbols[node.ordinal].name_start) + 1

    # --- to a definition ---------------------------------------------------------------------------------------------

    def callers_of(self, node: Node) -> list[Call[Node]]:
        """Return what calls a definition: what is in its own file first, then the nearest, tests last."""
        found: dict[Node, Call[Node]] = {}
        for path, reference, possible in self.made_to(node):
            file = self._files.file(path)
            if file is not None:
                _count(found, Node(path, file.owner(reference.offset)), path, file, reference, possible)
        return list(found.values())

    def called_beyond(self, node: Node, way: Container[Node]) -> bool:
        """Whether anything calls a definition that is not on the `way` to it."""
        for path, reference, _ in self.made_to(node):
            file = self._files.file(path)
            if file is not None and Node(path, file.owner(reference.offset)) not in way:
                return True
        return False

    def made_to(self, node: Node) -> Iterator[tuple[str, Reference, int]]:
        """Yield the calls that may mean a definition, with their file and how many definitions each may mean: its own
        file first, then the nearest, tests last. Of a constructor those of its type are among them."""
        file = self._files.file(node.path)
        if file is None or node.ordinal < 0:
            return
        wanted = {Node(node.path, each) for each in file.alike(node.ordinal)}
        kind = file.type_of(node.ordinal)
        if kind >= 0 and node in self._kinship.constructors(Node(node.path, kind)):
            wanted.add(Node(node.path, kind))
        for path, reference in self._evidence.naming(node, wanted, (Role.CALL,)):
            meant = self._meanings.of(path, reference)
            if not wanted.isdisjoint(meant):
                yield path, reference, len(meant)


def _count(
    found: dict[Node, Call[Node]], node: Node, path: str, file: File, reference: Reference, possible: int
) -> None:
    known = found.get(node)
    if known is None:
        line = file.text.line_of(reference.offset) + 1
        found[node] = Call(node, path, line, 1, possible)
    else:
        found[node] = known._replace(number=known.number + 1, possible=min(known.possible, possible))
