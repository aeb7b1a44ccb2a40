"""Places in a text that is a few key strokes older or newer than another: its outline may not be there yet.

What two versions of a text have in common at their start and at their end stands at known places in both, and what
lies between is what was typed. Pure.
"""

from __future__ import annotations

from pilotfish.operations.answer import Position, Span
from pilotfish.syntax.text import ColumnEncoding, LineTable


class Versions:
    """Two versions of one text: the one that a client speaks of, and the one that there is an outline of."""

    def __init__(self, sent: bytes, outlined: bytes) -> None:
        self._sent, self._outlined = sent, outlined
        self._head = _whole_characters(sent, outlined, _in_common(sent, outlined))
        self._tail = _in_common(sent[self._head :][::-1], outlined[self._head :][::-1])
        self._lines = LineTable.from_text(sent)

    def offset(self, line: int, character: int, encoding: ColumnEncoding) -> int:
        """Return where a line and column of the text that was sent lie in the one with the outline."""
        return self._carried(self._lines.offset(line, character, encoding), self._sent, self._outlined)

    def span(self, start: int, end: int) -> Span:
        """Return the stretch between two offsets of the text with the outline, as lines and columns of the other."""
        first, last = (self._lines.position(self._carried(each, self._outlined, self._sent)) for each in (start, end))
        return Span(Position(*first), Position(*last))

    def _carried(self, offset: int, text: bytes, other: bytes) -> int:
        """Return where an offset of `text` lies in `other`; what was typed there lies where it begins."""
        behind = len(text) - offset
        if behind <= self._tail:
            return len(other) - behind
        return min(offset, self._head)


def _in_common(text: bytes, other: bytes) -> int:
    """Return how many bytes two texts share at their start, in whole comparisons of halves rather than byte by byte."""
    same, different = 0, min(len(text), len(other)) + 1
    while different - same > 1:
        middle = (same + different) // 2
        if text[same:middle] == other[same:middle]:
            same = middle
        else:
            different = middle
    return same


def _whole_characters(text: bytes, other: bytes, head: int) -> int:
    """Return `head` without the bytes of a character that the two texts share in part."""
    while head and any(0x80 <= each[head] < 0xC0 for each in (text, other) if head < len(each)):
        head -= 1
    return head
