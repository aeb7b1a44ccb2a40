"""`trace_execution`: what calls what, from one definition on or between two."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from pilotfish.operations.answer import Answer
from pilotfish.operations.registry import Operation, Parameters, Tool

_Depth = Annotated[int, msgspec.Meta(ge=1, le=10)]

Direction = Literal["callees", "callers", "both"]


class TraceExecutionParameters(Parameters):
    """What `trace_execution` takes."""

    entry_point: Annotated[
        str, msgspec.Meta(description="The definition to begin with: a name, `Class.method`, or a file's path.")
    ]
    file_hint: Annotated[str | None, msgspec.Meta(description="A path (or its end) of the definition meant.")] = None
    to: Annotated[
        str | None, msgspec.Meta(description="A second definition: show a shortest way of calls from the first to it.")
    ] = None
    direction: Annotated[
        Direction, msgspec.Meta(description="What it calls, what calls it, or both; without meaning with `to`.")
    ] = "callees"
    max_depth: Annotated[_Depth | None, msgspec.Meta(description="How many calls deep; else 3, and 10 with `to`.")] = (
        None
    )
    max_results: Annotated[int, msgspec.Meta(ge=1, le=1_000, description="At most this many steps.")] = 100
    max_tokens: Annotated[
        int, msgspec.Meta(ge=50, le=1_000_000, description="Most tokens of the answer, a token being four characters.")
    ] = 1_500


class TraceStep(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One call: `caller` calls `callee` at `path` and `line`, the first of `count` times there.

    Steps stand as in an indented list: below a step of depth N its own of depth N + 1 follow. What a step leads to is
    the callee, with `direction` callers the caller; it is of `kind` and defined at `defined_at`, `path:line`.

    `role` is call, or implementation: the callee stands in for the caller, a member without a body. `cycle`: it is
    already on its own way here, and not followed again. `repeated`: it is followed at another step. `cut`: it goes on,
    beyond the depth or the budget. `ambiguous` is the number of definitions that the name may mean, where it is more
    than one: the likeliest is shown, and not followed.
    """

    depth: int
    caller: str
    callee: str
    path: str
    line: int
    kind: str
    defined_at: str
    direction: Literal["callees", "callers"] = "callees"
    role: Literal["call", "implementation"] = "call"
    count: int = 1
    cycle: bool = False
    repeated: bool = False
    cut: bool = False
    ambiguous: int = 0


class TraceExecutionResult(Answer):
    """Calls from `entry`, or the calls of a shortest way to `to`, one step each.

    Only calls are followed that bind to a definition of the repository. `truncated`: steps are left out; those of lower
    depth go first. `looked_at` counts the definitions whose calls were looked up.
    """

    entry: str = ""
    entry_kind: str = ""
    entry_at: str = ""
    to: str = ""
    to_at: str = ""
    steps: list[TraceStep] = []
    truncated: bool = False
    looked_at: int = 0
    tokens: int = 0
    max_tokens: int = 0
    hint: str = ""


TRACE_EXECUTION = Operation(
    name="trace_execution",
    parameters=TraceExecutionParameters,
    result=TraceExecutionResult,
    summary="Follow calls from a definition, or to it, or find the calls that lead from one to another.",
    title="Trace from Here",
    lsp_command="pilotfish.traceExecution",
    cli="trace",
    mcp=True,
    tool=Tool(omits=("tokens", "max_tokens", "looked_at"), is_ample=True),
    positional=("entry_point",),
    examples=("trace Class.method", "trace Engine --direction callers --max-depth 2", "trace Class.method --to Engine"),
)
