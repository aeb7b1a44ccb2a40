"""The import of the SDK, without what it brings along for uses that are none of ours.

An agent waits for it at the start, for more than a second of one core. Half of that goes into clients, a second
server and the running of web servers, which the packages import for those who name them, into models and adapters of
messages that are never sent, which can be told to wait until they are used, and into the search for garbage.
"""

from __future__ import annotations

import sys
from typing import Final

from pilotfish.lean_imports import leave_out, put_without_contents, unbuilt_adapters, unbuilt_models, uncollected

_PACKAGES: Final = ("mcp", "mcp.server")
"""Packages whose modules are imported by their own names, so that their own code need not run."""

_WEB_SERVER: Final = "uvicorn"
"""What the SDK looks for to end streams together with it; it may be absent."""


def import_server(*, for_web: bool) -> None:
    """Import what a server of ours is made of, to be called before anything else of the SDK is imported.

    Without `for_web` there is no web server in this process from here on. Where a version of the SDK cannot be
    imported without its packages' own code, or without building its adapters, it is imported as it comes.
    """
    with uncollected():
        import pydantic

        if not for_web:
            leave_out(_WEB_SERVER)
        put_without_contents(*_PACKAGES)
        try:
            with unbuilt_models(), unbuilt_adapters():
                import pilotfish.mcp.server  # noqa: F401
        except (ImportError, AttributeError, pydantic.PydanticUserError):
            for name in [name for name in sys.modules if name.partition(".")[0] == "mcp"]:
                del sys.modules[name]
