"""Imports of the semantic worker's libraries, without what they bring along for uses that are none of ours.

The first question of a shell waits for these imports: some 1.8 s of one core, as they hold Python's lock. Without
leaving anything out they take more than twice as long.
"""

from __future__ import annotations

from typing import Final

from pilotfish.lean_imports import leave_out, put_without_contents, unbuilt_models

_CATALOGS: Final = "lance_namespace_urllib3_client"
"""A generated client of remote catalogs, of which LanceDB needs the models."""

_COMMAND: Final = "httpx._main"
"""The command line of the HTTP client that fastembed imports to fetch models; it may be absent."""


def import_tables() -> None:
    """Import LanceDB, in half of the time that it takes by itself.

    The other half goes into a client of remote catalogs that is never used here: hundreds of pydantic models, and of
    checked functions that call a server. Models can be told to wait until they are used; the functions are reached
    through the package alone, which is put there without them.
    """
    put_without_contents(_CATALOGS)
    with unbuilt_models():
        import pilotfish.store.vectors  # noqa: F401


def leave_commands_out() -> None:
    """Keep fastembed from importing a command line, with the libraries that draw its output."""
    leave_out(_COMMAND)
