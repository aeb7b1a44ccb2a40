"""Declarations of everything that a client can ask; `OPERATIONS` is the whole list."""

from pilotfish.operations import architecture, editor, endpoint, explain, index, repo_map, search, symbols, trace
from pilotfish.operations.registry import Registry

OPERATIONS = Registry(
    (
        search.SEARCH_CODE,
        search.FIND_SIMILAR,
        search.BUILD_CONTEXT,
        symbols.FIND_SYMBOLS,
        symbols.GET_DEFINITION,
        symbols.FIND_USAGES,
        explain.EXPLAIN_CODE,
        trace.TRACE_EXECUTION,
        symbols.OUTLINE,
        repo_map.REPO_MAP,
        architecture.GET_ARCHITECTURE,
        index.GET_REPO_STATUS,
        index.SYNC_REPOSITORY,
        index.WHY,
        index.CONTROL,
        endpoint.MCP_ENDPOINT,
        editor.HOVER,
        editor.DEFINITION,
        editor.REFERENCES,
        editor.DOCUMENT_HIGHLIGHT,
        editor.DOCUMENT_SYMBOLS,
        editor.IMPLEMENTATION,
        editor.PREPARE_TYPE_HIERARCHY,
        editor.SUPERTYPES,
        editor.SUBTYPES,
        editor.PREPARE_CALL_HIERARCHY,
        editor.INCOMING_CALLS,
        editor.OUTGOING_CALLS,
    )
)

__all__ = ["OPERATIONS"]
