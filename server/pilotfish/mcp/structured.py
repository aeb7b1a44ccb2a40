"""The structured form of an answer within its budget: long texts are cut first, then lists, and a note says so."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from pilotfish.graph.tokens import CHARACTERS_A_TOKEN
from pilotfish.visible_text import visible

_ROOMS: Final = (1_000, 500, 250, 120, 60)
"""Characters that each long text of a list's entries is cut to, one after the other, until all of it fits."""

_KEPT: Final = frozenset(("outcome", "index", "note"))


def within(answer: dict[str, Any], max_tokens: int) -> dict[str, Any]:
    """Return an answer, as `schemas.plain` gives it, cut to `max_tokens` tokens of JSON, four characters each."""
    answer = _visible(answer)
    room = max_tokens * CHARACTERS_A_TOKEN
    if _size(answer) <= room:
        return answer
    cut = answer
    for characters in _ROOMS:
        cut = {
            name: _shortened(value, characters) if isinstance(value, list) else value for name, value in answer.items()
        }
        if _size(_with_note(cut, answer)) <= room:
            return _with_note(cut, answer)
    return _with_fewer(cut, answer, room)


def _with_fewer(cut: dict[str, Any], answer: dict[str, Any], room: int) -> dict[str, Any]:
    """Take entries from the ends of the longest lists, then the ends of texts, until it fits."""
    while _size(_with_note(cut, answer)) > room:
        excess = _size(_with_note(cut, answer)) - room
        sizes = {
            name: _size(value) for name, value in cut.items() if name not in _KEPT and isinstance(value, list | str)
        }
        name = max(sizes, key=sizes.__getitem__, default=None)
        if name is None or sizes[name] <= len('""'):
            break
        value = cut[name]
        if isinstance(value, str):
            cut = cut | {name: value[: max(len(value) - excess, 0)]}
            continue
        kept = len(value)
        while kept and excess > 0:
            kept -= 1
            excess -= _size(value[kept]) + 1
        cut = cut | {name: value[:kept]}
    return _with_note(cut, answer)


def _with_note(cut: dict[str, Any], answer: dict[str, Any]) -> dict[str, Any]:
    fewer = [
        f"{len(cut[name]):,} of {len(value):,} {name}"
        for name, value in answer.items()
        if isinstance(value, list) and len(cut[name]) < len(value)
    ]
    what = f"{', '.join(fewer)} fit" if fewer else "texts are cut"
    return cut | {"note": f"{what}; send a larger max_tokens for the rest"}


def _shortened(value: Any, characters: int) -> Any:
    if isinstance(value, str) and len(value) > characters:
        return value[: max(value.rfind("\n", 0, characters), characters // 2)] + "…"
    if isinstance(value, list):
        return [_shortened(item, characters) for item in value]
    if isinstance(value, dict):
        return {name: _shortened(item, characters) for name, item in value.items()}
    return value


def _visible(value: Any) -> Any:
    """Take out what a reader does not see, as in the text."""
    if isinstance(value, str):
        return visible(value)
    if isinstance(value, list):
        return [_visible(item) for item in value]
    if isinstance(value, dict):
        return {visible(name): _visible(item) for name, item in value.items()}
    return value


def _size(value: Any) -> int:
    """Characters of a value as JSON."""
    return len(msgspec.json.encode(value).decode())
