"""`get_architecture`: modules, what they use, layers, cycles and entry points, within a budget."""

from __future__ import annotations

import posixpath
from functools import partial
from typing import TYPE_CHECKING

import msgspec

from pilotfish.engine.addresses import path_of_argument
from pilotfish.engine.view import View
from pilotfish.engine.wire import INVALID_PARAMS, OperationError
from pilotfish.graph.areas import BACKEND, FRONTEND, FULL, Areas, lies_below
from pilotfish.operations.architecture import (
    ArchitectureDependency,
    ArchitectureEntryPoint,
    ArchitectureFileCycle,
    ArchitectureModule,
    GetArchitectureParameters,
    GetArchitectureResult,
)

if TYPE_CHECKING:
    # numpy and networkx come with these: not before the first question about the graph.
    import numpy as np
    from numpy.typing import NDArray

    from pilotfish.engine.engine import Engine
    from pilotfish.engine.sessions import Session
    from pilotfish.graph.architecture import Architecture
    from pilotfish.graph.drawing import Detail

SIDES = (FULL, BACKEND, FRONTEND)
"""The areas that are no paths."""

_LONGEST = 200
"""Characters of an area that an error repeats."""

MOST_MANIFESTS = 1_000
"""So many manifests are read, those nearest to the root first."""


async def respond(engine: Engine, session: Session, parameters: GetArchitectureParameters) -> GetArchitectureResult:
    """Answer in a reader thread.

    Raises:
        OperationError: there is no such area.

    """
    result = await engine.answer(session, answer, parameters)
    if result.outcome == "no_match" and result.areas:
        raise OperationError(
            INVALID_PARAMS,
            f"there is no area {parameters.focus_area[:_LONGEST]!r} here",
            f"send focus_area as one of {', '.join(result.areas)}, or another folder or file of the index",
        )
    return result


def answer(view: View, parameters: GetArchitectureParameters) -> GetArchitectureResult:
    """Give as much detail as the budget has room for; of an unknown area only which ones there are."""
    from pilotfish.graph import drawing
    from pilotfish.graph.tokens import estimate

    focus = _focus(view, parameters.focus_area)
    found = architecture_of(view, focus=focus)
    result = GetArchitectureResult(
        focus_area=focus,
        format=parameters.format,
        file_count=found.files,
        module_count=len(found.modules),
        test_file_count=found.test_files,
        base=found.base,
        outcome="found" if found.files else "no_match",
    )
    if not found.files:
        if focus not in SIDES and not any(lies_below(path, focus) for path in view.graph.paths):
            result.areas = _areas(view)
        return result

    def fits(drawn: str) -> bool:
        return estimate(drawn) <= parameters.max_tokens

    if parameters.format == "json":
        _fill(result, found, parameters.max_tokens)
    else:
        draw = drawing.text if parameters.format == "text" else drawing.mermaid
        result.text = drawing.within(partial(draw, found), fits)
        result.tokens = estimate(result.text)
        result.truncated = result.text != draw(found, drawing.DETAILS[0])
    return result


def _focus(view: View, asked: str) -> str:
    """Return an area as it is called, a path relative to the root."""
    if asked in SIDES:
        return asked
    path = path_of_argument(view.root, asked) if asked.strip() else None
    return asked if path is None else path


def _areas(view: View) -> list[str]:
    files = ((path, node.language) for path, node in view.graph.nodes.items())
    return Areas(_manifests(view)).found(files)


def architecture_of(view: View, ranks: NDArray[np.float64] | None = None, focus: str = "full") -> Architecture:
    """Return the architecture of an area of the view's files; `ranks` are those of the graph's files, if known."""
    from pilotfish.graph.architecture import architecture
    from pilotfish.graph.rank import Boosts, Ranker

    graph = view.graph
    return architecture(
        graph, Ranker(graph, Boosts()).rank().files if ranks is None else ranks, _manifests(view), focus
    )


def _manifests(view: View) -> dict[str, bytes]:
    from pilotfish.graph.modules import MANIFESTS

    paths = [path for path in view.graph.paths if posixpath.basename(path) in MANIFESTS]
    paths.sort(key=lambda path: (path.count("/"), path))
    texts = {path: view.file(path) for path in paths[:MOST_MANIFESTS]}
    return {path: text.text for path, text in texts.items() if text is not None}


def _fill(result: GetArchitectureResult, found: Architecture, max_tokens: int) -> None:
    """Put the most detailed structure that fits into the result."""
    from pilotfish.graph.drawing import DETAILS
    from pilotfish.graph.tokens import estimate

    for number, detail in enumerate(DETAILS):
        fields = _structure(found, detail)
        tokens = estimate(msgspec.json.encode(fields).decode())
        if tokens <= max_tokens:
            for name, value in fields.items():
                setattr(result, name, value)
            result.tokens = tokens
            result.truncated = number > 0
            return
    result.truncated = True


def _structure(found: Architecture, detail: Detail) -> dict[str, object]:
    """Return the fields of the result that hold the structure."""
    names = [module.name for module in found.modules]
    kept = range(min(detail.modules, len(names)))
    left = dict.fromkeys(kept, detail.uses)
    dependencies: list[ArchitectureDependency] = []
    for each in sorted(found.dependencies, key=lambda each: (-each.uses.total, each.source, each.target)):
        if each.source in kept and each.target in kept and left[each.source] > 0:
            left[each.source] -= 1
            dependencies.append(
                ArchitectureDependency(
                    source=names[each.source],
                    target=names[each.target],
                    against_layers=each.against,
                    **each.uses._asdict(),
                )
            )
    return {
        "modules": [
            ArchitectureModule(
                name=module.name,
                folder=module.folder,
                file_count=len(module.files),
                share=module.share,
                languages=dict(module.languages),
                files=list(module.files[: detail.files]),
                test_files=module.tests,
            )
            for module in found.modules[: detail.modules]
        ],
        "dependencies": dependencies,
        "layers": [layer for each in found.layers if (layer := [names[number] for number in each if number in kept])],
        "module_cycles": [
            cycle for each in found.cycles[: detail.cycles] if (cycle := [names[n] for n in each if n in kept])
        ],
        "file_cycles": [
            ArchitectureFileCycle(file_count=each.size, loop=list(each.loop))
            for each in found.file_cycles[: detail.cycles]
        ],
        "entry_points": [
            ArchitectureEntryPoint(path=each.path, reason=each.reason, uses=each.uses)
            for each in found.entry_points[: detail.entry_points]
        ],
    }
