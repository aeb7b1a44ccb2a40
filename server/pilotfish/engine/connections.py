"""The engine's side of the socket: who may speak, in which order, and how much may wait.

A peer is untrusted until it has shown the token, and bounded afterwards. Whatever one connection does wrong costs that
connection and nothing else; what it does not read never holds up the engine.
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import logging
import threading
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

import msgspec

from pilotfish.engine import framing, wire
from pilotfish.engine.wire import ErrorObject, Farewell, Hello, Message, OperationError, Welcome

_log = logging.getLogger(__name__)

MAX_HELLO = 64 * 1024
"""Longest frame of a peer that has not shown the token, in bytes."""

LEAVING = "the engine is leaving"

HELLO_PATIENCE_S = 5.0
GOODBYE_PATIENCE_S = 0.5
"""How long a leaving engine waits for its fronts to hang up."""

MAX_CONNECTIONS = 256
MAX_REQUESTS = 512
"""Requests of one session under way at once."""

MAX_QUEUED = 32 * 1024 * 1024
"""Bytes that may wait for a client that does not read; one answer of any size always may."""


class SessionLike(Protocol):
    """What an engine hands out for a connection."""

    @property
    def id(self) -> int:
        """Number of the session within its engine."""


S = TypeVar("S", bound=SessionLike)


class EngineLike(Protocol[S]):
    """What is served: `engine.engine.Engine`."""

    def connect(self, hello: Hello, notify: Callable[[str, msgspec.Struct], None]) -> S:
        """Begin a session; `notify` takes method and parameters, from any thread, and never blocks."""

    def receive(self, session: S, method: str, params: msgspec.Raw) -> None:
        """Take one notification, in order; never blocks."""

    async def call(self, session: S, operation: str, params: msgspec.Raw) -> msgspec.Struct:
        """Answer one request; it may be cancelled."""

    def disconnect(self, session: S) -> None:
        """End a session."""

    async def close(self) -> None:
        """Stop all work and close the index."""


@dataclass(frozen=True, kw_only=True)
class Opened(Generic[S]):
    """An engine that is ready to be served, and where its index and log lie."""

    engine: EngineLike[S]
    index_folder: str
    log_path: str


@dataclass(frozen=True, kw_only=True)
class Identity:
    """What a listening process says of itself, and the token that it expects."""

    token: str
    root: str
    pid: int
    build: str


class Connections(Generic[S]):
    """All connections of one engine process.

    Peers are heard, and pings answered, while the engine still opens: `opened` is what their welcome waits for.
    `on_join` is called when a front has shown the token, `on_leave` when it has gone.
    """

    def __init__(
        self,
        identity: Identity,
        opened: asyncio.Future[Opened[S]],
        *,
        on_join: Callable[[Hello], None],
        on_leave: Callable[[], None],
    ) -> None:
        self.identity = identity
        self.opened = opened
        self.draining = False
        self.on_join = on_join
        self._on_leave = on_leave
        self._connections: set[_Connection[S]] = set()

    @property
    def fronts(self) -> int:
        """How many fronts are here, welcomed or waiting for it."""
        return sum(connection.hello is not None for connection in self._connections)

    async def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one connection until it ends, for `asyncio.start_server`."""
        if len(self._connections) >= MAX_CONNECTIONS or self.draining:
            writer.transport.abort()
            return
        connection = _Connection(self, reader, writer)
        self._connections.add(connection)
        try:
            await connection.run()
        finally:
            self._connections.discard(connection)
            connection.end()
            if connection.hello is not None:
                self._on_leave()

    async def drain(self, reason: str, patience_s: float) -> None:
        """Say farewell, finish the requests under way for up to `patience_s` seconds, and close all connections."""
        self.draining = True
        for connection in list(self._connections):
            connection.notify("farewell", Farewell(reason=reason))
        tasks = [task for connection in self._connections for task in connection.tasks]
        if tasks:
            _, unfinished = await asyncio.wait(tasks, timeout=patience_s)
            for task in unfinished:
                task.cancel()
            if unfinished:
                await asyncio.wait(unfinished, timeout=1.0)
        for connection in self._connections:
            connection.finish()
        # Who still writes to us must find us reading: a peer whose write fails drops what it has not read yet, and with
        # it the farewell, and would take a leave for a death.
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(GOODBYE_PATIENCE_S):
                while self._connections:
                    await asyncio.sleep(0.005)
        for connection in list(self._connections):
            connection.end()


class _Connection(Generic[S]):
    """One peer."""

    def __init__(self, owner: Connections[S], reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.hello: Hello | None = None
        self.tasks: set[asyncio.Task[None]] = set()
        self._owner = owner
        self._reader = reader
        self._writer = writer
        self._loop = asyncio.get_running_loop()
        self._thread = threading.get_ident()
        self._session: S | None = None
        self._engine: EngineLike[S] | None = None
        self._requests: dict[int, asyncio.Task[None]] = {}
        self._is_finished = False

    async def run(self) -> None:
        """Read messages until the peer leaves or breaks the rules."""
        try:
            async with asyncio.timeout(HELLO_PATIENCE_S):
                first = await framing.read(self._reader, MAX_HELLO)
            if not self._admit(first):
                return
            while True:
                message = await framing.read(self._reader)
                if not self._take(message):
                    return
                # A request begins before the next message is looked at, so that it sees the texts as of its place.
                await asyncio.sleep(0)
        except framing.FrameError as error:
            _log.warning("closed a connection: %s", error)
        except (asyncio.IncompleteReadError, OSError, TimeoutError):
            pass

    def finish(self) -> None:
        """Say nothing more, and read on until the peer has heard that."""
        self._is_finished = True
        with contextlib.suppress(OSError, RuntimeError):
            self._writer.write_eof()

    def end(self) -> None:
        """Close the connection and forget all that it asked for."""
        for task in list(self.tasks):
            task.cancel()
        if self._session is not None and self._engine is not None:
            session, self._session = self._session, None
            try:
                self._engine.disconnect(session)
            except Exception:
                _log.exception("session %s could not be ended", session.id)
        self._writer.close()

    # --- messages ------------------------------------------------------------------------------------------------

    def _admit(self, message: Message) -> bool:
        """Judge the first message; only a whole `hello` with the right token and wire version opens a session."""
        if message.method != "hello" or message.id is None:
            return False
        try:
            hello = msgspec.json.decode(message.params, type=Hello)
        except (msgspec.DecodeError, UnicodeDecodeError):
            self._fail(message.id, wire.REFUSED, "hello is malformed")
            return False
        if not hmac.compare_digest(hello.token.encode(), self._owner.identity.token.encode()):
            self._fail(message.id, wire.REFUSED, "wrong token")
            return False
        if hello.wire != wire.WIRE_VERSION:
            self._fail(message.id, wire.REFUSED, f"this engine speaks version {wire.WIRE_VERSION}, not {hello.wire}")
            return False
        if self._owner.draining:
            self._fail(message.id, wire.DRAINING, LEAVING)
            return False
        self.hello = hello
        self._start(message.id, self._welcome(message.id, hello))
        self._owner.on_join(hello)
        return True

    def _take(self, message: Message) -> bool:
        """Act on one message of an admitted peer; return whether it may go on."""
        method, number = message.method, message.id
        if method is None:
            return False
        if method == "ping" and number is not None:
            self._send(Message(id=number, result=framing.NULL))
            return True
        if self._session is None or self._engine is None:
            return False
        if number is None:
            return self._receive(self._engine, self._session, method, message.params)
        if self._owner.draining:
            self._fail(number, wire.DRAINING, LEAVING)
        elif number in self._requests:
            return False
        elif len(self._requests) >= MAX_REQUESTS:
            self._fail(number, wire.OVERLOADED, f"{MAX_REQUESTS} requests are already under way", "wait for answers")
        else:
            self._start(number, self._answer(self._engine, self._session, number, method, message.params))
        return True

    def _receive(self, engine: EngineLike[S], session: S, method: str, params: msgspec.Raw) -> bool:
        try:
            if method == "$/cancel":
                task = self._requests.get(msgspec.json.decode(params, type=wire.Cancel).id)
                if task is not None:
                    task.cancel()
            else:
                engine.receive(session, method, params)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            _log.warning("closed a connection: %s is malformed: %s", method, error)
            return False
        except Exception:
            _log.exception("%s of session %s failed", method, session.id)
        return True

    def _start(self, number: int, work: Coroutine[Any, Any, None]) -> None:
        task = self._loop.create_task(work)
        self.tasks.add(task)
        self._requests[number] = task
        task.add_done_callback(lambda done: self._finished(number, done))

    def _finished(self, number: int, task: asyncio.Task[None]) -> None:
        self.tasks.discard(task)
        self._requests.pop(number, None)
        if not task.cancelled() and (error := task.exception()) is not None:
            _log.error("request %d failed", number, exc_info=error)

    async def _welcome(self, number: int, hello: Hello) -> None:
        identity = self._owner.identity
        try:
            opened = await asyncio.shield(self._owner.opened)
            if self._owner.draining:
                raise OperationError(wire.DRAINING, LEAVING)
            session = opened.engine.connect(hello, self.notify)
        except asyncio.CancelledError:
            self._fail(number, wire.DRAINING, LEAVING)
            raise
        except OperationError as error:
            self._fail(number, error.code, error.message, error.hint)
            return
        except Exception as error:
            self._fail(number, wire.OPEN_FAILED, str(error) or type(error).__name__)
            return
        welcome = Welcome(
            session=session.id,
            root=identity.root,
            pid=identity.pid,
            build=identity.build,
            wire=wire.WIRE_VERSION,
            log_path=opened.log_path,
            index_folder=opened.index_folder,
        )
        self._session, self._engine = session, opened.engine
        self._send(Message(id=number, result=framing.raw(welcome)))

    async def _answer(
        self, engine: EngineLike[S], session: S, number: int, operation: str, params: msgspec.Raw
    ) -> None:
        try:
            result = framing.raw(await engine.call(session, operation, params))
        except asyncio.CancelledError:
            if self._owner.draining:
                self._fail(number, wire.DRAINING, LEAVING)
            else:
                self._fail(number, wire.REQUEST_CANCELLED, f"{operation} was cancelled")
            raise
        except OperationError as error:
            self._fail(number, error.code, error.message, error.hint)
        except Exception as error:
            _log.exception("%s failed", operation)
            self._fail(
                number,
                wire.INTERNAL_ERROR,
                f"{operation} failed: {type(error).__name__}: {error}",
                "the engine's log tells more",
            )
        else:
            self._send(Message(id=number, result=result))

    # --- sending -------------------------------------------------------------------------------------------------

    def notify(self, method: str, params: msgspec.Struct) -> None:
        """Send a notification, from any thread."""
        if threading.get_ident() != self._thread:
            try:
                self._loop.call_soon_threadsafe(self.notify, method, params)
            except RuntimeError:
                _log.debug("%s came after the loop had closed", method)
            return
        try:
            self._send(Message(method=method, params=framing.raw(params)))
        except UnicodeEncodeError:
            _log.exception("%s cannot be sent", method)

    def _fail(self, number: int, code: int, message: str, hint: str = "") -> None:
        text = message.encode("utf-8", "replace").decode()
        self._send(Message(id=number, error=ErrorObject(code=code, message=text, data=hint or None)))

    def _send(self, message: Message) -> None:
        """Queue a frame; a client that lets too much wait loses its connection."""
        transport = self._writer.transport
        if transport.is_closing() or self._is_finished:
            return
        try:
            frame = framing.encode(message)
        except framing.FrameError as error:
            if message.id is None:
                _log.warning("a notification was not sent: %s", error)
            else:
                self._fail(message.id, wire.INTERNAL_ERROR, f"the answer is too long: {error}", "ask for less")
            return
        waiting = transport.get_write_buffer_size()
        if waiting and waiting + len(frame) > MAX_QUEUED:
            _log.warning("closed a connection: %d bytes wait for a client that does not read", waiting)
            transport.abort()
            return
        self._writer.write(frame)
