"""Java, Kotlin and Scala: an import names a class or a package, and folders repeat the parts of a package.

Where the source roots lie is told by no manifest that is simple to read, so a class is found by the end of its path:
`a.b.C` is `…/a/b/C.java`, in the closest module that has it.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import ClassVar

from pilotfish.graph.resolve.binding import Binding
from pilotfish.graph.tree import LONGEST_MODULE, Nearby, Tree
from pilotfish.syntax.outline import Import

# What lies before a source root is the module, what lies behind it the package.
_ROOT = re.compile(
    r"(?:^|/)(?:src/[^/]+/(?:java|kotlin|scala|groovy)|(?:share|unix|linux|macosx|windows|aix)/classes)(?=/|$)"
    r"|(?:^|/)(?:src|source|tests?)(?=/|$)"
)
_IN_PACKAGE = re.compile(r"(?:^|/)(?:com|org|net|edu|io|dev|javax?|kotlinx?|scala)/")

# The files of a class or the folders of a package, each with the files that it stands for.
_Places = Mapping[str, tuple[str, ...]]


class Packages:
    """The files of a tree as classes and packages of a language whose folders follow its packages."""

    def __init__(self, tree: Tree, extensions: Sequence[str]) -> None:
        """`extensions` are those of the files that hold classes, with the dot."""
        self._tree = tree
        self._extensions = tuple(extensions)
        self._classes: dict[str, _Places] = {}
        self._packages: dict[str, _Places] = {}
        self._nearby: dict[int, Nearby] = {}  # by the identity of places, which are kept as long as this object
        self._nearest: dict[tuple[str, int], tuple[str, ...]] = {}

    def holders(self, folder: str, name: str) -> tuple[str, ...]:
        """The files that may define the class `a.b.C`, seen from the folder of an importer.

        It is one file that is named like the class or one that it is nested in; where the package has none, all its
        files, since a class without `public` may stand in any of them.
        """
        places = self._classes.get(name)
        if places is None:
            places = self._classes[name] = self._places_of_class(name)
        return self._closest(folder, places)

    def contents(self, folder: str, package: str) -> tuple[str, ...]:
        """All files of a package in the module closest to the folder of an importer."""
        return self._closest(folder, self._places_of(package))

    def _closest(self, folder: str, places: _Places) -> tuple[str, ...]:
        if len(places) < 2:
            return next(iter(places.values()), ())
        key = (folder, id(places))
        files = self._nearest.get(key)
        if files is None:
            nearby = self._nearby.get(id(places))
            if nearby is None:
                nearby = self._nearby[id(places)] = Nearby(tuple(places))
            files = self._nearest[key] = places[nearby.closest(folder)[0]]
        return files

    def _places_of_class(self, name: str) -> _Places:
        outer, is_class = name, True
        while "." in outer:
            tail = outer.replace(".", "/")
            paths = [path for extension in self._extensions for path in self._tree.ending(tail + extension)]
            if paths:
                return {path: (path,) for path in paths}
            package, _, last = outer.rpartition(".")
            if (is_class or last[:1].isupper()) and (places := self._places_of(package)):
                return places
            outer, is_class = package, False
        return {}

    def _places_of(self, package: str) -> _Places:
        places = self._packages.get(package)
        if places is None:
            tail = package.replace(".", "/")
            roots = [
                path for path in self._folders.get(posixpath.basename(tail), ()) if f"/{path}".endswith(f"/{tail}")
            ]
            files: dict[str, list[str]] = {}
            for root in roots:
                files.setdefault(identity(root), []).extend(
                    path for path in self._tree.folder(root) if path.endswith(self._extensions)
                )
            whole = {each: tuple(found) for each, found in files.items()}
            places = self._packages[package] = {root: whole[identity(root)] for root in roots}
        return places

    @cached_property
    def _folders(self) -> dict[str, list[str]]:
        """Folders that hold classes by their last part, in order."""
        folders: dict[str, list[str]] = {}
        for path in sorted({posixpath.dirname(path) for path in self._tree.paths if path.endswith(self._extensions)}):
            folders.setdefault(posixpath.basename(path), []).append(path)
        return folders


# Of the languages that name each other's classes.
_SOURCES = (".java", ".kt", ".scala", ".groovy")


class Java:
    """Resolves imports of Java and its kin: of a class, of a nested one, of a package, and of static members."""

    manifests: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, tree: Tree) -> None:
        self._packages = Packages(tree, _SOURCES)
        self._identities: dict[str, str] = {}

    def bindings(self, importer: str, imported: Import) -> Sequence[Binding]:
        """A class or a static member under its name; with `*` what the package or the class holds."""
        module = imported.module
        if len(module) > LONGEST_MODULE:
            return ()
        folder = importer.rpartition("/")[0]
        found = []
        for name in imported.names:
            if name.name == "*":
                # Who imports this file in turn gets nothing of it: Java hands nothing on.
                alias, files = "", self._packages.contents(folder, module) or self._packages.holders(folder, module)
            else:
                alias, files = name.alias, self._packages.holders(folder, f"{module}.{name.name}")
            if files:
                found.append(Binding(alias, name.name, files))
        return found

    def package(self, path: str) -> str | None:
        """The package within its module: the same under `src/main/java` and `src/test/java`."""
        folder = path.rpartition("/")[0]
        known = self._identities.get(folder)
        if known is None:
            known = self._identities[folder] = identity(folder)
        return known


def identity(folder: str) -> str:
    """Module and package that a folder stands for, whatever source root it lies in."""
    root = _ROOT.search(folder)
    if root is None or _IN_PACKAGE.search(folder, 0, root.start() + 1):
        return folder
    return f"{folder[: root.start()]}:{folder[root.end() :].lstrip('/')}"
