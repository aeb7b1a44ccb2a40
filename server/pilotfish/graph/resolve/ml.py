"""OCaml and F#: modules are files; in OCaml by their names, in F# by what the files say."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from pilotfish.graph.resolve.binding import Binding
from pilotfish.graph.tree import LONGEST_MODULE, Nearby, Tree, joined
from pilotfish.syntax.outline import Import

_ENDINGS = (".ml", ".mli", ".mll", ".mly")


class OCaml:
    """Resolves `open`, `include` and `module M = Path`: `Shape.Draw` lies in `shape.ml`.

    Where no file is named by the first part, that is the name of a library, and the next part that of its file.
    """

    manifests: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._modules: dict[str, Nearby] = {}

    def bindings(self, importer: str, imported: Import) -> Sequence[Binding]:
        """The contents of a module that is opened, a module under its alias."""
        if len(imported.module) > LONGEST_MODULE:
            return ()
        folder, module = importer.rpartition("/")[0], imported.module
        first, _, rest = module.partition(".")
        files = self._files(folder, first)
        if not files or importer in files:
            first, _, rest = rest.partition(".")
            files = self._files(folder, first)
        if not files:
            return ()
        inner = rest.split(".") if rest else []
        if imported.names:
            return [Binding(name.alias, inner[-1] if inner else "*", files) for name in imported.names]
        return (Binding("", "*", files),)

    def package(self, path: str) -> str | None:
        """The folder: its modules see each other by their names."""
        return path.rpartition("/")[0]

    def _files(self, folder: str, module: str) -> tuple[str, ...]:
        if not module:
            return ()
        places = self._modules.get(module)
        if places is None:
            name = module[:1].lower() + module[1:]
            names = (name, module) if name != module else (name,)
            places = Nearby([path for each in names for ending in _ENDINGS for path in self._tree.named(each + ending)])
            self._modules[module] = places
        near = places.closest(folder)
        if not near:
            return ()
        stem = near[0].rpartition(".")[0]
        return tuple(path for path in near if path.rpartition(".")[0] == stem)


class FSharp:
    """Resolves `#load`, and `open` of a module whose file has its name, as most have."""

    manifests: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._modules: dict[str, Nearby] = {}

    def bindings(self, importer: str, imported: Import) -> Sequence[Binding]:
        """The contents of a file."""
        folder, module = importer.rpartition("/")[0], imported.module
        if len(module) > LONGEST_MODULE:
            return ()
        if module.startswith("."):
            path = joined(folder, module)
            return (Binding("*", "*", (path,)),) if path is not None and path in self._tree else ()
        name = module.rpartition(".")[2]
        places = self._modules.get(name)
        if places is None:
            places = self._modules[name] = Nearby(self._tree.named(f"{name}.fs"))
        files = places.closest(folder)[:1]
        return (Binding("", "*", files),) if files else ()

    def package(self, path: str) -> str | None:
        """Nothing is seen without `open` but by full names."""
        return None
