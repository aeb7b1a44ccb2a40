"""Tools: the operations of the registry that are for agents, as a list and as calls."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator
from typing import Annotated, Any, Final

import mcp_types as types
import msgspec
from mcp.server.context import ServerRequestContext
from mcp.server.session import ServerSession
from mcp.shared.exceptions import MCPError

from pilotfish.engine.wire import INTERNAL_ERROR, OperationError, Progress
from pilotfish.mcp import pages, schemas, structured, text
from pilotfish.mcp.client import SessionClient
from pilotfish.mcp.roots import OpenRoot, RootError, Roots
from pilotfish.operations import OPERATIONS, wording
from pilotfish.operations.answer import Answer
from pilotfish.operations.index import GET_REPO_STATUS, SYNC_REPOSITORY, StatusResult
from pilotfish.operations.registry import Operation, Parameters

log = logging.getLogger(__name__)

TOOLS: Final = {operation.name: operation for operation in OPERATIONS if operation.mcp}
"""The operations that are tools, by name."""

TIMEOUT_S: Final = 30.0
STATUS_TIMEOUT_S: Final = 5.0
"""How long `get_repo_status` waits for an engine before it says that there is none."""

_Tokens = Annotated[int, msgspec.Meta(ge=schemas.LEAST_TOKENS, le=1_000_000)]

_AMPLE: Final = 3
"""An entry of an answer costs up to so many times as much as an object than in the text."""

_ANNOTATIONS: Final = types.ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)
"""No tool changes a file; `sync_repository` reads the tree again."""


class ArgumentsError(Exception):
    """Arguments that a tool does not take: which, and what to send instead."""


class Tools:
    """The tools of one server."""

    def __init__(self, roots: Roots) -> None:
        self._roots = roots

    async def list(
        self, context: ServerRequestContext[Any], params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        """Return all tools; there are few, so there is one page."""
        await self._roots.settle(SessionClient(context.session))
        roots = self._roots.labels()
        return types.ListToolsResult(tools=[declaration(operation, roots=roots) for operation in TOOLS.values()])

    async def call(
        self, context: ServerRequestContext[Any], params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        """Answer one call; what goes wrong is said in the result, for the model to read."""
        operation = TOOLS.get(params.name)
        if operation is None:
            words = f"Unknown tool: {params.name}; there are {', '.join(TOOLS)}"
            raise MCPError(types.INVALID_PARAMS, text.error_line(words))
        await self._roots.settle(SessionClient(context.session))
        try:
            arguments = Arguments.read(operation, params.arguments or {}, with_root=self._roots.is_several)
            opened = self._roots.of(arguments.root)
        except (ArgumentsError, RootError) as refusal:
            return _failure(str(refusal))
        async with _reporting(opened, context.session):
            return await _answered(operation, arguments, opened, self._roots.label(opened))


class Arguments(msgspec.Struct, frozen=True, kw_only=True):
    """A call's arguments, checked: the operation's parameters, the root meant, and the tokens of the answer's text."""

    parameters: Parameters
    root: str | None
    max_tokens: int | None

    @classmethod
    def read(cls, operation: Operation, sent: dict[str, Any], *, with_root: bool) -> Arguments:
        """Check what was sent; null stands for nothing.

        Raises:
            ArgumentsError: it is not what the tool takes.
        """
        given = {name: value for name, value in sent.items() if value is not None}
        root = _checked(operation, given, "root", str, with_root=with_root)
        max_tokens = _checked(operation, given, "max_tokens", _Tokens, with_root=with_root)
        given |= _engine_budget(operation, max_tokens)
        hidden = [name for name in given if name in operation.tool.hides]
        try:
            if hidden:
                raise msgspec.ValidationError(f"Object contains unknown field `{hidden[0]}`")
            _check_choices(operation, given)
            parameters = msgspec.convert(given, operation.parameters)
        except msgspec.ValidationError as error:
            said = wording.explained(operation, error)
            raise ArgumentsError(wording.refusal(operation.name, said, _usage(operation, with_root))) from error
        return cls(parameters=parameters, root=root, max_tokens=max_tokens)

    def budget(self, operation: Operation, answer: Answer) -> int:
        """Return how many tokens the answer may have in all."""
        if self.max_tokens is not None:
            return self.max_tokens
        if schemas.chooses_budget(operation):
            own: int = getattr(answer, "max_tokens", schemas.MAX_TOKENS)
            return own + own // 10 + text.FRAME
        return schemas.MAX_TOKENS


def declaration(operation: Operation, *, roots: str) -> types.Tool:
    """Return a tool as clients see it; `roots` names those that there are to choose from, if several."""
    return types.Tool(
        name=operation.name,
        description=f"{operation.summary} {operation.tool.advice}".strip(),
        input_schema=schemas.input_schema(operation, roots=roots),
        output_schema=schemas.output_schema(operation),
        annotations=_ANNOTATIONS,
    )


async def _answered(operation: Operation, arguments: Arguments, opened: OpenRoot, label: str) -> types.CallToolResult:
    try:
        answer = await opened.engine.request(operation.name, arguments.parameters, _patience(operation))
    except OperationError as error:
        if operation is not GET_REPO_STATUS:
            return _failure(_sentence(error, opened))
        # Status always answers, engine or not.
        warnings = [_sentence(error, opened)]
        answer = StatusResult(root=opened.root, warnings=warnings, log_path=opened.log_path, outcome="not_indexed")
    budget = arguments.budget(operation, answer)
    plain = schemas.plain(operation, answer)
    if arguments.max_tokens is not None and "max_tokens" in plain:
        plain["max_tokens"] = arguments.max_tokens
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=pages.render(answer, budget, label))],
        structured_content=structured.within(plain, budget, yields=operation.tool.yields),
    )


def _patience(operation: Operation) -> float | None:
    """How long to wait for an answer, in seconds: whoever waits for the index is told how far it is."""
    if operation is SYNC_REPOSITORY:
        return None
    return STATUS_TIMEOUT_S if operation is GET_REPO_STATUS else TIMEOUT_S


def _sentence(error: OperationError, opened: OpenRoot) -> str:
    """Say what failed and what to do; of a fault of ours, where its details are."""
    words = f"Failed: {error.message.rstrip('.')}. {error.hint}".strip()
    if error.code == INTERNAL_ERROR and opened.log_path and opened.log_path not in words:
        words += f" The log has more: {opened.log_path}"
    return words


def _failure(message: str) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(type="text", text=text.error_line(message))], is_error=True)


def _checked(operation: Operation, given: dict[str, Any], name: str, kind: Any, *, with_root: bool) -> Any:
    """Take one of the arguments that every tool has out of those given, if it is there and of its type."""
    if name not in given or name in operation.tool.hides:
        return None
    try:
        return msgspec.convert(given.pop(name), kind)
    except msgspec.ValidationError as error:
        message = f"{error} - at `$.{name}`"
        raise ArgumentsError(wording.refusal(operation.name, message, _usage(operation, with_root))) from error


def _engine_budget(operation: Operation, max_tokens: int | None) -> dict[str, int]:
    """Return what the engine is told of the budget: less than it is, for the words around its text."""
    if not schemas.has_budget(operation):
        return {}
    if max_tokens is None:
        if schemas.chooses_budget(operation):
            return {}
        max_tokens = schemas.MAX_TOKENS
    if operation.tool.is_ample:
        return {"max_tokens": _AMPLE * max_tokens}
    return {"max_tokens": max_tokens - max_tokens // 10 - text.FRAME}


def _check_choices(operation: Operation, given: dict[str, Any]) -> None:
    for name, choices in operation.tool.choices.items():
        if name in given and given[name] not in choices:
            raise msgspec.ValidationError(f"Expected one of {', '.join(choices)} - at `$.{name}`")


def _usage(operation: Operation, with_root: bool) -> str:
    own = () if "max_tokens" in operation.tool.hides or schemas.has_budget(operation) else ("max_tokens",)
    return wording.usage(operation, without=operation.tool.hides, besides=(*own, *(("root",) if with_root else ())))


@contextlib.asynccontextmanager
async def _reporting(opened: OpenRoot, session: ServerSession) -> AsyncIterator[None]:
    """Pass the engine's progress on while a call waits; the session sends it if the client asked for it."""
    steps: asyncio.Queue[Progress] = asyncio.Queue()
    reporter = asyncio.create_task(_report(steps, session))
    opened.listeners.add(steps.put_nowait)
    try:
        yield
    finally:
        opened.listeners.discard(steps.put_nowait)
        reporter.cancel()


async def _report(steps: asyncio.Queue[Progress], session: ServerSession) -> None:
    """Report each step that is further than the one before: what goes back is a new count of the same work."""
    furthest = -1
    while True:
        step = await steps.get()
        if step.kind == "report" and step.done > furthest:
            furthest = step.done
            try:
                await session.report_progress(step.done, step.total or None, step.message or step.title)
            except Exception as error:  # a client that is gone
                log.debug("progress was not delivered: %s", error)
                return
