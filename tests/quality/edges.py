"""How right the links between files are: precision and recall against SCIP indexes, which compilers write.

    npm ci --prefix tests/quality/scip        # once: the indexers and their node, as its lock file pins them
    python -m tests.quality.edges python=path/to/flask typescript=path/to/rxjs/src … [--show 10] [--minimum]

A SCIP index says of every reference which definition it means. An edge leads from a file to another one that holds the
definition of something that the first one refers to; its weight is the number of those references. Recall is the share
of these edges that our graph has, weighted recall the share of their weight, and precision the share of our edges that
the index has. Only files that the indexer read are judged. The indexes are kept in `--indexes`, and made where missing;
neither indexer needs the packages that the repository depends on.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from pilotfish.graph.edges import Graph
from pilotfish.graph.linking import Evidence
from pilotfish.graph.nodes import Node
from pilotfish.graph.resolve import RESOLVERS
from pilotfish.graph.tree import Tree
from pilotfish.syntax.facts import FileFacts, facts_of
from pilotfish.syntax.languages import HEAD_SIZE, detect
from pilotfish.syntax.outline import Role
from pilotfish.syntax.outlines import Outliner
from pilotfish.syntax.text import decode

TOOLS = Path(__file__).parent / "scip" / "node_modules"
LARGEST_FILE = 1 << 20

MINIMUM = {"python": (0.80, 0.85), "typescript": (0.90, 0.90)}
"""What precision and weighted recall must reach, by language."""

Edge = tuple[str, str]


class Expected(NamedTuple):
    """What an index says: the files that it covers, and by edge how often each symbol is referred to."""

    files: frozenset[str]
    edges: Mapping[Edge, Counter[str]]


@dataclass(frozen=True)
class Comparison:
    """Our edges beside the expected ones; each of ours with the names and the evidence for it."""

    expected: Mapping[Edge, Counter[str]]
    ours: Mapping[Edge, Mapping[str, str]]

    @property
    def hits(self) -> list[Edge]:
        return [edge for edge in self.expected if edge in self.ours]

    @property
    def precision(self) -> float:
        return len(self.hits) / max(1, len(self.ours))

    @property
    def recall(self) -> float:
        return len(self.hits) / max(1, len(self.expected))

    @property
    def weighted_recall(self) -> float:
        total = sum(symbols.total() for symbols in self.expected.values())
        return sum(self.expected[edge].total() for edge in self.hits) / max(1, total)


# SCIP: https://github.com/sourcegraph/scip/blob/main/scip.proto. Fields by number: Index.documents 2,
# Document.relative_path 1 and .occurrences 2, Occurrence.symbol 2 and .symbol_roles 3 (bit 1: it is the definition).


def expected_edges(index: bytes) -> Expected:
    """Read the edges out of an index. References to locals, parameters and type parameters are left out."""
    documents = {path: list(occurrences) for path, occurrences in _documents(memoryview(index))}
    definer: dict[str, str] = {}
    for path, occurrences in documents.items():
        for symbol, is_definition in occurrences:
            if is_definition:
                definer.setdefault(symbol, path)
                definer.setdefault(_SOURCE_ROOT.sub(_imported_as, symbol), path)
    edges: dict[Edge, Counter[str]] = defaultdict(Counter)
    for path, occurrences in documents.items():
        for symbol, is_definition in occurrences:
            target = definer.get(symbol, path)
            if not is_definition and target != path:
                edges[path, target][symbol] += 1
    return Expected(frozenset(documents), edges)


_SOURCE_ROOT = re.compile(r"`src\.([^`]+)`")
"""scip-python names a definition by its path (`src.flask.app`) and a reference as it is imported (`flask.app`)."""


def _imported_as(module: re.Match[str]) -> str:
    return f"`{module[1]}`" if "." in module[1] else module[1]


def _documents(index: memoryview) -> Iterator[tuple[str, Iterator[tuple[str, bool]]]]:
    for number, document in _fields(index):
        if number == 2 and isinstance(document, memoryview):
            yield _text(document, 1), _occurrences(document)


_GLOBAL = re.compile(r"(?!local ).*[\w`$+\-](?:#|\(\+?\d*\)\.|\.|/|:)", re.DOTALL)


def _occurrences(document: memoryview) -> Iterator[tuple[str, bool]]:
    for number, occurrence in _fields(document):
        if number == 2 and isinstance(occurrence, memoryview):
            symbol = _text(occurrence, 2)
            roles = next((value for field, value in _fields(occurrence) if field == 3 and isinstance(value, int)), 0)
            if _GLOBAL.fullmatch(symbol):
                yield symbol, bool(roles & 1)


def _text(message: memoryview, number: int) -> str:
    found = (value for field, value in _fields(message) if field == number and isinstance(value, memoryview))
    return bytes(next(found, b"")).decode()


def _fields(message: memoryview) -> Iterator[tuple[int, int | memoryview]]:
    """Yield the fields of a protobuf message by number: https://protobuf.dev/programming-guides/encoding."""
    at = 0
    while at < len(message):
        key, at = _varint(message, at)
        if key & 7 == 0:
            value, at = _varint(message, at)
            yield key >> 3, value
            continue
        size, at = _varint(message, at) if key & 7 == 2 else ({1: 8, 5: 4}[key & 7], at)
        yield key >> 3, message[at : at + size]
        at += size


def _varint(message: memoryview, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = message[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, at
        shift += 7


def make_index(language: str, root: Path, index: Path) -> None:
    """Let the indexer of a language read a repository; raises CalledProcessError, or OSError where it is missing."""
    node = str(TOOLS / "node" / "bin" / "node")
    if language == "python":
        # Told of no installed packages, it does not ask pip; and it wants absolute paths.
        environment = index.with_suffix(".environment.json")
        environment.write_text("[]")
        options = ["--project-name", root.name, "--project-version", "0", "--environment", str(environment)]
    else:
        options = ["--infer-tsconfig"]
    indexer = str(TOOLS / ".bin" / f"scip-{language}")
    command = [node, indexer, "index", "--cwd", str(root), "--output", str(index), *options]
    subprocess.run(command, cwd=root, check=True, stdout=subprocess.DEVNULL)
    if index.stat().st_size < 1_000:
        index.unlink()
        raise ValueError(f"{root}: the indexer found nothing")


def our_graph(root: Path) -> tuple[Graph, dict[int, str]]:
    """Return the graph of a repository as the product makes it, and the names behind its hashes."""
    facts, manifests = read_files(root)
    tree = Tree((each.path for each in facts), manifests)
    resolvers = {name: RESOLVERS[name](tree) for name in {each.language for each in facts} & set(RESOLVERS)}
    graph = Graph({each.path: Node(each, resolvers.get(each.language)) for each in facts})
    return graph, {hash(name): name for each in facts for name in each.names}


def read_files(root: Path) -> tuple[list[FileFacts], dict[str, bytes]]:
    """Return the facts of all files that have a language, and the texts that a resolver may need."""
    outliner, facts, manifests = Outliner(), [], {}
    for path in sorted(root.rglob("*")):
        relative = path.relative_to(root).as_posix()
        if path.is_symlink() or not path.is_file() or not {".git", "node_modules"}.isdisjoint(path.parts):
            continue
        data = path.read_bytes()
        if len(data) <= LARGEST_FILE and (language := detect(relative, data[:HEAD_SIZE])):
            facts.append(facts_of(relative, outliner.outline(decode(data).text, language)))
            if path.suffix in (".json", ".toml", ".mod"):
                manifests[relative] = data
    return facts, manifests


def our_edges(root: Path, judged: frozenset[str]) -> dict[Edge, dict[str, str]]:
    """Return our edges between judged files, each with what speaks for it by name."""
    graph, names = our_graph(root)
    edges: dict[Edge, dict[str, str]] = defaultdict(dict)
    links = graph.links
    for source, target, name, role, evidence in zip(
        *(column.tolist() for column in (links.source, links.target, links.name, links.role, links.evidence)),
        strict=True,
    ):
        edge = graph.paths[source], graph.paths[target]
        if judged.issuperset(edge) and source != target:
            word = names[int(graph.names[name])] if name >= 0 else "*"
            edges[edge][word] = f"{Evidence(evidence).name} {Role(role).name}".lower()
    return edges


def report(language: str, root: Path, comparison: Comparison, show: int) -> None:
    print(
        f"{language:<12} {root.name:<20} edges {len(comparison.expected):>6} ours {len(comparison.ours):>6} "
        f"precision {comparison.precision:.3f} recall {comparison.recall:.3f} "
        f"weighted recall {comparison.weighted_recall:.3f}"
    )
    missing = {edge: symbols for edge, symbols in comparison.expected.items() if edge not in comparison.ours}
    for (source, target), symbols in sorted(missing.items(), key=lambda each: -each[1].total())[:show]:
        described = ", ".join(f"{symbol.rpartition(' ')[2]} {count}" for symbol, count in symbols.most_common(3))
        print(f"    missing {symbols.total():>4} {source} -> {target}: {described}")
    extra = {edge: names for edge, names in comparison.ours.items() if edge not in comparison.expected}
    for evidence, count in Counter(min(names.values()) for names in extra.values()).most_common():
        print(f"    extra by {evidence}: {count}")
    for (source, target), names in sorted(extra.items())[:: max(1, len(extra) // max(1, show))][:show]:
        print(
            f"    extra   {source} -> {target}: {', '.join(f'{name} ({why})' for name, why in list(names.items())[:4])}"
        )


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.quality.edges", description=__doc__)
    parser.add_argument("repositories", nargs="+", metavar="python|typescript=FOLDER")
    parser.add_argument("--indexes", type=Path, required=True, help="folder of the indexes, NAME.scip by folder name")
    parser.add_argument("--show", type=int, default=0, help="how many differences to print of each kind")
    parser.add_argument("--minimum", action="store_true", help="fail where a figure is below what it must reach")
    options = parser.parse_args()
    failed = False
    for repository in options.repositories:
        language, _, folder = repository.partition("=")
        root = Path(folder).resolve()
        index = options.indexes.resolve() / f"{root.name}.scip"
        if not index.exists():
            make_index(language, root, index)
        expected = expected_edges(index.read_bytes())
        comparison = Comparison(expected.edges, our_edges(root, expected.files))
        report(language, root, comparison, options.show)
        precision, recall = MINIMUM[language]
        failed |= comparison.precision < precision or comparison.weighted_recall < recall
    return int(failed and options.minimum)


if __name__ == "__main__":
    sys.exit(main())
