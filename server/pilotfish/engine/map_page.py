"""The repo map of a view as a page to look at."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from pilotfish.engine.handlers.get_architecture import architecture_of
from pilotfish.engine.view import FileText, Text, View

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from pilotfish.graph.page import PageSymbol


def map_page(view: View, ranks: NDArray[np.float64]) -> str:
    """Return the page, in HTML; `ranks` are those of the files of the view's graph."""
    from pilotfish.graph.page import page

    return page(
        posixpath.basename(view.root.replace("\\", "/")),
        view.graph,
        ranks,
        architecture_of(view, ranks),
        lambda path, with_signatures: _symbols(view, path, with_signatures),
    )


def _symbols(view: View, path: str, with_signatures: bool) -> list[PageSymbol]:
    from pilotfish.graph.page import PageSymbol

    text = _text(view, path)
    if text is None:
        return []
    found: list[PageSymbol] = []
    for symbol in text.outline.symbols:
        depth = found[symbol.parent].depth + 1 if symbol.parent >= 0 else 0
        line = text.lines.line_of(symbol.name_start) + 1
        signature = " ".join(text.signature(symbol).split()) if with_signatures else ""
        found.append(PageSymbol(symbol.name, symbol.kind.label, line, depth, signature))
    return found


def _text(view: View, path: str) -> Text | None:
    """Return one file for a moment: a view keeps those that it is asked for, and a page asks for thousands."""
    if path in view.open_paths():
        return view.file(path)
    stored = view.reader.stored(path)
    return None if stored is None else FileText(view.root, stored)
