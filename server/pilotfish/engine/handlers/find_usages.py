"""`find_usages`: where a name is used."""

from __future__ import annotations

from bisect import bisect_right

from pilotfish.engine import near_names
from pilotfish.engine.navigation import THOROUGH, UsedAt, definitions_named, name_parts, page_of_uses
from pilotfish.engine.view import View
from pilotfish.operations.symbols import FindUsagesParameters, FindUsagesResult, Usage
from pilotfish.workspace import paths


def answer(view: View, parameters: FindUsagesParameters) -> FindUsagesResult:
    """List a page of the uses of the name, those nearest to the definition that is meant first."""
    targets = definitions_named(view, parameters.symbol_name, parameters.file_hint)
    if parameters.file_hint and targets:
        targets = [target for target in targets if target.path == targets[0].path]
    containers, name = name_parts(parameters.symbol_name)
    if containers and not targets:  # nothing is called that, whatever else shares the last name
        return FindUsagesResult(outcome="no_match", hint=near_names.advice_for_member(view, containers, name))
    end = parameters.page * parameters.max_results
    page = range(end - parameters.max_results, end)
    found = page_of_uses(view, name, targets, page, lambda use: _usage(view, use, parameters), THOROUGH)
    is_cut = found.total > end
    if found.shown:
        hint = f"More: send page={parameters.page + 1}." if is_cut else ""
    elif found.total:
        hint = f"There are {found.total:,} uses: send a smaller page."
    else:
        hint = f"Nothing uses {name}." if targets else near_names.advice(view, name)
    return FindUsagesResult(
        outcome="found" if found.shown else "no_match",
        usages=found.shown,
        total=found.total,
        at_least=found.at_least,
        page=parameters.page,
        truncated=is_cut,
        hint=hint,
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
    symbols = use.text.symbols
    # Symbols stand in the order of their starts, parents before children: the innermost is the last that goes on.
    ordinal = bisect_right(symbols.starts, use.start) - 1
    while ordinal != -1 and symbols.symbol(ordinal).end <= use.start:
        ordinal = symbols.parents[ordinal]
    parts: list[str] = []
    while ordinal != -1:
        container, name = symbols.containers[ordinal] if symbols.containers else "", symbols.names[ordinal]
        parts[:0] = [container, name] if container else [name]
        ordinal = symbols.parents[ordinal]
    return ".".join(parts)
