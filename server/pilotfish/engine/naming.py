"""What tracing and explaining call things: a name that is given to its definition, a definition to its title."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pilotfish.engine import near_names
from pilotfish.engine.binding import Binder
from pilotfish.engine.navigation.names import definitions_named, name_parts
from pilotfish.engine.outlined import Node

if TYPE_CHECKING:
    from pilotfish.engine.view import View

_LONGEST: Final = 200
"""Characters of a name that advice repeats."""


def node_named(view: View, name: str, file_hint: str | None) -> Node | None:
    """Return the likeliest definition of `name` or `Class.method`; None where there is none in a file of the root."""
    found = (each for each in definitions_named(view, name, file_hint) if each.path is not None)
    first = next(found, None)
    return None if first is None or first.path is None else Node(first.path, first.ordinal)


def title(binder: Binder, node: Node) -> tuple[str, str, str]:
    """Return a node's qualified name, its kind and its place; a file is called by its path."""
    file = binder.file(node.path)
    if file is None or node.ordinal < 0:
        return node.path, "file", f"{node.path}:1"
    symbol = file.symbols[node.ordinal]
    return (
        file.qualified_name(node.ordinal),
        symbol.kind.label,
        f"{node.path}:{file.text.line_of(symbol.name_start) + 1}",
    )


def closest(view: View, name: str) -> str:
    """Say that there is no definition of a name, and what to try."""
    containers, last = name_parts(name[:_LONGEST])
    return near_names.advice_for_member(view, containers, last)
