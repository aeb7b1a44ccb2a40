"""Places in a text are the same by its table of lines and by the text itself, whatever its line ends and characters."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pilotfish.syntax.text import LineTable, positions_in

PIECES = ["a", "bc", " ", "ß", "名", "🐟", "\n", "\r\n", "\r", "\x0c", "\u2028"]


@given(st.lists(st.sampled_from(PIECES), max_size=30))
def test_places_by_the_text_are_those_of_its_table(pieces: list[str]) -> None:
    offsets, text = [0], b""
    for piece in pieces:
        text += piece.encode()
        offsets.append(len(text))
    table = LineTable.from_text(text)
    assert positions_in(text, offsets) == table.positions(offsets) == [table.position(offset) for offset in offsets]
