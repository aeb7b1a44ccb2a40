"""Pages, components and styles: links to scripts and sheets, the modules of scripts, the partials of Sass.

What begins with `/` is looked for at the root and in the folders that servers publish. Of Sass the rules are those of
its load paths (https://sass-lang.com/documentation/at-rules/use): a partial `_name`, an extension that need not be
written, `_index` of a folder.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence
from typing import ClassVar, Final

from pilotfish.graph.resolve.binding import Binding
from pilotfish.graph.resolve.ecmascript import EcmaScript
from pilotfish.graph.tree import LONGEST_MODULE, Tree, above, joined
from pilotfish.syntax.outline import Import

_PUBLISHED: Final = ("", "public", "static", "assets", "src", "app", "www", "web", "wwwroot")
"""Folders that a server may publish as `/`."""

_ELSEWHERE = re.compile(r"[a-z][a-z0-9+.-]*:|//|#|sass:|\{")
"""How an address begins that is no path of this tree."""

_SHEETS: Final = (".scss", ".css", ".sass", ".less")
_SHEET = re.compile(r"\.(?:s?css|sass|less)$")


class Markup:
    """Resolves what a page or component loads, and the imports of the scripts and styles in it."""

    manifests: ClassVar[frozenset[str]] = EcmaScript.manifests

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._scripts = EcmaScript(tree)
        self._styles = Styles(tree)

    def bindings(self, importer: str, imported: Import) -> Sequence[Binding]:
        """What an import of a script binds; a file that a page loads is usable as it is."""
        if imported.names:
            return self._scripts.bindings(importer, imported)
        folder = posixpath.dirname(importer)
        linked = next((path for path in _linked(folder, imported.module) if path in self._tree), None)
        if linked is not None:
            return (Binding("*", "*", (linked,)),)
        if _SHEET.search(imported.module) and (found := self._styles.bindings(importer, imported)):
            return found
        return self._scripts.bindings(importer, imported)

    def package(self, path: str) -> str | None:
        """Nothing is seen without being loaded."""
        return None


class Styles:
    """Resolves `@import`, `@use` and `@forward`; what a sheet defines is usable where it is imported."""

    manifests: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._resolved: dict[tuple[str, str], tuple[Binding, ...]] = {}

    def bindings(self, importer: str, imported: Import) -> Sequence[Binding]:
        """The sheet's contents."""
        place = (posixpath.dirname(importer), imported.module)
        found = self._resolved.get(place)
        if found is None:
            path = next((path for path in self._candidates(*place) if path in self._tree), None)
            found = self._resolved[place] = (Binding("*", "*", (path,)),) if path is not None else ()
        return found

    def package(self, path: str) -> str | None:
        """Nothing is seen without an import."""
        return None

    def _candidates(self, folder: str, module: str) -> Iterator[str]:
        written = module.removeprefix("~")
        for path in _linked(folder, written):
            yield from _sheets(path)
        if not written.startswith((".", "/")) and not _ELSEWHERE.match(written):
            for place in above(folder):  # a load path, or the folder that a bundler starts from
                for source in ("", "src", "scss", "sass", "styles", "stylesheets"):
                    found = joined(posixpath.join(place, source), written)
                    if found is not None:
                        yield from _sheets(found)


def _linked(folder: str, address: str) -> Iterator[str]:
    """The paths that an address in a file of a folder can mean."""
    if not address or len(address) > LONGEST_MODULE or _ELSEWHERE.match(address):
        return
    written = re.split(r"[?#]", address, maxsplit=1)[0]
    places = _PUBLISHED if written.startswith("/") else (folder,)
    for place in places:
        path = joined(place, written.lstrip("/"))
        if path:
            yield path


def _sheets(path: str) -> Iterator[str]:
    """The files that a path in a style sheet can mean."""
    folder, name = posixpath.split(path)
    if _SHEET.search(name):
        yield path
        yield posixpath.join(folder, f"_{name}")
        return
    for ending in _SHEETS:
        yield f"{path}{ending}"
        yield posixpath.join(folder, f"_{name}{ending}")
    for ending in _SHEETS:
        yield posixpath.join(path, f"_index{ending}")
        yield posixpath.join(path, f"index{ending}")
