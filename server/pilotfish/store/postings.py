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
from functools import lru_cache
from hashlib import blake2b
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

TERM_BYTES: Final = 5
TERM_BITS: Final = 8 * TERM_BYTES
"""Bits of a term's id, which is a hash: of a million terms two share one with a likelihood of one half. They are then
found together, which does no harm."""

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
_IN_TEXT: Final = tuple(count << _TEXT_SHIFT for count in range(_MOST_IN_TEXT + 1))
_NAMES_SHIFT: Final = 30
_MOST_IN_NAMES: Final = 3


class Postings(NamedTuple):
    """The terms of one file's chunks: the id of a term in eight bytes and its record in four, side by side; `chunks`
    counts the chunks, `length` all terms of their texts."""

    chunks: int
    length: int
    terms: bytes
    records: bytes


@lru_cache(maxsize=50_000)
def term_id(term: str) -> int:
    """Return the id of a term."""
    return int.from_bytes(blake2b(term.encode("utf-8", "surrogatepass"), digest_size=TERM_BYTES).digest(), "big")


def postings_of(bodies: Sequence[str], titles: Sequence[str]) -> Postings:
    """Count the terms of a file's chunks, at most `MOST_CHUNKS`: of their texts and of the names that they define, in
    words parted by spaces."""
    terms, records = array("q"), array("I")
    total = 0
    for place, (body, title) in enumerate(zip(bodies, titles, strict=True)):
        words = body.split()
        total += len(words)
        head = place << PLACE_SHIFT | bisect_left(_LIMITS, len(words)) << WEIGHT_SHIFT
        found = {term: head | _IN_TEXT[min(count, _MOST_IN_TEXT)] for term, count in Counter(words).items()}
        if title:
            for term, count in Counter(title.split()).items():
                found[term] = found.get(term, head) | min(count, _MOST_IN_NAMES) << _NAMES_SHIFT
        terms.extend(map(term_id, found))
        records.extend(found.values())
    return Postings(len(bodies), total, _little(terms), _little(records))


def path_postings(path_terms: str) -> Postings:
    """Return the same of the terms of a path, in words parted by spaces."""
    found = Counter(path_terms.split())
    head = PATH << PLACE_SHIFT
    records = array("I", [head | _IN_TEXT[min(count, _MOST_IN_TEXT)] for count in found.values()])
    return Postings(0, 0, _little(array("q", map(term_id, found))), _little(records))


def frequencies(weight: int) -> tuple[int, int, int]:
    """Return the length of the chunk, in terms, and how often its text and its names have the term, of the bits of a
    record above `WEIGHT_SHIFT`."""
    return LENGTHS[weight & 15], weight >> 4 & _MOST_IN_TEXT, weight >> 8


def _little(numbers: array[int]) -> bytes:
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers.tobytes()
