"""`implementation`: what implements or overrides the name at a place."""

from __future__ import annotations

from pilotfish.engine.binding import Binder
from pilotfish.engine.hierarchies import MOST_ITEMS, Hierarchies
from pilotfish.engine.navigation.places import place_at
from pilotfish.engine.passages import Sources
from pilotfish.engine.view import View
from pilotfish.operations.editor import DefinitionResult, PlaceParameters


def answer(view: View, parameters: PlaceParameters) -> DefinitionResult:
    """Locate the implementations, those in the file of the definition first."""
    asked = place_at(view, parameters)
    if asked is None:
        return DefinitionResult(outcome="no_match")
    hierarchies = Hierarchies(view, Binder(view, Sources(view)))
    found = hierarchies.implementations(parameters)
    items = [hierarchies.item(each) for each in found[:MOST_ITEMS]]
    return DefinitionResult(
        locations=[each.location for each in items],
        targets=[each.span for each in items],
        origin=asked.span,
        truncated=len(found) > MOST_ITEMS,
        outcome="found" if items else "no_match",
    )
