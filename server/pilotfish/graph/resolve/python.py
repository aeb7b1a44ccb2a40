"""Python: absolute and relative imports, packages with and without `__init__`, stubs beside modules.

A module's dotted name is looked for in source roots, as the interpreter looks in `sys.path`. What that will be is not
written anywhere, so the roots come from the importer (the folder above its top package, the folders above that), from
manifests, and from the packages of the workspace.
"""

from __future__ import annotations

import posixpath
import sys
from collections.abc import Collection, Iterable, Sequence
from functools import cached_property
from itertools import chain
from typing import ClassVar, Final, NamedTuple

from pilotfish.graph.resolve.binding import Binding
from pilotfish.graph.resolve.manifests import at, read_toml, string, strings
from pilotfish.graph.tree import LONGEST_MODULE, Nearby, Tree, above, joined
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


class _Sources(NamedTuple):
    """The roots that have a module: the first that the workspace declares, if any, and those that hold packages."""

    declared: tuple[str, ...]
    packaged: Nearby


class Python:
    """Resolves the imports of Python."""

    manifests: ClassVar[frozenset[str]] = frozenset({"pyproject.toml"})

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._modules: dict[tuple[str, str], str | None] = {}
        self._sources: dict[str, _Sources] = {}  # by path below a root
        self._outer: dict[str, str] = {}  # by folder: the one above its top package

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
        if not all(path.split("/")) or not self._places(posixpath.basename(path)):
            return None
        found = self._sources.get(path)
        if found is None:
            found = self._sources[path] = self._sources_of(path)
        roots: Iterable[str] = found.declared
        if top not in sys.stdlib_module_names:
            own = (root for root in self._outside(folder) if self._exists(posixpath.join(root, path)))
            roots = chain(own, found.declared, found.packaged.closest(folder))
        return next((posixpath.join(root, path) for root in roots), None)

    def _sources_of(self, path: str) -> _Sources:
        """Find a module in the roots that every file searches: in those that hold its top package, or by its end."""
        roots: Collection[str] = self._tops.get(path.partition("/")[0], ())
        places = self._places(posixpath.basename(path))
        if len(places) < len(roots):
            ends = (place for place in places if f"/{place}".endswith(f"/{path}"))
            roots = self._tops[path.partition("/")[0]] & {place[: -len(path)].rstrip("/") for place in ends}
        found = {root for root in roots if self._exists(posixpath.join(root, path))}
        declared = min(found & self._declared.keys(), key=self._declared.__getitem__, default=None)
        return _Sources(() if declared is None else (declared,), Nearby(sorted(found & self._packaged)))

    def _exists(self, place: str) -> bool:
        return bool(self._files(place)) or self._tree.has_folder(place)

    def _files(self, place: str) -> tuple[str, ...]:
        """Return the files of a module: a package before a module, as the interpreter chooses."""
        for stem in (posixpath.join(place, "__init__"), place) if place else ("__init__",):
            files = tuple(path for ending in _ENDINGS if (path := stem + ending) in self._tree)
            if files:
                return files
        return ()

    def _places(self, name: str) -> Sequence[str]:
        """Return the paths without ending of all modules and folders whose last part is `name`."""
        return (*self._tree.folders_named(name), *self._modules_by_name.get(name, ()))

    def _outside(self, folder: str) -> Iterable[str]:
        """Return the folder above the importer's top package, and those above it."""
        outer = self._outer.get(folder)
        if outer is None:
            outer = folder
            while outer and self._is_package(outer):
                outer = posixpath.dirname(outer)
            self._outer[folder] = outer
        return above(outer)

    def _is_package(self, folder: str) -> bool:
        return any(posixpath.join(folder, f"__init__{ending}") in self._tree for ending in _ENDINGS)

    @cached_property
    def _tops(self) -> dict[str, set[str]]:
        """The roots that every file searches, by the names of the modules and folders that lie directly in them."""
        tops: dict[str, set[str]] = {}
        modules = (place for places in self._modules_by_name.values() for place in places)
        for place in (*self._tree.folders, *modules):
            root, name = posixpath.split(place)
            if root in self._declared or root in self._packaged:
                tops.setdefault(name, set()).add(root)
        return tops

    @cached_property
    def _modules_by_name(self) -> dict[str, list[str]]:
        """The paths of modules without ending, by their last part."""
        modules: dict[str, list[str]] = {}
        for path in self._tree.paths:
            place, ending = posixpath.splitext(path)
            if ending in _ENDINGS:
                modules.setdefault(posixpath.basename(place), []).append(place)
        return modules

    @cached_property
    def _declared(self) -> dict[str, int]:
        """The roots that the workspace declares, in order with their numbers.

        They are the top, the folders of projects, and what their settings name.
        """
        projects = {"": None} | {
            posixpath.dirname(path): None for name in _MANIFESTS for path in self._tree.named(name)
        }
        roots = [joined(project, usual) for project in projects for usual in _USUAL_ROOTS]
        for path in self._tree.named("pyproject.toml"):
            settings = read_toml(self._tree.manifests.get(path))
            roots += [joined(posixpath.dirname(path), root) for root in _configured(settings)]
        known = dict.fromkeys(root for root in roots if root is not None and self._tree.has_folder(root))
        return {root: place for place, root in enumerate(known)}

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
