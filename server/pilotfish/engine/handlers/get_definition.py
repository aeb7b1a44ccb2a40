"""`get_definition`: where a name is defined, with signature and documentation."""

from __future__ import annotations

from pilotfish.engine import near_names
from pilotfish.engine.navigation.holders import COUNTED
from pilotfish.engine.navigation.names import definitions_named, name_parts
from pilotfish.engine.navigation.uses import count_uses
from pilotfish.engine.paging import pages_end
from pilotfish.engine.view import View
from pilotfish.operations.symbols import GetDefinitionParameters, GetDefinitionResult


def answer(view: View, parameters: GetDefinitionParameters) -> GetDefinitionResult:
    """List a page of the definitions of the name, best first."""
    found = definitions_named(view, parameters.symbol_name, parameters.file_hint)
    containers, name = name_parts(parameters.symbol_name)
    if not found:
        return GetDefinitionResult(outcome="no_match", hint=near_names.advice_for_member(view, containers, name))
    end = parameters.page * parameters.max_results
    shown = found[end - parameters.max_results : end]
    if not shown:
        hint = pages_end(len(found), "definition", parameters.max_results)
        return GetDefinitionResult(outcome="no_match", total=len(found), page=parameters.page, hint=hint)
    uses, _ = count_uses(view, name, found, None, COUNTED)
    return GetDefinitionResult(
        definitions=[
            view.record(definition, detail=True, absolute=parameters.absolute_paths, uses=uses) for definition in shown
        ],
        total=len(found),
        page=parameters.page,
        truncated=len(found) > end,
        hint=f"More: send page={parameters.page + 1}." if len(found) > end else "",
    )
