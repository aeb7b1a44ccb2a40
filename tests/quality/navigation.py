"""How right navigation is: definitions against language servers, references against SCIP indexes.

    npm ci --prefix tests/quality/servers     # once: the servers and their node, as its lock file pins them
    npm ci --prefix tests/quality/scip        # once: the indexers
    python -m tests.quality.navigation python=path/to/flask typescript=path/to/rxjs … --answers FOLDER

**Definitions.** Of all names in the sources of a repository, in an order that the seed alone decides, those are taken
that are defined in another file of it by what the oracles say, until there are enough: for Python jedi and pyright,
where both give the same place; for TypeScript and JavaScript their own server. The same question is then asked of us.
An answer is right where its first place (or one of its first three) is one of theirs: file and line. All that the
oracles were asked is kept in `--answers`.

**References**, where `--indexes` names a folder of SCIP indexes. Of the symbols of an index that are referred to, as
many are taken in the same manner. What we answer as references of the place of their definition is compared with the
places in the index: file and line, in the files that the indexer read. `bound` are those of our places that are known
to mean the definition, without those that only hold its name.

`--keep` writes the figures into the table of `docs/quality.md`; those of other packages stay in it.
"""

from __future__ import annotations

import argparse
import asyncio
import importlib
import json
import random
import re
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import msgspec
from tree_sitter_language_pack import get_parser

from pilotfish.engine import wire
from pilotfish.engine.engine import Engine
from pilotfish.operations.editor import DefinitionResult, ReferencesResult
from pilotfish.syntax.languages import HEAD_SIZE, detect
from pilotfish.syntax.text import LineTable, decode
from pilotfish.workspace.paths import path_from_uri, uri_from_path
from tests.bench.machine import machine
from tests.quality.language_servers import LanguageServer, Spot, TypeScriptServer
from tests.quality.scip_index import as_imported, documents, index_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from tree_sitter import Node

SERVERS = Path(__file__).parent / "servers" / "node_modules"
LARGEST_FILE = 1 << 20
SEED = 7

LANGUAGE_IDS = {
    "python": {"python": "python"},
    "typescript": {"typescript": "typescript", "tsx": "typescriptreact"},
    "javascript": {"javascript": "javascript"},
}
"""What editors call the languages that are asked about."""

MINIMUM_FIRST, MINIMUM_THREE, MINIMUM_REFERENCES = 0.80, 0.90, 0.85

RESULTS = Path(__file__).parents[1] / "bench" / "results" / "navigation.txt"
HEADING = (
    "| language | package | definition is the first | is in the first three "
    "| references: recall | precision | precision of bound |"
)
ALL = "all"

Line = tuple[str, int]


class Question(NamedTuple):
    """A name at a place, and the lines at which the oracles say that it is defined."""

    name: str
    spot: Spot
    expected: frozenset[Line]


# --- the names of a repository ---------------------------------------------------------------------------------------


def names_of(root: Path, language: str) -> list[tuple[str, Spot]]:
    """Return all names in the sources of a language, in order."""
    found: list[tuple[str, Spot]] = []
    for path in sorted(root.rglob("*")):
        relative = path.relative_to(root).as_posix()
        if path.is_symlink() or not path.is_file() or not {".git", "node_modules"}.isdisjoint(path.parts):
            continue
        data = path.read_bytes()
        own = detect(relative, data[:HEAD_SIZE]) if len(data) <= LARGEST_FILE else None
        if own in LANGUAGE_IDS[language] and not relative.endswith(".d.ts"):
            text = decode(data).text
            lines = LineTable.from_text(text)
            for node in _identifiers(get_parser(own).parse(text).root_node):  # type: ignore[arg-type]
                line, _, utf16, _ = lines.position(node.start_byte)
                found.append((text[node.start_byte : node.end_byte].decode(), Spot(relative, line, utf16)))
    return found


def _identifiers(root: Node) -> Iterator[Node]:
    stack = [root]
    while stack:
        node = stack.pop()
        if node.child_count:
            stack.extend(reversed(node.children))
        elif node.type.endswith("identifier") or node.type == "identifier_pattern":
            yield node


# --- the oracles -----------------------------------------------------------------------------------------------------


@contextmanager
def oracle(root: Path, language: str, paths: Iterable[str]) -> Iterator[Callable[[Spot], frozenset[Line]]]:
    """Give a function that says where the name at a place is defined by all oracles of its language, in sources at some
    paths from the root."""
    node = str(SERVERS / "node" / "bin" / "node")
    if language == "python":
        command = [node, str(SERVERS / "pyright" / "langserver.index.js"), "--stdio"]
        jedi = importlib.import_module("jedi")
        project = jedi.Project(root, sys_path=[str(root)], smart_sys_path=False)
        with LanguageServer(command, root) as server:
            yield lambda spot: _both(server, jedi, project, root, spot)
    else:
        command = [node, str(SERVERS / "typescript" / "lib" / "tsserver.js")]
        with TypeScriptServer(command, root, paths) as tsserver:
            yield lambda spot: _lines(tsserver.definition(spot))


def _lines(spots: Sequence[Spot]) -> frozenset[Line]:
    return frozenset((each.path, each.line) for each in spots)


def _both(server: LanguageServer, jedi: Any, project: Any, root: Path, spot: Spot) -> frozenset[Line]:
    said = _lines(server.definition(spot, "python"))
    if not said or any(path == spot.path for path, _ in said):
        return frozenset()
    source = (root / spot.path).read_bytes().decode("utf-8", "replace")
    script = jedi.Script(source, path=root / spot.path, project=project)
    column = _code_points(source.split("\n")[spot.line], spot.character)
    try:
        names = script.goto(spot.line + 1, column, follow_imports=True)
    except Exception:  # whatever it meets in its inference, it has no answer then
        return frozenset()
    places = {(Path(each.module_path), each.line or 1) for each in names if each.module_path is not None}
    inside = {(path.relative_to(root).as_posix(), line - 1) for path, line in places if path.is_relative_to(root)}
    return said & inside


def _code_points(line: str, utf16: int) -> int:
    return len(line.encode("utf-16-le")[: 2 * utf16].decode("utf-16-le", "ignore"))


def questions_of(root: Path, language: str, number: int, kept: Path) -> list[Question]:
    """Return names that are defined in another file, with what the oracles say; a file keeps all that they were asked,
    so that who is interrupted goes on from there."""
    names = names_of(root, language)
    paths = sorted({spot.path for _, spot in names})
    random.Random(SEED).shuffle(names)
    kept.parent.mkdir(parents=True, exist_ok=True)
    known = _kept_in(kept)
    found: list[Question] = []
    with ExitStack() as stack:
        ask: Callable[[Spot], frozenset[Line]] | None = None
        for name, spot in names:
            if len(found) == number:
                break
            if spot not in known:
                ask = ask or stack.enter_context(oracle(root, language, paths))
                known[spot] = ask(spot)
                with kept.open("a") as file:
                    file.write(json.dumps([spot, sorted(known[spot])]) + "\n")
            expected = known[spot]
            if expected and all(path != spot.path for path, _ in expected):
                found.append(Question(name, spot, expected))
    return found


def _kept_in(kept: Path) -> dict[Spot, frozenset[Line]]:
    """Return what a file keeps of places; of a last line that was cut short nothing."""
    known = {}
    for line in kept.read_text().splitlines() if kept.exists() else ():
        with suppress(ValueError):
            spot, expected = json.loads(line)
            known[Spot(*spot)] = frozenset((path, number) for path, number in expected)
    return known


# --- ours ------------------------------------------------------------------------------------------------------------


class Ours:
    """Our engine on one repository, as an editor asks it."""

    def __init__(self, engine: Engine, root: Path) -> None:
        self._engine = engine
        self._root = root
        hello = wire.Hello(token="", wire=wire.WIRE_VERSION, build="", kind="lsp", client="quality", pid=1)
        self._session = engine.connect(hello, lambda method, params: None)

    async def definition(self, spot: Spot) -> list[Line]:
        """Return where a name is defined, best first."""
        answer = await self._ask("definition", spot)
        assert isinstance(answer, DefinitionResult)
        return [(each.path or "", each.span.start.line) for each in answer.locations]

    async def references(self, spot: Spot) -> dict[Line, bool]:
        """Return where a name is used, and of each line whether it certainly means the same."""
        answer = await self._ask("references", spot, max_results=10_000)
        assert isinstance(answer, ReferencesResult)
        found: dict[Line, bool] = {}
        for each in answer.locations:
            line = each.path or "", each.span.start.line
            found[line] = found.get(line, False) or each.certainty == "bound"
        return found

    async def _ask(self, operation: str, spot: Spot, **more: Any) -> Any:
        uri = uri_from_path(str(self._root / spot.path))
        assert path_from_uri(uri) is not None
        place = {"uri": uri, "line": spot.line, "character": spot.character, "encoding": "utf-16"}
        return await self._engine.call(self._session, operation, msgspec.Raw(msgspec.json.encode({**place, **more})))


async def ask_us(root: Path, ask: Callable[[Ours], Any]) -> Any:
    """Index a repository and ask about it."""
    quiet = {"PILOTFISH_SEMANTIC_COVERAGE": "off", "PILOTFISH_GIT_HISTORY_COMMITS": "0"}
    with tempfile.TemporaryDirectory() as index:
        engine = await Engine.open(root, index_folder=Path(index), environment=quiet)
        try:
            await engine.wait_quiet()
            return await ask(Ours(engine, root))
        finally:
            await engine.close()


# --- references ------------------------------------------------------------------------------------------------------


class Referred(NamedTuple):
    """A symbol of a SCIP index: the place of its definition, and the lines that refer to it."""

    symbol: str
    spot: Spot
    lines: frozenset[Line]


def referred_in(index: bytes, number: int) -> tuple[list[Referred], frozenset[str]]:
    """Return symbols that are referred to, modules apart, and the files that were read."""
    defined: dict[str, Spot] = {}
    lines: dict[str, set[Line]] = defaultdict(set)
    files = {path: list(occurrences) for path, occurrences in documents(index)}
    for path, occurrences in files.items():
        for each in occurrences:
            if each.is_definition:
                defined.setdefault(as_imported(each.symbol), Spot(path, each.line, each.character))
    for path, occurrences in files.items():
        for each in occurrences:
            if not each.is_definition:
                lines[_of_type(as_imported(each.symbol))].add((path, each.line))
    symbols = sorted(symbol for symbol in defined if lines[symbol] and not symbol.endswith(("/", "__init__:")))
    random.Random(SEED).shuffle(symbols)
    found = [Referred(each, defined[each], frozenset(lines[each])) for each in symbols[:number]]
    return found, frozenset(files)


def _of_type(symbol: str) -> str:
    """Return a symbol, for a constructor that of its type: making an object refers to both."""
    return symbol.removesuffix("`<constructor>`().")


# --- the report ------------------------------------------------------------------------------------------------------


class Share(NamedTuple):
    """So many of so many."""

    part: int
    whole: int

    def __str__(self) -> str:
        return f"{self.part / max(1, self.whole):.3f} ({self.part}/{self.whole})"

    @classmethod
    def sum(cls, written: Iterable[str]) -> Self:
        """Return the share of all that some written shares are of."""
        counts = [match for each in written if (match := re.search(r"\((\d+)/(\d+)\)", each))]
        return cls(sum(int(each[1]) for each in counts), sum(int(each[2]) for each in counts))

    def reaches(self, least: float) -> bool:
        return self.part >= least * self.whole


async def definitions(ours: Ours, questions: Sequence[Question], show: int) -> tuple[Share, Share]:
    """Ask us what the oracles were asked; print `show` of the answers that differ."""
    first = three = 0
    for question in questions:
        said = await ours.definition(question.spot)
        is_first = bool(said) and said[0] in question.expected
        first += is_first
        three += any(each in question.expected for each in said[:3])
        if not is_first and (show := show - 1) >= 0:
            path, line, character = question.spot
            wanted = ", ".join(f"{path}:{line + 1}" for path, line in sorted(question.expected))
            got = ", ".join(f"{path}:{line + 1}" for path, line in said[:3]) or "nothing"
            print(f"    {question.name} {path}:{line + 1}:{character + 1}: {wanted}; ours {len(said)}: {got}")
    return Share(first, len(questions)), Share(three, len(questions))


class Uses(NamedTuple):
    """What was found of what there is; of what was answered and of what was said to be bound, what is right."""

    recall: Share
    precision: Share
    bound: Share


async def references(ours: Ours, symbols: Sequence[Referred], read: frozenset[str], show: int) -> Uses:
    """Ask us where symbols are used; print `show` of the symbols with the most lines that differ."""
    differing: list[tuple[int, str]] = []
    expected = answered = right = bound = bound_right = 0
    for each in symbols:
        own = each.spot.path, each.spot.line
        lines = each.lines - {own}
        said = {line: is_bound for line, is_bound in (await ours.references(each.spot)).items() if line[0] in read}
        said.pop(own, None)
        known = {line for line, is_bound in said.items() if is_bound}
        expected, answered, right = expected + len(lines), answered + len(said), right + len(lines & said.keys())
        bound, bound_right = bound + len(known), bound_right + len(lines & known)
        missing, extra = lines - said.keys(), said.keys() - lines
        if missing or extra:
            places = [f"-{path}:{line + 1}" for path, line in sorted(missing)[:3]]
            places += [f"+{path}:{line + 1}{'!' * said[path, line]}" for path, line in sorted(extra)[:3]]
            text = f"    {each.symbol.rpartition(' ')[2]} {each.spot.path}:{each.spot.line + 1}"
            text += f": {len(lines)} lines, missing {len(missing)}, extra {len(extra)}: {' '.join(places)}"
            differing.append((len(missing) + len(extra), text))
    for _, text in sorted(differing, reverse=True)[:show]:
        print(text)
    return Uses(Share(right, expected), Share(right, answered), Share(bound_right, bound))


def keep(rows: Sequence[tuple[str, str, Share, Share, Uses | None]]) -> None:
    """Put the figures of packages into the kept table, in the place of earlier ones, with a sum for each language."""
    lines = RESULTS.read_text("utf-8").splitlines() if RESULTS.exists() else []
    kept = {(cells[0], cells[1]): cells for line in lines[3:] if (cells := line.strip("| ").split(" | "))[1] != ALL}
    for language, package, first, three, uses in rows:
        figures = ("", "", "") if uses is None else map(str, uses)
        kept[language, package] = [language, package, str(first), str(three), *figures]
    by_language: dict[str, list[list[str]]] = defaultdict(list)
    for key in sorted(kept):
        by_language[key[0]].append(kept[key])
    table = [HEADING, "| --- | --- |" + " ---: |" * 5]
    for language, packages in by_language.items():
        sums = [Share.sum(cells[column] for cells in packages) for column in range(2, 7)]
        table += [f"| {' | '.join(cells)} |" for cells in (*packages, [language, ALL, *map(str, sums)])]
    RESULTS.write_text("\n".join((machine(), *table)) + "\n", "utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.quality.navigation", description=__doc__)
    parser.add_argument("repositories", nargs="+", metavar="python|typescript|javascript=FOLDER[=NAME AND VERSION]")
    parser.add_argument("--answers", type=Path, required=True, help="folder of the oracles' answers, NAME.jsonl")
    parser.add_argument("--indexes", type=Path, help="folder of SCIP indexes, NAME.scip; without it no references")
    parser.add_argument("--number", type=int, default=200, help="names that are asked about, by repository")
    parser.add_argument("--symbols", type=int, default=200, help="symbols whose references are asked for")
    parser.add_argument("--show", type=int, default=0, help="how many differences to print of each kind")
    parser.add_argument(
        "--keep", action="store_true", help="write the figures into the table that docs/quality.md shows"
    )
    parser.add_argument("--minimum", action="store_true", help="fail where a figure is below what it must reach")
    options = parser.parse_args()
    failed = False
    rows = []
    for repository in options.repositories:
        language, folder, package = [*repository.split("=", 2), ""][:3]
        root = Path(folder).resolve()
        questions = questions_of(root, language, options.number, options.answers / f"{root.name}.jsonl")
        symbols = read = None
        if options.indexes is not None:
            symbols, read = referred_in(index_of(language, root, options.indexes), options.symbols)

        async def ask(
            ours: Ours,
            questions: Sequence[Question] = questions,
            symbols: Sequence[Referred] | None = symbols,
            read: frozenset[str] | None = read,
        ) -> tuple[tuple[Share, Share], Uses | None]:
            found = await definitions(ours, questions, options.show)
            if symbols is None or read is None:
                return found, None
            return found, await references(ours, symbols, read, options.show)

        (first, three), uses = asyncio.run(ask_us(root, ask))
        print(f"{language:<12} {root.name:<20} definition first {first} in three {three}", flush=True)
        rows.append((language, package or root.name, first, three, uses))
        failed |= not (first.reaches(MINIMUM_FIRST) and three.reaches(MINIMUM_THREE))
        if uses is not None:
            print(
                f"{'':<33} references recall {uses.recall} precision {uses.precision} of bound {uses.bound}", flush=True
            )
            failed |= not (uses.recall.reaches(MINIMUM_REFERENCES) and uses.precision.reaches(MINIMUM_REFERENCES))
    if options.keep:
        keep(rows)
    return int(failed and options.minimum)


if __name__ == "__main__":
    sys.exit(main())
