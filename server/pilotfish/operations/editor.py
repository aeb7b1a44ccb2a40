"""Questions about a place in a document, asked by editors only: they have no command, no tool and no CLI name."""

from __future__ import annotations

from typing import Literal

import msgspec

from pilotfish.operations.answer import Answer, Span
from pilotfish.operations.registry import Operation, Parameters

Encoding = Literal["utf-8", "utf-16", "utf-32"]


class PlaceParameters(Parameters):
    """A place as a client gives it: `character` counts in `encoding`, which only the front knows."""

    uri: str
    line: int
    character: int
    encoding: Encoding


class DocumentParameters(Parameters):
    """A document by its URI."""

    uri: str


class Location(msgspec.Struct, frozen=True, kw_only=True):
    """A definition or use in a file. `uri` is set for documents that have no place in the root, else `path` is.
    `certainty` tells uses that are known to mean what was asked for from those that only hold its name."""

    path: str | None = None
    uri: str | None = None
    span: Span
    role: str = ""
    certainty: Literal["", "bound", "name"] = ""


class HoverParameters(PlaceParameters):
    """`summary` is the one titled line beside a primary server; `full` adds signature and documentation.

    `plain` asks for text without Markdown's fences and escapes.
    """

    style: Literal["summary", "full"] = "summary"
    plain: bool = False


class HoverResult(Answer):
    """Markdown to show, or text, empty when there is nothing to say; `span` is the name under the cursor."""

    markdown: str = ""
    span: Span | None = None


class DefinitionResult(Answer):
    """Locations, best first; `targets` are whole definitions for clients that take links. `truncated` when there are
    more implementations than an answer holds."""

    locations: list[Location] = []
    targets: list[Span] = []
    origin: Span | None = None
    truncated: bool = False


class ReferencesParameters(PlaceParameters):
    """`include_declaration` as in LSP."""

    include_declaration: bool = False
    max_results: int = 1_000


class ReferencesResult(Answer):
    """Uses, best first; `truncated` when there are more than were asked for."""

    locations: list[Location] = []
    truncated: bool = False


class HighlightResult(Answer):
    """Occurrences in the same document; `writes` marks the definitions among them by index."""

    spans: list[Span] = []
    writes: list[int] = []


class SymbolNode(msgspec.Struct, frozen=True, kw_only=True):
    """One definition with those inside it."""

    name: str
    kind: int
    detail: str
    span: Span
    name_span: Span
    children: list[SymbolNode] = []


class DocumentSymbolsResult(Answer):
    """The document's definitions, nested."""

    symbols: list[SymbolNode] = []


class HierarchyItem(msgspec.Struct, frozen=True, kw_only=True):
    """One definition in a hierarchy: where its name stands, and its whole stretch. A file that calls something outside
    of all its functions is an item too, of no name."""

    name: str
    kind: int
    detail: str
    location: Location
    span: Span


class HierarchyResult(Answer):
    """Definitions next to each other in a hierarchy; `truncated` when there are more than an answer holds."""

    items: list[HierarchyItem] = []
    truncated: bool = False


class ItemParameters(PlaceParameters):
    """An item as a client gives it back: the place of its name, and that name, for when the text has changed meanwhile;
    no name stands for the file."""

    name: str


class HierarchyCall(msgspec.Struct, frozen=True, kw_only=True):
    """What calls an item or is called by it, with the places of the calls, all in the file of the caller."""

    item: HierarchyItem
    spans: list[Span]


class CallsResult(Answer):
    """The calls to an item, or those that it makes; `truncated` when there are more than an answer holds."""

    calls: list[HierarchyCall] = []
    truncated: bool = False


HOVER = Operation(name="hover", parameters=HoverParameters, result=HoverResult, summary="Describe the name at a place.")
DEFINITION = Operation(
    name="definition",
    parameters=PlaceParameters,
    result=DefinitionResult,
    summary="Find the definition of the name at a place.",
)
REFERENCES = Operation(
    name="references",
    parameters=ReferencesParameters,
    result=ReferencesResult,
    summary="Find the uses of the name at a place.",
)
DOCUMENT_HIGHLIGHT = Operation(
    name="document_highlight",
    parameters=PlaceParameters,
    result=HighlightResult,
    summary="Find the occurrences of the name at a place in its document.",
)
DOCUMENT_SYMBOLS = Operation(
    name="document_symbols",
    parameters=DocumentParameters,
    result=DocumentSymbolsResult,
    summary="List a document's definitions, nested.",
)
IMPLEMENTATION = Operation(
    name="implementation",
    parameters=PlaceParameters,
    result=DefinitionResult,
    summary="Find what implements or overrides the name at a place.",
)
PREPARE_TYPE_HIERARCHY = Operation(
    name="prepare_type_hierarchy",
    parameters=PlaceParameters,
    result=HierarchyResult,
    summary="Find the type at a place.",
)
SUPERTYPES = Operation(
    name="supertypes",
    parameters=ItemParameters,
    result=HierarchyResult,
    summary="List the types that a type inherits or implements.",
)
SUBTYPES = Operation(
    name="subtypes",
    parameters=ItemParameters,
    result=HierarchyResult,
    summary="List the types that inherit or implement a type.",
)
PREPARE_CALL_HIERARCHY = Operation(
    name="prepare_call_hierarchy",
    parameters=PlaceParameters,
    result=HierarchyResult,
    summary="Find the function at a place.",
)
INCOMING_CALLS = Operation(
    name="incoming_calls",
    parameters=ItemParameters,
    result=CallsResult,
    summary="List what calls a function.",
)
OUTGOING_CALLS = Operation(
    name="outgoing_calls",
    parameters=ItemParameters,
    result=CallsResult,
    summary="List what a function calls.",
)
