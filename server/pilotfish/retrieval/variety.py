"""A list of answers that says a thing once: parts of one definition and near-duplicates are joined, and no file fills
the list alone."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Sequence
from math import ceil
from typing import Final, NamedTuple

import numpy as np

from pilotfish.retrieval.candidates import Candidate

ALIKE: Final = 0.9
"""Share of common neighbouring terms from which on two texts are near-duplicates (Broder 1997, "On the resemblance and
containment of documents")."""

SHINGLE: Final = 4
"""Terms in a row that are compared."""

MOST_SHINGLES: Final = 64
"""Of a text's rows of terms, those with the smallest hashes are compared: a sketch of it."""

MOST_LINES: Final = 150
"""An answer that was joined has no more lines."""

MOST_BETWEEN: Final = 2
"""So many lines may lie between two parts: blank ones, which belong to neither."""

MOST_OF_A_FILE: Final = 4
"""So many answers of one file come before those of others, when there are any."""

_FACTOR: Final = np.uint64(0x9E3779B97F4A7C15)
_HALF: Final = np.uint64(32)
"""For hashes of rows modulo 2^64: an odd factor with bits everywhere (Knuth, The Art of Computer Programming 3, 6.4)
and half of their bits."""


class Answer(NamedTuple):
    """One answer: the place of its candidate in the list that was given, and the lines that it shows, which are more
    than the candidate's own where parts were joined."""

    place: int
    line_start: int
    line_end: int


def varied(
    candidates: Sequence[Candidate], texts: Sequence[str | None], most_of_a_file: int = MOST_OF_A_FILE
) -> list[Answer]:
    """Return the answers in the order in which they are shown.

    Parts of one long definition that lie side by side are joined at the place of the first. Texts that are nearly those
    of an earlier answer are left out. Answers of a file beyond the first few come after those of other files, in their
    order.

    Args:
        candidates: the ranked answers, best first.
        texts: the terms of their texts (`syntax.terms`); None where they are not at hand.
        most_of_a_file: how many of a file come in their own place.

    """
    kept: list[Answer] = []
    holders: dict[tuple[str, str, str], int] = {}
    sketches = _Sketches()
    for place, (candidate, of_text) in enumerate(zip(candidates, texts, strict=True)):
        definition = (candidate.path, candidate.scope, candidate.name)
        holder = holders.get(definition) if candidate.name else None
        if holder is not None and _are_parts(candidate, candidates[kept[holder].place]):
            joined = _joined(kept[holder], candidate)
            if joined is not None:
                kept[holder] = joined
                continue
        if of_text is not None and not sketches.take(_sketch(of_text)):
            continue
        holders.setdefault(definition, len(kept))
        kept.append(Answer(place, candidate.line_start, candidate.line_end))
    return _spread(kept, [candidates[answer.place].path for answer in kept], most_of_a_file)


def _are_parts(one: Candidate, other: Candidate) -> bool:
    """Tell whether one of two chunks about the same name continues a definition; overloads begin two."""
    return one.name not in one.names or other.name not in other.names


def _joined(answer: Answer, part: Candidate) -> Answer | None:
    """Return an answer with a part that lies beside it, or None where it does not or would make too much of it."""
    first, last = min(answer.line_start, part.line_start), max(answer.line_end, part.line_end)
    lines = answer.line_end - answer.line_start + part.line_end - part.line_start + 2
    if last - first + 1 > min(lines + MOST_BETWEEN, MOST_LINES):
        return None
    return Answer(answer.place, first, last)


def _spread(answers: Sequence[Answer], paths: Sequence[str], most_of_a_file: int) -> list[Answer]:
    seen: Counter[str] = Counter()
    early: list[Answer] = []
    late: list[Answer] = []
    for answer, path in zip(answers, paths, strict=True):
        seen[path] += 1
        (early if seen[path] <= most_of_a_file else late).append(answer)
    return early + late


class _Sketches:
    """Sketches of which no two are alike.

    Those that are share their smallest common hash, before which neither has more hashes than it may have for itself.
    So only those are compared that share one of their first few (Chaudhuri et al. 2006, "A Primitive Operator for
    Similarity Joins in Data Cleaning").
    """

    def __init__(self) -> None:
        self._by_first: dict[int, list[frozenset[int]]] = {}

    def take(self, sketch: Sequence[int]) -> bool:
        """Take a sketch in, unless it is like one of those before it: then return False."""
        whole = frozenset(sketch)
        firsts = sketch[: len(sketch) - ceil(ALIKE * len(sketch)) + 1]
        if any(_alike(whole, other) for first in firsts for other in self._by_first.get(first, ())):
            return False
        for first in firsts:
            self._by_first.setdefault(first, []).append(whole)
        return True


def _sketch(text: str) -> list[int]:
    """Return the smallest hashes of a text's rows of terms, ascending."""
    words = np.array([*map(zlib.crc32, text.encode().split())] or [0], np.uint64)
    rows = words[: len(words) - SHINGLE + 1] if len(words) >= SHINGLE else words[:1]
    for place in range(1, min(SHINGLE, len(words))):
        rows = rows * _FACTOR + words[place : place + len(rows)]
    rows = (rows ^ rows >> _HALF) * _FACTOR  # else the last term would say most
    return sorted(set(rows.tolist()))[:MOST_SHINGLES]  # a tenth of what `unique` takes for a few hundred


def _alike(one: frozenset[int], other: frozenset[int]) -> bool:
    return len(one & other) >= ALIKE * len(one | other)
