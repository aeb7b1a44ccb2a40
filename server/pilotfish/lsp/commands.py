"""`workspace/executeCommand`: every operation of the registry that has an LSP command.

A command takes one object with the operation's parameters, and beside them `root`: the path or URI of the workspace
folder that is meant, by default the one last spoken to. The answer is plain JSON with the state of the index.

What a command is about may be left out where it can be taken from where the user is (`lsp.subject`): the `Location` of
LSP that is given as `at`, else what was spoken of last. And the answer is shown by us, too, in editors that would drop
it (`lsp.shown`).
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Final, NoReturn

import msgspec
from lsprotocol import types

from pilotfish.lsp import converters, shown, subject
from pilotfish.lsp.cursor import Spot
from pilotfish.lsp.followable import with_absolute_paths
from pilotfish.lsp.protocol import INVALID_PARAMS, RequestFailed
from pilotfish.operations import OPERATIONS, wording
from pilotfish.operations.endpoint import MCPEndpointParameters
from pilotfish.operations.index import GET_REPO_STATUS, StatusParameters, StatusResult
from pilotfish.operations.search import SEARCH_CODE
from pilotfish.operations.symbols import FIND_SYMBOLS
from pilotfish.workspace.documents import Place

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pilotfish.engine.wire import OperationError
    from pilotfish.lsp.roots import OpenRoot
    from pilotfish.lsp.server import PilotfishServer
    from pilotfish.operations.answer import Answer, IndexState
    from pilotfish.operations.registry import Operation, Parameters


def _place_in_lists(operation: Operation) -> int:
    """Sort what makes sense without parameters before the rest: editors offer commands in this order."""
    if subject.is_taken(operation):
        return 0
    return 2 if any(field.required for field in msgspec.structs.fields(operation.parameters)) else 1


BY_COMMAND: Final = {
    operation.lsp_command: operation
    for operation in sorted(OPERATIONS, key=_place_in_lists)
    if operation.lsp_command is not None
}
"""The operations that are commands, by the command's name."""

STATUS_TIMEOUT_S: Final = 5.0
"""How long `status` waits for an engine before it says that there is none."""

_ABOUT: Final = ("query", "task", "symbol_name", "entry_point", "file_path", "files", "path", "action", "snippet")
"""Parameters that tell what a command is about, for its title."""

_MAX_WORDS: Final = 100
"""Characters of them that a title repeats."""

_IN_WORDS: Final = "The list of workspace symbols takes names, and questions in words behind a `?`."
"""What people do instead who cannot send parameters."""


class _Position(msgspec.Struct):
    line: Annotated[int, msgspec.Meta(ge=0)]
    character: Annotated[int, msgspec.Meta(ge=0)]


class _Range(msgspec.Struct):
    start: _Position
    end: _Position


class _Location(msgspec.Struct):
    """LSP's `Location`, as a client sends it."""

    uri: str
    range: _Range


async def execute(server: PilotfishServer, params: types.ExecuteCommandParams) -> Any:
    """Run a command and return its answer; raise RequestFailed with what to send instead, or what went wrong."""
    operation = BY_COMMAND.get(params.command)
    way = shown.chosen_way(server.configuration.settings().commands.show, server.flags)
    try:
        if operation is None:
            known = ", ".join(BY_COMMAND)
            raise RequestFailed(f"no such command: {params.command}; there are {known}", INVALID_PARAMS)
        call = await _prepared(server, operation, params, way)
        answer = await _answer(server, operation, call)
    except RequestFailed as error:
        if way != "client":
            asks_for_words = operation in (SEARCH_CODE, FIND_SYMBOLS) and error.code == INVALID_PARAMS
            server.shown.message(_IN_WORDS if asks_for_words else error.message, types.MessageType.Error)
        raise
    if way != "client":
        followable = with_absolute_paths(answer, call.opened.root) if way == "document" and call.opened else answer
        server.in_background(server.shown.show(call.title, followable, way))
    return _status(server, answer) if isinstance(answer, StatusResult) else converters.plain(answer, server.encoding)


@dataclass(frozen=True, kw_only=True)
class _Call:
    """A command with all that it needs; `root` is what the client named, None where it named none."""

    title: str
    parameters: Parameters
    root: str | None
    opened: OpenRoot | None


async def _prepared(
    server: PilotfishServer, operation: Operation, params: types.ExecuteCommandParams, way: shown.Way
) -> _Call:
    """Check what was given, and take what a command is about from where the user is if that was left out."""
    given = _single_object(params)
    if way == "document" and "absolute_paths" in operation.parameters.__struct_fields__:
        given.setdefault("absolute_paths", True)  # editors follow the paths of a document from where that lies
    named = given.pop("root", None)
    root = named if isinstance(named, str) else None
    at = given.pop("at", None) if subject.is_taken(operation) else None
    if subject.says_nothing(operation, given):
        spot = _where(server, operation) if at is None else _spot(operation, at)
        opened = await (server.roots.of(spot.uri) if root is None else server.roots.named(root))
        given |= await _taken(server, operation, opened or _no_root(operation, root), spot)
    else:
        opened = await server.roots.named(root)
    return _Call(title=_title(operation, given), parameters=parse(operation, given), root=root, opened=opened)


def _where(server: PilotfishServer, operation: Operation) -> Spot:
    """Return where the user is; raise RequestFailed where no document is open."""
    if server.cursor.spot is None:
        reason = "no document is open to take it from"
        raise RequestFailed(wording.refusal(str(operation.lsp_command), reason, _usage(operation)), INVALID_PARAMS)
    return server.cursor.spot


def _spot(operation: Operation, at: Any) -> Spot:
    """Return the place that a client names; raise RequestFailed where it is no Location."""
    try:
        place = msgspec.convert(at, _Location)
    except msgspec.ValidationError as error:
        reason = f"`at` is no Location: {error}"
        raise RequestFailed(
            wording.refusal(str(operation.lsp_command), reason, _usage(operation)), INVALID_PARAMS
        ) from error
    start, end = (Place(each.line, each.character) for each in (place.range.start, place.range.end))
    return Spot(place.uri, start, end)


async def _taken(server: PilotfishServer, operation: Operation, opened: OpenRoot, spot: Spot) -> Mapping[str, Any]:
    """Return what the command is about; raise RequestFailed where the place does not tell."""
    found = await subject.find(server, opened, spot)
    taken = subject.parameters(operation, found) if found is not None else {}
    if not taken:
        where = "no name is under the cursor" if spot.start is not None else "where the cursor is, is not known yet"
        raise RequestFailed(wording.refusal(str(operation.lsp_command), where, _usage(operation)), INVALID_PARAMS)
    return taken


async def _answer(server: PilotfishServer, operation: Operation, call: _Call) -> Answer:
    """Ask the engine; `status` always answers, whether there is one or not."""
    if call.opened is None and operation is GET_REPO_STATUS:
        return StatusResult(warnings=[_where_not(call.root)], outcome="not_indexed")
    opened = call.opened or _no_root(operation, call.root)
    if isinstance(call.parameters, MCPEndpointParameters):
        return await _endpoint(server, call.parameters, opened)
    timeout = STATUS_TIMEOUT_S if operation is GET_REPO_STATUS else None
    try:
        return await server.request(opened, operation.name, call.parameters, timeout)
    except RequestFailed as error:
        if operation is GET_REPO_STATUS:
            return StatusResult(root=opened.root, warnings=[error.message], outcome="not_indexed")
        raise


def _no_root(operation: Operation, root: str | None) -> NoReturn:
    raise RequestFailed(f"{operation.lsp_command} has no index to ask: {_where_not(root)}")


def _where_not(root: str | None) -> str:
    return f"{root} is in no open workspace folder" if root else "no workspace folder is open"


def _title(operation: Operation, given: Mapping[str, Any]) -> str:
    """Name a command and what it is about."""
    about = next((given[name] for name in _ABOUT if name in given), "")
    words = ", ".join(map(str, about)) if isinstance(about, list) else str(about)
    return f"{operation.lsp_command} {words[:_MAX_WORDS]}".strip()


def parse(operation: Operation, given: dict[str, Any]) -> Parameters:
    """Check a command's parameters; raise RequestFailed with the ones that it takes."""
    try:
        return msgspec.convert(given, operation.parameters)
    except msgspec.ValidationError as error:
        said = wording.explained(operation, error)
        message = wording.refusal(str(operation.lsp_command), said, _usage(operation))
        raise RequestFailed(message, INVALID_PARAMS) from error


async def _endpoint(server: PilotfishServer, parameters: MCPEndpointParameters, meant: OpenRoot) -> Answer:
    """How to reach all roots of the session through MCP, the one that is meant first."""
    roots = [meant.root, *(opened.root for opened in server.roots if opened is not meant)]
    answer = await server.endpoint.answer(parameters.transport, roots)
    answer.index = await _index_of(server, meant)
    return answer


async def _index_of(server: PilotfishServer, opened: OpenRoot) -> IndexState:
    """How far a root's index is; not begun as long as its engine says nothing."""
    try:
        return (await server.request(opened, GET_REPO_STATUS.name, StatusParameters(), STATUS_TIMEOUT_S)).index
    except RequestFailed:
        return StatusResult().index


def _usage(operation: Operation) -> str:
    return wording.usage(operation, besides=["root", "at"] if subject.is_taken(operation) else ["root"])


def sentence(error: OperationError) -> str:
    """Return an engine's failure as one text: what happened, and what to do."""
    return f"{error.message}; {error.hint}" if error.hint else error.message


def _single_object(params: types.ExecuteCommandParams) -> dict[str, Any]:
    """Return a copy of the one object that a command takes; nothing at all stands for an empty one."""
    arguments = list(params.arguments or [])
    if not arguments or arguments == [None]:
        return {}
    if len(arguments) == 1:
        plain = _as_object(arguments[0])
        if plain is not None:
            return plain
    takes = _usage(BY_COMMAND[params.command])
    raise RequestFailed(wording.refusal(params.command, "the arguments are not one object", takes), INVALID_PARAMS)


def _as_object(argument: Any) -> dict[str, Any] | None:
    return dict(argument) if isinstance(argument, dict) else None


def _status(server: PilotfishServer, answer: StatusResult) -> converters.PlainObject:
    """`status` always answers, engine or not, and tells about this connection too."""
    from pilotfish.engine.wire import WIRE_VERSION

    plain = converters.plain(answer, server.encoding)
    plain["connection"] = {
        "client": server.flags.name,
        "pid": os.getpid(),
        "wire_version": WIRE_VERSION,
        "position_encoding": server.encoding,
        "documents": len(list(server.documents)),
        "roots": [opened.root for opened in server.roots],
        "trace": server.protocol.trace.value,
    }
    return plain
