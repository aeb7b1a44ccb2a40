"""`get_repo_status`: what is indexed, what is not and why, and which processes answer."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import psutil

from pilotfish import __version__
from pilotfish.engine.view import View
from pilotfish.operations.index import LanguageCount, SemanticStatus, SkipCount, StatusParameters, StatusResult
from pilotfish.workspace.content import SkipReason

if TYPE_CHECKING:
    from pilotfish.engine.engine import Engine
    from pilotfish.engine.sessions import Session

MOST_USED = 10


async def respond(engine: Engine, session: Session, parameters: StatusParameters) -> StatusResult:
    """Count in a reader thread, then add what only the engine knows. Always answers, also while switched off."""
    result = await engine.read(session, _counts, parameters)
    workers = [*engine.pool.pids(), *engine.semantics.pids()]
    vectors = engine.semantics.state
    if engine.indexer.unnameable:
        result.skipped.append(SkipCount(reason=SkipReason.NAME_NOT_UTF8.value, files=engine.indexer.unnameable))
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
        most_used=[
            view.record(view.from_row(row), uses=view.uses(row.name)[0]) for row in view.reader.most_used(MOST_USED)
        ],
    )
