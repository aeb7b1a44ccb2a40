"""The structured form of an answer within its budget: long texts are cut first, then lists, and a note says so."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import msgspec

from pilotfish.graph.calls import shallowest
from pilotfish.graph.tokens import CHARACTERS_A_TOKEN
from pilotfish.mcp.text import shares
from pilotfish.visible_text import visible

_ROOMS: Final = (1_000, 500, 250, 120, 60)
"""Characters that each long text of a list's entries is cut to, one after the other, until all of it fits."""

_KEPT: Final = frozenset(("outcome", "index", "note"))


def within(answer: dict[str, Any], max_tokens: int, *, yields: Sequence[str] = ()) -> dict[str, Any]:
    """Return an answer, as `schemas.plain` gives it, cut to `max_tokens` tokens of JSON, four characters each; the
    lists that `yields` names lose their entries first."""
    answer = _visible(answer)
    room = max_tokens * CHARACTERS_A_TOKEN
    if _size(answer) <= room:
        return answer
    cut = _without(answer, yields, room)
    if _size(cut) <= room:
        return cut
    for characters in _ROOMS:
        shortened = {
            name: _shortened(value, characters) if isinstance(value, list) else value for name, value in cut.items()
        }
        if _size(_with_note(shortened, answer)) <= room:
            return _with_note(shortened, answer)
    return _with_fewer(shortened, answer, room)


def _without(answer: dict[str, Any], yields: Sequence[str], room: int) -> dict[str, Any]:
    """Take entries from the ends of some lists, one list after the other, until it fits."""
    cut = answer
    for name in yields:
        kept = len(cut.get(name, ()))
        while kept and _size(_with_note(cut, answer)) > room:
            kept -= 1
            cut = cut | {name: cut[name][:kept]}
    return cut if cut is answer else _with_note(cut, answer)


def _with_fewer(cut: dict[str, Any], answer: dict[str, Any], room: int) -> dict[str, Any]:
    """Give lists and texts the same room each, small ones what they need, and cut their ends to it."""
    contents = {name: value for name, value in cut.items() if name not in _KEPT and isinstance(value, list | str)}
    left = room - (_size(_with_note(cut, answer)) - sum(map(_size, contents.values())))
    while True:
        fewer = cut | _parts(contents, left)
        excess = _size(_with_note(fewer, answer)) - room
        if excess <= 0 or left <= 0:
            return _with_note(fewer, answer)
        left -= excess


def _parts(contents: dict[str, Any], room: int) -> dict[str, Any]:
    """Cut lists and texts to equal shares; what whole entries leave of theirs goes to texts, then to other lists."""
    granted = shares([_size(value) for value in contents.values()], room)
    parts = {name: _part(value, part) for (name, value), part in zip(contents.items(), granted, strict=True)}
    left = room - sum(map(_size, parts.values()))
    for name in sorted(contents, key=lambda each: not isinstance(contents[each], str)):
        wider = _part(contents[name], _size(parts[name]) + max(left, 0))
        left -= _size(wider) - _size(parts[name])
        parts[name] = wider
    return parts


def _part(value: Any, room: int) -> Any:
    """Return the beginning of a list or a text in so many characters of JSON; of the steps of a tree the upper ones."""
    if _size(value) <= room:
        return value
    if isinstance(value, str):
        kept = value[: max(room - len('"…"'), 0)]
        while kept and _size(kept) > room - len("…"):
            kept = kept[: len(kept) - max((_size(kept) - room) // 2, 1)]
        return kept[: kept.rfind("\n") + 1 or None] + "…" if kept else ""
    costs = [_size(item) + 1 for item in value]
    if all(isinstance(item, dict) and "depth" in item for item in value):
        marks = len('"cut":true,')
        kept_ones, cut = shallowest([item["depth"] for item in value], [each + marks for each in costs], room - 2)
        return [value[each] | {"cut": True} if each in cut else value[each] for each in kept_ones]
    left = room - 2
    for number, each in enumerate(costs):
        left -= each
        if left < 0:
            return value[:number]
    return value


def _with_note(cut: dict[str, Any], answer: dict[str, Any]) -> dict[str, Any]:
    fewer = [
        f"{len(cut[name]):,} of {len(value):,} {name}"
        for name, value in answer.items()
        if isinstance(value, list) and len(cut[name]) < len(value)
    ]
    what = f"{', '.join(fewer)} fit" if fewer else "texts are cut"
    flags = {f"{name}_truncated" for name, value in answer.items() if cut[name] != value} | {"truncated"}
    said = {name: True for name in flags if name in answer and (fewer or name != "truncated")}
    return cut | said | {"note": f"{what}; send a larger max_tokens for the rest"}


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
