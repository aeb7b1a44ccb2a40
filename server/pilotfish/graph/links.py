"""Which definition a name means: evidence from scope and imports, as a pure ranking over plain data.

The order of evidence is that of the issue: the same file and the nearest enclosing scope, then files whose module path
ends in a module that this file imports the name from, then neighbours, then the bare name. Names alone are weak
evidence and imports strong (facts: perf §5), so a strong tier hides the weaker ones below it.
"""

from __future__ import annotations

import enum
import posixpath
import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol, TypeVar

from pilotfish.syntax.facts import related_languages
from pilotfish.syntax.outline import Import, Outline, Symbol, SymbolKind, Visibility
from pilotfish.syntax.spellings import key_of, spellings_of


class Evidence(enum.IntEnum):
    """Why a candidate is believed to be what a name means; a higher value is stronger."""

    NAME = 0
    NEIGHBOUR = 1  # the same folder and language: Go and Java packages
    OPENED = 2  # a file that is imported as a whole or by wildcard
    IMPORTED = 3  # the name itself is imported from that module
    SAME_FILE = 4
    SCOPE = 5  # defined in a scope that encloses the place


class Candidate(Protocol):
    """One definition of the name, as far as ranking needs it."""

    @property
    def address(self) -> str:
        """The path in the root, or the URI of a document that has none."""

    @property
    def language(self) -> str | None:
        """The language of the file."""

    @property
    def ordinal(self) -> int:
        """Its index in the outline of its file."""

    @property
    def kind(self) -> SymbolKind:
        """What it is."""

    @property
    def container(self) -> str:
        """The dotted names of what it lies in."""

    @property
    def visibility(self) -> Visibility:
        """How far it is meant to be seen."""

    @property
    def line(self) -> int:
        """The 0-based line of its name."""


C = TypeVar("C", bound=Candidate)


@dataclass(frozen=True, slots=True)
class Use:
    """Where the name stands: its file, the offset there, and the word before a dot (`qualifier`) if there is one."""

    name: str
    address: str
    language: str | None
    offset: int
    qualifier: str = ""


_SEPARATORS = re.compile(r"[./:\\]+|::")
_TEST = re.compile(r"(^|/)(tests?|spec|__tests__|testing)(/|$)|(^|/)test_|_test\.|\.test\.|\.spec\.")
_STEM_IS_FOLDER = frozenset({"index", "__init__", "mod", "lib", "init"})
_REMEMBERED = 4_096
"""Modules and paths whose parts are kept: one question meets the same ones again and again."""


@lru_cache(maxsize=_REMEMBERED)
def module_segments(path: str) -> tuple[str, ...]:
    """Return the names by which other files import the file at `path`: `a/b/__init__.py` is (`a`, `b`)."""
    stem, _ = posixpath.splitext(path)
    segments = tuple(part for part in stem.split("/") if part)
    if len(segments) > 1 and segments[-1] in _STEM_IS_FOLDER:
        segments = segments[:-1]
    return segments


def names_module(module: str, importer: str, path: str) -> int:
    """How many trailing segments of `path` the imported `module` names, all of its own; 0 when it names another file.

    A relative module (`./util`, `..models`) is taken from the importer's folder and must name the file exactly.
    """
    wanted = leads_to(module, importer)
    if not wanted:
        return 0
    target = module_segments(path)
    if _is_relative(module):
        return len(wanted) + 1 if wanted in (target, target[:-1]) else 0
    if target[-len(wanted) :] == wanted:
        return len(wanted)
    # Go and Java name a folder (a package); Rust and Java may end in the name of the item itself.
    folder = target[:-1]
    if folder[-len(wanted) :] == wanted:
        return len(wanted)
    shorter = wanted[:-1]
    if shorter and target[-len(shorter) :] == shorter:
        return len(shorter)
    # A module path may begin outside the root (`github.com/owner/name/pkg`): its tail must be the whole folder.
    if len(wanted) > 2 and folder and len(folder) < len(wanted) and wanted[-len(folder) :] == folder:
        return len(folder)
    return 0


class ModuleIndex:
    """Some files by the names that a module path can end in, so that an import is compared with few of them.

    `words` are these names in UTF-8.
    """

    def __init__(self, paths: Iterable[str]) -> None:
        self._by_name: dict[str, list[str]] = {}
        for path in paths:
            for name in module_segments(path)[-2:]:
                self._by_name.setdefault(name, []).append(path)
        self.words = [name.encode("utf-8", "replace") for name in self._by_name]

    def holds(self, module: str, importer: str) -> bool:
        """Whether an imported `module` names one of the files, as `names_module` tells."""
        return any(
            names_module(module, importer, path)
            for name in leads_to(module, importer)[-2:]
            for path in self._by_name.get(name, ())
        )


def _is_relative(module: str) -> bool:
    return module.lstrip("<\"'").startswith(".")


def leads_to(module: str, importer: str) -> tuple[str, ...]:
    """Return the names that a file's module path must end in for `module` to mean it; none where it means nothing
    here."""
    return _relative(module, posixpath.dirname(importer)) if _is_relative(module) else _absolute(module)


@lru_cache(maxsize=_REMEMBERED)
def _absolute(module: str) -> tuple[str, ...]:
    parts = _SEPARATORS.split(_without_extension(module.strip("<>\"'")))
    return tuple(part for part in parts if part not in {"", "crate", "self", "super"})


def _without_extension(module: str) -> str:
    """Drop a file ending from a module that is written as a path (`util/list.h`)."""
    if "/" in module or module.endswith((".h", ".hpp", ".hh", ".js", ".ts", ".rb", ".sh")):
        return posixpath.splitext(module)[0]
    return module


@lru_cache(maxsize=_REMEMBERED)
def _relative(module: str, folder: str) -> tuple[str, ...]:
    """Resolve `./x`, `../x` and Python's `..x` against the importer's folder; nothing when it leaves the root."""
    module = module.strip("<>\"'")
    if module.startswith(("./", "../")) or module in {".", ".."}:
        joined = posixpath.normpath(posixpath.join(folder, _without_extension(module)))
    else:
        dots = len(module) - len(module.lstrip("."))
        rest = module[dots:].replace(".", "/")
        joined = posixpath.normpath(posixpath.join(folder, *[".."] * (dots - 1), rest))
    if joined.startswith(".."):
        return ()
    segments = tuple(part for part in joined.split("/") if part not in {"", "."})
    if len(segments) > 1 and segments[-1] in _STEM_IS_FOLDER:
        segments = segments[:-1]
    return segments


def enclosing(symbols: Sequence[Symbol], offset: int) -> list[int]:
    """Return the ordinals of the definitions that enclose `offset`, innermost first."""
    # Symbols stand in the order of their starts: what begins behind the offset cannot enclose it.
    last = bisect_right(symbols, offset, key=_start)
    return [
        ordinal for ordinal in range(last - 1, -1, -1) if offset < max(symbols[ordinal].end, symbols[ordinal].start + 1)
    ]


def _start(symbol: Symbol) -> int:
    return symbol.start


def best(use: Use, outline: Outline, candidates: Iterable[C]) -> list[C]:
    """Return the candidates for which the strongest evidence speaks, best first.

    Left out are those in unrelated languages and those that the use's qualifier rules out. Bare names are all kept,
    since none of them is better than another. `outline` is that of the text in which the name stands.

    There may be thousands of candidates, and most of them have weaker evidence than others: only those that are left
    in the end are put in order, and files are looked at once.
    """
    languages = related_languages(use.language)
    scopes = enclosing(outline.symbols, use.offset)
    depth_of = {ordinal: len(scopes) - place for place, ordinal in enumerate(scopes)}
    claims = _Claims(use, outline)
    names_module_whole = any(_names_whole(imported, use.qualifier) for imported in outline.imports)
    strongest = Evidence.NAME
    kept: list[tuple[int, C]] = []
    for candidate in candidates:
        if candidate.language not in languages:
            continue
        address = candidate.address
        if address == use.address:
            evidence, strength = _local_evidence(use, outline, depth_of, candidate)
        else:
            evidence, strength = claims.evidence(address)
        if evidence < strongest:
            continue
        if evidence <= Evidence.NEIGHBOUR and _is_ruled_out(use, candidate, names_module_whole):
            continue
        if evidence > strongest:
            strongest, kept = evidence, []
        kept.append((strength, candidate))
    return _ordered(use, kept)


def _ordered(use: Use, kept: Iterable[tuple[int, C]]) -> list[C]:
    """Put candidates with the same evidence in order by its strength and by what else speaks for them."""
    in_test = is_test(use.address)
    nearness = Nearness([use.address])

    def order(pair: tuple[int, C]) -> tuple[object, ...]:
        strength, candidate = pair
        address = candidate.address
        return (
            -strength,
            _qualifier_mismatch(use, candidate),
            not in_test and is_test(address),
            candidate.visibility,
            -nearness.of(address),
            address,
            candidate.line,
            candidate.ordinal,
        )

    return [candidate for _, candidate in sorted(kept, key=order)]


class _Claims:
    """What the imports of a text say of its name, asked file by file."""

    def __init__(self, use: Use, outline: Outline) -> None:
        self._use = use
        self._address = key_of(use.address, use.language)
        self._folder = self._address.rpartition("/")[0]
        self._claims = [
            (kind, key_of(each.module, use.language))
            for each in outline.imports
            if (kind := _import_evidence(use, each))
        ]
        self._names = frozenset(
            name
            for kind, module in self._claims
            for variant in ((module, self._member(module)) if kind is Evidence.IMPORTED else (module,))
            for name in leads_to(variant, self._address)[-2:]
        )
        self._known: dict[str, tuple[Evidence, int]] = {}

    def _member(self, module: str) -> str:
        """`from package import module` binds a module: then what is meant lies in package/module."""
        return f"{module.rstrip('.')}.{key_of(self._use.qualifier, self._use.language)}"

    def evidence(self, address: str) -> tuple[Evidence, int]:
        """The evidence for what another file defines, and how many names of its path an import gives."""
        found = self._known.get(address)
        if found is None:
            found = self._known[address] = self._evidence(key_of(address, self._use.language))
        return found

    def _evidence(self, address: str) -> tuple[Evidence, int]:
        strongest, strength = Evidence.NAME, 0
        if not self._names.isdisjoint(_tail(address)):
            for kind, module in self._claims:
                tail = names_module(module, self._address, address)
                if not tail and kind is Evidence.IMPORTED:
                    tail = names_module(self._member(module), self._address, address)
                if tail and (kind, tail) > (strongest, strength):
                    strongest, strength = kind, tail
        if strongest is Evidence.NAME and address.rpartition("/")[0] == self._folder:
            return Evidence.NEIGHBOUR, 0
        return strongest, strength


def _tail(path: str) -> tuple[str, ...]:
    """Every name that one of the last two `module_segments` of a path can be, for less."""
    *folders, name = path.rsplit("/", 3)[-3:]
    return (*folders, name, name.rpartition(".")[0])


class Nearness:
    """How many folders a path shares with the nearest of some others."""

    def __init__(self, addresses: Iterable[str]) -> None:
        self._folders = {tuple(address.split("/")[:-1]) for address in addresses}
        self._known: dict[str, int] = {}

    def of(self, address: str) -> int:
        """The folders that `address` shares with the nearest."""
        folder = address.rpartition("/")[0]
        shared = self._known.get(folder)
        if shared is None:
            parts = folder.split("/") if folder else []
            shared = self._known[folder] = max((_shared(each, parts) for each in self._folders), default=0)
        return shared


def _shared(one: Sequence[str], other: Sequence[str]) -> int:
    shared = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        shared += 1
    return shared


def _local_evidence(use: Use, outline: Outline, depth_of: dict[int, int], candidate: Candidate) -> tuple[Evidence, int]:
    symbol = outline.symbols[candidate.ordinal] if candidate.ordinal < len(outline.symbols) else None
    if symbol is None:
        return Evidence.SAME_FILE, 0
    if symbol.name_start <= use.offset <= symbol.name_end:
        return Evidence.SCOPE, 1_000
    if symbol.parent == -1:
        return (Evidence.SAME_FILE, 0) if use.qualifier else (Evidence.SCOPE, 0)
    depth = depth_of.get(symbol.parent)
    return (Evidence.SAME_FILE, 0) if depth is None else (Evidence.SCOPE, depth)


def _import_evidence(use: Use, imported: Import) -> Evidence | None:
    """What an import says about a use, when its module is the candidate's file."""
    if not imported.names:
        return Evidence.OPENED
    for name in imported.names:
        if name.name == "*":
            return Evidence.OPENED
        brought = {key_of(each, use.language) for each in (name.alias, name.name)} - {""}
        if not brought.isdisjoint((key_of(use.name, use.language), key_of(use.qualifier, use.language))):
            return Evidence.IMPORTED
    return None


def _is_ruled_out(use: Use, candidate: Candidate, names_module_whole: bool) -> bool:
    """Whether the word before the dot speaks against a candidate for which no import speaks.

    A qualifier that names an imported module (`bytes` of `bytes.Buffer`; then `names_module_whole`) means that module,
    and the candidate lies elsewhere. Any other (`parts` of `parts.join`) is a value or a type: what it reaches is a
    member, or lies in a module of that name; a function at the top of some file is neither.
    """
    if not use.qualifier or use.qualifier in _OWN:
        return False
    if use.qualifier == candidate.container.rpartition(".")[2]:
        return False
    around = module_segments(candidate.address)
    if use.qualifier in around:
        return False
    if spellings_of(use.qualifier, use.language) is not None:
        around = (candidate.container.rpartition(".")[2], *around)
        if key_of(use.qualifier, use.language) in (key_of(each, use.language) for each in around):
            return False
    return names_module_whole or not candidate.container


_OWN = frozenset({"self", "this", "super", "cls", "Self", "crate"})


def _names_whole(imported: Import, name: str) -> bool:
    """Whether an import gives this file a whole module under this name."""
    if not imported.names:
        return _absolute(imported.module)[-1:] == (name,)
    return any(each.name == "*" and each.alias == name for each in imported.names)


def _qualifier_mismatch(use: Use, candidate: Candidate) -> bool:
    """Prefer `Class.method` when the qualifier is the container's name, and functions over methods without one."""
    container = candidate.container.rpartition(".")[2]
    if not use.qualifier:
        return bool(container) and candidate.kind in (SymbolKind.METHOD, SymbolKind.FIELD, SymbolKind.PROPERTY)
    return key_of(use.qualifier, use.language) != key_of(container, use.language)


@lru_cache(maxsize=_REMEMBERED)
def is_test(path: str) -> bool:
    """Whether a path looks like that of a test."""
    return _TEST.search(path) is not None
