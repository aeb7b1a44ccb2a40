"""What each language says about a definition beyond its shape: its final kind, and how far it is meant to be seen.

A rule is a pure function of what stands in the text: the name, the kind that the query gave, the words before the name
(modifiers, keywords) and what the definition lies in. Languages without a rule of their own use `plain`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from pilotfish.syntax.outline import Symbol, SymbolKind, Visibility


class Candidate(NamedTuple):
    """A definition as the query found it."""

    name: str
    kind: SymbolKind
    head: bytes
    """From the definition's start up to the name: modifiers and keywords."""
    parent: Symbol | None
    """The innermost enclosing symbol."""
    container: str
    """What the text itself names as container (a Go receiver), or ""."""


class Verdict(NamedTuple):
    """What a rule makes of a candidate."""

    kind: SymbolKind
    visibility: Visibility


Rule = Callable[[Candidate], Verdict]

_TYPES = frozenset((SymbolKind.CLASS, SymbolKind.INTERFACE, SymbolKind.STRUCT, SymbolKind.ENUM))


def in_type(candidate: Candidate) -> bool:
    """Whether the definition lies directly in a type, or the text names a container for it."""
    return bool(candidate.container) or (candidate.parent is not None and candidate.parent.kind in _TYPES)


def plain(candidate: Candidate) -> Verdict:
    """Functions in a type are methods; everything is public."""
    return Verdict(_method_in_type(candidate), Visibility.PUBLIC)


def _method_in_type(candidate: Candidate) -> SymbolKind:
    if candidate.kind is SymbolKind.FUNCTION and in_type(candidate):
        return SymbolKind.METHOD
    return candidate.kind


_PYTHON_ENUM = re.compile(r"[(,.\s](?:\w*Enum|\w*Flag|\w*Choices)\s*[,)]")
_PYTHON_PROPERTY = re.compile(rb"@(?:[\w.]*\.)?(?:cached_)?property\b|@[\w.]+\.(?:setter|getter|deleter)\b")


def python(candidate: Candidate) -> Verdict:
    """Names with a leading underscore are private, those with two at both ends are public protocol (PEP 8)."""
    name, kind = candidate.name, candidate.kind
    if kind is SymbolKind.FUNCTION:
        if in_type(candidate):
            kind = SymbolKind.METHOD
            if name == "__init__":
                kind = SymbolKind.CONSTRUCTOR
            elif candidate.head.startswith(b"@") and _PYTHON_PROPERTY.search(candidate.head):
                kind = SymbolKind.PROPERTY
    elif kind is SymbolKind.FIELD and candidate.parent is not None and _PYTHON_ENUM.search(candidate.parent.signature):
        kind = SymbolKind.ENUM_MEMBER if not name.startswith("_") else kind
    elif kind is SymbolKind.VARIABLE and name.isupper():
        kind = SymbolKind.CONSTANT
    is_private = name.startswith("_") and not (name.startswith("__") and name.endswith("__"))
    return Verdict(kind, Visibility.PRIVATE if is_private else Visibility.PUBLIC)
