"""Which of several definitions of a name is meant, by whether it is called, and with how many arguments."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from pilotfish.syntax import brackets
from pilotfish.syntax.outline import BODIES

if TYPE_CHECKING:
    from pilotfish.engine.resolution import Resolution
    from pilotfish.engine.resolution.source import Source
    from pilotfish.engine.view import Definition

_OVERLOADING: Final = frozenset({"typescript", "tsx", "java", "cpp"})
_APART: Final = frozenset({"java", "php"})
"""Languages in which a method and a field may have one name: with brackets behind it, it is the method's."""

_CALLED: Final = re.compile(rb"\s*\(")
_MAY_MISS: Final = re.compile(rb"^\s*\.\.\.|^\s*[\w$]+\s*\?|[^=]=[^=>]|^\s*this\s*:")
"""A parameter that a call need not give."""


def as_written(source: Source, end: int, found: Sequence[Definition]) -> list[Definition]:
    """Return those of some members that a name can mean by what stands behind it, which ends at `end`."""
    if source.language not in _APART:
        return list(found)
    is_called = _CALLED.match(source.bytes, end) is not None
    return [each for each in found if (each.kind in BODIES) == is_called] or list(found)


def by_arguments(resolution: Resolution, source: Source, end: int, found: Sequence[Definition]) -> list[Definition]:
    """Put those of some overloads first that take as many arguments as the call that follows their name has.

    Args:
        resolution: where the texts of the overloads are had from.
        source: the text of the call.
        end: where the name ends there.
        found: what the name means.

    """
    if source.language not in _OVERLOADING:
        return list(found)
    given = brackets.called_with(source.bytes, brackets.call_behind(source.bytes, end), len(source.bytes))
    if given is None:
        return list(found)
    number = len(given)
    return sorted(found, key=lambda each: not _takes(resolution.source(each.address), each, number))


def _takes(source: Source | None, function: Definition, number: int) -> bool:
    """Whether a function can be called with so many arguments, as far as its head tells."""
    stretches = None if source is None else source.parameters(function)
    if source is None or stretches is None:
        return False
    parameters = [source.bytes[first:last] for first, last in stretches]
    least = sum(not _MAY_MISS.search(each) for each in parameters)
    return least <= number and (number <= len(parameters) or any(b"..." in each for each in parameters))
