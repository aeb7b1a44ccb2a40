"""`textDocument/didSave`. Opening, changing and closing are the protocol's own (`lsp.protocol`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pilotfish.lsp.server import PilotfishServer

if TYPE_CHECKING:
    from lsprotocol import types


def did_save(ls: PilotfishServer, params: types.DidSaveTextDocumentParams) -> None:
    """Pass on that a document was saved; a plain function, so that it stays in the order of messages."""
    ls.documents.saved(params)
