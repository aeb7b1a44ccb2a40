"""`build_context`: the source to read for a task, within a budget of tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pilotfish.engine.maps import counter_name
from pilotfish.engine.passages import Sources
from pilotfish.engine.searching.context import build_context
from pilotfish.engine.searching.search import so_far
from pilotfish.engine.sessions import search_defaults
from pilotfish.engine.view import View
from pilotfish.operations.search import BuildContextParameters, BuildContextResult

if TYPE_CHECKING:
    from pilotfish.engine.engine import Engine
    from pilotfish.engine.sessions import Session


async def respond(engine: Engine, session: Session, parameters: BuildContextParameters) -> BuildContextResult:
    """Search and pack in a reader thread; tokens are counted as those of maps are."""
    settings = engine.loaded.settings
    defaults = search_defaults(session, settings)

    def build(view: View, asked: BuildContextParameters) -> BuildContextResult:
        sources = Sources(view, with_secrets=settings.semantic.secrets)
        asking = engine.searches.asking(view, sources, settings)
        count = engine.maps.counter(settings.map.tokenizer)
        return build_context(view, sources, asking, asked, defaults, count, counter_name(settings.map))

    async with engine.searches.turn:
        before = engine.indexer.state
        result = await engine.answer(session, build, parameters)
    result.coverage = so_far(result.coverage, engine.state_since(before))
    return result
