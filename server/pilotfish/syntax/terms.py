"""Shadow terms: what full text search has of a text instead of its words, so that questions in words find code.

A name gives its parts and, where there are several, itself as one word: `getUserNames` is `getusernam`, `get`, `user`
and `nam`, as are `get_user_names` and `GetUserName`. All are in lower case, without accents and endings
(`subwords.stem`). Scripts without spaces between words give single characters and pairs of neighbours.

A term holds ASCII letters, digits and letters of other scripts only: neither a quote nor a space, nor anything that
FTS5's `ascii` tokenizer divides. In a query it stands in double quotes, since `and`, `or`, `not` and `near` are terms
like others: `"get" OR "user"`.
"""

# ruff: noqa: SIM905 - lists of words read better as one string
from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable
from itertools import pairwise
from typing import Final

from pilotfish.syntax.subwords import stem, words

TERMS_VERSION: Final = 1
"""Grows with every change of what `terms` or `subwords` make of a text: an index of other terms is made anew."""

MOST_QUESTION_TERMS: Final = 64
"""A question's further terms are passed over: a pasted page is as well described by its beginning."""

_LONGEST_NAME: Final = 100
"""A longer run of letters and digits is data."""

_ENCODED: Final = 24
"""From this length on, a run whose parts have less than three characters on average is data too: a hash, base64."""

_LONGEST_NUMBER: Final = 6
"""What begins with a digit and is longer is data: nobody asks for it, and it would be much of the vocabulary."""

_NAME: Final = re.compile(r"\w+")
_NAMES_ONLY: Final = bytes(byte if byte == ord("_") or bytes((byte,)).isalnum() else ord(" ") for byte in range(256))
_WIDE: Final = re.compile(r"[^\x00-\x7f]+")
_CONTRACTION: Final = re.compile(r"\b[A-Za-z]{2,7}n['\u2019]t\b|(?<=[A-Za-z])['\u2019](?:s|re|ve|ll|d|m)\b")
_ACCENT: Final = re.compile("[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670]+")
_UNSPACED: Final = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
    "\uf900-\ufaff\U00020000-\U0003ffff]+"
)
"""Thai, Lao, Burmese, Khmer, Japanese, Chinese and Korean."""

STOP_WORDS: Final = frozenset(
    "a about after all also an and any are as at be been before being but by can could did do does doing done each "
    "find for from get gets give given has have having he her his how i if in into is it its itself just like made "
    "make makes me might more most must my need needs no not of on only or other our out over own please shall she "
    "should show so some such than that the their them then there these they this those through to too under until up "
    "upon use used uses using very via was we were what when where which while who whose why will with would you your"
    .split()
)  # fmt: skip
"""What says nothing in a question; texts keep these words, since names are made of them too."""


def terms(text: str) -> str:
    """Return the terms of a text or a path in its order, each as often as it stands there, with spaces between."""
    names: Iterable[bytes]
    if text.isascii():
        names = text.encode().translate(_NAMES_ONLY).split()  # half the time of a regular expression
    else:
        names = map(str.encode, _NAME.findall(folded(text)))
    return " ".join(filter(None, map(_remembered.__getitem__, names)))


def question_terms(question: str, passed_over: Collection[str] = STOP_WORDS) -> list[str]:
    """Return the distinct terms of a question, at most `MOST_QUESTION_TERMS`, in its order.

    Words that are passed over, given in lower case and without accents, are left out, unless it has no others; so is
    what contractions end in, `won't` and `we'll`.
    """
    names = _NAME.findall(folded(without_contractions(question)))
    telling = [name for name in names if name.lower() not in passed_over]
    found = {term: None for name in telling or names for term in _remembered[name.encode()].split()}
    return list(found)[:MOST_QUESTION_TERMS]


def without_contractions(question: str) -> str:
    """Return a question without its negated auxiliaries, and without what an apostrophe joins to other words."""
    return _CONTRACTION.sub("", question)


def folded(text: str) -> str:
    """Return a text whose characters beyond ASCII are without accents, ligatures and other widths taken apart."""
    return _WIDE.sub(_folded, text)


def _folded(run: re.Match[str]) -> str:
    """Return characters beyond ASCII without accents, ligatures and other widths taken apart."""
    return unicodedata.normalize("NFC", _ACCENT.sub("", unicodedata.normalize("NFKD", run[0])))


class _Memory(dict[bytes, str]):
    """The terms of names seen before: most of a text are. A plain dictionary is asked twice as fast as an LRU cache."""

    def __missing__(self, name: bytes) -> str:
        if len(self) >= _MOST_REMEMBERED:
            self.clear()
        found = self[name] = _terms_of(name.decode())
        return found


def _terms_of(name: str) -> str:
    """The terms of one run of letters, digits and underscores; "" for what is no name."""
    if name.isascii():
        if name.islower() and name.isalpha():
            return stem(name) if 1 < len(name) <= _LONGEST_NAME else ""
        if name[0].isdigit():
            return " ".join(_parts(name)) if len(name) <= _LONGEST_NUMBER else ""
        return " ".join(_parts(name))
    found: list[str] = []
    place = 0
    for run in _UNSPACED.finditer(name):
        found += _parts(name[place : run.start()])
        found += run[0]
        found += map("".join, pairwise(run[0]))
        place = run.end()
    return " ".join(found + _parts(name[place:]))


_MOST_REMEMBERED: Final = 60_000
_remembered: Final = _Memory()


def _parts(name: str) -> list[str]:
    """The whole of a name of several parts, then the parts, single letters left out; nothing of a lone digit."""
    if len(name) > _LONGEST_NAME:
        return []
    parts = [word.casefold() for word in words(name)]
    if len(parts) == 1 and len(name) == 1:
        return []
    if len(name) >= _ENCODED and len(name) < 3 * len(parts):
        return []
    stems = [*map(stem, parts)]
    found = [part for part in stems if len(part) > 1 or not part.isalpha()]
    if len(parts) > 1:
        parts[-1] = stems[-1]
        found.insert(0, "".join(parts))
    return found
