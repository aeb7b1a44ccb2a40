"""Some lines of a text in so many characters: from its beginning, or around the line that matters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

_BEFORE: Final = 2
"""Lines before the one that matters that are shown if there is room."""


def excerpt(lines: Sequence[str], limit: int, focus: int | None = None, *, counted: bool = True) -> str:
    """Return whole lines, at most `limit` characters, with a mark in the place of those that are left out.

    Args:
        lines: all lines, without their ends.
        limit: most characters of what is returned.
        focus: the line to be shown, counted from 0, where it does not matter that it is far from the first.
        counted: whether marks say how many lines they stand for.

    """
    whole = "\n".join(lines)
    if len(whole) <= limit:
        return whole
    kept = _fitting(lines, 0, limit - len(_mark(len(lines), counted)) - 1)
    if focus is None or focus < kept or focus >= len(lines):
        return "\n".join([*lines[:kept], _mark(len(lines) - kept, counted, after=bool(kept))]) if kept else ""
    head = lines[0] if len(lines[0]) <= limit // 3 else ""
    room = limit - 2 * (len(_mark(len(lines), counted)) + 1) - (len(head) + 1 if head else 0)
    first = focus
    around = len(lines[focus])
    while first > 1 and focus - first < _BEFORE and around + len(lines[first - 1]) + 1 <= room // 2:
        first -= 1
        around += len(lines[first]) + 1
    kept = _fitting(lines, first, room)
    if not kept:
        return excerpt(lines, limit, counted=counted)
    shown = [head] if head else []
    shown += [_mark(first - bool(head), counted, after=False), *lines[first : first + kept]]
    if left := len(lines) - first - kept:
        shown.append(_mark(left, counted))
    return "\n".join(shown)


def _fitting(lines: Sequence[str], first: int, room: int) -> int:
    """Return how many lines fit, from one on."""
    kept = 0
    while first + kept < len(lines) and room >= len(lines[first + kept]):
        room -= len(lines[first + kept]) + 1
        kept += 1
    return kept


def _mark(count: int, counted: bool, *, after: bool = True) -> str:
    if not counted:
        return "…"
    return f"… {count:,} {'more ' if after else ''}line{'s' * (count != 1)}"
