"""`find_similar`: code like a definition, like some lines, or like a piece of code."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from pilotfish.engine import similar
from pilotfish.engine.gathering import Nearest
from pilotfish.engine.passages import Sources
from pilotfish.engine.sessions import page_size
from pilotfish.engine.view import View
from pilotfish.operations.answer import Answer
from pilotfish.operations.search import FindSimilarParameters, FindSimilarResult

if TYPE_CHECKING:
    from pilotfish.engine.engine import Engine
    from pilotfish.engine.sessions import Session


class _Read(Answer):
    """The piece that is meant, as the session sees it."""

    piece: similar.Piece | None


async def respond(engine: Engine, session: Session, parameters: FindSimilarParameters) -> FindSimilarResult:
    """Read the piece, then compare it with all others."""
    with_secrets = engine.loaded.settings.semantic.secrets
    read = await engine.answer(session, partial(_read, with_secrets), parameters)
    if read.piece is None:
        return FindSimilarResult(outcome=read.outcome, hint=_MISSING)
    size = page_size(session, engine.loaded.settings)

    def compare(view: View, asked: FindSimilarParameters) -> FindSimilarResult:
        assert read.piece is not None
        sources = Sources(view, with_secrets=with_secrets)
        return similar.find_similar(view, sources, asked, read.piece, Nearest(), size)

    return await engine.answer(session, compare, parameters)


_MISSING = "There is nothing of that name or place in the index; `find_symbols` finds names, `why` tells about files."


def _read(with_secrets: bool, view: View, parameters: FindSimilarParameters) -> _Read:
    piece = similar.piece_of(view, Sources(view, with_secrets=with_secrets), parameters)
    return _Read(piece=piece, outcome="found" if piece is not None else "no_match")
