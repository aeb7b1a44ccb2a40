"""`search_code`: code by a question in words, by name, or by text."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from pilotfish.engine import search
from pilotfish.engine.sessions import search_defaults
from pilotfish.engine.view import View
from pilotfish.operations.search import SearchCodeParameters, SearchCodeResult

if TYPE_CHECKING:
    from pilotfish.engine.engine import Engine
    from pilotfish.engine.sessions import Session


async def respond(engine: Engine, session: Session, parameters: SearchCodeParameters) -> SearchCodeResult:
    """Search in a reader thread."""
    page_size = search_defaults(session, engine.loaded.settings).max_results or (5 if session.kind == "mcp" else 10)
    return await engine.answer(session, partial(_answer, page_size), parameters)


def _answer(page_size: int, view: View, parameters: SearchCodeParameters) -> SearchCodeResult:
    return search.search_code(view, parameters, page_size)
