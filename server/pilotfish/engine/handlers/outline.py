"""`outline`: the definitions of files, all of them page by page."""

from __future__ import annotations

from pilotfish.engine.addresses import path_of_argument
from pilotfish.engine.near_paths import why_none
from pilotfish.engine.passages import Sources
from pilotfish.engine.view import View
from pilotfish.engine.wire import INVALID_PARAMS, OperationError
from pilotfish.operations.symbols import FileOutline, OutlineParameters, OutlineResult

PAGE = 200
"""Files a page of `all`: about a megabyte of answer."""


def answer(view: View, parameters: OutlineParameters) -> OutlineResult:
    """Outline the named files, or a page of every indexed file."""
    if parameters.all:
        return _page(view, parameters.after)
    if not parameters.files:
        raise OperationError(INVALID_PARAMS, "no file named", "send `files`, or `all` for every indexed file")
    files = [_outline(view, path_of_argument(view.root, path)) for path in parameters.files]
    return OutlineResult(files=files, outcome="found" if any(file.symbols for file in files) else "no_match")


def _page(view: View, after: str | None) -> OutlineResult:
    rows = list(view.reader.files(after=after, limit=PAGE + 1))
    files = [_outline(view, row.path) for row in rows[:PAGE]]
    return OutlineResult(
        files=files,
        next=rows[PAGE - 1].path if len(rows) > PAGE else None,
        outcome="found" if files or after else "no_match",
    )


def _outline(view: View, path: str | None) -> FileOutline:
    if path is None:
        return FileOutline(path="", reason="outside the root")
    row = view.reader.file(path)
    symbols = [view.record(definition, detail=True) for definition in view.symbols(path)]
    if row is None and not symbols:
        return FileOutline(path=path, reason=why_none(Sources(view), path).rstrip("."))
    return FileOutline(
        path=path,
        language=view.language(path),
        symbols=symbols,
        reason="" if row is None else row.skip_reason,
    )
