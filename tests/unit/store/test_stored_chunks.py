"""What search by content asks the catalog: chunks by terms, by path and by id, texts, and the outbox of vectors."""

from __future__ import annotations

import hashlib
import os
import sqlite3
import subprocess
import sys

import msgspec
import pytest

from pilotfish.store.catalog import Batch, Catalog, CatalogDamagedError, Move, ParsedFile
from pilotfish.store.chunks import ChunkFilter, ChunkRow, Chunks
from pilotfish.store.postings import MOST_CHUNKS
from pilotfish.store.rows import ChunkRows, pack_chunks, pack_text
from pilotfish.syntax.outline import SymbolKind
from pilotfish.syntax.passages import hash_of
from pilotfish.syntax.terms import terms

CART = "class Cart: pass\ndef add_item(cart): retry(cart)\n"
RETRY = "def retry_later(): wait and retry\n"

READER = """
import sys
from pathlib import Path
from pilotfish.store.chunks import open_chunks
with open_chunks(Path(sys.argv[1])) as chunks:
    for row in chunks.rows([hit.id for hit in chunks.lexical(["retry"], 5)]):
        print(row.path, row.line_start, chunks.text(row.path)[row.start:row.end].decode().strip(), sep="|")
"""


def cut(path: str, text: str, language: str | None = "python") -> ParsedFile:
    """Return a file with a chunk a line, about what its second word names."""
    lines = text.splitlines(keepends=True)
    words = [line.split() for line in lines]
    names = [each[1].partition("(")[0].rstrip(":") if each[0] in ("def", "class") else "" for each in words]
    ends = [len("".join(lines[: number + 1])) for number in range(len(lines))]
    rows = ChunkRows(
        starts=[0, *ends[:-1]][: len(lines)],
        ends=ends,
        first_lines=list(range(1, len(lines) + 1)),
        last_lines=list(range(1, len(lines) + 1)),
        node_types=["line"] * len(lines),
        kinds=bytes([SymbolKind.CLASS if each[0] == "class" else SymbolKind.FUNCTION for each in words]),
        names=names,
        scopes=[""] * len(lines),
        defined=names,
        hashes=b"".join(map(hash_of, lines)),
        bodies=list(map(terms, lines)),
        titles=list(map(terms, names)),
    )
    data = text.encode()
    return ParsedFile(
        path,
        hashlib.sha256(data).digest(),
        len(data),
        mtime_ns=1,
        language=language,
        status="listed",
        chunks=pack_chunks(rows),
        text=pack_text(data),
    )


def chunks(catalog: Catalog) -> Chunks:
    return catalog.reader().chunks


def found(catalog: Catalog, *asked: str, **filters: object) -> list[str]:
    reader = chunks(catalog)
    hits = reader.lexical(terms(" ".join(asked)).split(), 10, ChunkFilter(**filters))  # type: ignore[arg-type]
    return [f"{row.path}:{row.line_start}" for row in reader.rows([hit.id for hit in hits])]


@pytest.fixture
def shop(catalog: Catalog) -> Catalog:
    catalog.apply(Batch(parsed=[cut("shop/cart.py", CART), cut("net/retry.py", RETRY), cut("a.go", RETRY, "go")]))
    return catalog


def test_names_and_paths_count_more_than_text(shop: Catalog) -> None:
    assert found(shop, "retry") == ["net/retry.py:1", "a.go:1", "shop/cart.py:2"]
    assert found(shop, "cart", "shop") == ["shop/cart.py:1", "shop/cart.py:2"]
    assert found(shop, "none") == []
    assert found(shop) == []
    assert chunks(shop).frequencies(["retry", "cart", "none"]) == {"retry": 3, "cart": 2}


def test_filters_leave_room_for_what_passes_them(shop: Catalog) -> None:
    assert found(shop, "retry", path_glob="*.py") == ["net/retry.py:1", "shop/cart.py:2"]
    assert found(shop, "retry", languages=["go"]) == ["a.go:1"]
    assert found(shop, "cart", kinds=[SymbolKind.CLASS]) == ["shop/cart.py:1"]
    assert found(shop, "retry", accepts=lambda path: "shop" in path) == ["shop/cart.py:2"]
    many = "def retry_now(): retry retry retry\n" * 50
    shop.apply(Batch(parsed=[cut("many.py", many)]))
    hits = chunks(shop).lexical(["retry"], 1, ChunkFilter(languages=["go"]))
    assert [row.path for row in chunks(shop).rows([hit.id for hit in hits])] == ["a.go"]


def test_a_move_keeps_rows_and_text_and_changes_what_the_path_says(shop: Catalog) -> None:
    before = chunks(shop).of_path("net/retry.py")
    shop.apply(Batch(moves=[Move("net", "wire", "folder"), Move("a.go", "b.go", "copy")]))
    (row,) = before
    assert chunks(shop).of_path("wire/retry.py") == [row._replace(path="wire/retry.py")]
    assert chunks(shop).text("wire/retry.py") == RETRY.encode()
    assert found(shop, "wire") == ["wire/retry.py:1"]
    assert found(shop, "net") == []
    assert found(shop, "retry") == ["wire/retry.py:1", "a.go:1", "b.go:1", "shop/cart.py:2"]
    assert chunks(shop).of_path("net/retry.py") == []


def test_a_deleted_file_is_out_of_every_answer_at_once_and_can_come_back(shop: Catalog) -> None:
    once = chunks(shop).lexical(["retry", "cart"], 10)
    shop.apply(Batch(deleted=["net/retry.py", "a.go"]))
    assert found(shop, "retry") == ["shop/cart.py:2"]
    assert chunks(shop).frequencies(["retry"]) == {"retry": 1}
    assert chunks(shop).count() == 2
    shop.apply(Batch(moves=[Move("net/retry.py", "net/retry.py", "rename"), Move("a.go", "a.go", "rename")]))
    assert chunks(shop).lexical(["retry", "cart"], 10) == once
    shop.apply(Batch(deleted=["net/retry.py"]))
    shop.purge(1e12)
    for table in ("chunks", "texts", "chunk_terms"):
        (rows,) = shop._connection.execute(f"SELECT count(*) FROM {table}").fetchone()
        assert rows > 0
    assert all("net/retry.py" not in str(rows) for rows in shop.reader().dump().values())


def test_the_outbox_names_what_has_other_vectors_until_these_are_made(shop: Catalog) -> None:
    def pending() -> list[str]:
        return [path for path, _ in chunks(shop).pending()]

    assert pending() == ["a.go", "net/retry.py", "shop/cart.py"]
    assert [path for path, _ in chunks(shop).pending(1)] == ["a.go"]
    shop.settle_outbox(chunks(shop).pending(), rows=4)
    assert chunks(shop).pending() == []
    shop.apply(Batch(parsed=[cut("shop/cart.py", CART)], touched=[("a.go", 1, 2, False)]))
    assert pending() == []  # the same chunks
    shop.apply(Batch(parsed=[cut("shop/cart.py", CART + RETRY)], moves=[Move("net", "wire", "folder")]))
    assert pending() == ["net/retry.py", "shop/cart.py", "wire/retry.py"]
    stale = chunks(shop).pending()
    shop.apply(Batch(deleted=["wire"]))
    shop.settle_outbox(stale, rows=4)
    assert pending() == ["wire/retry.py"]  # it came in again meanwhile
    shop.purge(1e12)
    assert pending() == ["wire/retry.py"]
    assert shop.fill_outbox() == 3
    shop.apply(Batch(parsed=[msgspec.structs.replace(cut("a.go", RETRY), chunks=b"", text=b"")]))
    assert chunks(shop).of_path("a.go") == []


def test_another_process_reads_it_too(shop: Catalog) -> None:
    done = subprocess.run([sys.executable, "-I", "-c", READER, str(shop.file)], capture_output=True, text=True)
    assert done.stdout.splitlines() == [
        "net/retry.py|1|def retry_later(): wait and retry",
        "a.go|1|def retry_later(): wait and retry",
        "shop/cart.py|2|def add_item(cart): retry(cart)",
    ], done.stderr


def test_a_damaged_text_is_noticed(shop: Catalog) -> None:
    with sqlite3.connect(shop.file) as connection:
        connection.execute("UPDATE texts SET text = x'00'")
    connection.close()
    with pytest.raises(CatalogDamagedError, match=r"net/retry\.py"):
        chunks(shop).text("net/retry.py")


def test_chunks_beyond_the_most_are_left_out(catalog: Catalog) -> None:
    catalog.apply(Batch(parsed=[cut("long.txt", "word\n" * (MOST_CHUNKS + 5), None)]))
    assert chunks(catalog).count() == MOST_CHUNKS
    assert len(chunks(catalog).of_path("long.txt")) == MOST_CHUNKS


def test_edits_leave_neither_rows_nor_ghosts(shop: Catalog) -> None:
    def rows() -> int:
        (count,) = shop._connection.execute("SELECT count(*) FROM chunk_terms").fetchone()
        return int(count)

    before = rows()
    for number in range(20):
        shop.apply(Batch(parsed=[cut("shop/cart.py", f"def edit{number}_{os.urandom(4).hex()}(): pass\n")]))
    shop.apply(Batch(parsed=[cut("shop/cart.py", CART)]))
    assert rows() == before


def test_chunks_that_begin_in_some_lines(shop: Catalog) -> None:
    reader = chunks(shop)
    first, second = reader.of_path("shop/cart.py")
    places = [("shop/cart.py", 2), ("shop/cart.py", 9), ('it\'s "gone".py', 1), ("shop/cart.py", 1)]
    assert reader.at(places) == {("shop/cart.py", 1): first, ("shop/cart.py", 2): second}


def test_rows_come_in_the_order_that_they_are_asked_for(shop: Catalog) -> None:
    reader = chunks(shop)
    ids = [row.id for path in ("shop/cart.py", "a.go") for row in reader.of_path(path)]
    rows = reader.rows([*reversed(ids), 12345678])
    assert [row.id for row in rows] == ids[::-1]
    assert rows[0] == ChunkRow(
        *(ids[-1], "a.go", "go", 0, len(RETRY), 1, 1, "line"),
        *(int(SymbolKind.FUNCTION), "retry_later", "", "retry_later", hash_of(RETRY)),
    )
