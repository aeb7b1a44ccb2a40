"""The one place where paths and URIs are made canonical, compared and kept inside their root.

A *root* is an absolute path with every link resolved. A *relative path* is relative to a root, with `/`, its characters
exactly as the file system has them (NFC or NFD untouched; bytes that are no UTF-8 as lone surrogates, PEP 383). URI
functions are pure and take `windows` explicitly, so that both families of rules are tested everywhere.
"""

# ruff: noqa: PTH117, SIM905 - paths are plain strings here, and lists of names read better as one string
from __future__ import annotations

import os
import re
import stat
import sys
from collections.abc import Callable, Container, Iterable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, unquote_to_bytes

RelPath = str
"""A path relative to a root, with `/` separators."""

_WINDOWS = os.name == "nt"
_DRIVE = re.compile(r"/?([A-Za-z])[:|](?=/|$)")
_FILE_SCHEME = re.compile(r"file:", re.IGNORECASE)
_PLAIN = re.compile(r"[A-Za-z0-9/._~-]*")
_EXTENDED = re.compile(r"//[?.]/(?:UNC/)?", re.IGNORECASE)


class OutsideRootError(ValueError):
    """A path, link or URI that leads out of its root."""


# --- URIs ------------------------------------------------------------------------------------------------------------


def path_from_uri(uri: str, *, windows: bool = _WINDOWS) -> str | None:
    """The path that a `file:` URI names, or None for other schemes, other hosts' files (POSIX) and NUL bytes.

    Accepts what clients really send: any mixture of quoted and raw characters, `file:/x`, `file://localhost/x`,
    `file:///c%3A/x`, `file:///C:/x` and `file://server/share/x`. `#` and `?` are part of the name, since a document's
    URI has neither query nor fragment. Drive letters come back in upper case, Windows paths with backslashes.
    """
    scheme = _FILE_SCHEME.match(uri)
    if scheme is None:
        return None
    rest = uri[scheme.end() :]
    host = ""
    if rest.startswith("//"):
        host, slash, tail = rest[2:].partition("/")
        rest = slash + tail
    path = unquote_to_bytes(rest).decode("utf-8", "surrogateescape")
    host = "" if host.lower() == "localhost" else unquote_to_bytes(host).decode("utf-8", "surrogateescape")
    if "\0" in path or "\0" in host:
        return None
    if windows:
        return _windows_path(host, path)
    return None if host or not path.startswith("/") else path


def _windows_path(host: str, path: str) -> str | None:
    path = path.replace("\\", "/")
    if host and re.fullmatch(r"[A-Za-z][:|]", host):  # file://c:/x, a common mistake
        host, path = "", f"/{host}{path}"
    drive = _DRIVE.match(path)
    if drive is not None and not host:
        path = f"{drive[1].upper()}:{path[drive.end() :] or '/'}"
    elif host:
        path = f"//{host}{path}"
    elif not path.startswith("//"):
        return None
    return path.replace("/", "\\")


def uri_from_path(path: str, *, windows: bool = _WINDOWS) -> str:
    """The `file:` URI of an absolute path, quoted as RFC 3986 asks; the inverse of `path_from_uri`."""
    if not windows and _PLAIN.fullmatch(path):
        return f"file://{path}"
    host = ""
    if windows:
        path = normalise_windows(path).replace("\\", "/")
        if path.startswith("//"):
            host, _, tail = path[2:].partition("/")
            path = f"/{tail}"
        else:
            path = f"/{path}"
    raw = path.encode("utf-8", "surrogateescape")
    return f"file://{quote(host)}{quote(raw, safe=b'/:' if windows else b'/')}"


def normalise_windows(path: str) -> str:
    """A Windows path with backslashes, an upper-case drive letter and no extended-length prefix (`\\\\?\\`)."""
    path = path.replace("\\", "/")
    prefix = _EXTENDED.match(path)
    if prefix is not None:
        unc = prefix[0].upper().endswith("UNC/")
        path = ("//" if unc else "") + path[prefix.end() :]
    if len(path) > 1 and path[1] == ":":
        path = path[0].upper() + path[1:]
    return path.replace("/", "\\")


# --- inside a root ---------------------------------------------------------------------------------------------------


def canonical(path: str | os.PathLike[str]) -> str:
    """The absolute path with every link resolved; what does not exist keeps its name. Roots are compared by it."""
    real = os.path.realpath(os.fspath(path))
    return normalise_windows(real) if _WINDOWS else real


def relative(root: str, path: str) -> RelPath | None:
    """`path` relative to `root`, both absolute and taken as written, or None when it lies outside; `""` for the root.

    No link is resolved: see `contained` for paths that come from outside.
    """
    if path == root:
        return ""
    base = root if root.endswith(os.sep) else root + os.sep
    if not (path.startswith(base) or (_WINDOWS and path.lower().startswith(base.lower()))):
        return None
    tail = path[len(base) :]
    if _WINDOWS:
        tail = tail.replace("\\", "/")
    parts = [part for part in tail.split("/") if part not in ("", ".")]
    return None if ".." in parts else "/".join(parts)


def contained(root: str, path: str) -> RelPath | None:
    """Where `path` (absolute, as a client spells it) really lies in `root` once its links are resolved, or None."""
    if "\0" in path or not os.path.isabs(path):
        return None
    try:
        return relative(root, canonical(path))
    except (OSError, ValueError):
        return None


def is_relative_path(path: str) -> bool:
    """Whether `path` is a well-formed relative path: no root, drive, `.`, `..`, empty part or NUL."""
    if not path or "\0" in path or (_WINDOWS and ("\\" in path or ":" in path)):
        return False
    return all(part not in ("", ".", "..") for part in path.split("/"))


def resolve_inside(root: str, path: RelPath) -> str:
    """The absolute path of a relative path, for reading.

    Raises `OutsideRootError` where the path is malformed, climbs out, or where a link on the way leads out of `root`.
    """
    if path and not is_relative_path(path):
        raise OutsideRootError(f"{path!r} is not a path inside the workspace folder")
    absolute = join(root, path)
    if contained(root, absolute) is None:
        raise OutsideRootError(f"{path!r} leads out of the workspace folder through a link")
    return absolute


def join(root: str, path: RelPath) -> str:
    """The absolute path of a well-formed relative path, unchecked: for paths that the scan or the catalog gave."""
    if not path:
        return root
    native = path.replace("/", os.sep) if _WINDOWS else path
    return f"{root}{native}" if root.endswith(os.sep) else f"{root}{os.sep}{native}"


def unknown_steps(folder: RelPath, known: Container[RelPath]) -> list[RelPath]:
    """The folders on the way down to `folder`, topmost first, but for those down to the deepest known one."""
    steps: list[RelPath] = []
    while folder not in known:
        steps.append(folder)
        if not folder:
            break
        folder = folder.rpartition("/")[0]
    steps.reverse()
    return steps


def open_inside(root: str, path: RelPath) -> int:
    """A read-only descriptor of a regular file in `root`, reached without passing any link.

    Raises `OutsideRootError` for links, malformed paths and anything but a regular file, `OSError` as `os.open` does.
    """
    with Folders(root) as folders:
        return folders.open(path)


_KEPT_FOLDERS = 32
"""Folders are nested deeper than a process may have files open; those below this many are not kept."""

_FOLDER = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_CLOEXEC", 0)


class Folders:
    """Opens files of one root as `open_inside` does; for many files, in the order of their paths.

    Each folder is opened relative to the one above it, so a folder that becomes a link meanwhile is not followed. The
    folders down to the last file stay open for the next one, until `close`.
    """

    def __init__(self, root: str) -> None:
        self._root = root
        self._names: list[str] = []
        self._descriptors: list[int] = []

    def __enter__(self) -> Folders:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close all folders."""
        while self._descriptors:
            os.close(self._descriptors.pop())
        self._names.clear()

    def open(self, path: RelPath) -> int:
        """Return a read-only descriptor of a regular file; raises as `open_inside` does."""
        if not is_relative_path(path):
            raise OutsideRootError(f"{path!r} is not a path inside the workspace folder")
        descriptor = self._open_by_steps(path) if os.open in os.supports_dir_fd else _open_checked(self._root, path)
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            os.close(descriptor)
            raise OutsideRootError(f"{path!r} is not a regular file")
        return descriptor

    def _open_by_steps(self, path: RelPath) -> int:
        *folders, name = path.split("/")
        kept, rest = folders[:_KEPT_FOLDERS], folders[_KEPT_FOLDERS:]
        if not self._descriptors:
            self._descriptors.append(os.open(self._root, _FOLDER))
        while self._names != kept[: len(self._names)]:
            self._names.pop()
            os.close(self._descriptors.pop())
        passing: list[int] = []
        step = name
        try:
            for step in kept[len(self._names) :]:
                self._descriptors.append(os.open(step, _FOLDER | os.O_NOFOLLOW, dir_fd=self._descriptors[-1]))
                self._names.append(step)
            directory = self._descriptors[-1]
            for step in rest:
                directory = os.open(step, _FOLDER | os.O_NOFOLLOW, dir_fd=directory)
                passing.append(directory)
                if len(passing) > 1:
                    os.close(passing.pop(0))
            step = name
            # Without O_NONBLOCK the opening of a named pipe would wait for its writer.
            return os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=directory)
        except OSError as error:
            if _is_link(step, passing[-1] if passing else self._descriptors[-1]):
                raise OutsideRootError(f"{path!r} passes a link") from error
            raise
        finally:
            for directory in passing:
                os.close(directory)


def _is_link(name: str, directory: int) -> bool:
    try:
        return stat.S_ISLNK(os.stat(name, dir_fd=directory, follow_symlinks=False).st_mode)
    except OSError:
        return False


def _open_checked(root: str, path: RelPath) -> int:
    absolute = resolve_inside(root, path)
    if contained(root, absolute) != path:
        raise OutsideRootError(f"{path!r} passes a link")
    return os.open(absolute, os.O_RDONLY | getattr(os, "O_BINARY", 0))


# --- which root ------------------------------------------------------------------------------------------------------

_POSIX_SYSTEM = frozenset(
    "/bin /boot /dev /etc /home /lib /lib32 /lib64 /media /mnt /opt /private /private/etc /private/tmp /private/var "
    "/proc /root /run /sbin /srv /sys /tmp /usr /usr/bin /usr/lib /usr/local /usr/sbin /usr/share /usr/src /var "
    "/var/lib /var/tmp /Applications /Library /Network /System /Users /Users/Shared /Volumes".split()
)
_POSIX_KERNEL = ("/dev", "/proc", "/sys")
_WINDOWS_SYSTEM = frozenset(
    {"windows", "users", "program files", "program files (x86)", "programdata", "users\\public"}
)


def is_unsafe_root(path: str, *, home: str | None = None, windows: bool = _WINDOWS) -> str | None:
    """Why a canonical path must not be indexed as a root unless the user insists, or None when it may.

    Refused are the top of a file system, the home folder and everything above it, and the system's own folders. The
    reason completes the sentence "PATH is not indexed: …".
    """
    home = canonical(home if home is not None else Path.home()) if not windows or _WINDOWS else home or ""
    if windows:
        return _unsafe_on_windows(path, home)
    if path == "/":
        return "it is the top of the file system"
    if path == home:
        return "it is the home folder"
    if home.startswith(path + "/"):
        return "it holds the home folder"
    if path in _POSIX_SYSTEM or any(path.startswith(top + "/") for top in _POSIX_KERNEL):
        return "it is a system folder"
    return None


def _unsafe_on_windows(path: str, home: str) -> str | None:
    folded = normalise_windows(path).rstrip("\\").lower()
    home = normalise_windows(home).rstrip("\\").lower()
    drive, _, below = folded.partition(":")
    if len(drive) == 1 and not below:
        return "it is the top of a drive"
    if home and folded == home:
        return "it is the home folder"
    if home and home.startswith(folded + "\\"):
        return "it holds the home folder"
    below = below.lstrip("\\")
    if below in _WINDOWS_SYSTEM or below.startswith("windows\\"):
        return "it is a system folder"
    return None


def why_no_root(path: str) -> str | None:
    """Say why a canonical path cannot be a root and what to name instead, or None when it can."""
    if Path(path).is_file():
        return f"{path} is a file; name its folder"
    if not Path(path).is_dir():
        return f"{path}: no such folder; name an existing one"
    if (reason := is_unsafe_root(path)) is not None:
        return f"{path} is not indexed: {reason}; name a folder inside it"
    return None


@dataclass(frozen=True)
class RootChoice:
    """The root that a front attaches to, and why, in words that complete "root PATH: …"."""

    root: str
    reason: str


def choose_root(
    folder: str | os.PathLike[str], live_roots: Iterable[str], toplevel: Callable[[str], str | None]
) -> RootChoice:
    """The root for a front that was started in `folder` without an explicit root (DESIGN §2, "Which engine").

    `live_roots` are the canonical roots of engines that run now; `toplevel` gives git's top level of a folder or None
    (`git.toplevel`). A live root above does not count where a repository of its own begins between it and the folder,
    since the outer index excludes that. A live root below does not count where the folder itself is unsafe: that folder
    is to be refused, rather than answered from what happens to run in it. An unsafe top level (a home folder kept in
    git) is passed over for the folder.
    """
    here = canonical(folder)
    roots = sorted(set(live_roots), key=lambda root: (-len(root), root))
    for root in roots:
        inner = relative(root, here)
        if inner is not None and not _repository_between(root, inner):
            same = root == here
            return RootChoice(root, "an engine for it is running" if same else "the nearest running engine above")
    below = [root for root in roots if relative(here, root)] if is_unsafe_root(here) is None else []
    if len(below) == 1:
        return RootChoice(below[0], "the only running engine below")
    top = toplevel(here)
    if top is not None and top != here and is_unsafe_root(top) is None:
        return RootChoice(top, "the top level of the git repository")
    return RootChoice(here, "the folder itself")


def _repository_between(root: str, inner: RelPath) -> bool:
    parts = inner.split("/") if inner else []
    return any(os.path.lexists(join(root, "/".join([*parts[: depth + 1], ".git"]))) for depth in range(len(parts)))


def display(path: str) -> str:
    """A path that can be printed and put into JSON: bytes that are no UTF-8 percent-encoded, as in a URI."""
    if path.isascii():
        return path
    try:
        path.encode("utf-8")
    except UnicodeEncodeError:
        raw = path.encode("utf-8", "surrogateescape" if sys.platform != "win32" else "surrogatepass")
        return "".join(
            piece if ok else quote(piece.encode("utf-8", "surrogateescape")) for piece, ok in _valid_runs(raw)
        )
    return path


def _valid_runs(raw: bytes) -> Iterable[tuple[str, bool]]:
    text = raw.decode("utf-8", "surrogateescape")
    for piece in re.findall(r"[\udc80-\udcff]+|[^\udc80-\udcff]+", text):
        yield piece, not "\udc80" <= piece[0] <= "\udcff"
