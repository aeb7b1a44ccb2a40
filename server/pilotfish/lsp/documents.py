"""The open documents of the client, and what it says about them, passed on to the engines in order.

Clients send changes of documents that they never opened, versions that go back, and (Helix 25.01) changes out of order.
None of that is an error here: an unknown document is a hint about its file, and `didSave` makes our text what the disk
has.
"""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path
from typing import TYPE_CHECKING, Final

from lsprotocol import types

from pilotfish.workspace import paths
from pilotfish.workspace.documents import OpenDocument, Place, TextChange, TextRange

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pilotfish.lsp.capabilities import Encoding
    from pilotfish.lsp.cursor import Cursor
    from pilotfish.lsp.roots import Roots

log = logging.getLogger(__name__)

MAX_RESYNC_BYTES: Final = 8 * 1024 * 1024


class Documents:
    """Open documents by URI, whichever way the client quotes it."""

    def __init__(self, roots: Roots, cursor: Cursor) -> None:
        self.encoding: Encoding = "utf-16"
        self._roots = roots
        self._cursor = cursor
        self._by_key: dict[str, OpenDocument] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def __iter__(self) -> Iterator[OpenDocument]:
        return iter(self._by_key.values())

    def get(self, uri: str) -> OpenDocument | None:
        """Return an open document."""
        return self._by_key.get(_key(uri))

    def opened(self, params: types.DidOpenTextDocumentParams) -> None:
        """Take a document; one that is open already is replaced."""
        item = params.text_document
        document = OpenDocument(
            uri=item.uri, path=None, language_id=item.language_id, version=item.version, text=item.text
        )
        if (before := self._by_key.pop(_key(item.uri), None)) is not None:
            self._roots.document_closed(before)
        self._by_key[_key(item.uri)] = document
        self._roots.document_opened(document)
        self._cursor.entered(item.uri)

    def changed(self, params: types.DidChangeTextDocumentParams) -> None:
        """Apply changes in the order given."""
        document = self.get(params.text_document.uri)
        if document is None:
            log.info("ignored a change of a document that is not open")
            return
        version = max(params.text_document.version, document.version + 1)
        changes = [_text_change(change) for change in params.content_changes]
        self._keep(document.changed(version, changes, self.encoding))
        self._cursor.edited(params, self.encoding)

    def saved(self, params: types.DidSaveTextDocumentParams) -> None:
        """Make our text the saved one, and report the file."""
        document = self.get(params.text_document.uri)
        if document is None:
            self._roots.files_changed([params.text_document.uri])
            return
        if params.text is not None:
            self._replace(document, params.text)
        self._roots.document_saved(document)
        self._cursor.entered(document.uri)
        path = paths.path_from_uri(document.uri)
        if params.text is None and path is not None:
            task = asyncio.ensure_future(self._compare_with_disk(document, path))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    def closed(self, params: types.DidCloseTextDocumentParams) -> None:
        """Forget a document; its file counts again."""
        document = self._by_key.pop(_key(params.text_document.uri), None)
        if document is not None:
            self._roots.document_closed(document)
            self._cursor.left(params.text_document.uri)

    def _keep(self, document: OpenDocument) -> None:
        self._by_key[_key(document.uri)] = document
        self._roots.document_changed(document)

    def _replace(self, document: OpenDocument, text: str) -> None:
        if text != document.text:
            log.warning("the text of a saved document differed from ours and was taken anew")
            self._keep(document.changed(document.version + 1, [TextChange(None, text)], self.encoding))

    async def _compare_with_disk(self, document: OpenDocument, path: str) -> None:
        """Take the file's text if ours went astray, unless the document was changed again meanwhile."""
        saved = await asyncio.to_thread(_read_text, path)
        if saved is None or self.get(document.uri) is not document:
            return
        if not _are_the_same(saved, document.text):
            self._replace(document, saved)


def _key(uri: str) -> str:
    """Two spellings of one URI have one key."""
    path = paths.path_from_uri(uri)
    return uri if path is None else path


def _read_text(path: str) -> str | None:
    """Read a file that an editor has just written; None when it is no UTF-8 text of reasonable size."""
    try:
        if not Path(path).is_file():
            return None
        with Path(path).open("rb") as file:
            data = file.read(MAX_RESYNC_BYTES + 1)
        return data.decode("utf-8-sig") if len(data) <= MAX_RESYNC_BYTES else None
    except (OSError, ValueError):
        return None


def _are_the_same(saved: str, text: str) -> bool:
    """Compare a file with an editor's buffer: line ends are the editor's business, and so are bytes it cannot show."""
    if saved == text or "\N{REPLACEMENT CHARACTER}" in text:
        return True
    return saved.replace("\r\n", "\n").replace("\r", "\n") == text.replace("\r\n", "\n").replace("\r", "\n")


def _text_change(change: types.TextDocumentContentChangeEvent) -> TextChange:
    if not isinstance(change, types.TextDocumentContentChangePartial):
        return TextChange(None, change.text)
    start, end = change.range.start, change.range.end
    return TextChange(TextRange(Place(start.line, start.character), Place(end.line, end.character)), change.text)
