"""GDScript: `preload`, `load` and `extends` name files from the project's folder (`res://`) or from the script's."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence
from typing import ClassVar

from pilotfish.graph.resolve.binding import Binding
from pilotfish.graph.tree import LONGEST_MODULE, Tree, above, joined
from pilotfish.syntax.outline import Import

_PROJECT = "project.godot"


class GdScript:
    """Resolves paths of scripts; a project's named classes are seen in all of it."""

    manifests: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._projects = frozenset(posixpath.dirname(path) for path in tree.named(_PROJECT))

    def bindings(self, importer: str, imported: Import) -> Sequence[Binding]:
        """The script under the name that it is given; what it extends is usable as it is."""
        module = imported.module
        if not module or len(module) > LONGEST_MODULE or module.startswith(("user://", "uid://")):
            return ()
        folder = posixpath.dirname(importer)
        root = self._project(folder) or ""
        inside = module.removeprefix("res://")
        path = joined(root if inside != module else folder, inside.lstrip("/"))
        if path is None or path not in self._tree:
            return ()
        if not imported.names:
            return (Binding("", "*", (path,)),)
        return tuple(Binding(each.alias, each.name, (path,)) for each in imported.names)

    def package(self, path: str) -> str | None:
        """The project around a file, or its folder where there is none."""
        folder = posixpath.dirname(path)
        project = self._project(folder)
        return folder if project is None else project

    def _project(self, folder: str) -> str | None:
        return next((outer for outer in above(folder) if outer in self._projects), None)
