"""Entry point. `serve` and `mcp` take the short way: a client waits for the first answer, so nothing else is imported
before."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pilotfish.operations.answer import Answer


def main() -> int:
    """Run the command line in `sys.argv` and return the exit code."""
    _import_nothing_from_here()
    if sys.argv[1:2] == ["serve"]:
        from pilotfish.lsp.serve import run

        return run(sys.argv[2:], _as_text)
    if sys.argv[1:2] == ["mcp"]:
        from pilotfish.mcp import serve

        return serve.run(sys.argv[2:])
    from pilotfish.cli import main as command_line

    return command_line(sys.argv[1:])


def _as_text(answer: Answer) -> str:
    """Return an answer as the shell prints it."""
    from pilotfish.cli.render import as_text

    return as_text(answer)


def _import_nothing_from_here() -> None:
    """Take the working folder off the import path: it is the repository, and its `json.py` is not ours to run.

    Engines and workers start with `-I`; a front is started by whatever the editor runs, which may have put it there.
    """
    here = os.path.realpath(os.curdir)
    sys.path[:] = [entry for entry in sys.path if entry and os.path.realpath(entry) != here]


if __name__ == "__main__":
    sys.exit(main())
