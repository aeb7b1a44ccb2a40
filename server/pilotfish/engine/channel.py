"""A front's side of one connection to one engine: requests, notifications, and the judgement whether it still lives."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import msgspec

from pilotfish.engine import framing
from pilotfish.engine.rendezvous import Endpoint, is_stopped
from pilotfish.engine.wire import Cancel, ErrorObject, Hello, Json, Message, OperationError, Welcome

_log = logging.getLogger(__name__)

CONNECT_PATIENCE_S = 3.0
SUSPENDED_PATIENCE_S = 3.0
"""For an answer to a ping by a process that is suspended."""

SILENT_PATIENCE_S = 6.0
"""For one by a process that runs: work holds up its event loop for moments, a loaded machine for longer."""

_BACKLOG_BYTES = 64 * 1024
"""What the engine has not read yet, beyond which a text waits for it: asyncio's own mark for a writer to pause."""

_PING_S = 1.0
_IDLE_PING_S = 15.0

Reply = Callable[[Json, ErrorObject | None], None]
"""Takes a response: its result, or its error."""


@dataclass(frozen=True, slots=True)
class Loss:
    """How a connection ended. `silent`: the engine answered no ping; `ended`: it closed the connection or died."""

    kind: Literal["silent", "ended", "closed"]
    reason: str


class Channel:
    """One connection. `lost` is done when it has ended, whatever the cause; replies that have not come never come."""

    def __init__(
        self,
        endpoint: Endpoint,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        on_notification: Callable[[str, Json], None],
    ) -> None:
        loop = asyncio.get_running_loop()
        self.endpoint = endpoint
        self.lost: asyncio.Future[Loss] = loop.create_future()
        self.leaving = False
        """The engine has said farewell: it still answers what it was asked, and takes nothing more."""
        self._loop = loop
        self._reader = reader
        self._writer = writer
        self._on_notification = on_notification
        self._replies: dict[int, Reply] = {}
        self._last_id = 0
        self._held: dict[str, tuple[str, Json]] = {}
        self._pinged_at: float | None = None
        self._waiting = asyncio.Event()
        self._tasks = [loop.create_task(self._read()), loop.create_task(self._watch())]

    @classmethod
    async def open(cls, endpoint: Endpoint, on_notification: Callable[[str, Json], None]) -> Channel:
        """Connect to an engine.

        Raises:
            OSError: nothing listens there, or not in time (`TimeoutError`).
        """
        async with asyncio.timeout(CONNECT_PATIENCE_S):
            if sys.platform == "win32":
                host, _, port = endpoint.address.rpartition(":")
                reader, writer = await asyncio.open_connection(host, int(port))
            else:
                reader, writer = await asyncio.open_unix_connection(endpoint.address)
        return cls(endpoint, reader, writer, on_notification)

    async def hello(self, hello: Hello) -> Welcome:
        """Introduce the front; returns when the engine has opened its index.

        Raises:
            OperationError: the engine refuses.
            ConnectionError: the connection ended first; `lost` tells how.
        """
        answer: asyncio.Future[Welcome] = self._loop.create_future()

        def welcomed(result: Json, error: ErrorObject | None) -> None:
            if answer.done():
                return
            if error is not None:
                answer.set_exception(OperationError(error.code, error.message, error.data or ""))
                return
            try:
                answer.set_result(msgspec.json.decode(result, type=Welcome))
            except msgspec.DecodeError as malformed:
                answer.set_exception(ConnectionError(f"the engine's welcome is malformed: {malformed}"))

        self.request("hello", framing.raw(hello), welcomed)
        both: list[asyncio.Future[Any]] = [answer, self.lost]
        await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        if not answer.done():
            raise ConnectionError(self.lost.result().reason)
        return answer.result()

    def request(self, method: str, params: Json, reply: Reply) -> int:
        """Send a request and return its number; `reply` is called once, unless the connection ends first.

        Raises:
            framing.FrameError: the parameters are too long.
        """
        self._send_held()
        self._last_id += 1
        frame = framing.encode(Message(id=self._last_id, method=method, params=params))
        self._replies[self._last_id] = reply
        self._waiting.set()
        self._write(frame)
        return self._last_id

    def notify(self, method: str, params: Json) -> None:
        """Send a notification.

        Raises:
            framing.FrameError: the parameters are too long.
        """
        self._send_held()
        self._write(framing.encode(Message(method=method, params=params)))

    def notify_latest(self, key: str, method: str, params: Json) -> None:
        """Send a notification that makes earlier ones of its key worthless.

        While the engine has not read what was sent before, it waits, and a later one takes its place: somebody who
        types in a large file on a busy machine sends whole texts faster than they are read. Nothing else overtakes it.

        Raises:
            framing.FrameError: the parameters are too long.
        """
        if not self._held and self._writer.transport.get_write_buffer_size() <= _BACKLOG_BYTES:
            self._write(framing.encode(Message(method=method, params=params)))
            return
        if not self._held:
            self._tasks.append(self._loop.create_task(self._send_held_when_read()))
        self._held[key] = (method, params)

    def cancel(self, number: int) -> None:
        """Tell the engine that nobody waits for an answer any more."""
        if self._replies.pop(number, None) is not None:
            self.notify("$/cancel", framing.raw(Cancel(id=number)))

    @property
    def pending(self) -> int:
        """How many requests wait for an answer."""
        return len(self._replies)

    def close(self) -> None:
        """End the connection; what was written before still goes out."""
        self._end(Loss("closed", "the front closed the connection"))

    async def flushed(self, patience_s: float) -> None:
        """Wait until what was written has gone out, for at most `patience_s` seconds."""
        with contextlib.suppress(OSError, TimeoutError):
            async with asyncio.timeout(patience_s):
                await self._writer.wait_closed()
        self._writer.transport.abort()

    def _send_held(self) -> None:
        """Send what waits, because of what is sent next."""
        held, self._held = self._held, {}
        for method, params in held.values():
            self._write(framing.encode(Message(method=method, params=params)))

    async def _send_held_when_read(self) -> None:
        with contextlib.suppress(OSError):
            await self._writer.drain()
        self._send_held()
        self._tasks = [task for task in self._tasks if task is not asyncio.current_task()]

    def _write(self, frame: bytearray) -> None:
        if self.lost.done():
            return
        self._writer.write(frame)  # what an engine does not read is bounded by the patience with it

    def _end(self, loss: Loss) -> None:
        if self.lost.done():
            return
        self.lost.set_result(loss)
        self._replies.clear()
        for task in self._tasks:
            if task is not asyncio.current_task():
                task.cancel()
        self._writer.close()

    async def _read(self) -> None:
        reason = "the engine closed the connection"
        try:
            while True:
                message = await framing.read(self._reader)
                self._pinged_at = None  # whatever is heard is a sign of life
                self._dispatch(message)
        except framing.FrameError as error:
            reason = f"the engine sent what cannot be read: {error}"
        except (asyncio.IncompleteReadError, OSError):
            pass
        except Exception as error:
            _log.exception("a message could not be taken")
            reason = f"the engine sent what cannot be taken: {error}"
        self._end(Loss("ended", reason))

    def _dispatch(self, message: Message) -> None:
        if message.method is not None:
            self.leaving = self.leaving or message.method == "farewell"
            self._on_notification(message.method, message.params)
        elif message.id is not None and (reply := self._replies.pop(message.id, None)) is not None:
            if not self._replies:
                self._waiting.clear()
            reply(message.result, message.error)

    async def _watch(self) -> None:
        """Ping often while an answer is awaited, seldom otherwise, and give up an engine that stays silent."""
        while True:
            before = self._loop.time()
            if self._waiting.is_set() or self._pinged_at is not None:
                await asyncio.sleep(_PING_S)
                if self._loop.time() - before > 2 * _PING_S:
                    self._pinged_at = None  # it was this process that did not run: ask again before judging
            else:
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._waiting.wait(), _IDLE_PING_S)
            if self._pinged_at is None:
                self._ping()
            elif self._is_silent(self._loop.time() - self._pinged_at):
                self._end(Loss("silent", "the engine answered no ping"))
                return

    def _ping(self) -> None:
        self._pinged_at = self._loop.time()
        self._last_id += 1
        self._write(framing.encode(Message(id=self._last_id, method="ping")))

    def _is_silent(self, waited_s: float) -> bool:
        if waited_s > SILENT_PATIENCE_S:
            return True
        return waited_s > SUSPENDED_PATIENCE_S and is_stopped(self.endpoint.pid)
