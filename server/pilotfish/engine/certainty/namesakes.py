"""The definitions that bear one name, by where they can be named."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from pilotfish.engine.resolution.definitions import is_local
from pilotfish.graph.links import module_segments
from pilotfish.syntax.outline import MEMBERS, SymbolKind
from pilotfish.syntax.spellings import key_of

if TYPE_CHECKING:
    from pilotfish.engine.view import Definition


class Namesakes:
    """The definitions of the name that the texts of a language may mean, by where they can be named."""

    def __init__(self, definitions: Iterable[Definition]) -> None:
        self.members: list[Definition] = []
        self.tops: list[Definition] = []
        self.members_of: dict[str, list[Definition]] = defaultdict(list)
        self.segments: set[str] = set()
        self._by_address: dict[str, list[Definition]] = defaultdict(list)
        self._by_segment: dict[str, list[Definition]] = defaultdict(list)
        for each in definitions:
            self._by_address[each.address].append(each)
            if each.kind in MEMBERS:
                self.members.append(each)
                self.members_of[type_name(each)].append(each)
            else:
                self.tops.append(each)
                segments = module_segments(each.address)
                self.segments.update(segments)
                for segment in dict.fromkeys(segments[-2:]):
                    self._by_segment[segment].append(each)
        self.inside = [*self.members, *(each for each in self.tops if each.container)]

    def at(self, address: str) -> Sequence[Definition]:
        """Those of one text."""
        return self._by_address.get(address, ())

    def holding(self, segment: str) -> Sequence[Definition]:
        """Those outside of types, in modules of which this is one of the last two names."""
        return self._by_segment.get(segment, ())


def written_alike(definition: Definition) -> tuple[object, ...]:
    """What definitions share of which one takes the place of the other, or which are one: overloads, assignments."""
    is_its_own = is_local(definition) or (definition.kind is SymbolKind.KEY and definition.ordinal < 0)
    own = definition.ordinal if is_its_own else 0
    container, name = (
        key_of(each, definition.language, definition.kind) for each in (definition.container, definition.name)
    )
    return definition.address, container, name, definition.ordinal < 0, own


def type_name(definition: Definition) -> str:
    """Return the name of the type that a member belongs to."""
    return definition.container.rpartition(".")[2]
