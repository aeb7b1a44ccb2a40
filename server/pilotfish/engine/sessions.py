"""What one client's connection holds: its open documents with their unsaved text, and its settings.

Overlays live here and nowhere else: never in the catalog, never on disk (DESIGN §2). They go with the connection.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

import msgspec

from pilotfish.config import Settings
from pilotfish.engine.wire import SearchDefaults, SessionSettings
from pilotfish.store.rows import uses_of
from pilotfish.syntax.outline import Outline
from pilotfish.syntax.text import LineTable

FOR_AGENTS, FOR_PEOPLE = 5, 10
"""Results of a search where nobody says how many: agents pay for each."""

LONGEST_NAME: Final = 80
"""Characters of a client's name that others are shown."""

Notify = Callable[[str, msgspec.Struct], None]
"""Sends one notification to the session's front: method and parameters."""


TYPING_S: Final = 2.0
"""For so long after a change somebody is taken to be typing, in seconds."""


@dataclass(frozen=True)
class Overlay:
    """One parsed version of an open text. `path` is relative to the root, or None where the text has no place in it;
    `chunks` are for `rows.unpack_chunks`, empty where the text has none or is secret."""

    uri: str
    path: str | None
    version: int
    text: bytes
    language: str | None
    outline: Outline
    lines: LineTable
    chunks: bytes = b""

    @cached_property
    def uses(self) -> Mapping[str, int]:
        """How often each name is referenced. Every search and hover asks, of every open document."""
        return uses_of(self.outline)


@dataclass(frozen=True)
class OverlayVectors:
    """Vectors of chunks of an unsaved text by the hash of their passages, for `unsaved.cosines`: float32 in little
    endian as `model` makes them, empty for a passage in which there is nothing to compare."""

    model: str
    by_hash: Mapping[bytes, bytes]

    @cached_property
    def size(self) -> int:
        """Their bytes."""
        return sum(map(len, self.by_hash.values()))


@dataclass(slots=True)
class Document:
    """An open document: the text last sent, and the overlay last parsed, which may be one version older.

    `accepted` tells whether the scan would take the file and its content is no secret; until that is known the document
    is its session's own.
    `changed_at` orders documents by their last change over all sessions of an engine. `dirty` is None until it is
    known whether the text differs from the file. `decided` is set when `accepted` is known, `settled` when the overlay
    is that of the text last sent, `wanted` when somebody waits for that. `vectors` follow the overlay when nobody
    types.
    """

    uri: str
    path: str | None
    version: int
    text: bytes
    language: str | None
    changed_at: int
    accepted: bool = False
    dirty: bool | None = None
    overlay: Overlay | None = None
    vectors: OverlayVectors | None = None
    decided: asyncio.Event = field(default_factory=asyncio.Event)
    settled: asyncio.Event = field(default_factory=asyncio.Event)
    wanted: asyncio.Event = field(default_factory=asyncio.Event)
    outline_s: float = 0.0
    """How long the last outline took, in seconds; 0 before the first."""
    replaced_at: float = -TYPING_S
    """When the text was replaced last, by the monotonic clock."""
    _begun: tuple[int, float] | None = None
    """Which text, by its `changed_at`, is being outlined, and since when."""
    _outlined: int = 0
    """Of which text the overlay is, by its `changed_at`."""
    _news: asyncio.Event = field(default_factory=asyncio.Event)

    def replace(self, version: int, text: bytes, changed_at: int) -> None:
        """Take a newer text; the overlay stays the old one until the new text is parsed."""
        self.version, self.text, self.changed_at = version, text, changed_at
        self.replaced_at = time.monotonic()
        self.settled.clear()

    @property
    def is_replaced(self) -> bool:
        """Whether the text is another one than the document was opened with."""
        return self.replaced_at >= 0

    @property
    def is_typed_in(self) -> bool:
        """Whether the text was replaced a moment ago, so that it is likely to be again."""
        return time.monotonic() - self.replaced_at < TYPING_S

    def begin_outline(self) -> None:
        """Take note that the newest text is sent for parsing now."""
        self.wanted.clear()
        self._begun = (self.changed_at, time.monotonic())

    def parsed(self, overlay: Overlay) -> None:
        """Take the overlay of the text that was sent for parsing, and settle when it is the newest one."""
        self.overlay = overlay
        if self._begun is not None:
            self._outlined, begun_at = self._begun
            self.outline_s, self._begun = time.monotonic() - begun_at, None
        if overlay.text is self.text:
            self.settled.set()
        self._tell()

    def close(self) -> None:
        """Let go of those who wait: nothing more comes."""
        self.settled.set()
        self.decided.set()
        self._tell()

    def _tell(self) -> None:
        news, self._news = self._news, asyncio.Event()
        news.set()

    def outline_due_s(self) -> float:
        """Return in how many seconds the outline of the text last sent can be expected, as long as the last one took:
        somebody who types into a large file is ahead of it all the time."""
        if self.settled.is_set():
            return 0.0
        if self._begun is None:
            return self.outline_s
        begun_with, begun_at = self._begun
        left = max(0.0, begun_at + self.outline_s - time.monotonic())
        return left if begun_with == self.changed_at else left + self.outline_s

    def is_behind(self, changed_at: int) -> bool:
        """Whether answers do not see the text of that change yet, or a later one."""
        return not self.settled.is_set() and self._outlined < changed_at

    async def outlined(self, changed_at: int) -> None:
        """Wait for the outline of the text of that change, or of a later one."""
        while self.is_behind(changed_at):
            await self._news.wait()


@dataclass(slots=True)
class Session:
    """One client's connection to this engine."""

    id: int
    kind: str
    client: str
    settings: SessionSettings
    notify: Notify
    documents: dict[str, Document] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.client = _shown(self.client)

    def introduce(self, client: str) -> None:
        """Call the client by its name, if that is one."""
        self.client = _shown(client) or self.client

    def document(self, uri: str) -> Document | None:
        """Return the open document with this URI."""
        return self.documents.get(uri)


def _shown(name: str) -> str:
    """Return a client's name as others are shown it: on one line, with nothing hidden in it, and not too long."""
    visible = "".join(each if each.isprintable() else " " for each in name)
    return " ".join(visible.split())[:LONGEST_NAME].strip()


def search_defaults(session: Session, settings: Settings) -> SearchDefaults:
    """Return how much a session's searches bring back: as it says, else as the root's and the user's `settings` say."""
    return session.settings.search or SearchDefaults.of(settings)


def page_size(session: Session, settings: Settings) -> int:
    """Return how many results a search of this session gives where it does not say."""
    return search_defaults(session, settings).max_results or (FOR_AGENTS if session.kind == "mcp" else FOR_PEOPLE)


def visible_documents(session: Session, sessions: Iterable[Session]) -> dict[str, Document]:
    """Return the open documents that a session's answers see, by path.

    An editor sees its own; agents and shells, which open nothing, see the most recently changed text of each path.
    """
    if session.documents or session.kind == "lsp":
        return {document.path: document for document in session.documents.values() if document.path is not None}
    newest: dict[str, Document] = {}
    for other in sessions:
        for document in other.documents.values():
            if document.path is None or not document.accepted:
                continue
            known = newest.get(document.path)
            if known is None or known.changed_at < document.changed_at:
                newest[document.path] = document
    return newest
