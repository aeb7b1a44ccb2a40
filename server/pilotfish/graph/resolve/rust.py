"""Rust: crates by `Cargo.toml`, and in each the tree of modules that its files make."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence
from typing import ClassVar, NamedTuple

from pilotfish.graph.resolve.binding import Binding
from pilotfish.graph.resolve.manifests import at, read_toml, string
from pilotfish.graph.tree import LONGEST_MODULE, Nearby, Tree, above, joined
from pilotfish.syntax.outline import Import

_DEPENDENCIES = ("dependencies", "dev-dependencies", "build-dependencies")
# Folders beside `src` in which every file is a crate of its own, and so is every folder with a `main.rs`.
_TARGETS = ("tests", "examples", "benches", "src/bin", "bin")


class _Module(NamedTuple):
    """A module that has files: the files (several where a folder holds a library and a program), and the folder of
    the modules in it."""

    files: tuple[str, ...]
    inner: str


class Rust:
    """Resolves `use`, `mod` and `extern crate` as the 2018 edition does, and the paths of 2015 where that finds none.

    A path is followed through modules that are files; what is left of it names an item in the last of them.
    """

    manifests: ClassVar[frozenset[str]] = frozenset({"Cargo.toml"})

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._crates: dict[str, list[str]] = {}  # root files of libraries by the name that `use` takes
        self._libraries: dict[str, Nearby] = {}  # the same, as they are looked for
        self._roots: set[str] = set()  # files that are the root of a crate
        self._renamed: dict[str, dict[str, str]] = {}  # by folder of a package: names of crates by what they go by
        self._of_2015: set[str | None] = set()  # folders of packages
        self._mains: dict[str, list[str]] = {}  # `main.rs` by the folder around its own
        for path in tree.named("main.rs"):
            self._mains.setdefault(posixpath.dirname(posixpath.dirname(path)), []).append(path)
        self._modules: dict[str, _Module] = {}
        self._starts: dict[tuple[str, str], _Module | None] = {}
        self._children: dict[tuple[str, str], _Module | None] = {}
        self._owners: dict[str, _Module | None] = {}  # by folder
        self._packages: dict[str, str | None] = {}  # folders of packages by folder
        self._resolved: dict[tuple[_Module, str], tuple[_Module, Sequence[str]] | None] = {}
        for path, text in sorted(tree.manifests.items()):
            if posixpath.basename(path) == "Cargo.toml":
                self._read(posixpath.dirname(path), read_toml(text))
        self._find_bare_crates()

    def bindings(self, importer: str, imported: Import) -> Sequence[Binding]:
        """Modules whole, items under their names; `*` for what a module holds."""
        module = imported.module
        if not imported.names:
            return self._bound(importer, module, module.rpartition("::")[2])
        found: list[Binding] = []
        for name in imported.names:
            if name.name != "*":
                found += self._bound(importer, f"{module}::{name.name}", name.alias)
            elif (target := self._target(importer, module)) is not None and target[0].files:
                found.append(Binding(name.alias, "*", target[0].files))
        return found

    def package(self, path: str) -> str | None:
        """Nothing is seen without a `use` or a path."""
        return None

    def _bound(self, importer: str, path: str, alias: str) -> list[Binding]:
        target = self._target(importer, path)
        if target is None or not target[0].files:
            return []
        files, items = target[0].files, target[1]
        bound = [Binding("" if alias == "_" else alias, items[-1] if items else "*", files)]
        if len(items) > 1:  # an item of an enum, or of a module that the file only hands on
            bound.append(Binding("", items[0], files))
        return bound

    def _target(self, importer: str, path: str) -> tuple[_Module, Sequence[str]] | None:
        """The module that the longest part of a path names, and what is left of the path."""
        if len(path) > LONGEST_MODULE:
            return None
        head, _, rest = path.removeprefix("::").replace("r#", "").partition("::")
        start = self._start(importer, head)
        if start is None:
            return None
        key = (start, rest)
        if key not in self._resolved:
            self._resolved[key] = self._follow(start, rest.split("::") if rest else [])
        return self._resolved[key]

    def _follow(self, start: _Module, parts: Sequence[str]) -> tuple[_Module, Sequence[str]] | None:
        module, last, done = start, start, 0
        for place, part in enumerate(parts):
            inner = self._parent(module) if part == "super" else self._child(module, part)
            if inner is None:
                return None if "super" in parts[place:] else (last, parts[done:])
            module = inner
            # A folder without a file holds the modules of one that is written within its parent's file.
            if inner.files:
                last, done = inner, place + 1
        return last, parts[done:]

    def _start(self, importer: str, head: str) -> _Module | None:
        """The module that the first part of a path names."""
        key = (importer, head)
        if key not in self._starts:
            self._starts[key] = self._first(importer, head)
        return self._starts[key]

    def _first(self, importer: str, head: str) -> _Module | None:
        own = self._module(importer)
        if head == "self":
            return own
        if head == "super":
            return self._parent(own)
        if head in ("crate", "$crate"):
            return self._crate(own)
        if (inner := self._child(own, head)) is not None and inner.files:
            return inner
        folder = posixpath.dirname(importer)
        owner = self._package_of(folder)
        name = head if owner is None else self._renamed[owner].get(head, head)
        if (library := self._library(name, folder)) is not None:
            return self._module(library)
        if owner in self._of_2015 and (root := self._crate(own)) is not None:
            return self._child(root, head)
        return None

    def _library(self, name: str, folder: str) -> str | None:
        """The root file of the closest crate of a name."""
        libraries = self._libraries.get(name)
        if libraries is None:
            libraries = self._libraries[name] = Nearby(self._crates.get(name, ()))
        return next(iter(libraries.closest(folder)), None)

    def _module(self, path: str) -> _Module:
        """The module that a file is."""
        module = self._modules.get(path)
        if module is None:
            folder, name = posixpath.split(path)
            is_folder = name == "mod.rs" or path in self._roots
            inner = folder if is_folder else posixpath.join(folder, name.removesuffix(".rs"))
            module = self._modules[path] = _Module((path,), inner)
        return module

    def _child(self, module: _Module, name: str) -> _Module | None:
        key = (module.inner, name)
        if key not in self._children:
            self._children[key] = self._find_child(module.inner, name)
        child = self._children[key]
        return None if child is None or (child.files and child.files == module.files) else child

    def _find_child(self, inner: str, name: str) -> _Module | None:
        folder = posixpath.join(inner, name)
        for path in (f"{folder}.rs", f"{folder}/mod.rs"):
            if path in self._tree:
                return self._module(path)
        return _Module((), folder) if name and folder in self._tree.folders else None

    def _parent(self, module: _Module) -> _Module | None:
        """The module that holds another; none above the root of a crate."""
        if not module.files or module.files[0] in self._roots:
            return None
        folder, name = posixpath.split(module.files[0])
        if name != "mod.rs":
            return self._owner(folder)
        return self._owner(posixpath.dirname(folder)) if folder else None

    def _owner(self, folder: str) -> _Module | None:
        """The module that the files in a folder are modules of.

        A folder that has none is that of a module written within the file of the next one.
        """
        if folder not in self._owners:
            self._owners[folder] = next((module for outer in above(folder) if (module := self._holder(outer))), None)
        return self._owners[folder]

    def _holder(self, folder: str) -> _Module | None:
        if roots := [path for path in self._tree.folder(folder) if path in self._roots]:
            main = [path for path in roots if posixpath.basename(path) in ("lib.rs", "main.rs")]
            # Many programs may share a module; then it cannot be told which one it is in.
            return _Module(tuple(main or roots) if main or len(roots) == 1 else (), folder)
        for path in (posixpath.join(folder, "mod.rs"), f"{folder}.rs"):
            if path in self._tree:
                return self._module(path)
        return None

    def _crate(self, module: _Module) -> _Module | None:
        """The root of the crate that a module belongs to."""
        top: _Module | None = module
        while top is not None and top.files and top.files[0] not in self._roots:
            top = self._parent(top)
        return top

    def _package_of(self, folder: str) -> str | None:
        """The folder of the package that a folder belongs to."""
        if folder not in self._packages:
            self._packages[folder] = next((outer for outer in above(folder) if outer in self._renamed), None)
        return self._packages[folder]

    def _read(self, folder: str, manifest: object) -> None:
        """Take the crates of a package and the names of its dependencies from its manifest."""
        name = string(at(manifest, "lib", "name")) or string(at(manifest, "package", "name"))
        if not name:
            return
        root = joined(folder, string(at(manifest, "lib", "path")) or "src/lib.rs")
        if root is not None and root in self._tree:
            self._roots.add(root)
            self._crates.setdefault(name.replace("-", "_"), []).append(root)
        self._roots.update(path for path in self._programs(folder, manifest) if path in self._tree)
        if at(manifest, "package", "edition") in (None, "2015"):
            self._of_2015.add(folder)
        renamed = self._renamed[folder] = {}
        for section in _DEPENDENCIES:
            dependencies = at(manifest, section)
            for alias in dependencies if isinstance(dependencies, dict) else ():
                if original := string(at(dependencies, alias, "package")):
                    renamed[alias.replace("-", "_")] = original.replace("-", "_")

    def _programs(self, folder: str, manifest: object) -> Iterator[str]:
        """The root files of the crates of a package that are no library, whether or not they exist."""
        yield from (posixpath.join(folder, "build.rs"), posixpath.join(folder, "src/main.rs"))
        for kind in ("bin", "test", "example", "bench"):
            targets = at(manifest, kind)
            for target in targets if isinstance(targets, list) else ():
                path = joined(folder, string(at(target, "path")) or "")
                if path is not None:
                    yield path
        yield from self._targets(folder)

    def _targets(self, folder: str) -> Iterator[str]:
        for name in _TARGETS:
            targets = posixpath.join(folder, name)
            yield from (path for path in self._tree.folder(targets) if path.endswith(".rs"))
            yield from self._mains.get(targets, ())

    def _find_bare_crates(self) -> None:
        """Take what looks like a crate and lies in none for one: its manifest may be no part of the index."""
        for path in (*self._tree.named("lib.rs"), *self._tree.named("main.rs")):
            folder, name = posixpath.split(path)
            if path in self._roots or self._package_of(folder) is not None:
                continue
            owner = posixpath.dirname(folder) if posixpath.basename(folder) == "src" else folder
            self._roots.add(path)
            self._roots.update(self._targets(owner))
            crate = posixpath.basename(owner).replace("-", "_")
            if name == "lib.rs" and crate:
                self._crates.setdefault(crate, []).append(path)
        if "" not in self._renamed:
            self._roots.update(self._targets(""))
