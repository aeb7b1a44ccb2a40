"""The full text of the chunks, as one transaction changes it.

Records (`postings`) lie in rows by block and term, a block being the chunks of 256 files: a fresh index appends block
after block, an edit changes rows that lie side by side, and a question reads a few dozen rows for each of its terms. To
take a file out, the rows of its block are searched for its records: nothing has to remember which terms it had, so that
no ghost stays behind, whatever made them.
"""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from pilotfish.store.postings import (
    FILE_BITS,
    FILES,
    PATH,
    PLACE_SHIFT,
    TERM_BITS,
    WEIGHT_SHIFT,
    Postings,
    path_postings,
)
from pilotfish.syntax.terms import terms as terms_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Terms = NDArray[np.int64]
    Records = NDArray[np.uint32]

_FEW_FILES: Final = 4
_FEW_TERMS: Final = 4_000
"""Up to so many files and terms of a block it is faster to ask for the rows that they touch than to read all."""

_Rows = list[tuple[int, bytes]]


class _Part(NamedTuple):
    """Terms and records side by side."""

    terms: Terms
    records: Records


class FullText:
    """The rows of `chunk_terms` and `chunk_blocks`; used by the one writer, within its transactions."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self.abandon()

    def abandon(self) -> None:
        """Forget the transaction that was rolled back."""
        self._entered: dict[int, tuple[Postings, str]] = {}
        self._withdrawn: set[int] = set()
        self._moved: dict[int, tuple[str, str]] = {}

    def enter(self, file_id: int, path: str, postings: Postings) -> None:
        """Bring in the chunks of a file."""
        self._entered[file_id] = (postings, path)

    def withdraw(self, file_id: int) -> None:
        """Take out the chunks of a file, or undo that they came in within this transaction."""
        self._entered.pop(file_id, None)
        self._moved.pop(file_id, None)
        self._withdrawn.add(file_id)

    def move(self, file_id: int, old: str, new: str) -> None:
        """Change the path that the chunks of a file are found by."""
        first, _ = self._moved.get(file_id, (old, new))
        self._moved[file_id] = (first, new)

    def postings(self, file_id: int) -> Postings:
        """Return what `enter` was given for a file that has chunks, as it stands in the database."""
        import numpy as np

        block, place = divmod(file_id, FILES)
        terms, records = _taken_apart(self._rows_with(block, [place]))
        own = ((records & (FILES - 1)) == place) & ((records >> PLACE_SHIFT & PATH) != PATH)
        terms, records = terms[own] & ((1 << TERM_BITS) - 1), records[own] & ~np.uint32(FILES - 1)
        sizes, lengths = self._sizes(block)
        return Postings(int(sizes[place]), int(lengths[place]), terms.tobytes(), records.tobytes())

    def balance(self) -> None:
        """Write the difference."""
        by_block: defaultdict[int, list[int]] = defaultdict(list)
        for file_id in sorted(self._entered.keys() | self._withdrawn | self._moved.keys()):
            by_block[file_id >> FILE_BITS].append(file_id)
        for block, file_ids in by_block.items():
            self._write(block, file_ids)
        self.abandon()

    # --- one block ---------------------------------------------------------------------------------------------------

    def _write(self, block: int, file_ids: Sequence[int]) -> None:
        """Change the rows of a block; those that come out as they were are not written."""
        import numpy as np

        added = self._added(file_ids)
        lost = [file_id % FILES for file_id in file_ids if file_id in self._withdrawn]
        moved = [file_id % FILES for file_id in file_ids if file_id in self._moved]
        rows: _Rows = []
        is_whole = True
        if self._has(block):
            touched = np.unique(np.concatenate((added.terms, self._old_paths(file_ids))))
            is_whole = len(lost) > _FEW_FILES or len(touched) > _FEW_TERMS
            rows = self._all(block) if is_whole else self._touched(block, lost, touched)
        old = _taken_apart(rows)
        stays = ~_is_gone(old.records, lost, moved)
        terms = np.concatenate((old.terms[stays], added.terms))
        new = _put_together(terms, np.concatenate((old.records[stays], added.records)))
        self._replace(block, dict(rows), new, is_whole=is_whole)
        self._write_sizes(block, file_ids)

    def _replace(self, block: int, old: dict[int, bytes], new: _Rows, *, is_whole: bool) -> None:
        """Write the difference between rows, or, where most differ and there are no others, all of them in order."""
        changed = [row for row in new if old.get(row[0]) != row[1]] if old else new
        if is_whole and old and 2 * len(changed) > len(new):
            self._connection.execute("DELETE FROM chunk_terms WHERE id >= ? AND id < ?", _bounds(block))
            changed = new
        else:
            empty = old.keys() - {term for term, _ in new}
            self._connection.executemany("DELETE FROM chunk_terms WHERE id = ?", [(term,) for term in sorted(empty)])
        self._connection.executemany("INSERT OR REPLACE INTO chunk_terms VALUES (?, ?)", changed)

    def _added(self, file_ids: Sequence[int]) -> _Part:
        """Return the new records of these files."""
        parts = []
        for file_id in file_ids:
            path = None
            if file_id in self._entered:
                postings, path = self._entered[file_id]
                parts.append(_part(postings, file_id))
            elif file_id in self._moved:
                _, path = self._moved[file_id]
            if path is not None:
                parts.append(_part(path_postings(terms_of(path)), file_id))
        return _joined(parts)

    def _old_paths(self, file_ids: Sequence[int]) -> Terms:
        """Return the terms of the paths that files had before they were moved."""
        moved = [file_id for file_id in file_ids if file_id in self._moved]
        return _joined([_part(path_postings(terms_of(self._moved[each][0])), each) for each in moved]).terms

    def _touched(self, block: int, lost: Sequence[int], terms: Terms) -> _Rows:
        """Return the rows of a block that may hold records of some files, and those of some terms."""
        found = dict(self._rows_with(block, lost)) if lost else {}
        rows = self._connection.execute(
            "SELECT t.id, t.records FROM json_each(?) j CROSS JOIN chunk_terms t ON t.id = j.value",
            (msgspec.json.encode([term for term in terms.tolist() if term not in found]).decode(),),
        )
        found.update(rows.fetchall())
        return sorted(found.items())

    def _all(self, block: int) -> _Rows:
        return self._connection.execute(
            "SELECT id, records FROM chunk_terms WHERE id >= ? AND id < ? ORDER BY id", _bounds(block)
        ).fetchall()

    def _rows_with(self, block: int, places: Sequence[int]) -> _Rows:
        """Return the rows of a block that may hold records of some files: those in which their bytes occur."""
        having = " OR ".join(["instr(records, ?)"] * len(places))
        return self._connection.execute(
            f"SELECT id, records FROM chunk_terms WHERE id >= ? AND id < ? AND ({having}) ORDER BY id",
            (*_bounds(block), *(bytes((place,)) for place in places)),
        ).fetchall()

    # --- how large files are -----------------------------------------------------------------------------------------

    def _has(self, block: int) -> bool:
        found = self._connection.execute("SELECT 1 FROM chunk_blocks WHERE block = ?", (block,)).fetchone()
        return found is not None

    def _sizes(self, block: int) -> tuple[NDArray[np.uint16], NDArray[np.uint32]]:
        """Return the number of chunks and of terms of each file of a block."""
        import numpy as np

        row = self._connection.execute("SELECT sizes, lengths FROM chunk_blocks WHERE block = ?", (block,)).fetchone()
        if row is None:
            return np.zeros(FILES, "<u2"), np.zeros(FILES, "<u4")
        return np.frombuffer(row[0], "<u2").copy(), np.frombuffer(row[1], "<u4").copy()

    def _write_sizes(self, block: int, file_ids: Sequence[int]) -> None:
        sizes, lengths = self._sizes(block)
        for file_id in file_ids:
            if file_id in self._entered:
                postings = self._entered[file_id][0]
                sizes[file_id % FILES], lengths[file_id % FILES] = postings.chunks, postings.length
            elif file_id in self._withdrawn:
                sizes[file_id % FILES] = lengths[file_id % FILES] = 0
        if sizes.any():
            self._connection.execute(
                "INSERT OR REPLACE INTO chunk_blocks VALUES (?, ?, ?)", (block, sizes.tobytes(), lengths.tobytes())
            )
        else:
            self._connection.execute("DELETE FROM chunk_blocks WHERE block = ?", (block,))


def _bounds(block: int) -> tuple[int, int]:
    return block << TERM_BITS, (block + 1) << TERM_BITS


def _part(postings: Postings, file_id: int) -> _Part:
    """Return the records of a file with its place in its block, beside the ids of their rows."""
    import numpy as np

    block, place = divmod(file_id, FILES)
    records = np.frombuffer(postings.records, "<u4") | np.uint32(place)
    return _Part(np.frombuffer(postings.terms, "<i8") | block << TERM_BITS, records)


def _joined(parts: Sequence[_Part]) -> _Part:
    import numpy as np

    terms = np.concatenate([np.empty(0, np.int64), *(part.terms for part in parts)])
    return _Part(terms, np.concatenate([np.empty(0, np.uint32), *(part.records for part in parts)]))


def _taken_apart(rows: _Rows) -> _Part:
    """Return the records of rows, and beside them the ids of the rows."""
    import numpy as np

    records = np.frombuffer(b"".join([row for _, row in rows]), "<u4")
    counts = [len(row) // records.itemsize for _, row in rows]
    return _Part(np.repeat(np.array([term for term, _ in rows], np.int64), counts), records)


def _put_together(terms: Terms, records: Records) -> _Rows:
    """Return rows by id, their records by file and chunk."""
    import numpy as np

    if not len(terms):
        return []
    places = (records & (FILES - 1)) << (WEIGHT_SHIFT - FILE_BITS) | records >> PLACE_SHIFT & PATH
    order = np.lexsort((places, terms))
    terms, records = terms[order], records[order]
    starts = np.flatnonzero(np.append(True, terms[1:] != terms[:-1]))
    packed = records.astype("<u4").tobytes()
    bounds = (np.append(starts, len(terms)) * records.itemsize).tolist()
    rows = [packed[start:end] for start, end in pairwise(bounds)]
    return list(zip(terms[starts].tolist(), rows, strict=True))


def _is_gone(records: Records, lost: Sequence[int], moved: Sequence[int]) -> NDArray[np.bool_]:
    """Tell which records are of files that are lost, or of the path of files that are moved."""
    import numpy as np

    is_lost, is_moved = np.zeros(FILES, np.bool_), np.zeros(FILES, np.bool_)
    is_lost[lost], is_moved[moved] = True, True
    files = records & (FILES - 1)
    gone: NDArray[np.bool_] = is_lost[files] | (is_moved[files] & ((records >> PLACE_SHIFT & PATH) == PATH))
    return gone
