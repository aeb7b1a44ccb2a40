"""Which spellings are one name: in some languages case does not matter, in Nim underscores neither.

A language says so by `Language.name_key` and `keyed_kinds`. Everything that looks a name up asks here, so that what is
written `dgemm` finds what is defined as `DGEMM`; each spelling is shown as it is written.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from functools import cache, lru_cache
from typing import NamedTuple

from pilotfish.syntax.languages import REGISTRY
from pilotfish.syntax.languages.language import Language
from pilotfish.syntax.outline import Role, SymbolKind

_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


class Spellings(NamedTuple):
    """One name in a language in which it can be written in several ways."""

    name: str
    language: Language

    def has(self, written: str, kind: SymbolKind | None) -> bool:
        """Whether what is written so is the name, in a definition of some kind, or where no kind is known."""
        return written == self.name or (
            _is_keyed(self.language, kind) and _key(self.language.name, written) == _key(self.language.name, self.name)
        )

    def is_referred_to(self, written: str, role: Role) -> bool:
        """Whether what is written so in a reference is the name."""
        return self.has(written, called_in(role))

    @property
    def pattern(self) -> re.Pattern[bytes]:
        """What finds every spelling in a text, and perhaps what only looks like one."""
        if not self.varies_in_length:
            return re.compile(re.escape(self.name.encode()), re.IGNORECASE)
        letters = (re.escape(letter.encode()) for letter in self.name.replace("_", "") or self.name)
        return re.compile(b"_*".join(letters), re.IGNORECASE)

    @property
    def varies_in_length(self) -> bool:
        """Whether two spellings can be of different lengths."""
        return _key(self.language.name, "a_b") == _key(self.language.name, "ab")


def spellings_of(name: str, language: str | None) -> Spellings | None:
    """Return the spellings of a name in a language; None where it has but one."""
    known = _keyed_languages().get(language or "")
    return None if known is None else Spellings(name, known)


def key_of(name: str, language: str | None, kind: SymbolKind | None = None) -> str:
    """Return what all spellings of a name have in common, in a definition of some kind, or where no kind is known; the
    name itself in a language in which it has but one."""
    known = _keyed_languages().get(language or "")
    return name if known is None or not _is_keyed(known, kind) else _key(known.name, name)


def called_in(role: Role) -> SymbolKind | None:
    """Return what kind of definition a reference certainly means."""
    return SymbolKind.FUNCTION if role is Role.CALL else None


def keyed_among(languages: Collection[str | None] | None) -> frozenset[str]:
    """Return those of some languages in which a name can be written in several ways; None are all languages."""
    keyed = _keyed_languages().keys()
    return frozenset(keyed if languages is None else (each for each in languages if each is not None and each in keyed))


def folded_spellings(name: str, languages: Iterable[str]) -> list[str]:
    """Return, in lower case, how a name is likely to be written in some languages."""
    found = {name.lower(): None}
    if any(spellings.varies_in_length for each in languages if (spellings := spellings_of(name, each)) is not None):
        found |= {name.replace("_", "").lower(): None, _HUMP.sub("_", name).lower(): None}
    return [*found]


@cache
def _keyed_languages() -> dict[str, Language]:
    return {name: language for name, language in REGISTRY.items() if language.name_key is not None}


def _is_keyed(language: Language, kind: SymbolKind | None) -> bool:
    return not language.keyed_kinds or kind in language.keyed_kinds


@lru_cache(maxsize=20_000)
def _key(language: str, name: str) -> str:
    key = REGISTRY[language].name_key
    return name if key is None else key(name)
