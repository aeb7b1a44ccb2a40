"""Where a root's engine is found: the private runtime folder, and the endpoint file in it.

Everything that fronts and engines agree on without talking lies here, keyed by root and wire version. Fronts import
this module, so it stays light. The folder belongs to the user alone (0700), and nothing in it is believed before its
owner and mode are checked: other users of the machine can write to the temporary folder as well.
"""

from __future__ import annotations

import hashlib
import os
import socket
import stat
import sys
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from pilotfish.engine.wire import WIRE_VERSION

if TYPE_CHECKING:
    from pilotfish.workspace.paths import RootChoice

MAX_SOCKET_PATH = 100
"""Longest path of a Unix socket, in bytes: the kernel takes 107 on Linux and 103 on macOS."""

LOG_NAME = "engine.log"
"""The engine's log, in its index folder."""

_KEY_DIGITS = 16
_LONGEST_NAME = _KEY_DIGITS + len("-w99-own-12345678.sock")
_MAX_ENDPOINT_BYTES = 64 * 1024
_HAS_PROC = sys.platform == "linux" and Path("/proc/self/stat").exists()


class RuntimeFolderError(Exception):
    """No private folder for sockets can be had; the message says which were tried and why each was refused."""


class Endpoint(msgspec.Struct, kw_only=True, frozen=True):
    """The endpoint file of a live engine. `started` identifies the process beside its pid (`process_identity`).

    `address` is the path of a Unix socket, or `127.0.0.1:PORT`. `root_bytes` is the root as the file system names it,
    for no text encoding holds every path.
    """

    pid: int
    started: str
    address: str
    wire: int
    build: str
    token: str
    root_bytes: bytes
    variant: str = ""
    host: str = ""

    @property
    def root(self) -> Path:
        """The engine's root."""
        return Path(os.fsdecode(self.root_bytes))

    @property
    def alive(self) -> bool:
        """Whether the very process that wrote this file still runs, as far as this process can see."""
        return process_identity(self.pid) == self.started


@dataclass(frozen=True, slots=True)
class Place:
    """The names under which one root's engine is found. `variant` tells apart engines that cannot reach each other."""

    root: Path
    folder: Path
    variant: str = ""

    @property
    def _stem(self) -> str:
        key = hashlib.sha256(os.fsencode(self.root)).hexdigest()[:_KEY_DIGITS]
        return f"{key}-w{WIRE_VERSION}{'-' + self.variant if self.variant else ''}"

    @property
    def lock(self) -> Path:
        """The lock that elects the engine; never unlinked."""
        return self.folder / f"{self._stem}.lock"

    @property
    def endpoint(self) -> Path:
        """The endpoint file."""
        return self.folder / f"{self._stem}.json"

    @property
    def socket(self) -> Path:
        """The Unix socket."""
        return self.folder / f"{self._stem}.sock"

    @property
    def last_words(self) -> Path:
        """What the engine wrote to its standard error: empty unless it broke before its log was open, or crashed."""
        return self.folder / f"{self._stem}.err"


def runtime_folder() -> Path:
    """Return the private folder of locks, endpoints and sockets, made when missing.

    Raises:
        RuntimeFolderError: none of the candidates can be made private, or their paths are too long for sockets.
    """
    refusals = []
    for candidate in _candidates():
        refusal = _refusal(candidate)
        if refusal is None:
            return candidate
        refusals.append(f"{candidate}: {refusal}")
    raise RuntimeFolderError(
        "no private folder for sockets; set PILOTFISH_HOME or XDG_RUNTIME_DIR to a short path that is yours alone ("
        + "; ".join(refusals)
        + ")"
    )


def _candidates() -> Iterator[Path]:
    home = os.environ.get("PILOTFISH_HOME", "")
    user = str(os.getuid()) if sys.platform != "win32" else os.environ.get("USERNAME", "user")
    if home and Path(home).is_absolute():
        # A home of its own is a world of its own; where its path is too long for sockets, a short one stands for it.
        resolved = os.path.realpath(home)
        yield Path(resolved, "run")
        digest = hashlib.sha256(os.fsencode(resolved)).hexdigest()[:8]
        yield from (base / f"pilotfish-{user}-{digest}" for base in _temporary_folders())
        return
    # Shells without a desktop's environment must find the same engine: the usual place counts even when unnamed.
    bases = (os.environ.get("XDG_RUNTIME_DIR", ""), f"/run/user/{user}")
    yield from (Path(base, "pilotfish") for base in dict.fromkeys(bases) if base and _is_private(Path(base)))
    yield from (base / f"pilotfish-{user}" for base in _temporary_folders())


def _temporary_folders() -> Iterable[Path]:
    bases = (tempfile.gettempdir(),) if sys.platform == "win32" else (tempfile.gettempdir(), "/tmp")
    return tuple(Path(base) for base in dict.fromkeys(bases))


def _refusal(folder: Path) -> str | None:
    """Make a folder private; return why it cannot serve, or None."""
    if len(os.fsencode(folder)) + 1 + _LONGEST_NAME > MAX_SOCKET_PATH and sys.platform != "win32":
        return "the path is too long for a socket"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if sys.platform != "win32" and not folder.is_symlink() and folder.stat().st_uid == os.getuid():
            folder.chmod(0o700)  # in case a hand had made it with a wider mode
        if not _is_private(folder):
            return "it belongs to another user, is a link, or others may write to it"
        if not os.access(folder, os.W_OK | os.X_OK):
            return "it cannot be written to"
    except OSError as error:
        return error.strerror or str(error)
    return None


def _is_private(path: Path) -> bool:
    """Whether a path is a folder, no link, and ours alone."""
    try:
        found = path.lstat()
        if not stat.S_ISDIR(found.st_mode):
            return False
        if sys.platform == "win32":
            return True
        return found.st_uid == os.getuid() and not stat.S_IMODE(found.st_mode) & 0o077
    except OSError:
        return False


def place_of(root: Path, variant: str = "") -> Place:
    """Return where the engine of a canonical root is found.

    Raises:
        RuntimeFolderError: see `runtime_folder`.
    """
    return Place(root=root, folder=runtime_folder(), variant=variant)


def own_variant() -> str:
    """Name the variant of engines that share this machine, boot and process namespace, e.g. one container."""
    identity = f"{socket.gethostname()}\0{_namespace()}"
    return "own-" + hashlib.sha256(identity.encode()).hexdigest()[:8]


def read_endpoint(path: Path) -> Endpoint | None:
    """Return a valid endpoint file's content: ours, private, whole; None otherwise. Whether it lives is not asked."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        descriptor = os.open(path, flags)
    except OSError:
        return None
    try:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            return None
        if sys.platform != "win32" and (found.st_uid != os.getuid() or stat.S_IMODE(found.st_mode) & 0o077):
            return None
        return msgspec.json.decode(os.read(descriptor, _MAX_ENDPOINT_BYTES), type=Endpoint)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return None
    finally:
        os.close(descriptor)


def write_endpoint(path: Path, endpoint: Endpoint) -> None:
    """Publish an endpoint: whole or not at all, readable by the user alone.

    Raises:
        OSError: the folder cannot be written to.
    """
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=path.stem, suffix=".tmp")  # mkstemp makes it 0600
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(msgspec.json.encode(endpoint))
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def live_engines() -> list[Endpoint]:
    """Return the endpoints of all live engines that this front can talk to, ordered by root."""
    try:
        files = sorted(runtime_folder().glob(f"*-w{WIRE_VERSION}*.json"))
    except (RuntimeFolderError, OSError):
        return []
    endpoints = (read_endpoint(file) for file in files)
    live = [endpoint for endpoint in endpoints if endpoint and endpoint.wire == WIRE_VERSION and endpoint.alive]
    return sorted(live, key=lambda endpoint: endpoint.root_bytes)


def root_around(folder: str | os.PathLike[str]) -> RootChoice:
    """Return the root for a front that was started in `folder` and given none; blocks on the disk and on git."""
    from pilotfish.workspace import git, paths

    return paths.choose_root(folder, [os.fspath(endpoint.root) for endpoint in live_engines()], git.toplevel)


def process_identity(pid: int) -> str | None:
    """Identify a process beyond its pid, which is used again; None when it is gone, a zombie, or not to be seen.

    On Linux boot, process namespace and start in clock ticks (exact, and unlike a time of day never adjusted);
    elsewhere the time of creation.
    """
    if _HAS_PROC:
        state, ticks = _linux_state(pid)
        return f"{_namespace()}:{ticks}" if state not in ("", "Z", "X") else None
    import psutil

    try:
        process = psutil.Process(pid)
        return None if process.status() == psutil.STATUS_ZOMBIE else f"{process.create_time():.2f}"
    except (psutil.Error, ValueError):
        return None


def is_stopped(pid: int) -> bool:
    """Whether a process is suspended (SIGSTOP, a debugger)."""
    if _HAS_PROC:
        return _linux_state(pid)[0] in ("T", "t")
    import psutil

    try:
        return bool(psutil.Process(pid).status() == psutil.STATUS_STOPPED)
    except (psutil.Error, ValueError):
        return False


def _linux_state(pid: int) -> tuple[str, str]:
    """Return state letter and start in ticks since boot (proc(5)); empty when there is no such process."""
    try:
        # The command's name is in parentheses and may itself hold blanks and parentheses.
        fields = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
        return fields[0].decode(), fields[19].decode()
    except (OSError, IndexError):
        return "", ""


def _namespace() -> str:
    """Name the boot and the process namespace, within which pids mean the same."""
    if not _HAS_PROC:
        return ""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
        return f"{boot}:{os.readlink('/proc/self/ns/pid')}"  # noqa: PTH115
    except OSError:
        return ""
