"""`workspace/executeCommand`: every operation of the registry that has an LSP command.

A command takes one object with the operation's parameters, and beside them `root`: the path or URI of the workspace
folder that is meant, by default the one last spoken to. The answer is plain JSON with the state of the index.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Final

import msgspec

from pilotfish.lsp import converters
from pilotfish.lsp.protocol import INVALID_PARAMS, RequestFailed
from pilotfish.operations import OPERATIONS, wording
from pilotfish.operations.endpoint import MCPEndpointParameters
from pilotfish.operations.index import GET_REPO_STATUS, StatusParameters, StatusResult

if TYPE_CHECKING:
    from lsprotocol import types

    from pilotfish.engine.wire import OperationError
    from pilotfish.lsp.roots import OpenRoot
    from pilotfish.lsp.server import PilotfishServer
    from pilotfish.operations.answer import IndexState
    from pilotfish.operations.registry import Operation, Parameters

BY_COMMAND = {operation.lsp_command: operation for operation in OPERATIONS if operation.lsp_command is not None}
"""The operations that are commands, by the command's name."""


STATUS_TIMEOUT_S: Final = 5.0
"""How long `status` waits for an engine before it says that there is none."""


async def execute(server: PilotfishServer, params: types.ExecuteCommandParams) -> Any:
    """Run a command and return its answer; raise RequestFailed with what to send instead, or what went wrong."""
    operation = BY_COMMAND.get(params.command)
    if operation is None:
        known = ", ".join(BY_COMMAND)
        raise RequestFailed(f"no such command: {params.command}; there are {known}", INVALID_PARAMS)
    given = _single_object(params)
    root = given.pop("root", None)
    parameters = parse(operation, given)
    opened = await server.roots.named(root if isinstance(root, str) else None)
    if opened is None:
        where = f"{root} is in no open workspace folder" if root else "no workspace folder is open"
        if operation is GET_REPO_STATUS:
            return _status(server, StatusResult(warnings=[where], outcome="not_indexed"))
        raise RequestFailed(f"{operation.lsp_command} has no index to ask: {where}")
    if isinstance(parameters, MCPEndpointParameters):
        return await _endpoint(server, parameters, opened)
    timeout = STATUS_TIMEOUT_S if operation is GET_REPO_STATUS else None
    try:
        answer = await server.request(opened, operation.name, parameters, timeout)
    except RequestFailed as error:
        if operation is GET_REPO_STATUS:
            return _status(server, StatusResult(root=opened.root, warnings=[error.message], outcome="not_indexed"))
        raise
    return _status(server, answer) if isinstance(answer, StatusResult) else converters.plain(answer, server.encoding)


def parse(operation: Operation, given: dict[str, Any]) -> Parameters:
    """Check a command's parameters; raise RequestFailed with the ones that it takes."""
    try:
        return msgspec.convert(given, operation.parameters)
    except msgspec.ValidationError as error:
        message = wording.refusal(str(operation.lsp_command), error, _usage(operation))
        raise RequestFailed(message, INVALID_PARAMS) from error


async def _endpoint(
    server: PilotfishServer, parameters: MCPEndpointParameters, meant: OpenRoot
) -> converters.PlainObject:
    """How to reach all roots of the session through MCP, the one that is meant first."""
    roots = [meant.root, *(opened.root for opened in server.roots if opened is not meant)]
    answer = await server.endpoint.answer(parameters.transport, roots)
    answer.index = await _index_of(server, meant)
    return converters.plain(answer, server.encoding)


async def _index_of(server: PilotfishServer, opened: OpenRoot) -> IndexState:
    """How far a root's index is; not begun as long as its engine says nothing."""
    try:
        return (await server.request(opened, GET_REPO_STATUS.name, StatusParameters(), STATUS_TIMEOUT_S)).index
    except RequestFailed:
        return StatusResult().index


def _usage(operation: Operation) -> str:
    return wording.usage(operation, besides=["root"])


def sentence(error: OperationError) -> str:
    """Return an engine's failure as one text: what happened, and what to do."""
    return f"{error.message} {error.hint}".strip() if error.hint else error.message


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
    plain = converters.plain(answer, server.encoding)
    plain["connection"] = {
        "client": server.flags.name,
        "pid": os.getpid(),
        "position_encoding": server.encoding,
        "documents": len(list(server.documents)),
        "roots": [opened.root for opened in server.roots],
        "trace": server.protocol.trace.value,
    }
    return plain
