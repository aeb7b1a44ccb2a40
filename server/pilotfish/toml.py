"""Reading TOML that a stranger wrote: `tomllib`, without the keys on which it takes the square of their length."""

from __future__ import annotations

import re
import tomllib
from typing import Any, Final

MOST_KEY_PARTS: Final = 32
"""A key of more parts (`a.b.c` has three) is refused: the time of `tomllib` grows with the square of their number."""

# A key begins a line or an item of an inline table, or follows `[`. It is looked for nowhere else, and nothing is given
# back, so that the search itself takes a time that grows with the text.
_LONG_KEY = re.compile(
    r"""(?<![^\s\[{,])(?:(?:[\w-]++|"(?>(?:[^"\\\n]|\\.)*)"|'[^'\n]*+')[ \t]*+\.[ \t]*+)"""
    f"{{{MOST_KEY_PARTS}}}"
)


def parsed_toml(text: str) -> dict[str, Any]:
    """Return what a TOML text holds.

    Raises:
        ValueError: the text is no TOML, or has a key of too many parts.
        RecursionError: its values are nested too deeply.

    """
    if _LONG_KEY.search(text):
        raise ValueError(f"a key has more than {MOST_KEY_PARTS} parts")
    return tomllib.loads(text)
