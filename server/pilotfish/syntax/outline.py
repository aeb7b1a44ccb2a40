"""What one file says structurally: plain data, independent of where the file lies.

An outline is a pure function of the text and the language. It never holds the path: a moved file keeps its outline
(DESIGN invariant 2). All positions are byte offsets into the file's text in UTF-8 without a byte order mark; a
`syntax.text.LineTable` turns them into lines and columns.
"""

from __future__ import annotations

import enum
from collections.abc import Sequence
from typing import Final, Protocol

import msgspec


class SymbolKind(enum.IntEnum):
    """The closed list of kinds: LSP's `SymbolKind`, with its numbers (LSP 3.17, workspace symbols)."""

    FILE = 1
    MODULE = 2
    NAMESPACE = 3
    PACKAGE = 4
    CLASS = 5
    METHOD = 6
    PROPERTY = 7
    FIELD = 8
    CONSTRUCTOR = 9
    ENUM = 10
    INTERFACE = 11
    FUNCTION = 12
    VARIABLE = 13
    CONSTANT = 14
    STRING = 15
    NUMBER = 16
    BOOLEAN = 17
    ARRAY = 18
    OBJECT = 19
    KEY = 20
    NULL = 21
    ENUM_MEMBER = 22
    STRUCT = 23
    EVENT = 24
    OPERATOR = 25
    TYPE_PARAMETER = 26

    @property
    def label(self) -> str:
        """The kind in lower-case words for people and JSON: `enum member`."""
        return _LABELS[self]


_LABELS = {kind: kind.name.lower().replace("_", " ") for kind in SymbolKind}

TELLING_KINDS: Final = frozenset(
    (
        SymbolKind.CLASS,
        SymbolKind.METHOD,
        SymbolKind.CONSTRUCTOR,
        SymbolKind.ENUM,
        SymbolKind.INTERFACE,
        SymbolKind.FUNCTION,
        SymbolKind.STRUCT,
    )
)
"""Kinds of definitions that do something or hold others: what a piece of code is about, and most questions are."""


BODIES: Final = frozenset({SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.CONSTRUCTOR})
"""Kinds of definitions that do something when they are called."""

TYPES: Final = frozenset(
    {SymbolKind.CLASS, SymbolKind.INTERFACE, SymbolKind.STRUCT, SymbolKind.ENUM, SymbolKind.OBJECT}
)
"""Kinds of definitions that have members."""

MEMBERS: Final = frozenset(
    {
        SymbolKind.METHOD,
        SymbolKind.CONSTRUCTOR,
        SymbolKind.FIELD,
        SymbolKind.PROPERTY,
        SymbolKind.ENUM_MEMBER,
        SymbolKind.EVENT,
    }
)
"""Kinds of definitions that belong to a type or an object."""


class Role(enum.IntEnum):
    """What an occurrence of a name does there; reads are found on demand and not stored."""

    CALL = 1
    TYPE = 2
    IMPORT = 3
    INHERIT = 4


class Visibility(enum.IntEnum):
    """How far a definition is meant to be seen, by its language's own rule; lower is wider."""

    PUBLIC = 0
    RESTRICTED = 1  # protected, package, internal, file
    PRIVATE = 2


class Symbol(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One definition.

    `parent` is the index of the enclosing symbol in `Outline.symbols`, or -1. `start`/`end` span the whole definition,
    `name_start`/`name_end` its name token. `container` names what the definition belongs to where no enclosing symbol
    says it: the receiver's type of a Go method, the type of a Rust `impl` block, `Shape` of a C++ `void Shape::draw()
    {}`; its parts are joined by dots. `qualified_containers` joins both.

    The other fields are what `syntax.documentation` needs to read signature and documentation from the text: `head` is
    where the signature begins and `body` where the body does, both counted from `start`, `body` -1 where there is none;
    `lead` is put before the signature. `prose` bytes behind `body` document the definition, if the tree said so.
    `language` is that of embedded code; "" where it is the outline's own.
    """

    name: str
    kind: SymbolKind
    parent: int
    start: int
    end: int
    name_start: int
    name_end: int
    visibility: Visibility = Visibility.PUBLIC
    container: str = ""
    head: int = 0
    body: int = -1
    lead: str = ""
    prose: int = 0
    language: str = ""


class ReferenceGroup(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """All occurrences of one name in one role in a file: the start offset of each, ascending."""

    name: str
    role: Role
    offsets: list[int]


class ImportedName(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One name that an import brings in: `name` as the other module calls it, `alias` as this file does."""

    name: str
    alias: str


class Import(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One import statement or clause: the module as written (`..pkg.mod`, `./util`, `<stdio.h>`) and what it brings in.

    `names` is empty where the whole module is bound or its contents are opened (`import a`, `#include`). A wildcard is
    the name `*` with the alias `*`; a whole module bound under another name (`import numpy as np`, `import * as fs
    from "fs"`) is `*` with that alias; a default export is `default`.
    """

    module: str
    names: list[ImportedName]
    start: int
    end: int

    def brings(self, name: str) -> bool:
        """Whether it names something that is called so, there or here."""
        return any(name in (each.name, each.alias) for each in self.names)


class Outline(msgspec.Struct, frozen=True, array_like=True):
    """Everything structural about one text; symbols stand in source order, parents before children."""

    language: str
    symbols: list[Symbol] = []
    references: list[ReferenceGroup] = []
    imports: list[Import] = []
    exports: list[str] = []
    has_errors: bool = False


def qualified_containers(symbols: Sequence[Symbol]) -> list[str]:
    """For each symbol the dotted names of all that it lies in (`Outer.Inner`), "" at the top of its file."""
    return qualified(
        [symbol.name for symbol in symbols],
        [symbol.parent for symbol in symbols],
        [symbol.container for symbol in symbols],
    )


def qualified(names: Sequence[str], parents: Sequence[int], containers: Sequence[str]) -> list[str]:
    """The same from the three fields of all symbols of an outline."""
    found: list[str] = []
    inside: dict[int, str] = {-1: ""}  # by symbol, what those in it begin with
    for parent, container in zip(parents, containers, strict=True):
        outer = inside.get(parent)
        if outer is None:
            owner, name = found[parent], names[parent]
            outer = inside[parent] = f"{owner}.{name}" if owner and name else owner or name
        found.append(f"{outer}.{container}" if outer and container else outer or container)
    return found


class Symbols(Protocol):
    """The definitions of a text in source order, column by column: most questions are about few of them."""

    @property
    def names(self) -> Sequence[str]:
        """The name of each."""

    @property
    def kinds(self) -> Sequence[int]:
        """The `SymbolKind` of each."""

    @property
    def parents(self) -> Sequence[int]:
        """Which definition each lies in; -1 at the top."""

    @property
    def containers(self) -> Sequence[str]:
        """`Symbol.container` of each; an empty list where there is none at all."""

    @property
    def starts(self) -> Sequence[int]:
        """Where each begins, ascending."""

    def symbol(self, ordinal: int) -> Symbol:
        """Return one of them."""


class OutlineSymbols:
    """Those of an outline that is at hand."""

    def __init__(self, symbols: Sequence[Symbol]) -> None:
        self._symbols = symbols
        self.names: Sequence[str] = [symbol.name for symbol in symbols]
        self.kinds: Sequence[int] = [symbol.kind for symbol in symbols]
        self.parents: Sequence[int] = [symbol.parent for symbol in symbols]
        self.containers: Sequence[str] = [symbol.container for symbol in symbols]
        self.starts: Sequence[int] = [symbol.start for symbol in symbols]

    def symbol(self, ordinal: int) -> Symbol:
        """See `Symbols`."""
        return self._symbols[ordinal]


def qualified_container(symbols: Symbols, ordinal: int) -> str:
    """What `qualified_containers` says of one definition."""
    containers = symbols.containers
    found = [containers[ordinal]] if containers else []
    parent = symbols.parents[ordinal]
    while 0 <= parent < ordinal:
        ordinal, parent = parent, symbols.parents[parent]
        found.append(symbols.names[ordinal])
        if containers:
            found.append(containers[ordinal])
    return ".".join(filter(None, reversed(found)))
