"""The words that names are made of, for questions in words: `HTTPServer_v2` is `HTTP`, `Server`, `v` and `2`."""

from __future__ import annotations

import re
from functools import lru_cache

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_IDENTIFIER = re.compile(r"\w+")

_ENDINGS = (("ies", "y"), ("ied", "y"), *((ending, "") for ending in ("ing", "es", "ed", "er", "or", "ion", "s", "e")))
"""Endings that say little about what a word means, and what they stand for; the first that fits is taken."""

_LEAST = 3
"""Letters that must be left of a word without its ending."""


def words(name: str) -> list[str]:
    """Split a name at humps, digits and punctuation: `HTTPServer_v2` has the words `HTTP`, `Server`, `v` and `2`."""
    if name.isascii():
        return _WORD.findall(name)
    shapes = "".join([shape(character) for character in name])
    return [name[match.start() : match.end()] for match in _WORD.finditer(shapes)]


@lru_cache(maxsize=50_000)
def stems(text: str) -> tuple[str, ...]:
    """Return the words of a text or a name without case and endings, each once, in order: `stream_with_context` and
    `streaming contexts` share `stream` and `context`."""
    found = {stem(word.casefold()): None for name in _IDENTIFIER.findall(text) for word in words(name)}
    return tuple(found)


def stem(word: str) -> str:
    """Return a word, in lower case, without its ending."""
    for ending, instead in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _LEAST:
            return word.removesuffix(ending) + instead
    return word


def shape(character: str) -> str:
    """Return an ASCII character of the same sort, so that one expression finds words in every script."""
    if character.isascii():
        return character
    if character.isdigit():
        return "0"
    if character.isupper() or character.istitle():
        return "A"
    return "a" if character.isalnum() else "_"
