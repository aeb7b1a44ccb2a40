"""`textDocument/prepareCallHierarchy`, `callHierarchy/incomingCalls` and `callHierarchy/outgoingCalls`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from pilotfish.lsp import converters
from pilotfish.lsp.server import PilotfishServer
from pilotfish.operations.editor import (
    INCOMING_CALLS,
    OUTGOING_CALLS,
    PREPARE_CALL_HIERARCHY,
    CallsResult,
    HierarchyResult,
    PlaceParameters,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pilotfish.operations.editor import HierarchyCall
    from pilotfish.operations.registry import Operation


async def prepare(
    ls: PilotfishServer, params: types.CallHierarchyPrepareParams
) -> list[types.CallHierarchyItem] | None:
    """Find the function under the cursor."""
    uri, place = params.text_document.uri, params.position
    opened = await ls.document_root(uri, types.TEXT_DOCUMENT_PREPARE_CALL_HIERARCHY)
    if opened is None:
        return None
    answer = await ls.look_up(
        opened,
        PREPARE_CALL_HIERARCHY.name,
        PlaceParameters(uri=ls.known_uri(uri), line=place.line, character=place.character, encoding=ls.encoding),
    )
    if not isinstance(answer, HierarchyResult) or not answer.items:
        return None
    return [converters.call_hierarchy_item(item, opened.root, ls.encoding) for item in answer.items]


async def incoming(
    ls: PilotfishServer, params: types.CallHierarchyIncomingCallsParams
) -> list[types.CallHierarchyIncomingCall] | None:
    """List what calls a function."""
    found = await _calls(ls, params.item, INCOMING_CALLS)
    if found is None:
        return None
    root, calls = found
    return [
        types.CallHierarchyIncomingCall(
            from_=converters.call_hierarchy_item(call.item, root, ls.encoding),
            from_ranges=[converters.span_range(span, ls.encoding) for span in call.spans],
        )
        for call in calls
    ]


async def outgoing(
    ls: PilotfishServer, params: types.CallHierarchyOutgoingCallsParams
) -> list[types.CallHierarchyOutgoingCall] | None:
    """List what a function calls."""
    found = await _calls(ls, params.item, OUTGOING_CALLS)
    if found is None:
        return None
    root, calls = found
    return [
        types.CallHierarchyOutgoingCall(
            to=converters.call_hierarchy_item(call.item, root, ls.encoding),
            from_ranges=[converters.span_range(span, ls.encoding) for span in call.spans],
        )
        for call in calls
    ]


async def _calls(
    ls: PilotfishServer, item: types.CallHierarchyItem, operation: Operation
) -> tuple[str, Sequence[HierarchyCall]] | None:
    """Return the root that answers and the calls."""
    # Whether the feature is on was settled when the first item was given; this one may be in any file.
    asked = converters.asked_item(item, ls.known_uri(item.uri), ls.encoding)
    opened = None if asked is None else await ls.roots.named(asked.root)
    if asked is None or opened is None:
        return None
    answer = await ls.look_up(opened, operation.name, asked.parameters)
    if not isinstance(answer, CallsResult):
        return None
    ls.tell_cut(operation.name, len(answer.calls), truncated=answer.truncated)
    return opened.root, answer.calls
