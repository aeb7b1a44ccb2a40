"""The command line for people and scripts: the registry's operations and a few commands about the installation.

Exit codes (DESIGN invariant 7): 0 found, 1 no match, 2 failed, 3 not indexed yet; 130 when interrupted.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys

from pilotfish.cli.arguments import parsed
from pilotfish.cli.terminal import Terminal

INTERRUPTED = 130
"""128 + SIGINT, as shells have it."""

BROKEN_PIPE = 141
"""128 + SIGPIPE: whoever read our output has seen enough."""


def main(arguments: list[str]) -> int:
    """Run one command line and return its exit code; errors are one line on stderr."""
    options = parsed(arguments)
    _open_closed_streams()
    terminal = Terminal(sys.stdout, sys.stderr, os.environ)
    try:
        code = _run(options, terminal)
        sys.stdout.flush()
    except BrokenPipeError:
        _abandon_output()
        return BROKEN_PIPE
    except (KeyboardInterrupt, asyncio.CancelledError):
        return INTERRUPTED
    return code


def _run(options: argparse.Namespace, terminal: Terminal) -> int:
    # Imported after the arguments are known to be right: `--help` and mistakes are answered at once.
    from pilotfish.cli.commands import CommandError, run
    from pilotfish.cli.wording import error_in_shell_words
    from pilotfish.engine.wire import OperationError

    try:
        return run(options, terminal)
    except BrokenPipeError:
        raise
    except OperationError as error:
        terminal.error(error_in_shell_words(error))
    except (CommandError, OSError) as error:
        terminal.error(str(error))
    return 2


def _open_closed_streams() -> None:
    """Give a command that was started without an output (`>&-`) one that nobody reads."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115 - lives as long as the process


def _abandon_output() -> None:
    """Keep the interpreter from complaining at its end about output that nobody reads."""
    null = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        os.dup2(null, stream.fileno())
