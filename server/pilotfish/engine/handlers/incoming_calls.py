"""`incoming_calls`: what calls a function."""

from __future__ import annotations

from pilotfish.engine.binding import Binder
from pilotfish.engine.hierarchies import MOST_ITEMS, Hierarchies
from pilotfish.engine.passages import Sources
from pilotfish.engine.view import View
from pilotfish.operations.editor import CallsResult, ItemParameters


def answer(view: View, parameters: ItemParameters) -> CallsResult:
    """List the calls, each with its places."""
    hierarchies = Hierarchies(view, Binder(view, Sources(view)))
    node = hierarchies.node_of(parameters)
    calls = [] if node is None else hierarchies.incoming(node)
    return CallsResult(
        calls=calls[:MOST_ITEMS], truncated=len(calls) > MOST_ITEMS, outcome="found" if calls else "no_match"
    )
