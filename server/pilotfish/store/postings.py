"""Which chunk of a file holds which terms, and how often: records of four bytes, made by workers, kept by the catalog.

SQLite's own full text takes several hundred milliseconds for a question of forty words over a hundred thousand chunks:
it visits every chunk that has any of them. Records of a fixed size are read and added up as whole arrays instead.

A record, from the lowest bit: 8 bits for the file's place in its block, 14 for the chunk's place in the file, 4 for how
long the chunk is, 4 for how often its text has the term, 2 for how often the names do that it defines; all counts end
at what their bits hold. The place `PATH` stands for the file's path, which belongs to all its chunks.
"""

from __future__ import annotations

import sys
from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

FILE_BITS: Final = 8
FILES: Final = 1 << FILE_BITS
"""Files of one block: those whose ids differ in the lowest bits only."""

PLACE_SHIFT: Final = 8
PATH: Final = (1 << 14) - 1
MOST_CHUNKS: Final = PATH
"""Chunks of one file that the catalog keeps."""

WEIGHT_SHIFT: Final = 22
"""Above it a record says how much it weighs, whichever chunk it is about."""

LENGTHS: Final = tuple(round(8 * 1.4**step) for step in range(16))
"""What the lengths of chunks are rounded to, in terms."""

_LIMITS: Final = tuple(round((low * high) ** 0.5) for low, high in pairwise(LENGTHS))
_TEXT_SHIFT: Final = 26
_MOST_IN_TEXT: Final = 15
_NAMES_SHIFT: Final = 30
_MOST_IN_NAMES: Final = 3


class Postings(NamedTuple):
    """The terms of one file's chunks: of each term how many records it has, and the records of all, one term's behind
    the other's. `chunks` counts the chunks, `length` all terms of their texts."""

    chunks: int
    length: int
    terms: Sequence[str]
    counts: Sequence[int]
    records: bytes


def postings_of(bodies: Sequence[str], titles: Sequence[str]) -> Postings:
    """Count the terms of a file's chunks, at most `MOST_CHUNKS`: of their texts and of the names that they define, in
    words parted by spaces."""
    found: dict[str, list[int]] = {}
    total = 0
    for place, (body, title) in enumerate(zip(bodies, titles, strict=True)):
        words = body.split()
        total += len(words)
        head = place << PLACE_SHIFT | bisect_left(_LIMITS, len(words)) << WEIGHT_SHIFT
        in_names = {term: min(count, _MOST_IN_NAMES) << _NAMES_SHIFT for term, count in Counter(title.split()).items()}
        for term, count in Counter(words).items():
            record = head | (count if count < _MOST_IN_TEXT else _MOST_IN_TEXT) << _TEXT_SHIFT
            found.setdefault(term, []).append(record | in_names.pop(term, 0) if in_names else record)
        for term, count in in_names.items():
            found.setdefault(term, []).append(head | count)
    terms = sorted(found)
    records = array("I")
    for term in terms:
        records.extend(found[term])
    return Postings(len(bodies), total, terms, [len(found[term]) for term in terms], _little(records))


def path_records(terms: Iterable[str], place: int) -> dict[str, bytes]:
    """Return the records of a path, given the terms in it, for the file at a place in its block."""
    head = place | PATH << PLACE_SHIFT
    return {
        term: (head | min(count, _MOST_IN_TEXT) << _TEXT_SHIFT).to_bytes(4, "little")
        for term, count in Counter(terms).items()
    }


def frequencies(weight: int) -> tuple[int, int, int]:
    """Return the length of the chunk, in terms, and how often its text and its names have the term, of the bits of a
    record above `WEIGHT_SHIFT`."""
    return LENGTHS[weight & 15], weight >> 4 & _MOST_IN_TEXT, weight >> 8


def _little(records: array[int]) -> bytes:
    if sys.byteorder == "big":
        records.byteswap()
    return records.tobytes()
