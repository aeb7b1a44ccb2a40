"""What is known of a piece of code that may answer a question: plain data, brought by whoever asks.

Ranking has two stages. The first looks at many candidates, and needs what their rows hold; the second looks at the few
best, and needs their text and definitions besides (`Details`).
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import Final

import msgspec

from pilotfish.syntax.documentation import signature
from pilotfish.syntax.outline import TELLING_KINDS, Symbols, qualified_container
from pilotfish.syntax.terms import terms

UNKNOWN: Final = math.nan
"""A similarity that is not known."""

MOST_DEFINITIONS: Final = 40
"""Definitions of one chunk that are looked at; a list of constants may hold hundreds."""

MOST_SIGNATURE: Final = 400
"""Characters of a signature that are looked at."""

_REMEMBERED: Final = 10_000
"""Paths of which is kept whether they are supporting: every question asks it of hundreds."""

_TESTING: Final = re.compile(
    r"(?:^|/)(?:tests?|__tests__|__mocks__|specs?|spec-dtslint|testdata|testing|fixtures?)(?:/|$)"
    r"|(?:^|/)(?:test_[^/]*|conftest\.py)$|(?:_test|_tests|_spec|\.test|\.spec|-spec|Test|Tests)\.[a-z]+$"
)
_OTHERWISE_SUPPORTING: Final = re.compile(
    r"(?:^|/)(?:bench|benches|benchmarks?|examples?|_examples|dist|vendor|third_party|node_modules)(?:/|$)"
)


@lru_cache(maxsize=_REMEMBERED)
def is_supporting(path: str) -> bool:
    """Tell whether a file is a test, an example, a benchmark or another's code, by its path."""
    return _TESTING.search(path) is not None or _OTHERWISE_SUPPORTING.search(path) is not None


@lru_cache(maxsize=_REMEMBERED)
def is_testing(path: str) -> bool:
    """Tell whether a file is a test of this code or goes with tests, by its path."""
    return _TESTING.search(path) is not None and _OTHERWISE_SUPPORTING.search(path) is None


class Candidate(msgspec.Struct, frozen=True):
    """One chunk that may answer.

    `lexical` is its BM25 (0.0 for none), `cosine` the cosine of its vector with the question's (`UNKNOWN` where it has
    none), `history` what past commits say of its file, not scaled. `names` are all definitions in it, `size` is its
    length in bytes. Lines are 1-based and inclusive.
    """

    id: int
    path: str
    line_start: int
    line_end: int
    size: int
    kind: int | None = None
    name: str = ""
    scope: str = ""
    names: tuple[str, ...] = ()
    lexical: float = 0.0
    cosine: float = UNKNOWN
    history: float = 0.0


class Definition(msgspec.Struct, frozen=True, dict=True):
    """A definition that begins in a chunk: its name, the dotted names around it, its `SymbolKind`, and its signature in
    one line."""

    name: str
    scope: str
    kind: int
    signature: str

    @cached_property
    def words(self) -> frozenset[str]:
        """The terms of its signature and scope."""
        return frozenset(terms(signature_text(self)).split())


class Details(msgspec.Struct, frozen=True):
    """What the second stage knows of a candidate besides: its text and the terms of that (`syntax.terms`), the
    definitions that begin in it, of each of them the cosines of the question with its name and with `signature_text`,
    `UNKNOWN` where no model is at hand; and the text's sketch (`variety.sketch_of`), empty where there is no text."""

    text: str
    terms: str
    definitions: Sequence[Definition] = ()
    name_cosines: Sequence[float] = ()
    signature_cosines: Sequence[float] = ()
    sketch: Sequence[int] = ()


def signature_text(definition: Definition) -> str:
    """Return what is embedded of a definition's head, to be compared with a question."""
    scope = definition.scope.replace(".", " ")
    return f"{scope} {definition.signature}" if scope else definition.signature


def definitions_in(symbols: Symbols, language: str, text: bytes, start: int, end: int) -> list[Definition]:
    """Return the functions and types of a file that begin between two of its byte offsets, at most `MOST_DEFINITIONS`.

    Args:
        symbols: all definitions of the file.
        language: its own.
        text: what they were found in.
        start: where the chunk begins.
        end: where it ends.

    """
    first, behind = bisect_left(symbols.starts, start), bisect_left(symbols.starts, end)
    telling = [ordinal for ordinal in range(first, behind) if symbols.kinds[ordinal] in TELLING_KINDS]
    found: list[Definition] = []
    for ordinal in telling[:MOST_DEFINITIONS]:
        symbol = symbols.symbol(ordinal)
        head = signature(text, symbol, language)[:MOST_SIGNATURE]
        found.append(Definition(symbol.name, qualified_container(symbols, ordinal), int(symbol.kind), head))
    return found
