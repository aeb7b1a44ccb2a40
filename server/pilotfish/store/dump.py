"""Everything that an answer can come from, in one canonical form: what two catalogs of the same tree must share.

Row ids are replaced by what they stand for; generation, times, tombstones and remembered moves are left out (DESIGN
invariant 1). Full text is read from its own index, so that a ghost of a deleted name shows.
"""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path
from typing import Any

from pilotfish.store.rows import unpack_outline
from pilotfish.store.schema import ORDINAL_BITS

_LIVE = "FROM files f WHERE f.deleted_at IS NULL"

_TABLES = {
    "files": "SELECT path, hex(content_hash), size, language, encoding, status, skip_reason, symbols, "
    f'"references", has_errors {_LIVE}',
    "line_tables": "SELECT f.path, hex(o.line_table) FROM outlines o JOIN files f ON f.id = o.file_id "
    "WHERE f.deleted_at IS NULL",
    "symbols": f"SELECT f.path, s.id & {(1 << ORDINAL_BITS) - 1}, n.name, s.kind, s.visibility, c.path, s.line, "
    's."column", s.width, hex(s.wide) FROM symbols s '
    f"LEFT JOIN files f ON f.id = s.id >> {ORDINAL_BITS} LEFT JOIN names n ON n.id = s.name_id "
    "LEFT JOIN containers c ON c.id = s.container_id",
    "names": "SELECT name, folded, hump, uses, files, public, restricted, private FROM names",
    "containers": "SELECT path, leaf FROM containers",
    "postings": "SELECT v.term, f.path FROM temp.tokens v LEFT JOIN files f ON f.id = v.doc",
    "name_parts": "SELECT v.term, n.name FROM temp.parts v LEFT JOIN names n ON n.id = v.doc",
    "pending": "SELECT count(*) FROM pending_uses",
    "commits": "SELECT hex(hash), time, subject, body, hex(files) FROM commits",
    "renames": "SELECT hex(c.hash), r.time, old_path, new_path FROM renames r LEFT JOIN commits c ON c.id = commit_id",
    "commit_terms": "SELECT v.term, v.col, hex(c.hash) FROM temp.messages v LEFT JOIN commits c ON c.id = v.doc",
}


def dump(file: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Return the content of the catalog in `file`, by table; rows in a fixed order."""
    with contextlib.closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as connection:
        connection.execute("CREATE VIRTUAL TABLE temp.tokens USING fts5vocab(main, postings, instance)")
        connection.execute("CREATE VIRTUAL TABLE temp.parts USING fts5vocab(main, name_parts, instance)")
        connection.execute("CREATE VIRTUAL TABLE temp.messages USING fts5vocab(main, commit_terms, instance)")
        connection.execute("BEGIN")
        content = {table: sorted(connection.execute(sql), key=repr) for table, sql in _TABLES.items()}
        outlines = connection.execute(
            "SELECT f.path, o.outline FROM outlines o JOIN files f ON f.id = o.file_id WHERE f.deleted_at IS NULL"
        )
        content["outlines"] = sorted((path, repr(unpack_outline(outline))) for path, outline in outlines)
    return content
