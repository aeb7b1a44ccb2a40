"""Python: absolute and relative imports, packages with and without `__init__`, stubs beside modules.

A module's dotted name is looked for in source roots, as the interpreter looks in `sys.path`. What that will be is not
written anywhere, so the roots come from the importer (the folder above its top package, the folders above that), from
manifests, and from the packages of the workspace.
"""

from __future__ import annotations

import posixpath
import sys
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import ClassVar, Final

from pilotfish.graph.resolve.binding import Binding
from pilotfish.graph.resolve.manifests import at, read_toml, string, strings
from pilotfish.graph.tree import LONGEST_MODULE, Tree, above, joined, shared
from pilotfish.syntax.outline import Import

_ENDINGS: Final = (".py", ".pyi", ".pyw")
_MANIFESTS: Final = ("pyproject.toml", "setup.py", "setup.cfg")
_USUAL_ROOTS: Final = ("", "src", "lib", "python")
_SETTINGS: Final = (
    ("tool", "setuptools", "packages", "find", "where"),
    ("tool", "pytest", "ini_options", "pythonpath"),
    ("tool", "pyright", "extraPaths"),
    ("tool", "mypy", "mypy_path"),
    ("tool", "hatch", "build", "targets", "wheel", "sources"),
)
"""Where `pyproject.toml` names source roots."""


class Python:
    """Resolves the imports of Python."""

    manifests: ClassVar[frozenset[str]] = frozenset({"pyproject.toml"})

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._modules: dict[tuple[str, str], str | None] = {}
        self._roots: dict[str, tuple[str, ...]] = {}

    def bindings(self, importer: str, imported: Import) -> Sequence[Binding]:
        """Return what an import binds; a submodule is bound as a whole."""
        place = self._place(importer, imported.module)
        if place is None:
            return []
        files = self._files(place)
        if not imported.names:
            return [Binding(imported.module.partition(".")[0], "*", files)] if files else []
        found = []
        for name in imported.names:
            if files:
                found.append(Binding(name.alias, name.name, files))
            if name.name != "*" and (submodule := self._files(posixpath.join(place, name.name))):
                found.append(Binding(name.alias, "*", submodule))
        return found

    def package(self, path: str) -> str | None:
        """Return None: every name of another module is imported."""
        return None

    def _place(self, importer: str, module: str) -> str | None:
        """Return the path without ending at which a module lies, `a/b` for `a.b`; None outside the workspace."""
        if len(module) > LONGEST_MODULE:
            return None
        dotted = module.lstrip(".")
        dots = len(module) - len(dotted)
        folder = posixpath.dirname(importer)
        if dots:
            return joined(folder, "../" * (dots - 1) + dotted.replace(".", "/"))
        key = (folder, module)
        if key not in self._modules:
            self._modules[key] = self._absolute(folder, module)
        return self._modules[key]

    def _absolute(self, folder: str, module: str) -> str | None:
        path = module.replace(".", "/")
        top, _, _ = path.partition("/")
        if not all(path.split("/")):
            return None
        for root in self._declared if top in sys.stdlib_module_names else self._searched(folder):
            place = posixpath.join(root, path)
            if self._exists(place):
                return place
        return None

    def _exists(self, place: str) -> bool:
        return bool(self._files(place)) or self._tree.has_folder(place)

    def _files(self, place: str) -> tuple[str, ...]:
        """Return the files of a module: a package before a module, as the interpreter chooses."""
        for stem in (posixpath.join(place, "__init__"), place) if place else ("__init__",):
            files = tuple(path for ending in _ENDINGS if (path := stem + ending) in self._tree)
            if files:
                return files
        return ()

    def _searched(self, folder: str) -> tuple[str, ...]:
        """Return the roots in which a file of the folder finds modules, best first."""
        if folder not in self._roots:
            nearest = sorted(self._packaged, key=lambda root: (-shared(root, folder), root))
            self._roots[folder] = tuple(dict.fromkeys([*self._outside(folder), *self._declared, *nearest]))
        return self._roots[folder]

    def _outside(self, folder: str) -> Iterable[str]:
        """Return the folder above the importer's top package, and those above it."""
        while folder and self._is_package(folder):
            folder = posixpath.dirname(folder)
        return above(folder)

    def _is_package(self, folder: str) -> bool:
        return any(posixpath.join(folder, f"__init__{ending}") in self._tree for ending in _ENDINGS)

    @cached_property
    def _declared(self) -> tuple[str, ...]:
        """The roots that the workspace declares: the top, the folders of projects, and what their settings name."""
        projects = {"": None} | {
            posixpath.dirname(path): None for name in _MANIFESTS for path in self._tree.named(name)
        }
        roots = [joined(project, usual) for project in projects for usual in _USUAL_ROOTS]
        for path in self._tree.named("pyproject.toml"):
            settings = read_toml(self._tree.manifests.get(path))
            roots += [joined(posixpath.dirname(path), root) for root in _configured(settings)]
        return tuple(dict.fromkeys(root for root in roots if root is not None and self._tree.has_folder(root)))

    @cached_property
    def _packaged(self) -> frozenset[str]:
        """The folders that hold packages and are none."""
        packages = {posixpath.dirname(path) for ending in _ENDINGS for path in self._tree.named(f"__init__{ending}")}
        return frozenset(posixpath.dirname(each) for each in packages if each) - packages


def _configured(settings: object) -> Iterable[str]:
    """Yield the source roots that a `pyproject.toml` names, as written."""
    for keys in _SETTINGS:
        yield from strings(at(settings, *keys))
    directories = at(settings, "tool", "setuptools", "package-dir")
    if isinstance(directories, dict):
        yield from strings(directories.get(""))
    packages = at(settings, "tool", "poetry", "packages")
    for each in packages if isinstance(packages, list) else []:
        if root := string(at(each, "from")):
            yield root
    for package in strings(at(settings, "tool", "hatch", "build", "targets", "wheel", "packages")):
        yield posixpath.dirname(package.rstrip("/"))
