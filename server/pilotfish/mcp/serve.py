"""`pilotfish mcp`: the command line, the roots and the end of the process.

What an agent waits for at the start is the import of the SDK, so nothing of it is imported here.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import faulthandler
import functools
import logging
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final, Protocol

import pilotfish
from pilotfish import config
from pilotfish.engine.rendezvous import root_around
from pilotfish.mcp import configurations, http, stdio
from pilotfish.mcp.roots import Roots

ROOT_VARIABLE: Final = "PILOTFISH_ROOT"
"""Names the root where the command line does not; several stand with the separator of `PATH`."""

GOODBYE_S: Final = 0.3
"""How long engines are told goodbye, in seconds."""


class Transport(Protocol):
    """Serves the clients that it has, and returns when the last one that it can have is gone."""

    async def __call__(self, roots: Roots, *, with_instructions: bool) -> None:
        """Serve tools, resources and prompts of these roots."""


def run(arguments: Sequence[str]) -> int:
    """Serve one client, or all who come over HTTP, and return the exit code: 0 at the end, 2 for bad arguments."""
    try:
        options = build_parser().parse_args(arguments)
        if options.http is None and (options.attached or options.token_file is not None):
            build_parser().error("--attached and --token-file go with --http")
    except SystemExit as leave:
        return leave.code if isinstance(leave.code, int) else 2
    if options.print_config is not None:
        return _print_configuration(options.print_config, named_roots(options.root))
    try:
        _configure_log(options.log_file, options.verbose)
        transport = _over_http(options) if options.http is not None else stdio.serve
    except (OSError, http.TokenError) as error:
        print(f"pilotfish mcp: {_advice(error)}", file=sys.stderr)  # noqa: T201
        return 2
    faulthandler.enable()
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_serve(named_roots(options.root), transport, asks_client=options.http is None))
    return _leave(0)


def named_roots(options: Sequence[str]) -> list[str]:
    """Return the roots that the command line names, else those of the environment."""
    return list(options) or [name for name in os.environ.get(ROOT_VARIABLE, "").split(os.pathsep) if name]


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
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
    way = parser.add_mutually_exclusive_group()
    way.add_argument("--stdio", action="store_true", help="talk on standard input and output (the default)")
    way.add_argument(
        "--http",
        metavar="PORT",
        nargs="?",
        const=0,
        type=_port,
        help=f"streamable HTTP on {http.HOST}, by default on a free port, for those who have the token: that of "
        f"${config.MCP_TOKEN_VARIABLE}, else a new one, which is told on standard error",
    )
    parser.add_argument(
        "--token-file", metavar="PATH", type=Path, help="use the token there, or write a new one, for your eyes only"
    )
    parser.add_argument(
        "--attached",
        action="store_true",
        help="with --http, for programs: tell the address in a line of JSON on standard output, and end with the input",
    )
    parser.add_argument(
        "--print-config",
        metavar="AGENT",
        choices=tuple(configurations.AGENTS),
        help=f"print what an agent is configured with, and leave: {', '.join(configurations.AGENTS)}",
    )
    parser.add_argument("--log-file", metavar="PATH", help="write the log there and not to standard error")
    parser.add_argument("-v", "--verbose", action="count", default=0, help="log more; twice for everything")
    parser.add_argument("--version", action="version", version=f"pilotfish {pilotfish.__version__}")
    return parser


def _port(text: str) -> int:
    if not text.isdecimal() or not 0 <= int(text) < 65536:
        raise argparse.ArgumentTypeError(f"{text!r} is no port number; the address is always {http.HOST}")
    return int(text)


def _over_http(options: argparse.Namespace) -> Transport:
    """Listen, settle the token, and return what serves clients there.

    Raises:
        OSError: the port is taken, or the token cannot be read or written.
        http.TokenError: the token of the environment cannot be used.
    """
    token = http.given_token()
    if token is None and options.token_file is not None:
        token = http.token_of_file(options.token_file)
    is_new, token = token is None, token or http.new_token()
    listener = http.listen(options.http)
    if is_new and options.token_file is not None:
        http.write_token(options.token_file, token)
    if not options.attached:
        print(f"pilotfish mcp: {http.url_of(listener)}", file=sys.stderr)  # noqa: T201
        if is_new and options.token_file is None:
            print(f"Requests need the header Authorization: Bearer {token}", file=sys.stderr)  # noqa: T201
    return functools.partial(http.serve, listener=listener, token=token, attached=options.attached)


def _advice(error: OSError | http.TokenError) -> str:
    """Say what failed at the start, and what to do."""
    if isinstance(error, http.PortError | http.TokenError):
        return str(error)
    return f"{error.strerror}: {error.filename}; name another file" if error.filename else str(error)


def _print_configuration(name: str, roots: Sequence[str]) -> int:
    agent = configurations.AGENTS[name]
    try:
        roots = [_folder(root) for root in roots]
    except NotADirectoryError as error:
        print(f"pilotfish mcp: {error}; name a folder that is there with --root", file=sys.stderr)  # noqa: T201
        return 2
    folder = Path(root_around(Path.cwd()).root) if agent.root == "" and not roots else Path.cwd()
    text = configurations.configuration(agent, configurations.own_program(), roots, folder)
    try:
        sys.stdout.buffer.write(text.encode())
    except UnicodeEncodeError:
        print("pilotfish mcp: the name of the root is no text, which no agent's file can hold", file=sys.stderr)  # noqa: T201
        return 2
    return 0


def _folder(root: str) -> str:
    """Return the absolute path of a root: an agent starts its servers anywhere.

    Raises:
        NotADirectoryError: there is no such folder.
    """
    path = Path(root).expanduser().absolute()
    if ".." in path.parts:  # which leads elsewhere behind a link than it reads
        path = path.resolve()
    if not path.is_dir():
        raise NotADirectoryError(f"{path} is no folder")
    return str(path)


def _configure_log(path: str | None, verbosity: int) -> None:
    level = (logging.WARNING, logging.INFO, logging.DEBUG)[min(verbosity, 2)]
    handler: logging.Handler = logging.StreamHandler() if path is None else logging.FileHandler(path, encoding="utf-8")
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=level, handlers=[handler])


async def _serve(named: list[str], transport: Transport, *, asks_client: bool) -> None:
    roots = Roots(named, folder=Path.cwd(), asks_client=asks_client)
    roots.begin()
    settings = config.load().settings
    try:
        await transport(roots, with_instructions=settings.mcp.instructions == "short")
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
