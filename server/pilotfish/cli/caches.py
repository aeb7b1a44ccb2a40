"""`pilotfish cache`: the indexes and vectors on this machine, which can all be made again."""

from __future__ import annotations

import datetime
import os
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec

from pilotfish import config
from pilotfish.cli.render import size_words
from pilotfish.cli.terminal import Terminal
from pilotfish.engine.rendezvous import live_engines
from pilotfish.store.locations import (
    WORKSPACE_FOLDER,
    IndexEntry,
    clear,
    indexes_folder,
    list_indexes,
    owner_of,
    prune,
    vectors_folder,
)


def run(root: str, action: str, terminal: Terminal, *, everything: bool, as_json: bool) -> int:
    """List, prune or clear; the index of a running engine is left alone. Exit code 2 when one had to be."""
    bases = (indexes_folder(), vectors_folder())
    live = {os.fspath(engine.root) for engine in live_engines()}
    held: list[IndexEntry] = []

    def is_held(root: str) -> bool:
        return owner_of(root) in live

    if action == "list":
        entries = list_indexes(*bases)
    elif action == "prune":
        entries = prune(*bases, is_held=is_held)
    else:
        entries, held = clear(*bases, is_held=is_held, root=None if everything else root)
        if root in live and not held:
            held = [_workspace_index(root)] if _lies_in_workspace(root) else []
        elif _lies_in_workspace(root) and _delete_workspace_index(root):
            entries.append(_workspace_index(root))
    if as_json:
        terminal.data(
            msgspec.json.encode({"action": action, "caches": [*map(_plain, entries)], "in_use": [*map(_plain, held)]})
        )
    else:
        _show(action, entries, terminal)
    for entry in held:
        terminal.error(f"{entry.root}: its index is in use; close the editors that use it first")
    return 2 if held else 0


def _show(action: str, entries: Iterable[IndexEntry], terminal: Terminal) -> None:
    rows = [
        (size_words(entry.size_bytes), _kind(entry), _used(entry), _root(entry), str(entry.folder)) for entry in entries
    ]
    heading = [("SIZE", "WHAT", "LAST USED", "OF", "FOLDER")] if rows else []
    terminal.table([*heading, *rows], [("cyan",), (), (), ("bold",), ("dim",)])
    total = size_words(sum(entry.size_bytes for entry in entries))
    found = "1 cache" if len(rows) == 1 else f"{len(rows):,} caches"
    terminal.note(f"{found}, {total}." if action == "list" else f"{found} deleted, {total} freed.")


def _plain(entry: IndexEntry) -> dict[str, Any]:
    return {
        "kind": _kind(entry),
        "root": entry.root,
        "folder": os.fspath(entry.folder),
        "bytes": entry.size_bytes,
        "used_at": _used(entry),
        "root_is_gone": entry.gone_since is not None,
    }


def _kind(entry: IndexEntry) -> str:
    """Say what it is: the index of a root, or the vectors that all worktrees of a repository share."""
    return "vectors" if entry.folder.parent == vectors_folder() else "index"


def _root(entry: IndexEntry) -> str:
    return f"{entry.root} (gone)" if entry.gone_since is not None else entry.root


def _used(entry: IndexEntry) -> str:
    return datetime.datetime.fromtimestamp(entry.used_at, datetime.UTC).isoformat(timespec="seconds")


def _lies_in_workspace(root: str) -> bool:
    location = config.load(root).settings.index.location
    return location == "workspace" and (Path(root) / WORKSPACE_FOLDER).is_dir()


def _workspace_index(root: str) -> IndexEntry:
    return IndexEntry(Path(root) / WORKSPACE_FOLDER, root, 0, 0.0, None)


def _delete_workspace_index(root: str) -> bool:
    """Delete the index inside a root, never through a link that the repository may have brought."""
    folder = Path(root) / WORKSPACE_FOLDER
    if folder.is_symlink():
        return False
    shutil.rmtree(folder, ignore_errors=True)
    return not folder.exists()
