"""A text on its way to Markdown: what is finished is put aside, what is left is escaped at the end."""

from __future__ import annotations

import html
import re
from collections.abc import Callable

_MARK = re.compile("\x00(\\d+)\x00")
_TICKS = re.compile("`+")
# What would begin markup in the middle of a line, and at a line's head.
_SPECIAL = re.compile(
    r"\\(?=[!-/:-@\[-`{-~])|(?<!\s)\*|\*(?!\s)|(?<!\w)_|_(?!\w)|[`\[\]]|~(?=~)|^[ \t]{0,3}(?:#|>|\+(?=\s)|[=~])",
    re.MULTILINE,
)

Shown = Callable[[re.Match[str]], str]


class Draft:
    """One text. Marks stand in it for pieces that are Markdown already; nothing looks into them again."""

    def __init__(self, text: str, *, is_markdown: bool = False) -> None:
        """Take a text; what of it is in no mark at the end is escaped, unless it is Markdown itself."""
        self.text = text.replace("\x00", "")
        self._is_markdown = is_markdown
        self._kept: list[str] = []

    def keep(self, markdown: str) -> str:
        """Put a finished piece aside; the mark that stands for it."""
        self._kept.append(markdown)
        return f"\x00{len(self._kept) - 1}\x00"

    def finish(self, pattern: re.Pattern[str], shown: Shown) -> None:
        """Put aside what is shown instead of each match."""
        self.text = pattern.sub(lambda found: self.keep(shown(found)), self.text)

    def rewrite(self, pattern: re.Pattern[str], shown: Shown | str) -> None:
        """Replace each match by text that later steps see."""
        self.text = pattern.sub(shown, self.text)

    def plain(self, text: str) -> str:
        """Text without markup of its own, with marks, as Markdown."""
        return text if self._is_markdown else escaped(html.unescape(text) if "&" in text else text)

    def restored(self, markdown: str) -> str:
        """Markdown with the pieces in place of their marks."""
        for _ in range(8):  # pieces within pieces
            if "\x00" not in markdown:
                break
            markdown = _MARK.sub(self._piece, markdown)
        return markdown

    def _piece(self, found: re.Match[str]) -> str:
        number = int(found[1])
        return self._kept[number] if number < len(self._kept) else ""  # the text has what looks like a mark


def escaped(text: str) -> str:
    """Text that is no Markdown, so that it is shown as it is written; lists and rules stay what they look like."""
    return _SPECIAL.sub(lambda found: f"{found[0][:-1]}\\{found[0][-1]}", text)


def code(text: str) -> str:
    """Text as code within a line."""
    text = " ".join(text.split())
    if not text:
        return ""
    runs = {len(run) for run in _TICKS.findall(text)}
    ticks = "`" * next(size for size in range(1, len(runs) + 2) if size not in runs)
    pad = " " if "`" in text else ""
    return f"{ticks}{pad}{text}{pad}{ticks}"


def code_block(text: str, language: str = "") -> str:
    """Text as a piece of code of its own, without the indentation that its lines have in common."""
    lines = text.strip("\n").expandtabs(4).split("\n")
    if len(lines) > 1 and not lines[0].startswith(" "):  # cut out of its first line
        first, rest = lines[:1], lines[1:]
    else:
        first, rest = [], lines
    common = min((len(line) - len(line.lstrip()) for line in rest if line.strip()), default=0)
    shown = "\n".join([*first, *(line[common:] for line in rest)]).rstrip()
    ticks = "`" * (1 + max((len(run) for run in _TICKS.findall(shown)), default=2))
    ticks = "```" if len(ticks) < 3 else ticks
    return f"\n\n{ticks}{language}\n{shown}\n{ticks}\n\n" if shown.strip() else ""
