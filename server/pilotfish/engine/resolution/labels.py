"""Names that say what something is for: of an argument (`f(name=…)`), of a member of an object that is written out or
taken apart (`{name: …}`)."""

from __future__ import annotations

import re
from itertools import islice
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

_FEW: Final = 4
"""Of the ways to call a function so many are looked at."""

_ARGUMENT: Final = re.compile(rb"\s*=(?![=>])")
_KEY: Final = re.compile(rb"\s*\??\s*([:,}])")
_KEY_BEFORE: Final = re.compile(rb"([\w$]+)\s*:\s*$")
_WRITTEN: Final = re.compile(rb"\s*[:(]")
_METHOD: Final = re.compile(rb"(?:async\s+|\*\s*)?([\w$]+)\s*(?=[(<])")
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
            things = self.wanted(source, opened)
        found = self.resolution.members.named(things, name)
        if behind.group(1) in (b",", b"}"):  # `{ name }` is the member and what the name means beside it
            return [*(self.resolution.names.meant(source, name, offset) or ()), *found] if found else None
        return found or [source.unlisted(name, offset, SymbolKind.KEY)]

    def wanted_under(self, source: Source, name: str, offset: int) -> list[Definition]:
        """Return what an object that is written out is wanted to have under a name, by the place of that in it."""
        if source.language not in ECMASCRIPT or not _WRITTEN.match(source.bytes, offset + len(name.encode())):
            return []
        return self._member_wanted(source, offset, name)

    def wanted(self, source: Source, opened: int) -> list[Thing]:
        """Return what an object or a function that is written out is wanted to be, by the place where it begins."""
        if not self.resolution.effort.allows():
            return []
        with self.resolution.effort.deeper():
            return self._wanted(source, opened)

    def _wanted(self, source: Source, opened: int) -> list[Thing]:
        text = source.bytes
        method = _METHOD.match(text, opened, opened + 200)
        if method is not None and text[opened] != ord("(") and method.group(1) not in (b"function", b"async"):
            found = self._member_wanted(source, opened, method.group(1).decode())
            return [thing for each in found for thing in self.resolution.values.of(each)]
        close = brackets.matching(text, opened, len(text)) if text[opened] == ord("{") else -1
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
            return self._asked(source, outer, place) if place >= 0 else []
        if text[outer] == ord("{"):
            key = _KEY_BEFORE.search(text, max(outer, opened - 100), opened)
            found = [] if key is None else self._member_wanted(source, key.start(1), key.group(1).decode())
            return [thing for each in found for thing in self.resolution.values.of(each)]
        return [each for thing in self.wanted(source, outer) for each in held(thing)]

    def _member_wanted(self, source: Source, offset: int, name: str) -> list[Definition]:
        """Return what is wanted under a name of an object that is written out, by the place of the name in it."""
        outer = brackets.opened_before(source.bytes, offset)
        if outer < 0 or source.bytes[outer] != ord("{"):
            return []
        return self.resolution.members.named(self.wanted(source, outer), name)

    def _declared(self, source: Source, opened: int, before: bytes) -> list[Thing]:
        """Return what the variable is said to be that is given an object, or the function to give that returns it."""
        scopes = source.scopes
        if scopes is None:
            return []
        annotated = scopes.annotated(opened)
        if before.endswith(b"=") and not before.endswith(b"=="):
            said = [
                annotation
                for _, annotation in annotated
                if annotation.end <= opened and source.bytes[annotation.end : opened].strip() == b"="
            ]
        elif (function := scopes.function_at(opened)) >= 0:
            scope = scopes.scope(function)
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

    def _asked(self, source: Source, opened: int, place: int) -> list[Thing]:
        """Return what is wanted as the argument at a place of the call whose bracket opens at another, by the first few
        ways to call it that take so many."""
        written = self.resolution.written
        called = self.resolution.chains.called_at(source, opened)
        signatures = (signature for each in called for signature in written.signatures(each))
        asked = filter(None, (written.wanted(each, place) for each in signatures))
        return [*dict.fromkeys(thing for things in islice(asked, _FEW) for thing in things)]
