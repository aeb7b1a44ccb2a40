"""Comments that document a definition where a language has its own custom: marked, beside or below it.

Each function gives the text without the markers of comments, line by line, b"" where there is none.
"""

from __future__ import annotations

import re

_FURTHEST = 16_384  # bytes


def above(text: bytes, start: int, marks: tuple[bytes, ...], decoration: bytes = b"") -> bytes:
    """The run of line comments that ends directly above the line of `start`.

    A comment begins with one of `marks`; `decoration` are the characters that may follow the mark and say nothing.
    """
    lines: list[bytes] = []
    end = text.rfind(b"\n", 0, start)
    lowest = max(0, end - _FURTHEST)
    while end > lowest:
        begin = text.rfind(b"\n", 0, end) + 1
        line = text[begin:end].strip()
        mark = next((mark for mark in marks if line.startswith(mark)), None)
        if mark is None:
            break
        lines.append(_bare(line, mark, decoration))
        end = begin - 1
    return b"\n".join(_first_bare(lines[::-1], decoration)).strip()


def below(text: bytes, end: int, marks: tuple[bytes, ...], decoration: bytes = b"") -> bytes:
    """The line comments that begin behind a definition, on its last line or on the next ones."""
    lines: list[bytes] = []
    limit = min(len(text), end + _FURTHEST)
    while end < limit:
        stop = text.find(b"\n", end)
        stop = len(text) if stop < 0 else stop
        line = text[end:stop].lstrip(b" \t;,").rstrip()
        mark = next((mark for mark in marks if line.startswith(mark)), None)
        if mark is not None:
            lines.append(_bare(line, mark, decoration))
        elif lines or line:
            break
        elif lines == [] and text[:end].endswith(b"\n"):
            break  # an empty line
        end = stop + 1
    return b"\n".join(_first_bare(lines, decoration)).strip()


def block_above(text: bytes, start: int, opening: bytes, closing: bytes) -> bytes:
    """The block comment that ends directly above `start`."""
    before = text[max(0, start - _FURTHEST) : start].rstrip(b" \t\r")
    bare = before.rstrip()
    if not bare.endswith(closing) or before[len(bare) :].count(b"\n") > 1:
        return b""
    place = bare.rfind(opening)
    return b"" if place < 0 else _unboxed(bare[place + len(opening) : -len(closing)])


def block_below(text: bytes, end: int, opening: bytes, closing: bytes) -> bytes:
    """The block comment that begins behind a definition or on the line below it."""
    behind = text[end : end + _FURTHEST]
    bare = behind.lstrip(b" \t\r\n;,|")
    if not bare.startswith(opening) or behind[: len(behind) - len(bare)].count(b"\n") > 1:
        return b""
    place = bare.find(closing)
    return b"" if place < 0 else _unboxed(bare[len(opening) : place])


_BOX = re.compile(rb"^[ \t]*\*+[ \t]?", re.MULTILINE)


def _unboxed(prose: bytes) -> bytes:
    return _BOX.sub(b"", prose).strip(b"* \t\r\n")


def _bare(line: bytes, mark: bytes, decoration: bytes) -> bytes:
    """A line without the mark that it begins with, indented as it is behind one blank."""
    return line[len(mark) :].lstrip(decoration).removeprefix(b" ")


def _first_bare(lines: list[bytes], decoration: bytes) -> list[bytes]:
    """The lines of a comment, the first without the decoration that stands apart from its mark (`-- | …`)."""
    return [line.lstrip(decoration + b" \t") if place == 0 else line for place, line in enumerate(lines)]
