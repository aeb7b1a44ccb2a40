"""What workers hand over of the chunks of files and open texts: everything that is text, and nothing that is secret."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from pilotfish.config import ChunkSettings, LimitSettings, SemanticSettings, Settings
from pilotfish.indexing.chunk_rows import chunk_rows
from pilotfish.indexing.workers import ParsePool
from pilotfish.store.postings import MOST_CHUNKS
from pilotfish.store.rows import PackedChunks, ParsedFile, unpack_chunks, unpack_outline, unpack_text
from pilotfish.syntax.chunks import ChunkSizes
from pilotfish.syntax.outline import Outline, SymbolKind
from pilotfish.syntax.passages import HASH_BYTES

SHOP = '''\
import os


class Shop:
    """Sells things."""

    def total(self, orders):
        return sum(order.price for order in orders)

    def open(self):
        self.is_open = True
'''
RANDOM = "aB3xK9mQ2pLw7Z"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "root").mkdir()
    (tmp_path / "index").mkdir()
    return (tmp_path / "root").resolve()


@pytest.fixture
async def pool(root: Path) -> AsyncIterator[ParsePool]:
    settings = Settings(limits=LimitSettings(workers=1), chunks=ChunkSettings(target=80, max=100, min=10))
    pool = ParsePool(root, settings, root.parent / "index", log=lambda level, line: None)
    yield pool
    await pool.close()


async def read(pool: ParsePool, root: Path, name: str, text: str) -> ParsedFile:
    (root / name).parent.mkdir(parents=True, exist_ok=True)
    (root / name).write_text(text)
    (examined,) = await pool.examine([name])
    assert examined.file is not None
    return examined.file


def texts(chunks: PackedChunks, text: str) -> list[str]:
    return [text[start:end] for start, end in zip(chunks.starts, chunks.ends, strict=True)]


async def test_rows_say_where_chunks_are_and_what_they_are_about(pool: ParsePool, root: Path):
    file = await read(pool, root, "shop.py", SHOP)
    chunks = unpack_chunks(file.chunks)
    assert texts(chunks, unpack_text(file.text).decode()) == [
        SHOP[: SHOP.index("    def open")].rstrip(),
        SHOP[SHOP.index("    def open") :].rstrip(),
    ]
    assert (chunks.first_lines, chunks.last_lines) == ([1, 10], [8, 11])
    assert [*chunks.kinds] == [SymbolKind.CLASS, SymbolKind.METHOD]
    assert (chunks.names, chunks.scopes, chunks.defined) == (["Shop", "open"], ["", "Shop"], ["Shop total", "open"])


async def test_a_passage_changes_only_with_its_own_text(pool: ParsePool, root: Path):
    before = unpack_chunks((await read(pool, root, "shop.py", SHOP)).chunks)
    edited = unpack_chunks((await read(pool, root, "other/store.py", SHOP.replace("True", "False"))).chunks)
    assert before.hashes[:HASH_BYTES] == edited.hashes[:HASH_BYTES]
    assert before.hashes[HASH_BYTES:] != edited.hashes[HASH_BYTES:]


def test_a_file_of_too_many_chunks_has_larger_ones():
    text = b"".join(b"%d\n\n" % number for number in range(3 * MOST_CHUNKS))
    rows = chunk_rows(text, Outline(language=""), None, ChunkSizes(target=5, most=5, least=0))
    assert MOST_CHUNKS // 2 < len(rows.starts) <= MOST_CHUNKS
    parts = [text[start:end] for start, end in zip(rows.starts, rows.ends, strict=True)]
    assert [word for part in parts for word in part.split()] == text.split()


async def test_texts_in_no_known_language_have_chunks(pool: ParsePool, root: Path):
    text = "Shop\n====\n\nSells things.\n"
    file = await read(pool, root, "guide.txt", text)
    assert (file.status, file.language, file.outline) == ("listed", None, None)
    assert texts(unpack_chunks(file.chunks), text) == [text.rstrip()]


@pytest.mark.parametrize(
    ("name", "text"),
    [(".env", "A=1\n"), ("key", "-----BEGIN PRIVATE KEY-----\nabc\n"), ("empty.py", " \n"), ("data", "a\0b")],
)
async def test_secrets_and_what_is_no_text_have_none(pool: ParsePool, root: Path, name: str, text: str):
    file = await read(pool, root, name, text)
    assert (file.chunks, file.text) == (b"", b"")


async def test_secret_stretches_are_in_nothing_that_is_handed_over(pool: ParsePool, root: Path):
    text = f'PASSWORD = "{RANDOM}"\n\n\ndef connect(): pass\n'
    file = await read(pool, root, "settings.py", text)
    shown = unpack_text(file.text).decode()
    assert shown == text.replace(RANDOM, "*" * len(RANDOM))
    other = await read(pool, root, "other.py", text.replace(RANDOM, RANDOM[::-1]))
    assert other.chunks == file.chunks


async def test_what_looks_like_a_secret_is_no_name(pool: ParsePool, root: Path):
    token = "ghp_" + "a1B2" * 9
    text = f"{token}:\n  inner: é\n"
    file = await read(pool, root, "keys.yaml", text)
    names = [symbol.name for symbol in unpack_outline(file.outline).symbols]
    assert names == ["*" * len(token), "inner"]
    assert token.encode() not in file.rows + file.chunks
    parsed = await pool.parse_text(text.encode(), "yaml", "keys.yaml")
    assert [symbol.name for symbol in parsed.outline.symbols] == names
    assert token.encode() not in parsed.chunks


async def test_the_user_may_have_secrets_indexed(root: Path):
    settings = Settings(limits=LimitSettings(workers=1), semantic=SemanticSettings(secrets=True))
    pool = ParsePool(root, settings, root.parent / "index", log=lambda level, line: None)
    try:
        file = await read(pool, root, ".env", f"PASSWORD={RANDOM}\n")
        assert unpack_text(file.text) == f"PASSWORD={RANDOM}\n".encode()
    finally:
        await pool.close()


async def test_open_texts_have_chunks_unless_they_are_secret(pool: ParsePool):
    parsed = await pool.parse_text(SHOP.encode(), "python", "shop.py")
    assert texts(unpack_chunks(parsed.chunks), SHOP)[0].startswith("import os")
    assert (await pool.parse_text(b"A=1\n", None, "deploy/.env")).chunks == b""
    assert (await pool.parse_text(b"_authToken=abc\n", None, "web/.npmrc")).chunks == b""
    plain = await pool.parse_text(b"Notes of mine.\n", None, "untitled:1")
    assert unpack_chunks(plain.chunks).starts == [0]
