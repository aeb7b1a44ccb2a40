"""What is written out where it is used and has no name of its own: objects and types in braces, functions, the types of
functions, what an interface says of being called.

Such a thing is a definition by its place alone: where its brace opens, or its function begins.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple

from pilotfish.engine.resolution.part import Part
from pilotfish.engine.resolution.source import ECMASCRIPT
from pilotfish.engine.resolution.things import Sort, Thing
from pilotfish.syntax import brackets
from pilotfish.syntax.outline import SymbolKind

if TYPE_CHECKING:
    from pilotfish.engine.resolution.source import Source
    from pilotfish.engine.view import Definition

_FUNCTION: Final = re.compile(rb"\s*(?:async\b\s*)?function\b\s*\*?\s*[\w$]*\s*")
_ARROW: Final = re.compile(rb"\s*(?:async\b\s*)?(?:abstract\s+)?(?:new\s+)?(?=[(<])")
_BARE_ARROW: Final = re.compile(rb"\s*(?:async\s+)?([\w$]+)\s*=>")
_METHOD: Final = re.compile(rb"\s*(?:async\b\s*)?(?:[gs]et\b\s*)?\*?\s*[\w$]+\s*\??\s*(?=[(<])")
_GIVES: Final = re.compile(rb"\s*=>\s*")
_SAYS: Final = re.compile(rb"\s*:\s*")
_THIS: Final = re.compile(rb"\s*this\s*:")
"""A parameter that is none: it says what `this` is."""
_ENTRY: Final = re.compile(
    rb"\s*(?:(?:readonly|static|async|get|set|\*)\s+)*([\"']?)([#\w$]+)\1\s*[?!]?\s*(?=[:(<,;}]|$|\n)"
)

_GIVES_OR_SAYS: Final = re.compile(rb"\s*(?:=>|:)")
_TYPE_ENDS: Final = (b"=>", b";", b",", b" {\n", b"\n\n", b")", b"}", b" = ")
"""What may stand behind the type that a function gives."""
_BLANK: Final = re.compile(rb"(?:\s|/\*.*?\*/|//[^\n]*)*", re.DOTALL)

_VALUE_KINDS: Final = (SymbolKind.OBJECT, SymbolKind.FUNCTION)
_TYPE_KINDS: Final = (SymbolKind.INTERFACE, SymbolKind.EVENT)
"""How things in braces and functions are marked that are values, and that are types."""

_BASES_DEEP: Final = 6
"""So far up bases of what may be called are looked at."""

_MOST_ENTRIES: Final = 200
"""Of an object or a type so many members are looked at."""


class Signature(NamedTuple):
    """How something is called: the stretches of its parameters, and of what it gives where a text says that."""

    source: Source
    parameters: Sequence[tuple[int, int]]
    returned: tuple[int, int] | None
    held: tuple[Thing, ...] = ()


class Written(Part):
    """Reads such things within one resolution."""

    def at(self, source: Source, start: int, end: int, *, is_type: bool) -> Thing | None:
        """Return what is written out in a stretch; None where that is something else."""
        if source.language not in ECMASCRIPT:
            return None
        text = source.bytes
        in_braces, function = _TYPE_KINDS if is_type else _VALUE_KINDS
        first = start + len(text[start : start + 200]) - len(text[start : start + 200].lstrip())
        if text[first : first + 1] == b"{":
            return Thing(Sort.OBJECT, source.unlisted("", first, in_braces))
        if _called(text, first, end) is None:
            return None
        return Thing(Sort.FUNCTION, source.unlisted("", first, function))

    # --- objects and types in braces ---------------------------------------------------------------------------------

    def member(self, kind: Definition, name: str) -> list[Definition]:
        """Return what an object or a type that is written out has under a name."""
        source = self.resolution.source(kind.address)
        if source is None or kind.ordinal >= -1:
            return []
        text, word = source.bytes, name.encode()
        opened = source.name_start(kind)
        if text[opened : opened + 1] != b"{" or text.find(word, opened) < 0:
            return []
        for first, last in _entries(text, opened):
            entry = _ENTRY.match(text, first, min(last + 1, first + 300))
            if entry is not None and entry.group(2) == word:
                start = entry.start(2)
                listed = [each for each in source.file.by_name.get(name, ()) if source.starts(each) == start]
                return [source.definition(listed[0]) if listed else source.unlisted(name, start, SymbolKind.FIELD)]
        return []

    def value(self, source: Source, start: int) -> list[Thing]:
        """Return what a member of an object that is written out holds, by the place of its name."""
        text = source.bytes
        opened = brackets.opened_before(text, start)
        if source.language not in ECMASCRIPT or opened < 0 or text[opened] != ord("{"):
            return []
        entry = _ENTRY.match(text, start - (text[start - 1 : start] in (b'"', b"'")), start + 300)
        if entry is None:
            return []
        behind = text[entry.end() : entry.end() + 1]
        if behind == b":":
            close = brackets.matching(text, opened, len(text))
            end = close if close > 0 else len(text)
            first, last = brackets.alternative(text, entry.end() + 1, min(end, entry.end() + 8_000), (b",",))
            return self.resolution.chains.expression(source, first, last)
        if behind in (b"(", b"<"):
            return [Thing(Sort.FUNCTION, source.unlisted("", start, SymbolKind.FUNCTION))]
        name = entry.group(2).decode()
        values = self.resolution.values
        return [each for one in self.resolution.names.meant(source, name, start) or () for each in values.of(one)]

    # --- functions ---------------------------------------------------------------------------------------------------

    def signatures(self, thing: Thing) -> list[Signature]:
        """Return how a value may be called."""
        definition = thing.definition
        source = None if definition is None else self.resolution.source(definition.address)
        if definition is None or source is None or not self.resolution.effort.allows():
            return []
        known, key = self.resolution.known_signatures, thing
        if key not in known:
            known[key] = []  # a type may be an alias of itself
            found = known[key] = self._signatures(source, definition, thing)
            if not found and self.resolution.effort.is_cut_short:
                del known[key]
        return known[key]

    def _signatures(self, source: Source, definition: Definition, thing: Thing) -> list[Signature]:
        if thing.sort is Sort.TYPE:
            makers = self.resolution.members.of(thing, "constructor")
            return [each for one in makers for each in self.signatures(Thing(Sort.FUNCTION, one, (), thing.held))]
        with self.resolution.effort.deeper():
            if thing.sort is Sort.FUNCTION:
                return self._of_function(source, definition, thing)
            return self._of_object(definition) if thing.sort is Sort.OBJECT else []

    def _of_function(self, source: Source, definition: Definition, thing: Thing) -> list[Signature]:
        if definition.ordinal >= 0:
            parameters = source.parameters(definition)
            return [] if parameters is None else [Signature(source, _own(source, parameters), None, thing.held)]
        is_type = definition.kind in _TYPE_KINDS
        return [*_signature(source, source.name_start(definition), is_type=is_type, held=thing.held)]

    def _of_object(self, definition: Definition) -> list[Signature]:
        """What an interface, or what a type alias stands for, says of being called; else what its bases say."""
        members = self.resolution.members
        front, seen = [definition], {(definition.address, definition.ordinal)}
        for _ in range(_BASES_DEEP):
            found: list[Signature] = []
            fresh: list[Definition] = []
            for each in front:
                source = self.resolution.source(each.address)
                if source is None or source.language not in ECMASCRIPT:
                    continue
                opened = source.name_start(each) if each.ordinal < -1 else source.body(each.ordinal)
                if opened >= 0:
                    found += [
                        one
                        for first, _ in _entries(source.bytes, opened)
                        if source.bytes[first : first + 1] in (b"(", b"<")
                        for one in _signature(source, first)
                    ]
                functions = [one for one in members.aliased(each) if one.sort is Sort.FUNCTION]
                found += [one for function in functions for one in self.signatures(function)]
                fresh += members.bases(each)
            if found:
                return found
            front = [each for each in fresh if (each.address, each.ordinal) not in seen]
            seen.update((each.address, each.ordinal) for each in front)
        return []

    def result(self, thing: Thing) -> list[Thing]:
        """Return what a value gives that is called and has no name: what it says, else what it returns."""
        found: dict[Thing, None] = {}
        for each in self.signatures(thing):
            if each.returned is not None:
                found.update(
                    dict.fromkeys(self.resolution.annotations.admitted(each.source, *each.returned, each.held))
                )
        definition = thing.definition
        source = None if definition is None else self.resolution.source(definition.address)
        if found or definition is None or source is None or source.scopes is None or definition.ordinal >= -1:
            return [*found]
        start = source.name_start(definition)
        function = source.scopes.function_from(start, start + 1)
        expression = self.resolution.chains.expression
        stretches = source.scopes.returned(function)[:4] if function >= 0 else ()
        return [*dict.fromkeys(each for one in stretches for each in expression(source, *one))]

    def wanted(self, signature: Signature, place: int) -> list[Thing]:
        """Return what is wanted as the argument at a place."""
        source, parameters = signature.source, signature.parameters
        text = source.bytes
        if place >= len(parameters):
            if not parameters or not text[slice(*parameters[-1])].lstrip().startswith(b"..."):
                return []
            place = len(parameters) - 1
        said = annotation_of(text, *parameters[place])
        things = [] if said is None else self.resolution.annotations.admitted(source, *said, signature.held)
        if text[slice(*parameters[place])].lstrip().startswith(b"..."):
            return [each for one in things for each in (one.held if one.sort is Sort.MANY else (one,))]
        return things


def annotation_of(text: bytes, start: int, end: int) -> tuple[int, int] | None:
    """Return the annotation of a parameter, its default apart; None where it has none."""
    colon = text.find(b":", start, end)
    if colon < 0:
        return None
    if text[start:colon].strip().startswith(b"{"):
        close = brackets.matching(text, text.find(b"{", start, end), end)
        colon = text.find(b":", close, end) if close > 0 else -1
    return None if colon < 0 else brackets.alternative(text, colon + 1, end, (b" = ",))


def parameter_at(signature: Signature, offset: int) -> int:
    """Return which parameter stands at a place; -1 where none does."""
    places = enumerate(signature.parameters)
    return next((number for number, (first, last) in places if first <= offset < last), -1)


def signature_from(source: Source, start: int) -> Signature | None:
    """Return how the function is called that begins at a place; None where none does."""
    return next(_signature(source, start), None)


def _signature(
    source: Source, start: int, *, is_type: bool = False, held: tuple[Thing, ...] = ()
) -> Iterator[Signature]:
    text = source.bytes
    bare = _BARE_ARROW.match(text, start, start + 200)
    if bare is not None:
        yield Signature(source, [bare.span(1)], None, held)
        return
    opened = _called(text, start, len(text))
    if opened is None:
        method = _METHOD.match(text, start, start + 200)
        if method is None:
            return
        opened = brackets.call_behind(text, method.end())
    close = -1 if opened < 0 else brackets.matching(text, opened, len(text))
    if close < 0:
        return
    parameters = _own(source, [*brackets.arguments(text, opened, close + 1)])
    yield Signature(source, parameters, _given(text, close, is_type=is_type), held)


def _own(source: Source, parameters: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    return [each for each in parameters if not _THIS.match(source.bytes, *each)]


def _given(text: bytes, close: int, *, is_type: bool) -> tuple[int, int] | None:
    """Return what a function says that it gives, behind its parameters."""
    gives = _GIVES.match(text, close + 1)
    if gives is not None:
        return _type_from(text, gives.end()) if is_type else None
    says = _SAYS.match(text, close + 1)
    return None if says is None else _type_from(text, says.end())


def _type_from(text: bytes, start: int) -> tuple[int, int] | None:
    end = min(len(text), start + 1_000)
    first, last = brackets.alternative(text, start, end, _TYPE_ENDS)
    return (first, last) if text[first:last].strip() else None


def _called(text: bytes, start: int, end: int) -> int | None:
    """Return where the parameters open of the function, or the type of one, that begins at a place."""
    end = min(len(text), max(end, start))
    bare = _BARE_ARROW.match(text, start, min(end, start + 200))
    if bare is not None:
        return bare.start(1)
    function = _FUNCTION.match(text, start, min(end, start + 200))
    arrow = _ARROW.match(text, start, min(end, start + 200)) if function is None else None
    head = function or arrow
    opened = -1 if head is None else brackets.call_behind(text, head.end())
    if opened < 0 or function is not None:
        return opened if opened >= 0 else None
    close = brackets.matching(text, opened, end)
    return opened if close > 0 and _GIVES_OR_SAYS.match(text, close + 1, end) else None


def _entries(text: bytes, opened: int) -> Iterator[tuple[int, int]]:
    """Yield the stretches of the members in braces."""
    close = brackets.matching(text, opened, len(text))
    stretches = brackets.parts(text, opened + 1, close, (b",", b";", b"\n")) if close > 0 else iter(())
    for first, last in islice(stretches, _MOST_ENTRIES):
        first = _blank(text, first, last)
        if first < last:
            yield first, last


def _blank(text: bytes, at: int, end: int) -> int:
    match = _BLANK.match(text, at, end)
    return at if match is None else match.end()
