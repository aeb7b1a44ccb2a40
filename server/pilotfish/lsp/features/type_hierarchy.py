"""`textDocument/prepareTypeHierarchy`, `typeHierarchy/supertypes` and `typeHierarchy/subtypes`."""

from __future__ import annotations

from lsprotocol import types

from pilotfish.lsp import converters
from pilotfish.lsp.server import PilotfishServer
from pilotfish.operations.editor import (
    PREPARE_TYPE_HIERARCHY,
    SUBTYPES,
    SUPERTYPES,
    HierarchyResult,
    PlaceParameters,
)
from pilotfish.operations.registry import Operation


async def prepare(
    ls: PilotfishServer, params: types.TypeHierarchyPrepareParams
) -> list[types.TypeHierarchyItem] | None:
    """Find the type under the cursor."""
    uri, place = params.text_document.uri, params.position
    opened = await ls.document_root(uri, types.TEXT_DOCUMENT_PREPARE_TYPE_HIERARCHY)
    if opened is None:
        return None
    answer = await ls.look_up(
        opened,
        PREPARE_TYPE_HIERARCHY.name,
        PlaceParameters(uri=ls.known_uri(uri), line=place.line, character=place.character, encoding=ls.encoding),
    )
    if not isinstance(answer, HierarchyResult) or not answer.items:
        return None
    return [converters.type_hierarchy_item(item, opened.root, ls.encoding) for item in answer.items]


async def supertypes(
    ls: PilotfishServer, params: types.TypeHierarchySupertypesParams
) -> list[types.TypeHierarchyItem] | None:
    """List the types that a type inherits or implements."""
    return await _next_to(ls, params.item, SUPERTYPES)


async def subtypes(
    ls: PilotfishServer, params: types.TypeHierarchySubtypesParams
) -> list[types.TypeHierarchyItem] | None:
    """List the types that inherit or implement a type."""
    return await _next_to(ls, params.item, SUBTYPES)


async def _next_to(
    ls: PilotfishServer, item: types.TypeHierarchyItem, operation: Operation
) -> list[types.TypeHierarchyItem] | None:
    # Whether the feature is on was settled when the first item was given; this one may be in any file.
    asked = converters.asked_item(item, ls.known_uri(item.uri), ls.encoding)
    opened = None if asked is None else await ls.roots.named(asked.root)
    if asked is None or opened is None:
        return None
    answer = await ls.look_up(opened, operation.name, asked.parameters)
    if not isinstance(answer, HierarchyResult):
        return None
    ls.tell_cut(operation.name, len(answer.items), truncated=answer.truncated)
    return [converters.type_hierarchy_item(each, opened.root, ls.encoding) for each in answer.items]
