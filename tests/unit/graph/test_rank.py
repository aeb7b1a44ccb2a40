"""Ranks against networkx, and against the same weights computed link by link."""

from __future__ import annotations

import math
from collections import defaultdict

import networkx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from workspaces import graph_of

from pilotfish.graph.edges import Graph
from pilotfish.graph.linking import Evidence
from pilotfish.graph.nodes import Trait
from pilotfish.graph.rank import COMMON_DEFINERS, Boosts, Ranker, Ranks, Wishes, pagerank
from pilotfish.graph.repomap import Words, start_of

SHOP = {
    "shop/cart.py": """from shop.money import round_price, Currency

def add(item):
    round_price(item)
    round_price(Currency())
""",
    "shop/money.py": """class Currency: ...

def round_price(value):
    return _half(value)

def _half(value): ...
""",
    "shop/site.py": """from shop.cart import add
import shop.money

def view():
    add(1)
    shop.money.round_price(2)
""",
    "lonely.py": "x = 1\n",
}


def by_networkx(edges: dict[tuple[int, int], float], size: int, start: dict[int, float] | None) -> list[float]:
    graph = networkx.DiGraph()
    graph.add_nodes_from(range(size))
    graph.add_weighted_edges_from((source, target, weight) for (source, target), weight in edges.items())
    ranks = networkx.pagerank(graph, personalization=start, tol=1e-14, max_iter=1_000)
    return [ranks[file] for file in range(size)]


@st.composite
def weighted(draw: st.DrawFn) -> tuple[int, dict[tuple[int, int], float], dict[int, float] | None]:
    size = draw(st.integers(1, 12))
    file = st.integers(0, size - 1)
    weight = st.floats(1e-3, 1e6)
    edges = draw(st.dictionaries(st.tuples(file, file), weight, max_size=40))
    start = draw(st.none() | st.dictionaries(file, weight, min_size=1))
    return size, edges, start


@settings(max_examples=150, deadline=None)
@given(weighted())
def test_pagerank_equals_networkx(
    case: tuple[int, dict[tuple[int, int], float], dict[int, float] | None],
) -> None:
    size, edges, start = case
    source, target = (np.array([edge[side] for edge in edges], np.int64) for side in (0, 1))
    begin = None if start is None else np.array([start.get(file, 0.0) for file in range(size)])
    ours = pagerank(source, target, np.array(list(edges.values())), size, begin)
    assert np.abs(ours - by_networkx(edges, size, start)).max() < 1e-9
    assert ours.sum() == pytest.approx(1, abs=1e-12)


def by_links(graph: Graph, boosts: Boosts, wishes: Wishes) -> tuple[list[float], dict[tuple[int, int], float]]:
    """The ranks of files, and of definitions by file and name, from one dictionary of weights."""
    uses: dict[tuple[int, int, int], int] = defaultdict(int)
    is_only_spelled: dict[tuple[int, int, int], bool] = defaultdict(lambda: True)
    for source, target, name, _, count, evidence in zip(*(column.tolist() for column in graph.links), strict=True):
        if name >= 0:
            uses[source, target, name] += count
            is_only_spelled[source, target, name] &= evidence == Evidence.NAME
    traits: dict[int, int] = defaultdict(int)
    for name, trait in zip(graph.defined_name.tolist(), graph.defined_traits.tolist(), strict=True):
        traits[name] |= trait
    weights = {}
    for (source, target, name), count in uses.items():
        weight = math.sqrt(count)
        weight *= boosts.long_name if traits[name] & Trait.LONG else 1
        weight *= boosts.private if traits[name] & Trait.PRIVATE else 1
        weight *= boosts.common if graph.defined_name.tolist().count(name) > COMMON_DEFINERS else 1
        weight *= boosts.spelled if is_only_spelled[source, target, name] else 1
        weight *= wishes.names.get(name, 1)
        weights[source, target, name] = weight
    edges: dict[tuple[int, int], float] = defaultdict(float)
    for (source, target, _), weight in weights.items():
        edges[source, target] += weight
    files = by_networkx(edges, len(graph), dict(wishes.start) or None) if len(graph) else []
    out: dict[int, float] = defaultdict(float)
    for (source, _), weight in edges.items():
        out[source] += weight
    definitions: dict[tuple[int, int], float] = defaultdict(float)
    for (source, target, name), weight in weights.items():
        definitions[target, name] += files[source] * weight / out[source]
    return files, definitions


def assert_alike(ranks: Ranks, graph: Graph, boosts: Boosts, wishes: Wishes) -> None:
    files, definitions = by_links(graph, boosts, wishes)
    # Weights are rounded to a millionth, so that their sums are exact.
    assert ranks.files.tolist() == pytest.approx(files, abs=2e-6)
    keys = list(zip(ranks.target.tolist(), ranks.name.tolist(), strict=True))
    assert keys == sorted(definitions)
    assert dict(zip(keys, ranks.definitions.tolist(), strict=True)) == pytest.approx(definitions, abs=2e-6)


NAMES = ("run", "_hide", "parse_header", "_parse_header", "Thing", "shutdown")


@st.composite
def workspaces(draw: st.DrawFn) -> dict[str, str]:
    files = {}
    number = draw(st.integers(1, 8))
    some = st.lists(st.sampled_from(NAMES), max_size=4)
    for file in range(number):
        lines = [f"def {name}(): ..." for name in draw(some)]
        lines += [
            f"from m{draw(st.integers(0, number))} import {name}"
            for name in draw(st.lists(st.sampled_from((*NAMES, "*")), max_size=2))
        ]
        lines += [f"{name}()" for name in draw(some)]
        files[f"m{file}.py"] = "\n".join(lines) + "\n"
    return files


@settings(max_examples=80, deadline=None)
@given(workspaces(), st.data())
def test_ranker_equals_the_weights_link_by_link(files: dict[str, str], data: st.DataObject) -> None:
    graph = graph_of(files)
    factor = st.floats(0.1, 100)
    boosts = Boosts(*data.draw(st.tuples(*[factor] * 4)))
    wishes = Wishes(
        start=data.draw(st.dictionaries(st.integers(0, len(graph) - 1), factor)) if len(graph) else {},
        names=data.draw(st.dictionaries(st.integers(0, len(graph.names) - 1), factor)) if len(graph.names) else {},
    )
    ranker = Ranker(graph, boosts)
    first = ranker.rank(wishes)
    assert_alike(first, graph, boosts, wishes)
    ranker.rank(Wishes(names={0: 3.0}) if len(graph.names) else Wishes())
    assert all((one == other).all() for one, other in zip(first, ranker.rank(wishes), strict=True))


def test_rank_of_a_workspace() -> None:
    graph = graph_of(SHOP)
    ranks = Ranker(graph, Boosts()).rank()
    assert_alike(ranks, graph, Boosts(), Wishes())
    rank = dict(zip(graph.paths, ranks.files.tolist(), strict=True))
    assert rank["shop/money.py"] > rank["shop/cart.py"] > rank["shop/site.py"]
    best = int(np.argmax(ranks.definitions))
    assert graph.paths[ranks.target[best]] == "shop/money.py"
    assert ranks.name[best] == graph.name_index("round_price")


def test_where_a_reader_starts_counts() -> None:
    graph = graph_of(SHOP)
    start = {graph.index["lonely.py"]: 1.0}
    ranks = Ranker(graph, Boosts()).rank(Wishes(start=start))
    assert ranks.files[graph.index["lonely.py"]] == pytest.approx(1)
    mentioned = Ranker(graph, Boosts()).rank(Wishes(names={graph.name_index("Currency"): 1_000.0}))
    best = int(np.argmax(mentioned.definitions))
    assert mentioned.name[best] == graph.name_index("Currency")


def test_where_to_start_changes_nothing_that_the_words_say() -> None:
    graph = graph_of(SHOP)
    words, others = Words(graph, ["cart round"]), Words(graph, ["cart round"])
    start = start_of(graph, words, [(["lonely.py", "nowhere.py"], 10.0)])
    assert max(start, key=lambda file: start[file]) == graph.index["lonely.py"]
    assert words.files.tolist() == others.files.tolist()
    assert words.definitions.tolist() == others.definitions.tolist()


def test_names_and_files_that_are_not_there_change_nothing() -> None:
    graph = graph_of(SHOP)
    ranker = Ranker(graph, Boosts())
    nothing = ranker.rank()
    asked = ranker.rank(Wishes(start={-1: 1.0}, names={graph.name_index("nowhere"): 10.0}))
    assert all((one == other).all() for one, other in zip(nothing, asked, strict=True))


@pytest.mark.parametrize(
    ("files", "ranks"),
    [
        ({}, []),
        ({"a.py": ""}, [1.0]),
        ({"a.py": "def f(): ...\n\nf()\n"}, [1.0]),
        ({"a.py": "", "b.py": ""}, [0.5] * 2),
    ],
)
def test_workspaces_without_links(files: dict[str, str], ranks: list[float]) -> None:
    found = Ranker(graph_of(files), Boosts()).rank()
    assert found.files.tolist() == pytest.approx(ranks)
    assert len(found.definitions) == 0
