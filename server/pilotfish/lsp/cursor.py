"""Where the user is, as far as the client lets on.

LSP has no message for a cursor that moves. What tells is the last request about a place, the last edit, and which
document was opened or saved last. Commands that are called without parameters take from here what they are about.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from lsprotocol import types

from pilotfish.workspace.documents import Place

if TYPE_CHECKING:
    from pilotfish.lsp.capabilities import Encoding

_UNIT_BYTES: Final = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}


@dataclass(frozen=True)
class Spot:
    """A stretch of a document, empty where only a cursor is known; no stretch at all where only the document is."""

    uri: str
    start: Place | None = None
    end: Place | None = None


class Cursor:
    """The place last spoken of, and the last one in each open document, those visited last at the end."""

    def __init__(self, is_ours: Callable[[str], bool]) -> None:
        """`is_ours` tells documents that we wrote ourselves to show an answer: nobody asks about these."""
        self.spot: Spot | None = None
        self._is_ours = is_ours
        self._by_document: dict[str, Spot] = {}

    def entered(self, uri: str) -> None:
        """A document was opened or saved."""
        if not self._is_ours(uri):
            self.spot = self._by_document.pop(uri, None) or Spot(uri)
            self._by_document[uri] = self.spot

    def left(self, uri: str) -> None:
        """A document was closed; the user is where he was before it."""
        self._by_document.pop(uri, None)
        if self.spot is not None and self.spot.uri == uri:
            self.spot = next(reversed(self._by_document.values()), None)

    def asked(self, params: Any) -> None:
        """Take the place that a request is about, if it is about one."""
        document = getattr(params, "text_document", None)
        if not isinstance(document, types.TextDocumentIdentifier):
            return
        position, stretch = getattr(params, "position", None), getattr(params, "range", None)
        if isinstance(position, types.Position):
            self._moved(document.uri, position, position)
        elif isinstance(stretch, types.Range):
            self._moved(document.uri, stretch.start, stretch.end)

    def edited(self, params: types.DidChangeTextDocumentParams, encoding: Encoding) -> None:
        """Take the end of the last edit; a whole new text leaves the place as it was."""
        uri, changes = params.text_document.uri, params.content_changes
        if changes and isinstance(changes[-1], types.TextDocumentContentChangePartial):
            end = end_of(changes[-1].range.start, changes[-1].text, encoding)
            self._moved(uri, end, end)
        else:
            self.entered(uri)

    def _moved(self, uri: str, start: types.Position, end: types.Position) -> None:
        if not self._is_ours(uri):
            self.spot = Spot(uri, Place(start.line, start.character), Place(end.line, end.character))
            if self._by_document.pop(uri, None) is not None:
                self._by_document[uri] = self.spot


def end_of(start: types.Position, text: str, encoding: Encoding) -> types.Position:
    """Return where a text ends that was put in at `start`."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    codec, width = _UNIT_BYTES[encoding]
    units = len(lines[-1].encode(codec, "surrogatepass")) // width
    return types.Position(start.line + len(lines) - 1, units if len(lines) > 1 else start.character + units)
