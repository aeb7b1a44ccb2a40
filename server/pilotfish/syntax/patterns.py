"""Queries: what each pattern of a language's query is for.

What a query may capture (one definition, reference, import … a match):

- `@definition.<kind>` on the whole definition, `<kind>` a `SymbolKind` in lower case, with `@name` on its name
  token(s); optional `@name.start` where the name begins before its token (the `~` of a destructor); `@body`, where the
  signature ends; `@container`, the name of a container that encloses nothing here (a Go receiver); `@documentation`, a
  node that documents it. Several matches on one name token are one symbol: the widest range, the kind of the last
  pattern.
- `@scope` with `@name`: not a symbol, but the container of what lies in it (a Rust `impl`).
- `@visibility.<visibility>` on a marker (`private:`): how far what follows it in the same symbol or scope is seen.
- `@discard` on a name token: no definition after all, whatever other patterns say.
- `@reference.call`, `.type`, `.import`, `.inherit` on the name token. Where a token is captured in several roles, and
  where it is a definition's name, inherit beats import beats call beats type, and the definition beats all.
  `@reference.type.capital` counts only where the name begins with a capital: cheaper by far than a `#match?`.
- `@import` on the statement, with `@import.module`, `@import.name`, `@import.alias`, `@import.default` (the local name
  of a default import). Matches on one module token are one import. Imported names are references of that role by
  themselves.
- `@export` on an exported name.
- `@_…` for predicates only.

Several `@container` in a match are joined, by dots, and several `@import.module` as they are. A body behind the
definition's node (a macro's) belongs to the definition.
Settings of a pattern: `(#set! level N)` nests headings by level, each up to the next of its level or above, and lets a
definition without braces (`namespace a.b;`) hold what follows it; `(#set! lead "type ")` begins the signature;
`(#set! prefix "./")` goes before a module that does not begin with a dot; `(#set! names "words")` takes a token of
several names apart (`qw(first sum)`); `(#set! near "reify|extend-type")` lets the pattern be looked for only where one
of these stands, which must be in each of its matches (`syntax.matching`).
They stand before predicates: after one, tree-sitter 0.26.1 corrupts memory when the query is made.

Queries are dear: a pattern that is rooted in the whole file keeps its states alive at every node of it (measured: five
such patterns cost as much as everything else). So patterns begin at the smallest node, and what an enclosing symbol
decides is decided afterwards (`Language.rule`): a variable or constant in a function is a local and dropped, one in a
class is a field.

`; inherits: javascript` in a query's first line puts that query before it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib import resources
from typing import TYPE_CHECKING, NamedTuple

from pilotfish.syntax.outline import Role, SymbolKind, Visibility

if TYPE_CHECKING:
    from tree_sitter import Query

_CAPITAL = ".capital"
_PRECEDENCE = (Role.INHERIT, Role.IMPORT, Role.CALL, Role.TYPE)
_ROLES = {
    "reference.inherit": Role.INHERIT,
    "reference.import": Role.IMPORT,
    "reference.call": Role.CALL,
    "reference.type": Role.TYPE,
}
_REFERENCES = _ROLES.keys() | {name + _CAPITAL for name in _ROLES}
_DEFINITION = "definition."
_KINDS = {kind.name.lower(): kind for kind in SymbolKind}
_MARKER = "visibility."
_VISIBILITIES = {visibility.name.lower(): visibility for visibility in Visibility}
_PARTS = frozenset(
    (
        "name",
        "name.start",
        "body",
        "container",
        "documentation",
        "import.module",
        "import.name",
        "import.alias",
        "import.default",
    )
)
_INHERITS = "; inherits:"
_CAPTURE = re.compile(rb'"(?:[^"\\]|\\.)*"|@([\w.]+)')
_MISPLACED_SETTING = re.compile(r'\(#[\w-]+\?(?:[^()"]|"(?:\\.|[^"\\])*")*\)\s*\(#set!')
_QUANTIFIED = re.compile(rb"[])_][*+?]")
_REMARK = re.compile(rb"^[ \t]*;.*$|[ \t];.*$", re.MULTILINE)


def query_source(name: str) -> str:
    """The text of a language's query, with those that it inherits put before it."""
    source = resources.files("pilotfish.syntax").joinpath("queries", f"{name}.scm").read_text("utf-8")
    first = source.split("\n", 1)[0]
    if not first.startswith(_INHERITS):
        return source
    inherited = first.removeprefix(_INHERITS).split(",")
    return "\n".join([*(query_source(other.strip()) for other in inherited), source])


def check_settings(name: str, source: str) -> None:
    """Raise ValueError where a `#set!` follows a predicate in the query of `name`, before the query is made."""
    if misplaced := _MISPLACED_SETTING.search(source):
        raise ValueError(f"#set! after a predicate in the query of {name}: {misplaced[0]}")


class Source(NamedTuple):
    """Where references come from: a group of patterns, the name of their capture, whether each of their matches is this
    one node and no other, and whether only names that begin with a capital count."""

    group: int
    key: str
    is_single: bool
    is_capital: bool


class Patterns:
    """What each pattern of a compiled query is for, by the names that it captures.

    Patterns that are for the same have the same group, so that their matches need no telling apart: `group_of` each
    pattern, `groups` in all. `references` are by role, those first whose meaning goes before that of others. `near` are
    the patterns that are looked for near the `marks` only.
    """

    def __init__(self, query: Query, source: bytes) -> None:
        self.group_of: list[int] = []
        self.groups = 0
        self.definitions: list[tuple[int, str, SymbolKind, int, str]] = []  # with level and lead
        self.scopes: list[int] = []
        self.markers: list[tuple[int, str, Visibility]] = []
        self.discards: list[int] = []
        self.imports: list[tuple[int, str]] = []  # with prefix
        self.exports: list[int] = []
        self.references: list[tuple[Role, list[Source]]] = [(role, []) for role in _PRECEDENCE]
        self.lists: set[int] = set()
        self.has_levels = False
        self.near: set[int] = set()
        self.marks: list[bytes] = []
        shared: dict[str, int] = {}
        for pattern in range(query.pattern_count):
            written = source[query.start_byte_for_pattern(pattern) : query.end_byte_for_pattern(pattern)]
            written = _REMARK.sub(b"", written)
            captured = {name.decode() for name in _CAPTURE.findall(written) if name}
            settings = query.pattern_settings(pattern)
            if marks := settings.get("near"):
                self.near.add(pattern)
                self.marks += marks.encode().split(b"|")
            is_single = len(captured) == 1 and not _QUANTIFIED.search(written)
            if is_single and (group := shared.get(next(iter(captured)))) is not None:
                self.group_of.append(group)
                continue
            if settings.get("names") == "words":
                self.lists.add(self.groups)
            self._sort(self.groups, captured, settings, is_single)
            if is_single and captured <= _REFERENCES:
                shared[next(iter(captured))] = self.groups
            self.group_of.append(self.groups)
            self.groups += 1

    def _sort(self, group: int, captured: set[str], settings: Mapping[str, str | None], is_single: bool) -> None:
        level, lead = int(settings.get("level") or 0), settings.get("lead") or ""
        self.has_levels |= level > 0
        for name in captured:
            if name.startswith(_DEFINITION):
                self.definitions.append((group, name, _KINDS[name.removeprefix(_DEFINITION)], level, lead))
            elif role := _ROLES.get(name.removesuffix(_CAPITAL)):
                self.references[_PRECEDENCE.index(role)][1].append(
                    Source(group, name, is_single, name.endswith(_CAPITAL))
                )
            elif name == "scope":
                self.scopes.append(group)
            elif name.startswith(_MARKER):
                self.markers.append((group, name, _VISIBILITIES[name.removeprefix(_MARKER)]))
            elif name == "discard":
                self.discards.append(group)
            elif name == "import":
                self.imports.append((group, settings.get("prefix") or ""))
            elif name == "export":
                self.exports.append(group)
            elif name not in _PARTS and not name.startswith("_"):
                raise ValueError(f"unknown capture @{name} in pattern {len(self.group_of)}")
