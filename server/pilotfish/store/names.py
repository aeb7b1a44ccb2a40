"""The letters of every defined name in memory: finds names that hold the letters of a query in order, without SQL.

Built when first asked and then only added to, since a name's id never changes its meaning (`schema`). One byte a
character in matrices of few widths, and one bit per letter that occurs: some 40 bytes a name. The letters leave few
candidates; on those, one comparison per letter of the query yields a bit mask of its places, and the lowest bit beyond
the last place used is where the next letter may stand. numpy does all of it, without the interpreter's lock.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from pilotfish.store.matching import SEARCHED_CHARS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Bytes = NDArray[np.uint8]
    Words = NDArray[np.uint64]
    Ids = NDArray[np.int64]
    Test = Callable[[Bytes, Bytes], Ids]

WIDTHS: Final = (8, 16, 32, 64, 128)
"""Lengths of the rows that hold names, in characters."""

_WORD = 64
"""Names of so many characters have one bit for each in a number."""

_LOAD = 50_000
_MOST_BLOCKS = 32
_TESTED_AT_ONCE = 4_000


@dataclass(frozen=True, slots=True)
class _Block:
    """Names of similar length: their characters as bytes padded with zeros, the set of their letters, their ids."""

    width: int
    characters: Bytes
    letters: Words
    lengths: Bytes
    ids: Ids


class NameIndex:
    """All defined names of one catalog; shared by its readers."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._blocks: tuple[_Block, ...] = ()
        self._last_id = 0
        self._first_size = 0
        self._size = 0

    @property
    def memory_bytes(self) -> int:
        """How much memory the index takes, in bytes."""
        return sum(
            part.nbytes
            for block in self._blocks
            for part in (block.characters, block.letters, block.lengths, block.ids)
        )

    def refresh(self, connection: sqlite3.Connection) -> None:
        """Add the names that `connection` sees beyond those known; start anew when most of those known may be gone."""
        with self._lock:
            if self._size > 2 * self._first_size + _LOAD:
                self._blocks, self._last_id, self._size, self._first_size = (), 0, 0, 0
            first = self._last_id == 0
            cursor = connection.execute(
                "SELECT id, folded FROM names WHERE id > ? AND folded <> '' ORDER BY id", (self._last_id,)
            )
            while rows := cursor.fetchmany(_LOAD):
                self._add(rows)
            if first:
                self._blocks = tuple(_merged(self._blocks))
                self._first_size = self._size

    def _add(self, rows: Sequence[tuple[int, str]]) -> None:
        blocks = [*self._blocks, *_blocks_of(rows)]
        if len(blocks) > _MOST_BLOCKS:
            blocks = _merged(blocks)
        self._last_id = rows[-1][0]
        self._size += len(rows)
        self._blocks = tuple(blocks)

    def subsequence(self, wanted: str) -> Iterator[tuple[Ids, Ids]]:
        """Yield the ids of names that hold the characters of `wanted` (folded) in order, and how loosely each does
        (`matching.looseness`): part after part, the tightest first, and no two parts share a looseness. Characters
        beyond ASCII may stand for others: check the names."""
        return self._search(wanted, _in_order)

    def infix(self, wanted: str) -> Iterator[tuple[Ids, Ids]]:
        """Yield the same for names that hold `wanted`, of one or two characters, as a part."""
        return self._search(wanted, _side_by_side)

    def nearly(self, wanted: str, longest: int) -> Ids:
        """Return the ids of names of at most `longest` characters that hold those of `wanted` (folded, at most 64) in
        order, but for one at most (`matching.holds_nearly`), in no order. Check them as those of `subsequence`."""
        import numpy as np

        codes = _codes(wanted)
        need = np.bitwise_or.reduce(_letter_bits()[codes])
        found = [np.zeros(0, np.int64)]
        for block in self._blocks:
            missing = need & ~block.letters
            is_likely = (missing & (missing - np.uint64(1))) == 0
            is_likely &= (block.lengths >= len(codes) - 1) & (block.lengths <= longest)
            rows = np.flatnonzero(is_likely)
            if block.width <= _WORD:
                rows = rows[_nearly_in_order(block.characters[rows], codes)]
            found.append(block.ids[rows])
        return np.concatenate(found)

    def _search(self, wanted: str, test: Test) -> Iterator[tuple[Ids, Ids]]:
        import numpy as np

        codes = _codes(wanted)
        need = np.bitwise_or.reduce(_letter_bits()[codes])
        other_starts = []
        for width in WIDTHS:
            same, other = [], []
            for block in self._blocks:
                if block.width == width >= len(codes):
                    candidates = np.flatnonzero((block.letters & need) == need)
                    begins_so = block.characters[candidates, 0] == codes[0]
                    same.append((block, candidates[begins_so]))
                    other.append((block, candidates[~begins_so]))
            yield from _by_length(same, codes, test, 0)
            other_starts.append(other)
        for other in other_starts:
            yield from _by_length(other, codes, test, 2 * SEARCHED_CHARS)


def _by_length(
    candidates: Sequence[tuple[_Block, Ids]], codes: Bytes, test: Test, start: int
) -> Iterator[tuple[Ids, Ids]]:
    """Test names of blocks of one width, the shortest first, a few thousand at a time: mostly the first will do.

    Yields ids and looseness of those that pass; `start` is the looseness of how they begin.
    """
    import numpy as np

    ordered = []
    ends = np.zeros(1 + SEARCHED_CHARS, np.intp)
    for block, chosen in candidates:
        lengths = block.lengths[chosen]
        counts = np.bincount(lengths, minlength=1 + SEARCHED_CHARS).cumsum()
        ordered.append((block, chosen[np.argsort(lengths, kind="stable")], counts))
        ends += counts
    shortest = tested = 0
    while tested < ends[-1]:
        longest = max(shortest, int(np.searchsorted(ends, tested + _TESTED_AT_ONCE, "right")) - 1)
        ids, loose = [], []
        for block, rows, counts in ordered:
            part = rows[counts[shortest - 1] if shortest else 0 : counts[longest]]
            kept = part[test(block.characters[part], codes)]
            ids.append(block.ids[kept])
            loose.append(block.lengths[kept].astype(np.int64) + start)
        all_ids, all_loose = np.concatenate(ids), np.concatenate(loose)
        order = np.lexsort((all_ids, all_loose))
        yield all_ids[order], all_loose[order]
        shortest, tested = longest + 1, int(ends[longest])


def _in_order(characters: Bytes, codes: Bytes) -> Ids:
    """Return which rows hold all codes in order."""
    import numpy as np

    alive = np.arange(len(characters))
    width = characters.shape[1]
    if width > _WORD:
        return alive[_steps_in_order(characters, codes)]
    word = np.dtype(f"u{width // 8}")
    one = word.type(1)
    places = free = np.full(len(characters), np.iinfo(word).max, word)
    for code in codes:
        places = np.packbits(characters == code, bitorder="little").view(word) & free
        found = places != 0
        if np.count_nonzero(found) * 2 < len(places):
            alive, characters, places = alive[found], characters[found], places[found]
        free = _beyond_lowest(places, one)
    kept: Ids = alive[places != 0]
    return kept


def _nearly_in_order(characters: Bytes, codes: Bytes) -> NDArray[np.bool_]:
    """Return which rows hold all codes in order, but for one at most."""
    import numpy as np

    word = np.dtype(f"u{characters.shape[1] // 8}")
    one = word.type(1)
    whole_free = np.full(len(characters), np.iinfo(word).max, word)  # places for the next code where none was left out
    slipped_free = np.zeros_like(whole_free)  # and where one was
    whole, slipped = np.ones(len(characters), np.bool_), np.zeros(len(characters), np.bool_)
    for code in codes:
        places = np.packbits(characters == code, bitorder="little").view(word)
        skipped, skipped_free = whole, whole_free
        here, there = places & whole_free, places & slipped_free
        whole, whole_free = here != 0, _beyond_lowest(here, one)
        # The fewer characters are taken, the better: of two ways the one with more places left.
        slipped, slipped_free = (there != 0) | skipped, _beyond_lowest(there, one) | skipped_free
    return whole | slipped


def _beyond_lowest(places: NDArray[Any], one: Any) -> NDArray[Any]:
    """Return the bits above the lowest one that is set; none where none is."""
    lowest = places & (~places + one)
    beyond: NDArray[Any] = ~(lowest | (lowest - one))
    return beyond


def _steps_in_order(characters: Bytes, codes: Bytes) -> NDArray[np.bool_]:
    """Do the same for long names, of which there are few: walk along them, counting the codes met."""
    import numpy as np

    wanted = np.append(codes, np.uint8(0))
    met = np.zeros(len(characters), np.intp)
    for column in characters.T:
        met += (wanted[met] == column) & (met < len(codes))
    found: NDArray[np.bool_] = met == len(codes)
    return found


def _side_by_side(characters: Bytes, codes: Bytes) -> Ids:
    """Return which rows hold one code, or two next to each other."""
    import numpy as np

    places = characters == codes[0]
    if len(codes) > 1:
        places = places[:, :-1] & (characters[:, 1:] == codes[1])
    return np.flatnonzero(places.any(axis=1))


def _blocks_of(rows: Sequence[tuple[int, str]]) -> list[_Block]:
    import numpy as np

    ids = np.fromiter((row[0] for row in rows), np.int64, len(rows))
    lengths = np.fromiter((len(row[1]) for row in rows), np.intp, len(rows))
    codes = _codes("".join([row[1] for row in rows]))
    starts = np.concatenate(([0], np.cumsum(lengths)[:-1]))
    letters = np.bitwise_or.reduceat(_letter_bits()[codes], starts)
    sizes = np.searchsorted(WIDTHS, lengths)
    owners = np.repeat(sizes, lengths)
    blocks = []
    for size, width in enumerate(WIDTHS):
        chosen = sizes == size
        if not chosen.any():
            continue
        characters = np.zeros((int(chosen.sum()), width), np.uint8)
        characters[np.arange(width) < lengths[chosen, None]] = codes[owners == size]
        blocks.append(_Block(width, characters, letters[chosen], lengths[chosen].astype(np.uint8), ids[chosen]))
    return blocks


def _merged(blocks: Sequence[_Block]) -> list[_Block]:
    """Join the blocks of one width."""
    import numpy as np

    merged = []
    for width in WIDTHS:
        same = [block for block in blocks if block.width == width]
        if same:
            merged.append(
                _Block(
                    width,
                    np.concatenate([block.characters for block in same]),
                    np.concatenate([block.letters for block in same]),
                    np.concatenate([block.lengths for block in same]),
                    np.concatenate([block.ids for block in same]),
                )
            )
    return merged


def _codes(text: str) -> Bytes:
    """Return one byte a character; those beyond ASCII share 128 of them."""
    import numpy as np

    points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    return np.where(points < 128, points, points % 128 + 128).astype(np.uint8)


def _letter_bits() -> Words:
    """Return the bit of each byte in a set of letters: a letter or digit has its own, others share the rest."""
    import numpy as np

    plain = b"abcdefghijklmnopqrstuvwxyz0123456789_"
    bits = np.arange(256) % (64 - len(plain)) + len(plain)
    bits[np.frombuffer(plain, np.uint8)] = np.arange(len(plain))
    return np.uint64(1) << bits.astype(np.uint64)
