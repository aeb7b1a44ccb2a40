"""The words that names are made of, for questions in words: `HTTPServer_v2` is `HTTP`, `Server`, `v` and `2`."""

from __future__ import annotations

import re
from functools import lru_cache

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_IDENTIFIER = re.compile(r"\w+")

_LEAST = 3
"""Letters that must be left of a word without its ending."""

_DERIVED = (("erer", 7), ("ation", 9), ("ator", 8), ("ate", 7), ("ion", 6), ("er", 5), ("or", 5))
"""Endings of words that are made from others, and how long a word is at least that has one: `creation` is to be what
`create` is. The first that fits is taken."""

_VOWEL = re.compile(r"[aeiouy]")


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


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """Return a word, in lower case, without its ending.

    A light stemmer for words of code: the plural goes, then `ed` or `ing`, then one ending of a derived word, a final
    `e`, and one of two last letters that are alike. So `caches`, `cached`, `caching` and `cache` are one, as are
    `handlers`, `handler` and `handle`, `running` and `run`, `validator` and `validation`.
    """
    if len(word) <= _LEAST or not word.isascii():
        return word
    if word[-1] == "s" and word[-2] not in "su":
        word = word[:-3] + "y" if word.endswith("ies") and len(word) > _LEAST + 1 else word[:-1]
    if word[-1] in "dg":
        word = _without_inflection(_without_inflection(word))
    if word[-1] in "rne":
        word = _without_derivation(word)
    return _single(word)


def _without_inflection(word: str) -> str:
    """Return a word without `ed` or `ing`, where a word is left."""
    if word.endswith("ied") and len(word) > _LEAST + 1:
        return word[:-3] + "y"
    ending = 2 if word.endswith("ed") else 3 if word.endswith("ing") else 0
    rest = word[:-ending]
    if len(rest) < _LEAST or word.endswith("eed") or not _VOWEL.search(rest):
        return word
    if rest.endswith("at") and not rest.endswith("eat") and len(rest) > _LEAST + 2:
        return rest[:-2]  # of a verb in `ate`
    return _single(rest)


def _without_derivation(word: str) -> str:
    """Return a word without the ending of a word that is made from another, and without a final `e`."""
    for ending, least in _DERIVED:
        if word.endswith(ending) and len(word) >= least:
            word = word[: -len(ending)]
            break
    return word[:-1] if word[-1] == "e" and len(word) > _LEAST else word


def _single(word: str) -> str:
    return word[:-1] if len(word) > _LEAST and word[-1] == word[-2] else word


def shape(character: str) -> str:
    """Return an ASCII character of the same sort, so that one expression finds words in every script."""
    if character.isascii():
        return character
    if character.isdigit():
        return "0"
    if character.isupper() or character.istitle():
        return "A"
    return "a" if character.isalnum() else "_"
