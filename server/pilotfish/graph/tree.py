"""The files of a workspace as import resolution sees them: paths, and the few texts that say how modules are found."""

from __future__ import annotations

import posixpath
from bisect import bisect_left
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
        inner = f"/{tail}"
        return [path for path in self.named(posixpath.basename(tail)) if path == tail or path.endswith(inner)]

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

    def folders_named(self, name: str) -> Sequence[str]:
        """Return the folders whose last part is `name`, in order."""
        return self._folders_by_name.get(name, ())

    @cached_property
    def _folders_by_name(self) -> dict[str, list[str]]:
        by_name: dict[str, list[str]] = {}
        for folder in sorted(self.folders):
            by_name.setdefault(posixpath.basename(folder), []).append(folder)
        return by_name

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


class Nearby:
    """Paths of which those closest to a folder are asked for, from many folders.

    Paths that share their first folders stand side by side when sorted by parts, so two searches find them; nothing is
    compared path by path for each folder.
    """

    def __init__(self, paths: Sequence[str]) -> None:
        """Take the paths, each once; where several are equally close they keep this order."""
        self._paths = tuple(paths)
        self._groups: dict[tuple[int, int], tuple[str, ...]] = {(0, len(paths)): self._paths}

    def closest(self, folder: str) -> tuple[str, ...]:
        """Return those that share the most folders with `folder`, several where they tie.

        It is the same object for all folders to which the same paths are closest, and lives as long as this one.
        """
        bounds = self._bounds(folder) if len(self._paths) > 1 else (0, len(self._paths))
        group = self._groups.get(bounds)
        if group is None:
            group = self._groups[bounds] = tuple(self._paths[place] for place in sorted(self._order[slice(*bounds)]))
        return group

    def _bounds(self, folder: str) -> tuple[int, int]:
        """Return where among the sorted paths the closest begin and end."""
        parts = folder.split("/")
        place = bisect_left(self._keys, _key(folder))
        most = max(_shared(parts, self._paths[each]) for each in self._order[max(place - 1, 0) : place + 1])
        if not most:
            return 0, len(self._paths)
        common = _key("/".join(parts[:most]))
        return bisect_left(self._keys, common), bisect_left(self._keys, common + _AFTER_SEPARATOR)

    @cached_property
    def _order(self) -> Sequence[int]:
        return sorted(range(len(self._paths)), key=lambda place: _key(self._paths[place]))

    @cached_property
    def _keys(self) -> Sequence[str]:
        return [_key(self._paths[place]) for place in self._order]


_SEPARATOR, _AFTER_SEPARATOR = "\0", "\1"


def _key(path: str) -> str:
    """Return what sorts paths by their parts: no name of a file holds a character that comes before the separator."""
    return path.replace("/", _SEPARATOR)
