"""What to say where no file is at the path that was asked for: paths that are nearly the same."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from typing import TYPE_CHECKING, Final

from pilotfish.engine.near_names import listed

if TYPE_CHECKING:
    from pilotfish.engine.passages import Sources

MOST: Final = 3
"""Paths that are proposed."""

_LIKE_ENOUGH: Final = 0.8
"""From this share of common letters on a file's name may be what was meant."""

_LONGEST: Final = 200
"""Characters of a path that are looked at, and repeated."""


def advice(sources: Sources, asked: str) -> str:
    """Say in one line that no file is indexed at a path, and which may be meant."""
    return f"{asked[:_LONGEST]} is {why_none(sources, asked)}"


def why_none(sources: Sources, asked: str) -> str:
    """Say the same of a path that is named already."""
    known = [path for path, _ in sources.paths()]
    if asked in known:
        return "in the index, but has nothing there to show."
    if near := near_paths(known, asked[:_LONGEST]):
        return f"not in the index; did you mean {listed(near)}?"
    return "not in the index: ignored, left out, or not there."


def near_paths(paths: Iterable[str], asked: str) -> list[str]:
    """Return the paths that may be meant, the likeliest first: those that end like the one asked for, those of files
    with its name, or with nearly its name."""
    parts = [part for part in asked.replace("\\", "/").casefold().split("/") if part not in ("", ".", "..")]
    if not parts:
        return []
    named: dict[str, list[str]] = {}
    for path in paths:
        named.setdefault(path.rpartition("/")[2].casefold(), []).append(path)
    names = [parts[-1]] if parts[-1] in named else get_close_matches(parts[-1], named, MOST, _LIKE_ENOUGH)
    found = [path for name in names for path in named[name]]
    return sorted(found, key=lambda path: -_common_end(path, parts))[:MOST]


def _common_end(path: str, parts: list[str]) -> int:
    """Return how many parts from the end on two paths have in common."""
    own = path.casefold().split("/")
    common = 0
    while common < min(len(own), len(parts)) and own[-1 - common] == parts[-1 - common]:
        common += 1
    return common
