"""Entry point. `serve` takes the short way: an editor waits for `initialize`, so nothing else is imported before."""

from __future__ import annotations

import sys


def main() -> int:
    """Run the command line in `sys.argv` and return the exit code."""
    if sys.argv[1:2] == ["serve"]:
        from pilotfish.lsp.serve import run

        return run(sys.argv[2:])
    from pilotfish.cli import main as command_line

    return command_line(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
