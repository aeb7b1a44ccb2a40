"""PowerShell: dots and `Import-Module` name files from the script's folder, or modules by name."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence
from typing import ClassVar

from pilotfish.graph.resolve.binding import Binding
from pilotfish.graph.tree import LONGEST_MODULE, Nearby, Tree, above, joined
from pilotfish.syntax.outline import Import

# A folder that is known when the script runs: `$PSScriptRoot\`, `$(Split-Path $here)/`.
_COMPUTED = re.compile(r"""["']?(?:\$\{?[\w:.]+\}?|\$?\([^()]*(?:\([^()]*\)[^()]*)*\))["']?[\\/]?""")
_ELSEWHERE = re.compile(r"(?i)env:|HOME|TEMP|TestDrive")
_JOINED = re.compile(r"(?i)^\(*\s*Join-Path\b(.*)")
_PARTS = re.compile(r"""'([^']*)'|"([^"]*)"|(?<=\s)([\w.][\w.\\/-]*)""")
_SCRIPT = (".ps1", ".psm1", ".psd1")


class PowerShell:
    """Resolves dotted scripts, `Import-Module` and `using module`; what they define is usable as it is."""

    manifests: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._modules: dict[str, Nearby] = {}
        self._resolved: dict[tuple[str, str], tuple[Binding, ...]] = {}

    def bindings(self, importer: str, imported: Import) -> Sequence[Binding]:
        """The contents of the script or module."""
        place = (importer.rpartition("/")[0], imported.module)
        found = self._resolved.get(place)
        if found is None:
            files = self._files(*place)
            found = self._resolved[place] = (Binding("*", "*", files),) if files else ()
        return found

    def package(self, path: str) -> str | None:
        """The folder of the module around a file: modules load all their scripts at once."""
        folder = posixpath.dirname(path)
        for outer in above(folder):
            if any(beside.endswith((".psm1", ".psd1")) for beside in self._tree.folder(outer)):
                return outer
        return folder

    def _files(self, folder: str, module: str) -> tuple[str, ...]:
        if not module or len(module) > LONGEST_MODULE:
            return ()
        computed, written = _taken_apart(module)
        if not written or "$" in written or (computed and _ELSEWHERE.search(computed)):
            return ()
        for place in above(folder) if computed else (folder, ""):
            path = joined(place, written)
            if path is not None and path in self._tree:
                return self._whole(path)
        name = posixpath.basename(written)
        if computed or name != written or name.endswith(".ps1"):
            return ()
        return tuple(file for path in self._named(folder, name) for file in self._whole(path))

    def _named(self, folder: str, name: str) -> Sequence[str]:
        """The manifest or script of a module that is called by its name."""
        nearby = self._modules.get(name)
        if nearby is None:
            stem = name.removesuffix(".psm1").removesuffix(".psd1")
            paths = [path for suffix in (".psd1", ".psm1") for path in self._tree.named(stem + suffix)]
            nearby = self._modules[name] = Nearby(paths)
        return nearby.closest(folder)[:1]

    def _whole(self, path: str) -> tuple[str, ...]:
        """A module's manifest together with its script."""
        script = path.removesuffix(".psd1") + ".psm1"
        return (path, script) if path.endswith(".psd1") and script in self._tree else (path,)


def _taken_apart(module: str) -> tuple[str, str]:
    """What is computed at the beginning of a path, and the rest of it with slashes."""
    if call := _JOINED.match(module):
        parts = [part for part in _strings(call[1]) if not part.startswith("$")]
        return "Join-Path", "/".join(parts).replace("\\", "/").strip("/")
    computed = _COMPUTED.match(module)
    rest = module[computed.end() :] if computed else module
    return computed[0] if computed else "", rest.strip("\"'()").replace("\\", "/")


def _strings(written: str) -> Iterator[str]:
    for single, double, bare in _PARTS.findall(written):
        yield single or double or bare
