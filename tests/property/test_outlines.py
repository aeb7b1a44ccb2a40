"""Whatever the text, an outline is well formed; and a line table agrees with a plain reading of the text."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.readers import OUTLINER

from pilotfish.syntax.documentation import documentation, signature
from pilotfish.syntax.languages import REGISTRY
from pilotfish.syntax.outline import Outline
from pilotfish.syntax.text import LineTable, Position, decode, lines_and_columns

FIXTURES = Path(__file__).parents[1] / "fixtures" / "outlines"
SOURCES = {
    language: next(path for path in sorted((FIXTURES / language).iterdir()) if path.suffix != ".outline").read_bytes()
    for language in REGISTRY
}
GARBAGE = st.one_of(st.binary(max_size=20), st.sampled_from((b"{", b"}", b"(", b")", b'"', b"'", b"\n", b"/*", b"`")))


def assert_well_formed(outline: Outline, text: bytes) -> None:
    """Parents before children and around them, names inside, offsets in the text and ascending."""
    starts = [symbol.start for symbol in outline.symbols]
    assert starts == sorted(starts)
    for number, symbol in enumerate(outline.symbols):
        assert 0 <= symbol.start <= symbol.name_start < symbol.name_end <= symbol.end <= len(text)
        assert -1 <= symbol.parent < number
        if symbol.parent >= 0:
            parent = outline.symbols[symbol.parent]
            assert parent.start <= symbol.start <= symbol.end <= parent.end
        line = signature(text, symbol, outline.language)
        prose = documentation(text, symbol, outline.language)
        assert "\n" not in line + prose
        assert len(line) <= 320
        assert len(prose) <= 600
    for group in outline.references:
        assert group.offsets == sorted(set(group.offsets))
        assert all(text[offset:].startswith(group.name.encode()) for offset in group.offsets if "�" not in group.name)
    for statement in outline.imports:
        assert 0 <= statement.start < statement.end <= len(text)


@pytest.mark.parametrize("language", REGISTRY)
@settings(max_examples=8, deadline=None)
@given(data=st.data())
def test_broken_text_gives_a_well_formed_outline(language: str, data: st.DataObject) -> None:
    source = SOURCES[language]
    start = data.draw(st.integers(0, len(source)), "start")
    end = data.draw(st.integers(start, len(source)), "end")
    text = decode(source[:start] + data.draw(GARBAGE, "garbage") + source[end:]).text
    assert_well_formed(OUTLINER.outline(text, language), text)


@pytest.mark.parametrize("language", REGISTRY)
def test_encodings_and_line_ends_do_not_change_what_is_found(language: str) -> None:
    text = SOURCES[language].decode()
    plain = OUTLINER.outline(text.encode(), language)
    expected = [(symbol.kind, symbol.name, symbol.parent) for symbol in plain.symbols]
    for data in (
        text.replace("\n", "\r\n").encode(),
        text.encode("utf-8-sig"),
        text.encode("utf-16"),
        text.replace("\n", "\r\n").encode("utf-16"),
    ):
        found = OUTLINER.outline(decode(data).text, language)
        assert [(symbol.kind, symbol.name, symbol.parent) for symbol in found.symbols] == expected


@pytest.mark.parametrize(("language", "bracket"), [("python", b"["), ("javascript", b"("), ("java", b"{"), ("c", b"(")])
def test_deep_nesting_is_read(language: str, bracket: bytes) -> None:
    text = b"x = " + bracket * 10_000
    assert_well_formed(OUTLINER.outline(text, language), text)


def plain_position(text: str, place: int) -> Position:
    """The position of the character at `place`, by splitting the text."""
    starts = [0, *(match.end() for match in re.finditer(r"\r\n|\n|\r", text))]
    line = max(number for number, start in enumerate(starts) if start <= place)
    before = text[starts[line] : place]
    return Position(line, len(before.encode()), len(before.encode("utf-16-le")) // 2, len(before))


TEXTS = st.lists(
    st.sampled_from(
        ("a", "bc", "\t", "é", "漢", "😀", "\u2028", "\f", "\x85", "x" * 254, "y" * 255, "z" * 600, "", " ")
    ),
    max_size=12,
).flatmap(
    lambda words: st.lists(st.sampled_from(("\n", "\r\n", "\r", "")), min_size=len(words), max_size=len(words)).map(
        lambda ends: "".join(word + end for word, end in zip(words, ends, strict=True))
    )
)


@settings(max_examples=300, deadline=None)
@given(text=TEXTS, ends=st.sampled_from((None, "\n", "\r\n", "\r")))
def test_a_line_table_agrees_with_the_text(text: str, ends: str | None) -> None:
    if ends is not None:
        text = re.sub(r"\r\n|\n|\r", ends, text)
    data = text.encode()
    table = LineTable.from_bytes(LineTable.from_text(data).to_bytes())
    lines = re.split(r"\r\n|\n|\r", text)
    assert table.line_count == len(lines)
    assert table.length == len(data)
    offsets = [len(text[:place].encode()) for place in range(len(text) + 1)]
    assert lines_and_columns(data, offsets) == [(line, column) for line, column, _, _ in table.positions(offsets)]
    assert lines_and_columns(data, offsets[::-1]) == lines_and_columns(data, offsets)[::-1]
    for number, line in enumerate(lines):
        start, end = table.line_bounds(number)
        assert data[start:end] == line.encode()
        assert table.offset(number, 10_000, "utf-16") == end
        for place in range(len(line) + 1):
            offset = start + len(line[:place].encode())
            position = table.position(offset)
            assert position == plain_position(text, len(data[:offset].decode()))
            for encoding, column in (("utf-8", position.utf8), ("utf-16", position.utf16), ("utf-32", position.utf32)):
                assert table.offset(number, column, encoding) == offset  # type: ignore[arg-type]


def test_a_column_inside_a_character_is_its_start() -> None:
    table = LineTable.from_text("a😀b\nc".encode())
    assert table.offset(0, 2, "utf-16") == 1
    assert table.offset(0, 3, "utf-8") == 1
    assert table.offset(0, 2, "utf-32") == 5
    assert table.offset(-1, 5, "utf-8") == 0
    assert table.offset(7, 0, "utf-8") == table.length


@given(blob=st.binary(max_size=40))
def test_a_damaged_line_table_is_refused_or_read(blob: bytes) -> None:
    try:
        LineTable.from_bytes(blob)
    except ValueError:
        return
