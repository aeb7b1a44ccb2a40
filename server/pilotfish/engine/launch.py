"""Starts engines, detached from the front that starts them, and ends those that no longer answer."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import IO

from pilotfish.config import MCP_TOKEN_VARIABLE
from pilotfish.engine.rendezvous import Place, process_identity
from pilotfish.engine.wire import WIRE_VERSION

EXIT_BROKEN = 70
EXIT_LOST = 75
EXIT_INCOMPATIBLE = 76
"""Exit codes of an engine process: it could not open; another holds the lock; another wire version is installed."""

ENGINE_PROGRAM = (sys.executable, "-I", "-X", "utf8", "-m", "pilotfish.engine.process")
"""Isolated: nothing is imported from the working folder, and no variable of the interpreter's counts. UTF-8 mode:
paths mean the same in every locale."""

_KEPT = frozenset(
    {
        "PATH", "HOME", "USER", "LOGNAME", "LANG", "LANGUAGE", "TZ", "TMPDIR", "TMP", "TEMP", "SYSTEMROOT",
        "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT", "USERNAME", "USERPROFILE", "APPDATA", "LOCALAPPDATA",
        "PROGRAMDATA", "PROGRAMFILES", "HOMEDRIVE", "HOMEPATH", "NUMBER_OF_PROCESSORS",
        # For a fetch that the user has allowed.
        "SSH_AUTH_SOCK", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY",
    }
)  # fmt: skip
_KEPT_PREFIXES = ("LC_", "XDG_", "PILOTFISH_")
_LAST_WORDS_BYTES = 64 * 1024


def engine_environment(environment: Mapping[str, str], root: Path) -> dict[str, str]:
    """Return what an engine needs of a front's environment: no interpreter's, loader's or git's variables, no token.

    Folders inside the root and relative ones leave PATH, so that no program of the repository runs in git's place.
    """
    kept = {
        name: value
        for name, value in environment.items()
        if (name.upper() in _KEPT or name.upper().startswith(_KEPT_PREFIXES)) and name != MCP_TOKEN_VARIABLE
    }
    if "PATH" in kept:
        kept["PATH"] = os.pathsep.join(
            folder
            for folder in kept["PATH"].split(os.pathsep)
            if Path(folder).is_absolute() and not _inside(folder, root)
        )
    return kept


def _inside(folder: str, root: Path) -> bool:
    return Path(os.path.realpath(folder)).is_relative_to(root)


class Launched:
    """An engine process that this front started. It is reaped as soon as it ends, so that no zombie is left."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.pid = process.pid
        self.exit_code: int | None = None
        threading.Thread(target=self._reap, args=(process,), name="engine reaper", daemon=True).start()

    def _reap(self, process: subprocess.Popen[bytes]) -> None:
        self.exit_code = process.wait()


def launch(
    place: Place, *, program: tuple[str, ...] = ENGINE_PROGRAM, one_shot: bool = False, index_folder: Path | None = None
) -> Launched:
    """Start a candidate for a root's engine: own session, no standard stream or descriptor of ours, folder elsewhere.

    Raises:
        OSError: the process cannot be started.
    """
    arguments = [*program, "--root", os.fspath(place.root), "--folder", os.fspath(place.folder)]
    arguments += ["--wire", str(WIRE_VERSION)]
    if place.variant:
        arguments += ["--variant", place.variant]
    if one_shot:
        arguments.append("--one-shot")
    if index_folder is not None:
        arguments += ["--index-folder", os.fspath(index_folder)]
    with _open_last_words(place.last_words) as last_words:
        process = subprocess.Popen(
            arguments,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=last_words,
            cwd=place.folder.anchor,  # inside no root, and pins no mounted volume
            env=engine_environment(os.environ, place.root),
            start_new_session=sys.platform != "win32",
            creationflags=_creation_flags(),
        )
    return Launched(process)


def _creation_flags() -> int:
    if sys.platform == "win32":
        return subprocess.DETACHED_PROCESS | subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_BREAKAWAY_FROM_JOB
    return 0


def _open_last_words(path: Path) -> IO[bytes]:
    """Open the file that stands for an engine's standard error; it is emptied when it has grown long."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0)
    descriptor = os.open(path, flags, 0o600)
    if os.fstat(descriptor).st_size > _LAST_WORDS_BYTES:
        os.truncate(descriptor, 0)
    return os.fdopen(descriptor, "ab")


def last_words(place: Place) -> str:
    """Return the last line that engines of this place wrote to standard error, or nothing."""
    try:
        lines = place.last_words.read_bytes()[-4096:].decode("utf-8", "replace").split("\n")
    except OSError:
        return ""
    return next((line.strip() for line in reversed(lines) if line.strip()), "")


def end_process(pid: int, started: str) -> bool:
    """Kill the process with this pid and identity, and only that one; return whether it was there.

    A suspended or hung process hears no gentler signal. Its index survives a kill at any moment.
    """
    if not hasattr(os, "pidfd_open"):
        if process_identity(pid) != started:
            return False
        os.kill(pid, signal.SIGTERM if sys.platform == "win32" else signal.SIGKILL)
        return True
    try:
        descriptor = os.pidfd_open(pid)
    except OSError:
        return False
    try:
        # Read after the descriptor is open: the pid cannot pass to another process unseen any more.
        if process_identity(pid) != started:
            return False
        signal.pidfd_send_signal(descriptor, signal.SIGKILL)
    except ProcessLookupError:
        return False
    finally:
        os.close(descriptor)
    return True
