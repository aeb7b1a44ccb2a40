"""Open documents: the text as the editor has it, and LSP's incremental edits applied to it.

Pure: a change gives a new document. Lines end at `\\n`, `\\r\\n` and `\\r` only, as LSP says (`str.splitlines` also
splits at form feeds and more). Columns past the end of a line mean its end, lines past the last one the end of the
text, and a reversed range is put right, so that no message of a client can fail.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from pilotfish.workspace.paths import RelPath

Encoding = Literal["utf-8", "utf-16", "utf-32"]

_SURROGATE = re.compile("[\ud800-\udfff]")


class Place(NamedTuple):
    """An LSP position: 0-based line, and column in units of the negotiated encoding."""

    line: int
    character: int


class TextRange(NamedTuple):
    """A half-open LSP range."""

    start: Place
    end: Place


class TextChange(NamedTuple):
    """One content change; without a range, `text` is the whole new text."""

    range: TextRange | None
    text: str


@dataclass(frozen=True)
class OpenDocument:
    """A text that an editor has open. `path` is None for documents that have no place in the root."""

    uri: str
    path: RelPath | None
    language_id: str
    version: int
    text: str

    def changed(self, version: int | None, changes: Iterable[TextChange], encoding: Encoding) -> OpenDocument:
        """The document after the changes, each relative to the text that the one before left.

        The version is taken as the client says it, also when it is lower (Helix 25.01 sends changes out of order).
        """
        text = self.text
        for change in changes:
            text = change.text if change.range is None else apply_change(text, change.range, change.text, encoding)
        return replace(self, text=text, version=self.version if version is None else version)

    def encoded(self) -> bytes:
        """The text in UTF-8; a lone surrogate, which JSON can carry, becomes U+FFFD, as wide in every encoding."""
        try:
            return self.text.encode("utf-8")
        except UnicodeEncodeError:
            return _SURROGATE.sub("\ufffd", self.text).encode("utf-8")


def apply_change(text: str, span: TextRange, new_text: str, encoding: Encoding) -> str:
    """`text` with the range replaced by `new_text`."""
    start, end = sorted((offset_of(text, span.start, encoding), offset_of(text, span.end, encoding)))
    return text[:start] + new_text + text[end:]


def offset_of(text: str, place: Place, encoding: Encoding) -> int:
    """The index into `text` of an LSP position, clamped to the line and to the text."""
    if place.line < 0:
        return 0
    start, end = _line_bounds(text, place.line)
    return start + _column(text[start:end], place.character, encoding)


def _line_bounds(text: str, line: int) -> tuple[int, int]:
    """Start and end of a line without its line end; both are the text's length where there is no such line."""
    # Both replacements keep every index, and `split` finds the line without a loop over the lines in Python.
    plain = text.replace("\r\n", " \n").replace("\r", "\n") if "\r" in text else text
    pieces = plain.split("\n", line)
    if len(pieces) <= line:
        return len(text), len(text)
    start = len(text) - len(pieces[-1])
    end = plain.find("\n", start)
    if end < 0:
        return start, len(text)
    return start, end - 1 if end > start and text.startswith("\r\n", end - 1) else end


def _column(line: str, units: int, encoding: Encoding) -> int:
    """How many characters of `line` lie before a column; a column inside a character means its start."""
    if units <= 0:
        return 0
    if encoding == "utf-32" or line.isascii():
        return min(units, len(line))
    width = _utf8_width if encoding == "utf-8" else _utf16_width
    for index, character in enumerate(line):
        units -= width(character)
        if units < 0:
            return index
    return len(line)


def _utf8_width(character: str) -> int:
    code = ord(character)
    return 1 if code < 0x80 else 2 if code < 0x800 else 3 if code < 0x10000 else 4


def _utf16_width(character: str) -> int:
    return 2 if ord(character) > 0xFFFF else 1
