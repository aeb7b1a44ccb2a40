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
import sys
from collections import Counter, defaultdict
from collections.abc import Mapping
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
from tests.quality.scip_index import as_imported, documents, index_of

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


def expected_edges(index: bytes) -> Expected:
    """Read the edges out of an index. References to locals, parameters and type parameters are left out."""
    files = {path: list(occurrences) for path, occurrences in documents(index)}
    definer: dict[str, str] = {}
    for path, occurrences in files.items():
        for each in occurrences:
            if each.is_definition:
                definer.setdefault(each.symbol, path)
                definer.setdefault(as_imported(each.symbol), path)
    edges: dict[Edge, Counter[str]] = defaultdict(Counter)
    for path, occurrences in files.items():
        for each in occurrences:
            target = definer.get(each.symbol, path)
            if not each.is_definition and target != path:
                edges[path, target][each.symbol] += 1
    return Expected(frozenset(files), edges)


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
        expected = expected_edges(index_of(language, root, options.indexes))
        comparison = Comparison(expected.edges, our_edges(root, expected.files))
        report(language, root, comparison, options.show)
        precision, recall = MINIMUM[language]
        failed |= comparison.precision < precision or comparison.weighted_recall < recall
    return int(failed and options.minimum)


if __name__ == "__main__":
    sys.exit(main())
