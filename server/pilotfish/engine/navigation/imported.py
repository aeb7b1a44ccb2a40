"""The files that the path in an import means: `./util`, `<stdio.h>`, `github.com/spf13/cobra`, `mod name;`."""

from __future__ import annotations

from collections.abc import Sequence

from pilotfish.engine.navigation.places import offset_at
from pilotfish.engine.resolution.definitions import faces_first, module_definition
from pilotfish.engine.view import Definition, View
from pilotfish.operations.answer import Span
from pilotfish.operations.editor import PlaceParameters
from pilotfish.syntax.outline import SymbolKind

_QUOTES = "<>\"'`"


def opened(view: View, definitions: Sequence[Definition]) -> list[Definition]:
    """Put the file of a module in the place of what only declares it (`mod name;`)."""
    found: list[Definition] = []
    for each in definitions:
        files = _files_of(view, each) if each.kind is SymbolKind.MODULE and each.ordinal >= 0 else []
        found += [module_definition(file, view.language(file)) for file in files] or [each]
    return found


def _files_of(view: View, module: Definition) -> list[str]:
    text = view.text_of(module)
    symbol = None if text is None else text.symbol(module.ordinal)
    if text is None or symbol is None:
        return []
    declaring = [one for one in text.imports if one.start <= symbol.name_start < one.end and not one.names]
    return [*dict.fromkeys(file for one in declaring for bound in view.bound_by(text, one) for file in bound.files)]


def imported_at(view: View, parameters: PlaceParameters) -> tuple[Span, list[Definition]] | None:
    """Return the stretch of the path at a place and the files that it means, the one that stands for all of them first;
    None where no import has a path there, or it leads out of the root."""
    text = view.document(parameters.uri)
    if text is None:
        return None
    versions, offset = offset_at(view, text, parameters)
    for each in text.imports:
        path = each.module.strip(_QUOTES).encode()
        start = text.text.find(path, each.start, each.end) if path and each.start <= offset <= each.end else -1
        if start <= offset <= start + len(path) and start >= 0:
            files = dict.fromkeys(file for binding in view.bound_by(text, each) for file in binding.files)
            # A header brings along what implements it.
            named = [file for file in files if f"/{file}".endswith(f"/{path.decode('utf-8', 'replace').lstrip('./')}")]
            found = [module_definition(file, view.language(file)) for file in faces_first(named or [*files])]
            return ((versions or text).span(start, start + len(path)), found) if found else None
    return None
