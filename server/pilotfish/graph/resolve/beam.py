"""Elixir and Erlang: modules are named, and by custom the name of a module is that of its file."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence
from typing import ClassVar

from pilotfish.graph.resolve.binding import Binding
from pilotfish.graph.tree import LONGEST_MODULE, Nearby, Tree
from pilotfish.syntax.outline import Import

_HUMP = re.compile(r"([A-Z]+)([A-Z][a-z])|([a-z\d])([A-Z])")
_ENDINGS = (".ex", ".exs")


class Elixir:
    """Resolves `alias`, `import`, `require` and `use`: `MyApp.UserName` is `…/my_app/user_name.ex`.

    Where folders do not follow the modules (Phoenix keeps `MyAppWeb.UserController` in `my_app_web/controllers`), the
    file of that name below the folder of its first part is meant.
    """

    manifests: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._modules: dict[str, Nearby | None] = {}

    def bindings(self, importer: str, imported: Import) -> Sequence[Binding]:
        """An alias under its name, imported functions under theirs; what `use` and `require` name as a whole."""
        module = imported.module
        if len(module) > LONGEST_MODULE:
            return ()
        places = self._places(module)
        if places is None:
            return ()
        files = places.closest(importer.rpartition("/")[0])[:1]
        if not imported.names:
            return (Binding("", "*", files),)
        found = []
        for name in imported.names:
            if name.name != "*":
                found.append(Binding(name.alias, name.name, files))
            elif name.alias == "*":
                found.append(Binding("", "*", files))
            else:
                found.append(Binding(name.alias, module.rpartition(".")[2], files))
        return found

    def package(self, path: str) -> str | None:
        """Modules see each other by their full names, wherever they lie."""
        return None

    def _places(self, module: str) -> Nearby | None:
        if module not in self._modules:
            paths = next(filter(None, self._candidates(module)), [])
            self._modules[module] = Nearby(paths) if paths else None
        return self._modules[module]

    def _candidates(self, module: str) -> Iterator[list[str]]:
        """The files that a module may lie in, the likeliest first."""
        parts = [_HUMP.sub(r"\1\3_\2\4", part).lower() for part in module.split(".")]
        if not all(parts):
            return
        tail = "/".join(parts)
        yield [path for ending in _ENDINGS for path in self._tree.ending(tail + ending)]
        if len(parts) == 1:
            return
        named = [path for ending in _ENDINGS for path in self._tree.named(parts[-1] + ending)]
        yield [path for path in named if parts[0] in posixpath.dirname(path).split("/")]
        # A nested module lies in the file of the one around it.
        outer = "/".join(parts[:-1])
        yield [path for ending in _ENDINGS for path in self._tree.ending(outer + ending)]
