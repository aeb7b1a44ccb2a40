"""Graphs of whole workspaces given as texts by path: through the real outlines, resolvers and nodes."""

from __future__ import annotations

import random
from collections.abc import Mapping

from tests.readers import OUTLINER

from pilotfish.graph.edges import Graph
from pilotfish.graph.linking import Evidence
from pilotfish.graph.nodes import Node
from pilotfish.graph.resolve import RESOLVERS
from pilotfish.graph.tree import Tree
from pilotfish.syntax.facts import FileFacts, facts_of
from pilotfish.syntax.languages import detect
from pilotfish.syntax.outline import Role

Link = tuple[str, str, str, str, int, str]
"""Source, target, name (`*` for a bare import), role, uses, evidence."""


def facts(files: Mapping[str, str]) -> list[FileFacts]:
    """The facts of the files that have a language."""
    found = []
    for path, text in files.items():
        data = text.encode()
        language = detect(path, data)
        if language is not None:
            found.append(facts_of(path, OUTLINER.outline(data, language)))
    return found


def graph_of(files: Mapping[str, str], shuffled: random.Random | None = None) -> Graph:
    """The graph of the files, its nodes made in the order of the mapping or in any other."""
    every = facts(files)
    tree = Tree(files, {path: text.encode() for path, text in files.items() if path.endswith((".mod", ".json"))})
    resolvers = {name: RESOLVERS[name](tree) for name in sorted({each.language for each in every} & set(RESOLVERS))}
    if shuffled is not None:
        shuffled.shuffle(every)
    return Graph({each.path: Node(each, resolvers.get(each.language)) for each in every})


def links_of(graph: Graph, files: Mapping[str, str]) -> list[Link]:
    """The links of a graph in words, in the graph's order of files."""
    words = {hash(name): name for each in facts(files) for name in each.names}
    columns = (column.tolist() for column in graph.links)
    return sorted(
        (
            graph.paths[source],
            graph.paths[target],
            words[int(graph.names[name])] if name >= 0 else "*",
            Role(role).name.lower(),
            uses,
            Evidence(evidence).name.lower(),
        )
        for source, target, name, role, uses, evidence in zip(*columns, strict=True)
    )
