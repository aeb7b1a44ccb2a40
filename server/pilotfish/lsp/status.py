"""`experimental/serverStatus` for clients that ask for it: the worst health of all engines, and if all are quiet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from pilotfish.engine.wire import Health
    from pilotfish.lsp.protocol import PilotfishProtocol

METHOD: Final = "experimental/serverStatus"
_SEVERITY: Final = ("ok", "warning", "error")


class StatusRelay:
    """The state of all engines of one client; says each state once."""

    def __init__(self, protocol: PilotfishProtocol) -> None:
        self.is_wanted = False
        self._protocol = protocol
        self._by_root: dict[str, Health] = {}
        self._sent: dict[str, Any] | None = None

    def receive(self, root: str, health: Health) -> None:
        """Take what the engine of a root says."""
        self._by_root[root] = health
        self._send()

    def closed(self, root: str) -> None:
        """Forget a root."""
        if self._by_root.pop(root, None) is not None:
            self._send()

    def _send(self) -> None:
        states = list(self._by_root.values())
        status = {
            "health": max((state.health for state in states), key=_SEVERITY.index, default="ok"),
            "quiescent": all(state.quiescent for state in states),
            "message": "\n".join(state.message for state in states if state.message) or None,
        }
        if self.is_wanted and status != self._sent:
            self._sent = status
            self._protocol.notify(METHOD, status)
