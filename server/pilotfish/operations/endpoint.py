"""How an agent inside the editor reaches the same index: `mcp_endpoint`, which the session itself answers."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from pilotfish.operations.answer import Answer
from pilotfish.operations.registry import Operation, Parameters

EndpointTransport = Literal["stdio", "http"]


class MCPEndpointParameters(Parameters):
    """What the client of MCP can speak."""

    transport: Annotated[
        EndpointTransport,
        msgspec.Meta(description="`stdio`: a command for it to run; `http`: an address that this session serves."),
    ] = "stdio"


class MCPEndpointResult(Answer):
    """The command of an MCP server for all roots of the session, the one that is meant first; `env` is what it needs
    besides the usual variables. With `http` also the `url` of one that ends with the session; its requests need the
    header `Authorization: Bearer` with the `token`.
    """

    transport: EndpointTransport = "stdio"
    command: str = ""
    args: list[str] = []
    env: dict[str, str] = {}
    url: str = ""
    token: str = ""


MCP_ENDPOINT = Operation(
    name="mcp_endpoint",
    parameters=MCPEndpointParameters,
    result=MCPEndpointResult,
    summary="Tell how an MCP client beside the editor reaches this session's index.",
    lsp_command="pilotfish.mcpEndpoint",
)
