"""The vector cache: vectors by hash of the embedded text, so that no text is ever embedded twice.

One SQLite file for each model and repository, shared by all its worktrees and by every process that embeds for one of
them: the one store with several writers. It is only ever added to, a block of vectors at a time. A block is a row: the
hashes, and the vectors as float16, of which the bytes with sign and exponent are coded by Huffman (they repeat; the
others do not). With everything that is .45 of the raw float32 vectors. Where each hash lies is kept in memory and
follows what other processes add.

The file is bounded: beyond it the blocks unused for longest go. Reading writes nothing; that a block was used is noted
once a day, with the next vectors that are added. What cannot be read is forgotten, and embedded again.
"""

from __future__ import annotations

import contextlib
import sqlite3
import time
import zlib
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from pilotfish.store.errors import is_damage

HASH_BYTES: Final = 16
"""Length of the hash that names a text: the start of the SHA-256 of what is embedded."""

BLOCK_VECTORS: Final = 256
"""Most vectors in one block."""

DEFAULT_MB: Final = 512
"""How much disk a cache may take, in MiB, where nobody says: a million vectors of 256 numbers."""

_FORMAT: Final = 1
_DAY_S: Final = 86_400
_MB: Final = 1024 * 1024
_KEPT_BLOCKS: Final = 16
_TRIMMED_SHARE: Final = 0.9
_BUSY_S: Final = 10.0

_SETTINGS: Final = """
PRAGMA journal_mode = WAL;
PRAGMA synchronous = NORMAL;
PRAGMA journal_size_limit = 16777216;
"""

# Pages of 1 KiB: a block leaves the last of its pages half empty on average, and may be of a single vector.
_NEW: Final = """
PRAGMA page_size = 1024;
PRAGMA auto_vacuum = INCREMENTAL;
"""

_META: Final = "CREATE TABLE meta (key TEXT PRIMARY KEY, value NOT NULL) WITHOUT ROWID"
_BLOCKS: Final = """
CREATE TABLE blocks (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    used INTEGER NOT NULL,
    checksum INTEGER NOT NULL,
    hashes BLOB NOT NULL,
    vectors BLOB NOT NULL
)
"""

_BLOCKS_AFTER: Final = "SELECT id, used, hashes FROM blocks WHERE id > ? ORDER BY id"

Floats = NDArray[np.float32]
OnDamage = Callable[[str], object]


class VectorCacheError(Exception):
    """The cache cannot be used; the message says why. Work goes on without one."""


class VectorCache:
    """The vectors of one model, for one thread at a time."""

    def __init__(self, file: Path, dims: int, most_mb: int, on_damage: OnDamage, clock: Callable[[], float]) -> None:
        """Use `VectorCache.open`."""
        self.file = file
        self.dims = dims
        self._most_bytes = most_mb * _MB
        self._on_damage = on_damage
        self._clock = clock
        self._read_up_to = 0
        self._begin()

    @classmethod
    def open(
        cls,
        file: Path,
        dims: int,
        *,
        most_mb: int = DEFAULT_MB,
        on_damage: OnDamage = lambda message: None,
        clock: Callable[[], float] = time.time,
    ) -> VectorCache:
        """Open or make the cache in `file`, whose folder is there.

        Args:
            file: named after the model, since vectors of different models have nothing to do with each other.
            dims: length of the vectors.
            most_mb: how much disk it may take, in MiB.
            on_damage: told, in one line, that a file could not be read and what became of it.
            clock: the time in seconds UTC.

        Raises:
            VectorCacheError: the file can be neither used nor replaced.

        """
        return cls(file, dims, most_mb, on_damage, clock)

    def __len__(self) -> int:
        return len(self._directory)

    def find(self, hashes: Sequence[bytes]) -> tuple[Floats, NDArray[np.bool_]]:
        """Return a vector for each hash, and which of them are known; the rows of others are zero.

        Raises:
            VectorCacheError: the file can be neither read nor replaced.

        """
        vectors = np.zeros((len(hashes), self.dims), np.float32)
        known = np.zeros(len(hashes), np.bool_)
        with self._repairing():
            self._follow()
            blocks, ordinals = self._directory.places(hashes)
            for block in np.unique(blocks[blocks >= 0]).tolist():
                content = self._content(block)
                if content is not None:
                    rows = np.flatnonzero(blocks == block)
                    vectors[rows] = content[ordinals[rows]]
                    known[rows] = True
        return rounded(vectors), known

    def add(self, hashes: Sequence[bytes], vectors: Floats) -> None:
        """Keep vectors, in one transaction for each block of them. A hash that is known already may come again.

        Raises:
            VectorCacheError: the file could not be written.
            ValueError: hashes and vectors do not fit together, or a vector holds what is no number.

        """
        if vectors.shape != (len(hashes), self.dims) or any(len(each) != HASH_BYTES for each in hashes):
            raise ValueError(f"{len(hashes)} hashes of {HASH_BYTES} bytes do not fit vectors of shape {vectors.shape}")
        if not np.isfinite(vectors).all() or np.abs(vectors).max(initial=0) > np.finfo(np.float16).max:
            raise ValueError("a vector holds a number that float16 cannot")
        with self._repairing():
            for start in range(0, len(hashes), BLOCK_VECTORS):
                end = start + BLOCK_VECTORS
                self._append(b"".join(hashes[start:end]), _packed(vectors[start:end]))
            self._follow()
            if self._taken_bytes() > self._most_bytes:
                self._trim()

    def note_use(self) -> None:
        """Write down what was found, at most once a day; without it only the next `add` does.

        Raises:
            VectorCacheError: the file could not be written.

        """
        if self._stale:
            with self._repairing(), self._transaction():
                self._note_use()

    def size_bytes(self) -> int:
        """Return how much disk the cache takes, in bytes."""
        size = 0
        for suffix in ("", "-wal"):
            with contextlib.suppress(OSError):
                size += Path(f"{self.file}{suffix}").stat().st_size
        return size

    def close(self) -> None:
        """Note what was used, and close."""
        with contextlib.suppress(VectorCacheError):
            self.note_use()
        self._connection.close()

    # --- blocks ------------------------------------------------------------------------------------------------------

    def _append(self, hashes: bytes, vectors: bytes) -> None:
        with self._transaction():
            self._connection.execute(
                "INSERT INTO blocks (used, checksum, hashes, vectors) VALUES (?, ?, ?, ?)",
                (self._today(), _checksum(hashes, vectors), hashes, vectors),
            )
            self._note_use()

    def _follow(self) -> None:
        """Learn what was added since, by us or others."""
        if self._identity != _identity(self.file):  # cleared, or set aside by somebody else
            self._connection.close()
            self._begin()
            return
        self._read_on(self._connection)

    def _read_on(self, connection: sqlite3.Connection) -> None:
        for block, used, hashes in connection.execute(_BLOCKS_AFTER, (self._read_up_to,)):
            self._directory.add(block, hashes)
            self._used[block] = used
            self._read_up_to = block

    def _content(self, block: int) -> NDArray[np.float16] | None:
        """Return the vectors of a block, or None when another process has removed it or its bytes have changed."""
        self._mark(block)
        if block in self._blocks:
            self._blocks.move_to_end(block)
            return self._blocks[block]
        row = self._connection.execute("SELECT checksum, hashes, vectors FROM blocks WHERE id = ?", (block,)).fetchone()
        if row is None:
            self._forget({block})
            return None
        checksum, hashes, packed = row
        if _checksum(hashes, packed) != checksum:
            self._forget({block})
            with self._transaction():
                self._connection.execute("DELETE FROM blocks WHERE id = ?", (block,))
            return None
        content = _unpacked(packed, len(hashes) // HASH_BYTES, self.dims)
        self._blocks[block] = content
        if len(self._blocks) > _KEPT_BLOCKS:
            self._blocks.popitem(last=False)
        return content

    def _forget(self, blocks: set[int]) -> None:
        self._directory.remove(blocks)
        self._stale -= blocks
        for block in blocks:
            self._blocks.pop(block, None)
            self._used.pop(block, None)

    # --- age ---------------------------------------------------------------------------------------------------------

    def _today(self) -> int:
        return int(self._clock() // _DAY_S)

    def _mark(self, block: int) -> None:
        today = self._today()
        if self._used.get(block, today) < today:
            self._used[block] = today
            self._stale.add(block)

    def _note_use(self) -> None:
        """Write down which blocks were used, within a transaction that is open anyway."""
        today = self._today()
        self._connection.executemany(
            "UPDATE blocks SET used = ? WHERE id = ?", [(today, block) for block in sorted(self._stale)]
        )
        self._stale.clear()

    def _trim(self) -> None:
        """Remove the blocks unused for longest, until a tenth of the room is free again."""
        excess = self._taken_bytes() - self._most_bytes * _TRIMMED_SHARE
        doomed: set[int] = set()
        with self._transaction():
            self._note_use()
            rows = self._connection.execute("SELECT id, length(hashes) + length(vectors) FROM blocks ORDER BY used, id")
            for block, size in rows:
                if excess <= 0:
                    break
                doomed.add(block)
                excess -= size
            self._connection.executemany("DELETE FROM blocks WHERE id = ?", [(block,) for block in sorted(doomed)])
        self._connection.execute("PRAGMA incremental_vacuum").fetchall()
        self._forget(doomed)

    def _taken_bytes(self) -> int:
        pages, free, size = (self._pragma(name) for name in ("page_count", "freelist_count", "page_size"))
        return (pages - free) * size

    def _pragma(self, name: str) -> int:
        (value,) = self._connection.execute(f"PRAGMA {name}").fetchone()
        return int(value)

    # --- the file ----------------------------------------------------------------------------------------------------

    def _begin(self) -> None:
        """Connect, setting aside what cannot be read, and learn what is there."""
        self._directory = _Directory()
        self._read_up_to = 0
        self._blocks: OrderedDict[int, NDArray[np.float16]] = OrderedDict()
        self._used: dict[int, int] = {}
        self._stale: set[int] = set()
        try:
            self._connection = self._connect()
        except sqlite3.Error as error:
            if not is_damage(error):
                raise self._unusable(error) from error
            self._set_aside(error)
            try:
                self._connection = self._connect()
            except sqlite3.Error as second:
                raise self._unusable(second) from second
        self._identity = _identity(self.file)

    def _connect(self) -> sqlite3.Connection:
        """Return a connection to a file of ours, and read from it where every hash lies."""
        connection = sqlite3.connect(self.file, timeout=_BUSY_S, isolation_level=None, check_same_thread=False)
        try:
            _prepare(connection, self.dims)
            self._read_on(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _set_aside(self, error: Exception) -> None:
        """Rename a file that cannot be read, so that a new one can be made; only the last such file is kept."""
        target = self.file.with_name(f"{self.file.name}.damaged")
        try:
            self.file.replace(target)
            for suffix in ("-wal", "-shm"):  # a new file must not find the log of the old one
                Path(f"{self.file}{suffix}").unlink(missing_ok=True)
        except OSError as failure:
            raise self._unusable(f"{error}; nor can it be set aside: {failure.strerror or failure}") from error
        self._on_damage(f"the vector cache was damaged ({error}); it is kept as {target.name} and filled anew")

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._connection.execute("COMMIT")
        except BaseException:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise

    @contextlib.contextmanager
    def _repairing(self) -> Iterator[None]:
        """Turn SQLite's errors into ours. Where the file is damaged, begin a new one and take what was asked as done:
        nothing is known, and what was to be kept will be embedded again."""
        try:
            yield
        except sqlite3.Error as error:
            if not is_damage(error):
                raise self._unusable(error) from error
            self._connection.close()
            if self._identity == _identity(self.file):
                self._set_aside(error)
            self._begin()

    def _unusable(self, reason: object) -> VectorCacheError:
        return VectorCacheError(f"the vector cache {self.file} cannot be used: {reason}")


def rounded(vectors: Floats) -> Floats:
    """Return unit vectors as the cache gives them back, so that a vector is the same whether it was known or is new.

    Args:
        vectors: rows of unit length, or zero.

    """
    halves: Floats = vectors.astype(np.float16).astype(np.float32)
    lengths = np.linalg.norm(halves, axis=1, keepdims=True)
    unit: Floats = np.divide(halves, lengths, out=np.zeros_like(halves), where=lengths > 0)
    return unit


class _Directory:
    """Where each hash lies: rows in the order of the hashes' first halves, and a tail that is merged when asked."""

    def __init__(self) -> None:
        self._rows = np.empty(0, _ROW)
        self._keys = np.empty(0, np.uint64)
        self._tail: list[NDArray[np.void]] = []

    def __len__(self) -> int:
        return len(self._rows) + sum(map(len, self._tail))

    def add(self, block: int, hashes: bytes) -> None:
        self._tail.append(_rows(hashes, block))

    def remove(self, blocks: set[int]) -> None:
        self._merge()
        kept = ~np.isin(self._rows["block"], list(blocks))
        self._rows, self._keys = self._rows[kept], self._keys[kept]

    def places(self, hashes: Sequence[bytes]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return for each hash its block, -1 where it has none, and its place in the block."""
        self._merge()
        asked = _rows(b"".join(hashes), -1)
        blocks = np.full(len(asked), -1, np.int64)
        ordinals = np.zeros(len(asked), np.int64)
        at = np.searchsorted(self._keys, asked["key"])
        waiting = np.arange(len(asked))
        while len(waiting):  # almost always once: half a hash is seldom shared
            waiting = waiting[at[waiting] < len(self._keys)]
            waiting = waiting[self._keys[at[waiting]] == asked["key"][waiting]]
            fits = self._rows["rest"][at[waiting]] == asked["rest"][waiting]
            found = waiting[fits]
            blocks[found] = self._rows["block"][at[found]]
            ordinals[found] = self._rows["ordinal"][at[found]]
            waiting = waiting[~fits]
            at[waiting] += 1
        return blocks, ordinals

    def _merge(self) -> None:
        if not self._tail:
            return
        rows = np.concatenate([self._rows, *self._tail])
        self._rows = rows[np.argsort(rows["key"], kind="stable")]
        self._keys = np.ascontiguousarray(self._rows["key"])
        self._tail = []


_ROW: Final = np.dtype([("key", "<u8"), ("rest", "<u8"), ("block", "<i8"), ("ordinal", "<i2")])


def _rows(hashes: bytes, block: int) -> NDArray[np.void]:
    halves = np.frombuffer(hashes[: len(hashes) // HASH_BYTES * HASH_BYTES], "<u8").reshape(-1, 2)
    rows = np.empty(len(halves), _ROW)
    rows["key"], rows["rest"] = halves.T
    rows["block"] = block
    rows["ordinal"] = np.arange(len(halves))
    return rows


def _prepare(connection: sqlite3.Connection, dims: int) -> None:
    """Make the tables of a new file; raise what counts as damage for one that is not ours."""
    if connection.execute("PRAGMA page_count").fetchone() == (0,):
        connection.executescript(_NEW)
    connection.executescript(_SETTINGS)
    if not connection.execute("SELECT 1 FROM sqlite_master").fetchone():
        _create(connection, dims)
    try:
        found = dict(connection.execute("SELECT key, value FROM meta"))
    except sqlite3.OperationalError as error:
        raise _foreign(str(error)) from error
    if found != {"format": _FORMAT, "dims": dims}:
        raise _foreign(f"it is of another kind: {found}")


def _create(connection: sqlite3.Connection, dims: int) -> None:
    connection.execute("BEGIN IMMEDIATE")
    try:
        if not connection.execute("SELECT 1 FROM sqlite_master").fetchone():  # nobody was faster
            connection.execute(_META)
            connection.execute(_BLOCKS)
            connection.executemany("INSERT INTO meta VALUES (?, ?)", [("format", _FORMAT), ("dims", dims)])
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _foreign(reason: str) -> sqlite3.DatabaseError:
    error = sqlite3.DatabaseError(reason)
    error.sqlite_errorcode = sqlite3.SQLITE_NOTADB
    return error


def _packed(vectors: Floats) -> bytes:
    """Return vectors as float16: first the low bytes as they are, then the high bytes coded."""
    halves = np.ascontiguousarray(vectors.astype("<f2")).view(np.uint8)
    coder = zlib.compressobj(1, zlib.DEFLATED, -zlib.MAX_WBITS, strategy=zlib.Z_HUFFMAN_ONLY)
    return halves[:, 0::2].tobytes() + coder.compress(halves[:, 1::2].tobytes()) + coder.flush()


def _unpacked(packed: bytes, count: int, dims: int) -> NDArray[np.float16]:
    halves = np.empty((count, 2 * dims), np.uint8)
    low = count * dims
    halves[:, 0::2] = np.frombuffer(packed[:low], np.uint8).reshape(count, dims)
    halves[:, 1::2] = np.frombuffer(zlib.decompress(packed[low:], -zlib.MAX_WBITS), np.uint8).reshape(count, dims)
    return halves.view("<f2").astype(np.float16)


def _checksum(hashes: bytes, vectors: bytes) -> int:
    return zlib.crc32(vectors, zlib.crc32(hashes))


def _identity(file: Path) -> tuple[int, int] | None:
    try:
        status = file.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino
