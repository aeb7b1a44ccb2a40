"""`textDocument/hover`: one titled line beside a primary server, signature and documentation where there is none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from pilotfish.lsp import converters
from pilotfish.lsp.server import PilotfishServer
from pilotfish.operations.editor import HOVER, HoverParameters, HoverResult

if TYPE_CHECKING:
    from typing import Literal


async def hover(ls: PilotfishServer, params: types.HoverParams) -> types.Hover | None:
    """Describe the name under the cursor; null when there is nothing to say."""
    uri, place = params.text_document.uri, params.position
    opened = await ls.document_root(uri, types.TEXT_DOCUMENT_HOVER)
    if opened is None:
        return None
    features = ls.settings_of(opened).features
    is_full = features.hover == "full" or ls.is_full_for(features, uri)
    style: Literal["summary", "full"] = "full" if is_full else "summary"
    answer = await ls.look_up(
        opened,
        HOVER.name,
        HoverParameters(
            uri=ls.known_uri(uri),
            line=place.line,
            character=place.character,
            encoding=ls.encoding,
            style=style,
            plain=not ls.flags.has_markdown_hover,
        ),
    )
    if not isinstance(answer, HoverResult) or not answer.markdown:
        return None
    kind = types.MarkupKind.Markdown if ls.flags.has_markdown_hover else types.MarkupKind.PlainText
    return types.Hover(
        contents=types.MarkupContent(kind, answer.markdown),
        range=converters.span_range(answer.span, ls.encoding) if answer.span is not None else None,
    )
