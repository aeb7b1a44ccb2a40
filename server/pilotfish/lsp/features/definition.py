"""`textDocument/definition`: links to whole definitions where the client takes them, else locations."""

from __future__ import annotations

from lsprotocol import types

from pilotfish.lsp import converters
from pilotfish.lsp.server import PilotfishServer
from pilotfish.operations.editor import DEFINITION, DefinitionResult, PlaceParameters


async def definition(
    ls: PilotfishServer, params: types.DefinitionParams
) -> list[types.Location] | list[types.LocationLink] | None:
    """Find the definitions of the name under the cursor, best first."""
    uri, place = params.text_document.uri, params.position
    opened = await ls.document_root(uri, types.TEXT_DOCUMENT_DEFINITION)
    if opened is None:
        return None
    answer = await ls.look_up(
        opened,
        DEFINITION.name,
        PlaceParameters(uri=ls.known_uri(uri), line=place.line, character=place.character, encoding=ls.encoding),
    )
    if not isinstance(answer, DefinitionResult):
        return None
    if not ls.flags.has_definition_links:
        return [converters.location(item, opened.root, ls.encoding) for item in answer.locations]
    origin = converters.span_range(answer.origin, ls.encoding) if answer.origin is not None else None
    return [
        types.LocationLink(
            target_uri=converters.location_uri(item, opened.root),
            target_range=converters.span_range(target, ls.encoding),
            target_selection_range=converters.span_range(item.span, ls.encoding),
            origin_selection_range=origin,
        )
        for item, target in zip(
            answer.locations, answer.targets or [item.span for item in answer.locations], strict=True
        )
    ]
