"""The catalog of one root: every file, its outline, symbols, names and where they are used, in one SQLite file.

One `Catalog` writes, in whole batches: one transaction each, one generation each. Any number of `Reader`s, one per
thread, answer from consistent snapshots and never wait for the writer.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

from pilotfish.store import commits, migrations, schema
from pilotfish.store.batches import Batch, Move, Touched
from pilotfish.store.chunk_ledger import ChunkLedger
from pilotfish.store.commits import CommitBatch
from pilotfish.store.errors import CatalogDamagedError, CatalogError, CatalogFullError, is_damage
from pilotfish.store.files import Files
from pilotfish.store.ledger import Ledger
from pilotfish.store.names import NameIndex
from pilotfish.store.reader import Reader
from pilotfish.store.records import Counts, FileRow, LanguageCounts, MoveRow, SymbolHit, SymbolRow
from pilotfish.store.rows import ParsedFile

__all__ = [
    "Batch",
    "Catalog",
    "CatalogDamagedError",
    "CatalogError",
    "CatalogFullError",
    "Counts",
    "FileRow",
    "LanguageCounts",
    "Move",
    "MoveRow",
    "ParsedFile",
    "Reader",
    "SymbolHit",
    "SymbolRow",
    "Touched",
]

FILE_NAME: Final = "catalog.sqlite"

TOMBSTONE_S: Final = 10.0
"""How long the content of a deleted file is kept, in seconds, so that a rename seen as delete and add is a move."""

MOVES_KEPT_S: Final = 30 * 86_400.0
"""How long moves are remembered, in seconds."""

_DAMAGED_KEPT: Final = 2

OnDamage = Callable[[str], object]
OnProgress = Callable[[int, int], object]


class Catalog:
    """The one writer. Its methods may be called from any thread, one at a time."""

    def __init__(self, folder: Path, on_damage: OnDamage, clock: Callable[[], float]) -> None:
        """Use `Catalog.open`."""
        self.folder = folder
        self.file = folder / FILE_NAME
        self._on_damage = on_damage
        self._clock = clock
        self._lock = threading.Lock()
        self._swapping = threading.Lock()
        self._closed = False
        self.epoch = 0
        self.generation = 0
        self.names = NameIndex()
        self._begin(self._opened())

    @classmethod
    def open(
        cls,
        folder: Path,
        *,
        on_damage: OnDamage = lambda message: None,
        on_progress: OnProgress = lambda done, total: None,
        clock: Callable[[], float] = time.time,
    ) -> Catalog:
        """Open the catalog in a folder of its own, creating or migrating it.

        Args:
            folder: where it lies; made where missing. A catalog of an earlier version is looked for beside it.
            on_damage: told, in one line, that a catalog could not be read and what became of it.
            on_progress: told how many rows of how many a migration has done.
            clock: the time in seconds UTC, for deletions and moves.

        Raises:
            CatalogError: SQLite is too old, or the folder cannot be used.

        """
        schema.require_sqlite()
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as error:
            raise CatalogError(f"cannot use the index folder {folder}: {error.strerror}") from error
        migrations.bring_up(folder / FILE_NAME, on_progress=on_progress, on_damage=on_damage)
        return cls(folder, on_damage, clock)

    # --- opening -----------------------------------------------------------------------------------------------------

    def _opened(self) -> sqlite3.Connection:
        try:
            return self._connect()
        except (sqlite3.DatabaseError, CatalogDamagedError) as error:
            if not is_damage(error):
                raise self._explained(error) from error
            self._set_aside(str(error))
            return self._connect()

    def _connect(self) -> sqlite3.Connection:
        with contextlib.suppress(OSError):  # SQLite says better what is wrong
            os.close(os.open(self.file, os.O_RDWR | os.O_CREAT, 0o600))  # its log is as private as the file
        connection = schema.connect(str(self.file))
        try:
            if schema.version_of(connection) == 0:
                schema.create(connection)
            schema.probe(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _begin(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._identity = _identity(self.file)
        self._ledger = Ledger(connection)
        self._chunks = ChunkLedger(connection)
        self._files = Files(connection, self._ledger, self._chunks)
        row = connection.execute("SELECT value FROM meta WHERE key = 'generation'").fetchone()
        self.generation = max(self.generation, 0 if row is None else int(row[0]))
        if not self._ledger.is_settled:
            self.settle()

    def _set_aside(self, reason: str) -> None:
        """Rename a file that cannot be read, so that a new one can be made."""
        number = 1
        while (target := self.file.with_name(f"{FILE_NAME}.damaged-{number}")).exists() and number < _DAMAGED_KEPT:
            number += 1
        try:
            self.file.replace(target)
            for suffix in ("-wal", "-shm"):
                self.file.with_name(FILE_NAME + suffix).unlink(missing_ok=True)
        except OSError as error:
            raise CatalogDamagedError(
                f"{self.file} is damaged ({reason}) and cannot be set aside: {error.strerror}; delete it"
            ) from error
        self._on_damage(f"the index was damaged ({reason}); it is kept as {target.name} and built anew")

    # --- writing -----------------------------------------------------------------------------------------------------

    def apply(self, batch: Batch) -> int:
        """Make all changes of a batch in one transaction and return the new generation.

        An empty batch changes nothing, not even the generation.

        Raises:
            CatalogDamagedError: the file could not be read; a new, empty one has taken its place.
            CatalogFullError: there is no room; nothing was changed.
            CatalogError: a move names a file that is not there, or another fault; nothing was changed.

        """
        if batch.is_empty:
            return self.generation
        with self._transaction():
            generation = self.generation + 1
            self._files.apply(batch, self._clock(), generation)
            self._connection.execute("INSERT OR REPLACE INTO meta VALUES ('generation', ?)", (generation,))
        self.generation = generation
        return generation

    def settle(self) -> None:
        """Bring the counters of uses up to date after batches with `bulk`; writes nothing where they are."""
        if self._ledger.is_settled:
            return
        with self._transaction():
            self._ledger.settle()
            generation = self.generation + 1
            self._connection.execute("INSERT OR REPLACE INTO meta VALUES ('generation', ?)", (generation,))
        self.generation = generation

    def purge(self, now: float | None = None, *, tombstone_s: float = TOMBSTONE_S) -> int:
        """Forget files deleted more than `tombstone_s` seconds ago and moves older than 30 days; return how many files.

        No answer changes by it, so the generation stays. Writes nothing where there is nothing to forget.
        """
        now = self._clock() if now is None else now
        limits = (now - tombstone_s, now - MOVES_KEPT_S)
        with self._explaining():
            (due,) = self._connection.execute(
                "SELECT EXISTS (SELECT 1 FROM files WHERE deleted_at <= ?1) "
                "OR EXISTS (SELECT 1 FROM file_moves WHERE moved_at <= ?2)",
                limits,
            ).fetchone()
        if not due:
            return 0
        with self._transaction():
            execute = self._connection.execute
            self._chunks.forget([row[0] for row in execute("SELECT id FROM files WHERE deleted_at <= ?", limits[:1])])
            execute("DELETE FROM outlines WHERE file_id IN (SELECT id FROM files WHERE deleted_at <= ?)", limits[:1])
            gone = execute("DELETE FROM files WHERE deleted_at <= ?", limits[:1]).rowcount
            execute("DELETE FROM file_moves WHERE moved_at <= ?", limits[1:])
        return gone

    def settle_outbox(self, done: Sequence[tuple[str, int]], rows: int) -> None:
        """Take paths out of the outbox, unless they have come in again since: each with the generation that it stood
        there with. `rows` is how many the table of vectors has now. No answer changes by it."""
        with self._transaction():
            self._connection.executemany("DELETE FROM outbox WHERE path = ? AND generation = ?", done)
            self._connection.execute("INSERT OR REPLACE INTO meta VALUES ('vector_rows', ?)", (rows,))

    def fill_outbox(self, table: str | None = None, choice: str | None = None) -> int:
        """Put every path that has chunks into the outbox, as for another model or a table that was lost; return how
        many there are in it now.

        Args:
            table: the name of the table of vectors that the catalog goes with from now on, an empty one; the same as
                before for None.
            choice: what the settings say of which vectors there are to be; the same as before for None.

        """
        with self._transaction():
            if table is not None:
                self._connection.execute("INSERT OR REPLACE INTO meta VALUES ('vectors', ?)", (table,))
                self._connection.execute("INSERT OR REPLACE INTO meta VALUES ('vector_rows', 0)")
            if choice is not None:
                self._connection.execute("INSERT OR REPLACE INTO meta VALUES ('vector_choice', ?)", (choice,))
            self._connection.execute(
                "INSERT OR REPLACE INTO outbox SELECT path, ? FROM files JOIN texts ON file_id = id "
                "WHERE deleted_at IS NULL",
                (self.generation,),
            )
            (pending,) = self._connection.execute("SELECT count(*) FROM outbox").fetchone()
        return int(pending)

    def apply_commits(self, batch: CommitBatch) -> None:
        """Change the history in one transaction. It has a revision of its own: the generation counts changes of files.

        Raises:
            CatalogError: as `apply`.

        """
        with self._transaction():
            commits.apply(self._connection, batch)

    def checkpoint(self) -> None:
        """Move what the write-ahead log holds into the file and cut the log; for quiet moments. Writes nothing where
        the log is empty; readers at work may delay it to the next time."""
        log = self.file.with_name(FILE_NAME + "-wal")
        if not log.exists() or log.stat().st_size == 0:
            return
        with self._explaining():
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def rebuild(self, reason: str) -> None:
        """Set the file aside and begin an empty one: for a `CatalogDamagedError` that a reader met."""
        with self._lock:
            self._replace(reason)

    def clear(self) -> None:
        """Forget everything, as on `pilotfish index --rebuild`; readers go on with an empty catalog."""
        with self._lock, self._swapping:
            self._connection.close()
            for suffix in ("", "-wal", "-shm"):
                self.file.with_name(FILE_NAME + suffix).unlink(missing_ok=True)
            self._start_over()

    def close(self) -> None:
        """Settle, checkpoint and close; the catalog can then be opened again, here or elsewhere."""
        if self._closed:
            return
        self._closed = True
        try:
            self.settle()
            self.checkpoint()
        finally:
            self._connection.close()

    def is_in_place(self) -> bool:
        """Tell whether the file that is written is the one that is found by its name. Also where that cannot be told at
        this moment, and where its whole folder is gone: whoever owns that has to notice."""
        if self._closed or not self._lock.acquire(blocking=False):
            return True
        try:
            return _identity(self.file) == self._identity or not self.folder.is_dir()
        finally:
            self._lock.release()

    def size_bytes(self) -> int:
        """Return how much disk the catalog takes, in bytes."""
        size = 0
        for suffix in ("", "-wal"):
            with contextlib.suppress(OSError):
                size += self.file.with_name(FILE_NAME + suffix).stat().st_size
        return size

    def reader(self) -> Reader:
        """Return a reader for the calling thread."""
        return Reader(self)

    def connected(self) -> tuple[int, sqlite3.Connection]:
        """Return a new connection for reading, and the epoch of the file that it leads to: never to one that was just
        put in the place of another and has no tables yet, and never to one that the connection itself has made.

        Raises:
            CatalogDamagedError: the file was removed; it must be made anew.
        """
        with self._swapping:
            try:
                return self.epoch, schema.connect(f"{self.file.as_uri()}?mode=rw", read_only=True, uri=True)
            except sqlite3.OperationalError as error:
                if self.file.exists():
                    raise
                raise CatalogDamagedError(f"{self.file} was removed; it must be built anew") from error

    # --- transactions and faults -------------------------------------------------------------------------------------

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        with self._lock, self._explaining():
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                self._ledger.abandon()
                self._chunks.abandon()
                raise

    @contextlib.contextmanager
    def _explaining(self) -> Iterator[None]:
        """Turn SQLite's errors into ours; where the file is damaged, begin a new one."""
        try:
            yield
        except (sqlite3.DatabaseError, CatalogDamagedError) as error:
            if not is_damage(error):
                raise self._explained(error) from error
            self._replace(str(error))
            raise CatalogDamagedError(f"the index was damaged ({error}); it must be built anew") from error

    def _replace(self, reason: str) -> None:
        with self._swapping:
            self._connection.close()
            self._set_aside(reason)
            self._start_over()

    def _start_over(self) -> None:
        self.epoch += 1
        self.generation += 1
        self.names = NameIndex()
        self._begin(self._connect())
        with self._connection:
            self._connection.execute("INSERT OR REPLACE INTO meta VALUES ('generation', ?)", (self.generation,))

    def _explained(self, error: Exception) -> CatalogError:
        code = getattr(error, "sqlite_errorcode", 0)
        if code == sqlite3.SQLITE_FULL:
            return CatalogFullError(f"no room for the index in {self.folder}: free some space; nothing was lost")
        if code & 0xFF == sqlite3.SQLITE_IOERR:
            return CatalogError(f"the index in {self.folder} could not be read or written: {error}")
        if code & 0xFF in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM):
            return CatalogError(f"the index in {self.folder} cannot be written: {error}; check who owns it")
        return CatalogError(f"the index in {self.folder} refused a change: {error}")


def _identity(file: Path) -> tuple[int, int] | None:
    try:
        status = file.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino
