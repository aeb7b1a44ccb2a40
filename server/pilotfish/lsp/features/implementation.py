"""`textDocument/implementation`: what implements or overrides the name under the cursor."""

from __future__ import annotations

from lsprotocol import types

from pilotfish.lsp import converters
from pilotfish.lsp.server import PilotfishServer
from pilotfish.operations.editor import IMPLEMENTATION, DefinitionResult, PlaceParameters


async def implementation(
    ls: PilotfishServer, params: types.ImplementationParams
) -> list[types.Location] | list[types.LocationLink] | None:
    """Find the implementations, those in the file of the definition first."""
    uri, place = params.text_document.uri, params.position
    opened = await ls.document_root(uri, types.TEXT_DOCUMENT_IMPLEMENTATION)
    if opened is None:
        return None
    answer = await ls.look_up(
        opened,
        IMPLEMENTATION.name,
        PlaceParameters(uri=ls.known_uri(uri), line=place.line, character=place.character, encoding=ls.encoding),
    )
    if not isinstance(answer, DefinitionResult):
        return None
    ls.tell_cut("implementation", len(answer.locations), truncated=answer.truncated)
    if not ls.flags.has_implementation_links:
        return [converters.location(item, opened.root, ls.encoding) for item in answer.locations]
    return converters.location_links(answer, opened.root, ls.encoding)
