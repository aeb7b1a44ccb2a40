"""Dart: a directive names a file, from the folder of its own file or from `lib` of a package.

A package of the workspace is called what its `pubspec.yaml` says.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping, Sequence
from typing import ClassVar

from pilotfish.graph.resolve.binding import Binding
from pilotfish.graph.resolve.manifests import LARGEST
from pilotfish.graph.tree import LONGEST_MODULE, Tree, joined, shared
from pilotfish.syntax.outline import Import

_MANIFEST = "pubspec.yaml"
_NAME = re.compile(rb"^name:[ \t]*['\"]?(\w{1,200})", re.MULTILINE)
_PACKAGE = "package:"


class Dart:
    """Resolves imports, exports and parts."""

    manifests: ClassVar[frozenset[str]] = frozenset({_MANIFEST})

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._packages = _packages(tree)

    def bindings(self, importer: str, imported: Import) -> Sequence[Binding]:
        """The names that are shown, or what the file holds; what is exported goes on to those who import this file."""
        path = self._file(posixpath.dirname(importer), imported.module)
        if path is None:
            return ()
        files = (path,)
        if not imported.names:
            return [Binding("", "*", files)]
        return [Binding(name.alias, name.name, files) for name in imported.names]

    def package(self, path: str) -> str | None:
        """Nothing is seen without an import."""
        return None

    def _file(self, folder: str, module: str) -> str | None:
        if len(module) > LONGEST_MODULE:
            return None
        if not module.startswith(_PACKAGE):
            found = joined(folder, module) if ":" not in module else None
            return found if found in self._tree else None
        name, _, inner = module.removeprefix(_PACKAGE).partition("/")
        found = None
        for root in sorted(self._packages.get(name, ()), key=lambda each: -shared(folder, each)):
            found = joined(posixpath.join(root, "lib"), inner)
            if found in self._tree:
                return found
        return None


def _packages(tree: Tree) -> Mapping[str, Sequence[str]]:
    """The folders of packages by their names."""
    packages: dict[str, list[str]] = {}
    for path in sorted(tree.manifests):
        text = tree.manifests[path]
        if posixpath.basename(path) == _MANIFEST and len(text) <= LARGEST and (name := _NAME.search(text)):
            packages.setdefault(name[1].decode("ascii", "replace"), []).append(posixpath.dirname(path))
    return packages
