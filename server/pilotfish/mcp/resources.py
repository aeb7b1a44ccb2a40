"""Resources: the map, the state of the index, and the outline of a file."""

from __future__ import annotations

import asyncio
from typing import Any, Final
from urllib.parse import SplitResult, parse_qs, quote, unquote, urlsplit

import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.shared.exceptions import MCPError

from pilotfish.engine.wire import OperationError
from pilotfish.mcp import pages
from pilotfish.mcp.client import SessionClient
from pilotfish.mcp.roots import OpenRoot, RootError, Roots
from pilotfish.mcp.text import error_line
from pilotfish.operations.index import GET_REPO_STATUS, StatusParameters
from pilotfish.operations.registry import Operation, Parameters
from pilotfish.operations.repo_map import REPO_MAP, RepoMapParameters
from pilotfish.operations.symbols import OUTLINE, OutlineParameters
from pilotfish.visible_text import one_line
from pilotfish.workspace import paths

SCHEME: Final = "pilotfish"
MAP: Final = "pilotfish://map"
STATUS: Final = "pilotfish://status"
FILE_TEMPLATE: Final = "pilotfish://file/{+path}/outline"

MAX_TOKENS: Final = 4_000
"""Tokens of a resource: nobody can say how many."""

_MIME: Final = "text/plain"


class Resources:
    """The resources of one server. With several roots `?root=NAME` says which."""

    def __init__(self, roots: Roots) -> None:
        self._roots = roots

    async def list(
        self, context: ServerRequestContext[Any], params: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        """Return the resources that are always there, once for each root."""
        await self._roots.settle(SessionClient(context.session))
        resources: list[types.Resource] = []
        for opened in self._roots:
            label = self._roots.label(opened)
            which = f"?root={quote(label, safe='')}" if label else ""
            of = f" of {one_line(label)}" if label else ""
            resources += [
                types.Resource(name=name + of, uri=uri + which, description=operation.summary, mime_type=_MIME)
                for name, uri, operation in (("map", MAP, REPO_MAP), ("status", STATUS, GET_REPO_STATUS))
            ]
        return types.ListResourcesResult(resources=resources)

    async def list_templates(
        self, context: ServerRequestContext[Any], params: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        """Return the template of a file's outline."""
        await self._roots.settle(SessionClient(context.session))
        which, told = ("{?root}", f" Roots: {self._roots.labels()}.") if self._roots.is_several else ("", "")
        template = types.ResourceTemplate(
            name="outline",
            uri_template=FILE_TEMPLATE + which,
            description=f"The definitions of one file.{told}",
            mime_type=_MIME,
        )
        return types.ListResourceTemplatesResult(resource_templates=[template])

    async def read(
        self, context: ServerRequestContext[Any], params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        """Return one resource as text.

        Raises:
            MCPError: there is none by that name, or it cannot be had now.
        """
        await self._roots.settle(SessionClient(context.session))
        uri = str(params.uri)
        parts = _parts(uri)
        try:
            opened = self._roots.of(next(iter(parse_qs(parts.query).get("root", [])), None))
        except RootError as refusal:
            raise MCPError(types.INVALID_PARAMS, error_line(str(refusal))) from refusal
        operation, parameters = await _question(opened, uri, parts.netloc, parts.path)
        try:
            answer = await opened.engine.request(operation.name, parameters)
        except OperationError as error:
            raise MCPError(types.INTERNAL_ERROR, error_line(f"{error.message} {error.hint}")) from error
        shown = pages.render(answer, MAX_TOKENS, self._roots.label(opened))
        contents = types.TextResourceContents(uri=params.uri, mime_type=_MIME, text=shown)
        return types.ReadResourceResult(contents=[contents])


async def _question(opened: OpenRoot, uri: str, host: str, path: str) -> tuple[Operation, Parameters]:
    """Return the operation that a URI stands for, with its parameters."""
    match host:
        case "map" if path in ("", "/"):
            return REPO_MAP, RepoMapParameters()
        case "status" if path in ("", "/"):
            return GET_REPO_STATUS, StatusParameters()
        case "file" if path.startswith("/") and path.endswith("/outline"):
            file = unquote(path.removeprefix("/").removesuffix("/outline"))
            if await asyncio.to_thread(_is_inside, opened.root, file):
                return OUTLINE, OutlineParameters(files=[file])
            words = f"{uri}: send the path of a file inside {opened.name}, relative to it"
            raise MCPError(types.INVALID_PARAMS, error_line(words))
    raise _unknown(uri)


def _parts(uri: str) -> SplitResult:
    """Take a URI of ours apart."""
    try:
        parts = urlsplit(uri)
    except ValueError as error:  # a bracket without its counterpart
        raise _unknown(uri) from error
    if parts.scheme != SCHEME:
        raise _unknown(uri)
    return parts


def _unknown(uri: str) -> MCPError:
    words = f"Unknown resource: {uri}; there are {MAP}, {STATUS} and {FILE_TEMPLATE}"
    return MCPError(types.INVALID_PARAMS, error_line(words))


def _is_inside(root: str, path: str) -> bool:
    """Whether a path is relative and reached without links."""
    return paths.is_relative_path(path) and paths.contained(root, paths.join(root, path)) == path
