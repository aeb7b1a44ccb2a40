"""Searching the text as it is written: a literal, or a regular expression that a stranger may have sent.

Regular expressions run with a time limit for each file and one for all, and let other threads run meanwhile. What they
would grow to is reckoned before they are compiled: a few nested repetitions are enough to fill any memory.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

import regex

from pilotfish.engine.wire import INVALID_PARAMS, OperationError
from pilotfish.syntax.terms import terms

MAX_PATTERN: Final = 1_000
"""Longest text or expression that is searched for, in characters."""

MAX_GROWN: Final = 1_000_000
"""Most items that an expression may become when its repetitions are written out."""

FILE_S: Final = 0.25
SEARCH_S: Final = 5.0
"""Seconds that an expression may take in one file, and in all: against those that backtrack without end."""

MOST_IN_FILE: Final = 100
"""Matches of one file that are looked at."""

_SLASHED: Final = re.compile(r"/(?P<expression>.+)/(?P<flags>[ims]*)", re.DOTALL)
_QUOTED: Final = re.compile(r"\"(?P<double>[^\"]+)\"|'(?P<single>[^']+)'|`(?P<back>[^`]+)`")
_EMPTY: Final = re.compile(r"//[ims]*|([\"'`])\s*\1")
_FLAGS: Final = {"i": regex.IGNORECASE, "m": regex.MULTILINE, "s": regex.DOTALL}
_COUNT: Final = re.compile(r"\{(\d*),?(\d*)")
_SETS_VERBOSE: Final = re.compile(r"\(\?[A-Za-z0-9-]*x")
_WORD: Final = re.compile(r"(?<=\W)[A-Za-z][A-Za-z0-9_]{1,22}(?=\W)")
"""A whole word within a text: what stands at its ends may be the rest of a longer one."""


class Found(NamedTuple):
    """One match: where it begins and ends in a text, in bytes."""

    start: int
    end: int


@dataclass(frozen=True)
class TextPattern:
    """What is searched for. `terms` are some of the full text (`syntax.terms`) that every text with a match has."""

    expression: regex.Pattern[str]
    terms: tuple[str, ...]
    is_literal: bool


def pattern_of(query: str, *, as_text: bool) -> TextPattern | None:
    """Return what a query searches the text for: `/expression/`, "quoted text", or with `as_text` any text as it is;
    None for a question in words.

    Raises:
        OperationError: the expression is wrong, or would be too large; or nothing stands between the quotes.

    """
    query = query.strip()
    if not as_text and _EMPTY.fullmatch(query):
        raise OperationError(
            INVALID_PARAMS, f"nothing stands in {query}", 'send words, a name, "quoted text" or a /regular expression/'
        )
    slashed, quoted = _SLASHED.fullmatch(query), _QUOTED.fullmatch(query)
    if slashed is not None:
        return _expression(slashed["expression"], slashed["flags"])
    if quoted is not None:
        return _literal(quoted[quoted.lastgroup or 0])
    return _literal(query) if as_text and query else None


def matches(pattern: TextPattern, texts: Iterable[tuple[str, bytes]]) -> Iterator[tuple[str, bytes, list[Found]]]:
    """Yield path, text and matches of each text that has some, in their order.

    Raises:
        OperationError: the expression takes too long.

    """
    spent = 0.0
    for path, text in texts:
        started = time.monotonic()
        found = _matches_in(pattern, path, text)
        spent += time.monotonic() - started
        if found:
            yield path, text, found
        if spent > SEARCH_S and not pattern.is_literal:
            raise _too_slow(f"all files took more than {SEARCH_S:g} s")


def _matches_in(pattern: TextPattern, path: str, text: bytes) -> list[Found]:
    decoded = text.decode("utf-8", "replace")
    found = []
    place = offset = 0
    try:
        for match in pattern.expression.finditer(decoded, concurrent=True, timeout=FILE_S):
            start, end = match.span()
            if start == end:
                continue
            offset += _width(decoded[place:start])
            width = _width(decoded[start:end])
            found.append(Found(offset, offset + width))
            place, offset = start, offset
            if len(found) >= MOST_IN_FILE:
                break
    except TimeoutError as error:
        raise _too_slow(f"{path} took more than {FILE_S:g} s") from error
    return found


def _width(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode())


def _too_slow(what: str) -> OperationError:
    return OperationError(
        INVALID_PARAMS,
        f"the regular expression was given up: {what}",
        "repeat less inside of what is repeated, or narrow the files with file_filter",
    )


def _literal(text: str) -> TextPattern:
    """Search a text as it is written; without capital letters, in either case."""
    if len(text) > MAX_PATTERN:
        raise OperationError(
            INVALID_PARAMS, f"the text to find has {len(text):,} characters", f"send at most {MAX_PATTERN:,}"
        )
    flags = regex.IGNORECASE if text == text.lower() else 0
    # A run of blanks stands for any: a text that is broken over two lines is found too.
    expression = r"\s+".join(regex.escape(part, special_only=True) for part in text.split())
    # The first term of a name is the name in one word, whatever its case: all ways to write it have that one.
    found = [terms(word).split() for word in _WORD.findall(text)]
    return TextPattern(regex.compile(expression, flags), tuple(each[0] for each in found if each), is_literal=True)


def _expression(expression: str, flags: str) -> TextPattern:
    if len(expression) > MAX_PATTERN:
        raise OperationError(
            INVALID_PARAMS,
            f"the regular expression has {len(expression):,} characters",
            f"send at most {MAX_PATTERN:,}",
        )
    if grown_size(expression) > MAX_GROWN:
        raise OperationError(
            INVALID_PARAMS,
            f"/{expression}/ has counted repetitions that are too large together",
            "use smaller counts, or * and +",
        )
    if _SETS_VERBOSE.search(expression):
        raise OperationError(INVALID_PARAMS, f"/{expression}/ sets the flag x, which is not to be had", "leave it out")
    given = regex.MULTILINE
    for flag in flags:
        given |= _FLAGS[flag]
    try:
        compiled = regex.compile(expression, given)
    except (regex.error, RecursionError, OverflowError, ValueError) as error:
        raise OperationError(
            INVALID_PARAMS,
            f"/{expression}/ is no regular expression: {error}",
            "mend it, or send the text in quotes to find it as it is written",
        ) from error
    return TextPattern(compiled, (), is_literal=False)


def grown_size(expression: str) -> int:
    """Return how many items an expression has at most when every counted repetition is written out, as `regex` does.

    All counts are multiplied as if each lay in the others. That is more than most expressions become; but who knows the
    brackets only roughly can be deceived about what lies in what.
    """
    size = len(expression)
    for count in _COUNT.finditer(expression):
        size *= max([int(digits[:9]) for digits in count.groups() if digits] + [1])
    return size
