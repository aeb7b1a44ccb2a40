"""Passages: the text of a chunk that is embedded, and the hash by which its vector is known.

A passage is made of what the catalog's row of a chunk holds, so that it can be made again at any time. It never holds
the path: a moved file keeps its vectors (DESIGN invariant 2).
"""

from __future__ import annotations

import hashlib
from typing import Final

MAX_PASSAGE: Final = 6_000
"""Longest passage in characters; a chunk within the sizes of `syntax.chunks` seldom comes near it."""

MAX_NAME: Final = 200
"""Longest name with its scope in characters."""

HASH_BYTES: Final = 16


def passage_of(code: str, name: str, scope: str) -> str:
    """Return what is embedded for a chunk: what it is about in one line, then its text with single spaces.

    Args:
        code: the text of the chunk.
        name: the definition that it is about; "" for none.
        scope: the dotted names of all that the definition lies in.

    """
    title = f"{scope}.{name}" if scope and name else scope or name
    compact = " ".join(code.split())
    return f"{title[-MAX_NAME:]}\n{compact}"[:MAX_PASSAGE] if title else compact[:MAX_PASSAGE]


def hash_of(passage: str) -> bytes:
    """Return the first `HASH_BYTES` bytes of the SHA-256 of a passage."""
    return hashlib.sha256(passage.encode()).digest()[:HASH_BYTES]
