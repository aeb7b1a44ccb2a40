"""`textDocument/references`."""

from __future__ import annotations

from lsprotocol import types

from pilotfish.lsp import converters
from pilotfish.lsp.server import PilotfishServer
from pilotfish.operations.editor import REFERENCES, ReferencesParameters, ReferencesResult


async def references(ls: PilotfishServer, params: types.ReferenceParams) -> converters.PlainList | None:
    """Find the uses of the name under the cursor, best first."""
    uri, place = params.text_document.uri, params.position
    opened = await ls.document_root(uri, types.TEXT_DOCUMENT_REFERENCES)
    if opened is None:
        return None
    answer = await ls.look_up(
        opened,
        REFERENCES.name,
        ReferencesParameters(
            uri=ls.known_uri(uri),
            line=place.line,
            character=place.character,
            encoding=ls.encoding,
            include_declaration=params.context.include_declaration,
        ),
    )
    if not isinstance(answer, ReferencesResult):
        return None
    if answer.truncated:
        ls.tell("info", f"references: the best {len(answer.locations):,} are shown; `pilotfish refs` counts them all")
    return converters.locations(answer.locations, opened.root, ls.encoding)
