"""Queries: what each pattern of a language's query is for.

What a query may capture (one definition, reference, import … a match):

- `@definition.<kind>` on the whole definition, `<kind>` a `SymbolKind` in lower case, with `@name` on its name
  token(s); optional `@body`, where the signature ends; `@container`, the name of a container that encloses nothing here
  (a Go receiver); `@documentation`, a node that documents it. Several matches on one name token are one symbol: the
  widest range, the kind of the last pattern.
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

Several `@container` in a match are joined. A body behind the definition's node (a macro's) belongs to the definition.
Settings of a pattern: `(#set! level N)` nests headings by level, each up to the next of its level or above;
`(#set! lead "type ")` begins the signature; `(#set! prefix "./")` goes before a module that does not begin with a dot.
They stand before predicates: after one, tree-sitter 0.26.1 corrupts memory when the query is made.

Queries are dear: a pattern that is rooted in the whole file keeps its states alive at every node of it (measured: five
such patterns cost as much as everything else). So patterns begin at the smallest node, and what an enclosing symbol
decides is decided afterwards (`syntax.rules`): a variable or constant in a function is a local and dropped, one in a
class is a field.

`; inherits: javascript` in a query's first line puts that query before it.
"""

from __future__ import annotations

import re
from importlib import resources
from typing import TYPE_CHECKING

from pilotfish.syntax.outline import Role, SymbolKind, Visibility

if TYPE_CHECKING:
    from tree_sitter import Query

CAPITAL = ".capital"
_ROLES = {
    "reference.inherit": Role.INHERIT,
    "reference.import": Role.IMPORT,
    "reference.call": Role.CALL,
    "reference.type": Role.TYPE,
}
_DEFINITION = "definition."
_KINDS = {kind.name.lower(): kind for kind in SymbolKind}
_MARKER = "visibility."
_VISIBILITIES = {visibility.name.lower(): visibility for visibility in Visibility}
_PARTS = frozenset(
    ("name", "body", "container", "documentation", "import.module", "import.name", "import.alias", "import.default")
)
_INHERITS = "; inherits:"
_CAPTURE = re.compile(rb"@([\w.]+)")
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


class Patterns:
    """What each pattern of a compiled query is for, by the names that it captures."""

    def __init__(self, query: Query, source: bytes) -> None:
        self.count = query.pattern_count
        self.definitions: list[tuple[int, str, SymbolKind]] = []
        self.scopes: list[int] = []
        self.markers: list[tuple[int, str, Visibility]] = []
        self.discards: list[int] = []
        self.imports: list[int] = []
        self.exports: list[int] = []
        self.references: list[tuple[int, str, Role]] = []
        self.single: set[int] = set()  # patterns whose every match captures one node and no other
        self.levels: dict[int, int] = {}
        self.prefixes: dict[int, str] = {}
        self.leads: dict[int, str] = {}
        for pattern in range(self.count):
            settings = query.pattern_settings(pattern)
            if level := settings.get("level"):
                self.levels[pattern] = int(level)
            if lead := settings.get("lead"):
                self.leads[pattern] = lead
            if prefix := settings.get("prefix"):
                self.prefixes[pattern] = prefix
            written = source[query.start_byte_for_pattern(pattern) : query.end_byte_for_pattern(pattern)]
            written = _REMARK.sub(b"", written)
            captured = {name.decode() for name in _CAPTURE.findall(written)}
            self._sort(pattern, captured)
            if len(captured) == 1 and not _QUANTIFIED.search(written):
                self.single.add(pattern)

    def _sort(self, pattern: int, captured: set[str]) -> None:
        for name in captured:
            if name.startswith(_DEFINITION):
                self.definitions.append((pattern, name, _KINDS[name.removeprefix(_DEFINITION)]))
            elif role := _ROLES.get(name.removesuffix(CAPITAL)):
                self.references.append((pattern, name, role))
            elif name == "scope":
                self.scopes.append(pattern)
            elif name.startswith(_MARKER):
                self.markers.append((pattern, name, _VISIBILITIES[name.removeprefix(_MARKER)]))
            elif name == "discard":
                self.discards.append(pattern)
            elif name == "import":
                self.imports.append(pattern)
            elif name == "export":
                self.exports.append(pattern)
            elif name not in _PARTS and not name.startswith("_"):
                raise ValueError(f"unknown capture @{name} in pattern {pattern}")
