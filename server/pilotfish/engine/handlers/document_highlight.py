"""`document_highlight`: the occurrences of the name at a place in its own document."""

from __future__ import annotations

from pilotfish.engine.navigation import place_at
from pilotfish.engine.view import View
from pilotfish.operations.editor import HighlightResult, PlaceParameters
from pilotfish.syntax.words import code_only, occurrences

MAX_HIGHLIGHTS = 5_000


def answer(view: View, parameters: PlaceParameters) -> HighlightResult:
    """Mark every occurrence in code; definitions count as writes."""
    place = place_at(view, parameters)
    if place is None:
        return HighlightResult(outcome="no_match")
    text = place.text
    word = place.name.encode()
    offsets = occurrences(text.text, word, text.language)
    if text.language is not None:
        offsets = code_only(text.text, text.language, offsets)
    defined = set(text.mentions(place.name).definitions)
    offsets = offsets[:MAX_HIGHLIGHTS]
    return HighlightResult(
        spans=text.word_spans(offsets, place.name),
        writes=[number for number, offset in enumerate(offsets) if offset in defined],
        outcome="found" if offsets else "no_match",
    )
