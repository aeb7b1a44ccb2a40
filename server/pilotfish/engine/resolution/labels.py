"""Names that say what something is for: of an argument (`f(name=…)`), of a member of an object that is written out or
taken apart (`{name: …}`)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from pilotfish.engine.resolution.definitions import distinct
from pilotfish.engine.resolution.part import Part
from pilotfish.engine.resolution.source import ECMASCRIPT
from pilotfish.engine.resolution.things import Sort, Thing, held
from pilotfish.syntax import brackets
from pilotfish.syntax.outline import SymbolKind

if TYPE_CHECKING:
    from pilotfish.engine.resolution.source import Source
    from pilotfish.engine.view import Definition

_ARGUMENT: Final = re.compile(rb"\s*=(?![=>])")
_KEY: Final = re.compile(rb"\s*\??\s*([:,}])")
_KEY_BEFORE: Final = re.compile(rb"([\w$]+)\s*:\s*$")
_CAST: Final = re.compile(rb"\s+(?:as|satisfies)\s+([\w$.]+)")


class Labels(Part):
    """Finds what such names mean within one resolution."""

    def at(self, source: Source, name: str, offset: int) -> list[Definition] | None:
        """Return the parameter or field that a named argument or a key means; None where the place is none."""
        if source.language in ECMASCRIPT:
            return self._key(source, name, offset)
        if source.language != "python" or not _ARGUMENT.match(source.bytes, offset + len(name.encode())):
            return None
        opened = brackets.opened_before(source.bytes, offset)
        if opened < 0 or source.bytes[opened] != ord("("):
            return None
        called = self.resolution.chains.called_at(source, opened)
        found = [each for thing in called for each in self._parameter(thing, name)]
        return distinct(found) or None

    def _parameter(self, thing: Thing, name: str) -> list[Definition]:
        if thing.definition is None:
            return []
        of = self.resolution.members.of
        if thing.sort is Sort.TYPE:
            makers = of(thing, "__init__") or of(thing, "__new__")
            found = [each for maker in makers for each in self._parameter(Thing(Sort.FUNCTION, maker), name)]
            return found or [each for each in of(thing, name) if each.kind is SymbolKind.FIELD]
        source = self.resolution.source(thing.definition.address)
        if thing.sort is not Sort.FUNCTION or source is None or source.scopes is None or thing.definition.ordinal < 0:
            return []
        symbol = source.file.symbols[thing.definition.ordinal]
        function = source.scopes.function_from(symbol.start, symbol.end)
        body = symbol.start + symbol.body if symbol.body >= 0 else symbol.end
        return [
            source.unlisted(name, each.start, SymbolKind.VARIABLE)
            for each in source.scopes.parameters(function)
            if each.name == name and each.start < body
        ][:1]

    # --- keys --------------------------------------------------------------------------------------------------------

    def _key(self, source: Source, name: str, offset: int) -> list[Definition] | None:
        """Return the member that a key of an object or of a pattern means, by the type that is wanted there."""
        end = offset + len(name.encode())
        behind = _KEY.match(source.bytes, end)
        before = source.bytes[:offset].rstrip()[-1:] if behind is not None else b""
        if behind is None or before not in (b"{", b","):
            return None
        opened = brackets.opened_before(source.bytes, offset)
        if opened < 0 or source.bytes[opened] != ord("{"):
            return None
        pattern = None if source.scopes is None else source.scopes.pattern_at(offset)
        if pattern is not None:
            things = self.resolution.values.taken_from(source, pattern.annotation, pattern.value)
        else:
            things = self._wanted(source, opened)
        found = self.resolution.members.named(things, name)
        if behind.group(1) in (b",", b"}"):  # `{ name }` is the member and what the name means beside it
            return [*(self.resolution.names.meant(source, name, offset) or ()), *found] if found else None
        return found or [source.unlisted(name, offset, SymbolKind.KEY)]

    def _wanted(self, source: Source, opened: int) -> list[Thing]:
        """Return what an object that is written out is wanted to be, by the place of its bracket."""
        text = source.bytes
        close = brackets.matching(text, opened, len(text))
        said = None if close < 0 else _CAST.match(text, close + 1)
        if said is not None:
            return self.resolution.annotations.admitted(source, *said.span(1))
        before = text[max(0, opened - 200) : opened].rstrip()
        if before.endswith((b"=", b"return", b"=>", b"=> (")):
            return self._declared(source, opened, before)
        outer = brackets.opened_before(text, opened)
        if outer < 0:
            return []
        if text[outer] == ord("("):
            place = brackets.argument_at(text, outer, opened)
            called = self.resolution.chains.called_at(source, outer) if place >= 0 else []
            return next((things for each in called if (things := self._asked(each, place))), [])
        if text[outer] == ord("{"):
            key = _KEY_BEFORE.search(text, max(outer, opened - 100), opened)
            found = self._key(source, key.group(1).decode(), key.start(1)) if key is not None else None
            return [thing for each in found or () for thing in self.resolution.values.of(each)]
        return [each for thing in self._wanted(source, outer) for each in held(thing)]

    def _declared(self, source: Source, opened: int, before: bytes) -> list[Thing]:
        """Return what the variable is said to be that is given an object, or the function to give that returns it."""
        scopes = source.scopes
        if scopes is None:
            return []
        annotated = [(each, each.annotation) for each in scopes.bindings if each.annotation is not None]
        if before.endswith(b"=") and not before.endswith(b"=="):
            said = [
                annotation
                for _, annotation in annotated
                if annotation.end <= opened and source.bytes[annotation.end : opened].strip() == b"="
            ]
        elif (function := scopes.function_at(opened)) >= 0:
            scope = scopes.scopes[function]
            said = [
                annotation
                for each, annotation in annotated
                if each.kind == "function"
                and scope.start <= annotation.start < opened
                and each.start < scope.end
                and scopes.function_at(annotation.start) == function
            ]
        else:
            said = []
        return self.resolution.annotations.admitted(source, *said[0]) if said else []

    def _asked(self, thing: Thing, place: int) -> list[Thing]:
        """Return what a function wants as its argument at a place."""
        function = self.resolution.callbacks.function_of(thing)
        source = None if function.definition is None else self.resolution.source(function.definition.address)
        if function.definition is None or source is None:
            return []
        parameters = source.parameters(function.definition) or []
        if place >= len(parameters):
            return []
        said = _annotation(source.bytes, *parameters[place])
        return [] if said is None else self.resolution.annotations.admitted(source, *said, function.held)


def _annotation(text: bytes, start: int, end: int) -> tuple[int, int] | None:
    """Return the annotation of a parameter, its default apart; None where it has none."""
    colon = text.find(b":", start, end)
    if colon < 0:
        return None
    if text[start:colon].strip().startswith(b"{"):
        close = brackets.matching(text, text.find(b"{", start, end), end)
        colon = text.find(b":", close, end) if close > 0 else -1
    return None if colon < 0 else brackets.alternatives(text, colon + 1, end, (b" = ",))[0]
