"""`get_definition`: where a name is defined, with signature and documentation."""

from __future__ import annotations

from pilotfish.engine.navigation import definitions_named
from pilotfish.engine.view import View
from pilotfish.operations.symbols import GetDefinitionParameters, GetDefinitionResult


def answer(view: View, parameters: GetDefinitionParameters) -> GetDefinitionResult:
    """List the definitions of the name, best first."""
    found = definitions_named(view, parameters.symbol_name, parameters.file_hint)
    records = [
        view.record(definition, detail=True, absolute=parameters.absolute_paths, uses=True)
        for definition in found[: parameters.max_results]
    ]
    return GetDefinitionResult(
        definitions=records,
        truncated=len(found) > len(records),
        outcome="found" if records else "no_match",
    )
