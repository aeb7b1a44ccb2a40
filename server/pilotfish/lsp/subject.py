"""What a command is about that says nothing of it: the name, the definition or the file where the user is.

Editors that offer commands in a list call them without parameters. Which definition a name means is asked of the
engine as go-to-definition asks it, so that the answer is about that one and not about others of the same name.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from pilotfish.operations.editor import (
    DEFINITION,
    DOCUMENT_SYMBOLS,
    DefinitionResult,
    DocumentParameters,
    DocumentSymbolsResult,
    PlaceParameters,
    SymbolNode,
)
from pilotfish.operations.explain import EXPLAIN_CODE
from pilotfish.operations.index import WHY
from pilotfish.operations.search import FIND_SIMILAR
from pilotfish.operations.symbols import FIND_USAGES, GET_DEFINITION, OUTLINE
from pilotfish.operations.trace import TRACE_EXECUTION
from pilotfish.workspace import paths
from pilotfish.workspace.documents import Place, offset_of

if TYPE_CHECKING:
    from pilotfish.lsp.cursor import Spot
    from pilotfish.lsp.roots import OpenRoot
    from pilotfish.lsp.server import PilotfishServer
    from pilotfish.operations.registry import Operation

_NAME: Final = re.compile(r"[\w$]*[^\W\d][\w$]*")
"""A name as most languages write it."""

_NAME_IN_RUBY: Final = re.compile(rf"{_NAME.pattern}[?!]?")


@dataclass(frozen=True, kw_only=True)
class Subject:
    """Where the user is, in the words of operations.

    `path` is relative to the root where it lies in it. `name` stands under the cursor and is defined in `defined_in`,
    both empty where that is not known. `first` and `last` are the lines, from 1, that are selected, or else those of
    the definition around the cursor, or else the cursor's; 0 where no cursor is known. `around` names that definition.
    """

    path: str
    name: str = ""
    defined_in: str = ""
    around: str = ""
    first: int = 0
    last: int = 0


def _by_name(subject: Subject) -> dict[str, Any]:
    if not subject.name:
        return {}
    hint = {"file_hint": subject.defined_in} if subject.defined_in else {}
    return {"symbol_name": subject.name, **hint}


def _to_explain(subject: Subject) -> dict[str, Any]:
    if subject.name and subject.defined_in:
        return _by_name(subject)
    return {"file_path": subject.path, **({"line_start": subject.first} if subject.first else {})}


def _to_trace(subject: Subject) -> dict[str, Any]:
    if subject.name and (subject.defined_in or not subject.around):
        return {"entry_point": subject.name, **({"file_hint": subject.defined_in} if subject.defined_in else {})}
    return {"entry_point": subject.around, "file_hint": subject.path} if subject.around else {}


def _to_compare(subject: Subject) -> dict[str, Any]:
    if not subject.first:
        return {}
    return {"file_path": subject.path, "line_start": subject.first, "line_end": subject.last}


_TAKEN: Final[Mapping[str, Callable[[Subject], dict[str, Any]]]] = {
    FIND_USAGES.name: _by_name,
    EXPLAIN_CODE.name: _to_explain,
    TRACE_EXECUTION.name: _to_trace,
    FIND_SIMILAR.name: _to_compare,
    GET_DEFINITION.name: _by_name,
    OUTLINE.name: lambda subject: {"files": [subject.path]},
    WHY.name: lambda subject: {"path": subject.path},
}
"""What each operation takes from where the user is; nothing where that does not suffice."""

_SAYING: Final = frozenset(("symbol_name", "entry_point", "file_path", "snippet", "files", "all", "path"))
"""Parameters that say what such an operation is about."""


def is_taken(operation: Operation) -> bool:
    """Whether an operation can take what it is about from where the user is."""
    return operation.name in _TAKEN


def says_nothing(operation: Operation, given: Mapping[str, Any]) -> bool:
    """Whether the parameters of such an operation leave open what it is about; wrong ones leave nothing open."""
    known = given.keys() <= set(operation.parameters.__struct_fields__)
    return is_taken(operation) and known and not given.keys() & _SAYING


def parameters(operation: Operation, subject: Subject) -> dict[str, Any]:
    """Return the parameters that make the operation be about this; empty where what is known does not suffice."""
    return _TAKEN[operation.name](subject)


async def find(server: PilotfishServer, opened: OpenRoot, spot: Spot) -> Subject | None:
    """Return what is at a place; None for a document that is no file."""
    absolute = paths.path_from_uri(spot.uri)
    if absolute is None:
        return None
    path = paths.relative(opened.root, absolute) or paths.contained(opened.root, absolute) or absolute
    document = server.documents.get(spot.uri)
    if document is None or spot.start is None or spot.end is None:
        return Subject(path=path)
    place = offset_of(document.text, spot.start, server.encoding)
    name = name_at(document.text, place, server.language_of(spot.uri))
    defined_in, outline = await asyncio.gather(
        _definition(server, opened, document.uri, spot.start) if name else _nowhere(),
        server.look_up(opened, DOCUMENT_SYMBOLS.name, DocumentParameters(uri=document.uri)),
    )
    nodes = outline.symbols if isinstance(outline, DocumentSymbolsResult) else []
    around = innermost(nodes, spot.start.line)
    first, last = spot.start.line, spot.end.line
    if first == last and around is not None:
        first, last = around.span.start.line, around.span.end.line
    return Subject(
        path=path,
        name=name,
        defined_in=defined_in,
        around=around.name if around is not None else "",
        first=first + 1,
        last=last + 1,
    )


async def _definition(server: PilotfishServer, opened: OpenRoot, uri: str, place: Place) -> str:
    """Return the file that defines the name at a place; empty where none of the root does."""
    where = PlaceParameters(uri=uri, line=place.line, character=place.character, encoding=server.encoding)
    answer = await server.look_up(opened, DEFINITION.name, where)
    found = answer.locations if isinstance(answer, DefinitionResult) else []
    return next((location.path for location in found if location.path is not None), "")


async def _nowhere() -> str:
    return ""


def name_at(text: str, offset: int, language: str) -> str:
    """Return the name that a place lies in or just behind; empty where there is none."""
    names = _NAME_IN_RUBY if language == "ruby" else _NAME
    start, end = text.rfind("\n", 0, offset) + 1, text.find("\n", offset)
    for found in names.finditer(text, start, len(text) if end < 0 else end):
        if found.start() <= offset <= found.end():
            return found[0]
    return ""


def innermost(nodes: list[SymbolNode], line: int) -> SymbolNode | None:
    """Return the innermost definition that holds a line, counted from 0."""
    for node in nodes:
        if node.span.start.line <= line <= node.span.end.line:
            return innermost(node.children, line) or node
    return None
