"""`references`: where the name at a place is used."""

from __future__ import annotations

from typing import Literal

from pilotfish.engine.certainty import Certainty
from pilotfish.engine.handlers.definition import locate
from pilotfish.engine.navigation.holders import FOR_AN_EDITOR
from pilotfish.engine.navigation.judged import uses_at
from pilotfish.engine.navigation.places import place_at, targets_at
from pilotfish.engine.view import View
from pilotfish.operations.editor import Location, ReferencesParameters, ReferencesResult


def answer(view: View, parameters: ReferencesParameters) -> ReferencesResult:
    """List the uses of what the name means, best first; its definitions before them when asked for.

    Uses that only hold the name are among them where nothing tells what they mean.
    """
    place = place_at(view, parameters)
    if place is None:
        return ReferencesResult(outcome="no_match")
    targets = targets_at(view, place)
    locations = [locate(target) for target in targets] if parameters.include_declaration else []
    for use, certainty in uses_at(view, place, targets, FOR_AN_EDITOR):
        said: Literal["bound", "name"] = "bound" if certainty is Certainty.BOUND else "name"
        locations.append(Location(path=use.text.path, uri=use.text.uri, span=use.span, role=use.role, certainty=said))
        if len(locations) > parameters.max_results:
            break
    return ReferencesResult(
        locations=locations[: parameters.max_results],
        truncated=len(locations) > parameters.max_results,
        outcome="found" if locations else "no_match",
    )
