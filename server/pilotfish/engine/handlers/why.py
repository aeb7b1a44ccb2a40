"""`why`: whether a path is indexed, and the rule that decided."""

from __future__ import annotations

import asyncio
from itertools import takewhile
from typing import TYPE_CHECKING

from pilotfish.engine.addresses import path_as_shown, path_of_argument
from pilotfish.engine.view import View
from pilotfish.operations.index import WhyParameters, WhyResult
from pilotfish.workspace.content import SkipReason

if TYPE_CHECKING:
    from pilotfish.engine.engine import Engine
    from pilotfish.engine.sessions import Session


async def respond(engine: Engine, session: Session, parameters: WhyParameters) -> WhyResult:
    """Ask the rules of the scan first, then the index, since content can decide too."""
    path = path_of_argument(engine.root, parameters.path)
    if path is None:
        return WhyResult(path=parameters.path, rule="outside the root", outcome="no_match")
    decision = await asyncio.to_thread(engine.indexer.decide, path)
    if decision.reason is SkipReason.MISSING and (named := path_as_shown(path)) != path:
        other = await asyncio.to_thread(engine.indexer.decide, named)
        decision = other if other.reason is SkipReason.NAME_NOT_UTF8 else decision
    if decision.enters:
        result = await engine.read(session, _folder, WhyParameters(path=path))
        if not result.files and engine.indexer.state.phase != "ready":
            result.outcome = "not_indexed"
        return result
    if not decision.accepted:
        return WhyResult(
            path=path, rule=decision.rule or str(decision.reason), detail=decision.detail, outcome="no_match"
        )
    return await engine.read(session, _listed, WhyParameters(path=path))


def _folder(view: View, parameters: WhyParameters) -> WhyResult:
    """Count what is indexed of a folder that the rules let in."""
    inside = f"{parameters.path}/" if parameters.path else ""
    rows = list(takewhile(lambda row: row.path.startswith(inside), view.reader.files(after=inside)))
    if not rows:
        return WhyResult(path=parameters.path, rule="folder: no file in it is indexed", outcome="no_match")
    by_name = sum(row.status != "parsed" for row in rows)
    return WhyResult(
        path=parameters.path,
        indexed=True,
        listed=True,
        rule="folder: its files are judged one by one",
        detail=f"{by_name:,} of them found by name only" if by_name else "",
        symbols=sum(row.symbols for row in rows),
        files=len(rows),
    )


def _listed(view: View, parameters: WhyParameters) -> WhyResult:
    row = view.reader.file(parameters.path)
    if row is None:
        return WhyResult(path=parameters.path, rule="accepted by every rule, not read yet", outcome="not_indexed")
    if row.skip_reason:
        return WhyResult(
            path=parameters.path, listed=True, rule=row.skip_reason, language=row.language, outcome="no_match"
        )
    outline = view.reader.outline(parameters.path)
    return WhyResult(
        path=parameters.path,
        indexed=outline is not None,
        listed=True,
        rule="accepted by every rule" if outline is not None else "no grammar for this kind of file; found by name",
        language=row.language,
        symbols=0 if outline is None else len(outline.symbols),
    )
