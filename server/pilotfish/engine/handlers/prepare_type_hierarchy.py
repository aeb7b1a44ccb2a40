"""`prepare_type_hierarchy`: the type at a place."""

from __future__ import annotations

from pilotfish.engine.binding import Binder
from pilotfish.engine.hierarchies import Hierarchies
from pilotfish.engine.passages import Sources
from pilotfish.engine.view import View
from pilotfish.operations.editor import HierarchyResult, PlaceParameters


def answer(view: View, parameters: PlaceParameters) -> HierarchyResult:
    """Return the types that the name may mean."""
    hierarchies = Hierarchies(view, Binder(view, Sources(view)))
    items = [hierarchies.item(each) for each in hierarchies.types_at(parameters)]
    return HierarchyResult(items=items, outcome="found" if items else "no_match")
