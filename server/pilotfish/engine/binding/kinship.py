"""Who inherits what: bases, heirs and their members."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from pilotfish.engine.outlined import HEIRS, Node, Reference
from pilotfish.engine.resolution.members import is_base
from pilotfish.engine.resolution.things import Sort, Thing
from pilotfish.syntax.outline import BODIES, Role, SymbolKind

if TYPE_CHECKING:
    from pilotfish.engine.binding.evidence import Evidence
    from pilotfish.engine.binding.files import Files
    from pilotfish.engine.binding.meanings import Meanings
    from pilotfish.engine.view import Definition

_CONSTRUCTORS: Final = frozenset({"__init__", "constructor", "initialize"})

_IMPLEMENTED_FOR: Final = re.compile(
    rb"[^;{}]*?\bfor\s+(?!<)(?:&\s*(?:'\w+\s*)?)?(?:mut\s+|dyn\s+)?(?:\w+\s*::\s*)*(\w+)"
)
"""From a trait in the head of a Rust `impl` to the type that it is implemented for."""

_LONGEST_HEAD: Final = 500


class Kinship:
    """Answers for one view."""

    def __init__(self, files: Files, evidence: Evidence, meanings: Meanings) -> None:
        self._files = files
        self._evidence = evidence
        self._meanings = meanings
        self._heirs: dict[Node, list[Node]] = {}

    # --- members -----------------------------------------------------------------------------------------------------

    def members_named(self, node: Node, name: str) -> list[Node]:
        """Return the members of a type that have a name, also where they stand apart from it."""
        definition = self._files.definition(node)
        return [] if definition is None else self._files.nodes(self._files.resolution.members.own(definition, name))

    def inherited(self, node: Node, name: str) -> list[Node]:
        """Return the members of the nearest bases of a type that have a name."""
        definition = self._files.definition(node)
        if definition is None:
            return []
        members = self._files.resolution.members
        things = [Thing(Sort.OBJECT, each) for each in members.inherited(definition)]
        return self._files.nodes(members.named(things, name))

    def constructors(self, node: Node) -> list[Node]:
        """Return the members of a type that make one."""
        file = self._files.file(node.path)
        if file is None or node.ordinal < 0:
            return []
        name = file.symbols[node.ordinal].name
        return [
            Node(node.path, each)
            for each in file.members(node.ordinal)
            if file.symbols[each].kind is SymbolKind.CONSTRUCTOR
            or (file.symbols[each].kind in BODIES and file.symbols[each].name in {*_CONSTRUCTORS, name})
        ]

    # --- types -------------------------------------------------------------------------------------------------------

    def bases(self, node: Node) -> list[Node]:
        """Return the types that a type says it inherits, in the order of its text."""
        definition = self._files.definition(node)
        if definition is None:
            return []
        found = self._files.nodes(self._files.resolution.members.inherited(definition))
        return [each for each in found if each != node]

    def heirs(self, node: Node) -> list[Node]:
        """Return the types that say that they inherit a type, those of its own file first."""
        if node not in self._heirs:
            found: dict[Node, None] = {}
            for path, reference in self._evidence.naming(node, [node], (Role.INHERIT,)):
                file = self._files.file(path)
                if file is not None and is_base(file, reference) and node in self._meanings.of(path, reference):
                    heir = self.heir_at(path, reference)
                    if heir is not None and heir != node:
                        found[heir] = None
            self._heirs[node] = [*found]
        return self._heirs[node]

    def heir_at(self, path: str, reference: Reference) -> Node | None:
        """Return the type that inherits by a stored reference; None where it is not defined here."""
        file = self._files.file(path)
        if file is None:
            return None
        ordinal = file.above(file.around(reference.offset), HEIRS)
        if ordinal >= 0 or file.text.language != "rust":
            return Node(path, ordinal) if ordinal >= 0 else None
        head = _IMPLEMENTED_FOR.match(file.source, reference.offset, reference.offset + _LONGEST_HEAD)
        if head is None:
            return None
        named = Reference(head.start(1), head.group(1).decode("utf-8", "replace"), Role.TYPE)
        return next(iter(self._meanings.of(path, named)), None)

    def implemented_by(self, kind: Definition) -> list[Definition]:
        """Return the traits that Rust's `impl` blocks implement for a type, those of its own file first."""
        if kind.language != "rust":
            return []
        node, found = Node(kind.address, kind.ordinal), dict[Node, None]()
        for path in self._evidence.using(kind.address, [kind.name]):
            file = self._files.file(path)
            for each in () if file is None else file.references:
                if each.role is Role.INHERIT and self.heir_at(path, each) == node:
                    found.update(dict.fromkeys(self._meanings.of(path, each)[:1]))
        return [trait for node in found if (trait := self._files.definition(node)) is not None]
