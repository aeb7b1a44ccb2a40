"""The scopes of one text, read as far as somebody asks about it: of its functions only those that matter."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence, Set
from typing import TYPE_CHECKING, Final

from pilotfish.syntax.bodies import body_at, without
from pilotfish.syntax.scopes import Binding, Pattern, Scope, Scopes, Stretch

if TYPE_CHECKING:
    from pilotfish.syntax.bodies import Body

_READINGS: Final = 4
"""So often a text is read for more and more functions; the last time for all of them."""

_MOST: Final = 0.5
"""Where more of what functions do would be read than this share, all is."""


def _given(name: str) -> re.Pattern[bytes]:
    """Where a name may get a value, or be said to be something: `name = `, `name ||= `, `name: `, `name?: `."""
    return re.compile(rb"(?<![\w$])" + re.escape(name.encode()) + rb"\s*(?:[?!]?\s*:|[-+*/|&^%<>?]{0,3}=(?!=))")


class PartialScopes:
    """Answers as `Scopes` does. `bodies` are what can be left out of the text, and `read` reads what is left of it."""

    def __init__(self, text: bytes, bodies: Sequence[Body], read: Callable[[bytes], Scopes | None]) -> None:
        self._text = text
        self._bodies = bodies
        self._read = read
        self._size = sum(body.end - body.start for body in bodies)
        self._known: tuple[frozenset[int], Scopes] | None = None  # which bodies were read, and what that gave
        self._expected: frozenset[int] = frozenset()
        self._readings = 0

    # --- what is read ------------------------------------------------------------------------------------------------

    def expect(self, offsets: Iterable[int]) -> None:
        """Say that some places may be asked about: when any is, what stands around all of them is read at once."""
        self._expected |= {body_at(self._bodies, each) for each in offsets}

    def size_for(self, offsets: Iterable[int]) -> int:
        """Return of how many bytes the scopes are read where some places are asked about."""
        around = {body_at(self._bodies, each) for each in offsets} - {-1}
        return len(self._text) - self._size + sum(self._bodies[each].end - self._bodies[each].start for each in around)

    def _at(self, offset: int) -> Scopes:
        return self._with({body_at(self._bodies, offset)})

    def _with(self, bodies: Set[int]) -> Scopes:
        """Return the scopes of the text with at least some of its bodies; -1 stands for none."""
        known, scopes = self._known or (frozenset[int](), None)
        if scopes is not None and bodies <= known | {-1}:
            return scopes
        self._readings += 1
        wanted = (known | bodies | self._expected) - {-1}
        size = sum(self._bodies[each].end - self._bodies[each].start for each in wanted)
        if self._readings >= _READINGS or size > _MOST * self._size:
            wanted = frozenset(range(len(self._bodies)))
        left_out = [body for number, body in enumerate(self._bodies) if number not in wanted]
        scopes = self._read(without(self._text, left_out)) or Scopes(())
        self._known = (wanted, scopes)
        return scopes

    # --- answers -----------------------------------------------------------------------------------------------------

    def scope(self, number: int) -> Scope:
        """See `Scopes`."""
        return self._with({-1}).scope(number)

    def function_at(self, offset: int) -> int:
        """See `Scopes`."""
        return self._at(offset).function_at(offset)

    def function_from(self, start: int, end: int) -> int:
        """See `Scopes`."""
        return self._at(start).function_from(start, end)

    def _has_no_local(self, name: str, offset: int) -> bool:
        """Whether the outermost function around a place does not hold a name elsewhere: it gives it no value."""
        number = body_at(self._bodies, offset)
        if number < 0 or not self._bodies[number].is_all:
            return False
        word, body = name.encode(), self._bodies[number]
        place = self._text.find(word, body.head, body.end)
        while place >= 0 and (place == offset or self._is_part(place, len(word))):
            place = self._text.find(word, place + 1, body.end)
        return place < 0

    def _is_part(self, place: int, length: int) -> bool:
        """Whether a word is only a part of a longer one there, or stands behind a dot."""
        before, after = self._text[place - 1 : place], self._text[place + length : place + length + 1]
        return before == b"." or before == b"_" or after == b"_" or before.isalnum() or after.isalnum()

    def attributes(self, name: str) -> list[Binding]:
        """See `Scopes`."""
        if not self._bodies:
            return self._with(frozenset()).attributes(name)
        places = _given(name).finditer(self._text)
        bodies = {body_at(self._bodies, match.start()) for match in places}
        return self._with(bodies).attributes(name) if bodies else []

    def beside(self, binding: Binding) -> list[Binding]:
        """See `Scopes`."""
        return self._at(binding.start).beside(binding)

    def variables(self, name: str) -> list[Binding]:
        """See `Scopes`."""
        return self._with({-1}).variables(name)

    def annotated(self, offset: int) -> list[tuple[Binding, Stretch]]:
        """See `Scopes`."""
        return self._at(offset).annotated(offset)

    def at(self, start: int) -> Binding | None:
        """See `Scopes`."""
        return self._at(start).at(start)

    def is_closed(self, offset: int) -> bool:
        """See `Scopes`."""
        return self._at(offset).is_closed(offset)

    def annotation_at(self, offset: int) -> Stretch | None:
        """See `Scopes`."""
        return self._at(offset).annotation_at(offset)

    def pattern_at(self, offset: int) -> Pattern | None:
        """See `Scopes`."""
        return self._at(offset).pattern_at(offset)

    def local(self, name: str, offset: int) -> list[Binding]:
        """See `Scopes`."""
        if self._bodies and self._has_no_local(name, offset):
            return []
        return self._at(offset).local(name, offset)

    def scope_of(self, binding: Binding) -> Stretch:
        """See `Scopes`."""
        return self._at(binding.start).scope_of(binding)

    def returned(self, function: int) -> Sequence[Stretch]:
        """See `Scopes`."""
        scope = self._with({-1}).scope(function)
        first = body_at(self._bodies, scope.start)
        inside = {number for number, body in enumerate(self._bodies) if scope.start <= body.start < scope.end}
        return self._with({first} if first >= 0 else inside).returned(function)

    def parameters(self, function: int) -> list[Binding]:
        """See `Scopes`."""
        return self._with({-1}).parameters(function)
