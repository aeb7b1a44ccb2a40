"""Trees of calls and shortest ways over any graph: bounded, without repetition, the same every time."""

from __future__ import annotations

from collections.abc import Container

import networkx
from hypothesis import given, settings
from hypothesis import strategies as st

from pilotfish.graph.calls import Call, shallowest, tree, way

GRAPHS = st.dictionaries(
    st.integers(0, 11), st.lists(st.integers(0, 11), max_size=5, unique=True), min_size=1, max_size=12
)


class Calls:
    """The calls of a graph, counted as they are asked for."""

    def __init__(self, graph: dict[int, list[int]]) -> None:
        self.graph = graph
        self.asked: list[int] = []

    def of(self, node: int) -> list[Call[int]]:
        self.asked.append(node)
        return [Call(each, "file", each) for each in self.graph.get(node, [])]

    def beyond(self, node: int, apart: Container[int]) -> bool:
        return any(each not in apart for each in self.graph.get(node, []))


@given(GRAPHS, st.integers(1, 5), st.integers(1, 40))
@settings(max_examples=200, deadline=None)
def test_a_tree_is_bounded_and_follows_nothing_twice(
    graph: dict[int, list[int]], max_depth: int, max_steps: int
) -> None:
    calls = Calls(graph)
    found = tree(0, calls.of, calls.beyond, max_depth, max_steps)
    assert len(found.steps) <= max_steps
    assert len(calls.asked) == len(set(calls.asked))
    way_here: list[int] = []
    for parent, step in zip(found.parents, found.steps, strict=True):
        assert 1 <= step.depth <= max_depth
        del way_here[step.depth - 1 :]
        above = [0, *way_here]
        assert parent == above[-1]
        assert step.call.node in graph.get(parent, [])
        assert step.is_cycle == (step.call.node in above)
        way_here.append(step.call.node)
    again = tree(0, Calls(graph).of, calls.beyond, max_depth, max_steps)
    assert again == found


@given(GRAPHS, st.integers(1, 5))
@settings(max_examples=200, deadline=None)
def test_a_tree_with_room_reaches_all_that_is_near(graph: dict[int, list[int]], max_depth: int) -> None:
    calls = Calls(graph)
    found = tree(0, calls.of, calls.beyond, max_depth, 1_000)
    whole = networkx.DiGraph((one, other) for one, others in graph.items() for other in others)
    whole.add_node(0)
    near = networkx.single_source_shortest_path_length(whole, 0, cutoff=max_depth)
    assert {0, *(step.call.node for step in found.steps)} == set(near)
    assert not found.is_cut
    assert not any(step.is_cut and step.depth < max_depth for step in found.steps)


@given(GRAPHS, st.integers(0, 11), st.integers(1, 10))
@settings(max_examples=200, deadline=None)
def test_a_way_is_a_shortest_one(graph: dict[int, list[int]], goal: int, max_depth: int) -> None:
    whole = networkx.DiGraph((one, other) for one, others in graph.items() for other in others)
    whole.add_nodes_from((0, goal))
    left = networkx.single_source_shortest_path_length(whole.reverse(), goal)
    found = way(0, goal, Calls(graph).of, max_depth, 1_000, left.get)
    unpruned = way(0, goal, Calls(graph).of, max_depth, 1_000, lambda _: 0)
    assert found.calls == unpruned.calls
    if left.get(0, 99) > max_depth:
        assert found.calls is None
        return
    assert found.calls is not None
    assert len(found.calls) == left[0]
    node = 0
    for call in found.calls:
        assert call.node in graph.get(node, [])
        node = call.node
    assert node == goal


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(1, 9)), max_size=30), st.integers(0, 120))
def test_the_shallowest_are_kept_and_what_is_missing_below_is_told(shape: list[tuple[int, int]], room: int) -> None:
    depths: list[int] = []
    for rise, _ in shape:  # a step is at most one deeper than the one before it
        depths.append(max(1, (depths[-1] if depths else 0) + 1 - rise))
    costs = [cost for _, cost in shape]
    kept, cut = shallowest(depths, costs, room)
    assert sum(costs[each] for each in kept) <= room
    missing = sorted(set(range(len(depths))) - set(kept))
    assert not missing or not kept or max(depths[each] for each in kept) <= min(depths[each] for each in missing)
    parents = [
        max((one for one in range(each) if depths[one] < depths[each]), default=-1) for each in range(len(depths))
    ]
    assert cut == {parents[each] for each in missing} & set(kept)
