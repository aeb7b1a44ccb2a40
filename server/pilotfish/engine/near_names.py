"""What to try where no definition has the name that was asked for: names that are nearly the same, and other ways."""

from __future__ import annotations

import json
from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import islice
from typing import TYPE_CHECKING, Final

from pilotfish.engine.navigation.names import definitions_named, name_parts

if TYPE_CHECKING:
    from pilotfish.engine.view import Definition, View

MOST: Final = 3
"""Names that are proposed."""

_LIKE_ENOUGH: Final = 0.75
"""From this share of common letters on a name may be what was meant."""

_TELLING: Final = 6
"""Letters of a name that may have more than one slip and still be known."""

_LONGEST: Final = 40
"""Letters of a name that is looked at."""


def advice(view: View, name: str) -> str:
    """Return in one line that nothing is called so, and what to do next; for the name of a definition, without what it
    lies in."""
    if not name:
        return "No name was given."
    said = f"No definition is called {name}"
    asked = json.dumps(name, ensure_ascii=False) if " " in name else name
    if near := near_names(view, name):
        return f"{said}; did you mean {listed(near)}? search_code {asked} looks in the text."
    if not view.reader.counts().symbols:
        return f"{said}: no definition is indexed here; get_repo_status tells what is."
    return f"{said}. search_code {asked} looks in the text, get_repo_status tells what is not indexed."


def advice_for_member(view: View, containers: Sequence[str], name: str) -> str:
    """Return the same for a name in others, `Class.method`: what these hold that is called nearly so, and where
    something of that name lies elsewhere."""
    around = ".".join(containers)
    if not around:
        return advice(view, name)
    places = [*near_definitions(view, f"{around}.{name}"), *view.definitions(name)]
    if not places:
        return advice(view, name)
    written = dict.fromkeys(f"{each.container}.{each.name}".lstrip(".") for each in places)
    return f"{around} has no {name}; did you mean {listed([*written][:MOST])}?"


def near_names(view: View, name: str) -> list[str]:
    """Return the names of definitions that are nearly the same, the nearest first.

    A name with one letter wrong, too much or out of place has the letters of the right one in their order once that
    letter is left out. Where some differ by one slip, others are not meant.
    """
    if not 2 < len(name) <= _LONGEST:
        return []
    longest = int(len(name) * (2 / _LIKE_ENOUGH - 1))  # a longer one has too many others
    likeness = {each: _likeness(name, each) for each in view.nearly_named(name, max(longest, len(name) + 1))}
    near = [each for each, like in likeness.items() if like >= _LIKE_ENOUGH]
    near = [each for each in near if is_slip(name, each)] or ([] if len(name) < _TELLING else near)
    near.sort(key=lambda each: (-likeness[each], _strangeness(name, each), each))
    return list(islice((each for each in near if view.definitions(each)), MOST))


def near_definitions(view: View, written: str) -> list[Definition]:
    """Return the definitions whose names are nearly what was asked for, `name` or `Class.name`, the nearest first.

    Of a name in another that is defined, only what lies in that counts; there, a name of three letters may be a slip
    too.
    """
    containers, name = name_parts(written)
    if not containers:
        return [each for near in near_names(view, name) for each in definitions_named(view, near, None)]
    return [
        each
        for container in definitions_named(view, ".".join(containers), None)[:MOST]
        for each in view.symbols(container.path or "")
        if each.container.rpartition(".")[2] == container.name
        and (is_slip(name, each.name) or (len(name) >= _TELLING and _likeness(name, each.name) >= _LIKE_ENOUGH))
    ]


def listed(names: Sequence[str]) -> str:
    """Return names as a sentence lists them: `a, b or c`."""
    *others, last = names
    return f"{', '.join(others)} or {last}" if others else last


def is_slip(one: str, other: str) -> bool:
    """Tell whether two names differ by one letter that is wrong, missing or too much, or by two that changed places;
    case apart."""
    one, other = one.casefold(), other.casefold()
    while one and other and one[0] == other[0]:
        one, other = one[1:], other[1:]
    while one and other and one[-1] == other[-1]:
        one, other = one[:-1], other[:-1]
    return (len(one) <= 1 and len(other) <= 1) or (len(one) == 2 and one == other[::-1])


def _strangeness(one: str, other: str) -> float:
    """Tell how unlike two names are, case and all: `write` before `WRITE`."""
    return 1 - SequenceMatcher(None, one, other, autojunk=False).ratio()


def _likeness(one: str, other: str) -> float:
    return SequenceMatcher(None, one.casefold(), other.casefold(), autojunk=False).ratio()
