"""Frames of the base protocol over blocking streams, each direction on a thread of its own.

pygls reads through the thread pool that handlers share and writes on the event loop, so a busy pool stops all input and
a client that does not read stops the loop. Its header parser also never recovers from a header that it does not know.
Here the loop is handed whole bodies, in order, and only ever queues what it sends.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import socket
import sys
import threading
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

MAX_BODY: Final = 256 * 1024 * 1024
"""The longest body that is read, in bytes; a longer one is skipped without being kept."""
MAX_HEADER: Final = 16 * 1024
MAX_UNSENT: Final = 32 * 1024 * 1024
"""While more bytes than this wait for the client to read, no further message is taken from it."""
CHUNK: Final = 64 * 1024
CONTENT_LENGTH: Final = re.compile(rb"content-length[ \t]*:[ \t]*(\d{1,12})$", re.IGNORECASE)


class FrameError(Exception):
    """A frame that cannot be used; the stream goes on behind it."""


@dataclass(frozen=True)
class Channel:
    """Two blocking byte streams: `read(n)` gives up to n bytes, none at the end; `write` takes all it is given."""

    read: Callable[[int], bytes]
    write: Callable[[bytes], None]
    close: Callable[[], None]


def stdio_channel() -> Channel:
    """Take standard input and output away from everybody else.

    The protocol keeps private copies; descriptor 1 becomes standard error and descriptor 0 empty, so that neither a
    stray print nor a child process can touch the stream.
    """
    read_from, write_to = os.dup(0), os.dup(1)
    if os.name == "nt":
        import msvcrt

        msvcrt.setmode(read_from, os.O_BINARY)  # type: ignore[attr-defined, unused-ignore]
        msvcrt.setmode(write_to, os.O_BINARY)  # type: ignore[attr-defined, unused-ignore]
    empty = os.open(os.devnull, os.O_RDWR)
    os.dup2(empty, 0)
    try:
        os.dup2(2, 1)
    except OSError:  # started without a standard error
        os.dup2(empty, 1)
    os.close(empty)
    sys.stdin = io.StringIO()
    return Channel(lambda size: os.read(read_from, size), lambda data: _write_all(write_to, data), lambda: None)


def socket_channel(connection: socket.socket) -> Channel:
    """Both directions over one connected socket."""

    def close() -> None:
        with contextlib.suppress(OSError):
            connection.shutdown(socket.SHUT_RDWR)
        connection.close()

    return Channel(connection.recv, connection.sendall, close)


def tcp_listener(host: str, port: int) -> socket.socket:
    """Listen on `host`:`port` for one client; raise OSError when that is not possible."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    return socket.create_server((host, port), family=family, backlog=1)


def pipe_channel(path: str) -> Channel:
    """Connect to a named pipe (Windows) or Unix socket on which the client listens; raise OSError if it does not."""
    if os.name == "nt":
        pipe = open(path, "r+b", buffering=0)  # noqa: SIM115
        return Channel(pipe.read, lambda data: _write_all(pipe.fileno(), data), pipe.close)
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        connection.connect(path)
    except OSError:
        connection.close()
        raise
    return socket_channel(connection)


def _write_all(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


class FrameReader:
    """Reads bodies from a channel on a daemon thread and hands them to `deliver`, with at most `ahead` not handled yet.

    `deliver` gets a body, a `FrameError`, or None once at the end of the stream. It runs on this thread, and whoever
    handles what it passed on calls `done` afterwards.
    """

    def __init__(
        self, channel: Channel, deliver: Callable[[bytes | FrameError | None], None], *, ahead: int = 64
    ) -> None:
        self._read = channel.read
        self._deliver = deliver
        self._slots = threading.Semaphore(ahead)
        self._buffer = bytearray()
        self._thread = threading.Thread(target=self._run, name="frame-reader", daemon=True)

    def start(self) -> None:
        """Begin to read."""
        self._thread.start()

    def done(self) -> None:
        """One delivered body has been handled."""
        self._slots.release()

    def _run(self) -> None:
        with contextlib.suppress(OSError, EOFError, ValueError):
            while True:
                body: bytes | FrameError
                try:
                    body = self._frame()
                except FrameError as error:
                    body = error
                self._slots.acquire()
                self._deliver(body)
        self._deliver(None)

    def _frame(self) -> bytes:
        length = self._header()
        if length > MAX_BODY:
            self._skip(length)
            raise FrameError(f"a message of {length} bytes is longer than the {MAX_BODY} that are read")
        while len(self._buffer) < length:
            self._fill(max(CHUNK, length - len(self._buffer)))
        body = bytes(self._buffer[:length])
        del self._buffer[:length]
        return body

    def _header(self) -> int:
        """Read header lines up to the empty one, dropping whatever is no header until a length is known.

        The length is looked for at the end of the line: behind a broken header, the rest of its body runs straight into
        the next frame.
        """
        length: int | None = None
        while True:
            line = self._line().strip()
            if not line and length is not None:
                return length
            if (match := CONTENT_LENGTH.search(line)) is not None:
                length = int(match[1])

    def _line(self) -> bytes:
        end = self._buffer.find(b"\n")
        while end < 0:
            if len(self._buffer) > MAX_HEADER:
                del self._buffer[:-1]
            self._fill(CHUNK)
            end = self._buffer.find(b"\n")
        line = bytes(self._buffer[:end])
        del self._buffer[: end + 1]
        return line

    def _skip(self, length: int) -> None:
        while length > 0:
            if not self._buffer:
                self._fill(CHUNK)
            dropped = min(length, len(self._buffer))
            del self._buffer[:dropped]
            length -= dropped

    def _fill(self, size: int) -> None:
        data = self._read(min(size, 1024 * 1024))
        if not data:
            raise EOFError
        self._buffer += data


class FrameWriter:
    """Sends bodies in order from a daemon thread, so that a client that does not read never stops the caller.

    `on_lost` is called on that thread, once, when the client is gone; everything sent after that is dropped.
    """

    def __init__(self, channel: Channel, on_lost: Callable[[], None]) -> None:
        self._channel = channel
        self._on_lost = on_lost
        self._queue: deque[bytes] = deque()
        self._changed = threading.Condition()
        self._unsent = 0
        self._is_closed = False
        self._thread = threading.Thread(target=self._run, name="frame-writer", daemon=True)
        self._thread.start()

    def write(self, body: bytes) -> None:
        """Queue one body."""
        frame = b"Content-Length: %d\r\n\r\n%b" % (len(body), body)
        with self._changed:
            if self._is_closed:
                return
            self._queue.append(frame)
            self._unsent += len(frame)
            self._changed.notify_all()

    def wait_until_read(self) -> None:
        """Block the calling thread while the client leaves too much unread."""
        with self._changed:
            self._changed.wait_for(lambda: self._is_closed or self._unsent <= MAX_UNSENT)

    def close(self, patience: float) -> None:
        """Take nothing more, and give what is queued `patience` seconds to leave."""
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()
        self._thread.join(patience)

    def _run(self) -> None:
        try:
            while (frame := self._next()) is not None:
                self._channel.write(frame)
                with self._changed:
                    self._unsent -= len(frame)
                    self._changed.notify_all()
        except (OSError, ValueError):
            with self._changed:
                self._is_closed = True
                self._queue.clear()
                self._changed.notify_all()
            self._on_lost()

    def _next(self) -> bytes | None:
        with self._changed:
            self._changed.wait_for(lambda: self._queue or self._is_closed)
            return self._queue.popleft() if self._queue else None
