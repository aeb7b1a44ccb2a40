"""The files of a workspace as import resolution sees them: paths, and the few texts that say how modules are found."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

LONGEST_MODULE = 1_024
"""Characters; what an import names at greater length is no file."""


class Tree:
    """All indexed paths of one root at one moment, with the manifests among them."""

    def __init__(self, paths: Iterable[str], manifests: Mapping[str, bytes] | None = None) -> None:
        """Take the paths (relative, with `/`) and the texts of manifests by path (`tsconfig.json`, `go.mod` …)."""
        self.paths = frozenset(paths)
        self.manifests = dict(manifests or {})

    def __contains__(self, path: object) -> bool:
        return path in self.paths

    def named(self, name: str) -> Sequence[str]:
        """Return the paths whose last part is `name`, in order."""
        return self._by_name.get(name, ())

    def folder(self, folder: str) -> Sequence[str]:
        """Return the files that lie directly in a folder ("" is the top), in order."""
        return self._by_folder.get(folder, ())

    def has_folder(self, folder: str) -> bool:
        """Whether any file lies in a folder or below it."""
        return folder in self.folders

    def ending(self, tail: str) -> Sequence[str]:
        """Return the paths that end in the whole parts of `tail` (`pkg/mod.py`), in order."""
        return [path for path in self.named(posixpath.basename(tail)) if path == tail or path.endswith(f"/{tail}")]

    def nearest(self, folder: str, name: str) -> str | None:
        """Return the manifest of this name in a folder or the closest one above it; None where there is none."""
        while True:
            path = posixpath.join(folder, name)
            if path in self.manifests:
                return path
            if not folder:
                return None
            folder = posixpath.dirname(folder)

    @cached_property
    def folders(self) -> frozenset[str]:
        """All folders that any file lies in or below."""
        found = {""}
        for folder in self._by_folder:
            while folder not in found:
                found.add(folder)
                folder = posixpath.dirname(folder)
        return frozenset(found)

    @cached_property
    def _by_name(self) -> dict[str, list[str]]:
        by_name: dict[str, list[str]] = {}
        for path in sorted(self.paths):
            by_name.setdefault(posixpath.basename(path), []).append(path)
        return by_name

    @cached_property
    def _by_folder(self) -> dict[str, list[str]]:
        by_folder: dict[str, list[str]] = {}
        for path in sorted(self.paths):
            by_folder.setdefault(posixpath.dirname(path), []).append(path)
        return by_folder


def joined(folder: str, path: str) -> str | None:
    """Return `path` taken from `folder`, without dots; None where it leads out of the root."""
    found = posixpath.normpath(posixpath.join(folder, path))
    if found == ".":
        return ""
    return None if found.startswith(("../", "/")) or found == ".." else found


def above(folder: str) -> Iterator[str]:
    """A folder and those that it lies in, from the inside, down to the root ""."""
    while folder:
        yield folder
        folder = posixpath.dirname(folder)
    yield ""


def shared(folder: str, path: str) -> int:
    """How many folders `path` (of a file or a folder) lies in together with the folder `folder`."""
    return _shared(folder.split("/"), path)


def _shared(parts: Sequence[str], path: str) -> int:
    count = 0
    for one, other in zip(parts, path.split("/"), strict=False):
        if one != other or not one:
            break
        count += 1
    return count


def closest(paths: Sequence[str], folder: str) -> Sequence[str]:
    """Those of the paths that share the most folders with `folder`; several where they tie."""
    if len(paths) < 2:
        return paths
    parts = folder.split("/")
    distances = [_shared(parts, path) for path in paths]
    most = max(distances)
    return [path for path, distance in zip(paths, distances, strict=True) if distance == most]
