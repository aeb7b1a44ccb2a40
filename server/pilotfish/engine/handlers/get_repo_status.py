"""`get_repo_status`: what is indexed, what is not and why, and which processes answer."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Final

import psutil

from pilotfish import __version__
from pilotfish.engine.view import Definition, View
from pilotfish.graph.builtin_names import BUILTIN_NAMES
from pilotfish.graph.links import is_test
from pilotfish.operations.index import LanguageCount, SemanticStatus, SkipCount, StatusParameters, StatusResult
from pilotfish.syntax.facts import language_family
from pilotfish.workspace.content import SkipReason

if TYPE_CHECKING:
    from pilotfish.engine.engine import Engine
    from pilotfish.engine.sessions import Session

MOST_USED: Final = 10
MOST_NESTED: Final = 100

PATIENCE_S: Final = 4.0
"""How long an engine that has just started is given to look around before it tells what it knows, in seconds."""

AGENTS_PATIENCE_S: Final = 1.0
"""The same for agents, who ask first what is there and go on with it."""

LOOKED_AT: Final = 60
"""Names that are looked at for these, those used most: some are of tests, or of the language itself."""


async def respond(engine: Engine, session: Session, parameters: StatusParameters) -> StatusResult:
    """Count in a reader thread, then add what only the engine knows. Always answers, also while switched off."""
    await engine.wait_looked(AGENTS_PATIENCE_S if session.kind == "mcp" else PATIENCE_S)
    result = await engine.read(session, _counts, parameters)
    workers = [*engine.pool.pids(), *engine.semantics.pids()]
    vectors = engine.semantics.state
    if engine.indexer.unnameable:
        result.skipped.append(SkipCount(reason=SkipReason.NAME_NOT_UTF8.value, files=engine.indexer.unnameable))
    result.nested_roots = engine.indexer.nested_roots[:MOST_NESTED]
    result.nested_total = len(engine.indexer.nested_roots)
    result.root = engine.root
    result.root_reason = engine.root_reason
    result.semantic = SemanticStatus(
        phase=vectors.phase,
        model=engine.loaded.settings.semantic.model,
        pending=vectors.pending,
        message=vectors.message,
    )
    result.unsaved_documents = sum(len(each.documents) for each in engine.sessions.values())
    result.sessions = [f"{each.kind} {each.client}".strip() for each in engine.sessions.values()]
    result.index_bytes = engine.catalog.size_bytes()
    result.index_folder = str(engine.index_folder)
    result.log_path = str(engine.log_path)
    result.head = engine.indexer.head
    result.watcher = engine.indexer.watcher_state
    result.engine_pid = os.getpid()
    result.worker_pids = workers
    result.memory_bytes = sum(private_bytes(pid) for pid in (os.getpid(), *workers))
    result.counters = engine.indexer.counters.as_dict() | engine.semantics.done.as_dict()
    result.warnings = list(engine.warnings)
    result.version = __version__
    return result


def private_bytes(pid: int) -> int:
    """Return the memory that only this process holds, in bytes; 0 when it is gone."""
    try:
        return int(psutil.Process(pid).memory_full_info().uss)
    except psutil.Error:
        return 0


def _counts(view: View, parameters: StatusParameters) -> StatusResult:
    counts = view.reader.counts()
    return StatusResult(
        symbols=counts.symbols,
        references=counts.references,
        source_bytes=counts.source_bytes,
        languages=[
            LanguageCount(language=each.language, files=each.files, symbols=each.symbols, with_errors=each.with_errors)
            for each in counts.languages
        ],
        skipped=[
            *(SkipCount(reason=reason, files=files) for reason, files in counts.skipped),
            *([SkipCount(reason="no grammar for it", files=counts.listed)] if counts.listed else []),
        ],
        most_used=[view.record(each, uses=view.uses(each.name)[0]) for each in islice(_most_used(view), MOST_USED)],
    )


def _most_used(view: View) -> Iterator[Definition]:
    """Yield the definitions whose names are used most, one a name, outside of tests and as far as the count says
    something about them: a use of `setdefault` is one of a dictionary's mostly."""
    for row in view.reader.most_used(LOOKED_AT):
        if row.name in BUILTIN_NAMES.get(language_family(row.language) or "", ()):
            continue
        found = [view.from_row(row)] if not is_test(row.path) else view.definitions(row.name)
        yield from [each for each in found if each.kind is row.kind and not is_test(each.address)][:1]
