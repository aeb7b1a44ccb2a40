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
    return converters.location_links(answer, opened.root, ls.encoding)
