"""Definitions among which one is chosen."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from pilotfish.syntax.outline import SymbolKind

if TYPE_CHECKING:
    from pilotfish.engine.view import Definition


def is_local(definition: Definition) -> bool:
    """Whether a definition is a name of one scope alone, which nobody else can use."""
    return definition.ordinal < -1 and definition.kind is SymbolKind.VARIABLE


def distinct(definitions: Iterable[Definition]) -> list[Definition]:
    """Return each of some definitions once."""
    return [*{(each.address, each.ordinal): each for each in definitions}.values()]


def beside(address: str, definitions: Iterable[Definition]) -> list[Definition]:
    """Return those of some definitions that stand in the folder of a text."""
    folder = posixpath.dirname(address)
    return [each for each in definitions if posixpath.dirname(each.address) == folder]


def without_modules(definitions: Sequence[Definition]) -> list[Definition]:
    """Drop the modules where something else of the name is given: a package's own name goes before its module."""
    others = [each for each in definitions if each.kind is not SymbolKind.MODULE or each.ordinal != -1]
    return others or list(definitions)
