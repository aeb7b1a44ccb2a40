"""`initialized` and `workspace/didChangeConfiguration`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pilotfish.lsp.server import PilotfishServer

if TYPE_CHECKING:
    from lsprotocol import types


async def initialized(ls: PilotfishServer, _: types.InitializedParams) -> None:
    """The client is ready to be asked."""
    await ls.initialized()


async def did_change(ls: PilotfishServer, params: types.DidChangeConfigurationParams) -> None:
    """Ask the client again where it can be asked, else take what it sent (null tells nothing)."""
    if ls.flags.has_configuration:
        ls.configuration.reread()
        await ls.pull_configuration()
        return
    if isinstance(params.settings, dict) and params.settings:
        ls.configuration.add_session(params.settings)
    ls.settings_changed()
