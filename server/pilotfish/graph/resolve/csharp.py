"""C#: a `using` opens a namespace, whatever files it is spread over; by custom folders repeat its parts.

A project says what its own folder is called: `RootNamespace`, or else the name of the project's file. Where no project
lies above a folder, the folder's path ends as its namespace does: `src/Bank.Core/Rates` holds `Bank.Core.Rates`.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import ClassVar

from pilotfish.graph.resolve.binding import Binding
from pilotfish.graph.resolve.manifests import LARGEST
from pilotfish.graph.tree import LONGEST_MODULE, Tree, above
from pilotfish.syntax.outline import Import

_EXTENSION = ".cs"
_PROJECT = ".csproj"
_ROOT_NAMESPACE = re.compile(rb"<RootNamespace>\s*([\w.]{1,200})\s*</RootNamespace>")
_NOT_OF_NAMES = re.compile(r"[^\w.]")
_ARGUMENTS = re.compile(r"<.*", re.DOTALL)


class CSharp:
    """Resolves `using` directives: of namespaces, of the members of a type, and under other names."""

    manifests: ClassVar[frozenset[str]] = frozenset({"*" + _PROJECT})

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._projects = _projects(tree)
        self._files: dict[str, tuple[str, ...]] = {}  # by namespace
        self._namespaces: dict[str, str] = {}  # by folder

    def bindings(self, importer: str, imported: Import) -> Sequence[Binding]:
        """What a namespace or a type holds; under another name the namespace or the type itself.

        The files of a type are those named like it (`Rates.cs`, `Rates.Parts.cs`).
        """
        module = _ARGUMENTS.sub("", imported.module.removeprefix("global::")).replace(" ", "")
        if len(module) > LONGEST_MODULE:
            return ()
        alias = imported.names[0].alias if imported.names else ""
        if files := self._contents(module):
            return [Binding(alias, "*", files)]
        namespace, _, name = module.rpartition(".")
        files = self._contents(namespace) if namespace else ()
        if named := tuple(path for path in files if posixpath.basename(path).split(".", 1)[0] == name):
            return [Binding(alias, name if alias else "*", named)]
        # A type without a file of its own may be in any of its namespace's; without an alias it need not be a type.
        return [Binding(alias, name, files)] if alias and files else ()

    def package(self, path: str) -> str | None:
        """The namespace that the file's folder stands for."""
        return self._namespace(posixpath.dirname(path))

    def _contents(self, namespace: str) -> tuple[str, ...]:
        files = self._files.get(namespace)
        if files is None:
            files = self._files[namespace] = tuple(
                path
                for folder in self._folders_of(namespace)
                for path in self._tree.folder(folder)
                if path.endswith(_EXTENSION)
            )
        return files

    def _folders_of(self, namespace: str) -> list[str]:
        same_end = self._folders.get(namespace.rpartition(".")[2], {})
        exact = [folder for folder, known in same_end.items() if known == namespace]
        inner = f".{namespace}"
        return exact or [
            folder
            for folder, known in same_end.items()
            if known == _dotted(folder) and f".{known}".endswith(inner) and "." in namespace
        ]

    def _namespace(self, folder: str) -> str:
        known = self._namespaces.get(folder)
        if known is None:
            known = self._namespaces[folder] = self._named(folder)
        return known

    def _named(self, folder: str) -> str:
        for outer in above(folder):
            if (root := self._projects.get(outer)) is not None:
                below = _dotted(folder[len(outer) :].lstrip("/"))
                return f"{root}.{below}" if below else root
        return _dotted(folder)

    @cached_property
    def _folders(self) -> dict[str, dict[str, str]]:
        """Folders that hold sources with their namespaces, by the last part of those."""
        folders: dict[str, dict[str, str]] = {}
        for folder in sorted({posixpath.dirname(path) for path in self._tree.paths if path.endswith(_EXTENSION)}):
            namespace = self._namespace(folder)
            folders.setdefault(namespace.rpartition(".")[2], {})[folder] = namespace
        return folders


def _projects(tree: Tree) -> Mapping[str, str]:
    """Root namespaces by the folder of their project; the first project of a folder counts."""
    return dict(_roots(tree))


def _roots(tree: Tree) -> Iterator[tuple[str, str]]:
    for path in sorted(tree.manifests, reverse=True):
        if path.endswith(_PROJECT):
            folder, name = posixpath.split(path)
            text = tree.manifests[path]
            written = _ROOT_NAMESPACE.search(text) if len(text) <= LARGEST else None
            root = written[1].decode("ascii", "replace") if written else _NOT_OF_NAMES.sub("_", name[: -len(_PROJECT)])
            yield folder, root.strip(".")


def _dotted(folder: str) -> str:
    return folder.replace("/", ".")
