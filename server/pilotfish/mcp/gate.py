"""What stands between a port and the server: who is let in, how much of anything is taken, and when it ends."""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import logging
import socket
import time
from collections.abc import Iterator
from typing import Any, Final, cast

from mcp.server.lowlevel import Server
from mcp.server.transport_security import TransportSecurityMiddleware, TransportSecuritySettings
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn import Config
from uvicorn import Server as WebServer
from uvicorn.protocols.http.h11_impl import H11Protocol

from pilotfish.mcp.http import HOST, PATH
from pilotfish.mcp.text import count

log = logging.getLogger(__name__)

MAX_BODY: Final = 1024 * 1024
"""The largest body of a request, in bytes."""
MAX_HEAD: Final = 32 * 1024
MAX_CONNECTIONS: Final = 128
MAX_SESSIONS: Final = 32
"""Sessions of clients of the handshake era; later ones have none."""
IDLE_SESSION_S: Final = 30 * 60.0
HEAD_S: Final = 10.0
"""How long a new connection may take for the head of its first request, in seconds."""
_INSTEAD: Final = {
    421: f": ask for http://{HOST} and the port that the server told",
    403: ": pages of a browser are not served, unless they come from this server's own address",
}
"""What to do about a host or an origin that is refused."""

REPORT_S: Final = 60.0
"""How often at most the log tells of requests that named a foreign host or origin, in seconds."""
GOODBYE_S: Final = 1
"""How long answers under way may take once the server ends, in seconds."""


def guarded(server: Server[Any], listener: socket.socket, token: str, ended: asyncio.Event) -> WebServer:
    """Return what serves an MCP server on a listening socket until `ended`, to those alone who have the token."""
    port = listener.getsockname()[1]
    names = (HOST, "localhost")
    security = TransportSecuritySettings(
        allowed_hosts=[f"{name}:{port}" for name in names],
        allowed_origins=[f"http://{name}:{port}" for name in names],
    )
    app = server.streamable_http_app(
        streamable_http_path=PATH,
        max_request_body_size=MAX_BODY,
        session_idle_timeout=IDLE_SESSION_S,
        max_sessions=MAX_SESSIONS,
        transport_security=security,
    )
    # The SDK logs each request that it refuses, in its own words; anybody on the machine can send any number.
    logging.getLogger("mcp.server.transport_security").setLevel(logging.ERROR)
    return _EndingServer(_bounded(Gate(app, token, security)), ended)


def _bounded(app: ASGIApp) -> Config:
    """Return settings of uvicorn that take no more than is needed, tell nothing and log no request."""
    return Config(
        app,
        http=_Connection,
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        date_header=False,
        limit_concurrency=MAX_CONNECTIONS,
        h11_max_incomplete_event_size=MAX_HEAD,
        timeout_graceful_shutdown=GOODBYE_S,
    )


class Gate:
    """Lets requests through to `app` that name one of our hosts, come from no foreign page, and bear the token.

    The order is that of what an attacker learns: a page that has bound a name of its own to our address is told about
    the name, whatever it guesses. No refusal repeats anything of the request.
    """

    def __init__(self, app: ASGIApp, token: str, security: TransportSecuritySettings) -> None:
        self._app = app
        self._token = token.encode("ascii")
        self._names = TransportSecurityMiddleware(security)
        self._refused = 0
        self._told = -REPORT_S

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        refusal = await self._refusal(Request(scope)) if scope["type"] == "http" else None
        await (refusal or self._app)(scope, receive, send)

    async def _refusal(self, request: Request) -> Response | None:
        foreign = await self._names.validate_request(request)
        if foreign is not None:
            self._tell_of_foreign()
            said = bytes(foreign.body).decode()
            return _closing(foreign.status_code, said + _INSTEAD.get(foreign.status_code, ""))
        scheme, _, given = request.headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer" and hmac.compare_digest(given.strip().encode(), self._token):
            return None
        refusal = _closing(401, "Send the token of this server: Authorization: Bearer TOKEN")
        refusal.headers["WWW-Authenticate"] = "Bearer"
        return refusal

    def _tell_of_foreign(self) -> None:
        """Count, and log at most once a minute: a page that tries does so thousands of times."""
        self._refused += 1
        if (now := time.monotonic()) - self._told >= REPORT_S:
            log.warning("%s named another host or came from another origin: refused", count(self._refused, "request"))
            self._told, self._refused = now, 0


def _closing(status: int, words: str) -> Response:
    """A refusal after which the connection is closed, its body unread."""
    return PlainTextResponse(words, status, headers={"Connection": "close"})


class _Connection(H11Protocol):
    """A connection that is closed unless it begins with a request in time."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._deadline = self.loop.call_later(HEAD_S, self._close_if_silent)

    def connection_lost(self, exc: Exception | None) -> None:
        self._deadline.cancel()
        super().connection_lost(exc)

    def _close_if_silent(self) -> None:
        if cast("object", self.cycle) is None:  # declared as never so
            self.transport.close()


class _EndingServer(WebServer):
    """Runs until an event is set, and sleeps until then: uvicorn itself looks ten times a second."""

    def __init__(self, config: Config, ended: asyncio.Event) -> None:
        super().__init__(config)
        self._ended = ended

    async def main_loop(self) -> None:
        """Wait for the end."""
        await self._ended.wait()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End what is under way, without an error for each stream that is cut off with it."""
        logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
        await super().shutdown(sockets)

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave signals to whoever sets the event."""
        yield
