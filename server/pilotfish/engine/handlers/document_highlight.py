"""`document_highlight`: the occurrences of the name at a place in its own document."""

from __future__ import annotations

from collections.abc import Sequence

from pilotfish.engine.navigation.places import Place, place_at
from pilotfish.engine.resolution import Resolution
from pilotfish.engine.resolution.definitions import is_local
from pilotfish.engine.view import Text, View
from pilotfish.operations.editor import HighlightResult, PlaceParameters
from pilotfish.syntax.words import code_only, occurrences

MAX_HIGHLIGHTS = 5_000

MAX_TOLD_APART = 1_000
"""Of so many occurrences it is asked what they mean; the others are marked."""


def answer(view: View, parameters: PlaceParameters) -> HighlightResult:
    """Mark every occurrence in code that may mean the same; where the name gets a value counts as a write."""
    place = place_at(view, parameters)
    if place is None:
        return HighlightResult(outcome="no_match")
    text = place.text
    word = place.name.encode()
    offsets = occurrences(text.text, word, text.language)
    if text.language is not None:
        offsets = code_only(text.text, text.language, offsets)
    defined = {*text.mentions(place.name).definitions}
    offsets = _meaning_the_same(view, place, offsets[:MAX_HIGHLIGHTS])
    defined.update(offset for offset in offsets if _is_written(view, text, offset))
    return HighlightResult(
        spans=text.word_spans(offsets, place.name),
        writes=[number for number, offset in enumerate(offsets) if offset in defined],
        outcome="found" if offsets else "no_match",
    )


def _meaning_the_same(view: View, place: Place, offsets: Sequence[int]) -> list[int]:
    """Drop the occurrences that are known to mean something else; of a local, all that do not mean it."""
    resolution = Resolution(view)
    asked = resolution.meaning(place.text, place.name, place.start)
    wanted = {(each.address, each.ordinal) for each in asked or ()}
    is_of_scope = bool(asked) and is_local((asked or [])[0])
    kept = []
    for offset in offsets[:MAX_TOLD_APART]:
        meant = resolution.meaning(place.text, place.name, offset)
        if meant is None:
            is_other = is_of_scope
        elif wanted:
            is_other = wanted.isdisjoint((each.address, each.ordinal) for each in meant)
        else:
            is_other = bool(meant) and is_local(meant[0])
        if not is_other:
            kept.append(offset)
    return [*kept, *offsets[MAX_TOLD_APART:]]


def _is_written(view: View, text: Text, offset: int) -> bool:
    scopes = view.scopes(text)
    binding = None if scopes is None else scopes.at(offset)
    return binding is not None
