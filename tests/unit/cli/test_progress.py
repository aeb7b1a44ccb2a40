"""The progress bar on terminals with much room and with little."""

from __future__ import annotations

import io

import pytest

from pilotfish.cli.progress import ProgressBar
from pilotfish.cli.terminal import Terminal
from pilotfish.indexing.progress import Progress


class Screen(io.StringIO):
    """Text that says that it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("columns", ["60", "80", "160"])
def test_the_count_is_shown_whole_at_every_width(columns: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    monkeypatch.setenv("LINES", "20")
    errors = Screen()
    with ProgressBar(Terminal(Screen(), errors, {"TERM": "xterm"})) as bar:
        bar.update(Progress(token="t", kind="begin", title="Indexing golang-1.19-src"))
        bar.update(Progress(token="t", kind="report", done=32, total=2853, message="32 of 2,853 files"))
    lines = errors.getvalue().splitlines()
    assert any("Indexing golang-1.19-src" in line and "32 of 2,853 files" in line for line in lines), lines


def test_without_a_terminal_long_work_says_now_and_then_how_far_it_is() -> None:
    errors = io.StringIO()
    now = 0.0
    bar = ProgressBar(Terminal(io.StringIO(), errors, {}), lambda: now)
    bar.update(Progress(token="t", kind="begin", title="Embedding"))
    now = 10.0
    bar.update(Progress(token="other", kind="begin", title="Indexing"))
    now = 0.0
    for done in range(1, 31):
        now = float(done)
        bar.update(Progress(token="t", kind="report", done=done, total=300, message=f"{done} of 300 files"))
    bar.update(Progress(token="t", kind="end", message="done"))
    assert errors.getvalue().splitlines() == [
        "Embedding: 10 of 300 files, about 5 min left",
        "Embedding: 20 of 300 files, about 5 min left",
        "Embedding: 30 of 300 files, about 4 min left",
    ]
