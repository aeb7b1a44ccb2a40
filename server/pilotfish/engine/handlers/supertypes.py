"""`supertypes`: the types that a type inherits or implements."""

from __future__ import annotations

from pilotfish.engine.binding import Binder
from pilotfish.engine.hierarchies import MOST_ITEMS, Hierarchies
from pilotfish.engine.passages import Sources
from pilotfish.engine.view import View
from pilotfish.operations.editor import HierarchyResult, ItemParameters


def answer(view: View, parameters: ItemParameters) -> HierarchyResult:
    """List the types one step away."""
    hierarchies = Hierarchies(view, Binder(view, Sources(view)))
    node = hierarchies.node_of(parameters)
    items = [] if node is None else [hierarchies.item(each) for each in hierarchies.supertypes(node)]
    return HierarchyResult(
        items=items[:MOST_ITEMS], truncated=len(items) > MOST_ITEMS, outcome="found" if items else "no_match"
    )
