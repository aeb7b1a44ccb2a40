"""`control`: rebuild, pause, resume, cancel or wait."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pilotfish.operations.index import ControlParameters, ControlResult

if TYPE_CHECKING:
    from pilotfish.engine.engine import Engine
    from pilotfish.engine.sessions import Session


async def respond(engine: Engine, session: Session, parameters: ControlParameters) -> ControlResult:
    """Act on both phases of indexing."""
    indexer, semantics = engine.indexer, engine.semantics
    match parameters.action:
        case "rebuild":
            await indexer.rebuild()
            return ControlResult(message="rebuilding the index from nothing")
        case "pause":
            indexer.pause()
            semantics.pause()
            return ControlResult(message="indexing is paused")
        case "resume":
            indexer.resume()
            semantics.resume()
            return ControlResult(message="indexing goes on")
        case "cancel":
            indexer.cancel()
            semantics.cancel()
            return ControlResult(message="the work under way is cancelled; `sync` takes it up again")
        case "wait":
            await (engine if parameters.semantic else indexer).wait_quiet()
            return ControlResult(message="the index is up to date")
