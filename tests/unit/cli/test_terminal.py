"""What reaches a terminal: nothing that it obeys, aligned cells, and plain text where nobody looks."""

from __future__ import annotations

import io
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pilotfish.cli.terminal import Terminal, display_width, printable


class Screen(io.TextIOWrapper):
    """A stream that says that it is a terminal."""

    def __init__(self, *, is_terminal: bool) -> None:
        super().__init__(io.BytesIO(), encoding="utf-8", newline="")
        self._is_terminal = is_terminal

    def isatty(self) -> bool:
        return self._is_terminal

    def shown(self) -> str:
        self.flush()
        stream = self.buffer
        assert isinstance(stream, io.BytesIO)
        return stream.getvalue().decode()


def terminal(*, interactive: bool, **environment: str) -> tuple[Terminal, Screen, Screen]:
    output, errors = Screen(is_terminal=interactive), Screen(is_terminal=interactive)
    return Terminal(output, errors, environment), output, errors


@given(st.text(st.characters(exclude_categories=[])))
def test_printable_text_holds_nothing_that_a_terminal_obeys(text: str) -> None:
    shown = printable(text)
    assert not {unicodedata.category(character) for character in shown} & {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
    shown.encode("utf-8")


@pytest.mark.parametrize("name", ["Ünïcødé", "名前", "a b", "x\u3000y", "e\u0301"])
def test_ordinary_names_are_shown_as_they_are(name: str) -> None:
    assert printable(name) == name


def test_a_table_is_aligned_on_a_terminal_and_separated_by_tabs_elsewhere() -> None:
    rows = [("名前", "class", "a.py:1"), ("b\x1b[2J", "function", "b.py:2")]
    styles: list[tuple[str, ...]] = [(), (), ()]
    screen, output, _ = terminal(interactive=True)
    screen.table(rows, styles)
    lines = output.shown().splitlines()
    assert {
        display_width(line[: line.index(word)]) for line, word in zip(lines, ("class", "function"), strict=True)
    } == {10}
    assert {display_width(line[: line.index(".py") - 1]) for line in lines} == {20}
    assert "\x1b" not in output.shown()

    screen, output, _ = terminal(interactive=False)
    screen.table(rows, styles)
    assert output.shown() == "名前\tclass\ta.py:1\nb\\x1b[2J\tfunction\tb.py:2\n"


@pytest.mark.parametrize(
    ("interactive", "environment", "coloured"),
    [
        (True, {}, True),
        (True, {"NO_COLOR": "1"}, False),
        (True, {"NO_COLOR": ""}, True),
        (True, {"TERM": "dumb"}, False),
        (False, {}, False),
    ],
)
def test_colour_is_for_terminals_that_want_it(interactive: bool, environment: dict[str, str], coloured: bool) -> None:
    screen, output, errors = terminal(interactive=interactive, **environment)
    screen.line(screen.style("name", "bold"))
    screen.error("went wrong\nbadly\x1b")
    assert ("\x1b[1m" in output.shown()) is coloured
    assert ("\x1b[31m" in errors.shown()) is coloured
    assert errors.shown().count("\n") == 1
    assert "wrong\\nbadly\\x1b" in errors.shown()
