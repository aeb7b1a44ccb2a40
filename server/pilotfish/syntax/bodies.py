"""Bodies of functions, and a text without them.

Most of a text is what its functions do. Who asks about one function has the others left out before the text is parsed:
what stands in their bodies becomes blanks, so that every offset stays true.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from pilotfish.syntax.outline import BODIES, Symbol

_BRACED: Final = frozenset({"c", "cpp", "go", "java", "javascript", "rust", "tsx", "typescript"})
_DECLARING: Final = frozenset({"c", "go", "java", "javascript", "python", "tsx", "typescript"})
_GENERIC: Final = frozenset({"java", "tsx", "typescript"})
_SMALL: Final = 40
"""A body of fewer bytes is parsed as fast as it is left out."""


class Body(NamedTuple):
    """What is left out of one function: a half-open stretch of bytes, and what stands at its end instead.

    The function begins at `head`. What it does not hold is no local of it, where `is_all`: its language declares its
    locals, and nothing around it has names that are bare in it alone, as types have that take others as parameters."""

    start: int
    end: int
    head: int
    is_all: bool
    instead: bytes = b""


def bodies_of(text: bytes, language: str, symbols: Sequence[Symbol]) -> list[Body]:
    """Return what can be left out of a text, by the definitions of its outline: of each function that lies in no other
    its body, where that is written as the language has it, in the order of the text."""
    is_inside: list[bool] = []
    found: list[Body] = []
    for symbol in symbols:
        outer = symbol.parent
        inside = outer >= 0 and (is_inside[outer] or symbols[outer].kind in BODIES)
        is_inside.append(inside)
        if inside or symbol.kind not in BODIES or symbol.body < 0 or symbol.language:
            continue
        is_all = language in _DECLARING and (outer < 0 or language not in _GENERIC)
        body = _body(text, language, symbol, is_all=is_all)
        if body is not None and body.end - body.start >= _SMALL and (not found or found[-1].end <= body.start):
            found.append(body)
    return found


def _body(text: bytes, language: str, symbol: Symbol, *, is_all: bool) -> Body | None:
    start, end = symbol.start + symbol.body, symbol.end
    if language in _BRACED and text[start : start + 1] == b"{" and text[end - 1 : end] == b"}":
        return Body(start + 1, end - 1, symbol.start, is_all)
    if language == "python":
        return Body(start, end, symbol.start, is_all, b"...")
    if language == "ruby" and text[end - 3 : end] == b"end":
        return Body(start, end - 3, symbol.start, is_all)
    return None


def without(text: bytes, bodies: Iterable[Body]) -> bytes:
    """Return a text of the same length without some bodies, given in its order."""
    parts: list[bytes] = []
    done = 0
    for body in bodies:
        parts += (text[done : body.start], body.instead.rjust(body.end - body.start))
        done = body.end
    return b"".join([*parts, text[done:]])


def body_at(bodies: Sequence[Body], offset: int) -> int:
    """Return the number of the body that a place lies in, -1 where it lies in none."""
    number = bisect_right(bodies, offset, key=_start) - 1
    return number if number >= 0 and offset < bodies[number].end else -1


def _start(body: Body) -> int:
    return body.start
