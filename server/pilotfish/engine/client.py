"""A front's one way to an engine: requests, documents and files in, answers and notifications out.

The client keeps what the engine must know (settings, open texts) and tells it again at every attach, so that the death
of an engine costs its fronts a second and no state. Nothing here blocks the front's event loop, and nothing heavy is
imported.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import re
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Literal, TypeVar

import msgspec

from pilotfish.engine import framing, wire
from pilotfish.engine.attach import BACKOFF_S, Attacher, AttachError
from pilotfish.engine.build import build_id
from pilotfish.engine.channel import Channel, Loss
from pilotfish.engine.launch import ENGINE_PROGRAM
from pilotfish.engine.wire import (
    ClientName,
    DocumentName,
    DocumentText,
    ErrorObject,
    Farewell,
    FilesChanged,
    FilesRenamed,
    Health,
    Hello,
    Json,
    LogLine,
    OperationError,
    Progress,
    SessionSettings,
    Welcome,
)
from pilotfish.operations import OPERATIONS
from pilotfish.operations.answer import Answer
from pilotfish.operations.index import CONTROL, ControlParameters
from pilotfish.operations.registry import Parameters

_log = logging.getLogger(__name__)

T = TypeVar("T")

EngineError = OperationError
"""What `EngineClient.request` raises."""

DEFAULT_TIMEOUT_S = 30.0
_CLOSE_PATIENCE_S = 0.1
_MAX_KEPT_HINTS = 1_000
_MAX_SENDINGS = 5
_SURROGATES = re.compile("[\ud800-\udfff]")


class State(StrEnum):
    """Where a client stands with its engine; `EngineClient.reason` says why in words."""

    IDLE = "idle"
    ATTACHING = "attaching"
    ATTACHED = "attached"
    FAILED = "failed"
    CLOSED = "closed"


def _nothing(_: object) -> None:
    """Listen to nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Callbacks:
    """What a front wants to hear, on its event loop; an exception in one of them is logged and harms nobody."""

    progress: Callable[[Progress], None] = _nothing
    health: Callable[[Health], None] = _nothing
    log: Callable[[LogLine], None] = _nothing
    farewell: Callable[[Farewell], None] = _nothing
    state: Callable[[State], None] = _nothing


@dataclass(slots=True, eq=False)
class _Call:
    """A request whose answer somebody waits for. `number` is set while it is on the wire."""

    method: str
    params: Json
    answer: asyncio.Future[Json]
    number: int | None = None
    losses: int = 0
    sendings: int = 0

    @property
    def acts(self) -> bool:
        """Whether it acts on the index, so that it must not be done twice; waiting for it is no act."""
        return self.method == CONTROL.name and msgspec.json.decode(self.params, type=ControlParameters).action != "wait"


class EngineClient:
    """One front's session with the engine of one root. Use it from one event loop.

    `kind` and `client` say who asks; `watches` that the editor reports changes on disk by itself; `one_shot` that a
    single command is run, for which an engine that it starts need not stay. `program` starts an engine process and
    `index_folder` overrides where its index lies.
    """

    def __init__(
        self,
        root: Path,
        *,
        kind: Literal["lsp", "mcp", "cli"],
        client: str,
        settings: SessionSettings | None = None,
        watches: bool = False,
        one_shot: bool = False,
        callbacks: Callbacks | None = None,
        program: tuple[str, ...] = ENGINE_PROGRAM,
        index_folder: Path | None = None,
    ) -> None:
        self.root = Path(os.path.realpath(root))
        self.state = State.IDLE
        self.reason = ""
        self.welcome: Welcome | None = None
        self._kind = kind
        self._client = client
        self._settings = settings or SessionSettings()
        self._watches = watches
        self._one_shot = one_shot
        self._callbacks = callbacks or Callbacks()
        self._attacher = Attacher(
            self.root, one_shot=one_shot, program=program, index_folder=index_folder, say=self._warn
        )
        self._documents: dict[str, DocumentText] = {}
        self._hints: deque[tuple[str, msgspec.Struct]] = deque(maxlen=_MAX_KEPT_HINTS)
        self._waiting: dict[_Call, None] = {}
        self._sent: dict[_Call, None] = {}
        self._progress: set[str] = set()
        self._channel: Channel | None = None
        self._failure: OperationError | None = None
        self._task: asyncio.Task[None] | None = None

    # --- life ----------------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Begin to attach in the background. Calling it again does nothing."""
        if self._task is None and self.state is not State.CLOSED:
            self._task = asyncio.get_running_loop().create_task(self._run())

    async def attached(self, timeout: float | None = DEFAULT_TIMEOUT_S) -> Welcome:
        """Wait until an engine has welcomed this client, for at most `timeout` seconds.

        Raises:
            OperationError: there is no engine to be had, or not in time.
        """
        await self._call("ping", framing.NULL, timeout)
        if self.welcome is None:
            raise self._closed_error()
        return self.welcome

    async def close(self) -> None:
        """Leave the engine; its session and the texts it held for this client go with the connection."""
        if self.state is State.CLOSED:
            return
        self._set_state(State.CLOSED, "the client was closed")
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
        for call in [*self._waiting, *self._sent]:
            _settle(call, error=self._closed_error())
        if self._channel is not None:
            self._channel.close()
            await self._channel.flushed(_CLOSE_PATIENCE_S)

    async def __aenter__(self) -> EngineClient:
        self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    # --- requests ------------------------------------------------------------------------------------------------

    async def request(
        self, operation: str, parameters: Parameters, timeout: float | None = DEFAULT_TIMEOUT_S
    ) -> Answer:
        """Ask for one operation of the registry, for at most `timeout` seconds (None: as long as it takes).

        A request made while there is no engine waits for one. When an engine dies under it, it is asked once more of
        the next, unless it acts on the index. Cancelling the caller cancels the work.

        Raises:
            OperationError: it failed, timed out, or there is no engine to be had.
        """
        declaration = OPERATIONS[operation]
        try:
            params = framing.raw(parameters)
        except UnicodeEncodeError as error:
            raise OperationError(wire.INVALID_PARAMS, f"{operation}: a parameter is no text: {error}") from error
        result = await self._call(operation, params, timeout)
        return msgspec.json.decode(result, type=declaration.result)

    async def _call(self, method: str, params: Json, timeout: float | None) -> Json:
        if self.state is State.CLOSED:
            raise self._closed_error()
        if self._failure is not None:
            raise _afresh(self._failure)
        self.start()
        call = _Call(method, params, asyncio.get_running_loop().create_future())
        self._send_call(call)
        try:
            async with asyncio.timeout(timeout):
                return await call.answer
        except TimeoutError:
            why = self.reason if self.state is not State.ATTACHED else "the engine is still at work"
            raise OperationError(
                wire.TIMED_OUT, f"{method}: no answer within {timeout:g} s ({why})", "try again, or look at the status"
            ) from None
        finally:
            self._forget(call)

    def _send_call(self, call: _Call) -> None:
        channel = self._ready
        if channel is None:
            self._waiting[call] = None
            return
        call.sendings += 1

        def reply(result: Json, error: ErrorObject | None) -> None:
            self._reply(call, result, error)

        try:
            call.number = channel.request(call.method, call.params, reply)
        except framing.FrameError as error:
            _settle(call, error=OperationError(wire.INVALID_PARAMS, f"{call.method}: {error}", "ask for less at once"))
            return
        self._sent[call] = None

    def _reply(self, call: _Call, result: Json, error: ErrorObject | None) -> None:
        self._sent.pop(call, None)
        call.number = None
        if error is None:
            _settle(call, result=result)
        elif error.code == wire.DRAINING and call.sendings < _MAX_SENDINGS:
            self._waiting[call] = None  # it was not begun, or not to its end: for the next engine
        else:
            _settle(call, error=OperationError(error.code, error.message, error.data or ""))

    def _forget(self, call: _Call) -> None:
        self._waiting.pop(call, None)
        self._sent.pop(call, None)
        if call.number is not None and self._channel is not None:
            self._channel.cancel(call.number)
            call.number = None

    # --- what the engine must know -------------------------------------------------------------------------------

    def document_opened(self, uri: str, version: int, text: str, language: str = "") -> None:
        """Tell that the editor has opened a document."""
        self._show("document/open", DocumentText(uri=uri, version=version, text=text, language=language))

    def document_changed(self, uri: str, version: int, text: str) -> None:
        """Tell the whole text of an open document after a change."""
        known = self._documents.get(uri)
        language = known.language if known is not None else ""
        changed = DocumentText(uri=uri, version=version, text=text, language=language)
        self._show("document/change", changed, is_replaceable=True)

    def document_saved(self, uri: str) -> None:
        """Tell that an open document was written to disk."""
        self._tell("document/save", DocumentName(uri=uri))

    def document_closed(self, uri: str) -> None:
        """Tell that a document is no longer open: the file on disk counts again."""
        self._documents.pop(uri, None)
        self._tell("document/close", DocumentName(uri=uri))

    def files_changed(self, uris: list[str]) -> None:
        """Tell that files or folders changed on disk. Told later when there is no engine now."""
        self._hint("files/changed", FilesChanged(uris=uris))

    def files_renamed(self, pairs: list[tuple[str, str]]) -> None:
        """Tell that files or folders were renamed. Told later when there is no engine now."""
        self._hint("files/renamed", FilesRenamed(pairs=pairs))

    def configure(self, settings: SessionSettings) -> None:
        """Change the session's settings."""
        self._settings = settings
        self._tell("session/settings", settings)

    def introduce(self, client: str) -> None:
        """Tell what the client is called, where that was not known at first."""
        self._client = client
        self._tell("session/client", ClientName(name=client))

    def cancel_work(self, token: str) -> None:
        """Tell that the user cancelled the progress with this token."""
        self._tell("work/cancel", wire.CancelWork(token=token))

    def _show(self, method: str, document: DocumentText, *, is_replaceable: bool = False) -> None:
        """Keep and send an open text, one that `is_replaceable` only if no later one comes before the engine reads it.
        Lone surrogates, which no file holds, are replaced unit for unit."""
        try:
            params = framing.raw(document)
        except UnicodeEncodeError:
            document.text = _SURROGATES.sub("\ufffd", document.text)
            document.uri = _SURROGATES.sub("\ufffd", document.uri)
            params = framing.raw(document)
        if len(params) > wire.MAX_FRAME - 1024:
            self._warn(f"{document.uri} is too long to be followed while it is edited; its file on disk counts.")
            if self._documents.pop(document.uri, None) is not None:
                self._tell("document/close", DocumentName(uri=document.uri))
            return
        self._documents[document.uri] = document
        if (channel := self._ready) is None:
            return
        if is_replaceable:
            channel.notify_latest(document.uri, method, params)
        else:
            channel.notify(method, params)

    @property
    def _ready(self) -> Channel | None:
        """The connection, unless there is none or the engine is leaving."""
        return self._channel if self._channel is not None and not self._channel.leaving else None

    def _hint(self, method: str, params: msgspec.Struct) -> None:
        if not self._tell(method, params):
            self._hints.append((method, params))

    def _tell(self, method: str, params: msgspec.Struct) -> bool:
        """Send a notification now; return whether there was an engine to take it."""
        channel = self._ready
        if channel is None:
            return False
        try:
            channel.notify(method, framing.raw(params))
        except (framing.FrameError, UnicodeEncodeError) as error:
            _log.warning("%s was not sent: %s", method, error)
        return True

    # --- attaching -----------------------------------------------------------------------------------------------

    async def _run(self) -> None:
        """Attach, serve, and attach again, until the client is closed."""
        while True:
            try:
                channel = await self._attach()
                since = asyncio.get_running_loop().time()
                loss = await asyncio.shield(channel.lost)
                self._detached(loss)
                self._attacher.attached_for(asyncio.get_running_loop().time() - since)
                await self._attacher.after_loss(channel, loss)
            except AttachError as failure:
                await self._stand_back(failure.error, failure.retry_s)
            except Exception as error:
                _log.exception("attaching to the engine of %s failed", self.root)
                message = f"The engine of {self.root} cannot be reached: {type(error).__name__}: {error}"
                await self._stand_back(OperationError(wire.ENGINE_FAILED, message), BACKOFF_S)

    async def _attach(self) -> Channel:
        self._set_state(State.ATTACHING, "an engine is being found or started")
        hello = Hello(
            token="",
            wire=wire.WIRE_VERSION,
            build=build_id(),
            kind=self._kind,
            client=self._client,
            pid=os.getpid(),
            settings=self._settings,
            watches=self._watches,
            one_shot=self._one_shot,
        )
        channel, self.welcome = await self._attacher.attach(hello, self._heard)
        self._channel = channel
        self._replay(channel, hello)
        self._set_state(State.ATTACHED, self._attacher.note)
        return channel

    def _replay(self, channel: Channel, told: Hello) -> None:
        """Tell a new engine all that the last one knew, then ask what is still to be answered, in its order."""
        if self._settings != told.settings:
            self._tell("session/settings", self._settings)
        if self._client != told.client:
            self._tell("session/client", ClientName(name=self._client))
        for document in self._documents.values():
            channel.notify("document/open", framing.raw(document))
        while self._hints:
            self._tell(*self._hints.popleft())
        waiting, self._waiting = list(self._waiting), {}
        for call in waiting:
            self._send_call(call)

    def _detached(self, loss: Loss) -> None:
        """Take back the requests that the lost engine had, and end its progress for those who watch it."""
        self._channel = None
        self._set_state(State.ATTACHING, loss.reason)
        again: dict[_Call, None] = {}
        for call in self._sent:
            call.number = None
            call.losses += 1
            if call.losses > 1 or call.acts:
                message = f"{call.method}: the engine ended before it had answered"
                _settle(call, error=OperationError(wire.ENGINE_LOST, message, "try again"))
            else:
                again[call] = None
        self._waiting = again | self._waiting
        self._sent = {}
        for token in sorted(self._progress):
            self._callback(self._callbacks.progress, Progress(token=token, kind="end", message=loss.reason))
        self._progress.clear()

    async def _stand_back(self, error: OperationError, seconds: float) -> None:
        """Answer all requests with an error for a while."""
        self._failure = error
        self._set_state(State.FAILED, error.message)
        for call in list(self._waiting):
            _settle(call, error=_afresh(error))
        self._waiting.clear()
        self._callback(self._callbacks.log, LogLine(level="error", message=f"{error.message} {error.hint}".strip()))
        await asyncio.sleep(seconds)
        self._failure = None

    # --- hearing -------------------------------------------------------------------------------------------------

    def _heard(self, method: str, params: Json) -> None:
        """Pass a notification on; one that this version does not know is not for it."""
        try:
            match method:
                case "progress":
                    progress = msgspec.json.decode(params, type=Progress)
                    (self._progress.discard if progress.kind == "end" else self._progress.add)(progress.token)
                    self._callback(self._callbacks.progress, progress)
                case "status":
                    self._callback(self._callbacks.health, msgspec.json.decode(params, type=Health))
                case "log":
                    self._callback(self._callbacks.log, msgspec.json.decode(params, type=LogLine))
                case "farewell":
                    # The channel itself stops taking; what the engine still answers is welcome.
                    self._callback(self._callbacks.farewell, msgspec.json.decode(params, type=Farewell))
                case _:
                    _log.debug("ignored notification %s", method)
        except msgspec.DecodeError as error:
            _log.warning("ignored a malformed %s: %s", method, error)

    def _callback(self, callback: Callable[[T], None], value: T) -> None:
        try:
            callback(value)
        except Exception:
            _log.exception("a front's callback failed")

    def _warn(self, message: str) -> None:
        self._callback(self._callbacks.log, LogLine(level="warning", message=message))

    def _set_state(self, state: State, reason: str) -> None:
        if self.state is State.CLOSED:
            return
        self.reason = reason
        if state is not self.state:
            self.state = state
            self._callback(self._callbacks.state, state)

    def _closed_error(self) -> OperationError:
        return OperationError(wire.CLOSED, f"the client of {self.root} is closed")


def _afresh(error: OperationError) -> OperationError:
    """Copy an error that is raised to several callers: each raise adds to its traceback."""
    return OperationError(error.code, error.message, error.hint)


def _settle(call: _Call, *, result: Json = framing.NULL, error: OperationError | None = None) -> None:
    if call.answer.done():
        return
    if error is None:
        call.answer.set_result(result)
    else:
        call.answer.set_exception(error)
