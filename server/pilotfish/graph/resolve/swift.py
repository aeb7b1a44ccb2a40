"""Swift: an import names a module, which is all files of one target's folder.

The package manager keeps a target in `Sources/<name>` or `Tests/<name>`, or where its manifest says (`path:`). An app
without a manifest is built from the folder that carries its name.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import ClassVar

from pilotfish.graph.resolve.binding import Binding
from pilotfish.graph.resolve.manifests import LARGEST
from pilotfish.graph.tree import LONGEST_MODULE, Tree, above, joined, shared
from pilotfish.syntax.outline import Import

_MANIFEST = "Package.swift"
_EXTENSION = ".swift"
_FOLDERS = frozenset(("Sources", "Source", "Tests", "Plugins"))
_TARGET = re.compile(rb'\.(?:\w{0,20}[tT]arget|macro|plugin)\(\s*name:\s*"([^"\n]{1,200})"')
_PATH = re.compile(rb'\bpath:\s*"([^"\n]{1,400})"')


class Swift:
    """Resolves imports of modules; what a module holds is usable without a prefix."""

    manifests: ClassVar[frozenset[str]] = frozenset({_MANIFEST})

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._placed = dict(_placed(tree))  # the names of modules by their folders, where a manifest says so
        self._modules: dict[str, str | None] = {}  # the folders of modules by the folders of files

    def bindings(self, importer: str, imported: Import) -> Sequence[Binding]:
        """The files of the module; of several of its name those that lie closest."""
        if len(imported.module) > LONGEST_MODULE:
            return ()
        places = self._files_by_name.get(imported.module.split(".", 1)[0], {})
        if not places:
            return ()
        folder = max(places, key=lambda place: shared(posixpath.dirname(importer), place))
        return [Binding("", "*", places[folder])]

    def package(self, path: str) -> str | None:
        """The folder of the file's module."""
        return self._module(posixpath.dirname(path))

    def _module(self, folder: str) -> str | None:
        if folder not in self._modules:
            self._modules[folder] = self._target(folder)
        return self._modules[folder]

    def _target(self, folder: str) -> str | None:
        outers = [*above(folder)]
        for outer in outers:
            if outer in self._placed:
                return outer
        for outer in outers:
            if posixpath.basename(posixpath.dirname(outer)) in _FOLDERS:
                return outer
        return folder.split("/", 1)[0] if folder else None

    @cached_property
    def _files_by_name(self) -> Mapping[str, Mapping[str, tuple[str, ...]]]:
        """The files of modules by name and folder."""
        files: dict[str, list[str]] = {}
        for path in sorted(self._tree.paths):
            if path.endswith(_EXTENSION) and (folder := self._module(posixpath.dirname(path))) is not None:
                files.setdefault(folder, []).append(path)
        by_name: dict[str, dict[str, tuple[str, ...]]] = {}
        for folder, found in files.items():
            name = self._placed.get(folder, posixpath.basename(folder))
            by_name.setdefault(name, {})[folder] = tuple(found)
        return by_name


def _placed(tree: Tree) -> Iterator[tuple[str, str]]:
    """The folders that manifests give to targets, with the names of these."""
    for manifest in sorted(tree.manifests):
        text = tree.manifests[manifest]
        if posixpath.basename(manifest) != _MANIFEST or len(text) > LARGEST:
            continue
        targets = [*_TARGET.finditer(text)]
        ends = [*(target.start() for target in targets[1:]), len(text)]
        for target, end in zip(targets, ends, strict=False):
            if written := _PATH.search(text, target.end(), end):
                folder = joined(posixpath.dirname(manifest), written[1].decode("utf-8", "replace"))
                if folder:
                    yield folder, target[1].decode("utf-8", "replace")
