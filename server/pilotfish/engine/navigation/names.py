"""Definitions by what somebody calls them: `name`, `Class.method`, `module.name`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pilotfish.engine.view import Definition, View
from pilotfish.graph.links import is_test, module_segments
from pilotfish.syntax.outline import SymbolKind

_DATA = (SymbolKind.FIELD, SymbolKind.PROPERTY, SymbolKind.VARIABLE, SymbolKind.KEY, SymbolKind.STRING)

_BETWEEN_NAMES = re.compile(r"\.|::|#")


def name_parts(symbol_name: str) -> tuple[list[str], str]:
    """Return the names around a name that is written as `Class.method`, and the name itself."""
    *containers, name = _BETWEEN_NAMES.split(symbol_name.strip())
    return containers, name


def definitions_named(view: View, symbol_name: str, file_hint: str | None) -> list[Definition]:
    """Return the definitions of `name` or `Class.method`, or, where there are none, of `module.name`: those in the
    hinted file first, then functions and types before members, the widest visible before others, tests last."""
    _, name = name_parts(symbol_name)
    return definitions_among(view.definitions(name), symbol_name, file_hint)


def definitions_among(named: Sequence[Definition], symbol_name: str, file_hint: str | None) -> list[Definition]:
    """Return the same of all definitions of the last name."""
    containers, _ = name_parts(symbol_name)
    wanted = ".".join(containers).lower()
    found = [each for each in named if not wanted or f".{each.container}".lower().endswith(f".{wanted}")]
    if named and not found:
        found = [each for each in named if _lies_in(each, wanted)]
        inner = f".{containers[-1]}".lower()
        found = [each for each in found if f".{each.container}".lower().endswith(inner)] or found
    hint = (file_hint or "").strip("/")
    return sorted(
        found,
        key=lambda definition: (
            not _matches_hint(definition.path or "", hint),
            is_test(definition.path or ""),
            _is_data(definition),
            bool(definition.container),
            definition.visibility,
            definition.path or "",
            definition.line,
        ),
    )


def _lies_in(definition: Definition, wanted: str) -> bool:
    """Whether dotted names end the path of a definition's module, or of its package, and the names around it."""
    segments = module_segments(definition.path or "")
    for module in (segments, segments[:-1]):
        if ".".join(["", *module, *definition.container.split(".")]).lower().rstrip(".").endswith(f".{wanted}"):
            return True
    return False


def _matches_hint(path: str, hint: str) -> bool:
    return bool(hint) and (path == hint or path.endswith(f"/{hint}") or path.startswith(f"{hint}/"))


def _is_data(definition: Definition) -> bool:
    """Whether it holds a value, or heads a text: what is meant by a name last, if anything else has it."""
    return definition.kind in _DATA
