"""The tables of a catalog, their version, and the way from one version to the next.

A symbol's id is its file's id and its place in the outline, a chunk's its file's id and its place in the text; so those
of a file lie side by side and go by range.
A name's row has an id higher than any given out before whenever the name becomes defined, and keeps it while it is; so
what is kept in memory about names (`names.NameIndex`) is only ever added to. `folded` and `hump` are NULL while a name
is merely referenced.
"""

from __future__ import annotations

import re
import sqlite3
from typing import Final

from pilotfish.store.errors import CatalogDamagedError, CatalogError

SCHEMA_VERSION: Final = 6
"""Grows with every change of the tables or of what they hold; each version has a folder of its own."""

MINIMUM_SQLITE: Final = (3, 34, 0)
"""The first SQLite with trigram full text."""

ORDINAL_BITS: Final = 20
"""Bits of a symbol's or a chunk's id that count its place in the file."""

TABLES: Final = (
    "meta",
    "files",
    "outlines",
    "names",
    "containers",
    "symbols",
    "pending_uses",
    "file_moves",
    "texts",
    "chunks",
    "chunk_terms",
    "chunk_blocks",
    "outbox",
    "commits",
    "renames",
)
FULL_TEXT: Final = ("name_parts", "postings", "commit_terms")

VISIBILITY: Final = "CASE WHEN public > 0 THEN 0 WHEN restricted > 0 THEN 1 ELSE 2 END"
"""Of a row of `names`: how visible its most visible definition is."""

NAME_START: Final = "substr(name, 1, 4)"
"""Of a row of `names`: as much of it as `names_by_rank` holds with its case."""

NAMES_BY_RANK: Final = (
    f"CREATE INDEX names_by_rank ON names ({VISIBILITY}, uses DESC, folded, {NAME_START}) WHERE folded IS NOT NULL"
)
"""Names in the order of answers, for searches that a great part of all names match: they are met soon."""

CHUNKS: Final = """
CREATE TABLE texts (file_id INTEGER PRIMARY KEY, text BLOB NOT NULL);
CREATE TABLE chunks (
    id INTEGER PRIMARY KEY,
    start INTEGER NOT NULL,
    "end" INTEGER NOT NULL,
    line_start INTEGER NOT NULL,
    line_end INTEGER NOT NULL,
    node_type TEXT NOT NULL,
    kind INTEGER,
    name TEXT NOT NULL,
    scope TEXT NOT NULL,
    names TEXT NOT NULL,
    text_hash BLOB NOT NULL
);
CREATE TABLE chunk_terms (id INTEGER PRIMARY KEY, records BLOB NOT NULL);
CREATE TABLE chunk_blocks (block INTEGER PRIMARY KEY, sizes BLOB NOT NULL, lengths BLOB NOT NULL);
CREATE TABLE outbox (path TEXT PRIMARY KEY, generation INTEGER NOT NULL) WITHOUT ROWID;
"""
"""What search by content needs of a file: `full_text` says what `chunk_terms` and `chunk_blocks` hold; `outbox` names
the paths whose vectors are not what the catalog says yet."""

COMMITS: Final = """
CREATE TABLE commits (
    id INTEGER PRIMARY KEY,
    hash BLOB NOT NULL,
    time INTEGER NOT NULL,
    subject TEXT NOT NULL,
    body TEXT NOT NULL,
    files BLOB NOT NULL
);
CREATE UNIQUE INDEX commits_by_hash ON commits (hash);
CREATE INDEX commits_by_time ON commits (time);
CREATE TABLE renames (
    commit_id INTEGER NOT NULL,
    time INTEGER NOT NULL,
    old_path TEXT NOT NULL,
    new_path TEXT NOT NULL
);
CREATE INDEX renames_by_commit ON renames (commit_id);
CREATE INDEX renames_by_path ON renames (old_path);
CREATE VIRTUAL TABLE commit_terms USING fts5 (message, content = '', tokenize = 'ascii');
"""
"""The history (`store.commits`). Of a commit that says nothing about single files only its renames are kept."""

DDL: Final = f"""
CREATE TABLE meta (key TEXT PRIMARY KEY, value NOT NULL) WITHOUT ROWID;

CREATE TABLE files (
    id INTEGER PRIMARY KEY,
    path TEXT NOT NULL,
    content_hash BLOB NOT NULL,
    size INTEGER NOT NULL,
    mtime_ns INTEGER NOT NULL,
    racy INTEGER NOT NULL,
    language TEXT,
    encoding TEXT NOT NULL,
    status TEXT NOT NULL,
    skip_reason TEXT NOT NULL,
    symbols INTEGER NOT NULL,
    "references" INTEGER NOT NULL,
    has_errors INTEGER NOT NULL,
    deleted_at REAL
);
CREATE UNIQUE INDEX files_by_path ON files (path) WHERE deleted_at IS NULL;
CREATE INDEX files_by_content ON files (content_hash, size);
CREATE INDEX files_deleted ON files (deleted_at) WHERE deleted_at IS NOT NULL;

CREATE TABLE outlines (
    file_id INTEGER PRIMARY KEY,
    outline BLOB NOT NULL,
    line_table BLOB NOT NULL
);

CREATE TABLE names (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    folded TEXT,
    uses INTEGER NOT NULL,
    files INTEGER NOT NULL,
    public INTEGER NOT NULL,
    restricted INTEGER NOT NULL,
    private INTEGER NOT NULL,
    hump TEXT
);
CREATE UNIQUE INDEX names_by_name ON names (name);
CREATE INDEX names_by_folded ON names (folded) WHERE folded IS NOT NULL;
CREATE INDEX names_by_hump ON names (hump) WHERE hump IS NOT NULL;
{NAMES_BY_RANK};

CREATE TABLE containers (id INTEGER PRIMARY KEY, path TEXT NOT NULL, leaf TEXT NOT NULL);
CREATE UNIQUE INDEX containers_by_path ON containers (path);
CREATE INDEX containers_by_leaf ON containers (leaf);

CREATE TABLE symbols (
    id INTEGER PRIMARY KEY,
    name_id INTEGER NOT NULL,
    kind INTEGER NOT NULL,
    visibility INTEGER NOT NULL,
    container_id INTEGER,
    line INTEGER NOT NULL,
    "column" INTEGER NOT NULL,
    width INTEGER NOT NULL,
    wide BLOB
);
CREATE INDEX symbols_by_name ON symbols (name_id, visibility);
CREATE INDEX symbols_by_container ON symbols (container_id) WHERE container_id IS NOT NULL;

CREATE VIRTUAL TABLE name_parts USING fts5 (
    folded, content = '', columnsize = 0, detail = none, tokenize = 'trigram case_sensitive 1'
);
CREATE VIRTUAL TABLE postings USING fts5 (
    tokens, content = '', columnsize = 0, detail = none, tokenize = "ascii tokenchars '-_'"
);
CREATE TABLE pending_uses (id INTEGER PRIMARY KEY, deltas BLOB NOT NULL);

CREATE TABLE file_moves (
    id INTEGER PRIMARY KEY,
    old_path TEXT NOT NULL,
    new_path TEXT NOT NULL,
    content_hash BLOB NOT NULL,
    moved_at REAL NOT NULL,
    move_type TEXT NOT NULL
);
{CHUNKS}{COMMITS}"""

PARTS: Final = frozenset(re.findall(r"^CREATE (?:UNIQUE |VIRTUAL )?(?:TABLE|INDEX) (\w+)", DDL, re.MULTILINE))
"""The names of all tables and indexes."""


def require_sqlite() -> None:
    """Raise `CatalogError` where the SQLite that Python was built with is too old."""
    if sqlite3.sqlite_version_info < MINIMUM_SQLITE:
        wanted = ".".join(map(str, MINIMUM_SQLITE))
        raise CatalogError(
            f"SQLite {sqlite3.sqlite_version} has no trigram search; use a Python whose sqlite3 is {wanted} or newer"
        )


def connect(file: str, *, read_only: bool = False, uri: bool = False) -> sqlite3.Connection:
    """Open a catalog's file with the settings that every connection to it needs."""
    connection = sqlite3.connect(file, timeout=10, isolation_level=None, check_same_thread=False, uri=uri)
    try:
        connection.execute("PRAGMA temp_store = MEMORY")
        connection.execute("PRAGMA mmap_size = 268435456")
        if read_only:
            connection.execute("PRAGMA cache_size = -4000")
            connection.execute("PRAGMA query_only = ON")
        else:
            connection.execute("PRAGMA cache_size = -16000")
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            # A checkpoint per 64 MiB: a bulk load changes the same pages of its indexes again and again.
            connection.execute("PRAGMA wal_autocheckpoint = 16384")
            connection.execute("PRAGMA journal_size_limit = 67108864")
    except BaseException:
        connection.close()
        raise
    return connection


def create(connection: sqlite3.Connection) -> None:
    """Make the tables of the current version in an empty database, in one transaction."""
    connection.executescript(f"BEGIN; {DDL} PRAGMA user_version = {SCHEMA_VERSION}; COMMIT;")


def version_of(connection: sqlite3.Connection) -> int:
    """Return the version of the tables; 0 in an empty database."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    return int(version)


def probe(connection: sqlite3.Connection) -> None:
    """Look at every table and index.

    Raises:
        sqlite3.DatabaseError: the file is no database, or damaged at its roots.
        CatalogDamagedError: it lacks a part of the current version.

    """
    missing = PARTS - {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
    if missing:
        raise CatalogDamagedError(f"no {', '.join(sorted(missing))} in it")
    for table in TABLES:
        connection.execute(f"SELECT * FROM {table} LIMIT 1").fetchone()
    for table in FULL_TEXT:
        connection.execute(f"SELECT rowid FROM {table} WHERE {table} MATCH 'abc' LIMIT 1").fetchone()
