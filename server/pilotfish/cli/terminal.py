"""Writing to a person or to a script: colour and alignment only on a terminal, and nothing that a terminal obeys.

Names, paths and text come from an untrusted repository. `printable` is applied to all of them on the way to human
output, so that no file name can move the cursor, change the title or hide what it says.
"""

from __future__ import annotations

import io
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import TextIO

STYLES = {
    "bold": "1",
    "dim": "2",
    "red": "31",
    "green": "32",
    "yellow": "33",
    "cyan": "36",
}

MAX_COLUMN = 60
"""Widest that a column is padded to; longer cells push the rest of their own line only."""


def printable(text: str) -> str:
    r"""Return `text` with control, format and unassigned characters written as escapes: `\x1b`, `\u202e`."""
    if text.isprintable():
        return text
    return "".join(
        character
        if character.isprintable() or unicodedata.category(character) == "Zs"
        else character.encode("unicode_escape").decode("ascii")
        for character in text
    )


def display_width(text: str) -> int:
    """Return how many cells a terminal uses for `text`: two for wide characters, none for combining ones."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(character) else 2 if unicodedata.east_asian_width(character) in "WF" else 1
        for character in text
    )


class Terminal:
    """Standard output and error of one command, each plain unless it is a terminal.

    Args:
        output: where answers go.
        errors: where everything else goes: notes, progress, errors.
        environment: asked for `NO_COLOR` and `TERM`.

    """

    def __init__(self, output: TextIO, errors: TextIO, environment: Mapping[str, str]) -> None:
        self._output = output
        self._errors = errors
        plain = bool(environment.get("NO_COLOR")) or environment.get("TERM") == "dumb"
        self.is_interactive = output.isatty()
        self._colours_output = self.is_interactive and not plain
        self._colours_errors = errors.isatty() and not plain
        self.shows_progress = errors.isatty() and environment.get("TERM") != "dumb"

    @property
    def errors(self) -> TextIO:
        """The stream of everything that is not an answer."""
        return self._errors

    def style(self, text: str, *names: str) -> str:
        """Return `text`, which must be printable already, in the styles `names`."""
        if not self._colours_output or not names or not text:
            return text
        return f"\x1b[{';'.join(STYLES[name] for name in names)}m{text}\x1b[0m"

    def line(self, text: str = "") -> None:
        """Write one line of the answer; `text` must be printable already."""
        self._output.write(text + "\n")

    def data(self, encoded: bytes) -> None:
        """Write one line of JSON as it is: UTF-8, whatever the locale says."""
        self._output.flush()
        self._output.buffer.write(encoded + b"\n")

    def table(self, rows: Iterable[Sequence[str]], styles: Sequence[tuple[str, ...]]) -> None:
        """Write rows of cells of any origin: aligned and styled by column on a terminal, tab-separated elsewhere."""
        if not self.is_interactive:
            for row in rows:
                self.line("\t".join(printable(cell) for cell in row))
            return
        cells = [[printable(cell) for cell in row] for row in rows]
        widths = [min(MAX_COLUMN, max(map(display_width, column))) for column in zip(*cells, strict=True)]
        for row in cells:
            padding = [" " * max(0, width - display_width(cell)) for cell, width in zip(row, widths, strict=True)]
            parts = [self.style(cell, *style) + pad for cell, style, pad in zip(row, styles, padding, strict=True)]
            self.line("  ".join(parts).rstrip())

    def note(self, text: str) -> None:
        """Tell the person something beside the answer."""
        self._write_error("", text)

    def error(self, text: str) -> None:
        """Say in one line what failed."""
        self._write_error("pilotfish: ", text)

    def flush(self) -> None:
        """Show what was written so far."""
        self._output.flush()

    def _write_error(self, prefix: str, text: str) -> None:
        line = prefix + printable(text.strip())
        if self._colours_errors:
            code = STYLES["red"] if prefix else STYLES["dim"]
            line = f"\x1b[{code}m{line}\x1b[0m"
        self._errors.write(line + "\n")
        self._errors.flush()


class Page(Terminal):
    """A text instead of a terminal: aligned as there, without colours, notes in their order among the lines."""

    def __init__(self) -> None:
        self._bytes = io.BytesIO()
        text = io.TextIOWrapper(self._bytes, encoding="utf-8", newline="\n", write_through=True)
        super().__init__(text, text, {"NO_COLOR": "1"})
        self.is_interactive = True

    def text(self) -> str:
        """Return what was written so far."""
        return self._bytes.getvalue().decode()
