"""PHP: `use` names a class, a function or a namespace, which composer's autoloading maps to folders; `require` a file.

Where no `composer.json` says where a namespace lies, folders are taken to repeat its parts (PSR-0 and what most follow
without it).
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator, Sequence
from typing import ClassVar, Final

from pilotfish.graph.resolve.binding import Binding
from pilotfish.graph.resolve.manifests import at, read_json, strings
from pilotfish.graph.tree import LONGEST_MODULE, Nearby, Tree, above, joined
from pilotfish.syntax.outline import Import

_Exists = Callable[[str], bool]
_Ending = Callable[[str], Sequence[str]]

_MOST_ROOTS: Final = 5_000
_MOST_FILES: Final = 200
"""So many files of a namespace may hold a function of it."""

# `__DIR__ . "…"`, `dirname(__FILE__, 2) . "…"`; anything else before the text is known when the script runs.
_PATH = re.compile(r"""^\(*\s*(?P<base>.*?[^.\s])??\s*\.?\s*["'](?P<path>[^"'$]+)["']?\s*\)*$""", re.DOTALL)
_FOLDER = re.compile(r"^(?P<open>(?:\\?dirname\s*\(\s*)*)__(?P<what>DIR|FILE)__(?P<close>[\s,\d)]*)$")


class Php:
    """Resolves `use`, `require` and `include`."""

    manifests: ClassVar[frozenset[str]] = frozenset({"composer.json"})

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._roots: dict[str, list[str]] = {}  # the folders of a namespace, by its name without a last `\`
        self._namespaces: dict[str, str] = {}  # the same, by folder
        self._loaded: dict[str, list[str]] = {}  # the files of functions that are always there, by manifest's folder
        self._places: dict[str, Nearby] = {}
        self._resolved: dict[tuple[str, str, str], tuple[Binding, ...]] = {}
        manifests = [path for path in sorted(tree.manifests) if posixpath.basename(path) == "composer.json"]
        for path in manifests:
            self._read(posixpath.dirname(path), read_json(tree.manifests[path]))

    def bindings(self, importer: str, imported: Import) -> Sequence[Binding]:
        """The imported names, or the contents of the required file."""
        folder = posixpath.dirname(importer)
        if len(imported.module) > LONGEST_MODULE:
            return ()
        if not imported.names:
            path = self._required(folder, imported.module)
            return (Binding("*", "*", (path,)),) if path else ()
        found: list[Binding] = []
        for each in imported.names:
            key = (folder, imported.module, each.name)
            files = self._resolved.get(key)
            if files is None:
                files = self._resolved[key] = tuple(self._bound(*key))
            found += [Binding(each.alias, bound.name, bound.files) for bound in files]
        return found

    def package(self, path: str) -> str | None:
        """The namespace that autoloading gives the file's folder, or the folder: what is seen there without `use`."""
        folder = posixpath.dirname(path)
        for outer in above(folder):
            if (namespace := self._namespaces.get(outer)) is not None:
                below = folder[len(outer) :].strip("/").replace("/", "\\")
                return "\\".join(part for part in (namespace, below) if part)
        return folder

    def _read(self, folder: str, manifest: object) -> None:
        """Take the namespaces and files that a `composer.json` in `folder` loads."""
        loaded = self._loaded[folder] = []
        for section in ("autoload", "autoload-dev"):
            for standard in ("psr-4", "psr-0"):
                table = at(manifest, section, standard)
                for namespace, places in table.items() if isinstance(table, dict) else ():
                    if isinstance(namespace, str):
                        self._add_roots(folder, namespace.strip("\\"), strings(places), standard == "psr-0")
            files = [joined(folder, written) for written in strings(at(manifest, section, "files"))[:_MOST_FILES]]
            loaded += [path for path in files if path is not None and path in self._tree]

    def _add_roots(self, folder: str, namespace: str, places: Sequence[str], repeats: bool) -> None:
        """`repeats` says that the folders of the namespace itself lie below its root as well (PSR-0)."""
        for place in places:
            root = joined(folder, place)
            if root is not None and repeats:
                root = posixpath.join(root, namespace.replace("\\", "/"))
            if root is not None and len(self._namespaces) < _MOST_ROOTS and self._tree.has_folder(root.strip("/")):
                root = root.strip("/")
                self._roots.setdefault(namespace, []).append(root)
                self._namespaces.setdefault(root, namespace)

    def _bound(self, folder: str, namespace: str, name: str) -> Iterator[Binding]:
        """What a name of a namespace is: a class in its own file, a namespace of its own, or one of its functions."""
        qualified = name if namespace.startswith("\\") else f"{namespace}\\{name}"
        if path := self._closest(folder, f"{qualified}.php", self._tree.__contains__, self._tree.ending):
            yield Binding("", name, (path,))
            return
        if inner := self._closest(folder, qualified, self._tree.has_folder, self._folders_ending):
            yield Binding("", "*", self._files(inner))
        within = namespace.strip("\\")
        holder = self._closest(folder, within, self._tree.has_folder, self._folders_ending)
        if holder is None and any(self._roots.get(outer) for outer in _outer(within)):
            holder = next(self._autoloaded(within))
        if holder is not None:
            loaded = next((self._loaded[outer] for outer in above(holder) if outer in self._loaded), ())
            if files := tuple(dict.fromkeys([*loaded, *self._files(holder)]))[:_MOST_FILES]:
                yield Binding("", name, files)

    def _closest(self, folder: str, qualified: str, exists: _Exists, ending: _Ending) -> str | None:
        """The path of a class or a namespace that is closest to the folder of the one who uses it."""
        nearby = self._places.get(qualified)
        if nearby is None:
            places = [place for place in self._autoloaded(qualified) if exists(place)]
            if not places and "\\" in qualified:
                places = list(self._repeated(qualified, ending))
            nearby = self._places[qualified] = Nearby(list(dict.fromkeys(places)))
        return next(iter(nearby.closest(folder)), None)

    def _autoloaded(self, qualified: str) -> Iterator[str]:
        """Where autoloading looks, the longest namespace first."""
        for namespace in [*_outer(qualified), ""]:
            below = qualified[len(namespace) :].strip("\\").replace("\\", "/")
            yield from (posixpath.join(root, below).strip("/") for root in self._roots.get(namespace, ()))

    def _repeated(self, qualified: str, ending: _Ending) -> Iterator[str]:
        """The paths that end in the parts of a qualified name; its first parts are no folders where none is found."""
        parts = qualified.split("\\")
        while len(parts) > 1:
            if found := ending("/".join(parts)):
                yield from found
                return
            if self._roots:
                return
            parts = parts[1:]

    def _folders_ending(self, tail: str) -> Sequence[str]:
        inner = f"/{tail}"
        named = self._tree.folders_named(posixpath.basename(tail))
        return [folder for folder in named if folder == tail or folder.endswith(inner)]

    def _files(self, folder: str) -> tuple[str, ...]:
        return tuple(path for path in self._tree.folder(folder) if path.endswith(".php"))[:_MOST_FILES]

    def _required(self, folder: str, module: str) -> str | None:
        """The file that `require` names; where its folder is computed, in the closest one that has it."""
        written = _PATH.match(module if '"' in module or "'" in module else f"'{module}'")
        if written is None:
            return None
        path, base = written["path"], (written["base"] or "").strip()
        start = _FOLDER.match(base)
        if start is None:
            places = above(folder)
        else:
            places = iter((_risen(folder, start["what"], start["open"].count("dirname"), start["close"]),))
            path = path.lstrip("/")
        for place in places:
            found = joined(place, path.lstrip("/") if base else path)
            if found is not None and found in self._tree:
                return found
        return None


def _outer(namespace: str) -> Iterator[str]:
    """A namespace and those that it lies in, from the inside, without the global one."""
    while namespace:
        yield namespace
        namespace = namespace.rpartition("\\")[0]


def _risen(folder: str, what: str, calls: int, close: str) -> str:
    """The folder that so many calls of `dirname` around `__DIR__` or `__FILE__` mean."""
    levels = calls + sum(int(each) - 1 for each in re.findall(r"\d{1,2}", close) if int(each) > 0)
    for _ in range(levels - (what == "FILE")):
        folder = posixpath.dirname(folder)
    return folder
