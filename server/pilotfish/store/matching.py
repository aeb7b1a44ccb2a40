"""How a query matches a definition's name: one rule, used by the catalog's search and for unsaved texts alike.

Five tiers, best first: the whole name, its start, the starts of its words (`gUN`, `gun`, `getUN` for `getUserName`),
a part of it, its letters in order. Case is folded; where the query has upper case, names that agree with it come first.
`Class.method`, `Class::method`, `Class->method` and `Class#method` ask for a member: each part before the last is the
start of a name that the definition lies in.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Collection
from functools import cached_property
from typing import NamedTuple

import pathspec

from pilotfish.syntax.outline import SymbolKind
from pilotfish.syntax.subwords import shape, words

SEARCHED_CHARS = 128
"""Of longer names only the beginning is searched, in characters."""

_HUMPS = 16
"""Words of a name that count for its hump key."""

_WORD_START = re.compile(r"(?<![A-Za-z])[a-z]|(?<![0-9])[0-9]|(?<![A-Z])[A-Z]|(?<=[A-Z])[A-Z](?=[a-z])")
_SEGMENT = re.compile(r"[A-Z][a-z]*|[a-z]+|[0-9]+")
_SEPARATOR = re.compile(r"\.|::|->|#")


class Tier(enum.IntEnum):
    """How a name matches; lower is better."""

    EXACT = 0
    PREFIX = 1
    HUMP = 2
    INFIX = 3
    SUBSEQUENCE = 4


class Match(NamedTuple):
    """How well a definition matches; the smaller, the better.

    `loose` compares matches whose names merely hold the letters: one that begins with another letter is worse than any
    that does not, then the longer name is worse. `container` is 1 where an enclosing name only begins as asked, `case`
    is 1 where upper and lower case differ from the query's.
    """

    tier: Tier
    loose: int = 0
    container: int = 0
    case: int = 0


def clean(name: str) -> str:
    """Return a name without NUL, at which SQLite's functions end a text."""
    return name.replace("\0", "\N{REPLACEMENT CHARACTER}")


def fold(name: str) -> str:
    """Return a name as it is searched: without case, cut to what is searched."""
    return name.casefold()[:SEARCHED_CHARS]


def hump_key(name: str) -> str | None:
    """Return the first letters of a name's words, folded; None for a name of one word, which has no humps."""
    if name.isascii():
        starts = _WORD_START.findall(name[:SEARCHED_CHARS])
    else:
        starts = [word[0].casefold()[0] for word in words(name[:SEARCHED_CHARS])]
    return "".join(starts[:_HUMPS]).lower() if len(starts) > 1 else None


def looseness(key: str, wanted: str) -> int:
    """Return how loosely a folded name holds letters of a query: see `Match`."""
    return len(key) + (key[:1] != wanted[:1]) * 2 * SEARCHED_CHARS


def holds_nearly(key: str, wanted: str) -> bool:
    """Whether a folded name holds the letters of another in their order, but for one at most."""
    whole, slipped = 0, -1  # how much of the name the letters so far take at least, without and with one left out
    for letter in wanted:
        skipped = whole
        whole = key.find(letter, whole) + 1 if whole >= 0 else -1
        slipped = key.find(letter, slipped) + 1 if slipped >= 0 else -1
        whole, slipped = whole or -1, slipped or -1
        if skipped >= 0 and (slipped < 0 or skipped < slipped):
            slipped = skipped
        if slipped < 0 and whole < 0:
            return False
    return True


class NamePattern:
    """The part of a query that a definition's own name must match."""

    def __init__(self, text: str) -> None:
        self.text = text[:SEARCHED_CHARS]
        self.key = fold(text)
        self.minds_case = text != text.lower()

    @cached_property
    def segments(self) -> list[str]:
        """What the words of a name must begin with, in turn, folded; empty where the pattern cannot be humps."""
        parts = _segments(self.text)
        if len(parts) == 1:
            parts = list(parts[0])
        return [part.casefold() for part in parts[:_HUMPS]] if len(parts) > 1 else []

    def match(self, name: str) -> Match | None:
        """Return how a name matches, or None."""
        key = fold(name)
        if key == self.key:
            return Match(Tier.EXACT, case=name != self.text)
        if key.startswith(self.key):
            return Match(Tier.PREFIX, case=self.minds_case and not name.startswith(self.text))
        if self.is_humps_of(name):
            return Match(Tier.HUMP)
        if self.key in key:
            loose = looseness(key, self.key) if len(self.key) < 3 else 0
            return Match(Tier.INFIX, loose, case=self.minds_case and self.text not in name)
        if is_subsequence(self.key, key):
            return Match(Tier.SUBSEQUENCE, looseness(key, self.key))
        return None

    def is_humps_of(self, name: str) -> bool:
        """Tell whether the words of a name begin as the pattern's segments do."""
        segments = self.segments
        if not segments:
            return False
        found = words(name[:SEARCHED_CHARS])[:_HUMPS]
        return 1 < len(found) >= len(segments) and all(
            word.casefold().startswith(segment) for word, segment in zip(found, segments, strict=False)
        )


class SymbolQuery:
    """A query as a person types it, with the filters that go with it."""

    def __init__(self, text: str, *, kinds: Collection[SymbolKind] | None = None, path_glob: str | None = None) -> None:
        """Read a query.

        Args:
            text: a name, an abbreviation, a part of a name, or `Class.method`; empty matches nothing.
            kinds: only definitions of these kinds.
            path_glob: only files whose path matches this pattern, as in an ignore file.

        """
        self.text = clean(text.strip())
        self.kinds = None if kinds is None else frozenset(kinds)
        self.path_glob = path_glob
        self.whole = NamePattern(self.text)
        *containers, member = _SEPARATOR.split(self.text) if self.text else [""]
        self.containers = [fold(part) for part in containers if part]
        self.member = NamePattern(member)

    @property
    def is_empty(self) -> bool:
        """Whether nothing can match."""
        return not self.text

    @cached_property
    def _paths(self) -> pathspec.PathSpec[pathspec.Pattern] | None:
        return None if self.path_glob is None else pathspec.PathSpec.from_lines("gitignore", [self.path_glob])

    def accepts_path(self, path: str) -> bool:
        """Tell whether the filters let a path through."""
        return self._paths is None or self._paths.match_file(path)

    def match(self, name: str, container: str, kind: SymbolKind | int) -> Match | None:
        """Return how a definition matches, or None; `container` is qualified with dots."""
        if self.is_empty or (self.kinds is not None and kind not in self.kinds):
            return None
        best = self.whole.match(name)
        within = self.match_container(container)
        if within is None:
            return best
        member = self.member.match(name)
        if member is None:
            return best
        qualified = member._replace(container=within)
        return qualified if best is None else min(best, qualified)

    def match_container(self, container: str) -> int | None:
        """Return 0 where the container ends in the wanted names, 1 where its last names begin so, None otherwise."""
        if not self.containers or not container:
            return None
        last = fold_container(container)[-len(self.containers) :]
        if last == self.containers:
            return 0
        begins = len(last) == len(self.containers) and all(map(str.startswith, last, self.containers))
        return 1 if begins else None


def fold_container(container: str) -> list[str]:
    """Return the names that a qualified container consists of, as they are searched."""
    return [fold(part) for part in container.split(".") if part]


def is_subsequence(wanted: str, text: str) -> bool:
    """Tell whether the characters of `wanted` stand in `text` in this order."""
    place = 0
    for character in wanted:
        place = text.find(character, place) + 1
        if not place:
            return False
    return True


def _segments(text: str) -> list[str]:
    if text.isascii():
        return _SEGMENT.findall(text)
    shapes = "".join([shape(character) for character in text])
    return [text[match.start() : match.end()] for match in _SEGMENT.finditer(shapes)]
