"""Names in a text without parsing it: which word stands at a place, and where else it stands as code.

Parsing holds the GIL (facts: perf), so questions about reads and the word under a cursor are answered by a small
lexer: one regular expression a language family that passes over comments and string literals. It needs no tree, works
on broken code, and costs about a millisecond for a file of 2,000 lines.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import NamedTuple

from pilotfish.syntax.languages import REGISTRY
from pilotfish.syntax.spellings import Spellings, spellings_of

_LETTERS = rb"A-Za-z0-9_\x80-\xff"
_MARKS = b"$"  # of a text in no language


class _Words(NamedTuple):
    """What words are made of in one language."""

    run: re.Pattern[bytes]
    values: frozenset[int]
    strings: frozenset[bytes]  # the same, each as a text of one byte
    ends: frozenset[bytes]  # what may end a word


@cache
def _words(language: str | None) -> _Words:
    known = REGISTRY.get(language) if language is not None else None
    marks = _MARKS if known is None else known.word_marks
    run = re.compile(rb"[%s%s]+" % (_LETTERS, re.escape(marks)))
    values = frozenset(byte for byte in range(256) if run.match(bytes((byte,))))
    ends = b"" if known is None else known.word_ends
    return _Words(run, values, *(frozenset(bytes((byte,)) for byte in each) for each in (values, ends)))


@lru_cache(maxsize=64)
def _lexer(language: str) -> re.Pattern[bytes] | None:
    known = REGISTRY.get(language)
    return re.compile(b"|".join(known.opaque), re.DOTALL | re.MULTILINE) if known is not None and known.opaque else None


def word_at(text: bytes, offset: int, language: str | None = None) -> tuple[int, int] | None:
    """Return the bounds of the word that holds `offset` or ends there, in bytes; None between words and on numbers.

    `language` is the registry's name of what the text is in; it says what belongs to a word beside letters and digits.
    """
    run, values, _, ends = _words(language)
    if not 0 <= offset <= len(text):
        return None
    if ends and offset and text[offset - 1 : offset] in ends:
        offset -= 1
    start = offset
    while start > 0 and text[start - 1] in values:
        start -= 1
        if offset - start > 1_000:
            return None
    found = run.match(text, start, start + 2_000)
    if found is None or found.end() < offset or text[start : start + 1].isdigit():
        return None
    end = found.end()
    return start, end + 1 if ends and _is_end(text, end, ends) else end


def _is_end(text: bytes, offset: int, ends: frozenset[bytes]) -> bool:
    """Whether what stands behind a word belongs to it: `push!`, and not `push != pull`."""
    return text[offset : offset + 1] in ends and text[offset + 1 : offset + 2] != b"="


def occurrences(text: bytes, word: bytes, language: str | None = None) -> list[int]:
    """Return the start of every occurrence of `word` as a whole word, in any of its spellings, ascending, comments and
    strings included.

    `language` is as for `word_at`.
    """
    spellings = spellings_of(word.decode("utf-8", "replace"), language)
    if spellings is not None:
        return _in_any_spelling(text, spellings, language)
    _, values, strings, ends = _words(language)
    may_end = ends if ends and word[-1:] not in ends else None
    found: list[int] = []
    length = len(word)
    start = text.find(word)
    while start != -1:
        end = start + length
        is_whole = not (start and text[start - 1] in values) and text[end : end + 1] not in strings
        if is_whole and (may_end is None or not _is_end(text, end, may_end)):
            found.append(start)
        start = text.find(word, end)
    return found


def _in_any_spelling(text: bytes, spellings: Spellings, language: str | None) -> list[int]:
    _, values, strings, _ = _words(language)
    found: list[int] = []
    for match in spellings.pattern.finditer(text):
        start, end = match.span()
        is_whole = not (start and text[start - 1] in values) and text[end : end + 1] not in strings
        if is_whole and spellings.has(match.group().decode("utf-8", "replace"), None):
            found.append(start)
    return found


def code_only(text: bytes, language: str, offsets: list[int]) -> list[int]:
    """Return those of the ascending `offsets` that stand in code, not in a comment or in a string's own text.

    Places inside `{…}` of interpolating strings (f-strings, template literals) count as code.
    """
    lexer = _lexer(language)
    if lexer is None or not offsets:
        return offsets
    kept: list[int] = []
    pending = iter(offsets)
    offset = next(pending)
    for opaque in lexer.finditer(text):
        start, end = opaque.span()
        while offset < start:
            kept.append(offset)
            following = next(pending, None)
            if following is None:
                return kept
            offset = following
        while offset < end:
            if _interpolated(text, language, start, offset):
                kept.append(offset)
            following = next(pending, None)
            if following is None:
                return kept
            offset = following
    kept.append(offset)
    kept.extend(pending)
    return kept


def _interpolated(text: bytes, language: str, start: int, offset: int) -> bool:
    """Whether `offset` lies in an open brace of the interpolating string literal that begins at `start`."""
    marks = REGISTRY[language].interpolating
    if not marks:
        return False
    marker = text[start - 1 : start] if language == "python" else text[start : start + 1]
    if not marker or marker not in marks:
        return False
    before = text[start:offset]
    return before.rfind(b"{") > before.rfind(b"}")


_NAME_OR_STRING = re.compile(rb"[ \t]+[A-Za-z_$\"'\x80-\xff]")


def is_keyword(language: str, word: str, behind: bytes) -> bool:
    """Whether a word is a keyword of `language` where it stands before the text `behind`."""
    known = REGISTRY.get(language)
    if known is None:
        return False
    if (
        known.name_key is not None
        and not known.keyed_kinds
        and not known.keywords.isdisjoint((word.lower(), word.upper()))
    ):
        return True
    return word in known.keywords or (word in known.soft_keywords and _NAME_OR_STRING.match(behind) is not None)
