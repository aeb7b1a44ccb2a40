"""A question taken apart: its terms, the words of its names, and what each is worth in one repository."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Final

import msgspec

from pilotfish.retrieval.function_words import foreign_words
from pilotfish.retrieval.intent import Reading, Style, read
from pilotfish.syntax.subwords import stem, words
from pilotfish.syntax.terms import (
    MOST_QUESTION_TERMS,
    STOP_WORDS,
    folded,
    question_terms,
    terms,
    without_contractions,
)

_NAME: Final = re.compile(r"[^\W\d][\w$]*|\d+")
_TESTS: Final = re.compile(
    r"\b(?:tests?|tester|testing|unittests?|specs?|fixtures?|mocks?|benchmarks?|examples)\b", re.IGNORECASE
)
_FOR_TESTS: Final = re.compile(
    r"\W*(?:(?:show|find|list|where|which|what|are|is|me|all|any|the|a|an|existing|there|in)\s+)*"
    r"(?:(?:unit|integration|regression|end.to.end|e2e|property)\s+)?(?:tests?|specs?|test\s+cases?)"
    r"\s+(?:for|of|about|on|that|which|covering|around|cover|check)\b",
    re.IGNORECASE,
)
"""How a question begins that asks for tests themselves."""

_WRITTEN_OUT: Final = re.compile(
    r"(?<![\w./-])(?:[^\W\d]\w*(?:\.|::))*[^\W\d]\w*(?![\w/-])",
)
_AS_IN_CODE: Final = re.compile(r"[^\W_]_+[^\W_]|[a-z0-9][A-Z]|\w{2}(?:\.|::)[^\W\d]\w")
"""What no word of a sentence has: an underscore inside, a hump, or a dot before another name."""

_UNKNOWN_RARITY: Final = 3.0
"""What a word weighs that the repository does not have: as much as a middling one, so that it neither rules nor falls
out of what a question is about."""


class Question(msgspec.Struct, frozen=True):
    """A question: `terms` are those of full text, each once; `parts` the words of its names, joined forms left out;
    `names` all its names and itself without case and underscores, to tell an exact name. `asks_for_tests` where tests
    are what it is to find, `speaks_of_tests` where they may be."""

    text: str
    reading: Reading
    terms: tuple[str, ...]
    parts: frozenset[str]
    names: frozenset[str]
    speaks_of_tests: bool
    asks_for_tests: bool = False


def question_of(text: str) -> Question:
    """Take a question apart."""
    reading = read(text)
    names = _NAME.findall(without_contractions(text))
    if reading.style is Style.NAME:  # names are made of any words: `find`, `get`, `use`
        asked = list(dict.fromkeys(terms(text).split()))[:MOST_QUESTION_TERMS]
    else:
        passed_over = STOP_WORDS | foreign_words(text)
        asked = question_terms(text, passed_over)
        names = [name for name in names if folded(name).lower() not in passed_over] or names
    return Question(
        text=text,
        reading=reading,
        terms=tuple(asked),
        parts=frozenset(part for name in names for part in parts_of(name)),
        names=frozenset({*map(bare, names), bare(text)} - {""}),
        speaks_of_tests=bool(_TESTS.search(text)),
        asks_for_tests=reading.style is not Style.CHANGE and bool(_FOR_TESTS.match(text)),
    )


@lru_cache(maxsize=50_000)
def parts_of(name: str) -> frozenset[str]:
    """Return the stemmed words of a name: those of `get_user_names` are `get`, `user` and `nam`."""
    return frozenset(stem(word.casefold()) for word in words(name))


@lru_cache(maxsize=50_000)
def bare(name: str) -> str:
    """Return a name without case, underscores and other marks, so that `getUser` is `get_user`."""
    return "".join(filter(str.isalnum, name)).casefold()


def rarities(question: Question, frequencies: Mapping[str, int], chunks: int) -> dict[str, float]:
    """Return what each term and word of a question weighs: its inverse document frequency.

    Args:
        question: the question.
        frequencies: in how many chunks each of `wanted` stands; one that is missing stands in none.
        chunks: how many chunks there are.

    """
    found: dict[str, float] = {}
    for word in wanted(question):
        count = frequencies.get(word, 0)
        found[word] = math.log1p((chunks - count + 0.5) / (count + 0.5)) if 0 < count <= chunks else _UNKNOWN_RARITY
    return found


def wanted(question: Question) -> list[str]:
    """Return the words whose frequencies `rarities` asks for."""
    return list(dict.fromkeys((*question.terms, *sorted(question.parts))))


def weight(words_: Iterable[str], rarity: Mapping[str, float]) -> float:
    """Return the sum of what words weigh; those that the question does not have weigh like one that nobody knows."""
    return sum(rarity.get(word, _UNKNOWN_RARITY) for word in words_)


def names_written_out(text: str) -> list[str]:
    """Return the names that a text has as code writes them: `MAX_SIZE`, `maxSize`, `max_size`, `Cache.size`."""
    found = (match[0] for match in _WRITTEN_OUT.finditer(text))
    return list(dict.fromkeys(name for name in found if _AS_IN_CODE.search(name)))
