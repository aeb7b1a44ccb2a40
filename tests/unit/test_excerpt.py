"""Some lines of a text in a limit: the line that matters among them, and a mark for each gap."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from pilotfish.engine.searching.focus import best_line, line_scores
from pilotfish.excerpt import excerpt

LINES = [f"line {number:02}" for number in range(30)]


@given(st.lists(st.text("ab c", max_size=12), max_size=40), st.integers(0, 400), st.none() | st.integers(0, 45))
def test_an_excerpt_keeps_its_limit_and_accounts_for_every_line(
    lines: list[str], limit: int, focus: int | None
) -> None:
    shown = excerpt(lines, limit, focus)
    assert len(shown) <= limit
    if not shown:
        return
    place = 0
    for line in shown.split("\n"):
        gap = re.fullmatch(r"… (\d+) (?:more )?lines?", line)
        if gap is None:
            assert line == lines[place]
        place += 1 if gap is None else int(gap[1])
    assert place == len(lines)


def test_the_line_that_matters_is_shown_with_what_stands_before_it() -> None:
    assert excerpt(LINES, 10_000, 20).split("\n") == LINES
    assert excerpt(LINES, 100, 3) == excerpt(LINES, 100)
    assert excerpt(LINES, 100, 20).split("\n") == ["line 00", "… 17 lines", *LINES[18:25], "… 5 more lines"]
    assert excerpt(LINES, 60, 20, counted=False).split("\n") == ["line 00", "…", *LINES[18:24], "…"]


def test_words_said_once_tell_more_than_words_said_everywhere() -> None:
    lines = ["def save_session(cookie):", "    cookie = None", "", "    cookie = sign(session)", "    return cookie"]
    scores = line_scores(lines, ["session", "cookie", "sign"])
    assert scores[2] == 0
    assert best_line(scores) == 3
