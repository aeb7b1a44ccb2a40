"""`pilotfish serve`: the command line, the streams and the end of the process.

An editor waits for the answer to `initialize`, so this module imports little, and all of it is needed.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import faulthandler
import logging
import os
import socket
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Final

import pilotfish
from pilotfish.lsp import transport

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pilotfish.lsp.server import PilotfishServer
    from pilotfish.operations.answer import Answer

log = logging.getLogger(__name__)

MAX_THREADS: Final = 4
"""Threads for what blocks: git, and reading back a saved file."""

GOODBYE_S: Final = 0.3
"""How long the last frames may take to leave after `exit`, in seconds."""


def run(arguments: Sequence[str], describe: Callable[[Answer], str]) -> int:
    """Serve one client and return the exit code: 0 after `shutdown` and `exit`, 1 when it left otherwise, 2 for bad
    arguments. `describe` gives an answer as text for people."""
    try:
        options = _parser().parse_args(arguments)
    except SystemExit as leave:
        return leave.code if isinstance(leave.code, int) else 2
    try:
        _configure_log(options.log_file, options.verbose)
        channel = _open_channel(options)
    except OSError as error:
        print(f"pilotfish serve: {error}", file=sys.stderr)  # noqa: T201
        return 2
    faulthandler.enable()
    code = 1
    with contextlib.suppress(KeyboardInterrupt):
        code = _serve(channel, options.client_process_id, describe)
    return _leave(code)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="pilotfish serve",
        description="Serve an editor through the Language Server Protocol.",
        allow_abbrev=False,
    )
    way = parser.add_mutually_exclusive_group()
    way.add_argument("--stdio", action="store_true", help="talk on standard input and output (the default)")
    way.add_argument("--tcp", metavar="HOST:PORT", type=_address, help="listen for one client; HOST may be left out")
    way.add_argument("--pipe", metavar="PATH", help="connect to the client's named pipe or Unix socket")
    way.add_argument("--socket", metavar="PORT", type=_port, help="connect to the client's port on this machine")
    parser.add_argument(
        "--clientProcessId",
        dest="client_process_id",
        metavar="PID",
        type=int,
        help="leave when this process ends",
    )
    parser.add_argument("--log-file", metavar="PATH", help="write the log there and not to standard error")
    parser.add_argument("-v", "--verbose", action="count", default=0, help="log more; twice for everything")
    parser.add_argument("--version", action="version", version=f"pilotfish {pilotfish.__version__}")
    return parser


def _address(text: str) -> tuple[str, int]:
    host, colon, port = text.rpartition(":")
    if not colon:
        return "127.0.0.1", _port(port)
    host = host.removeprefix("[").removesuffix("]")
    if not host:
        raise argparse.ArgumentTypeError("name the host, e.g. 127.0.0.1:2087; an empty one would listen to everybody")
    return host, _port(port)


def _port(text: str) -> int:
    if not text.isdecimal() or not 0 <= int(text) < 65536:
        raise argparse.ArgumentTypeError(f"{text!r} is no port number")
    return int(text)


def _configure_log(path: str | None, verbosity: int) -> None:
    level = (logging.WARNING, logging.INFO, logging.DEBUG)[min(verbosity, 2)]
    handler: logging.Handler = logging.StreamHandler() if path is None else logging.FileHandler(path, encoding="utf-8")
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=level, handlers=[handler])
    logging.getLogger("pygls").setLevel(logging.WARNING)  # at INFO it logs the text of every message


def _open_channel(options: argparse.Namespace) -> transport.Channel:
    if options.tcp is not None:
        with transport.tcp_listener(*options.tcp) as listener:
            host, port = listener.getsockname()[:2]
            print(f"pilotfish serve: listening on {host}:{port}", file=sys.stderr, flush=True)  # noqa: T201
            return transport.socket_channel(listener.accept()[0])
    if options.pipe is not None:
        return transport.pipe_channel(options.pipe)
    if options.socket is not None:
        return transport.socket_channel(socket.create_connection(("127.0.0.1", options.socket)))
    if sys.stdin is not None and sys.stdin.isatty():
        hint = "pilotfish serve: waiting for an editor on standard input; editors start this command by themselves"
        print(hint, file=sys.stderr, flush=True)  # noqa: T201
    return transport.stdio_channel()


def _serve(channel: transport.Channel, client_process_id: int | None, describe: Callable[[Answer], str]) -> int:
    """Run the event loop until the client is gone; return the exit code."""
    loop = asyncio.new_event_loop()
    loop.set_default_executor(ThreadPoolExecutor(MAX_THREADS, thread_name_prefix="blocking"))
    try:
        return loop.run_until_complete(_connection(channel, client_process_id, describe))
    finally:
        channel.close()
        for task in asyncio.all_tasks(loop):
            task.cancel()
        loop.run_until_complete(asyncio.sleep(0))


async def _connection(
    channel: transport.Channel, client_process_id: int | None, describe: Callable[[Answer], str]
) -> int:
    from pilotfish.lsp import features
    from pilotfish.lsp.server import PilotfishServer

    loop = asyncio.get_running_loop()
    server = PilotfishServer(describe)
    features.register(server)

    def lost() -> None:
        loop.call_soon_threadsafe(server.stop, 1)

    server.protocol.frames = frames = transport.FrameWriter(channel, lost)
    reader = transport.FrameReader(channel, lambda body: _deliver(loop, server, reader, body))
    if client_process_id is not None:
        server.parent.watch(client_process_id)
    reader.start()
    code = await server.stopped
    server.shown.close()
    frames.close(GOODBYE_S)
    return code


def _deliver(
    loop: asyncio.AbstractEventLoop,
    server: PilotfishServer,
    reader: transport.FrameReader,
    body: bytes | transport.FrameError | None,
) -> None:
    """Hand what was read to the event loop; called on the reader's thread."""
    frames = server.protocol.frames
    if frames is not None:
        frames.wait_until_read()

    def handle() -> None:
        reader.done()
        if body is None:
            server.stop(0 if server.protocol.is_shut_down else 1)
        elif isinstance(body, transport.FrameError):
            server.protocol.refuse_frame(str(body))
        elif not server.stopped.done():
            server.protocol.receive(body)

    with contextlib.suppress(RuntimeError):  # the loop is closed: the process is about to end
        loop.call_soon_threadsafe(handle)


def _leave(code: int) -> int:
    """End at once: nothing that threads still do is worth an editor's wait."""
    logging.shutdown()
    with contextlib.suppress(OSError, ValueError):
        sys.stderr.flush()
    others = [thread for thread in threading.enumerate() if thread is not threading.main_thread()]
    if any(not thread.daemon for thread in others):
        os._exit(code)
    return code
