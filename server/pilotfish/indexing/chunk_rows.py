"""What the catalog is told of the chunks of one text: pure, and made where the syntax tree is, in a parse worker."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from typing import TYPE_CHECKING

from pilotfish.store.matching import clean
from pilotfish.store.postings import MOST_CHUNKS
from pilotfish.store.rows import ChunkRows
from pilotfish.syntax.chunks import ChunkSizes, chunks_of
from pilotfish.syntax.injections import NOTHING
from pilotfish.syntax.outline import Outline, qualified_containers
from pilotfish.syntax.passages import hash_of, passage_of
from pilotfish.syntax.terms import terms
from pilotfish.syntax.text import lines_and_columns

if TYPE_CHECKING:
    from tree_sitter import Node, Tree


def chunk_rows(
    text: bytes, outline: Outline, tree: Tree | None, sizes: ChunkSizes, embedded: Mapping[int, Node] = NOTHING
) -> ChunkRows:
    """Cut a text into chunks and return their rows: larger chunks where there would be more than the catalog keeps.

    Args:
        text: UTF-8 as it may be shown to anybody: without the secrets in it (`workspace.secrets.redact`).
        outline: what it says structurally.
        tree: its syntax tree; None where no grammar reads it.
        sizes: how large chunks are.
        embedded: the roots of the trees of embedded code by the `id` of the node that holds it.

    """
    # Of small chunks a huge file has too many.
    while len(chunks := chunks_of(tree, text, outline, sizes, embedded)) > MOST_CHUNKS:
        sizes = ChunkSizes(2 * sizes.target, 2 * sizes.most, 2 * sizes.least)
    symbols = outline.symbols
    scopes = qualified_containers(symbols) if chunks else []
    starts = [symbol.start for symbol in symbols]
    rows = ChunkRows([], [], [], [], [], b"", [], [], [], b"", [], [])
    kinds, hashes = bytearray(), bytearray()
    for chunk in chunks:
        code = text[chunk.start : chunk.end].decode("utf-8", "replace")
        first, last = bisect_left(starts, chunk.start), bisect_left(starts, chunk.end)
        defined = clean(" ".join(dict.fromkeys(symbol.name for symbol in symbols[first:last])))
        about = symbols[chunk.symbol] if chunk.symbol >= 0 else None
        name = clean(about.name) if about is not None else ""
        scope = clean(scopes[chunk.symbol]) if about is not None else ""
        rows.starts.append(chunk.start)
        rows.ends.append(chunk.end)
        rows.node_types.append(chunk.node_type)
        kinds.append(about.kind if about is not None else 0)
        rows.names.append(name)
        rows.scopes.append(scope)
        rows.defined.append(defined)
        hashes += hash_of(passage_of(code, name, scope))
        rows.bodies.append(terms(code))
        rows.titles.append(terms(f"{scope} {defined or name}"))
    rows.kinds, rows.hashes = bytes(kinds), bytes(hashes)
    rows.first_lines = [line + 1 for line, _ in lines_and_columns(text, rows.starts)]
    rows.last_lines = [line + 1 for line, _ in lines_and_columns(text, [end - 1 for end in rows.ends])]
    return rows
