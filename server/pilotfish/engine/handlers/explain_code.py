"""`explain_code`: what a piece of code is, what it uses, who uses it, its past."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pilotfish.engine.binding import Binder
from pilotfish.engine.explaining import explain_code
from pilotfish.engine.passages import Sources
from pilotfish.engine.view import View
from pilotfish.operations.explain import ExplainCodeParameters, ExplainCodeResult

if TYPE_CHECKING:
    from pilotfish.engine.engine import Engine
    from pilotfish.engine.sessions import Session


async def respond(engine: Engine, session: Session, parameters: ExplainCodeParameters) -> ExplainCodeResult:
    """Explain in a reader thread."""
    with_secrets = engine.loaded.settings.semantic.secrets

    def explain(view: View, asked: ExplainCodeParameters) -> ExplainCodeResult:
        sources = Sources(view, with_secrets=with_secrets)
        return explain_code(view, Binder(view, sources), sources, asked)

    return await engine.answer(session, explain, parameters)
