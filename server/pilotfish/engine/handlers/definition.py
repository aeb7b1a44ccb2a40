"""`definition`: where the name at a place is defined."""

from __future__ import annotations

from pilotfish.engine.navigation.imported import imported_at, opened
from pilotfish.engine.navigation.places import definitions_at, place_at
from pilotfish.engine.view import Definition, View
from pilotfish.operations.answer import Span
from pilotfish.operations.editor import DefinitionResult, Location, PlaceParameters

MAX_LOCATIONS = 50
"""A name with more definitions than a list is worth is cut here, best first."""

MAX_WHOLE = 10
"""Of so many the whole definition is located, for an editor to show; in a longer list nobody sees more than names."""


def answer(view: View, parameters: PlaceParameters) -> DefinitionResult:
    """Locate the definitions that the name may mean, best first; of the path in an import, its files."""
    asked = place_at(view, parameters)
    origin = None if asked is None else asked.span
    found = [] if asked is None else opened(view, definitions_at(view, asked))[:MAX_LOCATIONS]
    if not found:
        origin, found = imported_at(view, parameters) or (origin, [])
    return DefinitionResult(
        locations=[locate(each) for each in found[:MAX_LOCATIONS]],
        targets=[_whole(view, each) if place < MAX_WHOLE else each.name_span for place, each in enumerate(found)],
        origin=origin,
        outcome="found" if found else "no_match",
    )


def locate(definition: Definition) -> Location:
    """Return the place of a definition's name."""
    return Location(path=definition.path, uri=definition.uri, span=definition.name_span, role="definition")


def _whole(view: View, definition: Definition) -> Span:
    text = view.text_of(definition)
    symbol = None if text is None else text.symbol(definition.ordinal)
    if text is None or symbol is None:
        return definition.name_span
    return text.span(symbol.start, max(symbol.end, symbol.name_end))
