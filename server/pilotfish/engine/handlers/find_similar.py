"""`find_similar`: code like a definition, like some lines, or like a piece of code."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pilotfish.engine.passages import Sources
from pilotfish.engine.searching.search import so_far
from pilotfish.engine.searching.similar import find_similar
from pilotfish.engine.sessions import page_size
from pilotfish.engine.view import View
from pilotfish.operations.search import FindSimilarParameters, FindSimilarResult

if TYPE_CHECKING:
    from pilotfish.engine.engine import Engine
    from pilotfish.engine.sessions import Session


async def respond(engine: Engine, session: Session, parameters: FindSimilarParameters) -> FindSimilarResult:
    """Compare in a reader thread."""
    settings = engine.loaded.settings
    size = page_size(session, settings)

    def compare(view: View, asked: FindSimilarParameters) -> FindSimilarResult:
        sources = Sources(view, with_secrets=settings.semantic.secrets)
        return find_similar(view, sources, asked, engine.searches.meaning, size)

    async with engine.searches.turn:
        before = engine.indexer.state
        result = await engine.answer(session, compare, parameters)
    result.coverage = so_far(result.coverage, engine.state_since(before))
    return result
