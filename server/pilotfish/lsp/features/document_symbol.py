"""`textDocument/documentSymbol`: nested where the client can show it, else flat."""

from __future__ import annotations

from lsprotocol import types

from pilotfish.lsp import converters
from pilotfish.lsp.server import PilotfishServer
from pilotfish.operations.editor import DOCUMENT_SYMBOLS, DocumentParameters, DocumentSymbolsResult


async def document_symbol(
    ls: PilotfishServer, params: types.DocumentSymbolParams
) -> list[types.DocumentSymbol] | list[types.SymbolInformation] | None:
    """List the definitions of a document."""
    uri = params.text_document.uri
    opened = await ls.document_root(uri, types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    if opened is None:
        return None
    answer = await ls.look_up(opened, DOCUMENT_SYMBOLS.name, DocumentParameters(uri=ls.known_uri(uri)))
    if not isinstance(answer, DocumentSymbolsResult):
        return None
    if ls.flags.has_hierarchical_symbols:
        return converters.document_symbols(answer.symbols, ls.encoding)
    return converters.symbol_information(answer.symbols, uri, ls.encoding)
