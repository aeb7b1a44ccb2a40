"""Pieces of files as results: their lines, the definition that they are about, and their source as it is now."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pilotfish.operations.search import SearchHit
from pilotfish.syntax.outline import qualified_containers
from pilotfish.workspace import paths

if TYPE_CHECKING:
    from pilotfish.engine.view import Definition, Text, View

_LINE_END: Final = re.compile(r"\r\n|\n|\r")

MAX_LINE: Final = 400
"""Characters of one line of source that are shown."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of a file, its lines counted from 1, both included; `ordinal` is that of its definition in the file's
    outline, -1 where it is about none."""

    path: str
    line_start: int
    line_end: int
    name: str = ""
    kind: str = ""
    parent: str = ""
    language: str = ""
    ordinal: int = -1
    score: float = 0.0
    similarity: float | None = None
    why: str = ""


def of_definition(view: View, definition: Definition, *, score: float, why: str) -> Passage | None:
    """Return the whole of a definition; None when it has gone meanwhile."""
    text = view.text_of(definition)
    symbol = None if text is None else text.symbol(definition.ordinal)
    if text is None or symbol is None:
        return None
    return Passage(
        path=definition.address,
        line_start=text.line_of(symbol.start) + 1,
        line_end=text.line_of(max(symbol.start, symbol.end - 1)) + 1,
        name=definition.name,
        kind=definition.kind.label,
        parent=definition.container,
        language=definition.language or "",
        ordinal=definition.ordinal,
        score=score,
        why=why,
    )


def shown(view: View, passage: Passage, *, absolute: bool, snippet_chars: int) -> SearchHit:
    """Return a passage as clients see it, with its source as it is now."""
    text = view.file(passage.path)
    symbol = text.symbol(passage.ordinal) if text is not None and passage.ordinal >= 0 else None
    return SearchHit(
        path=passage.path,
        line_start=passage.line_start,
        line_end=passage.line_end,
        symbol_name=passage.name,
        symbol_type=passage.kind,
        language=passage.language,
        parent=passage.parent,
        signature="" if text is None or symbol is None else text.signature(symbol),
        score=round(passage.score, 4),
        similarity=None if passage.similarity is None else round(passage.similarity, 4),
        why=passage.why,
        code_snippet="" if text is None else snippet(source_lines(text, passage), snippet_chars),
        absolute_path=paths.join(view.root, passage.path) if absolute else None,
    )


def source_lines(text: Text, passage: Passage) -> list[str]:
    """Return the lines of a passage, without their ends; none where the text is not to be had."""
    source = text.text
    if not source:
        return []
    start, _ = text.lines.line_bounds(passage.line_start - 1)
    _, end = text.lines.line_bounds(passage.line_end - 1)
    return _LINE_END.split(source[start:end].decode("utf-8", "replace"))


def snippet(lines: Sequence[str], limit: int) -> str:
    """Return whole lines, at most `limit` characters; where lines are left out the last one says how many."""
    shown_lines = [line if len(line) <= MAX_LINE else line[: MAX_LINE - 1] + "…" for line in lines]
    whole = "\n".join(shown_lines)
    if len(whole) <= limit:
        return whole
    room = limit - len(_more(len(lines))) - 1
    kept = 0
    while kept < len(shown_lines) and room >= len(shown_lines[kept]):
        room -= len(shown_lines[kept]) + 1
        kept += 1
    return "\n".join([*shown_lines[:kept], _more(len(lines) - kept)]) if kept else ""


def _more(count: int) -> str:
    return f"… {count:,} more line{'s' * (count != 1)}"


class Enclosing:
    """The definitions of a text by place."""

    def __init__(self, text: Text) -> None:
        self._symbols = text.outline.symbols
        self._containers = qualified_containers(self._symbols)
        self._starts = [symbol.start for symbol in self._symbols]

    def at(self, offset: int) -> int:
        """Return the ordinal of the innermost definition around a byte offset; -1 for none."""
        ordinal = bisect_right(self._starts, offset) - 1
        while ordinal >= 0 and self._symbols[ordinal].end <= offset:
            ordinal = self._symbols[ordinal].parent
        return ordinal

    def bounds(self, ordinal: int) -> tuple[int, int]:
        """Return where a definition begins and ends."""
        return self._symbols[ordinal].start, self._symbols[ordinal].end

    def named(self, start: int, end: int) -> bool:
        """Whether a stretch lies over the name of a definition."""
        ordinal = self.at(start)
        return ordinal >= 0 and self._symbols[ordinal].name_start < end and start < self._symbols[ordinal].name_end

    def describe(self, ordinal: int) -> tuple[str, str, str]:
        """Return name, kind and parent of a definition, empty for none."""
        if ordinal < 0:
            return "", "", ""
        symbol = self._symbols[ordinal]
        return symbol.name, symbol.kind.label, self._containers[ordinal]
