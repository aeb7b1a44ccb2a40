"""Functions that are written where they are handed to another: what that says that it gives them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from pilotfish.engine.resolution.part import Part
from pilotfish.engine.resolution.source import ECMASCRIPT
from pilotfish.engine.resolution.things import Sort, Thing
from pilotfish.syntax import brackets

if TYPE_CHECKING:
    from pilotfish.engine.resolution.source import Source
    from pilotfish.syntax.scopes import Binding as Local

_THIS: Final = re.compile(rb"\s*this\s*:")
"""A parameter that is none: it says what `this` is."""


class Callbacks(Part):
    """Tells what parameters of such functions are within one resolution."""

    def handed(self, source: Source, parameter: Local) -> list[Thing]:
        """Return what a parameter of a function is that is itself the argument of a call: what the called function says
        that it hands to it."""
        scopes = source.scopes
        if source.language not in ECMASCRIPT or scopes is None or parameter.scope < 0:
            return []
        scope = scopes.scopes[parameter.scope]
        if scope.kind != "function" or self.resolution.effort.is_spent:
            return []
        opened = brackets.opened_before(source.bytes, scope.start)
        if opened < 0 or source.bytes[opened] != ord("("):
            return []
        place = brackets.argument_at(source.bytes, opened, scope.start)
        position = _position(source.bytes, scope.start, parameter.start)
        if place < 0 or position < 0:
            return []
        called = self.resolution.chains.called_at(source, opened)
        return next((found for each in called if (found := self._given_to(each, place, position))), [])

    def _given_to(self, thing: Thing, place: int, position: int) -> list[Thing]:
        """Return what a function hands to the function that it takes at a place, by the position there."""
        function = self.function_of(thing)
        source = None if function.definition is None else self.resolution.source(function.definition.address)
        if function.definition is None or source is None:
            return []
        parameters = source.parameters(function.definition) or []
        inner = _parameters_of(source.bytes, *parameters[place]) if place < len(parameters) else []
        if position >= len(inner):
            return []
        start, end = inner[position]
        colon = source.bytes.find(b":", start, end)
        return [] if colon < 0 else self.resolution.annotations.admitted(source, colon + 1, end, function.held)

    def function_of(self, thing: Thing) -> Thing:
        """Return what is called where a value is: the constructor of a type."""
        if thing.sort is not Sort.TYPE:
            return thing
        makers = self.resolution.members.of(thing, "constructor")
        return Thing(Sort.FUNCTION, makers[0] if makers else None)


def _position(text: bytes, start: int, offset: int) -> int:
    """Return which parameter of a function stands at a place; -1 where none does."""
    opened = text.find(b"(", start, offset)
    if opened < 0:
        return 0
    parts = brackets.called_with(text, opened, len(text)) or []
    return next((number for number, (first, last) in enumerate(parts) if first <= offset < last), -1)


def _parameters_of(text: bytes, start: int, end: int) -> list[tuple[int, int]]:
    """Return the parameters of the function that a parameter is said to be: `(event: Event) => void`."""
    opened = text.find(b"(", start, end)
    close = -1 if opened < 0 else brackets.matching(text, opened, end)
    if close < 0 or not text[close + 1 : end].lstrip().startswith(b"=>"):
        return []
    return [each for each in brackets.arguments(text, opened, close + 1) if not _THIS.match(text, *each)]
