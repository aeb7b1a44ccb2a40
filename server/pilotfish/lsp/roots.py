"""The open roots of one client, an engine for each, and which engine answers for which document.

A document belongs to the innermost root that holds it, and the roots around that one get its unsaved text too. What
lies in no root (untitled, outside) is kept by the engine last spoken to, in this client's own session.
"""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pilotfish.workspace import paths

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterator

    from pilotfish.engine.client import EngineClient
    from pilotfish.lsp.documents import Documents
    from pilotfish.workspace.documents import OpenDocument

log = logging.getLogger(__name__)


class OpenRoot:
    """One root with its engine; several workspace folders may share it."""

    def __init__(self, choice: paths.RootChoice, engine: EngineClient) -> None:
        self.root = choice.root
        self.reason = choice.reason
        self.engine = engine
        self.folders: dict[str, str] = {}

    def holds(self, path: str) -> bool:
        """Whether an absolute path, as the client spells it, lies in this root. Links are only resolved when the
        spelling does not tell: a branch switch reports thousands of paths."""
        if any(paths.relative(spelling, path) is not None for spelling in (self.root, *self.folders.values())):
            return True
        return paths.contained(self.root, path) is not None


class Roots:
    """All roots of one client."""

    def __init__(
        self,
        connect: Callable[[paths.RootChoice], EngineClient],
        choose: Callable[[str, list[str]], paths.RootChoice],
        refuse: Callable[[str, str], None],
    ) -> None:
        """`connect` makes the client of an engine; `choose` finds the root of a folder, given the roots open here, and
        may block; `refuse` is told a folder and why it is not indexed."""
        self.documents: Documents | None = None
        self._connect = connect
        self._choose = choose
        self._refuse = refuse
        self._roots: dict[str, OpenRoot] = {}
        self._keepers: dict[str, list[OpenRoot]] = {}
        self._opening: set[asyncio.Task[None]] = set()
        self._last: OpenRoot | None = None

    def __iter__(self) -> Iterator[OpenRoot]:
        return iter(list(self._roots.values()))

    # --- folders --------------------------------------------------------------------------------------------------

    def add(self, uri: str) -> None:
        """Open the root of a workspace folder, in the background."""
        path = paths.path_from_uri(uri)
        if path is None:
            self._refuse(uri, "it is not a folder on this machine")
            return
        self._in_background(self._open(uri, path))

    async def remove(self, uri: str) -> None:
        """Close a workspace folder, and its root unless another folder shares it."""
        await self.opened()
        for opened in list(self._roots.values()):
            opened.folders.pop(uri, None)
            if not opened.folders:
                del self._roots[opened.root]
                self._last = None if self._last is opened else self._last
                self._share_documents()
                await opened.engine.close()

    async def opened(self) -> None:
        """Wait until every folder that was added has its root."""
        while self._opening:
            await asyncio.wait(self._opening)

    async def close(self) -> None:
        """Leave all engines."""
        for task in self._opening:
            task.cancel()
        await asyncio.gather(*(opened.engine.close() for opened in self._roots.values()), return_exceptions=True)

    def _in_background(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(work)
        self._opening.add(task)
        task.add_done_callback(self._opening.discard)

    async def _open(self, uri: str, path: str) -> None:
        choice = await asyncio.to_thread(self._choose, path, list(self._roots))
        if (reason := paths.is_unsafe_root(choice.root)) is not None:
            self._refuse(choice.root, reason)
            return
        opened = self._roots.get(choice.root)
        if opened is None:
            opened = self._roots[choice.root] = OpenRoot(choice, self._connect(choice))
        opened.folders[uri] = path
        self._share_documents()

    # --- who answers ----------------------------------------------------------------------------------------------

    async def of(self, uri: str) -> OpenRoot | None:
        """Return the root that answers for a document; None when there is none at all."""
        if self._opening:
            await self.opened()
        keepers = self._keepers_of(uri)
        if keepers:
            self._last = keepers[0]
        return keepers[0] if keepers else None

    async def named(self, name: str | None) -> OpenRoot | None:
        """Return the root given by its path or URI, or by default the one last spoken to."""
        await self.opened()
        if name is None:
            return self._nearest()
        path = paths.path_from_uri(name) or paths.canonical(name)
        holding = self._holding(path)
        return holding[0] if holding else None

    async def all(self) -> list[OpenRoot]:
        """Return all roots, when they are open."""
        await self.opened()
        return list(self._roots.values())

    def _keepers_of(self, uri: str) -> list[OpenRoot]:
        """The roots that keep a document, innermost first."""
        if uri in self._keepers:
            return self._keepers[uri]
        path = paths.path_from_uri(uri)
        holding = self._holding(path) if path is not None else []
        nearest = self._nearest()
        return holding or ([nearest] if nearest is not None else [])

    def _holding(self, path: str) -> list[OpenRoot]:
        return sorted(
            (opened for opened in self._roots.values() if opened.holds(path)), key=lambda opened: -len(opened.root)
        )

    def _nearest(self) -> OpenRoot | None:
        return self._last or next(iter(self._roots.values()), None)

    # --- what happens to documents and files ------------------------------------------------------------------------

    def document_opened(self, document: OpenDocument) -> None:
        """Give a document to the engines that keep it."""
        path = paths.path_from_uri(document.uri)
        if not self._roots and not self._opening and path is not None:
            self._in_background(self._open_repository_of(path))
        self._keepers[document.uri] = self._keepers_of(document.uri)
        for opened in self._keepers[document.uri]:
            _show(opened, document)
            self._last = opened

    def document_changed(self, document: OpenDocument) -> None:
        """Pass on a document's new text."""
        for opened in self._keepers.get(document.uri, ()):
            opened.engine.document_changed(document.uri, document.version, document.text)
            self._last = opened

    def document_saved(self, document: OpenDocument) -> None:
        """Pass on that a document was saved."""
        for opened in self._keepers.get(document.uri, ()):
            opened.engine.document_saved(document.uri)

    def document_closed(self, document: OpenDocument) -> None:
        """Take a document from the engines that keep it."""
        for opened in self._keepers.pop(document.uri, ()):
            opened.engine.document_closed(document.uri)

    def files_changed(self, uris: list[str]) -> None:
        """Pass on that files or folders changed, to every root that holds them."""
        for opened in self._roots.values():
            if mine := [uri for uri in uris if self._is_in(opened, uri)]:
                opened.engine.files_changed(mine)

    def files_renamed(self, pairs: list[tuple[str, str]]) -> None:
        """Pass on renames, to every root that holds either end."""
        for opened in self._roots.values():
            mine = [pair for pair in pairs if any(self._is_in(opened, uri) for uri in pair)]
            if mine:
                opened.engine.files_renamed(mine)

    @staticmethod
    def _is_in(opened: OpenRoot, uri: str) -> bool:
        path = paths.path_from_uri(uri)
        return path is not None and opened.holds(path)

    def _share_documents(self) -> None:
        """Give each open document to exactly the engines that keep it now."""
        before, self._keepers = self._keepers, {}
        for document in self.documents or ():
            keepers = self._keepers_of(document.uri)
            for opened in before.get(document.uri, ()):
                if opened not in keepers and opened.root in self._roots:
                    opened.engine.document_closed(document.uri)
            for opened in keepers:
                if opened not in before.get(document.uri, ()):
                    _show(opened, document)
            self._keepers[document.uri] = keepers

    async def _open_repository_of(self, path: str) -> None:
        """Without any folder, work in the repository of the first document; a loose file is no reason to index."""
        choice = await asyncio.to_thread(self._choose, str(Path(path).parent), [])
        if choice.root != paths.canonical(Path(path).parent) or (Path(choice.root) / ".git").exists():
            await self._open(paths.uri_from_path(choice.root), choice.root)


def _show(opened: OpenRoot, document: OpenDocument) -> None:
    """Give an open document to one engine, its language in the editor's words."""
    opened.engine.document_opened(document.uri, document.version, document.text, document.language_id)
