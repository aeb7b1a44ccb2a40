"""The files that may use a name, the closest to its definitions first, and how closely each is looked at."""

from __future__ import annotations

import enum
import posixpath
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from pilotfish.engine.resolution.source import ECMASCRIPT
from pilotfish.engine.view import Definition, Text, View
from pilotfish.graph.links import ModuleIndex, Nearness
from pilotfish.syntax.facts import related_languages
from pilotfish.syntax.outline import BODIES, MEMBERS, Import

_BEST = 10
"""Of so many definitions the closest files come first, where there are too many to look at all."""

_FEW_WORDS = 30
"""Up to so many names of modules are looked for in the imports of a file before these are unpacked."""

_FAR = 3
"""How close a file is to the definitions of which it imports none."""

_BOUND_BY_SPELLING = frozenset({"bash", "c", "cpp", "ruby"})
"""Languages where a file need not say where a name comes from."""

_BOUND_BY_FOLDER = frozenset({"go", "java"})
"""Languages where it need not if the name comes from its own folder."""


@dataclass(frozen=True, slots=True)
class Effort:
    """How closely files are looked at for the uses of a name: how many, how many of them without a stored reference to
    it, of how many bytes the text is searched, and of how many scopes are read. In all others it is sought by what is
    stored of them, and judged by how it is written."""

    files: int
    readers: int
    read_bytes: int
    scoped_bytes: int = 0


FOR_AN_EDITOR = Effort(100, 100, 1_000_000, 200_000)
"""Somebody waits for the answer."""

THOROUGH = Effort(500, 150, 50_000_000, 50_000)
"""For those who ask for the uses."""

COUNTED = Effort(100, 100, 5_000_000)
"""For those who ask how many there are."""

AT_A_GLANCE = Effort(20, 20, 500_000)
"""Somebody sees the number of uses in passing."""


class Reads(enum.Enum):
    """Which reads of a name are believed: none are looked for, those behind a dot, with them those that name a member
    of an object that is written out or an attribute of an element, or all."""

    NONE = enum.auto()
    QUALIFIED = enum.auto()
    LABELLED = enum.auto()
    ALL = enum.auto()


@dataclass(frozen=True, slots=True)
class Candidate:
    """A text that may use the name, and how close it is to the definitions."""

    text: Text
    closeness: int
    reads: Reads = Reads.ALL


class Holders(NamedTuple):
    """The files that may use a name, `origin` apart, the closest first.

    `near` are judged one by one: they define it or have a stored reference to it, as `far` have, of which there are too
    many for that. `reading` may only read it. `are_cut` tells that there are more of all than are judged, `referencing`
    counts those that have a stored reference.
    """

    near: list[str]
    reading: list[str]
    far: list[str]
    are_cut: bool
    referencing: int


def holders_of(view: View, name: str, targets: Sequence[Definition], origin: Text | None, effort: Effort) -> Holders:
    """Return the files that may use some definitions of a name; `origin` is the text in which that was asked."""
    defining = {target.path for target in targets if target.path is not None}
    related = _languages_of(targets, origin)
    is_seen = not targets or not all(_is_local(view, target, origin) for target in targets)
    referencing = view.referencing(name, related) if is_seen else []
    paths = {*defining, *referencing}
    # That takes longest to find out, and they have no place where there are many of the others.
    reading = view.mentioning(name, related) if is_seen and len(paths) <= effort.files else []
    apart = None if origin is None else origin.path
    here = [] if origin is None else [origin.address]
    nearness = Nearness([*here, *(target.address for target in targets[:_BEST])])

    def order(path: str) -> tuple[object, ...]:
        return (path not in defining, -nearness.of(path), path)

    ordered = sorted(paths - {apart}, key=order)
    readers = sorted({*reading} - paths - {apart}, key=order)
    most_readers = max(0, min(effort.readers, effort.files - len(ordered)))
    return Holders(
        near=ordered[: effort.files],
        reading=readers[:most_readers],
        far=ordered[effort.files :],
        are_cut=len(ordered) > effort.files or len(readers) > most_readers,
        referencing=len(referencing),
    )


def _languages_of(targets: Sequence[Definition], origin: Text | None) -> frozenset[str | None] | None:
    """Return the languages whose texts may use the definitions; None where any may."""
    languages = {target.language for target in targets} or {None if origin is None else origin.language}
    return None if None in languages else frozenset[str | None]().union(*map(related_languages, languages))


def candidates_among(
    holders: Holders, view: View, name: str, targets: Sequence[Definition], origin: Text | None
) -> list[Candidate]:
    """Return the texts that are looked at one by one, `origin` among them, the closest to the definitions first."""
    target_paths = {target.address for target in targets}
    modules = ModuleIndex(target_paths)
    found = [_candidate(text, name, target_paths, modules, origin) for text in view.files(holders.near)]
    found += _readers(view, holders.reading, name, targets, modules)
    if origin is not None:
        found.append(_candidate(origin, name, target_paths, modules, origin))
    return sorted(found, key=lambda candidate: (candidate.closeness, candidate.text.address))


def _readers(
    view: View, paths: Sequence[str], name: str, targets: Sequence[Definition], modules: ModuleIndex
) -> list[Candidate]:
    """Return the files among some that may read the name without a stored reference to it.

    The same word may be a local variable of theirs. So it must stand behind a dot, unless the file imports the module
    of a definition, or is in a language where the package or the spelling alone decides. A member may be named where an
    object is written out, too.
    """
    target_paths = {target.address for target in targets}
    folders = {posixpath.dirname(path) for path in target_paths}
    are_members = any(each.kind in MEMBERS and each.language in ECMASCRIPT for each in targets)
    otherwise = Reads.LABELLED if are_members else Reads.QUALIFIED
    candidates = []
    for text in view.files(paths):
        candidate = _candidate(text, name, target_paths, modules, None)
        is_bound = text.language in _BOUND_BY_SPELLING or (
            text.language in _BOUND_BY_FOLDER and posixpath.dirname(text.address) in folders
        )
        is_near = candidate.closeness < _FAR or (is_bound and bool(targets))
        candidates.append(replace(candidate, reads=Reads.ALL if is_near else otherwise))
    return candidates


def _is_local(view: View, target: Definition, origin: Text | None) -> bool:
    """Whether a definition stands inside a function, so that no other file can name it."""
    is_here = origin is not None and (target.path, target.uri) == (origin.path, origin.uri)
    text = origin if is_here else view.text_of(target)
    symbol = None if text is None else text.symbol(target.ordinal)
    while text is not None and symbol is not None and symbol.parent != -1:
        symbol = text.symbol(symbol.parent)
        if symbol is not None and symbol.kind in BODIES:
            return True
    return False


def _candidate(text: Text, name: str, target_paths: set[str], modules: ModuleIndex, origin: Text | None) -> Candidate:
    path = text.address
    if text is origin:
        closeness = 0
    elif path in target_paths:
        closeness = 1
    else:
        closeness = 2 if _imports(text, name, modules) else _FAR
    return Candidate(text, closeness)


def _imports(text: Text, name: str, modules: ModuleIndex) -> bool:
    if not modules.words or (len(modules.words) <= _FEW_WORDS and not text.may_import(modules.words)):
        return False
    return any(_may_bring(imported, name) and modules.holds(imported.module, text.address) for imported in text.imports)


def _may_bring(imported: Import, name: str) -> bool:
    return not imported.names or any(each.name in (name, "*") for each in imported.names)
