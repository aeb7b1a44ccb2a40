"""`trace_execution`: what calls what, from one definition on or between two."""

from __future__ import annotations

from pilotfish.engine.binding import Binder
from pilotfish.engine.passages import Sources
from pilotfish.engine.tracing import READ_BYTES, trace_execution
from pilotfish.engine.view import View
from pilotfish.operations.trace import TraceExecutionParameters, TraceExecutionResult


def answer(view: View, parameters: TraceExecutionParameters) -> TraceExecutionResult:
    """Follow calls."""
    return trace_execution(view, Binder(view, Sources(view), READ_BYTES), parameters)
