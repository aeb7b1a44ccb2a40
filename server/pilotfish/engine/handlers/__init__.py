"""What the engine answers: one module per operation, paired with its declaration in `operations`.

A module holds `answer(view, parameters)`, which runs in a reader thread and sees one consistent snapshot, or
`respond(engine, session, parameters)`, a coroutine for the few operations that act on the engine itself.
"""

from __future__ import annotations

from types import ModuleType

from pilotfish.engine.handlers import (
    build_context,
    control,
    definition,
    document_highlight,
    document_symbols,
    explain_code,
    find_similar,
    find_symbols,
    find_usages,
    get_architecture,
    get_definition,
    get_repo_status,
    hover,
    implementation,
    incoming_calls,
    outgoing_calls,
    outline,
    prepare_call_hierarchy,
    prepare_type_hierarchy,
    references,
    repo_map,
    search_code,
    subtypes,
    supertypes,
    sync_repository,
    trace_execution,
    why,
)

HANDLERS: dict[str, ModuleType] = {
    "search_code": search_code,
    "find_similar": find_similar,
    "build_context": build_context,
    "find_symbols": find_symbols,
    "get_definition": get_definition,
    "find_usages": find_usages,
    "explain_code": explain_code,
    "trace_execution": trace_execution,
    "outline": outline,
    "repo_map": repo_map,
    "get_architecture": get_architecture,
    "get_repo_status": get_repo_status,
    "sync_repository": sync_repository,
    "why": why,
    "control": control,
    "hover": hover,
    "definition": definition,
    "references": references,
    "document_highlight": document_highlight,
    "document_symbols": document_symbols,
    "implementation": implementation,
    "prepare_type_hierarchy": prepare_type_hierarchy,
    "supertypes": supertypes,
    "subtypes": subtypes,
    "prepare_call_hierarchy": prepare_call_hierarchy,
    "incoming_calls": incoming_calls,
    "outgoing_calls": outgoing_calls,
}
