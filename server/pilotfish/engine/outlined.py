"""Files as their outlines tell, with what is asked of them again and again: the definitions around a place, members."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

from pilotfish.syntax.outline import BODIES, TYPES, Role, Symbol, SymbolKind, qualified_containers
from pilotfish.syntax.spellings import key_of

if TYPE_CHECKING:
    from pilotfish.engine.view import Text

HEIRS: Final = TYPES | {SymbolKind.MODULE}
"""What inherits: types, and modules where these are mixed into each other."""

_MODULAR: Final = frozenset({"go", "javascript", "python", "tsx", "typescript"})
"""Languages in which an object is never called as a module is that is imported whole."""

_ABSTRACT: Final = re.compile(rb"\bNotImplementedError\b|@(?:abc\.)?abstractmethod\b")


class Node(NamedTuple):
    """A definition by its file and its place in the outline; -1 is the file itself, what is done outside of all."""

    path: str
    ordinal: int


class Reference(NamedTuple):
    """One stored reference of a file: where it begins, in bytes, its name and what it does there."""

    offset: int
    name: str
    role: Role


class ByName:
    """The ordinals of definitions by their names, in any spelling."""

    def __init__(self, symbols: Sequence[Symbol], language: str | None) -> None:
        self._language = language
        self._found: dict[str, list[int]] = defaultdict(list)
        for ordinal, symbol in enumerate(symbols):
            self._found[key_of(symbol.name, language, symbol.kind)].append(ordinal)

    def get(self, name: str, otherwise: Sequence[int] = ()) -> Sequence[int]:
        """Return the definitions that have a name, in the order of the text."""
        exact = self._found.get(name)
        key = key_of(name, self._language, SymbolKind.FUNCTION)
        if key == name:
            return otherwise if exact is None else exact
        return sorted({*(exact or ()), *self._found.get(key, ())}) or otherwise

    def __contains__(self, name: str) -> bool:
        return bool(self.get(name))


class File:
    """One text, with what is asked of it again and again."""

    def __init__(self, text: Text, source: bytes) -> None:
        self.text = text
        self.source = source
        self.symbols: Sequence[Symbol] = text.outline.symbols
        self._starts = [symbol.start for symbol in self.symbols]
        self._called: dict[tuple[int, int], bool] = {}

    @cached_property
    def containers(self) -> list[str]:
        """The dotted names that each definition lies in."""
        return qualified_containers(self.symbols)

    @cached_property
    def by_name(self) -> ByName:
        """The ordinals of the definitions by name."""
        return ByName(self.symbols, self.text.language)

    @cached_property
    def references(self) -> list[Reference]:
        """All stored references in the order of the text."""
        return sorted(
            Reference(offset, group.name, group.role)
            for group in self.text.outline.references
            for offset in group.offsets
        )

    @cached_property
    def originals(self) -> dict[str, set[str]]:
        """The names that imported ones have where they are defined, by the name that they have here."""
        found: dict[str, set[str]] = defaultdict(set)
        for imported in self.text.imports:
            for each in imported.names:
                if each.name != "*":
                    found[each.alias].add(each.name)
        return found

    @cached_property
    def modules(self) -> frozenset[str]:
        """The names that stand for whole modules here, in languages where these are no types."""
        if self.text.language not in _MODULAR:
            return frozenset()
        found: set[str] = set()
        for each in self.text.imports:
            if each.names:
                found.update(one.alias for one in each.names if one.name == "*" and one.alias != "*")
            else:
                found.add(re.split(r"[./]", each.module)[0 if self.text.language == "python" else -1])
        return frozenset(found)

    def aliases(self, name: str) -> set[str]:
        """Return the names under which this file may use something called `name` elsewhere."""
        return {name} | {alias for alias, names in self.originals.items() if name in names}

    def within(self, start: int, end: int) -> list[Reference]:
        """Return the references in a stretch of bytes."""
        first = bisect_left(self.references, start, key=_offset)
        return self.references[first : bisect_left(self.references, end, key=_offset)]

    def above(self, ordinal: int, kinds: frozenset[SymbolKind]) -> int:
        """Return the innermost definition of some kinds that `ordinal` is or lies in; -1 for none."""
        while ordinal >= 0 and self.symbols[ordinal].kind not in kinds:
            ordinal = self.symbols[ordinal].parent
        return ordinal

    def around(self, offset: int) -> int:
        """Return the innermost definition that a place lies in, what stands before its signature (decorators) apart."""
        ordinal = bisect_right(self._starts, offset) - 1
        while ordinal >= 0:
            symbol = self.symbols[ordinal]
            if symbol.start + symbol.head <= offset < symbol.end:
                break
            ordinal = symbol.parent
        return ordinal

    def outward(self, offset: int) -> list[int]:
        """Return the definitions around a place, innermost first, ending with -1: the text."""
        found = [self.around(offset)]
        while found[-1] >= 0:
            found.append(self.symbols[found[-1]].parent)
        return found

    def owner(self, offset: int) -> int:
        """Return the function, method or type that does what stands at a place; -1 where the file itself does.

        What a nested function does counts as the outer one's unless that calls it by name: callbacks.
        """
        ordinal = self.doer(offset)
        while ordinal >= 0 and self.symbols[ordinal].kind in BODIES:
            outer = self.above(self.symbols[ordinal].parent, BODIES)
            if outer < 0 or self.is_called(ordinal, outer):
                break
            ordinal = outer
        return ordinal

    def is_called(self, nested: int, outer: int) -> bool:
        """Whether a function calls one that is nested in it, by name."""
        known = self._called.get((nested, outer))
        if known is None:
            inner, around = self.symbols[nested], self.symbols[outer]
            known = self._called[nested, outer] = any(
                reference.name == inner.name and reference.role is Role.CALL and not holds(inner, reference.offset)
                for reference in self.within(around.start, around.end)
            )
        return known

    def doer(self, offset: int) -> int:
        """Return the innermost function, method or type that a place lies in, whether somebody calls it by name or not;
        -1 where there is none."""
        return self.above(self.around(offset), BODIES | TYPES)

    def own(self, ordinal: int) -> list[Reference]:
        """Return the references that a definition itself makes: those in it, but for nested functions that it calls by
        name, and types."""
        if ordinal < 0:
            return [each for each in self.references if self.owner(each.offset) < 0]
        symbol = self.symbols[ordinal]
        return [each for each in self.within(symbol.start, symbol.end) if self._is_done_by(ordinal, each.offset)]

    def _is_done_by(self, ordinal: int, offset: int) -> bool:
        doer = self.doer(offset)
        while doer not in (ordinal, -1) and self.symbols[doer].kind in BODIES:
            outer = self.above(self.symbols[doer].parent, BODIES)
            if outer < 0 or self.is_called(doer, outer):
                return False
            doer = outer
        return doer == ordinal

    def is_abstract(self, ordinal: int) -> bool:
        """Whether a function or method has no body of its own, or one that says so."""
        symbol = self.symbols[ordinal]
        if symbol.kind not in BODIES:
            return False
        return symbol.body < 0 or _ABSTRACT.search(self.source, symbol.start, symbol.end) is not None

    def members(self, ordinal: int) -> list[int]:
        """Return the definitions directly in a type, wherever in the file they stand; of the file itself those at the
        top."""
        if ordinal < 0:
            return [number for number, symbol in enumerate(self.symbols) if symbol.parent < 0 and not symbol.container]
        inside = self.qualified_name(ordinal)
        return [
            number
            for number, symbol in enumerate(self.symbols)
            if symbol.parent == ordinal or (symbol.container and self.containers[number] == inside)
        ]

    def alike(self, ordinal: int) -> list[int]:
        """Return the definitions that have the qualified name of one, itself among them: its overloads."""
        named, container = self.by_name.get(self.symbols[ordinal].name), self.containers[ordinal]
        return [each for each in named if self.containers[each] == container]

    def qualified_name(self, ordinal: int) -> str:
        """Return the dotted name of a definition."""
        container, name = self.containers[ordinal], self.symbols[ordinal].name
        return f"{container}.{name}" if container else name

    def type_of(self, ordinal: int) -> int:
        """Return the type in this file that a definition is a member of; -1 for none."""
        parent = self.above(self.symbols[ordinal].parent, TYPES)
        if parent >= 0 or not self.containers[ordinal]:
            return parent
        named = self.by_name.get(self.containers[ordinal].rpartition(".")[2], ())
        return next((each for each in named if self.symbols[each].kind in TYPES), -1)


def _offset(reference: Reference) -> int:
    return reference.offset


def holds(symbol: Symbol, offset: int) -> bool:
    """Whether a place lies in a definition."""
    return symbol.start <= offset < symbol.end
