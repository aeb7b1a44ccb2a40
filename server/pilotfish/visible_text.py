"""Text of the repository as its readers see it, and fences around it that nothing inside can close.

Characters that nobody sees are the way to hide words from people that a model reads. They are taken out before fences
are measured: taken out afterwards, they would join what they stood between, three backticks among it.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_HIDDEN: Final = frozenset(("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"))
"""Categories of characters that nobody sees: control, format, surrogate, private, unassigned, separators."""

_BLANK: Final = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff\u2800]"
)
"""What has the property Default_Ignorable_Code_Point (DerivedCoreProperties.txt of Unicode 16.0, UAX #44), variation
selectors, Hangul fillers and tags among it, and the Braille pattern without a dot."""

_BACKTICKS: Final = re.compile("`{3,}")


def visible(text: str) -> str:
    """Return text without the characters that nobody sees; lines end as on Unix, and tabs stay."""
    text = text.replace("\r\n", "\n")
    if not text.isascii():
        text = _BLANK.sub("", text)
    used = set(text)  # a text has thousands of characters, of some hundred kinds
    hidden = [each for each in used if each not in "\n\t" and unicodedata.category(each) in _HIDDEN]
    return text.translate(dict.fromkeys(map(ord, hidden))) if hidden else text


def one_line(text: str) -> str:
    """Return visible text as part of a line: names and paths of the repository may hold anything."""
    return " ".join(visible(text).split())


def as_name(text: str) -> str:
    """Return a name or a path for a line of text, in quotes where it could be read as a sentence."""
    text = one_line(text)
    return '"' + text.replace('"', "'") + '"' if " " in text or '"' in text else text


def fenced(source: str, language: str = "") -> str:
    """Return source as a code block of Markdown, visible and between fences that are longer than any inside."""
    source = visible(source).rstrip("\n")
    ticks = "`" * (1 + max((len(run) for run in _BACKTICKS.findall(source)), default=2))
    return f"{ticks}{language if language.isidentifier() else ''}\n{source}\n{ticks}"
