"""What the server answers: one module for each LSP method, or for a family of notifications."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from pilotfish.lsp.features import (
    call_hierarchy,
    code_action,
    configuration,
    definition,
    document_highlight,
    document_symbol,
    file_operations,
    hover,
    implementation,
    references,
    text_synchronization,
    type_hierarchy,
    watched_files,
    workspace_symbol,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from pilotfish.lsp.server import PilotfishServer

HANDLERS: dict[str, Callable[..., Any]] = {
    types.TEXT_DOCUMENT_HOVER: hover.hover,
    types.TEXT_DOCUMENT_DOCUMENT_SYMBOL: document_symbol.document_symbol,
    types.TEXT_DOCUMENT_DEFINITION: definition.definition,
    types.TEXT_DOCUMENT_REFERENCES: references.references,
    types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT: document_highlight.document_highlight,
    types.TEXT_DOCUMENT_IMPLEMENTATION: implementation.implementation,
    types.TEXT_DOCUMENT_PREPARE_TYPE_HIERARCHY: type_hierarchy.prepare,
    types.TYPE_HIERARCHY_SUPERTYPES: type_hierarchy.supertypes,
    types.TYPE_HIERARCHY_SUBTYPES: type_hierarchy.subtypes,
    types.TEXT_DOCUMENT_PREPARE_CALL_HIERARCHY: call_hierarchy.prepare,
    types.CALL_HIERARCHY_INCOMING_CALLS: call_hierarchy.incoming,
    types.CALL_HIERARCHY_OUTGOING_CALLS: call_hierarchy.outgoing,
    types.TEXT_DOCUMENT_CODE_ACTION: code_action.code_action,
    types.WORKSPACE_SYMBOL: workspace_symbol.workspace_symbol,
    types.WORKSPACE_SYMBOL_RESOLVE: workspace_symbol.resolve,
    types.TEXT_DOCUMENT_DID_SAVE: text_synchronization.did_save,
    types.WORKSPACE_WILL_CREATE_FILES: file_operations.will_create,
    types.WORKSPACE_WILL_RENAME_FILES: file_operations.will_rename,
    types.WORKSPACE_WILL_DELETE_FILES: file_operations.will_delete,
    types.WORKSPACE_DID_CREATE_FILES: file_operations.did_create,
    types.WORKSPACE_DID_RENAME_FILES: file_operations.did_rename,
    types.WORKSPACE_DID_DELETE_FILES: file_operations.did_delete,
    types.WORKSPACE_DID_CHANGE_WATCHED_FILES: watched_files.did_change,
    types.WORKSPACE_DID_CHANGE_CONFIGURATION: configuration.did_change,
}
"""Handlers by method. All are registered, whatever is switched on: a feature that is off answers null."""


def register(server: PilotfishServer) -> None:
    """Register every handler."""
    for method, handler in HANDLERS.items():
        server.feature(method)(handler)
    server.feature(types.INITIALIZED)(configuration.initialized)
