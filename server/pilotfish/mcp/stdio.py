"""One client on standard input and output."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from pilotfish.mcp import sdk

if TYPE_CHECKING:
    from pilotfish.mcp.roots import Roots


async def serve(roots: Roots, *, with_instructions: bool) -> None:
    """Serve until standard input ends. Whatever else writes to standard output meanwhile goes to standard error.

    The SDK takes half a second to import: a thread does it, while the engines that were begun come up.
    """
    await asyncio.to_thread(sdk.import_server, for_web=False)
    from mcp.server.stdio import stdio_server

    from pilotfish.mcp.frames import Answering
    from pilotfish.mcp.server import build_server

    server = build_server(roots, with_instructions=with_instructions)
    async with stdio_server() as (incoming, outgoing):
        await server.run(Answering(incoming, outgoing), outgoing, server.create_initialization_options())
