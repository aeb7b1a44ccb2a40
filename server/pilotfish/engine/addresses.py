"""Which file of the root a client means, and its bytes: the one place where URIs and typed paths become relative."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from urllib.parse import unquote_to_bytes

from pilotfish.store.catalog import FileRow
from pilotfish.workspace import paths
from pilotfish.workspace.content import changed_at
from pilotfish.workspace.paths import Folders, OutsideRootError, RelPath


def path_of_uri(root: str, uri: str) -> RelPath | None:
    """Return the relative path that a URI names; None for other schemes and for places outside the root."""
    absolute = paths.path_from_uri(uri)
    return None if absolute is None else path_of_absolute(root, absolute)


def path_of_absolute(root: str, absolute: str) -> RelPath | None:
    """Return the relative path of an absolute one: as written where that lies in the root, else with links resolved."""
    return paths.relative(root, absolute) or paths.contained(root, absolute) or None


def path_of_argument(root: str, argument: str) -> RelPath | None:
    """Return the relative path that a person or an agent typed: relative to the root, or absolute inside it."""
    if Path(argument).is_absolute():
        return path_of_absolute(root, argument)
    return paths.relative(root, paths.join(root, os.path.normpath(argument).replace(os.sep, "/")))


def path_as_shown(shown: str) -> RelPath:
    """Return the path that is shown like this (`paths.display`): one that is not UTF-8 cannot be sent otherwise."""
    return unquote_to_bytes(shown).decode("utf-8", "surrogateescape")


def read_file(root: str, path: RelPath, limit: int) -> bytes | None:
    """Return a file's bytes, at most `limit`; None when it is gone, unreadable, or reached only through a link."""
    try:
        descriptor = paths.open_inside(root, path)
    except (OSError, OutsideRootError):
        return None
    with os.fdopen(descriptor, "rb") as file:
        try:
            return file.read(limit)
        except OSError:
            return None


def read_indexed(folders: Folders, row: FileRow) -> bytes | None:
    """Return the bytes of a file that are those that were indexed; None when it is gone, unreadable or has changed.

    Size and time tell that, as they do to the scan; where they do not, the content does.
    """
    try:
        descriptor = folders.open(row.path)
    except (OSError, OutsideRootError):
        return None
    with os.fdopen(descriptor, "rb", buffering=0) as file:
        state = os.fstat(descriptor)
        if state.st_size != row.size:
            return None
        try:
            data = file.read(row.size)
            if len(data) < row.size:
                data += file.readall()
        except OSError:
            return None
    is_trusted = changed_at(state) == row.mtime_ns and not row.racy and len(data) == row.size
    return data if is_trusted or hashlib.sha256(data).digest() == row.content_hash else None
