"""What a server asks of the client that it serves."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mcp.server.session import ServerSession


class SessionClient:
    """The client of one request's session."""

    def __init__(self, session: ServerSession) -> None:
        self._session = session

    @property
    def name(self) -> str:
        """What the client calls itself, with its version; empty where it does not say."""
        parameters = self._session.client_params
        return "" if parameters is None else f"{parameters.client_info.name} {parameters.client_info.version}".strip()

    async def root_uris(self) -> list[str]:
        """Return the client's roots; only clients of the handshake era can be asked."""
        capabilities = self._session.client_capabilities
        if capabilities is None or capabilities.roots is None or not self._session.can_send_request:
            return []
        # As it comes: the SDK refuses the whole answer where one of the roots is no file's URI.
        answer = await self._session._connection.send_raw_request("roots/list", None)
        roots = answer.get("roots")
        return [str(root.get("uri")) for root in roots if isinstance(root, dict)] if isinstance(roots, list) else []
