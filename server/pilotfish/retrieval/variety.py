"""A list of answers that says a thing once: parts of one definition and near-duplicates are joined, and no file fills
the list alone."""

from __future__ import annotations

import zlib
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

PAGE: Final = 10
"""So many answers are taken to be looked at together."""

MOST_OF_A_FILE: Final = 4
"""So many answers on a page are of one file, when there are any of others."""

_FACTOR: Final = np.uint64(0x9E3779B97F4A7C15)
_HALF: Final = np.uint64(32)
"""For hashes of rows modulo 2^64: an odd factor with bits everywhere (Knuth, The Art of Computer Programming 3, 6.4)
and half of their bits."""

Sketch = Sequence[int]
"""What is compared of a text."""


class Answer(NamedTuple):
    """One answer: the place of its candidate in the list that was given, and the lines that it shows, which are more
    than the candidate's own where parts were joined."""

    place: int
    line_start: int
    line_end: int


def sketch_of(text: str) -> Sketch:
    """Return the smallest hashes of a text's rows of terms, ascending; the text is given by its terms."""
    words = np.array([*map(zlib.crc32, text.encode().split())] or [0], np.uint64)
    rows = words[: len(words) - SHINGLE + 1] if len(words) >= SHINGLE else words[:1]
    for place in range(1, min(SHINGLE, len(words))):
        rows = rows * _FACTOR + words[place : place + len(rows)]
    rows = (rows ^ rows >> _HALF) * _FACTOR  # else the last term would say most
    return list(dict.fromkeys(np.sort(rows).tolist()))[:MOST_SHINGLES]


def varied(
    candidates: Sequence[Candidate], sketches: Sequence[Sketch | None], *, about_files: bool = False
) -> list[Answer]:
    """Return the answers in the order in which they are shown.

    Parts of one long definition that lie side by side are joined at the place of the first. Texts that are nearly those
    of an earlier answer are left out. Answers of a file beyond the first few of a page give way to those of other files
    and come on the next.

    Args:
        candidates: the ranked answers, best first.
        sketches: of their texts; None where these are not at hand.
        about_files: files are asked for, as by a wish for a change, rather than places in them: all are one page.

    """
    kept: list[Answer] = []
    holders: dict[tuple[str, str, str], int] = {}
    different = _Sketches()
    for place, (candidate, sketch) in enumerate(zip(candidates, sketches, strict=True)):
        definition = (candidate.path, candidate.scope, candidate.name)
        holder = holders.get(definition) if candidate.name else None
        if holder is not None and _are_parts(candidate, candidates[kept[holder].place]):
            joined = _joined(kept[holder], candidate)
            if joined is not None:
                kept[holder] = joined
                continue
        if sketch is not None and not different.take(sketch):
            continue
        holders.setdefault(definition, len(kept))
        kept.append(Answer(place, candidate.line_start, candidate.line_end))
    return _spread(kept, [candidates[answer.place].path for answer in kept], len(kept) if about_files else PAGE)


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


def _spread(answers: Sequence[Answer], paths: Sequence[str], size: int) -> list[Answer]:
    """Put each answer on the first page that has room for one more, and for one more of its file."""
    pages: list[list[Answer]] = []
    of_files: dict[str, tuple[int, int]] = {}  # the page that a file has come to, and how many it has there
    for answer, path in zip(answers, paths, strict=True):
        page, count = of_files.get(path, (0, 0))
        if count == MOST_OF_A_FILE:
            page, count = page + 1, 0
        while page < len(pages) and len(pages[page]) == size:
            page, count = page + 1, 0
        pages += [[] for _ in range(len(pages), page + 1)]
        pages[page].append(answer)
        of_files[path] = page, count + 1
    return [answer for page in pages for answer in page]


class _Sketches:
    """Sketches of which no two are alike.

    Those that are share their smallest common hash, before which neither has more hashes than it may have for itself.
    So only those are compared that share one of their first few (Chaudhuri et al. 2006, "A Primitive Operator for
    Similarity Joins in Data Cleaning").
    """

    def __init__(self) -> None:
        self._by_first: dict[int, list[frozenset[int]]] = {}

    def take(self, sketch: Sketch) -> bool:
        """Take a sketch in, unless it is like one of those before it: then return False."""
        whole = frozenset(sketch)
        firsts = sketch[: len(sketch) - ceil(ALIKE * len(sketch)) + 1]
        if any(_alike(whole, other) for first in firsts for other in self._by_first.get(first, ())):
            return False
        for first in firsts:
            self._by_first.setdefault(first, []).append(whole)
        return True


def _alike(one: frozenset[int], other: frozenset[int]) -> bool:
    return len(one & other) >= ALIKE * len(one | other)
