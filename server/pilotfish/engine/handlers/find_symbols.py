"""`find_symbols`: definitions by name, abbreviation or part of a name."""

from __future__ import annotations

from pilotfish.engine.filters import kinds_named
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
    return FindSymbolsResult(symbols=records, truncated=truncated, outcome="found" if records else "no_match")
