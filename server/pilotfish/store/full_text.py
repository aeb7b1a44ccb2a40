"""The full text of the chunks, as one transaction changes it.

Records (`postings`) lie in rows by block and term, a block being the chunks of 256 files: a fresh index appends block
after block, an edit changes rows that lie side by side, and a question reads a few dozen rows for each of its terms. To
take a file out, the rows of its block are searched for its records: nothing has to remember which terms it had, so that
no ghost stays behind, whatever made them.
"""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

import msgspec

from pilotfish.store.postings import FILE_BITS, FILES, PATH, PLACE_SHIFT, Postings, path_records
from pilotfish.syntax.terms import terms as terms_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_FEW_FILES: Final = 4
_FEW_TERMS: Final = 4_000
"""Up to so many files and terms of a block it is faster to ask for the rows that they touch than to read all."""

_RECORD: Final = 4

_Rows = list[tuple[str, bytes]]


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
        terms, counts, parts = [], [], []
        for term, records in sorted(self._rows_with(block, [place])):
            row = np.frombuffer(records, "<u4")
            own = row[((row & (FILES - 1)) == place) & (row >> PLACE_SHIFT & PATH != PATH)] & ~np.uint32(FILES - 1)
            if own.size:
                terms.append(term)
                counts.append(own.size)
                parts.append(own.tobytes())
        sizes, lengths = self._sizes(block)
        return Postings(int(sizes[place]), int(lengths[place]), terms, counts, b"".join(parts))

    def balance(self) -> None:
        """Write the difference."""
        files = self._entered.keys() | self._withdrawn | self._moved.keys()
        by_block: defaultdict[int, list[int]] = defaultdict(list)
        for file_id in sorted(files):
            by_block[file_id >> FILE_BITS].append(file_id)
        for block, ids in by_block.items():
            self._write(block, ids)
        self.abandon()

    # --- one block ---------------------------------------------------------------------------------------------------

    def _write(self, block: int, ids: Sequence[int]) -> None:
        is_new = not self._has(block)
        added, lost_paths = self._added(ids)
        lost = [file_id % FILES for file_id in ids if file_id in self._withdrawn]
        if not is_new:
            old = self._touched(block, lost, added.keys() | lost_paths.keys())
            self._merge(block, old, added, lost, lost_paths)
        self._connection.executemany(
            "INSERT OR REPLACE INTO chunk_terms VALUES (?, ?, ?)",
            [(block, term, b"".join(added[term])) for term in sorted(added)],
        )
        self._write_sizes(block, ids)

    def _added(self, ids: Sequence[int]) -> tuple[defaultdict[str, list[bytes]], defaultdict[str, set[bytes]]]:
        """Return the new records of these files by term, in their order, and the records of paths that are over."""
        import numpy as np

        added: defaultdict[str, list[bytes]] = defaultdict(list)
        lost: defaultdict[str, set[bytes]] = defaultdict(set)
        for file_id in ids:
            place = file_id % FILES
            path = None
            if file_id in self._entered:
                postings, path = self._entered[file_id]
                records = (np.frombuffer(postings.records, "<u4") | np.uint32(place)).tobytes()
                start = 0
                for term, count in zip(postings.terms, postings.counts, strict=True):
                    end = start + _RECORD * count
                    added[term].append(records[start:end])
                    start = end
            elif file_id in self._moved:
                old, path = self._moved[file_id]
                for term, record in path_records(terms_of(old).split(), place).items():
                    lost[term].add(record)
            if path is not None:
                for term, record in path_records(terms_of(path).split(), place).items():
                    added[term].append(record)
        return added, lost

    def _merge(
        self,
        block: int,
        old: _Rows,
        added: defaultdict[str, list[bytes]],
        lost: Sequence[int],
        lost_paths: defaultdict[str, set[bytes]],
    ) -> None:
        """Put what stays of old rows before what is added to them; what does not change is not written."""
        empty: list[tuple[int, str]] = []
        for term, kept, gone in _parted(old, lost):
            if term in lost_paths:
                kept, more = _without(kept, lost_paths[term])
                gone += more
            news = b"".join(added[term]) if term in added else b""
            if news == gone:
                added.pop(term, None)
            elif kept or news:
                added[term] = [kept, news]
            else:
                empty.append((block, term))
        self._connection.executemany("DELETE FROM chunk_terms WHERE block = ? AND term = ?", empty)

    def _touched(self, block: int, lost: Sequence[int], terms: Iterable[str]) -> _Rows:
        """Return the rows of a block that hold records of some files, and those of some terms."""
        terms = list(terms)
        if len(lost) > _FEW_FILES or len(terms) > _FEW_TERMS:
            return self._all(block)
        found = dict(self._rows_with(block, lost)) if lost else {}
        rows = self._connection.execute(
            "SELECT term, records FROM json_each(?2) j JOIN chunk_terms t ON t.block = ?1 AND t.term = j.value",
            (block, msgspec.json.encode([term for term in terms if term not in found]).decode()),
        )
        found.update(rows)
        return list(found.items())

    def _all(self, block: int) -> _Rows:
        return self._connection.execute("SELECT term, records FROM chunk_terms WHERE block = ?", (block,)).fetchall()

    def _rows_with(self, block: int, places: Sequence[int]) -> _Rows:
        """Return the rows of a block that may hold records of some files: those in which their bytes occur."""
        having = " OR ".join(["instr(records, ?)"] * len(places))
        return self._connection.execute(
            f"SELECT term, records FROM chunk_terms WHERE block = ? AND ({having})",
            (block, *(bytes((place,)) for place in places)),
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

    def _write_sizes(self, block: int, ids: Sequence[int]) -> None:
        sizes, lengths = self._sizes(block)
        for file_id in ids:
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


def _parted(rows: _Rows, lost: Sequence[int]) -> Iterable[tuple[str, bytes, bytes]]:
    """Yield of each row its term, the records that stay, and those of the files that are `lost`."""
    if not lost or not rows:
        for term, row in rows:
            yield term, row, b""
        return
    import numpy as np

    is_lost = np.zeros(FILES, np.bool_)
    is_lost[list(lost)] = True
    records = np.frombuffer(b"".join([row for _, row in rows]), "<u4")
    gone = is_lost[records & (FILES - 1)]
    ends = np.cumsum([len(row) // _RECORD for _, row in rows])
    gone_ends = (np.cumsum(gone)[ends - 1] * _RECORD).tolist()
    kept_parts, gone_parts = records[~gone].tobytes(), records[gone].tobytes()
    start = gone_start = 0
    for (term, _), end, gone_end in zip(rows, (ends * _RECORD).tolist(), gone_ends, strict=True):
        yield term, kept_parts[start - gone_start : end - gone_end], gone_parts[gone_start:gone_end]
        start, gone_start = end, gone_end


def _without(records: bytes, lost: set[bytes]) -> tuple[bytes, bytes]:
    """Part records into those that stay and some that are lost."""
    single = [records[place : place + _RECORD] for place in range(0, len(records), _RECORD)]
    return b"".join([each for each in single if each not in lost]), b"".join([each for each in single if each in lost])
