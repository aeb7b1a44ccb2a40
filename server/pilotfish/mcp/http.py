"""Any number of clients over streamable HTTP, on this machine only.

Every user of the machine can reach a port of the loopback interface, and so can every page in a browser. Each request
therefore has to name this server as its host, must not come from a page of another origin, and has to bear the token;
what does not is refused (`gate.py`) before anything of it is read but its head.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import json
import os
import secrets
import signal
import socket
import stat
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from pilotfish.config import MCP_TOKEN_VARIABLE
from pilotfish.mcp import sdk

if TYPE_CHECKING:
    from pilotfish.mcp.roots import Roots

HOST: Final = "127.0.0.1"
"""The one address that is listened on; there is no way to name another."""

PATH: Final = "/mcp"
MAX_WAITING: Final = 64
"""Connections that may wait to be accepted."""

LEAST_TOKEN: Final = 20
"""The shortest token that is taken, in characters."""


class TokenError(Exception):
    """A token that cannot be used, and what to do."""


class PortError(OSError):
    """A port that cannot be listened on, and what to do."""


def given_token() -> str | None:
    """Take the token out of the environment, where no child of ours sees it then. A command line would show it to every
    user of the machine.

    Raises:
        TokenError: it is too short to protect anything, or cannot stand in a header.
    """
    token = os.environ.pop(MCP_TOKEN_VARIABLE, None)
    if not token:
        return None
    if not _is_usable(token):
        raise TokenError(
            f"{MCP_TOKEN_VARIABLE} has to be at least {LEAST_TOKEN} printable ASCII characters without blanks; "
            "leave it out and one is made"
        )
    return token


def _is_usable(token: str) -> bool:
    return len(token) >= LEAST_TOKEN and token.isascii() and token.isprintable() and " " not in token


def token_of_file(path: Path) -> str | None:
    """Return the token that a server has written to a file, so that a second one locks no client out; None where there
    is none that its owner alone can read.

    Raises:
        OSError: it cannot be read.
    """
    try:
        state = path.lstat()
    except FileNotFoundError:
        return None
    is_private = os.name == "nt" or (state.st_uid == os.getuid() and not state.st_mode & 0o077)
    if not is_private or not stat.S_ISREG(state.st_mode):
        return None
    token = path.read_text(encoding="ascii", errors="replace").strip()
    return token if _is_usable(token) else None


def new_token() -> str:
    """Return a token that nobody guesses."""
    return secrets.token_urlsafe(32)


def write_token(path: Path, token: str) -> None:
    """Put the token into a file that only its owner can read, whole or not at all.

    Raises:
        OSError: the folder cannot be written to.
    """
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}")  # mkstemp makes it 0600
    try:
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(token + "\n")
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def listen(port: int) -> socket.socket:
    """Listen on the loopback interface, on a free port where it is 0.

    Raises:
        PortError: the port is taken, or not ours to take.
    """
    try:
        return socket.create_server((HOST, port), backlog=MAX_WAITING)
    except OSError as error:
        why = "is in use" if error.errno == errno.EADDRINUSE else f"cannot be listened on ({error.strerror})"
        raise PortError(f"port {port} {why}; name another one, or none for one that is free") from error


def url_of(listener: socket.socket) -> str:
    """Return the address that clients are given."""
    return f"http://{HOST}:{listener.getsockname()[1]}{PATH}"


async def serve(
    roots: Roots, *, listener: socket.socket, token: str, attached: bool = False, with_instructions: bool
) -> None:
    """Serve all who bear the token until a signal ends it.

    With `attached` it tells its address in one line of JSON on standard output, and ends with standard input too: a
    program that started it, and dies by whatever way, so takes it along.
    """
    ended = asyncio.Event()
    with _ending_by_signals(ended):
        if attached:
            _announce({"url": url_of(listener)})
            _end_with_input(ended)
        await asyncio.to_thread(sdk.import_server, for_web=True)
        from pilotfish.mcp.gate import guarded
        from pilotfish.mcp.server import build_server

        server = build_server(roots, with_instructions=with_instructions)
        await guarded(server, listener, token, ended).serve(sockets=[listener])


def _announce(facts: dict[str, str]) -> None:
    """Write one line to standard output, which whatever is printed later does not reach."""
    os.write(1, json.dumps(facts).encode() + b"\n")
    empty = os.open(os.devnull, os.O_WRONLY)
    os.dup2(empty, 1)
    os.close(empty)


def _end_with_input(ended: asyncio.Event) -> None:
    """Set an event when standard input ends. The thread that waits for it does not hold the process."""
    loop = asyncio.get_running_loop()

    def wait() -> None:
        with contextlib.suppress(OSError):
            while os.read(0, 4096):
                pass
        with contextlib.suppress(RuntimeError):  # the loop is closed: the process is about to end
            loop.call_soon_threadsafe(ended.set)

    threading.Thread(target=wait, name="standard input", daemon=True).start()


@contextlib.contextmanager
def _ending_by_signals(ended: asyncio.Event) -> Iterator[None]:
    """Let an interrupt or a request to end set an event, instead of what they do otherwise."""
    loop = asyncio.get_running_loop()

    def handle(number: int, frame: object) -> None:
        loop.call_soon_threadsafe(ended.set)

    before = {number: signal.signal(number, handle) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
