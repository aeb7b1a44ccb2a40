"""Where the programs of a workspace begin.

In this order: what a manifest names (`bin`, `main`, `module`, `exports` of a `package.json`, scripts of a
`pyproject.toml`, targets of a `Cargo.toml`); what a convention names (`__main__.py`, `src/main.rs`, `cmd/*/main.go`,
files in `bin/`); files that define a function `main`; files that use several others and that no other uses, examples
and the like last.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Final, NamedTuple

from pilotfish.graph.resolve.manifests import at, read_json, read_toml, string
from pilotfish.graph.tree import LONGEST_MODULE, Tree, joined

USES_MUCH: Final = 3
"""A file that nobody uses begins something where it uses so many others."""

WITHOUT_MAIN: Final = frozenset({"javascript", "ruby", "tsx", "typescript"})
"""Languages in which a function called `main` is one like any other."""

_CONVENTIONS: Final = re.compile(
    r"(?:^|/)(?:__main__\.py|manage\.py|wsgi\.py|asgi\.py|config\.ru)$"
    r"|(?:^|/)src/(?:main\.rs|bin/[^/]+\.rs|bin/[^/]+/main\.rs)$"
    r"|(?:^|/)cmd/(?:[^/]+/)*main\.go$"
    r"|(?:^|/)(?:bin|exe|sbin)/[^/]+$"
)
_ASIDE: Final = re.compile(r"(?:^|/)(?:bench(?:marks?)?|demos?|docs?|examples?|fixtures|samples?|tutorials?)/")
"""What lies here begins nothing that others wait for."""

_ENDINGS: Final = ("", ".js", ".ts", ".mjs", ".cjs", ".tsx", ".jsx", "/index.js", "/index.ts", "/index.tsx")
_BUILT: Final = re.compile(
    r"^(?:\./)?(?>(?:(?:build|cjs|dist|es|esm|lib|out|types)/)+)(.+?)(?:\.[cm]?js|\.d\.[cm]?ts)?$"
)
_MOST_OF_ONE: Final = 500
"""So many names of one manifest are looked at, in each of its fields."""
_MOST_OF_ALL: Final = 5_000
"""So many names of all manifests together are looked at."""


class EntryPoint(NamedTuple):
    """A file where something begins; `reason` says by which rule, `uses` how many files of the area it uses."""

    path: str
    reason: str
    uses: int


class Degree(NamedTuple):
    """How many files a file uses, and how many use it."""

    uses: int
    users: int


def entry_points(
    files: Mapping[str, Degree], mains: Iterable[str], manifests: Mapping[str, bytes], linked: Collection[str] = ()
) -> list[EntryPoint]:
    """Return where programs begin, the surest first.

    Args:
        files: the files of the area, with their links to each other.
        mains: those that define a function `main`.
        manifests: the texts of manifests by path.
        linked: those that others use without naming them, as sources behind headers: that nobody does says nothing.

    """
    reasons: dict[str, tuple[int, str]] = {}
    for path, reason in _declared(manifests, Tree(files)):
        reasons.setdefault(path, (0, reason))
    for path in sorted(files):
        if _CONVENTIONS.search(path):
            reasons.setdefault(path, (1, f"named {_named(path)}"))
    for path in sorted(mains):
        reasons.setdefault(path, (2 + _is_aside(path), "defines main"))
    for path, degree in sorted(files.items()):
        if degree.uses >= USES_MUCH and not degree.users and path not in linked:
            reasons.setdefault(path, (4 + _is_aside(path), "uses others, used by none"))
    found = sorted((order, -files[path].uses, path, reason) for path, (order, reason) in reasons.items())
    return [EntryPoint(path, reason, -uses) for _, uses, path, reason in found]


def _is_aside(path: str) -> bool:
    return _ASIDE.search(path) is not None


def _named(path: str) -> str:
    folder, name = posixpath.split(path)
    return f"{posixpath.basename(folder)}/{name}" if posixpath.basename(folder) in ("bin", "exe", "sbin") else name


def _declared(manifests: Mapping[str, bytes], tree: Tree) -> Iterator[tuple[str, str]]:
    """Yield the files that manifests name, each with what names it."""
    looked_at = (
        (found, f"{path}: {what}")
        for path, text in sorted(manifests.items())
        if (read := _READERS.get(posixpath.basename(path))) is not None
        for found, what in islice(read(text, posixpath.dirname(path), tree), _MOST_OF_ONE)
    )
    for found, what in islice(looked_at, _MOST_OF_ALL):
        if found is not None:
            yield found, what


# Readers yield each name that they look at: the file that it means, None where there is none, and what says it.


def _package_json(text: bytes, folder: str, tree: Tree) -> Iterator[tuple[str | None, str]]:
    manifest = read_json(text)
    for what in ("bin", "main", "module", "exports"):
        for value in _values(at(manifest, what)):
            yield _script(folder, value, tree), what


def _values(value: object) -> Iterator[str]:
    """Yield the strings in nested tables and lists, outer ones first."""
    waiting = [value]
    for each in waiting:  # it grows on the way
        room = _MOST_OF_ONE - len(waiting)
        if isinstance(each, str):
            yield each
        elif isinstance(each, dict):
            waiting += islice(each.values(), room)
        elif isinstance(each, list):
            waiting += islice(each, room)


def _script(folder: str, value: str, tree: Tree) -> str | None:
    """Return the file that `bin` or `main` names; of one that is built, the source that it is most likely built of."""
    if len(value) > LONGEST_MODULE:
        return None
    built = _BUILT.match(value)
    for written in (value, *((f"src/{built[1]}",) if built else ())):
        place = joined(folder, written)
        if place is not None:
            for ending in _ENDINGS:
                if f"{place}{ending}" in tree:
                    return f"{place}{ending}"
    return None


def _pyproject(text: bytes, folder: str, tree: Tree) -> Iterator[tuple[str | None, str]]:
    manifest = read_toml(text)
    for keys in (("project", "scripts"), ("project", "gui-scripts"), ("tool", "poetry", "scripts")):
        scripts = at(manifest, *keys)
        for name, value in scripts.items() if isinstance(scripts, dict) else ():
            yield _module(folder, string(value) or "", tree), f"script {name}"


def _module(folder: str, written: str, tree: Tree) -> str | None:
    """Return the file of the module that a script begins in (`package.module:function`)."""
    if len(written) > LONGEST_MODULE:
        return None
    module = written.partition(":")[0].strip().replace(".", "/")
    for tail in (f"{module}.py", f"{module}/__init__.py") if module else ():
        found = [path for path in tree.ending(tail) if not folder or path.startswith(f"{folder}/")]
        if found:
            return min(found, key=lambda path: (path.count("/"), path))
    return None


def _cargo(text: bytes, folder: str, tree: Tree) -> Iterator[tuple[str | None, str]]:
    manifest = read_toml(text)
    bins = at(manifest, "bin")
    targets: Sequence[object] = bins if isinstance(bins, list) else ()
    for what, value in (*(("bin", at(each, "path")) for each in targets), ("lib", at(manifest, "lib", "path"))):
        written = string(value)
        place = joined(folder, written) if written and len(written) <= LONGEST_MODULE else None
        yield (place if place in tree else None), what


_READERS = {"Cargo.toml": _cargo, "package.json": _package_json, "pyproject.toml": _pyproject}
