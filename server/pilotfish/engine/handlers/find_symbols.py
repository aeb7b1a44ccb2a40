"""`find_symbols`: definitions by name, abbreviation or part of a name."""

from __future__ import annotations

from pilotfish.engine import near_names
from pilotfish.engine.navigation.names import name_parts
from pilotfish.engine.searching.filters import kinds_named
from pilotfish.engine.view import View
from pilotfish.operations.symbols import FindSymbolsParameters, FindSymbolsResult


def answer(view: View, parameters: FindSymbolsParameters) -> FindSymbolsResult:
    """Search the names; an empty query matches nothing."""
    definitions, truncated = view.search(
        parameters.query,
        kinds=kinds_named(parameters.kind),
        path_glob=parameters.file_filter,
        limit=parameters.max_results,
    )
    records = [view.record(each, absolute=parameters.absolute_paths) for each in definitions]
    if not records:
        return FindSymbolsResult(outcome="no_match", hint=_advice(view, parameters))
    return FindSymbolsResult(symbols=records, truncated=truncated)


def _advice(view: View, parameters: FindSymbolsParameters) -> str:
    if (parameters.kind or parameters.file_filter) and view.search(
        parameters.query, kinds=None, path_glob=None, limit=1
    )[0]:
        return "There are such names, but none that the kind and file_filter let through."
    return near_names.advice(view, name_parts(parameters.query)[1])
