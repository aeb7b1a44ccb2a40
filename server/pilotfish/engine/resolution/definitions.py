"""Definitions among which one is chosen."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Sequence
from typing import Final

from pilotfish.engine.view import Definition
from pilotfish.graph.links import is_test
from pilotfish.syntax.outline import SymbolKind, Visibility

_FACES: Final = frozenset({"__init__", "doc", "index", "main", "mod", "lib", "package", "init"})
"""What the file of a package is called that says what it is."""


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


def module_definition(path: str, language: str | None) -> Definition:
    """Return a file as a definition: where it begins."""
    name = posixpath.splitext(posixpath.basename(path))[0]
    zero = (0, 0, 0, 0)
    return Definition(path, None, language, -1, name, SymbolKind.MODULE, "", Visibility.PUBLIC, zero, zero)


def faces_first(paths: Sequence[str]) -> list[str]:
    """Order the files that a module is made of: what is called as its folder is or as such files are, tests last."""

    def order(path: str) -> tuple[bool, bool, str]:
        folder, file = posixpath.split(path)
        name = posixpath.splitext(file)[0]
        return is_test(path), name not in _FACES and name != posixpath.basename(folder), path

    return sorted(paths, key=order) if len(paths) > 1 else list(paths)
