"""A piece of code explained, as `explain_code` answers: what it is, what it uses, who uses it, its past."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec

from pilotfish.engine import near_paths
from pilotfish.engine.addresses import path_of_argument
from pilotfish.engine.binding import Binder
from pilotfish.engine.certainty import Certainty
from pilotfish.engine.naming import closest, node_named, title
from pilotfish.engine.navigation.holders import FOR_AN_EDITOR
from pilotfish.engine.navigation.judged import judged_uses
from pilotfish.engine.navigation.names import definitions_named
from pilotfish.engine.outlined import File, Node, Reference
from pilotfish.engine.passages import Sources, snippet
from pilotfish.engine.wire import INVALID_PARAMS, OperationError
from pilotfish.graph.links import is_test
from pilotfish.graph.tokens import CHARACTERS_A_TOKEN, estimate
from pilotfish.operations.explain import ExplainCodeParameters, ExplainCodeResult, PastCommit, RelatedCode, Relation
from pilotfish.syntax.outline import BODIES, TYPES, Role
from pilotfish.workspace import paths

if TYPE_CHECKING:
    from pilotfish.engine.view import View

MOST_RELATED: Final = 50
"""So many definitions are listed of each sort, whatever the budget."""

MOST_MEMBERS: Final = 200

MOST_FOREIGN: Final = 5
"""So many imports are listed that lead out of the repository: they say least of all."""

MOST_COMMITS: Final = 5

MOST_LOOKED_INTO: Final = 150
"""So many files are looked into for who uses a definition."""

_OVERHEAD: Final = 150
"""Tokens of an answer with nothing in it."""

_TELLING: Final = 40
"""Letters of a documentation that tell it from others."""

_DOCUMENTATION: Final = 800
_SIGNATURE: Final = 300
_SHORT: Final = 120
"""Characters of a documentation, a signature, and one of a related definition that are given at most."""

_ENDING: Final = re.compile(r"\.(?:h|hh|hpp|hxx|js|mjs|cjs|ts|tsx|jsx|rb|sh)$")
_SOURCES: Final = ("src", "lib")
"""Folders that names of modules begin below."""


class Subject(NamedTuple):
    """What is explained: a definition (or a file) and the lines of it that are meant, from 1, both included."""

    node: Node
    line_start: int
    line_end: int
    is_whole: bool

    @property
    def is_file(self) -> bool:
        """Whether a whole file is meant."""
        return self.is_whole and self.node.ordinal < 0


def explain_code(view: View, binder: Binder, sources: Sources, parameters: ExplainCodeParameters) -> ExplainCodeResult:
    """Explain a piece of code; see `operations.explain`.

    Raises:
        OperationError: not exactly one piece is named, the file lies outside the root, or the lines are none.

    """
    result = ExplainCodeResult(max_tokens=parameters.max_tokens)
    subject = _subject(view, binder, parameters)
    if subject is None:
        result.outcome = "no_match"
        result.hint = _nothing(view, sources, parameters)
        return result
    file = binder.file(subject.node.path)
    assert file is not None
    _identify(view, result, file, subject, parameters)
    packing = _Packing(result, parameters.max_tokens)
    members = _members(binder, file, subject)
    _pack_itself(packing, sources, file, subject, members)
    packing.list("ancestry", _ancestry(binder, subject))
    if not subject.is_file:
        packing.list("members", members, most=MOST_MEMBERS)
    users = _users(view, binder, subject.node)
    for name, number in users.counts.items():
        setattr(result, name, number)
    result.use_files = users.files
    uses = _uses(binder, file, subject)
    packing.list("used_by", users.code, spare=uses)
    packing.list("uses", uses)
    packing.list("tests", users.tests)
    packing.list("file_imports", _imports(view, file, subject))
    result.imported_by = _imported_by(view, subject.node.path)
    packing.list("history", _history(view, subject.node.path))
    packing.list("others", _others(view, binder, subject.node))
    result.tokens = packing.tokens
    result.hint = _hint(result)
    return result


def _pack_itself(
    packing: _Packing, sources: Sources, file: File, subject: Subject, members: Sequence[RelatedCode]
) -> None:
    """Put in what the piece itself says: lines that were asked for as far as there is room; of a file with members
    these first, and the source if all of it fits, since most files begin with imports; the documentation where the
    source does not have it."""
    lines = sources.lines(subject.node.path, subject.line_start, subject.line_end)
    documentation = _documentation(file, subject.node)[:_DOCUMENTATION]
    if subject.is_file:
        packing.list("members", members, most=MOST_MEMBERS)
    shown = packing.source(lines, share=0.5 if subject.is_whole else 1.0, is_whole=subject.is_file and bool(members))
    if not subject.is_whole:
        documentation = documentation.partition("\n\n")[0]
    if documentation and not (subject.is_whole and says(shown, documentation)):
        packing.text("documentation", documentation)


def says(source: str, documentation: str) -> bool:
    """Tell whether a source holds how a documentation begins, however both are indented and marked as comments."""
    beginning = _letters(documentation)[:_TELLING]
    return bool(beginning) and beginning in _letters(source)


def _letters(text: str) -> str:
    return "".join(character for character in text if character.isalnum())


# --- what is meant ---------------------------------------------------------------------------------------------------


def _subject(view: View, binder: Binder, parameters: ExplainCodeParameters) -> Subject | None:
    if (parameters.symbol_name is None) == (parameters.file_path is None):
        raise OperationError(
            INVALID_PARAMS,
            "explain_code needs one piece of code",
            "send symbol_name, or file_path with line_start and line_end",
        )
    if parameters.symbol_name is not None:
        node = node_named(view, parameters.symbol_name, parameters.file_hint)
        return None if node is None else _whole(binder, node)
    assert parameters.file_path is not None
    path = path_of_argument(view.root, parameters.file_path)
    if path is None:
        message = f"{parameters.file_path} lies outside the root"
        raise OperationError(INVALID_PARAMS, message, "name a file relative to the root")
    if binder.file(path) is None:
        return None
    return _lines(binder, path, parameters.line_start, parameters.line_end)


def _whole(binder: Binder, node: Node) -> Subject | None:
    file = binder.file(node.path)
    if file is None:
        return None
    if node.ordinal < 0:
        return Subject(node, 1, _line(file, len(file.text.text)), True)
    symbol = file.symbols[node.ordinal]
    return Subject(node, _line(file, symbol.start), _line(file, max(symbol.start, symbol.end - 1)), True)


def _lines(binder: Binder, path: str, first: int | None, last: int | None) -> Subject | None:
    if first is None:
        if last is not None:
            raise OperationError(INVALID_PARAMS, "line_end without line_start", "send both, or neither for the file")
        return _whole(binder, Node(path, -1))
    last = first if last is None else last
    if last < first:
        raise OperationError(INVALID_PARAMS, f"line {last} comes before line {first}", "send line_start first")
    file = binder.file(path)
    assert file is not None
    end = _line(file, len(file.source))
    if first > end:
        raise OperationError(INVALID_PARAMS, f"{path} has {end:,} lines", f"send line_start from 1 to {end}")
    last = min(last, end)
    ordinal = _around(file, first, last)
    subject = _whole(binder, Node(path, ordinal))
    if subject is None or (subject.line_start, subject.line_end) == (first, last):
        return subject
    return Subject(subject.node, first, last, False)


def _around(file: File, first: int, last: int) -> int:
    """Return the innermost definition that some lines are, lie in, or hold alone."""
    start, end = (file.text.lines.line_bounds(line - 1) for line in (first, last))
    inside = -1
    for ordinal, symbol in enumerate(file.symbols):
        begins, ends = file.text.lines.line_of(symbol.start) + 1, _line(file, max(symbol.start, symbol.end - 1))
        if begins <= first and last <= ends:
            inside = ordinal
    if inside >= 0:
        return inside
    held = [each for each, symbol in enumerate(file.symbols) if symbol.parent < 0 and start[0] <= symbol.start < end[1]]
    return held[0] if len(held) == 1 else -1


def _line(file: File, offset: int) -> int:
    return file.text.lines.line_of(offset) + 1


def _nothing(view: View, sources: Sources, parameters: ExplainCodeParameters) -> str:
    if parameters.symbol_name is not None:
        return closest(view, parameters.symbol_name)
    assert parameters.file_path is not None
    return near_paths.advice(sources, parameters.file_path)


def _identify(
    view: View, result: ExplainCodeResult, file: File, subject: Subject, parameters: ExplainCodeParameters
) -> None:
    path, ordinal = subject.node
    result.path, result.line_start, result.line_end = path, subject.line_start, subject.line_end
    result.language = file.text.language or ""
    result.name, result.kind = path, "file"
    if ordinal >= 0:
        symbol = file.symbols[ordinal]
        result.name, result.kind, result.container = symbol.name, symbol.kind.label, file.containers[ordinal]
        result.visibility = ("public", "restricted", "private")[symbol.visibility]
        result.signature = file.text.signature(symbol)[:_SIGNATURE]
        if not subject.is_whole:
            result.enclosing_start = _line(file, symbol.start)
            result.enclosing_end = _line(file, max(symbol.start, symbol.end - 1))
    if parameters.absolute_paths:
        result.absolute_path = paths.join(view.root, path)


def _documentation(file: File, node: Node) -> str:
    return file.text.documentation(file.symbols[node.ordinal]) if node.ordinal >= 0 else ""


# --- the budget ------------------------------------------------------------------------------------------------------


class _Packing:
    """Puts parts into an answer in the order in which they come, as long as there is room."""

    def __init__(self, result: ExplainCodeResult, max_tokens: int) -> None:
        self._result = result
        self._left = max_tokens - _OVERHEAD - estimate(result.signature + result.name + result.container + result.path)
        self._max = max_tokens

    @property
    def tokens(self) -> int:
        """What the answer costs."""
        return self._max - self._left

    def text(self, name: str, text: str) -> None:
        """Put a text in if it fits."""
        if (cost := estimate(text)) <= self._left:
            setattr(self._result, name, text)
            self._left -= cost
        else:
            self._result.left_out += 1

    def source(self, lines: Sequence[str], *, share: float, is_whole: bool) -> str:
        """Put as many lines in as fit into a share of what is left, or all or none, and return them."""
        shown = snippet(lines, max(0, int(self._left * share)) * CHARACTERS_A_TOKEN)
        is_cut = bool(lines) and (not shown or shown != snippet(lines, 1 << 30))
        shown = "" if is_cut and is_whole else shown
        self._result.source, self._result.source_truncated = shown, is_cut
        self._left -= estimate(shown)
        return shown

    def list(self, name: str, values: Iterable[Any], *, most: int = MOST_RELATED, spare: Iterable[Any] = ()) -> None:
        """Put as many values in as fit; half of what is left is spared for others as far as they need it."""
        kept: list[Any] = []
        room = self._left - min(self._left // 2, sum(map(_cost, spare)))
        for number, value in enumerate(values):
            cost = _cost(value)
            if number >= most or cost > room:
                self._result.left_out += 1
                continue
            if len(kept) == number:  # nothing stands behind a gap
                kept.append(value)
                room -= cost
                self._left -= cost
            else:
                self._result.left_out += 1
        setattr(self._result, name, kept)


def _cost(value: Any) -> int:
    return estimate(msgspec.json.encode(value).decode())


# --- what it has to do with others -----------------------------------------------------------------------------------


def _related(
    binder: Binder, relation: Relation, node: Node, *, used_at: int = 0, count: int = 1, possible: int = 1
) -> RelatedCode:
    name, kind, place = title(binder, node)
    file = binder.file(node.path)
    signature = ""
    if file is not None and node.ordinal >= 0 and relation in ("calls", "member", "overrides"):
        signature = file.text.signature(file.symbols[node.ordinal])[:_SHORT]
    return RelatedCode(
        relation=relation,
        name=name,
        kind=kind,
        path=node.path,
        line=int(place.rpartition(":")[2]),
        used_at=used_at,
        count=count,
        ambiguous=possible if possible > 1 else 0,
        signature=signature,
    )


_RELATIONS: Final[dict[Role, Relation]] = {Role.CALL: "calls", Role.TYPE: "uses type"}


def _uses(binder: Binder, file: File, subject: Subject) -> list[RelatedCode]:
    """What the piece calls, then the types that it names, each in the order of its text."""
    found: dict[tuple[Role, Node], tuple[Reference, int, int]] = {}
    for reference in _references(file, subject):
        if reference.role not in _RELATIONS:
            continue
        meant = binder.meanings(subject.node.path, reference)
        if not meant or _is_inside(file, subject, meant[0]):
            continue
        first, count, possible = found.get((reference.role, meant[0]), (reference, 0, len(meant)))
        found[reference.role, meant[0]] = first, count + 1, possible
    return [
        _related(binder, _RELATIONS[role], node, used_at=_line(file, first.offset), count=count, possible=possible)
        for role in _RELATIONS
        for (of, node), (first, count, possible) in found.items()
        if of is role
    ]


def _references(file: File, subject: Subject) -> list[Reference]:
    if subject.node.ordinal >= 0 and subject.is_whole:
        symbol = file.symbols[subject.node.ordinal]
        return file.within(symbol.start, symbol.end)
    start, _ = file.text.lines.line_bounds(subject.line_start - 1)
    _, end = file.text.lines.line_bounds(subject.line_end - 1)
    return file.within(start, end)


def _is_inside(file: File, subject: Subject, node: Node) -> bool:
    """Whether a definition is the piece or a part of it."""
    if node.path != subject.node.path:
        return False
    if node == subject.node:
        return subject.is_whole
    line = _line(file, file.symbols[node.ordinal].name_start)
    return subject.line_start <= line <= subject.line_end


class _Users(NamedTuple):
    code: list[RelatedCode]
    tests: list[RelatedCode]
    counts: dict[str, int]
    files: int


_NO_USERS: Final = _Users([], [], {}, 0)
_COUNTED: Final = {"call": "calls", "type": "types", "import": "imports", "inherit": "inherits", "read": "reads"}


def _users(view: View, binder: Binder, node: Node) -> _Users:
    """Who uses a definition: what is bound to it is counted and comes first, then what only holds its name and may mean
    it, as `find_usages` tells them apart."""
    definition = binder.definition(node)
    if definition is None:
        return _NO_USERS
    counts: Counter[str] = Counter()
    files: set[str] = set()
    found: dict[tuple[bool, bool, Node], list[Any]] = {}
    for use, certainty in judged_uses(view, definition, view.definitions(definition.name), FOR_AN_EDITOR):
        path = use.text.address
        in_test, is_bound = is_test(path), certainty is Certainty.BOUND
        counts["name_uses" if not is_bound else "test_uses" if in_test else _COUNTED[use.role]] += 1
        if is_bound:
            files.add(path)
        file = binder.file(path) if path in files or len(files) < MOST_LOOKED_INTO else None
        owner = None if file is None else Node(path, file.owner(use.start))
        if owner is not None and use.role != "import" and owner != node:
            found.setdefault((in_test, not is_bound, owner), [use.role, use.span.start.line + 1, 0])[2] += 1
    shown: dict[bool, list[RelatedCode]] = {False: [], True: []}
    for (in_test, by_name, owner), (role, line, count) in sorted(found.items(), key=lambda each: each[0][1]):
        if len(shown[in_test]) < MOST_RELATED:
            relation: Relation = "may be used by" if by_name else _USED.get(role, "used by")
            shown[in_test].append(_related(binder, relation, owner, used_at=line, count=count))
    return _Users(shown[False], shown[True], dict(counts), len(files))


_USED: Final[dict[str, Relation]] = {"call": "called by", "inherit": "inherited by"}


def _ancestry(binder: Binder, subject: Subject) -> list[RelatedCode]:
    """What a type inherits, what a member overrides, and what is made of both."""
    file = binder.file(subject.node.path)
    if file is None or subject.node.ordinal < 0 or not subject.is_whole:
        return []
    symbol = file.symbols[subject.node.ordinal]
    if symbol.kind in TYPES:
        bases = [_related(binder, "inherits", each) for each in binder.kinship.bases(subject.node)]
        return bases + [_related(binder, "inherited by", each) for each in binder.kinship.heirs(subject.node)]
    kind = file.type_of(subject.node.ordinal)
    if kind < 0 or symbol.kind not in BODIES:
        return []
    own = Node(subject.node.path, kind)
    over = [_related(binder, "overrides", each) for each in binder.kinship.inherited(own, symbol.name)]
    under = [
        _related(binder, "overridden by", member)
        for heir in binder.kinship.heirs(own)
        for member in binder.kinship.members_named(heir, symbol.name)
    ]
    return over + under


def _members(binder: Binder, file: File, subject: Subject) -> list[RelatedCode]:
    """What is in a type; in a file what is in its types too."""
    node = subject.node
    if not subject.is_whole or (node.ordinal >= 0 and file.symbols[node.ordinal].kind not in TYPES):
        return []
    inside = file.members(node.ordinal)
    if node.ordinal < 0:
        inside = [each for member in inside for each in (member, *_below(file, member))]
    return [_related(binder, "member", Node(node.path, each)) for each in inside]


def _below(file: File, ordinal: int) -> list[int]:
    return file.members(ordinal) if file.symbols[ordinal].kind in TYPES else []


# --- its place and its past ------------------------------------------------------------------------------------------


def _imports(view: View, file: File, subject: Subject) -> list[str]:
    """The modules that a file imports, those of the repository first; of others a few, for the file as a whole."""
    modules = list(dict.fromkeys(imported.module for imported in file.text.imports))
    linked = _linked(view, subject.node.path)
    own = [module for module in modules if is_of(module, linked)]
    foreign = [module for module in modules if module not in own] if subject.is_file else []
    return own + foreign[:MOST_FOREIGN]


def _linked(view: View, path: str) -> list[str]:
    """The files that a file has links to."""
    graph = view.graph
    source = graph.index.get(path)
    if source is None:
        return []
    return [graph.paths[target] for target in set(graph.links.target[graph.links.source == source].tolist())]


def is_of(module: str, linked: Iterable[str]) -> bool:
    """Tell whether a module, as an import names it, is one of some files, or a folder that they lie in."""
    if module.startswith("."):
        return True
    name = _ENDING.sub("", module.strip("<>\"' "))
    name = name if "/" in name else re.sub(r"::|[.\\]", "/", name)
    places = {place for path in linked for place in (path.rpartition(".")[0], path.rpartition("/")[0]) if place}
    if "/" not in name:  # a word alone may as well be a library's
        return not places.isdisjoint({name, *(f"{folder}/{name}" for folder in _SOURCES)})
    return any(f"/{place}".endswith(f"/{name}") or f"/{name}".endswith(f"/{place}") for place in places)


def _imported_by(view: View, path: str) -> int:
    graph = view.graph
    target = graph.index.get(path)
    if target is None:
        return 0
    return len({*graph.links.source[graph.links.target == target].tolist()} - {target})


def _history(view: View, path: str) -> list[PastCommit]:
    return [
        PastCommit(
            commit=each.hash[:12],
            date=datetime.fromtimestamp(each.time, UTC).strftime("%Y-%m-%d"),
            subject=each.subject[:_SHORT],
        )
        for each in view.reader.commits.touching(path, MOST_COMMITS)
    ]


def _others(view: View, binder: Binder, node: Node) -> list[str]:
    """Where else something of this name is defined."""
    definition = binder.definition(node)
    if definition is None:
        return []
    found = definitions_named(view, definition.name, None)
    return [f"{each.path}:{each.line + 1}" for each in found if (each.path, each.ordinal) != node and each.path]


def _hint(result: ExplainCodeResult) -> str:
    if result.kind == "file" and result.members and result.source_truncated:
        return "explain_code with a symbol_name, or with line_start and line_end, shows source of it."
    if result.left_out or result.source_truncated:
        return "A larger max_tokens shows more; trace_execution follows the calls, find_usages lists every use."
    return ""
