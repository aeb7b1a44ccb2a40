"""Languages in which an import names a file by its path: from the folder of its importer, or from one that is searched.

Where a tool is told the folders that it searches, no build is run to learn them: they are the folders around the
importer, or, where a language names files from the top of a tree of its own, whatever the path ends in.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence
from typing import ClassVar

from pilotfish.graph.resolve.binding import Binding
from pilotfish.graph.tree import LONGEST_MODULE, Nearby, Tree, above, joined
from pilotfish.syntax.outline import Import

# A folder that the tool computes: `$(DIR)/`, `${CMAKE_CURRENT_SOURCE_DIR}/`.
_COMPUTED = re.compile(r"\$(?:\([^()$]*\)|\{[^{}$]*\})/")


class Paths:
    """Resolves imports that name a path; what the file defines is usable without a prefix."""

    manifests: ClassVar[frozenset[str]] = frozenset()
    endings: ClassVar[Sequence[str]] = ("",)
    """What a path may go without."""
    searched: ClassVar[Sequence[str]] = ()
    """Folders in each folder around the importer from which a path is looked for as well."""
    by_tail: ClassVar[bool] = False
    """Whether a path is named from the top of a tree that lies anywhere."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._tails: dict[str, Nearby] = {}
        self._resolved: dict[tuple[str, str], tuple[Binding, ...]] = {}

    def bindings(self, importer: str, imported: Import) -> Sequence[Binding]:
        """The file's contents."""
        place = (posixpath.dirname(importer), imported.module)
        found = self._resolved.get(place)
        if found is None:
            path = self._path(*place)
            found = self._resolved[place] = (Binding("*", "*", (path,)),) if path is not None else ()
        return found

    def package(self, path: str) -> str | None:
        """Nothing is seen without an import."""
        return None

    def _path(self, folder: str, module: str) -> str | None:
        if not module or len(module) > LONGEST_MODULE:
            return None
        computed = _COMPUTED.match(module)
        written = (module[computed.end() :] if computed else module).strip("\"'<> \t\r\n")
        if not written or "$" in written:
            return None
        found = next((path for path in self._candidates(folder, written) if path in self._tree), None)
        if found is None and self.by_tail and not written.startswith((".", "/")):
            found = self._closest(folder, posixpath.normpath(written))
        return found

    def _candidates(self, folder: str, written: str) -> Iterator[str]:
        places = [folder]
        if not written.startswith("."):
            places += [posixpath.join(place, source) for place in above(folder) for source in ("", *self.searched)]
        for place in places:
            path = joined(place, written.lstrip("/"))
            if path:
                yield from (path + ending for ending in self.endings)

    def _closest(self, folder: str, written: str) -> str | None:
        for ending in self.endings:
            tail = written + ending
            near = self._tails.get(tail)
            if near is None:
                near = self._tails[tail] = Nearby(self._tree.ending(tail))
            if (found := next(iter(near.closest(folder)), None)) is not None:
                return found
        return None


class Proto(Paths):
    """Protocol Buffers: imports are named from the top of a tree of protos (`--proto_path`)."""

    searched: ClassVar[Sequence[str]] = ("proto", "protos", "src")
    by_tail: ClassVar[bool] = True


class GraphQL(Paths):
    """GraphQL: the comments `#import "./parts.graphql"` that loaders read."""

    endings: ClassVar[Sequence[str]] = ("", ".graphql", ".gql", ".graphqls")


class Make(Paths):
    """Make: `include`."""


class Dockerfile(Paths):
    """Dockerfile: what is copied or added from the folder that an image is built from."""


class Terraform(Paths):
    """Terraform: the folder of a module. All files of a folder are one module."""

    def _path(self, folder: str, module: str) -> str | None:
        return None

    def bindings(self, importer: str, imported: Import) -> Sequence[Binding]:
        """All files of the module's folder, where it lies in this tree."""
        module = imported.module
        if not module.startswith((".", "/")) or len(module) > LONGEST_MODULE:
            return ()
        folder = joined(posixpath.dirname(importer), module)
        files = self._tree.folder(folder) if folder is not None else ()
        found = tuple(path for path in files if path.endswith((".tf", ".tofu")))
        return (Binding("*", "*", found),) if found else ()

    def package(self, path: str) -> str | None:
        """The folder."""
        return posixpath.dirname(path)


class CMake(Paths):
    """CMake: `include`, the modules of `find_package`, and the folders that `add_subdirectory` adds."""

    endings: ClassVar[Sequence[str]] = ("", ".cmake", "/CMakeLists.txt")
    searched: ClassVar[Sequence[str]] = ("cmake", "CMake", "cmake/modules", "cmake/Modules", "Modules", "modules")


class Latex(Paths):
    """LaTeX: what is input or included, packages and bibliographies of this tree, pictures."""

    endings: ClassVar[Sequence[str]] = ("", ".tex", ".sty", ".cls", ".bib", ".pdf", ".png", ".jpg", ".eps")


class Pages(Paths):
    """Documents that lead to each other: links, tables of contents, included files."""

    endings: ClassVar[Sequence[str]] = ("", ".rst", ".md", ".txt", "/index.rst", "/README.md")


class Shaders(Paths):
    """Shaders: `#include`."""

    searched: ClassVar[Sequence[str]] = ("shaders", "include", "common")
    by_tail: ClassVar[bool] = True
