"""The way from an earlier version of the tables to the current one: on a copy, step by step, swapped in when right.

An earlier version lies in a folder beside (`locations`) and is only read: its owner may still be at work. The copy is
brought up in transactions that each leave it resumable, checked, and renamed to the current catalog's name. The earlier
one is deleted at the next start that finds the new one in order. Whatever fails, the index is built anew instead.
"""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import msgspec

from pilotfish.store import schema
from pilotfish.store.errors import CatalogDamagedError
from pilotfish.store.matching import hump_key
from pilotfish.store.rows import DAMAGED

OnProgress = Callable[[int, int], object]

_Row = tuple[Any, ...]

ROWS_PER_TRANSACTION: Final = 5_000

FINGERPRINT: Final = "outlines.fingerprint"
"""The file beside a catalog that says what its rows were made with (`indexing.fingerprint`)."""

_KEPT: Final = ("files", "outlines", "symbols", "containers", "file_moves")
"""Tables of which no step may lose or add a row."""


class MigrationError(Exception):
    """A copy could not be brought up; the message says why."""


def bring_up(file: Path, *, on_progress: OnProgress, on_damage: Callable[[str], object]) -> None:
    """Make the catalog `file` from the newest earlier one, if it is not there yet and there is an earlier one.

    `on_progress` is told rows done and rows in all; `on_damage` that an earlier catalog could not be used.
    """
    earlier = earlier_files(file)
    if file.exists():
        for old in earlier:
            retire(old)
        return
    if not earlier:
        return
    copy = file.with_name(file.name + ".migrating")
    try:
        _copy(earlier[0], copy)
        _bring_up(copy, earlier[0], on_progress)
    except (sqlite3.DatabaseError, CatalogDamagedError, MigrationError, *DAMAGED) as error:
        _remove(copy)
        on_damage(f"the index of an earlier version could not be taken over ({error}); it is built anew")
        return
    with contextlib.suppress(OSError):  # without it every file is read again, which is right too
        shutil.copyfile(earlier[0].with_name(FINGERPRINT), file.with_name(FINGERPRINT))
    copy.replace(file)


def earlier_files(file: Path) -> list[Path]:
    """Return the catalogs of earlier versions that there is a way from, the newest first."""
    found = (file.parent.parent / folder_name(version) / file.name for version in sorted(STEPS, reverse=True))
    return [path for path in found if path != file and path.is_file()]


def folder_name(version: int) -> str:
    """Return the name of the folder that holds the index of one version."""
    return f"s{version}"


def retire(file: Path) -> bool:
    """Delete the catalog of an earlier version, unless someone has it open; tell whether it is gone."""
    try:
        with contextlib.closing(sqlite3.connect(file, timeout=0, isolation_level=None)) as connection:
            # Leaving WAL needs the file alone.
            connection.execute("PRAGMA journal_mode = DELETE")
    except sqlite3.OperationalError:
        return False
    except sqlite3.DatabaseError:
        pass  # damaged: nobody misses it
    with contextlib.suppress(OSError):
        _remove(file)
    return not file.exists()


def _copy(source: Path, copy: Path) -> None:
    """Copy a catalog as it is at this moment; a copy that is there already is whole and perhaps partly brought up."""
    if copy.exists():
        return
    unfinished = copy.with_name(copy.name + ".copying")
    _remove(unfinished)
    with (
        contextlib.closing(sqlite3.connect(f"{source.as_uri()}?mode=ro", uri=True, timeout=10)) as old,
        contextlib.closing(sqlite3.connect(unfinished)) as new,
    ):
        old.backup(new)
        new.execute("PRAGMA journal_mode = DELETE")
    unfinished.replace(copy)


def _bring_up(copy: Path, source: Path, on_progress: OnProgress) -> None:
    with contextlib.closing(sqlite3.connect(copy, isolation_level=None)) as connection:
        while (version := schema.version_of(connection)) < schema.SCHEMA_VERSION:
            STEPS[version](connection, on_progress)
        _verify(connection, source)


def _verify(connection: sqlite3.Connection, source: Path) -> None:
    """Check that the copy is sound and lost nothing."""
    (verdict,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
    if verdict != "ok":
        raise MigrationError(str(verdict))
    schema.probe(connection)
    wanted = connection.execute("SELECT value FROM meta WHERE key = 'migration_counts'").fetchone()
    if wanted is None or wanted[0] != _counts(connection):
        raise MigrationError(f"rows of {source} were lost")
    connection.execute("DELETE FROM meta WHERE key LIKE 'migration\\_%' ESCAPE '\\'")


def _counts(connection: sqlite3.Connection) -> str:
    return " ".join(f"{table}={connection.execute(f'SELECT count(*) FROM {table}').fetchone()[0]}" for table in _KEPT)


def _meta(connection: sqlite3.Connection, key: str, default: str) -> str:
    row = connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
    return default if row is None else str(row[0])


def _set_meta(connection: sqlite3.Connection, key: str, value: str) -> None:
    connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))


@contextlib.contextmanager
def _transaction(connection: sqlite3.Connection) -> Iterator[None]:
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise


def _add_humps(connection: sqlite3.Connection, on_progress: OnProgress) -> None:
    """1 -> 2: names get their hump key, by which `gUN` finds `getUserName`."""
    if not _meta(connection, "migration_counts", ""):
        with _transaction(connection):
            connection.execute("ALTER TABLE names ADD COLUMN hump TEXT")
            _set_meta(connection, "migration_counts", _counts(connection))

    def hump(row: _Row) -> _Row:
        name_id, name, folded = row
        return None if folded is None else hump_key(name), name_id

    names = "SELECT id, name, folded FROM names WHERE id > ? ORDER BY id LIMIT ?"
    _in_parts(connection, on_progress, "names", names, hump, "UPDATE names SET hump = ? WHERE id = ?")
    with _transaction(connection):
        connection.execute("CREATE INDEX names_by_hump ON names (hump) WHERE hump IS NOT NULL")
        connection.execute("PRAGMA user_version = 2")


def _drop_prose(connection: sqlite3.Connection, on_progress: OnProgress) -> None:
    """2 -> 3: outlines hold no signatures and documentation any more, but where these are read from the text.

    That is found when a file is parsed again, which the new fingerprint of outlines asks for anyway. Until then a
    definition has no body, and what is said of it is its beginning and the comment above.
    """
    if not _meta(connection, "migration_counts", ""):
        with _transaction(connection):
            _set_meta(connection, "migration_counts", _counts(connection))

    def convert(row: _Row) -> _Row:
        file_id, outline = row
        columns = msgspec.msgpack.decode(zlib.decompress(outline))
        # signatures, documentation, visibilities, containers -> visibilities, containers, heads, bodies, leads, prose
        columns[8:12] = [*columns[10:12], [], [-1] * len(columns[1]), [], []]
        return zlib.compress(msgspec.msgpack.encode(columns), 1), file_id

    outlines = "SELECT file_id, outline FROM outlines WHERE file_id > ? ORDER BY file_id LIMIT ?"
    _in_parts(
        connection, on_progress, "outlines", outlines, convert, "UPDATE outlines SET outline = ? WHERE file_id = ?"
    )
    with _transaction(connection):
        connection.execute("PRAGMA user_version = 3")


def _rank_names(connection: sqlite3.Connection, on_progress: OnProgress) -> None:
    """3 -> 4: an index of names in the order of answers takes the place of one that knew their first letter only."""
    with _transaction(connection):
        if not _meta(connection, "migration_counts", ""):
            _set_meta(connection, "migration_counts", _counts(connection))
        connection.execute("DROP INDEX names_by_letter")
        connection.execute(schema.NAMES_BY_RANK)
        connection.execute("PRAGMA user_version = 4")
    on_progress(1, 1)


def _make_chunks(connection: sqlite3.Connection, on_progress: OnProgress) -> None:
    """4 -> 5: tables for what search by content needs, and for the history. They stay empty until every file has been
    read again, which the new fingerprint of outlines asks for, and the commits for the first time."""
    with _transaction(connection):
        if not _meta(connection, "migration_counts", ""):
            _set_meta(connection, "migration_counts", _counts(connection))
        for statement in filter(str.strip, (schema.CHUNKS + schema.COMMITS).split(";")):
            connection.execute(statement)
        connection.execute("PRAGMA user_version = 5")
    on_progress(1, 1)


def _add_languages(connection: sqlite3.Connection, on_progress: OnProgress) -> None:
    """5 -> 6: outlines tell of each definition whether it is in another language than the file: none is, yet."""
    if not _meta(connection, "migration_counts", ""):
        with _transaction(connection):
            _set_meta(connection, "migration_counts", _counts(connection))

    def convert(row: _Row) -> _Row:
        file_id, outline = row
        columns = msgspec.msgpack.decode(zlib.decompress(outline))
        columns.insert(14, [])  # behind the prose
        return zlib.compress(msgspec.msgpack.encode(columns), 1), file_id

    outlines = "SELECT file_id, outline FROM outlines WHERE file_id > ? ORDER BY file_id LIMIT ?"
    _in_parts(
        connection, on_progress, "outlines", outlines, convert, "UPDATE outlines SET outline = ? WHERE file_id = ?"
    )
    with _transaction(connection):
        connection.execute("PRAGMA user_version = 6")


def _in_parts(
    connection: sqlite3.Connection,
    on_progress: OnProgress,
    table: str,
    select: str,
    change: Callable[[_Row], _Row],
    update: str,
) -> None:
    """Update a table row by row, by ascending id, which comes first in what `select` gives and last in an update; a
    step that was stopped goes on behind the last row done."""
    (total,) = connection.execute(f"SELECT count(*) FROM {table}").fetchone()
    last = int(_meta(connection, "migration_place", "0"))
    (done,) = connection.execute(f"SELECT count(*) FROM {table} WHERE rowid <= ?", (last,)).fetchone()
    while rows := connection.execute(select, (last, ROWS_PER_TRANSACTION)).fetchall():
        last = rows[-1][0]
        with _transaction(connection):
            connection.executemany(update, [change(row) for row in rows])
            _set_meta(connection, "migration_place", str(last))
        done += len(rows)
        on_progress(done, total)
    with _transaction(connection):
        connection.execute("DELETE FROM meta WHERE key = 'migration_place'")


STEPS: Final[dict[int, Callable[[sqlite3.Connection, OnProgress], None]]] = {
    1: _add_humps,
    2: _drop_prose,
    3: _rank_names,
    4: _make_chunks,
    5: _add_languages,
}
"""From each earlier version to the next. A step commits in parts and goes on where it was stopped."""


def _remove(file: Path) -> None:
    for suffix in ("", "-wal", "-shm", "-journal"):
        file.with_name(file.name + suffix).unlink(missing_ok=True)
