"""A list of answers that says a thing once: parts of one definition and near-duplicates are joined, and no file fills
the list alone."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Sequence
from typing import Final

from pilotfish.retrieval.candidates import Candidate
from pilotfish.syntax.terms import terms

ALIKE: Final = 0.9
"""Share of common neighbouring terms from which on two texts are near-duplicates (Broder 1997, "On the resemblance and
containment of documents")."""

SHINGLE: Final = 4
"""Terms in a row that are compared."""

MOST_SHINGLES: Final = 64
"""Of a text's rows of terms, those with the smallest hashes are compared: a sketch of it."""

MOST_OF_A_FILE: Final = 4
"""So many answers of one file come before those of others, when there are any."""


def varied(
    candidates: Sequence[Candidate], texts: Sequence[str | None], most_of_a_file: int = MOST_OF_A_FILE
) -> list[int]:
    """Return the places of answers in the order in which they are shown.

    Left out are later parts of a definition of which one was there, and texts that are nearly those of an earlier
    answer. Answers of a file beyond the first few come after those of other files, in their order.

    Args:
        candidates: the ranked answers, best first.
        texts: their texts; None where it is not at hand.
        most_of_a_file: how many of a file come in their own place.

    """
    kept: list[int] = []
    definitions: set[tuple[str, str, str]] = set()
    continued: set[tuple[str, str, str]] = set()
    sketches: list[frozenset[int]] = []
    for place, (candidate, text) in enumerate(zip(candidates, texts, strict=True)):
        definition = (candidate.path, candidate.scope, candidate.name)
        if candidate.name:
            if definition in (continued if candidate.name in candidate.names else definitions):
                continue
            definitions.add(definition)
            if candidate.name not in candidate.names:
                continued.add(definition)
        sketch = _sketch(text) if text else frozenset()
        if sketch and any(_alike(sketch, other) for other in sketches):
            continue
        sketches.append(sketch)
        kept.append(place)
    seen: Counter[str] = Counter()
    early: list[int] = []
    late: list[int] = []
    for place in kept:
        seen[candidates[place].path] += 1
        (early if seen[candidates[place].path] <= most_of_a_file else late).append(place)
    return early + late


def _sketch(text: str) -> frozenset[int]:
    words = terms(text).split()
    rows = {" ".join(words[place : place + SHINGLE]) for place in range(max(len(words) - SHINGLE + 1, 1))}
    return frozenset(sorted(zlib.crc32(row.encode()) for row in rows)[:MOST_SHINGLES])


def _alike(one: frozenset[int], other: frozenset[int]) -> bool:
    return bool(other) and len(one & other) >= ALIKE * len(one | other)
