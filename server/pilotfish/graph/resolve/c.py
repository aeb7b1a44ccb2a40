"""C and C++: an include names a file from the folder of its includer, or from one of the folders that a build names.

No build is run, so the second kind of folder is found by the end of paths: the whole of what is included must be it.
"""

from __future__ import annotations

import posixpath
from collections.abc import Sequence
from typing import ClassVar

from pilotfish.graph.resolve.binding import Binding
from pilotfish.graph.tree import LONGEST_MODULE, Nearby, Tree, above, joined, shared
from pilotfish.syntax.outline import Import

_INCLUDE_FOLDERS = frozenset({"", "include", "includes", "inc", "Include", "headers", "src"})
# Folders below the include folder of the system itself.
_SYSTEM = ("arpa/", "bits/", "machine/", "net/", "netinet/", "sys/")
_SOURCES = (".c", ".cc", ".cpp", ".cxx", ".C", ".m", ".mm")


class C:
    """Resolves `#include`; what a header declares is usable without a prefix.

    Beside a header its source file is bound as well, where one of the same name lies there: it defines what the header
    declares.
    """

    manifests: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._tails: dict[str, Nearby] = {}  # paths by their end
        self._chosen: dict[tuple[str, int], str | None] = {}  # by end and the identity of the closest, which are kept
        self._owned: dict[str, dict[str, list[str]]] = {}  # by end: paths by the folder that owns their include folder
        self._opened_by: dict[str, tuple[Binding, ...]] = {}  # by header
        self._resolved: dict[tuple[str, str], tuple[Binding, ...]] = {}

    def bindings(self, importer: str, imported: Import) -> Sequence[Binding]:
        """The included file's contents."""
        place = (importer.rpartition("/")[0], imported.module)
        found = self._resolved.get(place)
        if found is None:
            found = self._resolved[place] = self._opened(*place)
        return found

    def package(self, path: str) -> str | None:
        """Nothing is seen without an include."""
        return None

    def _opened(self, folder: str, module: str) -> tuple[Binding, ...]:
        header = self._header(folder, module)
        if header is None:
            return ()
        found = self._opened_by.get(header)
        if found is None:
            found = self._opened_by[header] = self._contents(header)
        return found

    def _contents(self, header: str) -> tuple[Binding, ...]:
        # The header stands alone first: it is included whatever is used of it, and its source is not.
        files = self._with_source(header)
        alone = Binding("*", "*", (header,))
        return (alone, Binding("*", "*", files)) if len(files) > 1 else (alone,)

    def _header(self, folder: str, module: str) -> str | None:
        if len(module) > LONGEST_MODULE:
            return None
        is_system = module.startswith("<")
        written = posixpath.normpath(module.strip("<>").replace("\\", "/"))
        if not is_system:
            beside = joined(folder, written)
            if beside is not None and beside in self._tree:
                return beside
        if written.startswith(("../", "/")):
            return None
        if is_system and ("/" not in written or written.startswith(_SYSTEM)):
            chosen = _chosen(Nearby(self._own(folder, written)).closest(folder), written)
        else:
            chosen = self._closest(folder, written)
        return chosen if chosen is None or "/" in written or _is_in_reach(chosen, folder, written) else None

    def _closest(self, folder: str, tail: str) -> str | None:
        paths = self._tails.get(tail)
        if paths is None:
            paths = self._tails[tail] = Nearby(self._tree.ending(tail))
        near = paths.closest(folder)
        key = (tail, id(near))
        if key not in self._chosen:
            self._chosen[key] = _chosen(near, tail)
        return self._chosen[key]

    def _own(self, folder: str, tail: str) -> Sequence[str]:
        """The paths of this end in include folders of the parts of the tree that a folder lies in."""
        owned = self._owned.get(tail)
        if owned is None:
            owned = self._owned[tail] = {}
            for path in self._tree.ending(tail):
                include = _before(path, tail)
                if posixpath.basename(include) in _INCLUDE_FOLDERS:
                    owned.setdefault(posixpath.dirname(include), []).append(path)
        return [path for owner in above(folder) for path in owned.get(owner, ())]

    def _with_source(self, header: str) -> tuple[str, ...]:
        stem, extension = posixpath.splitext(header)
        if not extension.startswith((".h", ".H")):
            return (header,)
        return (header, *(stem + source for source in _SOURCES if stem + source in self._tree))


def _before(path: str, tail: str) -> str:
    """The folder that `path` is named `tail` from."""
    return path[: -len(tail)].rstrip("/")


def _is_own(folder: str, include: str) -> bool:
    """Whether a folder is an include folder of the part of the tree that the includer lies in.

    A name such as `<stdio.h>` means the system's header, save in the library that holds it.
    """
    if posixpath.basename(include) not in _INCLUDE_FOLDERS:
        return False
    owner = posixpath.dirname(include)
    return not owner or folder == owner or folder.startswith(owner + "/")


def _is_in_reach(header: str, folder: str, name: str) -> bool:
    """Whether a bare name may mean a header that is not beside its includer: another library has such names as well."""
    return "/" not in folder or shared(folder, header) > 0 or _is_own(folder, _before(header, name))


def _chosen(near: Sequence[str], written: str) -> str | None:
    """Of the paths closest to an includer the one in an include folder, then the one least deep.

    None where that leaves several.
    """
    if len(near) > 1:
        near = [path for path in near if posixpath.basename(_before(path, written)) in _INCLUDE_FOLDERS] or near
    if len(near) > 1:
        least = min(path.count("/") for path in near)
        near = [path for path in near if path.count("/") == least]
    return near[0] if len(near) == 1 else None
