"""What each language says about a definition beyond its shape: its final kind, and how far it is meant to be seen.

A rule is a pure function of what stands in the text: the name, the kind that the query gave, the head (the words before
the name: modifiers and keywords), the innermost enclosing symbol, and the container that the text itself names (a Go
receiver) or "". Languages without a rule of their own use `plain`.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from pilotfish.syntax.outline import Symbol, SymbolKind, Visibility

Verdict = tuple[SymbolKind, Visibility]
Rule = Callable[[str, SymbolKind, bytes, "Symbol | None", str], Verdict]

# Members of an enumeration cost a look-up through its metaclass each time; rules run for every definition.
_FUNCTION, _METHOD, _CONSTRUCTOR = SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.CONSTRUCTOR
_VARIABLE, _CONSTANT, _FIELD = SymbolKind.VARIABLE, SymbolKind.CONSTANT, SymbolKind.FIELD
_PROPERTY, _ENUM_MEMBER, _INTERFACE = SymbolKind.PROPERTY, SymbolKind.ENUM_MEMBER, SymbolKind.INTERFACE
_PUBLIC, _RESTRICTED, _PRIVATE = Visibility.PUBLIC, Visibility.RESTRICTED, Visibility.PRIVATE

TYPES = frozenset((SymbolKind.CLASS, SymbolKind.INTERFACE, SymbolKind.STRUCT, SymbolKind.ENUM))


def plain(name: str, kind: SymbolKind, head: bytes, parent: Symbol | None, container: str) -> Verdict:
    """Functions in a type are methods; everything is public."""
    if kind is _FUNCTION and in_type(parent, container):
        kind = _METHOD
    return kind, _PUBLIC


def in_type(parent: Symbol | None, container: str) -> bool:
    """Whether a definition lies directly in a type, or the text names a container for it."""
    return container != "" or (parent is not None and parent.kind in TYPES)


_PYTHON_ENUM = re.compile(r"[(,.\s]\w*(?:Enum|Flag|Choices)\s*[,)]")
_PYTHON_PROPERTY = re.compile(rb"@(?:[\w.]*\.)?(?:cached_)?property\b|@[\w.]+\.(?:setter|getter|deleter)\b")


def python(name: str, kind: SymbolKind, head: bytes, parent: Symbol | None, container: str) -> Verdict:
    """A leading underscore makes a name private, two at both ends a part of the language's protocol (PEP 8)."""
    is_private = name[0] == "_" and not (name.startswith("__") and name.endswith("__"))
    if parent is not None and parent.kind in TYPES:
        if kind is _FUNCTION:
            kind = _CONSTRUCTOR if name == "__init__" else _METHOD
            if head[0] == 0x40 and _PYTHON_PROPERTY.search(head):  # "@"
                kind = _PROPERTY
        elif kind is _VARIABLE:
            kind = _FIELD
            if name[0] != "_" and _PYTHON_ENUM.search(parent.signature):
                kind = _ENUM_MEMBER
    elif kind is _VARIABLE and name.isupper():
        kind = _CONSTANT
    return kind, _PRIVATE if is_private else _PUBLIC


_ECMA_ACCESSOR = re.compile(rb"\b[gs]et\s+$")
_ECMA_GLOBAL = frozenset(("exports", "module.exports", "this", "self", "window", "globalThis", "global"))
_DOTTED = re.compile(r"[\w$]+(?:\.[\w$]+)*")


def ecma(name: str, kind: SymbolKind, head: bytes, parent: Symbol | None, container: str) -> Verdict:
    """JavaScript and TypeScript: `#name` and `private` are private, `protected` is restricted."""
    if kind is _METHOD:
        if name == "constructor":
            kind = _CONSTRUCTOR
        elif head and _ECMA_ACCESSOR.search(head):
            kind = _PROPERTY
    elif kind is _FUNCTION and container:
        kind = _METHOD
    elif kind is _PROPERTY and not (parent is not None and parent.kind in _ECMA_RECORDS):
        kind = _METHOD  # a function in an object
    if name[0] == "#" or b"private" in head:
        return kind, _PRIVATE
    return kind, _RESTRICTED if b"protected" in head else _PUBLIC


_ECMA_RECORDS = frozenset((SymbolKind.INTERFACE, SymbolKind.CLASS, SymbolKind.PROPERTY))


def ecma_container(written: str) -> str:
    """`Shape` of `Shape.prototype.draw = …`; "" of `exports.draw = …` and of expressions."""
    container = written.removesuffix(".prototype")
    return "" if container in _ECMA_GLOBAL or not _DOTTED.fullmatch(container) else container


def dotted(written: str) -> str:
    """A container as written, with its parts joined by dots: `a.b` of `a::b`."""
    return written.replace("::", ".").strip(".")


def c(name: str, kind: SymbolKind, head: bytes, parent: Symbol | None, container: str) -> Verdict:
    """`static` hides a function or variable from other files; an inline one may stand in a header for all to use."""
    if (kind is _FUNCTION or kind is _VARIABLE) and b"static" in head:
        return kind, _RESTRICTED if b"inline" in head else _PRIVATE
    return kind, _PUBLIC


def ruby(name: str, kind: SymbolKind, head: bytes, parent: Symbol | None, container: str) -> Verdict:
    """`private def …`; sections of a class are the query's."""
    if kind is _METHOD:
        if name == "initialize":
            kind = _CONSTRUCTOR
        if head.startswith(b"private"):
            return kind, _PRIVATE
        if head.startswith(b"protected"):
            return kind, _RESTRICTED
    return kind, _PUBLIC
