"""Small sources whose interesting places are marked in comments, so that tests need no line numbers.

A comment `@name:word` marks the first `word` on its line: `Circle(2)  # @use:Circle`.
"""

from __future__ import annotations

import re
from typing import Any

_MARKER = re.compile(r"@([a-z-]+):(\w+)")


def place(text: str, name: str) -> dict[str, int]:
    """The LSP position (UTF-16) of a marked word."""
    start: dict[str, int] = span(text, name)["start"]
    return start


def span(text: str, name: str) -> dict[str, Any]:
    """The LSP range (UTF-16) of a marked word."""
    for number, line in enumerate(text.splitlines()):
        for marker, word in _MARKER.findall(line):
            if marker == name:
                column = len(line[: line.index(word)].encode("utf-16-le")) // 2
                width = len(word.encode("utf-16-le")) // 2
                return {
                    "start": {"line": number, "character": column},
                    "end": {"line": number, "character": column + width},
                }
    raise AssertionError(f"no marker @{name} in the text")
