"""What the way in which a call is written says of what it can mean: `close()`, `self.close()`, `super().close()`,
`file.close()`.

`graph.links` ranks definitions by scope and imports. Of a call more can be told, so that what is certainly not meant is
left out before: a bare call means no method where methods are only reached through an object, and a method that hands
on to another object's of the same name does not call itself.
"""

from __future__ import annotations

import enum
import re
from typing import Final, NamedTuple

from pilotfish.graph.builtin_names import BUILTIN_NAMES
from pilotfish.syntax.facts import language_family
from pilotfish.syntax.outline import SymbolKind


class Through(enum.Enum):
    """What a name is reached through."""

    NOTHING = enum.auto()
    SELF = enum.auto()  # the object, type or module in which the place is
    BASE = enum.auto()  # what the type in which the place is inherits
    NAME = enum.auto()  # any other object, type or module


class Access(NamedTuple):
    """How a name is written; `qualifier` is the word before it, empty where there is none or it is no word."""

    through: Through
    qualifier: str = ""


class Meaning(NamedTuple):
    """A definition that a call may mean: its kind, the innermost name that it lies in, whether it stands in the same
    file, and whether the call stands in it."""

    kind: SymbolKind
    container: str
    is_here: bool
    is_around: bool


_BEFORE: Final = 200
"""Bytes before a name that are looked at."""

_LONGEST_WORD: Final = 60

_SUPER: Final = re.compile(rb"\bsuper\s*(\([^()]*\)\s*)?\.\s*$")
_QUALIFIED: Final = re.compile(rb"(\.|::|->)\s*(?:[#@]\s*)?$")
_QUALIFIED_IN: Final = {"lua": re.compile(rb"[.:]\s*$"), "r": re.compile(rb"(?:[$@]|:::?)\s*$")}
"""What stands between an object and what it holds, in languages that write it otherwise."""
_WORD: Final = re.compile(rb"([^\W\d][\w]*|[$][\w$]*)\s*\??$")
_SELVES: Final = frozenset({b"self", b"this", b"cls", b"Self", b"crate", b"$self", b"$this"})
CALLED_MEMBERS: Final = frozenset({SymbolKind.METHOD, SymbolKind.CONSTRUCTOR, SymbolKind.FIELD, SymbolKind.PROPERTY})
"""Kinds of members that a call may mean which names them behind an object."""

_NEVER_CALLED: Final = frozenset(
    {SymbolKind.FILE, SymbolKind.MODULE, SymbolKind.NAMESPACE, SymbolKind.PACKAGE, SymbolKind.KEY, SymbolKind.STRING}
)
MEMBERS_BARE: Final = frozenset(
    {"cpp", "csharp", "cuda", "dart", "gdscript", "groovy", "java", "julia", "kotlin", "nim", "r", "ruby", "scala"}
    | {"solidity", "swift", "zig"}
)
"""Languages in which a method calls another one of its type without naming an object."""

_PATHS: Final = frozenset({"cpp", "cuda", "nim", "perl", "ruby", "rust"})
"""Languages in which `a::b` names what a module or type holds, or `a.b()` calls any `b` whose first argument is `a`."""


def access_at(text: bytes, offset: int, language: str | None) -> Access:
    """Return how the name at a byte offset of a text is reached."""
    before = text[max(0, offset - _BEFORE) : offset]
    separator = _QUALIFIED_IN.get(language or "", _QUALIFIED).search(before)
    if separator is None:
        return Access(Through.NOTHING)
    if language not in _PATHS and b"super" in before and _SUPER.search(before):
        return Access(Through.BASE)
    before = before[max(0, separator.start() - _LONGEST_WORD) : separator.start()]
    word = _WORD.search(before)
    if word is None:
        return Access(Through.NAME)
    if word.group(1) in _SELVES and not before[: word.start()].rstrip().endswith((b".", b"::", b"->")):
        return Access(Through.SELF)
    return Access(Through.NAME, word.group(1).decode("utf-8", "replace"))


def can_mean(name: str, language: str | None, access: Access, meaning: Meaning) -> bool:
    """Whether a call of `name` that is written so can mean a definition."""
    if meaning.kind in _NEVER_CALLED:
        return False
    is_member = meaning.kind in CALLED_MEMBERS
    if access.through is Through.NOTHING:
        return not is_member or language in MEMBERS_BARE
    if access.through is Through.SELF:
        return is_member or language in _PATHS or not meaning.is_here
    if access.through is Through.BASE:
        return is_member and not meaning.is_around
    if is_named_after(access.qualifier, meaning.container):
        return True
    if is_member:
        return not meaning.is_around and name not in BUILTIN_NAMES.get(language_family(language) or "", ())
    return not meaning.is_here or language in _PATHS or access.qualifier == "exports"


def is_named_after(qualifier: str, container: str) -> bool:
    """Whether an object seems to be called by its type: `query_set` is as good as `QuerySet`."""
    return bool(qualifier) and _flat(qualifier) == _flat(container)


def _flat(name: str) -> str:
    return name.replace("_", "").lower()
