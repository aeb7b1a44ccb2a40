"""Files grouped into the modules that a person would draw: folders, from whole packages down to single files.

A folder is opened into the folders within it while there are too few modules, or while it lies above packages that
stand for themselves (a folder with a manifest of its own), or holds a large share of all files; never so far that more
than `MOST` modules come of it. So a small repository shows its files and a large one its packages. What remains of an
opened folder is a module too, written `folder/*`: the files that lie directly in it, and the folders that are too many.
"""

from __future__ import annotations

import heapq
import posixpath
from collections.abc import Container, Iterable, Sequence
from typing import Final, NamedTuple

FEWEST: Final = 5
"""Folders are opened until there are so many modules."""

MOST: Final = 40
"""Folders are not opened where more modules would come of it."""

_BASE_PART: Final = 3
"""The base of the names holds all files but one part in so many, or more."""

_TAKEN_PART: Final = 4
"""Where a folder holds too many, those of this part of a large folder's files are modules all the same."""

_LARGE_FILES: Final = 12
_LARGE_PART: Final = 10
"""A folder of more files than this, and than this part of all, is opened however many modules there are."""

MANIFESTS: Final = frozenset(
    {"Cargo.toml", "build.gradle", "build.gradle.kts", "go.mod", "package.json", "pom.xml", "pyproject.toml"}
)
"""A folder that holds one of these is a package that stands for itself."""


class Module(NamedTuple):
    """Some files that belong together: all below `folder`, or what other modules leave of it (`folder/*`), or one file.
    `name` is its path as seen from the base of the grouping, with `/` before it where it lies elsewhere; `files` are in
    order."""

    name: str
    folder: str
    files: tuple[str, ...]


class Grouping(NamedTuple):
    """Modules by name; most files lie below the folder `base`."""

    base: str
    modules: list[Module]


class _Part(NamedTuple):
    """A module in the making: a folder without those folders in it that are `taken` for modules of their own, or a
    file."""

    path: str
    taken: tuple[str, ...] = ()
    is_file: bool = False


class _Folders:
    """The folders of some files: what lies directly in each, and how many files lie below."""

    def __init__(self, paths: Iterable[str], packages: Iterable[str]) -> None:
        self.files: dict[str, list[str]] = {}
        self.within: dict[str, list[str]] = {}
        self.size: dict[str, int] = {"": 0}
        for path in sorted(paths):
            folder = posixpath.dirname(path)
            self.files.setdefault(folder, []).append(path)
            for each in _outwards(folder):
                if each not in self.size:
                    self.within.setdefault(posixpath.dirname(each), []).append(each)
                self.size[each] = self.size.get(each, 0) + 1
        self.packages = frozenset(package for package in packages if package in self.size)
        self.above_packages = {
            above for package in self.packages if package for above in _outwards(posixpath.dirname(package))
        }

    def opened(self, folder: str, room: int) -> list[_Part]:
        """Return at most `room` parts that a folder falls into: the folders in it, and the rest; of one that holds
        nothing but a folder, what that falls into. Where there is no room for all, those that are packages or hold many
        files, the largest first. None where it does not fall apart."""
        while folder not in self.files and len(self.within.get(folder, ())) == 1:
            folder = self.within[folder][0]
        inner = self.within.get(folder, ())
        if len(inner) + (folder in self.files) > room:
            few = max(_LARGE_FILES, self.size[""] // _LARGE_PART) // _TAKEN_PART
            chosen = [each for each in inner if each in self.packages or self.size[each] >= few]
            inner = sorted(chosen, key=lambda each: (-self.size[each], each))[: room - 1]
        if not inner:
            return []
        rest = _Part(folder, taken=tuple(sorted(inner)))
        return [*(_Part(each) for each in inner), *([rest] if self.below(rest) else [])]

    def below(self, part: _Part) -> list[str]:
        """Return the files of a part, in order."""
        if part.is_file:
            return [part.path]
        found: list[str] = []
        waiting = [part.path]
        while waiting:
            folder = waiting.pop()
            found += self.files.get(folder, ())
            waiting += (each for each in self.within.get(folder, ()) if each not in part.taken)
        return sorted(found)

    def is_flat(self, part: _Part) -> bool:
        """Whether all files of a part lie in one folder."""
        return len({posixpath.dirname(path) for path in self.below(part)}) == 1


def _outwards(folder: str) -> Iterable[str]:
    while folder:
        yield folder
        folder = posixpath.dirname(folder)
    yield ""


def grouped(paths: Sequence[str], packages: Iterable[str] = ()) -> Grouping:
    """Group files into modules.

    Args:
        paths: the files, relative, with `/`.
        packages: folders that stand for themselves; the folders above them are opened first.

    Returns:
        modules; each file is in exactly one.

    """
    if not paths:
        return Grouping("", [])
    folders = _Folders(paths, packages)
    parts = _opened_files(folders, _opened_folders(folders, len(paths)), len(paths))
    base = _base(folders, {part.path for part in parts if not part.taken and not part.is_file})
    modules = [
        Module(_name(part, base), posixpath.dirname(part.path) if part.is_file else part.path, tuple(files))
        for part in parts
        if (files := folders.below(part))
    ]
    return Grouping(base, sorted(modules))


def _opened_folders(folders: _Folders, total: int) -> list[_Part]:
    """Open folders, those above packages first, then the largest."""
    large = max(_LARGE_FILES, total // _LARGE_PART)
    done: list[_Part] = []
    waiting = [_waiting(folders, _Part(""))]
    while waiting:
        below, _, path = heapq.heappop(waiting)
        others = len(done) + len(waiting)
        is_wanted = below == 0 or others + 1 < FEWEST or folders.size[path] > large
        inner = folders.opened(path, MOST - others) if is_wanted else []
        done += [part for part in inner if part.taken] if inner else [_Part(path)]
        for part in inner:
            if not part.taken:
                heapq.heappush(waiting, _waiting(folders, part))
    return done


def _waiting(folders: _Folders, part: _Part) -> tuple[int, int, str]:
    return (0 if part.path in folders.above_packages else 1, -folders.size[part.path], part.path)


def _opened_files(folders: _Folders, parts: list[_Part], total: int) -> list[_Part]:
    """Take the files of a folder apart where most of all files lie in it, or where there are too few modules."""
    by_size = sorted(parts, key=lambda part: (-len(folders.below(part)), part))
    for part in by_size:
        files = folders.below(part)
        is_wanted = len(parts) < FEWEST or (2 * len(files) > total and len(files) > 1)
        if is_wanted and folders.is_flat(part) and len(parts) - 1 + len(files) <= MOST:
            parts = [each for each in parts if each != part] + [_Part(path, is_file=True) for path in files]
    return parts


def _base(folders: _Folders, whole: Container[str]) -> str:
    """Return the innermost folder that most files lie below, among those that are no modules."""
    base = ""
    while True:
        inner = max(folders.within.get(base, ()), key=lambda folder: (folders.size[folder], folder), default="")
        if not inner or inner in whole or _BASE_PART * folders.size[inner] < folders.size[""] * (_BASE_PART - 1):
            return base
        base = inner


def _name(part: _Part, base: str) -> str:
    path = f"{part.path}/*".lstrip("/") if part.taken else part.path or "."
    if not base:
        return path
    return path[len(base) + 1 :] if path.startswith(f"{base}/") else f"/{path}"
