"""`search_code`: code by a question in words, by name, or by text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pilotfish.engine.searching.search import so_far
from pilotfish.engine.sessions import page_size, search_defaults
from pilotfish.engine.view import View
from pilotfish.operations.search import SearchCodeParameters, SearchCodeResult

if TYPE_CHECKING:
    from pilotfish.engine.engine import Engine
    from pilotfish.engine.sessions import Session


async def respond(engine: Engine, session: Session, parameters: SearchCodeParameters) -> SearchCodeResult:
    """Search in a reader thread."""
    settings = engine.loaded.settings
    defaults, size = search_defaults(session, settings), page_size(session, settings)

    def ask(view: View, asked: SearchCodeParameters) -> SearchCodeResult:
        return engine.searches.search_code(view, asked, settings, defaults, size)

    async with engine.searches.turn:
        before = engine.indexer.state
        result = await engine.answer(session, ask, parameters)
    result.coverage = so_far(result.coverage, engine.state_since(before))
    return result
