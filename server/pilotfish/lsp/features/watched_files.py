"""`workspace/didChangeWatchedFiles`: hints only, since some clients report nothing but their own writes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pilotfish.lsp.server import PilotfishServer

if TYPE_CHECKING:
    from lsprotocol import types


def did_change(ls: PilotfishServer, params: types.DidChangeWatchedFilesParams) -> None:
    """Pass on what changed, each file once: some clients send every event twice."""
    ls.roots.files_changed(list(dict.fromkeys(change.uri for change in params.changes)))
