"""The files of a catalog as one transaction changes them: parsed, moved, deleted, touched."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from pilotfish.store.batches import Batch, Move, MoveKind
from pilotfish.store.chunk_ledger import ChunkLedger, StoredChunks
from pilotfish.store.errors import CatalogDamagedError, CatalogError
from pilotfish.store.ledger import Ledger
from pilotfish.store.rows import DAMAGED, ParsedFile, Rows, file_rows, packed, rows_of, unpack_outline
from pilotfish.syntax.text import LineTable

_COPIED = "content_hash, size, mtime_ns, racy, language, encoding, status, skip_reason"


class _File(NamedTuple):
    id: int
    path: str
    is_deleted: bool


class _Step(NamedTuple):
    """One file's move."""

    file: _File
    new: str
    kind: MoveKind
    moved_at: float


class _Copy(NamedTuple):
    """What a file was before the first move of a batch: its row, outline and line table, chunks."""

    row: tuple[object, ...]
    outline: tuple[bytes, bytes] | None
    chunks: StoredChunks | None


class Files:
    """Applies batches; everything that follows from the contents of files goes through the ledger."""

    def __init__(self, connection: sqlite3.Connection, ledger: Ledger, chunks: ChunkLedger) -> None:
        self._connection = connection
        self._ledger = ledger
        self._chunks = chunks

    def apply(self, batch: Batch, now: float, generation: int) -> None:
        """Make the changes of a batch, in its order; `now` in seconds UTC, `generation` is what they end in."""
        for path in batch.deleted:
            for file in self._at_or_below(path):
                self._delete(file, now)
        self._move(batch.moves, now)
        self._put(list({parsed.path: parsed for parsed in batch.parsed}.values()))
        self._connection.executemany(
            "UPDATE files SET size = ?2, mtime_ns = ?3, racy = ?4 WHERE path = ?1 AND deleted_at IS NULL",
            batch.touched,
        )
        self._ledger.balance(bulk=batch.bulk)
        self._chunks.balance(generation)

    # --- parsed and deleted ------------------------------------------------------------------------------------------

    def _put(self, files: list[ParsedFile]) -> None:
        """Enter new and changed files, at most one for each path."""
        known = self._ids([parsed.path for parsed in files])
        next_id = self._next_id()
        rows: list[tuple[object, ...]] = []
        outlines: list[tuple[object, ...]] = []
        for parsed in files:
            file_id = known.get(parsed.path)
            if file_id is None:
                file_id, next_id = next_id, next_id + 1
            else:
                self._ledger.withdraw(file_id, self._rows(_File(file_id, parsed.path, False)))
            content = packed(parsed)
            if content is None:
                entered = file_rows(_base(parsed.path))
            else:
                entered = content[1]
                outlines.append((file_id, content[0], parsed.line_table))
            self._ledger.enter(file_id, entered)
            self._chunks.put(file_id, parsed, is_known=parsed.path in known)
            rows.append(_row(file_id, parsed, entered, 0 if content is None else len(entered.names)))
        execute = self._connection.executemany
        execute("DELETE FROM outlines WHERE file_id = ?", [(file_id,) for file_id in known.values()])
        execute("INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL)", rows)
        execute("INSERT INTO outlines VALUES (?, ?, ?)", outlines)

    def _ids(self, paths: list[str]) -> dict[str, int]:
        """Return the ids of those of these paths that there are files at."""
        rows = self._connection.execute(
            "SELECT f.path, f.id FROM json_each(?) j JOIN files f ON f.path = j.value AND f.deleted_at IS NULL",
            (msgspec.json.encode(paths).decode(),),
        )
        return dict(rows.fetchall())

    def _next_id(self) -> int:
        (next_id,) = self._connection.execute("SELECT ifnull(max(id), 0) + 1 FROM files").fetchone()
        return int(next_id)

    def _delete(self, file: _File, now: float) -> None:
        self._ledger.withdraw(file.id, self._rows(file))
        self._chunks.hide(file.id, file.path)
        self._connection.execute("UPDATE files SET deleted_at = ? WHERE id = ?", (now, file.id))

    # --- moves -------------------------------------------------------------------------------------------------------

    def _move(self, moves: list[Move], now: float) -> None:
        """Move and copy files as if all at once: sources are what they were before the first move."""
        steps = [step for move in _with_both_ways(moves) for step in self._steps(move)]
        moving: dict[int, _Step] = {}
        copying: list[_Step] = []
        for step in steps:
            if step.kind == "copy" or step.file.id in moving:
                copying.append(step)
            else:
                moving[step.file.id] = step
        copies = [(step, self._copy_of(step.file)) for step in copying]
        self._connection.executemany(
            "UPDATE files SET path = char(0) || id WHERE id = ?", [(file_id,) for file_id in moving]
        )
        for step in moving.values():
            self._make_way(step.new, now)
            self._settle(step)
        for step, copy in copies:
            self._make_way(step.new, now)
            self._insert_copy(copy, step.new)
        self._connection.executemany(
            "INSERT INTO file_moves (old_path, new_path, content_hash, moved_at, move_type) "
            "SELECT ?, ?, content_hash, ?, ? FROM files WHERE path = ?2 AND deleted_at IS NULL",
            [(step.file.path, step.new, step.moved_at or now, step.kind) for step in steps],
        )

    def _steps(self, move: Move) -> Iterator[_Step]:
        """Return the moves of the files that a move means."""
        file = self._holding(move.old, move.content_hash) if move.content_hash else self._live(move.old)
        if file is None:
            below = list(self._at_or_below(move.old))
            if not below and (file := self._tombstone(move.old)) is None:
                raise CatalogError(f"cannot move {move.old!r} to {move.new!r}: the catalog has no such file or folder")
            for each in below:
                yield _Step(each, move.new + each.path[len(move.old) :], move.kind, move.moved_at)
        if file is not None:
            yield _Step(file, move.new, move.kind, move.moved_at)

    def _settle(self, step: _Step) -> None:
        """Put a moving file at its new path."""
        file, new = step.file, step.new
        renamed = _base(file.path) != _base(new) and not self._has_outline(file)
        if renamed and not file.is_deleted:
            self._ledger.withdraw(file.id, file_rows(_base(file.path)))
        self._connection.execute("UPDATE files SET path = ?, deleted_at = NULL WHERE id = ?", (new, file.id))
        self._chunks.move(file.id, file.path, new)
        if renamed or file.is_deleted:
            self._ledger.enter(file.id, self._rows(file._replace(path=new), placed=True))

    def _copy_of(self, file: _File) -> _Copy:
        row = self._connection.execute(
            f'SELECT {_COPIED}, symbols, "references", has_errors FROM files WHERE id = ?', (file.id,)
        ).fetchone()
        return _Copy(row, self._outline(file), self._chunks.copy_of(file.id))

    def _insert_copy(self, copy: _Copy, new: str) -> None:
        row, outline, chunks = copy
        file_id = self._next_id()
        self._connection.execute(
            f'INSERT INTO files (id, path, {_COPIED}, symbols, "references", has_errors) '
            f"VALUES (?, ?, {', '.join('?' * len(row))})",
            (file_id, new, *row),
        )
        if outline is not None:
            self._connection.execute("INSERT INTO outlines VALUES (?, ?, ?)", (file_id, *outline))
        self._ledger.enter(file_id, self._rows(_File(file_id, new, False), placed=True))
        if chunks is not None:
            self._chunks.insert_copy(file_id, new, chunks)

    def _make_way(self, path: str, now: float) -> None:
        if (file := self._live(path)) is not None:
            self._delete(file, now)

    # --- reading -----------------------------------------------------------------------------------------------------

    def _live(self, path: str) -> _File | None:
        row = self._connection.execute("SELECT id FROM files WHERE path = ? AND deleted_at IS NULL", (path,)).fetchone()
        return None if row is None else _File(row[0], path, False)

    def _holding(self, path: str, content_hash: bytes) -> _File | None:
        """Return the file that has this content at a path, or had it last."""
        row = self._connection.execute(
            "SELECT id, deleted_at IS NOT NULL FROM files WHERE path = ? AND content_hash = ? "
            "ORDER BY deleted_at IS NOT NULL, deleted_at DESC, id DESC",
            (path, content_hash),
        ).fetchone()
        return None if row is None else _File(row[0], path, bool(row[1]))

    def _tombstone(self, path: str) -> _File | None:
        row = self._connection.execute(
            "SELECT id FROM files WHERE path = ? AND deleted_at IS NOT NULL ORDER BY deleted_at DESC, id DESC", (path,)
        ).fetchone()
        return None if row is None else _File(row[0], path, True)

    def _at_or_below(self, path: str) -> Iterator[_File]:
        """Return the live file at a path, or those below it where it is a folder."""
        file = self._live(path)
        if file is not None:
            yield file
            return
        rows = self._connection.execute(
            "SELECT id, path FROM files WHERE path >= ? AND path < ? AND deleted_at IS NULL ORDER BY path",
            (path + "/", path + "0"),  # "0" follows "/"
        ).fetchall()
        for file_id, found in rows:
            yield _File(file_id, found, False)

    def _has_outline(self, file: _File) -> bool:
        return self._connection.execute("SELECT 1 FROM outlines WHERE file_id = ?", (file.id,)).fetchone() is not None

    def _outline(self, file: _File) -> tuple[bytes, bytes] | None:
        found: tuple[bytes, bytes] | None = self._connection.execute(
            "SELECT outline, line_table FROM outlines WHERE file_id = ?", (file.id,)
        ).fetchone()
        return found

    def _rows(self, file: _File, *, placed: bool = False) -> Rows:
        """Return the rows of a file in the catalog, derived from its outline; with `placed`, fit to be entered."""
        found = self._outline(file)
        if found is None:
            return file_rows(_base(file.path))
        try:
            return rows_of(unpack_outline(found[0]), LineTable.from_bytes(found[1]) if placed else None)
        except DAMAGED as error:
            raise CatalogDamagedError(f"the outline of {file.path} cannot be read: {error}") from error


def _with_both_ways(moves: list[Move]) -> list[Move]:
    """Give each swap as two moves."""
    given = {(move.old, move.new) for move in moves}
    missing = [
        Move(move.new, move.old, "swap", move.moved_at)
        for move in moves
        if move.kind == "swap" and all(other.old != move.new for other in moves) and (move.new, move.old) not in given
    ]
    return [*moves, *missing]


def _row(file_id: int, parsed: ParsedFile, rows: Rows, symbols: int) -> tuple[object, ...]:
    return (
        file_id,
        parsed.path,
        parsed.content_hash,
        parsed.size,
        parsed.mtime_ns,
        parsed.racy,
        parsed.language,
        parsed.encoding,
        parsed.status,
        parsed.skip_reason,
        symbols,
        sum(rows.uses.values()),
        rows.has_errors,
    )


def _base(path: str) -> str:
    return path.rpartition("/")[2]
