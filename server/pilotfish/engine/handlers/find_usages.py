"""`find_usages`: where a name is used."""

from __future__ import annotations

from pilotfish.engine import near_names
from pilotfish.engine.navigation import THOROUGH, UsedAt, definitions_named, name_parts, uses_of
from pilotfish.engine.view import View
from pilotfish.graph.links import enclosing
from pilotfish.operations.symbols import FindUsagesParameters, FindUsagesResult, Usage
from pilotfish.workspace import paths


def answer(view: View, parameters: FindUsagesParameters) -> FindUsagesResult:
    """List the uses of the name, those nearest to the definition that is meant first."""
    targets = definitions_named(view, parameters.symbol_name, parameters.file_hint)
    if parameters.file_hint and targets:
        targets = [target for target in targets if target.path == targets[0].path]
    containers, name = name_parts(parameters.symbol_name)
    if containers and not targets:  # nothing is called that, whatever else shares the last name
        return FindUsagesResult(outcome="no_match", hint=near_names.advice_for_member(view, containers, name))
    found = list(uses_of(view, name, targets, None, THOROUGH))
    if not found:
        hint = f"Nothing uses {name}." if targets else near_names.advice(view, name)
        return FindUsagesResult(outcome="no_match", hint=hint)
    shown = [_usage(view, use, parameters) for use in found[: parameters.max_results]]
    return FindUsagesResult(
        usages=shown,
        total=len(found),
        truncated=len(found) > len(shown),
    )


def _usage(view: View, use: UsedAt, parameters: FindUsagesParameters) -> Usage:
    path = use.text.path or ""
    span = use.span
    return Usage(
        path=path,
        line=span.start.line + 1,
        role=use.role,
        span=span,
        text=use.text.line_text(use.start) if parameters.include_context else "",
        container=_container(use),
        absolute_path=paths.join(view.root, path) if parameters.absolute_paths else None,
    )


def _container(use: UsedAt) -> str:
    """The qualified name of the definition in which a use stands."""
    symbols = use.text.outline.symbols
    around = enclosing(symbols, use.start)
    ordinal = around[0] if around else -1
    parts: list[str] = []
    while ordinal != -1:
        symbol = symbols[ordinal]
        parts[:0] = [symbol.container, symbol.name] if symbol.container else [symbol.name]
        ordinal = symbol.parent
    return ".".join(parts)
