"""Go: an import names a package, which is a folder; `go.mod` says where the paths of a module begin."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence
from typing import ClassVar, NamedTuple

from pilotfish.graph.resolve.binding import Binding
from pilotfish.graph.tree import LONGEST_MODULE, Nearby, Tree, above, joined
from pilotfish.syntax.outline import Import

_STATEMENT = re.compile(r"[ \t]*(module|replace)\b[ \t]*(\(?)(.*)")
_VERSION = re.compile(r"v\d+")
_HOST = re.compile(r"[\w-]+(\.[\w-]+)+")
_LARGEST_MANIFEST = 1 << 20  # bytes; more is not read
_STANDARD = "std"  # the module of Go's own source tree, whose packages are imported without its name


class _Place(NamedTuple):
    """What the paths of packages mean in one folder."""

    vendors: tuple[str, ...]
    """The `vendor` folders above it, the closest first."""
    owner: str | None
    """The folder of its module's `go.mod`."""
    sources: tuple[str, ...]
    """The `src` folders of a GOPATH above it; none within a module."""


class Go:
    """Resolves Go's import paths.

    In the order of the `go` command: a `vendor` folder above the importer, a local `replace` of its module, the modules
    of the tree by the longest prefix, and without a module the folders of a GOPATH. In a tree that has no `go.mod` at
    all the path of a package is taken to end in its folder (`github.com/owner/name/rest` is `rest`).
    """

    manifests: ClassVar[frozenset[str]] = frozenset({"go.mod"})

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._modules: dict[str, list[str]] = {}  # folders by module path
        self._replaced: dict[str, dict[str, str]] = {}  # by folder of a go.mod: local folders by module path
        self._places: dict[str, _Place] = {}
        self._names: dict[str, str] = {}  # of packages by path
        self._packages: dict[str, tuple[str, ...]] = {}  # files by folder
        self._resolved: dict[tuple[str | _Place, str], tuple[str, ...]] = {}
        for path, text in sorted(tree.manifests.items()):
            if posixpath.basename(path) == "go.mod":
                self._read(posixpath.dirname(path), text)
        self._is_ambiguous = any(len(folders) > 1 for folders in self._modules.values())
        self._nearby = {name: Nearby(folders) for name, folders in self._modules.items()}
        self._below: dict[tuple[int, str], str | None] = {}
        self._vendors = frozenset(posixpath.dirname(folder) for folder in tree.folders_named("vendor"))

    def bindings(self, importer: str, imported: Import) -> Sequence[Binding]:
        """The package under its name or alias, under none with `import _` and `import .`."""
        folder, module = importer.rpartition("/")[0], imported.module
        place = self._places.get(folder)
        if place is None:
            place = self._places[folder] = self._place(folder)
        # Folders that know the same modules are told apart only where one of them lies at several places.
        key = (folder if self._is_ambiguous or module.startswith(".") else place, module)
        files = self._resolved.get(key)
        if files is None:
            files = self._resolved[key] = self._files(folder, module)
        if not files:
            return ()
        if not imported.names:
            return (Binding(self._name(module), "*", files),)
        alias = imported.names[0].alias
        # What `import .` opens is not handed on to those who import this package.
        return (Binding("" if alias in ("_", "*") else alias, "*", files),)

    def package(self, path: str) -> str | None:
        """The folder: its files, tests included, are one package."""
        return path.rpartition("/")[0]

    def _read(self, folder: str, text: bytes) -> None:
        """Take the name of a module and its local replacements from a `go.mod`."""
        replaced = self._replaced[folder] = {}
        for keyword, rest in _statements(text[:_LARGEST_MANIFEST].decode("utf-8", "replace")):
            if keyword == "module":
                name = rest.split("//")[0].strip().strip('"`')
                if name and folder not in self._modules.setdefault(name, []):
                    self._modules[name].append(folder)
                continue
            old, _, new = rest.partition("=>")
            module, target = old.split(), new.split()
            if module and target and target[0].strip('"`').startswith("."):
                local = joined(folder, target[0].strip('"`'))
                if local is not None:
                    replaced[module[0].strip('"`')] = local

    def _files(self, folder: str, module: str) -> tuple[str, ...]:
        if len(module) > LONGEST_MODULE or not module.strip("/"):
            return ()
        for candidate in self._folders(folder, module):
            if files := self._package(candidate):
                return files
        return ()

    def _folders(self, folder: str, module: str) -> Iterator[str]:
        """The folders that a path may mean, the likeliest first; the first that holds a package is meant."""
        if module.startswith("."):
            if (local := joined(folder, module)) is not None:
                yield local
            return
        place = self._places[folder]
        replaced = {} if place.owner is None else self._replaced[place.owner]
        yield from (f"{vendor}/{module}" for vendor in place.vendors)
        for prefix, rest in _prefixes(module):
            if prefix in replaced:
                yield _below(replaced[prefix], rest)
        for prefix, rest in _prefixes(module):
            if prefix in self._modules:
                yield from self._in_closest(prefix, folder, rest)
                return
        if _STANDARD in self._modules and "." not in module.split("/")[0]:
            yield from self._in_closest(_STANDARD, folder, module)
        yield from (f"{source}/{module}" for source in place.sources)
        if not self._replaced and (rest := _below_repository(module)):
            yield rest

    def _in_closest(self, module: str, folder: str, rest: str) -> Iterator[str]:
        """The folder of a package in the first of the closest modules of a name that holds it."""
        if rest and not self._tree.folders_named(posixpath.basename(rest)):
            return
        roots = self._nearby[module].closest(folder)
        key = (id(roots), rest)  # equally close modules are kept as long as this object
        if key not in self._below:
            places = (_below(root, rest) for root in roots)
            self._below[key] = next((place for place in places if self._package(place)), None)
        if (found := self._below[key]) is not None:
            yield found

    def _place(self, folder: str) -> _Place:
        outside = list(above(folder))
        owner = next((outer for outer in outside if outer in self._replaced), None)
        return _Place(
            tuple(posixpath.join(outer, "vendor") for outer in outside if outer in self._vendors),
            owner,
            tuple(outer for outer in outside if posixpath.basename(outer) == "src") if owner is None else (),
        )

    def _name(self, module: str) -> str:
        name = self._names.get(module)
        if name is None:
            name = self._names[module] = _package_name(module)
        return name

    def _package(self, folder: str) -> tuple[str, ...]:
        files = self._packages.get(folder)
        if files is None:
            files = self._packages[folder] = tuple(
                path for path in self._tree.folder(folder) if path.endswith(".go") and not path.endswith("_test.go")
            )
        return files


def _statements(text: str) -> Iterator[tuple[str, str]]:
    """The `module` and `replace` directives, one a line, with those in parentheses."""
    block = ""
    for line in text.split("\n"):
        if block:
            if line.strip().startswith(")"):
                block = ""
            else:
                yield block, line
        elif match := _STATEMENT.match(line):
            keyword, parenthesis, rest = match.groups()
            if parenthesis:
                block = keyword
            else:
                yield keyword, rest


def _below(folder: str, rest: str) -> str:
    return posixpath.join(folder, rest) if rest else folder


def _prefixes(module: str) -> Iterator[tuple[str, str]]:
    """A path as prefix and rest, the longest prefix first."""
    prefix = module
    while prefix:
        yield prefix, module[len(prefix) + 1 :]
        prefix = prefix.rpartition("/")[0]


def _below_repository(module: str) -> str:
    """What follows `host/owner/name`, and a major version, in the path of a package; "" where nothing does."""
    host, *parts = module.split("/")
    if len(parts) < 3 or not _HOST.fullmatch(host):
        return ""
    rest = parts[2:]
    return "/".join(rest[1:] if _VERSION.fullmatch(rest[0]) else rest)


def _package_name(module: str) -> str:
    """The name that a package most probably has: the last part of its path, without version and marks of Go."""
    parts = module.rstrip("/").split("/")
    name = parts[-2] if len(parts) > 1 and _VERSION.fullmatch(parts[-1]) else parts[-1]
    stem, dot, version = name.rpartition(".")
    if dot and (_VERSION.fullmatch(version) or version == "go"):
        name = stem
    return name.removeprefix("go-").removesuffix("-go")
