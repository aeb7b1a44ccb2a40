"""What expressions give: names and what is reached through them, called, indexed and awaited."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from pilotfish.engine.resolution.part import Part
from pilotfish.engine.resolution.source import ECMASCRIPT
from pilotfish.engine.resolution.things import Sort, Thing, held, made, many
from pilotfish.syntax import brackets, expressions
from pilotfish.syntax.scopes import has_sigil

if TYPE_CHECKING:
    from pilotfish.engine.resolution.source import Source
    from pilotfish.syntax.expressions import Chain, Link

_SELVES: Final = frozenset({"self", "this", "cls", "Self"})
_TYPES_SAID: Final = frozenset({"cls", "Self"})

_GIVERS: Final = frozenset(
    ("get", "pop", "shift", "first", "last", "at", "find", "popitem", "setdefault", "values", "items", "copy")
)
"""Methods of containers that give what these hold."""

_EITHER: Final = (b"||", b"&&", b"??", b" ? ", b" : ")
_EITHER_IN_PYTHON: Final = (b" or ", b" and ", b" if ", b" else ")
"""Signs between expressions of which any may be what the whole gives."""

_FEW: Final = 3
"""Of a list that is written out so many are looked at."""


class Chains(Part):
    """Follows expressions within one resolution."""

    def expression(self, source: Source, start: int, end: int) -> list[Thing]:
        """Return the values that an expression may have."""
        effort, text = self.resolution.effort, source.bytes
        unnamed = self.resolution.written.at(source, start, end, is_type=False)
        if unnamed is not None:
            return [unnamed]
        if not effort.allows(end - start):
            return []
        with effort.deeper():
            said = expressions.cast(text, start, end) if source.language in ECMASCRIPT else None
            if said is not None:
                return self.resolution.annotations.admitted(source, *said)
            found: dict[Thing, None] = {}
            signs = _EITHER_IN_PYTHON if source.language == "python" else _EITHER
            for first, last in brackets.alternatives(text, start, end, signs):
                chain = expressions.chain(text, first, last)
                if chain is not None:
                    found.update(dict.fromkeys(self.given(source, chain)))
                elif (unnamed := self.resolution.written.at(source, first, last, is_type=False)) is not None:
                    found[unnamed] = None
                elif text[first:last].strip().startswith(b"["):
                    found.update(dict.fromkeys(self._list(source, first, last)))
            return [*found]

    def _list(self, source: Source, start: int, end: int) -> list[Thing]:
        """A list of values holds them."""
        parts = brackets.called_with(source.bytes, source.bytes.index(b"[", start), end) or []
        found: dict[Thing, None] = {}
        for first, last in parts[:_FEW]:
            each = source.bytes.find(b" for ", first, last)
            found.update(dict.fromkeys(self.expression(source, first, last if each < 0 else each)))
        return many([*found])

    def given(self, source: Source, chain: Chain) -> list[Thing]:
        """Return the values that a chain may give."""
        effort = self.resolution.effort
        if not effort.allows():
            return []
        with effort.deeper():
            return self._followed(source, chain)

    def _followed(self, source: Source, chain: Chain) -> list[Thing]:
        first, *rest = chain.links
        things = self._first(source, first)
        if first.name == "super":
            rest = rest[1:] if rest and rest[0].kind == "call" else rest
        is_made = chain.is_made
        for link in rest:
            if link.kind == "call":
                things = [each for thing in things for each in self._called(thing)]
                is_made = False
            elif link.kind in ("index", "await"):
                things = [each for thing in things for each in held(thing)]
            else:
                things = self.stepped(things, link.name)
            if not things:
                return []
        if is_made:  # `new Type` without brackets
            things = [each for thing in things for each in self._called(thing)]
        if chain.is_awaited:
            things = [each for thing in things for each in held(thing)]
        return things

    def _first(self, source: Source, link: Link) -> list[Thing]:
        name, offset = link.name, link.start
        if has_sigil(source.bytes, offset + 1, source.language):
            name, offset = name[1:], offset + 1
        names = self.resolution.names
        if name == "super":
            kind = names.type_around(source, offset)
            return [] if kind is None else [Thing(Sort.OBJECT, each) for each in self.resolution.members.bases(kind)]
        if name in _SELVES and not _is_rebound(source, name, offset):
            kind = names.type_around(source, offset)
            if kind is not None:
                return [Thing(Sort.TYPE if name in _TYPES_SAID else Sort.OBJECT, kind)]
        values = self.resolution.values
        return [thing for each in names.meant(source, name, offset) or () for thing in values.of(each)]

    def stepped(self, things: Sequence[Thing], name: str) -> list[Thing]:
        """Return what the members of some values are that have a name."""
        of, values = self.resolution.members.of, self.resolution.values
        found = [each for thing in things for one in of(thing, name) for each in values.of(one, thing)]
        if found or name not in _GIVERS:
            return found
        return [Thing(Sort.FUNCTION, None, (), thing.held) for thing in things if thing.sort is Sort.MANY]

    def _called(self, thing: Thing) -> list[Thing]:
        """Return what a call gives."""
        result = self.resolution.values.result
        if thing.sort is Sort.TYPE:
            return [made(thing)]
        if thing.sort is Sort.FUNCTION:
            return list(thing.held) if thing.definition is None else result(thing)
        if thing.sort is Sort.OBJECT:
            if thing.definition is not None and thing.definition.language in ECMASCRIPT:
                return self.resolution.written.result(thing)
            called = self.resolution.members.of(thing, "__call__")
            return [each for one in called for each in result(Thing(Sort.FUNCTION, one, (), (thing,)))]
        return []

    def called_at(self, source: Source, opened: int) -> list[Thing]:
        """Return what is called by the bracket that opens at a place."""
        text, end = source.bytes, opened
        while end > 0 and text[end - 1] in b" \t":
            end -= 1
        if text[end - 1 : end] == b">":
            end = max(brackets.angle_back(text, end - 1), 0)
        start = end
        while start > 0 and (text[start - 1 : start].isalnum() or text[start - 1 : start] == b"_"):
            start -= 1
        name = text[start:end].decode("utf-8", "replace")
        before = source.chain_before(start) if name else None
        if not name or (name == "super" and before is None):
            return []
        resolution = self.resolution
        if before is not None:
            defined = resolution.members.named(self.given(source, before), name)
        else:
            defined = resolution.names.meant(source, name, start) or []
        return [thing for each in defined for thing in resolution.values.of(each)]


def _is_rebound(source: Source, name: str, offset: int) -> bool:
    """Whether a function around gives its own value to what is usually the object around."""
    if not re.search(rb"\b%s\s*:" % name.encode(), source.bytes):
        return False
    scopes = source.scopes
    return scopes is not None and any(each.annotation for each in scopes.local(name, offset))
