"""What each file defines, names and imports, as hashes in columns of numbers.

Names are compared by their hashes, 64 bits of a keyed function that no repository can know.
"""

from __future__ import annotations

import enum
import posixpath
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from pilotfish.graph.links import is_test
from pilotfish.graph.resolve import Resolver
from pilotfish.syntax.facts import FileFacts, decode_imports, language_family, local_symbols
from pilotfish.syntax.outline import Role, SymbolKind, Visibility
from pilotfish.syntax.spellings import called_in, key_of, spellings_of
from pilotfish.syntax.subwords import stem, words

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]


class Trait(enum.IntFlag):
    """What a definition's name says about it."""

    LONG = 1  # eight characters or more and of several words: specific to the workspace
    PRIVATE = 2
    LOCAL = 4  # inside a function
    DATA = 8  # a variable, field, key or heading: no function and no type
    PACKAGE = 16  # seen in its package alone
    FREE = 32  # not inside a type or namespace: another module must import it to name it


class Bindings(NamedTuple):
    """What a file's imports bind: names as the file and as the targets call them, by hash, and the targets."""

    aliases: Ints
    names: Ints
    files: list[tuple[str, ...]]
    package: int


class Node:
    """One file in the graph, its names as hashes. Made once per content, bound once per set of files."""

    __slots__ = (
        *("path", "path_stems", "is_test", "language", "family", "imports", "bindings"),
        *("defined", "traits", "stems", "stem_counts"),
        *("ref_names", "ref_roles", "ref_counts"),
    )

    def __init__(self, facts: FileFacts, resolver: Resolver | None) -> None:
        self.path = facts.path
        self.path_stems = np.fromiter({_stem(word): None for word in _path_words(facts.path)}, np.int64)
        self.is_test = is_test(facts.path)
        self.language = facts.language
        self.family = hash(language_family(facts.language))
        traits, written = _definitions(facts)
        self.defined = np.fromiter(map(hash, traits), np.int64, len(traits))
        self.traits = np.fromiter(traits.values(), np.uint8, len(traits))
        self.stems, self.stem_counts = _stems(written)
        self.ref_names = np.fromiter(map(hash, _referenced(facts)), np.int64, len(facts.referenced))
        self.ref_roles = np.frombuffer(facts.roles, np.uint8)
        self.ref_counts = np.asarray(facts.counts, np.int64)
        self.imports = facts.imports
        self.bind(resolver)

    @property
    def is_module(self) -> bool:
        """Whether names of other files must be imported to stand for themselves here. JavaScript without an import
        may run beside other scripts and share names with them."""
        return self.language in _MODULAR or (self.language == "javascript" and len(self.imports) > _NO_IMPORTS)

    def says_as(self, other: Node) -> bool:
        """Whether another text at this path says the same, so that no link and no map can tell them apart."""
        return (
            self.language == other.language
            and self.imports == other.imports
            and all(
                np.array_equal(getattr(self, column), getattr(other, column))
                for column in ("defined", "traits", "stems", "ref_names", "ref_roles", "ref_counts")
            )
        )

    def binds_as(self, other: Node) -> bool:
        """Whether imports mean the same in another text at this path."""
        ours, theirs = self.bindings, other.bindings
        return (
            self.language == other.language
            and self.is_module == other.is_module
            and ours.package == theirs.package
            and ours.files == theirs.files
            and np.array_equal(ours.aliases, theirs.aliases)
            and np.array_equal(ours.names, theirs.names)
        )

    def bind(self, resolver: Resolver | None) -> None:
        """Resolve the imports anew: files have come or gone."""
        aliases: list[int] = []
        names: list[int] = []
        files: list[tuple[str, ...]] = []
        package = 0
        if resolver is not None:
            found = resolver.package(self.path)
            package = 0 if found is None else hash((self.family, found))
            for imported in decode_imports(self.imports):
                for binding in resolver.bindings(self.path, imported):
                    aliases.append(hash(key_of(binding.alias, self.language)))
                    names.append(hash(key_of(binding.name, self.language)))
                    files.append(binding.files)
        self.bindings = Bindings(np.array(aliases, np.int64), np.array(names, np.int64), files, package)


_MODULAR: Final = frozenset({"python", "typescript", "tsx"})

_NO_IMPORTS: Final = 1
"""Bytes of an empty list in msgpack."""

WHOLE: Final = hash("*")
_LONG_NAME: Final = 8
_MOST_STEMS: Final = 32
_MOST_LETTERS: Final = 200
_DATA_NAMES: Final = "VARIABLE CONSTANT FIELD PROPERTY ENUM_MEMBER KEY STRING NUMBER BOOLEAN ARRAY OBJECT"
_DATA: Final = frozenset(int(SymbolKind[name]) for name in _DATA_NAMES.split())
_PROSE: Final = frozenset({"markdown", "json", "toml", "yaml"})


def _definitions(facts: FileFacts) -> tuple[dict[str, int], Collection[str]]:
    """Return the distinct names that a file defines, by what all spellings of each have in common, in the order of
    their first definition, with their traits; and how each is written there."""
    is_prose = facts.language in _PROSE
    keyed = spellings_of("", facts.language)
    traits: dict[str, int] = {}
    written: dict[str, str] = {}
    symbols = zip(facts.names, facts.kinds, facts.parents, facts.visibilities, local_symbols(facts), strict=True)
    for name, kind, parent, visibility, is_local in symbols:
        trait = _trait(name, visibility) | is_local * _LOCAL | (is_prose or kind in _DATA) * _IS_DATA
        if parent < 0 or is_local:
            trait |= _FREE
        if visibility and facts.language in _BOUND_TO_PACKAGE:
            trait |= _PACKAGE
        if keyed is not None:
            key = key_of(name, facts.language, SymbolKind(kind))
            written.setdefault(key, name)
            name = key
        known = traits.get(name)
        # What is said of a name in a file is said of all that bear it there.
        traits[name] = trait if known is None else trait & known
    return traits, written.values() or traits


def _referenced(facts: FileFacts) -> Sequence[str]:
    """Return the names that a file refers to, by what all spellings of each have in common."""
    if spellings_of("", facts.language) is None:
        return facts.referenced
    roles = map(Role, facts.roles)
    return [key_of(name, facts.language, called_in(role)) for name, role in zip(facts.referenced, roles, strict=True)]


# Plain numbers: an operation on a flag costs more than all else that is done for a symbol.
_LOCAL: Final = int(Trait.LOCAL)
_IS_DATA: Final = int(Trait.DATA)
_FREE: Final = int(Trait.FREE)
_PACKAGE: Final = int(Trait.PACKAGE)

_BOUND_TO_PACKAGE: Final = frozenset({"go"})
"""Languages in which no other package can name what is not public."""


@lru_cache(maxsize=50_000)
def _trait(name: str, visibility: int) -> int:
    private = Trait.PRIVATE if visibility == Visibility.PRIVATE or name.startswith("_") else 0
    is_long = len(name) >= _LONG_NAME and ("_" in name.strip("_") or (name != name.lower() and name != name.upper()))
    return int(private | (Trait.LONG if is_long else 0))


def _stems(names: Iterable[str]) -> tuple[Ints, NDArray[np.uint8]]:
    """Return the hashes of the stems of all names, one after the other, and how many each name has."""
    found = [words(name[:_MOST_LETTERS])[:_MOST_STEMS] for name in names]
    hashes = [_stem(word) for name in found for word in name]
    return np.array(hashes, np.int64), np.fromiter(map(len, found), np.uint8, len(found))


def _path_words(path: str) -> list[str]:
    return words(posixpath.splitext(path)[0][-_MOST_LETTERS:])


@lru_cache(maxsize=50_000)
def _stem(word: str) -> int:
    return hash(stem(word.casefold()))
