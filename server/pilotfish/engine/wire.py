"""What fronts and engines say to each other: JSON-RPC 2.0 messages in frames of a four-byte big-endian length.

The socket is private to the user (DESIGN §2), so frames are bounded but not negotiated. A front says `hello` first;
until then nothing else is answered, and until it is welcomed nothing but `ping` (its result is null). Every operation
of the registry is a request by its own name, with its parameters as `params`. Messages of one session are handled in
order as far as documents, files and settings go; requests run beside each other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import msgspec

from pilotfish.indexing.progress import WITHOUT_VECTORS as WITHOUT_VECTORS
from pilotfish.indexing.progress import Health as Health
from pilotfish.indexing.progress import Progress as Progress

if TYPE_CHECKING:
    from pilotfish.config import Settings

WIRE_VERSION = 1
"""Grows when a message changes its meaning; fronts and engines with different versions do not talk to each other."""

MAX_FRAME = 64 * 1024 * 1024
"""The longest frame that either side reads, in bytes."""

Json = msgspec.Raw


class ErrorObject(msgspec.Struct, omit_defaults=True):
    """JSON-RPC's error member; `data` names what the caller can do about it."""

    code: int
    message: str
    data: str | None = None


class Message(msgspec.Struct, omit_defaults=True):
    """A request (id and method), a notification (method), or a response (id and error, else result).

    An empty result is none: a union of raw JSON with null would be read as null only.
    """

    id: int | None = None
    method: str | None = None
    params: Json = Json(b"null")
    result: Json = Json()
    error: ErrorObject | None = None


# Error codes beyond JSON-RPC's own.
INVALID_PARAMS = -32602
METHOD_NOT_FOUND = -32601
INTERNAL_ERROR = -32603
REQUEST_CANCELLED = -32800
REFUSED = -32001  # wrong token or wire version
DRAINING = -32003  # the engine is about to leave; elect anew
SWITCHED_OFF = -32004  # this root is switched off
OVERLOADED = -32005  # too many requests of one session at once
OPEN_FAILED = -32006  # the engine could not open its index
ROOT_GONE = -32012  # the folder was moved or removed
NO_VECTORS = -32011  # meaning alone was asked for, and there is none to compare
# Never on the wire: what a front's own client answers.
ENGINE_FAILED = -32007  # engines of this root keep ending, or none can be started
ENGINE_LOST = -32008  # the engine ended during the request, which was not repeated
TIMED_OUT = -32009  # no answer within the caller's patience
CLOSED = -32010  # the client itself was closed


class OperationError(Exception):
    """An operation failed: what happened and on what (`message`), and what the caller can do (`hint`).

    Raised by handlers in the engine, and again by `engine.client` in the front.
    """

    def __init__(self, code: int, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.hint = hint


# --- front -> engine ---------------------------------------------------------------------------------------------


class SearchDefaults(msgspec.Struct, kw_only=True, frozen=True):
    """How much searches and contexts bring back where the question does not say: `search.*` and `context.*`."""

    max_results: int
    max_chunks: int
    similarity_threshold: float
    context_tokens: int
    context_share: float

    @classmethod
    def of(cls, settings: Settings) -> SearchDefaults:
        """Return what these settings say."""
        return cls(
            max_results=settings.search.max_results,
            max_chunks=settings.search.max_chunks,
            similarity_threshold=settings.search.similarity_threshold,
            context_tokens=settings.context.max_tokens,
            context_share=settings.context.share,
        )


class SessionSettings(msgspec.Struct, kw_only=True):
    """Settings that travel with a session (DESIGN §10, scope S) and shape answers, never the index.

    They come with `hello`, and as `session/settings` whenever the client changes them.
    """

    encoding: Literal["utf-8", "utf-16", "utf-32"] = "utf-16"
    max_symbols: int = 128
    map_tokens: int | None = None
    search: SearchDefaults | None = None
    trace: Literal["off", "messages", "verbose"] = "off"


class Hello(msgspec.Struct, kw_only=True):
    """`hello`: who connects. `watches` tells that the client reports every change on disk itself."""

    token: str
    wire: int
    build: str
    kind: Literal["lsp", "mcp", "cli"]
    client: str
    pid: int
    settings: SessionSettings = msgspec.field(default_factory=SessionSettings)
    watches: bool = False
    one_shot: bool = False


class ClientName(msgspec.Struct, kw_only=True):
    """`session/client`: what the client is called, of a front that was welcomed before its client had said so."""

    name: str


class Welcome(msgspec.Struct, kw_only=True):
    """Answer to `hello`."""

    session: int
    root: str
    pid: int
    build: str
    wire: int
    log_path: str
    index_folder: str


class DocumentText(msgspec.Struct, kw_only=True):
    """`document/open` and `document/change`: the whole text as the editor has it; `version` is the client's.

    `language` is the editor's identifier of it, or empty."""

    uri: str
    version: int
    text: str
    language: str = ""


class DocumentName(msgspec.Struct, kw_only=True):
    """`document/save` and `document/close`."""

    uri: str


class FilesChanged(msgspec.Struct, kw_only=True):
    """`files/changed`: hints that these files or folders were created, changed or deleted on disk."""

    uris: list[str]


class FilesRenamed(msgspec.Struct, kw_only=True):
    """`files/renamed`: pairs of old and new URI, of files or whole folders."""

    pairs: list[tuple[str, str]]


class Cancel(msgspec.Struct, kw_only=True):
    """`$/cancel`: the caller no longer wants the answer to request `id`."""

    id: int


class CancelWork(msgspec.Struct, kw_only=True):
    """`work/cancel`: the user cancelled the progress with this token."""

    token: str


# --- engine -> front ---------------------------------------------------------------------------------------------
#
# `progress` carries a `Progress` and `status` a `Health`, as the indexer makes them.


class LogLine(msgspec.Struct, kw_only=True):
    """`log`: one line that the user may want to read; details are in the engine's log."""

    level: Literal["error", "warning", "info", "debug"]
    message: str


class Farewell(msgspec.Struct, kw_only=True):
    """`farewell`: the engine drains and leaves; the front elects anew."""

    reason: str
