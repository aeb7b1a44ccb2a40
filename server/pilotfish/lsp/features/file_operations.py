"""The client's own creations, renames and deletions of files and folders.

Before they happen there is nothing to say: null at once, or the editor waits. Afterwards they are hints like a
watcher's, better than these in that they tell which file became which.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pilotfish.lsp.server import PilotfishServer

if TYPE_CHECKING:
    from lsprotocol import types


async def will_create(ls: PilotfishServer, params: types.CreateFilesParams) -> None:
    """Nothing to edit."""


async def will_rename(ls: PilotfishServer, params: types.RenameFilesParams) -> None:
    """Nothing to edit."""


async def will_delete(ls: PilotfishServer, params: types.DeleteFilesParams) -> None:
    """Nothing to edit."""


def did_create(ls: PilotfishServer, params: types.CreateFilesParams) -> None:
    """Pass on what was created."""
    ls.roots.files_changed([file.uri for file in params.files])


def did_rename(ls: PilotfishServer, params: types.RenameFilesParams) -> None:
    """Pass on what was renamed; a folder is one pair."""
    ls.roots.files_renamed([(file.old_uri, file.new_uri) for file in params.files])


def did_delete(ls: PilotfishServer, params: types.DeleteFilesParams) -> None:
    """Pass on what was deleted."""
    ls.roots.files_changed([file.uri for file in params.files])
