"""What to try where no definition has the name that was asked for: names that are nearly the same, and other ways."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pilotfish.engine.view import View

MOST: Final = 3
"""Names that are proposed."""

_LIKE_ENOUGH: Final = 0.75
"""From this share of common letters on a name may be what was meant."""

_LONGEST: Final = 40
"""Letters of a name that is looked at: each costs a search."""

_MATCHES: Final = 30


def advice(view: View, name: str) -> str:
    """Return in one line that nothing is called so, and what to do next; for the name of a definition, without what it
    lies in."""
    said = f"No definition is called {name}" if name else "No name was given"
    if near := near_names(view, name):
        return f"{said}; did you mean {_listed(near)}?"
    if not view.reader.counts().symbols:
        return f"{said}: no definition is indexed here; get_repo_status tells what is."
    return f"{said}. search_code {name} looks in the text, get_repo_status tells what is not indexed."


def advice_for_member(view: View, containers: Sequence[str], name: str) -> str:
    """Return the same for a name in others, `Class.method`: where something of that name lies elsewhere, so it is."""
    around = ".".join(containers)
    if not around or not (elsewhere := view.definitions(name)):
        return advice(view, name)
    places = dict.fromkeys(f"{each.container}.{each.name}".lstrip(".") for each in elsewhere)
    return f"{around} has no {name}; did you mean {_listed([*places][:MOST])}?"


def near_names(view: View, name: str) -> list[str]:
    """Return the names of definitions that are nearly the same, the nearest first.

    A name with one letter wrong, too much or out of place holds the letters of the right one in their order once that
    letter is left out, and those are what search by name finds.
    """
    if not 2 < len(name) <= _LONGEST:
        return []
    found = {each for asked in _without_a_letter(name) for each in _found(view, asked)}
    likeness = {each: _likeness(name, each) for each in found}
    near = [each for each in found if likeness[each] >= _LIKE_ENOUGH]
    return sorted(near, key=lambda each: (-likeness[each], each))[:MOST]


def _without_a_letter(name: str) -> Iterator[str]:
    yield name
    for place in range(len(name)):
        yield name[:place] + name[place + 1 :]


def _found(view: View, asked: str) -> Iterator[str]:
    definitions, _ = view.search(asked, kinds=None, path_glob=None, limit=_MATCHES)
    return (definition.name for definition in definitions)


def _likeness(one: str, other: str) -> float:
    return SequenceMatcher(None, one.casefold(), other.casefold(), autojunk=False).ratio()


def _listed(names: Sequence[str]) -> str:
    *others, last = names
    return f"{', '.join(others)} or {last}" if others else last
