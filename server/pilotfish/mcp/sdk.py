"""The import of the SDK, without what it brings along for uses that are none of ours.

An agent waits for it at the start, for more than a second of one core. A third of that goes into clients, a second
server and the running of web servers, which the packages import for those who name them, and into models of messages
that are never sent, which can be told to wait until they are used.
"""

from __future__ import annotations

import sys
from typing import Final

from pilotfish.lean_imports import put_without_contents, unbuilt_models

_PACKAGES: Final = ("mcp", "mcp.server")
"""Packages whose modules are imported by their own names, so that their own code need not run."""


def import_server() -> None:
    """Import what a server of ours is made of, to be called before anything else of the SDK is imported.

    Where a version of the SDK cannot be imported without its packages' own code, it is imported as it comes.
    """
    with unbuilt_models():
        put_without_contents(*_PACKAGES)
        try:
            import pilotfish.mcp.server  # noqa: F401
        except (ImportError, AttributeError):
            for name in [name for name in sys.modules if name.partition(".")[0] == "mcp"]:
                del sys.modules[name]
