"""The chunks of the files of a catalog, their full text and their texts, as one transaction changes them.

What a deleted file had stays until it is forgotten, so that it can come back at another path without being read; who
asks looks at living files only. A path whose vectors are not right any more goes into the outbox.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Final, NamedTuple

from pilotfish.store.full_text import FullText
from pilotfish.store.postings import Postings
from pilotfish.store.rows import PackedChunks, ParsedFile, unpack_chunks
from pilotfish.store.schema import ORDINAL_BITS
from pilotfish.syntax.passages import HASH_BYTES

_COLUMNS: Final = 'start, "end", line_start, line_end, node_type, kind, name, scope, names, text_hash'

_Row = tuple[object, ...]


class StoredChunks(NamedTuple):
    """The chunks of one file: their rows without the ids, its compressed text, and their terms."""

    rows: list[_Row]
    text: bytes
    postings: Postings


class ChunkLedger:
    """The rows about chunks; used by the one writer, within its transactions."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._full_text = FullText(connection)
        self.abandon()

    def abandon(self) -> None:
        """Forget the transaction that was rolled back."""
        self._full_text.abandon()
        self._outbox: set[str] = set()

    def put(self, file_id: int, parsed: ParsedFile, *, is_known: bool) -> None:
        """Enter the chunks of a new or changed file; one that is known may have had others."""
        chunks = unpack_chunks(parsed.chunks) if parsed.chunks else None
        rows = [] if chunks is None else _rows_of(chunks)
        old = self._stored_rows(file_id) if is_known else []
        if old:
            self._remove(file_id)
        if old != rows:
            self._outbox.add(parsed.path)
        if chunks is not None and rows:
            self._insert(file_id, parsed.path, StoredChunks(rows, parsed.text, chunks.postings))

    def hide(self, file_id: int, path: str) -> None:
        """Take note that a file is deleted."""
        if self._has_chunks(file_id):
            self._outbox.add(path)

    def move(self, file_id: int, old: str, new: str) -> None:
        """Take note that a file has another path."""
        if self._has_chunks(file_id):
            self._outbox.update((old, new))
            self._full_text.move(file_id, old, new)

    def copy_of(self, file_id: int) -> StoredChunks | None:
        """Return the chunks of a file as they stand in the database; None where it has none."""
        found = self._connection.execute("SELECT text FROM texts WHERE file_id = ?", (file_id,)).fetchone()
        if found is None:
            return None
        return StoredChunks(self._stored_rows(file_id), found[0], self._full_text.postings(file_id))

    def insert_copy(self, file_id: int, path: str, chunks: StoredChunks) -> None:
        """Enter the chunks of a new file that has the content of another."""
        self._outbox.add(path)
        self._insert(file_id, path, chunks)

    def forget(self, file_ids: Sequence[int]) -> None:
        """Remove what files had that were deleted; no path leaves or enters the outbox."""
        for file_id in file_ids:
            if self._has_chunks(file_id):
                self._remove(file_id)
        self._full_text.balance()

    def balance(self, generation: int) -> None:
        """Write what waits for the end of a transaction; `generation` is that of the transaction."""
        self._full_text.balance()
        self._connection.executemany(
            "INSERT OR REPLACE INTO outbox VALUES (?, ?)", [(path, generation) for path in sorted(self._outbox)]
        )
        self.abandon()

    def _insert(self, file_id: int, path: str, chunks: StoredChunks) -> None:
        first = file_id << ORDINAL_BITS
        self._connection.executemany(
            "INSERT INTO chunks VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [(first + ordinal, *row) for ordinal, row in enumerate(chunks.rows)],
        )
        self._connection.execute("INSERT INTO texts VALUES (?, ?)", (file_id, chunks.text))
        self._full_text.enter(file_id, path, chunks.postings)

    def _remove(self, file_id: int) -> None:
        self._connection.execute("DELETE FROM chunks WHERE id >= ? AND id < ?", _ids(file_id))
        self._connection.execute("DELETE FROM texts WHERE file_id = ?", (file_id,))
        self._full_text.withdraw(file_id)

    def _has_chunks(self, file_id: int) -> bool:
        found = self._connection.execute("SELECT 1 FROM texts WHERE file_id = ?", (file_id,)).fetchone()
        return found is not None

    def _stored_rows(self, file_id: int) -> list[_Row]:
        return self._connection.execute(
            f"SELECT {_COLUMNS} FROM chunks WHERE id >= ? AND id < ? ORDER BY id", _ids(file_id)
        ).fetchall()


def _ids(file_id: int) -> tuple[int, int]:
    return file_id << ORDINAL_BITS, (file_id + 1) << ORDINAL_BITS


def _rows_of(chunks: PackedChunks) -> list[_Row]:
    hashes = chunks.hashes
    return list(
        zip(
            chunks.starts,
            chunks.ends,
            chunks.first_lines,
            chunks.last_lines,
            chunks.node_types,
            [kind or None for kind in chunks.kinds],
            chunks.names,
            chunks.scopes,
            chunks.defined,
            [hashes[place : place + HASH_BYTES] for place in range(0, len(hashes), HASH_BYTES)],
            strict=True,
        )
    )
