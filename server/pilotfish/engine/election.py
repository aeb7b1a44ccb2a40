"""Who owns a root: two OS locks, held for the engine's life and never unlinked.

The first, in the runtime folder, elects one engine among those that can find each other. The second, in the index
folder, is what makes it the only writer there: another installation, another container or a second runtime folder
may have elected an engine of its own for the same root. The later one then works in an index folder beside it.
(Deleting a lock file that is held gives two owners; the kernel frees both locks when the process ends in any way.)
"""

from __future__ import annotations

import os
import socket
import sys
from dataclasses import dataclass
from pathlib import Path

import filelock

from pilotfish.engine.rendezvous import Place

_INDEX_LOCK = "writer.lock"
_MAX_INDEXES = 4


class ElectionError(Exception):
    """A lock or an index folder cannot be had; the message says which and why."""


@dataclass(frozen=True, slots=True)
class Claim:
    """An index folder that this process alone may write. `note` tells why it is not the usual one."""

    folder: Path
    lock: filelock.BaseFileLock
    note: str = ""
    identity: tuple[int, int] | None = None

    @property
    def stands(self) -> bool:
        """Whether the lock is still found in the folder: without it another engine may become its writer."""
        return _identity(self.folder) == self.identity


def _identity(folder: Path) -> tuple[int, int] | None:
    try:
        status = (folder / _INDEX_LOCK).stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


def take(path: Path) -> filelock.BaseFileLock | None:
    """Take a lock at once, or return None when another process holds it.

    Raises:
        ElectionError: the lock file cannot be opened, or the file system has no locks.
    """
    lock = filelock.FileLock(path, timeout=0, mode=0o600, thread_local=False)
    try:
        lock.acquire()
    except filelock.Timeout:
        return None
    except (OSError, NotImplementedError) as error:
        raise ElectionError(f"the lock {path} cannot be taken: {error}") from error
    return lock


def claim_index(folder: Path) -> Claim:
    """Become the only writer of an index folder, or of one beside it when another engine holds that.

    Raises:
        ElectionError: no folder can be made or locked.
    """
    for number in range(_MAX_INDEXES):
        candidate = folder if number == 0 else folder.with_name(f"{folder.name}-{number}")
        try:
            candidate.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise ElectionError(f"the index folder {candidate} cannot be made: {error.strerror}") from error
        lock = take(candidate / _INDEX_LOCK)
        if lock is not None:
            note = (
                f"The index {folder} is in use by an engine that cannot be reached from here; working from {candidate}."
            )
            return Claim(candidate, lock, note if number else "", _identity(candidate))
    raise ElectionError(f"the index folder {folder} and all {_MAX_INDEXES - 1} beside it are in use by other engines")


def listening_socket(place: Place) -> socket.socket:
    """Return a socket that fronts of this user can connect to. Call it only while holding the place's lock.

    Raises:
        OSError: it cannot be bound.
    """
    if sys.platform == "win32":
        # asyncio has no Unix sockets there; the token keeps other users of the machine out.
        tcp = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        tcp.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        tcp.bind(("127.0.0.1", 0))
        return tcp
    place.socket.unlink(missing_ok=True)  # what a killed engine left
    unix = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    mask = os.umask(0o177)
    try:
        unix.bind(os.fspath(place.socket))
    except OSError:
        unix.close()
        raise
    finally:
        os.umask(mask)
    return unix


def address_of(listening: socket.socket) -> str:
    """Return the address of a listening socket as the endpoint file names it."""
    name = listening.getsockname()
    return name if isinstance(name, str) else f"{name[0]}:{name[1]}"
