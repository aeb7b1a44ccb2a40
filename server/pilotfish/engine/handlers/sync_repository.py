"""`sync_repository`: reread the working tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pilotfish.operations.index import SyncParameters, SyncResult

if TYPE_CHECKING:
    from pilotfish.engine.engine import Engine
    from pilotfish.engine.sessions import Session


async def respond(engine: Engine, session: Session, parameters: SyncParameters) -> SyncResult:
    """Scan, compare, and bring the index up to date; answer when it is, unless told not to wait."""
    engine.semantics.resume()
    counts = await engine.indexer.sync(force=parameters.force, wait=parameters.wait)
    return SyncResult(
        added=counts.added,
        changed=counts.changed,
        removed=counts.removed,
        moved=counts.moved,
        head=engine.indexer.head,
    )
