"""`get_architecture`: modules, what they use, layers, cycles and entry points, within a budget."""

from __future__ import annotations

import posixpath
from functools import partial
from typing import TYPE_CHECKING

import msgspec

from pilotfish.engine.view import View
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

    from pilotfish.graph.architecture import Architecture
    from pilotfish.graph.drawing import Detail

MOST_MANIFESTS = 1_000
"""So many manifests are read, those nearest to the root first."""


def answer(view: View, parameters: GetArchitectureParameters) -> GetArchitectureResult:
    """Give as much detail as the budget has room for."""
    from pilotfish.graph import drawing
    from pilotfish.graph.tokens import estimate

    found = architecture_of(view, focus=parameters.focus_area)
    result = GetArchitectureResult(
        focus_area=parameters.focus_area,
        format=parameters.format,
        file_count=found.files,
        module_count=len(found.modules),
        test_file_count=found.test_files,
        base=found.base,
        outcome="found" if found.files else "no_match",
    )
    if not found.files:
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
