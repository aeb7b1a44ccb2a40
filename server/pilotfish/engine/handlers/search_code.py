"""`search_code`: code by a question in words, by name, or by text."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from pilotfish.engine import search
from pilotfish.engine.gathering import Nearest
from pilotfish.engine.sessions import page_size
from pilotfish.engine.view import View
from pilotfish.operations.search import SearchCodeParameters, SearchCodeResult

if TYPE_CHECKING:
    from pilotfish.engine.engine import Engine
    from pilotfish.engine.sessions import Session


async def respond(engine: Engine, session: Session, parameters: SearchCodeParameters) -> SearchCodeResult:
    """Search in a reader thread."""
    settings = engine.loaded.settings
    ask = partial(_answer, page_size(session, settings), settings.semantic.secrets)
    return await engine.answer(session, ask, parameters)


def _answer(size: int, with_secrets: bool, view: View, parameters: SearchCodeParameters) -> SearchCodeResult:
    return search.search_code(view, parameters, size, Nearest(), with_secrets=with_secrets)
