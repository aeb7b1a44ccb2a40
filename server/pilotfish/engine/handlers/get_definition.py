"""`get_definition`: where a name is defined, with signature and documentation."""

from __future__ import annotations

from pilotfish.engine import near_names
from pilotfish.engine.navigation import THOROUGH, count_uses, definitions_named, name_parts
from pilotfish.engine.view import View
from pilotfish.operations.symbols import GetDefinitionParameters, GetDefinitionResult


def answer(view: View, parameters: GetDefinitionParameters) -> GetDefinitionResult:
    """List the definitions of the name, best first."""
    found = definitions_named(view, parameters.symbol_name, parameters.file_hint)
    containers, name = name_parts(parameters.symbol_name)
    if not found:
        return GetDefinitionResult(outcome="no_match", hint=near_names.advice_for_member(view, containers, name))
    uses, _ = count_uses(view, name, found, None, THOROUGH)
    records = [
        view.record(definition, detail=True, absolute=parameters.absolute_paths, uses=uses)
        for definition in found[: parameters.max_results]
    ]
    return GetDefinitionResult(
        definitions=records,
        truncated=len(found) > len(records),
    )
