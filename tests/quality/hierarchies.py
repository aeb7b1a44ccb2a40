"""How right hierarchies are: calls, types above and below, and implementations, against language servers.

    npm ci --prefix tests/quality/servers     # once: the servers and their node, as its lock file pins them
    python -m tests.quality.hierarchies python=path/to/flask typescript=path/to/rxjs … --answers FOLDER

Functions, methods and classes are taken in an order that the seed alone decides, until there are enough of which
the server (pyright, the TypeScript server) has an item. What it says, and what we say, is compared by lines:

* **incoming**: the lines of the calls of a function, in whichever file; **callers**: each with the caller's line;
* **outgoing**: the lines of the calls that a function makes, each with the line where the called one is defined;
* **supertypes**, **subtypes**: of all types, by the definitions that the server gives for the names of their bases;
* **implementation** (TypeScript): what the server gives for types and members that may have other implementations.

Overloads count as one, at the line of the first; constructors as their types, since servers differ in which of both an
object's making calls. What is not written as a call (a getter that is read, a function that is handed on) is a call to
some servers and left out on both sides; so are calls in what is written above a function or defined in it, which some
add to its own, and objects without a class as implementations of their type. A call that only we bind counts as wrong
where the server knows a definition of its name, wherever that is; else it is `beyond` the server. What the servers said
is kept in `--answers`.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import re
import sys
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from tree_sitter_language_pack import get_parser

from pilotfish.operations.editor import CallsResult, DefinitionResult, HierarchyResult
from pilotfish.syntax.languages import HEAD_SIZE, detect
from pilotfish.syntax.text import LineTable, decode
from tests.quality.language_servers import LanguageServer, Spot
from tests.quality.navigation import LANGUAGE_IDS, LARGEST_FILE, SEED, SERVERS, Line, Ours, Share, ask_us

if TYPE_CHECKING:
    from tree_sitter import Node

_TYPES = frozenset({"class_definition", "class_declaration", "abstract_class_declaration"}) | frozenset(
    {"interface_declaration", "type_alias_declaration"}
)
_FUNCTIONS = frozenset(
    {"function_definition", "function_declaration", "generator_function_declaration", "function_signature"}
    | {"method_definition", "method_signature", "abstract_method_signature"}
)
_NEVER_CALLED = frozenset({"interface_declaration", "type_alias_declaration"})
_HOLDING_FUNCTIONS = frozenset({"variable_declarator", "public_field_definition"})
_FUNCTION_VALUES = frozenset({"arrow_function", "function_expression", "generator_function"})
_OPEN_TO_OTHERS = frozenset({"class_declaration", "abstract_class_declaration", "interface_declaration"}) | frozenset(
    {"method_definition", "method_signature", "abstract_method_signature"}
)
_CONSTRUCTORS = frozenset({"__init__", "__new__", "constructor"})

_CALLED = re.compile(r"\s*(?:\?\.|!)?\s*(?:<[^;{}()]*(?:\([^()]*\)[^;{}()]*)*>\s*)?[(`]")
"""Behind the name of what is called."""


class Defined(NamedTuple):
    """A function or a type: its name with those of the types and functions around, its place and last line, how the
    grammar calls it, and where the names of its bases stand."""

    name: str
    spot: Spot
    last_line: int
    sort: str
    bases: tuple[Spot, ...]

    @property
    def is_type(self) -> bool:
        return self.sort in _TYPES

    @property
    def is_called(self) -> bool:
        return self.name.rpartition(".")[2] not in _CONSTRUCTORS and self.sort not in _NEVER_CALLED

    @property
    def line(self) -> Line:
        return self.spot.path, self.spot.line


class Edge(NamedTuple):
    """A call or a relation: the line where it is written, and the line of the definition at its other end."""

    at: Line
    other: Line


class Sources:
    """The sources of a repository in one language."""

    def __init__(self, root: Path, language: str) -> None:
        self.root = root
        self.texts: dict[str, list[str]] = {}
        self.ids: dict[str, str] = {}
        self.definitions: list[Defined] = []
        for path in sorted(root.rglob("*")):
            relative = path.relative_to(root).as_posix()
            if path.is_symlink() or not path.is_file() or not {".git", "node_modules"}.isdisjoint(path.parts):
                continue
            data = path.read_bytes()
            own = detect(relative, data[:HEAD_SIZE]) if len(data) <= LARGEST_FILE else None
            if own in LANGUAGE_IDS[language] and not relative.endswith(".d.ts"):
                self.ids[relative] = LANGUAGE_IDS[language][own]
                self._read(relative, own, decode(data).text)

    def _read(self, path: str, language: str, text: bytes) -> None:
        self.texts[path] = text.decode("utf-8", "replace").split("\n")
        lines = LineTable.from_text(text)

        def spot(node: Node) -> Spot:
            line, _, utf16, _ = lines.position(node.start_byte)
            return Spot(path, line, utf16)

        left: list[tuple[Node, str]] = [(get_parser(language).parse(text).root_node, "")]  # type: ignore[arg-type]
        while left:
            node, around = left.pop()
            name = _name_of(node)
            if name is not None:
                around = f"{around}.{name.text.decode()}" if name.text else around
                bases = tuple(spot(each) for each in _bases_of(node))
                last_line, *_ = lines.position(node.end_byte)
                self.definitions.append(Defined(around.lstrip("."), spot(name), last_line, node.type, bases))
            left += [(each, around) for each in reversed(node.children)]

    @cached_property
    def _same(self) -> dict[Line, Line]:
        """The line by which each definition counts."""
        firsts: dict[tuple[str, str], Line] = {}
        for each in self.definitions:
            if each.name.rpartition(".")[2] not in _CONSTRUCTORS:
                firsts.setdefault((each.spot.path, each.name), each.line)
        found: dict[Line, Line] = {}
        for each in self.definitions:
            around, _, last = each.name.rpartition(".")
            name = around if last in _CONSTRUCTORS else each.name
            found.setdefault(each.line, firsts.get((each.spot.path, name), each.line))
        return found

    def counted(self, line: Line) -> Line:
        """Return the line by which a definition counts: that of its first overload, or of the type that it makes."""
        return self._same.get(line, line)

    def is_done_at(self, caller: Spot, line: int) -> bool:
        """Whether a line is one of a definition's own: it is none above its name, nor in what is defined in it."""
        inner = self._around.get((caller.path, line))
        return inner is not None and self.counted(inner.line) == self.counted((caller.path, caller.line))

    @cached_property
    def _around(self) -> dict[Line, Defined]:
        """The innermost definition on each line."""
        return {
            (each.spot.path, line): each
            for each in self.definitions
            for line in range(each.spot.line, each.last_line + 1)
        }

    def is_call(self, end: Spot) -> bool:
        """Whether what ends at a place is written as a call."""
        lines = self.texts.get(end.path)
        if lines is None or end.line >= len(lines):
            return False
        rest = lines[end.line].encode("utf-16-le")[2 * end.character :].decode("utf-16-le", "ignore")
        return _CALLED.match("\n".join((rest, *lines[end.line + 1 : end.line + 4]))) is not None


def _name_of(node: Node) -> Node | None:
    """Return the name of what a node defines; None for anything but types and functions."""
    if node.type in _HOLDING_FUNCTIONS:
        value = node.child_by_field_name("value")
        if value is None or value.type not in _FUNCTION_VALUES:
            return None
    elif node.type not in _TYPES and node.type not in _FUNCTIONS:
        return None
    name = node.child_by_field_name("name")
    return name if name is not None and name.type.endswith("identifier") else None


def _bases_of(node: Node) -> Iterator[Node]:
    """Yield the last names of the types that a type says it inherits."""
    if node.type == "class_definition":
        bases = node.child_by_field_name("superclasses")
        for each in () if bases is None else bases.named_children:
            yield from _last_name(each)
    elif node.type in _TYPES:
        clauses = [each for each in node.children if each.type in ("class_heritage", "extends_type_clause")]
        clauses = [one for each in clauses for one in ([each] if each.type.startswith("extends") else each.children)]
        for clause in clauses:
            for each in clause.named_children:
                yield from _last_name(each)


def _last_name(node: Node) -> Iterator[Node]:
    if node.type.endswith("identifier") and not node.type.startswith("nested"):
        yield node
    elif node.type in ("attribute", "member_expression", "nested_type_identifier", "subscript", "generic_type"):
        field = {"attribute": "attribute", "member_expression": "property", "subscript": "value"}.get(node.type, "name")
        inner = node.child_by_field_name(field)
        if inner is not None:
            yield from _last_name(inner)


# --- the servers -----------------------------------------------------------------------------------------------------


class HierarchyServer(LanguageServer):
    """A server that knows calls and implementations."""

    def open_all(self, ids: Mapping[str, str]) -> None:
        """Open all documents, so that a server without a list of its own knows them."""
        for path, language_id in ids.items():
            self._opened(path, language_id)

    def items(self, spot: Spot, language_id: str) -> list[dict[str, Any]]:
        """Return the items of the name at a place."""
        return self._at("prepareCallHierarchy", spot, language_id) or []

    def calls(self, direction: str, item: Mapping[str, Any]) -> Iterator[tuple[Spot, list[Spot]]]:
        """Yield what lies at the other end of an item's calls within the root, and the ends of the calls."""
        side = "from" if direction == "incoming" else "to"
        for each in self._request(f"callHierarchy/{direction}Calls", {"item": item}) or ():
            there = self._spot({"uri": each[side]["uri"], "range": each[side]["selectionRange"]})
            path = self._spot(
                {"uri": (each["from"] if side == "from" else item)["uri"], "range": each["fromRanges"][0]}
            )
            if there is not None and path is not None:
                ends = [one["end"] for one in each["fromRanges"]]
                yield there, [Spot(path.path, end["line"], end["character"]) for end in ends]

    def implementations(self, spot: Spot, language_id: str) -> list[Spot]:
        """Return what implements the name at a place, within the root."""
        found = self._at("implementation", spot, language_id) or []
        return [there for each in found if (there := self._spot(each)) is not None]

    def knows(self, end: Spot, language_id: str) -> bool:
        """Whether the server has a definition, anywhere, of the name that ends at a place."""
        return bool(self._at("definition", end._replace(character=end.character - 1), language_id))

    def _at(self, method: str, spot: Spot, language_id: str) -> Any:
        uri = self._opened(spot.path, language_id)
        place = {"line": spot.line, "character": spot.character}
        return self._request(f"textDocument/{method}", {"textDocument": {"uri": uri}, "position": place})


def server_of(root: Path, language: str) -> HierarchyServer:
    """Start the server of a language."""
    node = str(SERVERS / "node" / "bin" / "node")
    if language == "python":
        return HierarchyServer([node, str(SERVERS / "pyright" / "langserver.index.js"), "--stdio"], root)
    options = {"tsserver": {"path": str(SERVERS / "typescript" / "lib" / "tsserver.js")}}
    command = [node, str(SERVERS / "typescript-language-server" / "lib" / "cli.mjs"), "--stdio"]
    return HierarchyServer(command, root, options)


class Answers(NamedTuple):
    """What a server said, by the place that it was asked about."""

    incoming: dict[Spot, frozenset[Edge]]
    callers: dict[Spot, frozenset[Edge]]
    outgoing: dict[Spot, frozenset[Edge]]
    supertypes: dict[Spot, frozenset[Edge]]
    subtypes: dict[Spot, frozenset[Edge]]
    implementation: dict[Spot, frozenset[Edge]]


def answers_of(sources: Sources, language: str, number: int, kept: Path) -> Answers:
    """Ask the server of a language, or return what it said before."""
    if not kept.exists():
        found = _asked(sources, language, number)
        plain = {name: [[spot, sorted(edges)] for spot, edges in of.items()] for name, of in found._asdict().items()}
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(json.dumps(plain, indent=1))
    read = json.loads(kept.read_text())
    return Answers(
        **{
            name: {
                Spot(*spot): frozenset(Edge((at[0], at[1]), (other[0], other[1])) for at, other in edges)
                for spot, edges in of
            }
            for name, of in read.items()
        }
    )


def _asked(sources: Sources, language: str, number: int) -> Answers:
    found = Answers({}, {}, {}, {}, {}, {})
    with server_of(sources.root, language) as server:
        server.open_all(sources.ids)
        for each in _shuffled(each for each in sources.definitions if each.is_called):
            items = server.items(each.spot, sources.ids[each.spot.path])
            if items:
                for direction, edges in (("incoming", found.callers), ("outgoing", found.outgoing)):
                    calls = [one for item in items for one in server.calls(direction, item)]
                    edges[each.spot] = frozenset(
                        _call_edges(sources, calls, each.spot if direction == "outgoing" else None)
                    )
                found.incoming[each.spot] = _places(found.callers[each.spot])
            if len(found.incoming) == number:
                break
        _ask_types(sources, server, found)
        if language == "typescript":
            listed = {sources.counted(each.line) for each in sources.definitions}
            open_to_others = [each for each in sources.definitions if each.sort in _OPEN_TO_OTHERS]
            for each in _shuffled(open_to_others)[:number]:
                said = server.implementations(each.spot, sources.ids[each.spot.path])
                lines = {line for there in said if (line := sources.counted((there.path, there.line))) in listed}
                lines.discard(sources.counted(each.line))
                found.implementation[each.spot] = frozenset(Edge(line, line) for line in lines)
    return found


def _shuffled(definitions: Iterable[Defined]) -> list[Defined]:
    found = list(definitions)
    random.Random(SEED).shuffle(found)
    return found


def _call_edges(
    sources: Sources, calls: Iterable[tuple[Spot, Sequence[Spot]]], caller: Spot | None
) -> dict[Edge, Spot]:
    """Return calls as edges, with where the name of what is called ends."""
    return {
        Edge((end.path, end.line), sources.counted((there.path, there.line))): end
        for there, ends in calls
        for end in ends
        if there.path in sources.ids
        and sources.is_call(end)
        and (caller is None or sources.is_done_at(caller, end.line))
    }


def _places(edges: Iterable[Edge]) -> frozenset[Edge]:
    return frozenset(Edge(each.at, each.at) for each in edges)


def _ask_types(sources: Sources, server: HierarchyServer, found: Answers) -> None:
    types = [each for each in sources.definitions if each.is_type]
    lines = {sources.counted(each.line) for each in types}
    heirs: dict[Line, set[Line]] = defaultdict(set)
    for each in types:
        own = sources.counted(each.line)
        said = [there for base in each.bases for there in server.definition(base, sources.ids[base.path])]
        bases = {line for there in said if (line := sources.counted((there.path, there.line))) in lines} - {own}
        found.supertypes[each.spot] = frozenset(Edge(base, base) for base in bases)
        for base in bases:
            heirs[base].add(own)
    for each in types:
        below = heirs[sources.counted(each.line)]
        found.subtypes[each.spot] = frozenset(Edge(heir, heir) for heir in below)


# --- ours ------------------------------------------------------------------------------------------------------------


class OurHierarchies:
    """Our engine on one repository, as an editor asks it."""

    def __init__(self, ours: Ours, sources: Sources) -> None:
        self._ours = ours
        self._sources = sources
        self.ends: dict[Line, Spot] = {}
        self._names = {each.spot: each.name.rpartition(".")[2] for each in sources.definitions}

    async def answer(self, relation: str, spot: Spot) -> frozenset[Edge]:
        """Return the edges of a relation from the definition at a place."""
        if relation == "incoming":
            return _places(await self.answer("callers", spot))
        if relation in ("callers", "outgoing"):
            direction = "incoming" if relation == "callers" else relation
            answer = await self._ours._ask(f"{direction}_calls", spot, name=self._names[spot])
            assert isinstance(answer, CallsResult)
            calls = [
                (there, [Spot(there.path if relation == "callers" else spot.path, *_end(span)) for span in each.spans])
                for each in answer.calls
                if (there := Spot(each.item.location.path or "", each.item.location.span.start.line, 0)).path
            ]
            found = _call_edges(self._sources, calls, spot if relation == "outgoing" else None)
            self.ends.update({each.at: end for each, end in found.items()})
            return frozenset(found)
        if relation == "implementation":
            answer = await self._ours._ask("implementation", spot)
            assert isinstance(answer, DefinitionResult)
            places = list(answer.locations)
        else:
            answer = await self._ours._ask(relation, spot, name=self._names[spot])
            assert isinstance(answer, HierarchyResult)
            places = [each.location for each in answer.items]
        counted = self._sources.counted
        lines = {counted((each.path or "", each.span.start.line)) for each in places}
        lines.discard(counted((spot.path, spot.line)))
        return frozenset(Edge(line, line) for line in lines if line[0] in self._sources.ids)


def _end(span: Any) -> tuple[int, int]:
    return span.end.line, span.end.utf16


# --- the report ------------------------------------------------------------------------------------------------------


class Counts(NamedTuple):
    """Edges: those that the server has, ours, and those of both; of ours those of which the server knows nothing."""

    wanted: int
    said: int
    both: int
    beyond: int

    def __str__(self) -> str:
        return f"{Share(self.both, self.wanted)} | {Share(self.both, self.said - self.beyond)} | {self.beyond}"


class Compared(NamedTuple):
    """What a relation's answers are: the server's and ours, by the place that was asked about."""

    relation: str
    expected: Mapping[Spot, frozenset[Edge]]
    own: Mapping[Spot, frozenset[Edge]]

    def extra(self) -> Iterator[Edge]:
        """Yield the edges that only we have."""
        for spot, edges in self.expected.items():
            yield from self.own[spot] - edges

    def counts(self, unknown: Container[Line], *, only_across: bool = False) -> Counts:
        """Count the edges, all or those that lead to another file; of calls in `unknown` the server knows nothing."""
        wanted = said = both = beyond = 0
        for spot, edges in self.expected.items():
            theirs, ours = (
                {each for each in found if not only_across or {each.at[0], each.other[0]} != {spot.path}}
                for found in (edges, self.own[spot])
            )
            wanted, said, both = wanted + len(theirs), said + len(ours), both + len(theirs & ours)
            beyond += sum(each.at in unknown for each in ours - theirs)
        return Counts(wanted, said, both, beyond)

    def differences(self, unknown: Container[Line]) -> Iterator[str]:
        """Yield what differs as lines of text."""
        for spot, edges in self.expected.items():
            for sign, different in (("-", edges - self.own[spot]), ("+", self.own[spot] - edges)):
                for at, other in sorted(different):
                    place = f"{at[0]}:{at[1] + 1}" + (f" {other[0]}:{other[1] + 1}" if other != at else "")
                    is_beyond = sign == "+" and at in unknown
                    yield f"    {self.relation} {spot.path}:{spot.line + 1} {'?' if is_beyond else sign} {place}"


def unknown_to_server(sources: Sources, language: str, ends: Mapping[Line, Spot], kept: Path) -> set[Line]:
    """Return the lines of calls of which the server knows no definition, wherever that might be: it does not gainsay a
    guess there. What it was asked is kept in a file."""
    before = json.loads(kept.read_text()) if kept.exists() else ()
    known = {(path, line): told for path, line, told in before}
    missing = {line: end for line, end in ends.items() if line not in known}
    if missing:
        with server_of(sources.root, language) as server:
            server.open_all(sources.ids)
            known |= {line: server.knows(end, sources.ids[end.path]) for line, end in sorted(missing.items())}
        kept.write_text(json.dumps([[*line, told] for line, told in sorted(known.items())]))
    return {line for line in ends if not known[line]}


HEAD = """\
| package | relation | asked about | recall | precision | beyond | recall across | precision across | beyond across |
| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"""


async def _ours(ours: OurHierarchies, answers: Answers) -> list[Compared]:
    return [
        Compared(relation, expected, {spot: await ours.answer(relation, spot) for spot in expected})
        for relation, expected in answers._asdict().items()
        if expected
    ]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.quality.hierarchies", description=__doc__)
    parser.add_argument("repositories", nargs="+", metavar="python|typescript=FOLDER")
    parser.add_argument("--answers", type=Path, required=True, help="folder of the servers' answers, NAME.json")
    parser.add_argument("--number", type=int, default=150, help="functions that are asked about, by repository")
    parser.add_argument("--show", type=int, default=0, help="how many differences to print of each relation")
    options = parser.parse_args()
    print(HEAD, flush=True)
    for repository in options.repositories:
        language, _, folder = repository.partition("=")
        root = Path(folder).resolve()
        sources = Sources(root, language)
        answers = answers_of(sources, language, options.number, options.answers / f"{root.name}.json")

        async def ask(
            ours: Ours, sources: Sources = sources, answers: Answers = answers
        ) -> tuple[list[Compared], dict[Line, Spot]]:
            asked = OurHierarchies(ours, sources)
            return await _ours(asked, answers), asked.ends

        compared, ends = asyncio.run(ask_us(root, ask))
        extra = {each.at for one in compared for each in one.extra()}
        doubtful = {line: end for line, end in ends.items() if line in extra}
        unknown = unknown_to_server(sources, language, doubtful, options.answers / f"{root.name}.known.json")
        for each in compared:
            for text in islice(each.differences(unknown), options.show):
                print(text)
            figures = f"{each.counts(unknown)} | {each.counts(unknown, only_across=True)}"
            print(f"| {root.name} ({language}) | {each.relation} | {len(each.expected)} | {figures} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
