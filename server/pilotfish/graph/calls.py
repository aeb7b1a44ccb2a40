"""What calls what: a tree of calls within bounds, and a shortest way from one definition to another.

Pure: who asks gives a function from a node to its calls. All orders are those in which calls are given, so that the
same calls give the same tree.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Container, Hashable, Sequence
from dataclasses import dataclass, field
from typing import Generic, Literal, NamedTuple, TypeVar

N = TypeVar("N", bound=Hashable)


class Call(NamedTuple, Generic[N]):
    """Calls from one definition to another: the node that they lead to, the file of the first and its line, from 1, how
    many there are, how many definitions the name may mean, and whether it is a call or, from a member without a body,
    an implementation of it."""

    node: N
    path: str
    line: int
    number: int = 1
    possible: int = 1
    role: Literal["call", "implementation"] = "call"


@dataclass(slots=True)
class Step(Generic[N]):
    """A node in a tree of calls; `parent` is the number of the step that it was reached from, -1 for the start."""

    depth: int
    parent: int
    call: Call[N]
    is_cycle: bool = False
    is_repeated: bool = False
    is_cut: bool = False
    below: list[int] = field(default_factory=list)


class Tree(NamedTuple, Generic[N]):
    """Steps as an indented list has them; `parents` are the nodes that they were reached from. `is_cut`: the start has
    more calls than there was room for. `looked_at` nodes were asked for their calls."""

    steps: list[Step[N]]
    parents: list[N]
    is_cut: bool
    looked_at: int


def tree(
    start: N,
    calls: Callable[[N], Sequence[Call[N]]],
    goes_on: Callable[[N, Container[N]], bool],
    max_depth: int,
    max_steps: int,
) -> Tree[N]:
    """Follow calls from `start`, at most `max_depth` deep, at most `max_steps` in all, those of lower depth first.

    `goes_on` tells of a node that is not followed whether it has calls to others than some: for less than to list them.

    A node that is on its own way is a cycle and not followed again; nor is one that is followed at another step, or one
    of several that the name may mean. So the tree ends, and costs what its distinct nodes do.
    """
    steps: list[Step[N]] = []
    top: list[int] = []
    followed = {start}
    looked_at = 0
    is_cut = False
    queue: deque[int] = deque([-1])
    while queue:
        looked_at += 1
        number = queue.popleft()
        node, depth = (start, 0) if number < 0 else (steps[number].call.node, steps[number].depth)
        way = _way(steps, number, start)
        if number >= 0 and (depth >= max_depth or len(steps) >= max_steps):
            steps[number].is_cut = goes_on(node, way)
            continue
        for call in calls(node):
            if len(steps) >= max_steps:
                if number < 0:
                    is_cut = True
                else:
                    steps[number].is_cut = True
                break
            step = Step(depth + 1, number, call, is_cycle=call.node in way)
            step.is_repeated = not step.is_cycle and call.node in followed
            (top if number < 0 else steps[number].below).append(len(steps))
            if not step.is_cycle and not step.is_repeated and call.possible == 1:
                followed.add(call.node)
                queue.append(len(steps))
            steps.append(step)
    ordered = _preorder(steps, top)
    parents = [start if step.parent < 0 else steps[step.parent].call.node for step in ordered]
    return Tree(ordered, parents, is_cut, looked_at)


def _way(steps: Sequence[Step[N]], number: int, start: N) -> set[N]:
    """The nodes from the start to a step, both included."""
    way = {start}
    while number >= 0:
        way.add(steps[number].call.node)
        number = steps[number].parent
    return way


def _preorder(steps: Sequence[Step[N]], top: Sequence[int]) -> list[Step[N]]:
    ordered: list[Step[N]] = []
    stack = list(reversed(top))
    while stack:
        step = steps[stack.pop()]
        ordered.append(step)
        stack.extend(reversed(step.below))
    return ordered


class Way(NamedTuple, Generic[N]):
    """The calls that lead from a start to a goal, empty where they are the same; None where no way was found.
    `is_whole` tells that nothing was left out in looking for it."""

    calls: list[Call[N]] | None
    is_whole: bool
    looked_at: int


def way(
    start: N,
    goal: N,
    calls: Callable[[N], Sequence[Call[N]]],
    max_depth: int,
    most: int,
    least_left: Callable[[N], int | None],
) -> Way[N]:
    """Find a shortest way of at most `max_depth` calls; of several the one whose calls come first.

    `most` nodes are asked for their calls. `least_left` is a lower bound of the calls from a node to the goal, None
    where there is no way at all: nodes that are too far away are passed over.
    """
    reached: dict[N, tuple[N, Call[N]] | None] = {start: None}
    front, looked_at = [start], 0
    if start == goal:
        return Way([], True, 0)
    for depth in range(max_depth):
        following: list[N] = []
        for node in front:
            if looked_at >= most:
                return Way(None, False, looked_at)
            looked_at += 1
            for call in calls(node):
                if call.node in reached:
                    continue
                reached[call.node] = (node, call)
                if call.node == goal:
                    return Way(_walked(reached, goal), True, looked_at)
                left = least_left(call.node)
                if left is not None and depth + 1 + max(left, 1) <= max_depth:
                    following.append(call.node)
        front = following
    return Way(None, True, looked_at)


def _walked(reached: dict[N, tuple[N, Call[N]] | None], goal: N) -> list[Call[N]]:
    calls: list[Call[N]] = []
    node = goal
    while (step := reached[node]) is not None:
        node, call = step
        calls.append(call)
    calls.reverse()
    return calls


def shallowest(depths: Sequence[int], costs: Sequence[int], room: int) -> tuple[list[int], set[int]]:
    """Choose of the steps of a tree, in the order of an indented list, as many as there is room for, those of lower
    depth first; return their numbers in order, and which of them have steps right below that are not chosen."""
    kept: set[int] = set()
    for number in sorted(range(len(depths)), key=lambda each: (depths[each], each)):
        room -= costs[number]
        if room < 0:
            break
        kept.add(number)
    cut: set[int] = set()
    above: list[int] = []
    for number, depth in enumerate(depths):
        while above and depths[above[-1]] >= depth:
            above.pop()
        if above and number not in kept and above[-1] in kept:
            cut.add(above[-1])
        above.append(number)
    return sorted(kept), cut
