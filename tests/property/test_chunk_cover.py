"""Whatever the text: its chunks hold all of it once, in order, within their sizes; and terms can be asked for."""

from __future__ import annotations

import re
import sqlite3
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.readers import OUTLINER

from pilotfish.syntax.chunks import ChunkSizes, chunks_of
from pilotfish.syntax.languages import REGISTRY
from pilotfish.syntax.outline import Outline
from pilotfish.syntax.terms import question_terms, terms
from pilotfish.syntax.text import decode
from pilotfish.workspace.secrets import redact

FIXTURES = Path(__file__).parents[1] / "fixtures" / "outlines"
SOURCES = {
    language: next(path for path in sorted((FIXTURES / language).iterdir()) if path.suffix != ".outline").read_bytes()
    for language in REGISTRY
}
GARBAGE = st.one_of(
    st.binary(max_size=20),
    st.sampled_from(
        (b"{", b"}", b"(", b'"', b"'", b"\n", b"\n\n\n", b"\r", b"/*", b"#", b"x" * 400, "漢".encode() * 90)
    ),
)
SIZES = st.tuples(st.integers(1, 80), st.integers(0, 200), st.integers(0, 40)).map(
    lambda drawn: ChunkSizes(drawn[0], drawn[0] + drawn[1], min(drawn[0], drawn[2]))
)


def assert_whole(text: bytes, language: str | None, sizes: ChunkSizes) -> None:
    outline, tree = OUTLINER.read(text, language)[:2] if language else (Outline(""), None)
    chunks = chunks_of(tree, text, outline, sizes)
    place = 0
    for chunk in chunks:
        assert not text[place : chunk.start].strip()
        piece = text[chunk.start : chunk.end]
        assert piece.strip()
        assert piece.rstrip(b" \t\r\f\v") == piece
        assert len(re.sub(r"[ \t\r\n\f\v]", "", piece.decode())) <= sizes.most
        assert -1 <= chunk.symbol < len(outline.symbols)
        if chunk.symbol >= 0:
            symbol = outline.symbols[chunk.symbol]
            assert symbol.start < chunk.end
            assert symbol.end > chunk.start or symbol.start == symbol.end
        assert chunk.node_type
        place = chunk.end
    assert not text[place:].strip()
    assert chunks == chunks_of(tree, text, outline, sizes)


@pytest.mark.parametrize("language", REGISTRY)
@settings(max_examples=8, deadline=None)
@given(data=st.data())
def test_all_of_a_broken_text_is_in_its_chunks(language: str, data: st.DataObject) -> None:
    source = SOURCES[language]
    start = data.draw(st.integers(0, len(source)), "start")
    end = data.draw(st.integers(start, len(source)), "end")
    text = decode(source[:start] + data.draw(GARBAGE, "garbage") + source[end:]).text
    assert_whole(text, language, data.draw(SIZES, "sizes"))


@settings(max_examples=200, deadline=None)
@given(
    text=st.lists(
        st.one_of(st.text(max_size=30), st.sampled_from(("\n", "\n\n", "\r\n", "====\n", "----", "é漢😀", "w " * 60)))
    ).map("".join),
    sizes=SIZES,
)
def test_all_of_a_plain_text_is_in_its_chunks(text: str, sizes: ChunkSizes) -> None:
    assert_whole(text.encode("utf-8", "replace"), None, sizes)


@pytest.mark.parametrize("language", REGISTRY)
def test_line_ends_do_not_change_chunks(language: str) -> None:
    sizes = ChunkSizes(120, 240, 30)
    cut = []
    for text in (SOURCES[language], SOURCES[language].replace(b"\n", b"\r\n")):
        outline, tree = OUTLINER.read(text, language)[:2]
        cut.append([text[chunk.start : chunk.end].split() for chunk in chunks_of(tree, text, outline, sizes)])
    assert cut[0] == cut[1]


WORDS = st.text(
    st.one_of(st.characters(max_codepoint=0x7F), st.characters(), st.sampled_from("漢字ภาษาไทย한국어éßİǅΐ½²_")),
    max_size=60,
)


@settings(max_examples=300, deadline=None)
@given(text=WORDS)
@example("AND or NOT near* \"quoted\" 'x' -y ^z {a b}: c")
def test_every_term_is_one_word_of_full_text(text: str) -> None:
    found = terms(text).split()
    with sqlite3.connect(":memory:") as connection:
        connection.execute("CREATE VIRTUAL TABLE words USING fts5(body, tokenize='ascii')")
        connection.execute("INSERT INTO words VALUES (?)", (" ".join(found),))
        for term in found:
            query = "SELECT count(*) FROM words WHERE words MATCH ?"
            assert connection.execute(query, (f'"{term}"',)).fetchone() == (1,)
    connection.close()
    assert all(term == term.lower() for term in found if term.isascii())
    assert set(question_terms(text)) <= set(found)


PIECES = [
    *(b"password = ", b"token: ", b"://u:", b"@", b'"', b" ", b"\n", b"\r\n", "é".encode()),
    *(b"aB3xK9mQ2pLw7Z", b"A1b2" * 16, b"AKIA" + b"A2B3" * 4),
    *(b"-----BEGIN PRIVATE KEY-----", b"-----END PRIVATE KEY-----"),
]


@settings(max_examples=200, deadline=None)
@given(parts=st.lists(st.sampled_from(PIECES), max_size=20))
def test_what_is_blanked_keeps_its_place(parts: list[bytes]) -> None:
    text = b"".join(parts)
    shown = redact(text)
    assert len(shown) == len(text)
    assert [place for place, byte in enumerate(shown) if byte in b"\r\n"] == [
        place for place, byte in enumerate(text) if byte in b"\r\n"
    ]
    assert all(new in (old, ord("*")) for old, new in zip(text, shown, strict=True))
    assert redact(shown) == shown
    shown.decode()
