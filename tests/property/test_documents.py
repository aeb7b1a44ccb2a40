"""Incremental edits equal those of a model that counts character by character."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pilotfish.workspace.documents import Encoding, OpenDocument, Place, TextChange, TextRange, apply_change, offset_of

ENCODINGS: list[Encoding] = ["utf-8", "utf-16", "utf-32"]
text = st.text(st.sampled_from("ab \n\r\f\x0b\x85\u2028\té€𝄞😀"), max_size=30)
place = st.builds(Place, st.integers(-1, 8), st.integers(-1, 12))
encoding = st.sampled_from(ENCODINGS)


def model_offset(content: str, where: Place, units: Encoding) -> int:
    """LSP's position, read literally."""
    if where.line < 0:
        return 0
    index = 0
    for _ in range(where.line):
        while index < len(content) and content[index] not in "\r\n":
            index += 1
        if index == len(content):
            return index
        index += 2 if content[index : index + 2] == "\r\n" else 1
    column = 0
    while index < len(content) and content[index] not in "\r\n":
        width = 1 if units == "utf-32" else len(content[index].encode(f"{units}-le" if units == "utf-16" else units))
        column += width // 2 if units == "utf-16" else width
        if column > where.character:
            break
        index += 1
    return index


@given(content=text, where=place, units=encoding)
def test_offsets(content: str, where: Place, units: Encoding) -> None:
    assert offset_of(content, where, units) == model_offset(content, where, units)


@given(content=text, edits=st.lists(st.tuples(place, place, text), max_size=4), units=encoding)
def test_edits(content: str, edits: list[tuple[Place, Place, str]], units: Encoding) -> None:
    changes = [TextChange(TextRange(start, end), new) for start, end, new in edits]
    expected = content
    for start, end, new in edits:
        low, high = sorted((model_offset(expected, start, units), model_offset(expected, end, units)))
        expected = expected[:low] + new + expected[high:]
    document = OpenDocument("file:///a", "a", "python", 7, content)
    changed = document.changed(3, changes, units)
    assert (changed.text, changed.version, document.text) == (expected, 3, content)
    assert changed.encoded().decode() == expected


def test_form_feed_is_no_line_end() -> None:
    span = TextRange(Place(1, 0), Place(1, 1))
    assert apply_change("x=1\f\ny=2\n", span, "Z", "utf-16") == "x=1\f\nZ=2\n"


def test_whole_text_and_lone_surrogates() -> None:
    document = OpenDocument("untitled:1", None, "", 1, "old").changed(None, [TextChange(None, "a\ud83d")], "utf-16")
    assert (document.version, document.encoded()) == (1, "a\ufffd".encode())
