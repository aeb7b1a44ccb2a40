"""Where in a passage the words of a question stand: the line to show, and the definition to call the passage by.

A chunk may hold the end of a class and two functions, and the words asked for in the last of them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from pilotfish.engine.passages import Enclosing, Passage, Sources
from pilotfish.syntax.terms import terms

if TYPE_CHECKING:
    from pilotfish.engine.view import View

_AROUND: Final = 0.5
"""What a line next to one counts for it."""


def focused(view: View, sources: Sources, passage: Passage, asked: Collection[str]) -> Passage:
    """Return a passage with the line that has most of the terms `asked` for, called by the definition in it that has
    most of them; as it is where it is one definition already, or has none of them."""
    if passage.ordinal >= 0 or not asked:
        return passage
    scores = line_scores(sources.lines(passage.path, passage.line_start, passage.line_end), asked)
    if not any(scores):
        return passage
    best = best_line(scores)
    return replace(_called(view, passage, scores), match_line=passage.line_start + best)


def line_scores(lines: Sequence[str], asked: Collection[str]) -> list[float]:
    """Return what each line has of the terms asked for. Each term counts one in all, shared by the lines that have it,
    so that what is said once tells more than what is said everywhere."""
    wanted = frozenset(asked)
    found = [wanted.intersection(terms(line).split()) for line in lines]
    counts = Counter(term for of_line in found for term in of_line)
    return [sum(1 / counts[term] for term in of_line) for of_line in found]


def best_line(scores: Sequence[float]) -> int:
    """Return the line with the highest score, those next to it counted in part; the first of several."""
    padded = [0.0, *scores, 0.0]
    sums = [score and score + _AROUND * (padded[place] + padded[place + 2]) for place, score in enumerate(scores)]
    return max(range(len(sums)), key=lambda place: (sums[place], -place))


def _called(view: View, passage: Passage, scores: Sequence[float]) -> Passage:
    """Call a passage by that of its definitions whose lines have most."""
    file = view.file(passage.path)
    if file is None or file.language is None:
        return passage
    enclosing = Enclosing(file)
    of_definitions: dict[int, float] = defaultdict(float)
    for place, score in enumerate(scores):
        if score:
            line = passage.line_start - 1 + place
            if (ordinal := enclosing.telling_on(*file.lines.line_bounds(line))) >= 0:
                of_definitions[ordinal] += score
    inside = {
        ordinal: score
        for ordinal, score in of_definitions.items()
        if passage.line_start <= file.lines.line_of(enclosing.bounds(ordinal)[0]) + 1 <= passage.line_end
    }
    if not inside:
        return passage
    name, kind, parent = enclosing.describe(max(inside, key=lambda ordinal: (inside[ordinal], -ordinal)))
    return replace(passage, name=name, kind=kind, parent=parent)
