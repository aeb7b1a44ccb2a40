"""Answers with paths that an editor can follow from anywhere.

An answer names files as seen from the root. A document that shows it lies elsewhere, and editors look for a path from
where the document lies (Helix) or from their own folder (Neovim, Vim): only an absolute path leads to the file in all
of them. What is source or a name stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from msgspec.structs import replace

from pilotfish.operations.answer import Answer
from pilotfish.operations.architecture import GetArchitectureResult
from pilotfish.operations.explain import ExplainCodeResult, RelatedCode
from pilotfish.operations.repo_map import RepoMapResult
from pilotfish.operations.search import BuildContextResult
from pilotfish.operations.symbols import OutlineResult
from pilotfish.operations.trace import TraceExecutionResult
from pilotfish.workspace import paths


def with_absolute_paths(answer: Answer, root: str) -> Answer:
    """Return an answer whose places are absolute, or itself where it has none that are not; `root` is the folder that
    its paths are seen from."""
    if isinstance(answer, ExplainCodeResult):
        return _explanation(answer, root)
    if isinstance(answer, TraceExecutionResult):
        return _trace(answer, root)
    if isinstance(answer, OutlineResult):
        return replace(answer, files=[replace(file, path=paths.join(root, file.path)) for file in answer.files])
    if isinstance(answer, RepoMapResult) and answer.format in ("tree", "compact"):
        return replace(answer, text=_headed(answer.text, root, (file.path for file in answer.files), "", ":$| :: "))
    if isinstance(answer, BuildContextResult):
        return replace(answer, text=_headed(answer.text, root, (each.path for each in answer.passages), "## ", "$"))
    if isinstance(answer, GetArchitectureResult) and answer.format == "text":
        # Modules are folders or shortened names, and many in a line.
        return replace(answer, text=f"Paths are as seen from {root}\n\n{answer.text}")
    return answer


def _explanation(answer: ExplainCodeResult, root: str) -> ExplainCodeResult:
    def related(each: RelatedCode) -> RelatedCode:
        return replace(each, path=paths.join(root, each.path))

    return replace(
        answer,
        absolute_path=paths.join(root, answer.path) if answer.path else None,
        ancestry=[related(each) for each in answer.ancestry],
        uses=[related(each) for each in answer.uses],
        used_by=[related(each) for each in answer.used_by],
        tests=[related(each) for each in answer.tests],
        members=[related(each) for each in answer.members],
        others=[paths.join(root, place) for place in answer.others],
    )


def _trace(answer: TraceExecutionResult, root: str) -> TraceExecutionResult:
    def place(at: str) -> str:
        return paths.join(root, at) if at else ""

    return replace(
        answer,
        entry_at=place(answer.entry_at),
        to_at=place(answer.to_at),
        steps=[replace(step, path=place(step.path), defined_at=place(step.defined_at)) for step in answer.steps],
    )


def _headed(text: str, root: str, files: Iterable[str], before: str, after: str) -> str:
    """Return a text in which those lines are absolute that are a path between `before` and `after`, two patterns."""
    known = "|".join(re.escape(path) for path in sorted(set(files), key=len, reverse=True))
    heading = re.compile(rf"^({before})({known})(?={after})", re.MULTILINE)
    return heading.sub(lambda found: found[1] + paths.join(root, found[2]), text) if known else text
