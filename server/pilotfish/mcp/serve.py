"""`pilotfish mcp`: the command line, the roots and the end of the process.

What an agent waits for at the start is the import of the SDK, so nothing of it is imported here.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import faulthandler
import logging
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pilotfish
from pilotfish import config
from pilotfish.mcp import stdio
from pilotfish.mcp.roots import Roots

ROOT_VARIABLE: Final = "PILOTFISH_ROOT"
"""Names the root where the command line does not; several stand with the separator of `PATH`."""

GOODBYE_S: Final = 0.3
"""How long engines are told goodbye, in seconds."""


def run(arguments: Sequence[str]) -> int:
    """Serve one client and return the exit code: 0 when it left, 2 for bad arguments."""
    try:
        options = _parser().parse_args(arguments)
    except SystemExit as leave:
        return leave.code if isinstance(leave.code, int) else 2
    try:
        _configure_log(options.log_file, options.verbose)
    except OSError as error:
        print(f"pilotfish mcp: {error}", file=sys.stderr)  # noqa: T201
        return 2
    faulthandler.enable()
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_serve(named_roots(options.root)))
    return _leave(0)


def named_roots(options: Sequence[str]) -> list[str]:
    """Return the roots that the command line names, else those of the environment."""
    return list(options) or [name for name in os.environ.get(ROOT_VARIABLE, "").split(os.pathsep) if name]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="pilotfish mcp",
        description="Serve an agent through the Model Context Protocol.",
        allow_abbrev=False,
    )
    parser.add_argument(
        "--root",
        metavar="FOLDER",
        action="append",
        default=[],
        help=f"the workspace, again for a second one; else ${ROOT_VARIABLE}, the client's own, or the one around here",
    )
    parser.add_argument("--stdio", action="store_true", help="talk on standard input and output (the default)")
    parser.add_argument("--log-file", metavar="PATH", help="write the log there and not to standard error")
    parser.add_argument("-v", "--verbose", action="count", default=0, help="log more; twice for everything")
    parser.add_argument("--version", action="version", version=f"pilotfish {pilotfish.__version__}")
    return parser


def _configure_log(path: str | None, verbosity: int) -> None:
    level = (logging.WARNING, logging.INFO, logging.DEBUG)[min(verbosity, 2)]
    handler: logging.Handler = logging.StreamHandler() if path is None else logging.FileHandler(path, encoding="utf-8")
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=level, handlers=[handler])


async def _serve(named: list[str]) -> None:
    roots = Roots(named, folder=Path.cwd())
    roots.begin()
    settings = config.load().settings
    try:
        await stdio.serve(roots, with_instructions=settings.mcp.instructions == "short")
    finally:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(GOODBYE_S):
                await roots.close()
        _leave(0)


def _leave(code: int) -> int:
    """End at once: what a stray print has left in a buffer must not reach the client, nor a thread hold the process."""
    logging.shutdown()
    with contextlib.suppress(OSError, ValueError):
        sys.stderr.flush()
    os._exit(code)
