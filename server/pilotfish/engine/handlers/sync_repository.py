"""`sync_repository`: reread the working tree, and tell how far it is from the branch that it follows."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from pilotfish.config import user_file
from pilotfish.engine.wire import INVALID_PARAMS, OperationError
from pilotfish.operations.index import SyncParameters, SyncResult
from pilotfish.workspace.git import Git
from pilotfish.workspace.upstream import Distance, FetchError, Upstream, distance, fetch, upstream

if TYPE_CHECKING:
    from pilotfish.engine.engine import Engine
    from pilotfish.engine.sessions import Session


async def respond(engine: Engine, session: Session, parameters: SyncParameters) -> SyncResult:
    """Fetch if asked and allowed to; scan, compare, and bring the index up to date; answer when it is, unless told not
    to wait.

    Raises:
        OperationError: a fetch is asked for and not allowed, or failed.

    """
    if parameters.fetch and not engine.loaded.settings.git.fetch:
        raise OperationError(
            INVALID_PARAMS,
            "nothing was fetched: `git.fetch` is off",
            f"set `fetch = true` under `[git]` in your own settings file {user_file()}, or PILOTFISH_GIT_FETCH=true in "
            "the environment of the engine; without `fetch` the tree is reread as it is",
        )
    followed, apart = await asyncio.to_thread(_followed, engine.root, fetches=parameters.fetch)
    engine.semantics.resume()
    await engine.semantics.look_at_table()
    counts = await engine.indexer.sync(force=parameters.force, wait=parameters.wait)
    if parameters.wait:
        await engine.indexer.wait_quiet()  # the answer tells how far the index is by then
    return SyncResult(
        added=counts.added,
        changed=counts.changed,
        removed=counts.removed,
        moved=counts.moved,
        head=engine.indexer.head,
        upstream="" if followed is None else followed.name,
        behind=None if apart is None else apart.behind,
        ahead=None if apart is None else apart.ahead,
        fetched=parameters.fetch,
    )


def _followed(root: str, *, fetches: bool) -> tuple[Upstream | None, Distance | None]:
    git = Git(root)
    followed = upstream(git)
    if fetches:
        if followed is None:
            raise OperationError(
                INVALID_PARAMS,
                "nothing was fetched: no branch is checked out here that follows another",
                "name one with `git branch --set-upstream-to`, or sync without `fetch`",
            )
        try:
            fetch(git, followed)
        except FetchError as error:
            raise OperationError(
                INVALID_PARAMS,
                f"{followed.name} was not fetched: {error}",
                "`git fetch` in a terminal shows more; without `fetch` the tree is reread as it is",
            ) from error
    return followed, None if followed is None else distance(git, followed)
