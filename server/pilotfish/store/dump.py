"""Everything that an answer can come from, in one canonical form: what two catalogs of the same tree must share.

Row ids are replaced by what they stand for; generation, times, tombstones and remembered moves are left out (DESIGN
invariant 1). Full text is read from its own index, so that a ghost of a deleted name shows.
"""

from __future__ import annotations

import contextlib
import sqlite3
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pilotfish.store.postings import FILE_BITS, FILES, PATH, PLACE_SHIFT, TERM_BITS, WEIGHT_SHIFT, frequencies
from pilotfish.store.rows import unpack_outline, unpack_text
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
    "chunks": f'SELECT f.path, c.id & {(1 << ORDINAL_BITS) - 1}, c.start, c."end", c.line_start, c.line_end, '
    "c.node_type, c.kind, c.name, c.scope, c.names, hex(c.text_hash) FROM chunks c "
    f"LEFT JOIN files f ON f.id = c.id >> {ORDINAL_BITS} WHERE f.deleted_at IS NULL",
    "texts": "SELECT f.path, t.text FROM texts t LEFT JOIN files f ON f.id = t.file_id WHERE f.deleted_at IS NULL",
    "commits": "SELECT hex(hash), time, subject, body, hex(files) FROM commits",
    "renames": "SELECT hex(c.hash), r.time, old_path, new_path FROM renames r LEFT JOIN commits c ON c.id = commit_id",
    "commit_terms": "SELECT v.term, hex(c.hash) FROM temp.messages v LEFT JOIN commits c ON c.id = v.doc",
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
        content["texts"] = sorted((path, unpack_text(text)) for path, text in content["texts"])
        content["chunk_terms"] = sorted(_records(connection), key=repr)
        content["outlines"] = sorted((path, repr(unpack_outline(outline))) for path, outline in outlines)
    return content


def _records(connection: sqlite3.Connection) -> Iterator[tuple[Any, ...]]:
    """Yield the full text of the chunks: of each record its term, path, place in the file and what it counts; then how
    many chunks and terms there are of each path."""
    paths: dict[int, str | None] = dict(connection.execute("SELECT id, iif(deleted_at IS NULL, path, NULL) FROM files"))
    for row, records in connection.execute("SELECT id, records FROM chunk_terms"):
        first, term = row >> TERM_BITS << FILE_BITS, row & ((1 << TERM_BITS) - 1)
        for (record,) in struct.iter_unpack("<I", records):
            path = paths.get(first + (record & (FILES - 1)), "a ghost")
            if path is not None:
                yield term, path, record >> PLACE_SHIFT & PATH, frequencies(record >> WEIGHT_SHIFT)
    for block, sizes, lengths in connection.execute("SELECT block, sizes, lengths FROM chunk_blocks"):
        of_files = zip(struct.iter_unpack("<H", sizes), struct.iter_unpack("<I", lengths), strict=True)
        for file_id, ((size,), (length,)) in enumerate(of_files, block << FILE_BITS):
            if size and (path := paths.get(file_id, "a ghost")) is not None:
                yield path, size, length
