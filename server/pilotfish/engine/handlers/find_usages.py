"""`find_usages`: where a name is used."""

from __future__ import annotations

import re
from bisect import bisect_right

from pilotfish.engine import near_names
from pilotfish.engine.certainty import Certainty
from pilotfish.engine.navigation.holders import THOROUGH
from pilotfish.engine.navigation.names import definitions_among, name_parts
from pilotfish.engine.navigation.pages import Line, page_of_uses
from pilotfish.engine.navigation.uses import UsedAt
from pilotfish.engine.paging import pages_end
from pilotfish.engine.view import View
from pilotfish.operations.symbols import FindUsagesParameters, FindUsagesResult, Usage
from pilotfish.workspace import paths

_PROSE = (".adoc", ".md", ".mdx", ".org", ".rst", ".txt")
_MOST_DOCUMENTS = 20


def answer(view: View, parameters: FindUsagesParameters) -> FindUsagesResult:
    """List a page of the uses of the name, those first that mean the definition that is asked for."""
    containers, name = name_parts(parameters.symbol_name)
    definitions = view.definitions(name)
    targets = definitions_among(definitions, parameters.symbol_name, parameters.file_hint)
    if parameters.file_hint and targets:
        targets = [target for target in targets if target.path == targets[0].path]
    if containers and not targets:  # nothing is called that, whatever else shares the last name
        return FindUsagesResult(outcome="no_match", hint=near_names.advice_for_member(view, containers, name))
    end = parameters.page * parameters.max_results
    page = range(end - parameters.max_results, end)
    found = page_of_uses(view, name, definitions, targets, page, lambda line: _usage(view, line, parameters), THOROUGH)
    is_cut = found.total > end
    # Where very many files hold the name, so do those of prose.
    documents = documents_naming(view, name) if targets and parameters.page == 1 and not found.at_least else 0
    if found.shown:
        hint = f"More: send page={parameters.page + 1}." if is_cut else ""
    elif found.total:
        hint = pages_end(found.total, "use", parameters.max_results)
    else:
        hint = f"Nothing uses {parameters.symbol_name}." if targets else near_names.advice(view, name)
    if documents:
        files = "1 documentation file" if documents == 1 else f"{documents:,} documentation files"
        hint = f"{hint} {files} also hold{'s' if documents == 1 else ''} the name: search_code {name}.".lstrip()
    return FindUsagesResult(
        outcome="found" if found.shown else "no_match",
        usages=found.shown,
        total=found.total,
        bound=found.bound,
        others=found.others,
        at_least=found.at_least,
        page=parameters.page,
        truncated=is_cut,
        hint=hint,
    )


def documents_naming(view: View, name: str) -> int:
    """Return how many files of prose hold a name, a plain word only where it is written as in code: examples in them
    use it too. Of many that have its parts, the first are looked into."""
    paths = [path for path in view.mentioning(name) if path.lower().endswith(_PROSE)][:_MOST_DOCUMENTS]
    written = re.escape(name.encode())
    in_code = rb"[.`:]" + written + rb"(?!\w)|(?<!\w)" + written + rb"[(`]"
    word = re.compile(in_code if name.isalpha() and name[1:].islower() else rb"(?<!\w)" + written + rb"(?!\w)")
    stored = view.reader.chunks.texts([path for path in paths if path not in view.overlays()])
    texts = [*stored.values(), *(view.overlays()[path].text for path in paths if path in view.overlays())]
    return sum(word.search(text) is not None for text in texts)


def _usage(view: View, line: Line, parameters: FindUsagesParameters) -> Usage:
    use = line.use
    path = use.text.path or ""
    return Usage(
        path=path,
        line=use.span.start.line + 1,
        role=", ".join(line.roles),
        certainty="bound" if line.certainty is Certainty.BOUND else "name",
        span=use.span,
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
