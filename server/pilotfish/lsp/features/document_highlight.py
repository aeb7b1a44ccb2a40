"""`textDocument/documentHighlight`."""

from __future__ import annotations

from lsprotocol import types

from pilotfish.lsp import converters
from pilotfish.lsp.server import PilotfishServer
from pilotfish.operations.editor import DOCUMENT_HIGHLIGHT, HighlightResult, PlaceParameters


async def document_highlight(
    ls: PilotfishServer, params: types.DocumentHighlightParams
) -> list[types.DocumentHighlight] | None:
    """Find the occurrences of the name under the cursor in its document; definitions count as writes."""
    uri, place = params.text_document.uri, params.position
    opened = await ls.document_root(uri, types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
    if opened is None:
        return None
    answer = await ls.look_up(
        opened,
        DOCUMENT_HIGHLIGHT.name,
        PlaceParameters(uri=ls.known_uri(uri), line=place.line, character=place.character, encoding=ls.encoding),
    )
    if not isinstance(answer, HighlightResult):
        return None
    writes = set(answer.writes)
    return [
        types.DocumentHighlight(
            range=converters.span_range(span, ls.encoding),
            kind=types.DocumentHighlightKind.Write if index in writes else types.DocumentHighlightKind.Text,
        )
        for index, span in enumerate(answer.spans)
    ]
