"""`find_symbols`: definitions by name, abbreviation or part of a name."""

from __future__ import annotations

from pilotfish.engine.view import View
from pilotfish.engine.wire import INVALID_PARAMS, OperationError
from pilotfish.operations.symbols import FindSymbolsParameters, FindSymbolsResult
from pilotfish.syntax.outline import SymbolKind

KINDS = {kind.label: kind for kind in SymbolKind}


def answer(view: View, parameters: FindSymbolsParameters) -> FindSymbolsResult:
    """Search the names; an empty query matches nothing."""
    definitions, truncated = view.search(
        parameters.query,
        kinds=_kinds(parameters.kind),
        path_glob=parameters.file_filter,
        limit=parameters.max_results,
    )
    records = [view.record(each, absolute=parameters.absolute_paths) for each in definitions]
    return FindSymbolsResult(symbols=records, truncated=truncated, outcome="found" if records else "no_match")


def _kinds(label: str | None) -> frozenset[SymbolKind] | None:
    if label is None:
        return None
    kind = KINDS.get(label.strip().lower().replace("_", " "))
    if kind is None:
        raise OperationError(INVALID_PARAMS, f"unknown kind {label!r}", f"send one of: {', '.join(sorted(KINDS))}")
    return frozenset({kind})
