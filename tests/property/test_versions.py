"""Places in a text are found in the same text before an edit, and back."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pilotfish.engine.versions import Versions
from pilotfish.operations.answer import Position
from pilotfish.syntax.text import LineTable

AROUND = st.text(alphabet="ab é😀\n", max_size=30)
EDITED = st.text(alphabet="xyè😁", max_size=10)
"""No character of these stands around, so that it is clear what was typed; some share bytes with those that do."""


@given(AROUND, EDITED, EDITED, AROUND)
def test_what_stands_around_an_edit_is_found_in_the_other_version(
    head: str, removed: str, typed: str, tail: str
) -> None:
    outlined, sent = (head + removed + tail).encode(), (head + typed + tail).encode()
    versions, lines = Versions(sent, outlined), LineTable.from_text(sent)
    before = [len(head[:end].encode()) for end in range(len(head))]
    behind = [len(tail[start:].encode()) for start in range(len(tail) + 1)]
    places = [(place, place) for place in before]
    places += [(len(sent) - each, len(outlined) - each) for each in behind]
    for here, there in places:
        position = lines.position(here)
        assert versions.offset(position.line, position.utf16, "utf-16") == there
        assert versions.span(there, there).start == Position(*position)
