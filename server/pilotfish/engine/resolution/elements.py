"""Elements that JavaScript and TypeScript write as markup (JSX): their tags and their attributes.

A tag in small letters is a member of `JSX.IntrinsicElements`, any other is a component: a function that takes the
attributes as its first argument. https://www.typescriptlang.org/docs/handbook/jsx.html
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from pilotfish.engine.resolution.part import Part
from pilotfish.engine.resolution.things import Sort, Thing
from pilotfish.syntax import brackets, expressions
from pilotfish.syntax.facts import related_languages
from pilotfish.syntax.outline import TYPES

if TYPE_CHECKING:
    from pilotfish.engine.resolution.source import Source
    from pilotfish.engine.view import Definition

_LANGUAGES: Final = frozenset({"javascript", "tsx"})
_TAG: Final = re.compile(rb"<([A-Za-z][\w$.]*)(?=[\s/>])")
_OPENS: Final = re.compile(rb"(?:^|[^\w$)\]>])</?$")
_ATTRIBUTE: Final = re.compile(rb"\s*(?:=(?=\s*[\"'{])|(?=/?>)|(?<=\s)(?=[\w$]))")
_FURTHEST: Final = 2_000
"""So many bytes before an attribute its tag is looked for."""

_FEW: Final = 4
"""Of so many definitions of what all elements have the text is looked at."""


class Elements(Part):
    """Finds what tags and attributes mean within one resolution."""

    def at(self, source: Source, name: str, offset: int) -> list[Definition] | None:
        """Return what a tag in small letters or an attribute means; none where that is not in the root; None where the
        place is neither."""
        if source.language not in _LANGUAGES:
            return None
        text = source.bytes
        if _OPENS.search(text, max(0, offset - 3), offset):
            return self.resolution.members.named(self._all("IntrinsicElements"), name) if name[0].islower() else None
        if not text[offset - 1 : offset].isspace() or not _ATTRIBUTE.match(text, offset + len(name.encode())):
            return None
        opened = _tag_before(text, offset)
        tag = None if opened < 0 else _TAG.match(text, opened)
        if tag is None:
            return None
        named = self.resolution.members.named
        return named(self._taken(source, *tag.span(1)), name) or named(self._all("IntrinsicAttributes"), name)

    def _all(self, name: str) -> list[Thing]:
        """Return the types that say what elements there are, or what all of them take."""
        found = self.resolution.view.definitions(name, related_languages("tsx"))
        return [Thing(Sort.OBJECT, each) for each in found if each.kind in TYPES][:_FEW]

    def _taken(self, source: Source, start: int, end: int) -> list[Thing]:
        """Return what the element of a tag takes."""
        resolution = self.resolution
        if source.bytes[start : start + 1].islower():
            tag = source.bytes[start:end].decode()
            tags = resolution.members.named(self._all("IntrinsicElements"), tag)
            return [thing for each in tags for thing in resolution.values.of(each)]
        component = expressions.chain(source.bytes, start, end)
        things = [] if component is None else resolution.chains.given(source, component)
        written = resolution.written
        return [found for each in things for one in written.signatures(each)[:_FEW] for found in written.wanted(one, 0)]


def _tag_before(text: bytes, offset: int) -> int:
    """Return where the tag opens that a place lies in; -1 where it lies in none."""
    at, least = offset - 1, max(0, offset - _FURTHEST)
    while at >= least:
        byte = text[at]
        if byte == ord("<"):
            return at
        if byte == ord("}"):
            at = brackets.matching_back(text, at, least)
            if at < 0:
                return -1
        elif byte in b"\"'":
            at = text.rfind(text[at : at + 1], least, at)
            if at < 0:
                return -1
        elif byte in b"{(;" or (byte == ord(">") and text[at - 1 : at] != b"="):
            return -1
        at -= 1
    return -1
