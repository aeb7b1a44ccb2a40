"""An answer of several sections in so many characters: what weighs more has room before the rest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pilotfish.mcp.text import count, shares


@dataclass(kw_only=True)
class Section:
    """Lines below a title. Sections of the same `weight` share what room there is, after those of a larger one;
    `is_source` where lines are what a file says, so that what is missing of it counts as lines; `is_indivisible` where
    a part of it is of no use."""

    lines: Sequence[str]
    title: str = ""
    weight: int = 1
    is_source: bool = False
    is_indivisible: bool = False


def packed(sections: Sequence[Section], room: int) -> list[str]:
    """Return the lines of sections in their order, at most `room` characters with their ends; a mark in each tells how
    many are missing."""
    granted = [0] * len(sections)
    for weight in sorted({section.weight for section in sections}, reverse=True):
        same = [number for number, section in enumerate(sections) if section.weight == weight]
        parts = shares([_size(sections[number]) for number in same], room)
        for number, part in zip(same, parts, strict=True):
            granted[number] = 0 if sections[number].is_indivisible and part < _size(sections[number]) else part
            room -= granted[number]
    return [
        line
        for section, part in zip(sections, granted, strict=True)
        if section.lines
        for line in _within(section, part)
    ]


def _size(section: Section) -> int:
    return sum(len(line) + 1 for line in _all(section)) if section.lines else 0


def _all(section: Section) -> list[str]:
    return [*_head(section), *section.lines]


def _head(section: Section) -> list[str]:
    return [f"-- {section.title}"] if section.title else []


def _within(section: Section, room: int) -> Iterator[str]:
    if _size(section) <= room:
        yield from _all(section)
        return
    if not room:
        return
    head = _head(section)
    left = room - sum(len(line) + 1 for line in head) - len(_more(section, len(section.lines))) - 1
    shown = 0
    while shown < len(section.lines) and len(section.lines[shown]) + 1 <= left:
        left -= len(section.lines[shown]) + 1
        shown += 1
    if shown:
        yield from (*head, *section.lines[:shown], _more(section, len(section.lines) - shown))


def _more(section: Section, number: int) -> str:
    return f"… {count(number, 'more line')}" if section.is_source else f"  … {number:,} more"
