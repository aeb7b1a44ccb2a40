"""Makes a catalog as version 1 of the tables had it: `python earlier_catalog.py FILE`.

Version 1 had no chunks and no hump keys, an index of the most used names by their first letter, and kept signatures and
documentation in its outlines. The statements are frozen: what they make is what was on disk then. Everything else is as
the current writer leaves it, so the content comes from a current catalog.
"""

from __future__ import annotations

import contextlib
import sqlite3
import sys
import tempfile
import zlib
from pathlib import Path

import msgspec
from catalog_sources import listed, parsed

from pilotfish.store.catalog import Batch, Catalog

FILES = [
    parsed("a.py", "class Engine\n  def getUserName\n  def open\nuse open open unknown"),
    parsed("b.py", "def get_user_name\ndef Überbau\nuse getUserName open"),
    listed("READ-ME.md"),
]

TO_VERSION_1 = """
    DROP TABLE texts;
    DROP TABLE chunks;
    DROP TABLE chunk_terms;
    DROP TABLE chunk_blocks;
    DROP TABLE outbox;
    DROP TABLE commits;
    DROP TABLE renames;
    DROP TABLE commit_terms;
    DROP INDEX names_by_rank;
    CREATE INDEX names_by_letter ON names (substr(folded, 1, 1), uses)
        WHERE folded IS NOT NULL AND uses > 0 AND public > 0;
    DROP INDEX names_by_hump;
    ALTER TABLE names DROP COLUMN hump;
    PRAGMA user_version = 1;
"""


def with_prose(outline: bytes) -> bytes:
    """Return a packed outline as versions 1 and 2 had it."""
    columns = msgspec.msgpack.decode(zlib.decompress(outline))
    names = columns[1]
    columns[8:15] = [[f"def {name}" for name in names], [""] * len(names), columns[8], columns[9] or [""] * len(names)]
    return zlib.compress(msgspec.msgpack.encode(columns), 1)


def make(file: Path) -> None:
    """Write the version 1 of a catalog of `FILES`."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        catalog = Catalog.open(Path(folder))
        catalog.apply(Batch(parsed=FILES))
        catalog.close()
        with contextlib.closing(sqlite3.connect(catalog.file)) as connection, connection:
            for file_id, outline in connection.execute("SELECT file_id, outline FROM outlines").fetchall():
                connection.execute("UPDATE outlines SET outline = ? WHERE file_id = ?", (with_prose(outline), file_id))
        catalog.file.replace(file)
    connection = sqlite3.connect(file)
    connection.executescript(TO_VERSION_1)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.close()


if __name__ == "__main__":
    make(Path(sys.argv[1]))
