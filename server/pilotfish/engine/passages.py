"""Pieces of files as results: their lines, the definition that they are about, and their source as it is now."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pilotfish.excerpt import excerpt
from pilotfish.operations.search import SearchHit
from pilotfish.syntax import documentation
from pilotfish.syntax.outline import TELLING_KINDS, qualified_containers
from pilotfish.workspace import paths
from pilotfish.workspace.secrets import is_secret, redact, secret_content

if TYPE_CHECKING:
    from pilotfish.engine.view import Definition, Text, View
    from pilotfish.syntax.outline import Symbols

MAX_LINE: Final = 400
"""Characters of one line of source that are shown."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of a file, its lines counted from 1, both included; `ordinal` is that of its definition in the file's
    outline, -1 where it is about none or that is not known yet; `match_line` the line that has most of what was asked
    for, 0 where that is not known."""

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
    match_line: int = 0


class Sources:
    """The texts of a view as they may be searched and shown: secrets blanked, nothing of a file that is one (DESIGN
    invariant 12). Every offset in them is that of the text itself."""

    def __init__(self, view: View, *, with_secrets: bool = False) -> None:
        """`with_secrets` where the user's own settings say that nothing is secret."""
        self._view = view
        self._with_secrets = with_secrets
        self._chunks = view.reader.chunks
        self._open = frozenset(view.open_paths())
        self._texts: dict[str, bytes] = {}

    def paths(self) -> list[tuple[str, str | None]]:
        """Return path and language of every file that has a text to search, in order."""
        found = dict(self._chunks.paths())
        found.update((path, self._view.language(path)) for path in self._open)
        return sorted(found.items())

    def text(self, path: str) -> bytes:
        """Return the text of a file in UTF-8; empty where there is none to show. It is kept: for what is shown."""
        if path not in self._texts:
            self._texts[path] = self.read(path)
        return self._texts[path]

    def fetch(self, paths: Iterable[str]) -> None:
        """Read the texts of some files at once, for `text`."""
        missing = [path for path in dict.fromkeys(paths) if path not in self._texts and path not in self._open]
        self._texts.update(dict.fromkeys(missing, b"") | self._chunks.texts(missing))

    def read(self, path: str) -> bytes:
        """Return the same without keeping it: for the texts of many files."""
        if path not in self._open:
            # Redacted when it was stored, and exactly the text that chunks and outline were made from.
            return self._chunks.text(path) or b""
        text = self._view.file(path)
        if text is None:
            return b""
        if self._with_secrets:
            return text.text
        return b"" if is_secret(path) or secret_content(path, text.text) else redact(text.text)

    def lines(self, path: str, line_start: int, line_end: int) -> list[str]:
        """Return lines without their ends, counted from 1, both included."""
        text = self.text(path)
        lines = text.splitlines()
        if not text or text.endswith((b"\n", b"\r")):
            lines.append(b"")
        return [line.decode("utf-8", "replace") for line in lines[line_start - 1 : line_end]]


def of_definition(view: View, definition: Definition, *, score: float, why: str) -> Passage | None:
    """Return the whole of a definition; None when it has gone meanwhile."""
    text = view.text_of(definition)
    symbol = None if text is None else text.symbol(definition.ordinal)
    if text is None or symbol is None:
        return None
    return Passage(
        path=definition.address,
        line_start=text.lines.line_of(symbol.start) + 1,
        line_end=text.lines.line_of(max(symbol.start, symbol.end - 1)) + 1,
        name=definition.name,
        kind=definition.kind.label,
        parent=definition.container,
        language=definition.language or "",
        ordinal=definition.ordinal,
        score=score,
        why=why,
    )


def shown(view: View, sources: Sources, passage: Passage, *, absolute: bool, snippet_chars: int) -> SearchHit:
    """Return a passage as clients see it, with its source as it is now."""
    lines = sources.lines(passage.path, passage.line_start, passage.line_end) if snippet_chars else []
    return SearchHit(
        path=passage.path,
        line_start=passage.line_start,
        line_end=passage.line_end,
        symbol_name=passage.name,
        symbol_type=passage.kind,
        language=passage.language,
        parent=passage.parent,
        signature=signature_of(view, sources, passage),
        score=round(passage.score, 4),
        similarity=None if passage.similarity is None else round(passage.similarity, 4),
        why=passage.why,
        match_line=passage.match_line,
        code_snippet=snippet(
            lines, snippet_chars, passage.match_line - passage.line_start if passage.match_line else None
        ),
        absolute_path=paths.join(view.root, passage.path) if absolute else None,
    )


def signature_of(view: View, sources: Sources, passage: Passage) -> str:
    """Return the line that declares what a passage is about; empty where it is about no definition."""
    text = view.file(passage.path) if passage.name else None
    if text is None or text.language is None:
        return ""
    symbols = text.symbols  # those of most answers have been unpacked already; one alone would be unpacked anew
    ordinal = passage.ordinal if passage.ordinal >= 0 else _ordinal_of(text, symbols, passage)
    symbol = symbols.symbol(ordinal) if 0 <= ordinal < len(symbols.names) else None
    source = sources.text(passage.path)
    return documentation.signature(source, symbol, text.language) if source and symbol is not None else ""


def _ordinal_of(text: Text, symbols: Symbols, passage: Passage) -> int:
    """Find the definition that a passage is about: the last of its name that begins before the passage ends."""
    found = -1
    for ordinal, name in enumerate(symbols.names):
        if name == passage.name and (line := text.lines.line_of(symbols.starts[ordinal])) < passage.line_end:
            found = ordinal
            if line + 1 >= passage.line_start:
                break
    return found


def snippet(lines: Sequence[str], limit: int, focus: int | None = None) -> str:
    """Return whole lines, at most `limit` characters, that at `focus` among them; marks say how many are left out."""
    return excerpt([line if len(line) <= MAX_LINE else line[: MAX_LINE - 1] + "…" for line in lines], limit, focus)


class Enclosing:
    """The definitions of a text by place; of a text without outline there are none."""

    def __init__(self, text: Text | None) -> None:
        self._symbols = [] if text is None else text.outline.symbols
        self._containers = qualified_containers(self._symbols)
        self._starts = [symbol.start for symbol in self._symbols]

    def at(self, offset: int) -> int:
        """Return the ordinal of the innermost definition around a byte offset; -1 for none."""
        ordinal = bisect_right(self._starts, offset) - 1
        while ordinal >= 0 and self._symbols[ordinal].end <= offset:
            ordinal = self._symbols[ordinal].parent
        return ordinal

    def telling_on(self, start: int, end: int) -> int:
        """Return the ordinal of the function or type that a line with these bounds begins or lies in; -1 for none."""
        ordinal = self.at(max(start, end - 1))
        while ordinal >= 0 and self._symbols[ordinal].kind not in TELLING_KINDS:
            ordinal = self._symbols[ordinal].parent
        return ordinal

    def bounds(self, ordinal: int) -> tuple[int, int]:
        """Return where a definition begins, and its last byte."""
        symbol = self._symbols[ordinal]
        return symbol.start, max(symbol.start, symbol.end - 1)

    def is_name(self, start: int, end: int) -> bool:
        """Whether a stretch lies over the name of the definition around it."""
        ordinal = self.at(start)
        return ordinal >= 0 and self._symbols[ordinal].name_start < end and start < self._symbols[ordinal].name_end

    def describe(self, ordinal: int) -> tuple[str, str, str]:
        """Return name, kind and parent of a definition, empty for none."""
        if ordinal < 0:
            return "", "", ""
        symbol = self._symbols[ordinal]
        return symbol.name, symbol.kind.label, self._containers[ordinal]
