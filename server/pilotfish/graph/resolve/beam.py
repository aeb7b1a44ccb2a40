"""Elixir and Erlang: modules are named, and by custom the name of a module is that of its file."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence
from typing import ClassVar

from pilotfish.graph.resolve.binding import Binding
from pilotfish.graph.tree import LONGEST_MODULE, Nearby, Tree, joined
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


class Erlang:
    """Resolves `-include`, `-include_lib` and `-import`."""

    manifests: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._resolved: dict[tuple[str, str], tuple[str, ...]] = {}

    def bindings(self, importer: str, imported: Import) -> Sequence[Binding]:
        """The contents of a header, the functions that are imported from a module."""
        key = (importer.rpartition("/")[0], imported.module)
        files = self._resolved.get(key)
        if files is None:
            files = self._resolved[key] = self._files(*key)
        if not files:
            return ()
        if not imported.names:
            return (Binding("*", "*", files),)
        return [Binding(name.alias, name.name, files) for name in imported.names]

    def package(self, path: str) -> str | None:
        """Modules see each other by their names, wherever they lie."""
        return None

    def _files(self, folder: str, module: str) -> tuple[str, ...]:
        if not module or len(module) > LONGEST_MODULE:
            return ()
        if not module.endswith((".hrl", ".erl")):
            return Nearby(self._tree.named(f"{module}.erl")).closest(folder)[:1]
        for beside in (folder, f"{folder}/../include", f"{folder}/include", ""):
            path = joined(beside.lstrip("/"), module)
            if path is not None and path in self._tree:
                return (path,)
        # `app/include/x.hrl` names the application, whose folder may carry its version or lie anywhere.
        tail = posixpath.normpath(module)
        while not tail.startswith(("../", "/")):
            if found := Nearby(self._tree.ending(tail)).closest(folder)[:1]:
                return found
            _, slash, tail = tail.partition("/")
            if not slash:
                break
        return ()
