"""Which files differ from the last commit, told from git's listings and the files' bytes alone.

`git diff` and `git status` hand a file to the repository's clean filter before they compare it, and a repository may
name any program as its filter. So the comparison is made here: size and time of the last change against what the index
remembers, and where these differ, the hash of the bytes, which is the name of a blob. Line endings alone are no change,
since git may turn them at every checkout. A file that a filter rewrites (Git LFS) counts as changed once it is touched.

https://git-scm.com/docs/index-format, https://git-scm.com/docs/racy-git
"""

# ruff: noqa: PTH115 - paths are plain strings here
from __future__ import annotations

import hashlib
import os
import re
import stat
from collections.abc import Iterator
from typing import Final, NamedTuple

from pilotfish.workspace.paths import Folders, OutsideRootError, RelPath, is_relative_path, join

LARGEST_COMPARED: Final = 1 << 20
"""Bytes; a larger file counts as changed when its size or time does."""
MOST_COMPARED: Final = 50_000
"""So many files are read in one answer, at most; beyond, a file counts as changed when its size or time does."""
MOST_BYTES: Final = 256 << 20
"""So many bytes are read in one answer, at most."""

_ENTRY: Final = re.compile(
    rb"(?P<mode>\d+) (?P<blob>[0-9a-f]+) (?P<stage>\d)\t(?P<path>[^\0]*)\0"
    rb"\s*ctime: \d+:\d+\s+mtime: (?P<second>\d+):(?P<nanosecond>\d+)\s+dev: \d+\s+ino: \d+\s+uid: \d+\s+gid: \d+\s+"
    rb"size: (?P<size>\d+)\s+flags: (?P<flags>[0-9a-f]+)\n"
)
_NOT_LOOKED_AT: Final = 0x8000 | 1 << 30
"""The entry's file is assumed unchanged, or not checked out."""
_SUBMODULE: Final = stat.S_IFLNK | stat.S_IFDIR
_SECOND: Final = 1_000_000_000


class Blob(NamedTuple):
    """A tracked file's content: whether it is a file or a link (`stat.S_IFMT` of its mode), and its hash."""

    form: int
    name: str


class Entry(NamedTuple):
    """One file of the index, and what the index remembers of the file on disk: its last change in nanoseconds and its
    size in bytes, both cut to 32 bits (of seconds)."""

    path: RelPath
    blob: Blob
    stage: int
    mtime_ns: int
    size: int
    is_looked_at: bool


def parse_tree(listing: bytes) -> dict[RelPath, Blob]:
    """Read `git ls-tree -r -z`; submodules are left out."""
    found: dict[RelPath, Blob] = {}
    for line in listing.split(b"\0")[:-1]:
        description, _, path = line.partition(b"\t")
        mode, kind, name = description.split(b" ")
        if kind == b"blob":
            found[_path(path)] = _blob(mode, name)
    return found


def parse_index(listing: bytes) -> Iterator[Entry]:
    """Read `git ls-files -s -z --debug`; submodules are left out."""
    for entry in _ENTRY.finditer(listing):
        blob = _blob(entry["mode"], entry["blob"])
        if blob.form != _SUBMODULE:
            yield Entry(
                path=_path(entry["path"]),
                blob=blob,
                stage=int(entry["stage"]),
                mtime_ns=int(entry["second"]) * _SECOND + int(entry["nanosecond"]),
                size=int(entry["size"]),
                is_looked_at=not int(entry["flags"], 16) & _NOT_LOOKED_AT,
            )


def changed(root: str, committed: dict[RelPath, Blob], index: Iterator[Entry], index_mtime_ns: int) -> set[RelPath]:
    """Return the tracked files whose content differs from the commit, in the index or on disk; deleted ones too.

    `index_mtime_ns` is when the index was written: of files changed at that moment or later it knows nothing certain.
    """
    found: set[RelPath] = set()
    unstaged: list[Entry] = []
    deleted = dict(committed)
    for entry in index:
        if entry.stage or deleted.pop(entry.path, None) != entry.blob:
            found.add(entry.path)
        elif entry.is_looked_at:
            unstaged.append(entry)
    with _Comparison(root, index_mtime_ns) as comparison:
        found.update(entry.path for entry in unstaged if comparison.differs(entry))
    return found.union(deleted)


class _Comparison:
    """Compares files with their blobs, and keeps count of what that costs."""

    def __init__(self, root: str, index_mtime_ns: int) -> None:
        self._root = root
        self._index_mtime_ns = index_mtime_ns
        self._files_left = MOST_COMPARED
        self._bytes_left = MOST_BYTES
        self._folders = Folders(root)

    def __enter__(self) -> _Comparison:
        return self

    def __exit__(self, *_: object) -> None:
        self._folders.close()

    def differs(self, entry: Entry) -> bool:
        """Whether the file on disk has another content than the index says."""
        if not is_relative_path(entry.path):
            return False
        try:
            status = os.lstat(join(self._root, entry.path))
            if self._is_untouched(entry, status):
                return False
            if stat.S_IFMT(status.st_mode) != entry.blob.form or not self._affords(status.st_size):
                return True
            return entry.blob.name not in _names(self._content(entry, status.st_size), len(entry.blob.name))
        except (OSError, ValueError, OutsideRootError):
            return True

    def _is_untouched(self, entry: Entry, status: os.stat_result) -> bool:
        second, nanosecond = divmod(status.st_mtime_ns, _SECOND)
        precision = 1 if entry.mtime_ns % _SECOND else _SECOND  # git may be built to remember seconds only
        mtime_ns = (second & 0xFFFFFFFF) * _SECOND + (nanosecond if precision == 1 else 0)
        is_certain = mtime_ns < self._index_mtime_ns // precision * precision
        return is_certain and (mtime_ns, status.st_size & 0xFFFFFFFF) == (entry.mtime_ns, entry.size)

    def _affords(self, size: int) -> bool:
        self._files_left -= 1
        self._bytes_left -= min(size, LARGEST_COMPARED)
        return size <= LARGEST_COMPARED and self._files_left >= 0 and self._bytes_left >= 0

    def _content(self, entry: Entry, size: int) -> bytes:
        if entry.blob.form == stat.S_IFLNK:
            return os.fsencode(os.readlink(join(self._root, entry.path)))
        with open(self._folders.open(entry.path), "rb") as file:
            return file.read(size + 1)  # one more tells that it grew meanwhile


def _names(content: bytes, digits: int) -> set[str]:
    """The names that git may give to a content: as it is, and with the line endings of the repository."""
    contents = {content, content.replace(b"\r\n", b"\n")}
    kind = "sha256" if digits == 64 else "sha1"
    return {
        hashlib.new(kind, b"blob %d\0%b" % (len(each), each), usedforsecurity=False).hexdigest() for each in contents
    }


def _blob(mode: bytes, name: bytes) -> Blob:
    return Blob(stat.S_IFMT(int(mode, 8)), name.decode("ascii"))


def _path(path: bytes) -> RelPath:
    return path.decode("utf-8", "surrogateescape")
