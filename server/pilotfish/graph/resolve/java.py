"""Java: an import names a class or a package, and folders repeat the parts of a package.

Where the source roots lie is told by no manifest that is simple to read, so a class is found by the end of its path:
`a.b.C` is `…/a/b/C.java`, in the closest module that has it.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence
from functools import cached_property
from typing import ClassVar

from pilotfish.graph.resolve import Binding
from pilotfish.graph.tree import LONGEST_MODULE, Tree, closest
from pilotfish.syntax.outline import Import

# What lies before a source root is the module, what lies behind it the package.
_ROOT = re.compile(r"(?:^|/)src/[^/]+/(?:java|kotlin|scala|groovy)(?=/|$)|(?:^|/)(?:src|source|java|tests?)(?=/|$)")


class Packages:
    """The files of a tree as classes and packages of a language whose folders follow its packages."""

    def __init__(self, tree: Tree, extensions: Sequence[str]) -> None:
        """`extensions` are those of the files that hold classes, with the dot."""
        self._tree = tree
        self._extensions = tuple(extensions)
        self._classes: dict[tuple[str, str], tuple[str, ...]] = {}
        self._packages: dict[tuple[str, str], tuple[str, ...]] = {}

    def holders(self, folder: str, name: str) -> tuple[str, ...]:
        """The files that may define the class `a.b.C`, seen from the folder of an importer.

        It is one file that is named like the class or one that it is nested in; where the package has none, all its
        files, since a class without `public` may stand in any of them.
        """
        key = (folder, name)
        found = self._classes.get(key)
        if found is None:
            found = self._classes[key] = self._holders(folder, name)
        return found

    def contents(self, folder: str, package: str) -> tuple[str, ...]:
        """All files of a package in the module closest to the folder of an importer."""
        key = (folder, package)
        found = self._packages.get(key)
        if found is None:
            found = self._packages[key] = self._contents(folder, package.replace(".", "/"))
        return found

    def _holders(self, folder: str, name: str) -> tuple[str, ...]:
        outer = name
        while "." in outer:
            tail = outer.replace(".", "/")
            paths = [path for extension in self._extensions for path in self._tree.ending(tail + extension)]
            if paths:
                return tuple(closest(paths, folder)[:1])
            outer = outer.rpartition(".")[0]
            if files := self.contents(folder, outer):
                return files
        return ()

    def _contents(self, folder: str, tail: str) -> tuple[str, ...]:
        roots = [path for path in self._folders.get(posixpath.basename(tail), ()) if f"/{path}".endswith(f"/{tail}")]
        if not roots:
            return ()
        nearest = identity(closest(roots, folder)[0])
        return tuple(
            path
            for root in roots
            if identity(root) == nearest
            for path in self._tree.folder(root)
            if path.endswith(self._extensions)
        )

    @cached_property
    def _folders(self) -> dict[str, list[str]]:
        """Folders that hold classes by their last part, in order."""
        folders: dict[str, list[str]] = {}
        for path in sorted({posixpath.dirname(path) for path in self._tree.paths if path.endswith(self._extensions)}):
            folders.setdefault(posixpath.basename(path), []).append(path)
        return folders


class Java:
    """Resolves Java's imports: of a class, of a nested one, of a package, and of static members."""

    manifests: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, tree: Tree) -> None:
        self._packages = Packages(tree, (".java",))
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
                files = self._packages.contents(folder, module) or self._packages.holders(folder, module)
            else:
                files = self._packages.holders(folder, f"{module}.{name.name}")
            if files:
                found.append(Binding(name.alias, name.name, files))
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
    if root is None:
        return folder
    return f"{folder[: root.start()]}:{folder[root.end() :].lstrip('/')}"
