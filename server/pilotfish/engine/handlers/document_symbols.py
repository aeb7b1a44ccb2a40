"""`document_symbols`: a document's definitions, nested."""

from __future__ import annotations

from pilotfish.engine.view import Text, View
from pilotfish.operations.editor import DocumentParameters, DocumentSymbolsResult, SymbolNode
from pilotfish.syntax.languages import REGISTRY
from pilotfish.syntax.outline import Symbol


def answer(view: View, parameters: DocumentParameters) -> DocumentSymbolsResult:
    """Nest the outline's flat list by parent."""
    text = view.document(parameters.uri)
    if text is None or not text.outline.symbols:
        return DocumentSymbolsResult(outcome="no_match")
    children: dict[int, list[SymbolNode]] = {}
    # Parents stand before their children, so going backwards finds every child list complete.
    for ordinal in range(len(text.outline.symbols) - 1, -1, -1):
        symbol = text.outline.symbols[ordinal]
        inside = children.pop(ordinal, [])
        inside.reverse()
        children.setdefault(symbol.parent, []).append(_node(text, symbol, inside))
    top = children.get(-1, [])
    top.reverse()
    return DocumentSymbolsResult(symbols=top)


def _node(text: Text, symbol: Symbol, inside: list[SymbolNode]) -> SymbolNode:
    return SymbolNode(
        name=_name(text, symbol),
        kind=int(symbol.kind),
        detail=text.signature(symbol),
        span=text.span(symbol.start, max(symbol.end, symbol.name_end)),
        name_span=text.span(symbol.name_start, symbol.name_end),
        children=inside,
    )


def _name(text: Text, symbol: Symbol) -> str:
    """What a definition is called, with what it belongs to where that is not around it: `Circle::draw` of an `impl`."""
    if not symbol.container or symbol.name == "":
        return symbol.name
    language = REGISTRY.get(symbol.language or text.language or "")
    joint = "." if language is None else language.joint
    return joint.join([*symbol.container.split("."), symbol.name])
