"""What a language model is given to work on a task: the code that was found, packed into a budget of tokens.

Whole definitions first, in the order of their worth; where the rest of the budget is too small for the next one, its
signature stands for it. What is shown is put in order by files, that with the best piece first, and in a file by lines,
so that a reader finds it as it is in the repository.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

import msgspec

from pilotfish.visible_text import as_name, fenced

DEFAULT_TOKENS: Final = 8_000
"""Size of the whole context where none is stated (`context.max_tokens`)."""

SHARE: Final = 0.40
"""Share of a stated context that retrieved code may take: the rest is for the task and the answer."""

_CHANGELOG: Final = re.compile(
    r"(?:^|/)(?:change-?logs?|changes|history|news|release[-_ ]?notes?|releases|what'?s[-_ ]?new)(?:[-_.\d]*)"
    r"(?:\.(?:md|rst|txt|adoc|markdown))?$"
    r"|(?:^|/)(?:changelog(?:s|\.d)?|news(?:fragments)?|release[-_]?notes|releases|whatsnew)/.*"
    r"(?:\.(?:md|rst|txt|adoc|markdown))$",
    re.IGNORECASE,
)
_OF_CHANGELOGS: Final = re.compile(
    r"\b(?:change\s?logs?|release\s(?:notes?|history)|what(?:'s|\sis)\snew|(?:which|what)\s(?:version|release)|release[ds]?)\b",
    re.IGNORECASE,
)

Counter = Callable[[str], int]
"""Counts the tokens of a text."""


class Piece(msgspec.Struct, frozen=True):
    """Code that may be shown: lines of a file, 1-based and inclusive, their text, and what stands for it when it does
    not fit (`signature`, "" for nothing)."""

    path: str
    line_start: int
    line_end: int
    text: str
    signature: str = ""
    language: str = ""


class Shown(msgspec.Struct, frozen=True):
    """A piece as it is shown: whole, or by its signature."""

    piece: Piece
    is_whole: bool


class Context(msgspec.Struct, frozen=True):
    """What fits: the pieces by files, the best first, and lines, the text that shows them and its tokens, and how many
    pieces are left out."""

    shown: tuple[Shown, ...]
    text: str
    tokens: int
    omitted: int


def budget_for(context_tokens: int, share: float = SHARE) -> int:
    """Return how many tokens retrieved code may take of a context of so many; never less than none."""
    return max(int(context_tokens * share), 0)


def is_changelog(path: str) -> bool:
    """Tell whether a file tells what changed from release to release, by its path: it has the words of most tasks, and
    nothing to work on."""
    return _CHANGELOG.search(path) is not None


def speaks_of_changelogs(task: str) -> bool:
    """Tell whether a task is about releases, so that their notes are to be read for it."""
    return _OF_CHANGELOGS.search(task) is not None


def pack(pieces: Sequence[Piece], budget: int, count: Counter) -> Context:
    """Pack pieces into a budget; the text never costs more than that by the counter given.

    A piece that lies within one that is shown already is passed over, and one takes the place of those within it.
    Where not even a signature fits, smaller pieces further down may.

    Args:
        pieces: the code found, most valuable first.
        budget: tokens that the text may cost.
        count: counts the tokens of a text.

    """
    shown: list[Shown] = []
    context = Context((), "", 0, 0)
    omitted = 0
    for piece in pieces:
        if any(_within(piece, other.piece) for other in shown if other.is_whole):
            continue
        for candidate in _ways(piece):
            if _least(candidate, count) > budget - context.tokens and context.shown:
                continue
            rest = [other for other in shown if not (candidate.is_whole and _within(other.piece, piece))]
            attempt = _context([*rest, candidate], count)
            if attempt.tokens <= budget:
                shown, context = [*rest, candidate], attempt
                break
        else:
            omitted += 1
    return msgspec.structs.replace(context, omitted=omitted)


def _ways(piece: Piece) -> list[Shown]:
    whole = Shown(piece, is_whole=True)
    return [whole, Shown(piece, is_whole=False)] if piece.signature else [whole]


def _least(shown: Shown, count: Counter) -> int:
    """Return what a piece adds at the least, so that most of what cannot fit is not written out: half of its own
    tokens, since counters may join what stands side by side."""
    return count(_body(shown)) // 2


def _within(piece: Piece, other: Piece) -> bool:
    return piece.path == other.path and other.line_start <= piece.line_start and piece.line_end <= other.line_end


def _context(shown: Sequence[Shown], count: Counter) -> Context:
    ranks: dict[str, int] = {}
    for item in shown:
        ranks.setdefault(item.piece.path, len(ranks))
    ordered = sorted(shown, key=lambda item: (ranks[item.piece.path], item.piece.line_start, item.piece.line_end))
    parts: list[str] = []
    path = ""
    for item in ordered:
        if item.piece.path != path:
            path = item.piece.path
            parts.append(f"## {as_name(path)}\n")
        parts.append(_written(item))
    text = "\n".join(parts)
    return Context(tuple(ordered), text, count(text) if text else 0, 0)


def _written(shown: Shown) -> str:
    piece = shown.piece
    lines = f"{piece.line_start}-{piece.line_end}" if piece.line_end > piece.line_start else f"{piece.line_start}"
    title = f"Lines {lines}:" if shown.is_whole else f"Lines {lines}, signature only:"
    return f"{title}\n{fenced(_body(shown), piece.language)}\n"


def _body(shown: Shown) -> str:
    return shown.piece.text.rstrip("\n") if shown.is_whole else shown.piece.signature
