"""`repo_map`: what matters in the workspace, within a budget of tokens."""

from __future__ import annotations

import contextlib
from functools import partial
from typing import TYPE_CHECKING

from pilotfish.engine.maps import TaskSearch
from pilotfish.engine.view import View
from pilotfish.operations.repo_map import RepoMapParameters, RepoMapResult

if TYPE_CHECKING:
    from pilotfish.engine.engine import Engine
    from pilotfish.engine.sessions import Session


async def respond(engine: Engine, session: Session, parameters: RepoMapParameters) -> RepoMapResult:
    """Draw the map in a reader thread, with what the engine knows of the session and of git."""
    settings = engine.loaded.settings.map
    tokens = parameters.max_tokens
    if tokens is None:
        tokens = settings.max_tokens if session.settings.map_tokens is None else session.settings.map_tokens
    draw = partial(_draw, engine, tokens)
    async with engine.searches.turn if parameters.task.strip() else contextlib.nullcontext(), engine.maps.turn:
        return await engine.answer(session, draw, parameters)


def search_for(engine: Engine, view: View, parameters: RepoMapParameters) -> TaskSearch | None:
    """Return the search for the task that a map is drawn for, if there is one."""
    task = parameters.task.strip()
    if not task:
        return None
    state = (engine.semantics.state, engine.history.commits_read, engine.unsaved.changes)
    return TaskSearch(partial(engine.searches.definitions_for, view, task, engine.loaded.settings), state)


def _draw(engine: Engine, tokens: int, view: View, parameters: RepoMapParameters) -> RepoMapResult:
    search = search_for(engine, view, parameters)
    return engine.maps.answer(view, parameters, engine.loaded.settings.map, tokens, engine.indexer.head, search)
