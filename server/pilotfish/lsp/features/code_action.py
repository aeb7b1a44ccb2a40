"""`textDocument/codeAction`: commands about the name under the cursor, for editors that give commands no place.

Nothing here changes code. The actions are plain commands with their parameters, which every client can run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types

from pilotfish.lsp import subject
from pilotfish.lsp.cursor import Spot
from pilotfish.lsp.server import PilotfishServer
from pilotfish.operations.explain import EXPLAIN_CODE
from pilotfish.operations.search import FIND_SIMILAR
from pilotfish.operations.symbols import FIND_USAGES
from pilotfish.operations.trace import TRACE_EXECUTION
from pilotfish.workspace.documents import Place

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pilotfish.operations.registry import Operation


async def code_action(ls: PilotfishServer, params: types.CodeActionParams) -> list[types.Command] | None:
    """Offer what can be asked about the place; nothing where the editor wants actions of one kind only."""
    opened = await ls.roots.of(params.text_document.uri)
    if opened is None or params.context.only or not ls.settings_of(opened).features.code_actions:
        return None
    start, end = params.range.start, params.range.end
    spot = Spot(params.text_document.uri, Place(start.line, start.character), Place(end.line, end.character))
    found = await subject.find(ls, opened, spot)
    return None if found is None else list(_offers(found, opened.root))


def _offers(found: subject.Subject, root: str) -> Iterator[types.Command]:
    """Yield the commands, what is asked most often first."""
    traced = subject.parameters(TRACE_EXECUTION, found)
    if found.name:
        yield _command(f"Who uses {found.name}", FIND_USAGES, subject.parameters(FIND_USAGES, found), root)
    yield _command(_explaining(found), EXPLAIN_CODE, subject.parameters(EXPLAIN_CODE, found), root)
    if traced:
        entry = traced["entry_point"]
        yield _command(f"What {entry} calls", TRACE_EXECUTION, traced, root)
        yield _command(f"What calls {entry}", TRACE_EXECUTION, {**traced, "direction": "callers"}, root)
    if found.first:
        like = f"lines {found.first}-{found.last}" if not found.around else found.around
        yield _command(f"Code like {like}", FIND_SIMILAR, subject.parameters(FIND_SIMILAR, found), root)


def _explaining(found: subject.Subject) -> str:
    return f"Explain {found.name if found.name and found.defined_in else 'these lines'}"


def _command(title: str, operation: Operation, parameters: dict[str, Any], root: str) -> types.Command:
    """Return a command that says everything, so that it holds wherever the cursor is when it is run."""
    return types.Command(
        title=f"Pilotfish: {title}", command=str(operation.lsp_command), arguments=[{**parameters, "root": root}]
    )
