"""What calls what, from one definition on or between two, as `trace_execution` answers it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, Literal

import msgspec

from pilotfish.engine.addresses import path_of_argument
from pilotfish.engine.binding import Binder
from pilotfish.engine.naming import closest, node_named, title
from pilotfish.engine.outlined import Node
from pilotfish.graph.calls import Call, Step, Tree, Way, shallowest, tree, way
from pilotfish.operations.trace import TraceExecutionParameters, TraceExecutionResult, TraceStep
from pilotfish.syntax.outline import Role

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from pilotfish.engine.view import View
    from pilotfish.graph.edges import Graph

    Ints = NDArray[np.int64]

MOST_LOOKED_AT: Final = 2_000
"""Definitions whose calls are looked up in search of a way."""

READ_BYTES: Final = 200_000
"""Of so much text a trace reads what it says of its names, the nearest first."""

_LEAST_STEP: Final = 30
"""Tokens that no step costs less than."""

DEPTH: Final = 3
"""So many calls deep is looked where nobody says how many, unless it is for a way to a goal."""

MOST_DEEP: Final = 10
"""More calls are not asked for."""

_OVERHEAD: Final = 60
"""Tokens of an answer beside its steps."""


def trace_execution(view: View, binder: Binder, parameters: TraceExecutionParameters) -> TraceExecutionResult:
    """Follow calls; see `operations.trace`."""
    result = TraceExecutionResult(max_tokens=parameters.max_tokens)
    start = _entry(view, binder, parameters.entry_point, parameters.file_hint)
    if start is None:
        result.outcome = "no_match"
        result.hint = closest(view, parameters.entry_point)
        return result
    result.entry, result.entry_kind, result.entry_at = title(binder, start)
    if parameters.to is not None:
        return _between(view, binder, start, parameters, result)
    directions: list[Literal["callees", "callers"]] = (
        ["callees", "callers"] if parameters.direction == "both" else [parameters.direction]
    )
    depth = DEPTH if parameters.max_depth is None else parameters.max_depth
    is_out_of_room = False
    for number, direction in enumerate(directions):
        # What one direction leaves of the budget is the other's.
        share = len(directions) - number
        room = (parameters.max_tokens - _OVERHEAD - result.tokens) // share
        most = min((parameters.max_results - len(result.steps)) // share, max(1, room // _LEAST_STEP))
        calls, goes_on = (
            (binder.calls.called_by, binder.calls.calls_beyond)
            if direction == "callees"
            else (binder.calls.callers_of, binder.calls.called_beyond)
        )
        found = tree(start, calls, goes_on, depth, most)
        result.looked_at += found.looked_at
        steps, tokens, is_whole = _within(binder, start, found, direction, room)
        result.steps += steps
        result.tokens += tokens
        is_full = len(found.steps) >= most and any(each.is_cut for each in found.steps)
        is_out_of_room |= found.is_cut or is_full or not is_whole
    result.tokens += _OVERHEAD
    result.truncated = is_out_of_room or any(each.cut for each in result.steps)
    result.hint = _hint(result, parameters, depth, is_out_of_room=is_out_of_room)
    return result


def _entry(view: View, binder: Binder, named: str, file_hint: str | None) -> Node | None:
    """Return the definition of a name, or the file at a path."""
    node = node_named(view, named, file_hint)
    if node is not None:
        return node
    path = path_of_argument(view.root, named)
    return Node(path, -1) if path and binder.file(path) is not None else None


# --- within a budget -------------------------------------------------------------------------------------------------


def _within(
    binder: Binder, start: Node, found: Tree[Node], direction: Literal["callees", "callers"], room: int
) -> tuple[list[TraceStep], int, bool]:
    """Return as many steps as there is room for, those of lower depth first, in the order of the tree; the tokens that
    they cost, and whether they are all."""
    shown = [
        _step(binder, step.depth, direction, parent, step.call, step)
        for parent, step in zip(found.parents, found.steps, strict=True)
    ]
    costs = [cost(each) for each in shown]
    kept, cut = shallowest([step.depth for step in shown], costs, room)
    steps = [msgspec.structs.replace(shown[each], cut=True) if each in cut else shown[each] for each in kept]
    return steps, sum(costs[each] for each in kept), len(kept) == len(shown)


def cost(value: object) -> int:
    """Return how many tokens a part of an answer costs as JSON."""
    from pilotfish.graph.tokens import estimate

    return estimate(msgspec.json.encode(value).decode())


def _step(
    binder: Binder,
    depth: int,
    direction: Literal["callees", "callers"],
    parent: Node,
    call: Call[Node],
    step: Step[Node] | None = None,
) -> TraceStep:
    reached, kind, place = title(binder, call.node)
    other, _, _ = title(binder, parent)
    caller, callee = (other, reached) if direction == "callees" else (reached, other)
    return TraceStep(
        depth=depth,
        caller=caller,
        callee=callee,
        path=call.path,
        line=call.line,
        kind=kind,
        defined_at=place,
        direction=direction,
        role=call.role,
        count=call.number,
        ambiguous=call.possible if call.possible > 1 else 0,
        cycle=step is not None and step.is_cycle,
        repeated=step is not None and step.is_repeated,
        cut=step is not None and step.is_cut,
    )


def _hint(
    result: TraceExecutionResult, parameters: TraceExecutionParameters, depth: int, *, is_out_of_room: bool
) -> str:
    """Say what was cut by what, and what shows it."""
    if not result.steps and result.truncated:
        return "No step fits; a larger max_tokens gives more room."
    if not result.steps and parameters.direction == "callees":
        return f"{result.entry} calls nothing that is defined in the repository; direction=callers shows what calls it."
    if not result.steps:
        return f"No call is bound to {result.entry}; find_usages shows where its name is used, calls by name only too."
    if is_out_of_room:
        return "Not all steps have room: send a larger max_tokens or max_results, or a smaller max_depth."
    if result.truncated:
        deeper = "a larger max_depth shows more, or trace" if depth < MOST_DEEP else "trace"
        return f"Steps marked cut go on beyond max_depth={depth}: {deeper} from one of them."
    return ""


# --- from one to another ---------------------------------------------------------------------------------------------


def _between(
    view: View, binder: Binder, start: Node, parameters: TraceExecutionParameters, result: TraceExecutionResult
) -> TraceExecutionResult:
    assert parameters.to is not None
    goal = _entry(view, binder, parameters.to, None)
    if goal is None:
        result.outcome = "no_match"
        result.hint = closest(view, parameters.to)
        return result
    result.to, _, result.to_at = title(binder, goal)
    depth = MOST_DEEP if parameters.max_depth is None else parameters.max_depth
    found = way_between(view, binder, start, goal, depth)
    result.looked_at = found.looked_at
    result.tokens = _OVERHEAD
    if found.calls is None:
        result.outcome = "no_match"
        result.truncated = not found.is_whole
        limit = "" if found.is_whole else f" among the {MOST_LOOKED_AT:,} definitions looked at"
        further = "a larger max_depth looks further, " if depth < MOST_DEEP else ""
        result.hint = (
            f"No way of {depth} calls or fewer{limit} leads from {result.entry} to {result.to}; "
            f"{further}trace_execution {result.to} with direction=callers shows what calls the second."
        )
        return result
    parent = start
    for depth, call in enumerate(found.calls, start=1):
        step = _step(binder, depth, "callees", parent, call)
        parent = call.node
        result.steps.append(step)
        result.tokens += cost(step)
    if not result.steps:
        result.hint = "Both are the same definition."
    return result


def way_between(view: View, binder: Binder, start: Node, goal: Node, max_depth: int) -> Way[Node]:
    """Find a shortest way of calls from one definition to another."""
    return way(start, goal, binder.calls.called_by, max_depth, MOST_LOOKED_AT, _least_left(view, goal))


def _least_left(view: View, goal: Node) -> Callable[[Node], int | None]:
    """Return a function that tells how many calls at least lead from a definition to the goal: as many as lead from its
    file to the goal's."""
    import numpy as np

    graph = view.graph
    target = graph.index.get(goal.path)
    if target is None:
        return lambda _node: 0
    heir, base = _pairs(graph, Role.INHERIT)
    # From an abstract member its implementations are one step.
    caller, called = (np.concatenate(each) for each in zip(_pairs(graph, Role.CALL), (base, heir), strict=True))
    far = np.full(len(graph), -1)
    fresh = np.array([target])
    for distance in range(MOST_DEEP + 1):
        while len(fresh):
            far[fresh] = distance
            # Whatever a base calls, its heirs call in the same step.
            fresh = heir[(far[base] >= 0) & (far[heir] < 0)]
        fresh = caller[(far[called] >= 0) & (far[caller] < 0)]
    index = graph.index

    def least(node: Node) -> int | None:
        number = index.get(node.path)
        distance = -1 if number is None else int(far[number])
        return None if distance < 0 else distance

    return least


def _pairs(graph: Graph, role: Role) -> tuple[Ints, Ints]:
    rows = graph.links.role == int(role)
    return graph.links.source[rows], graph.links.target[rows]
