"""Imports of the semantic worker's libraries, without what they bring along for uses that are none of ours.

The first question of a shell waits for these imports: some 1.8 s of one core, as they hold Python's lock. Without
leaving anything out they take more than twice as long.
"""

from __future__ import annotations

import importlib.util
import sys
import types
from typing import Final

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
    import pydantic

    _put_without_contents(_CATALOGS)
    config = pydantic.BaseModel.model_config
    pydantic.BaseModel.model_config = pydantic.ConfigDict(defer_build=True)
    try:
        import pilotfish.store.vectors  # noqa: F401
    finally:
        pydantic.BaseModel.model_config = config


def leave_commands_out() -> None:
    """Keep fastembed from importing a command line, with the libraries that draw its output."""
    # None is Python's own mark of a module that is not to be had.
    sys.modules.setdefault(_COMMAND, None)  # type: ignore[arg-type]


def _put_without_contents(package: str) -> None:
    """Put a package in place whose modules can be imported, but whose own code does not run."""
    spec = importlib.util.find_spec(package) if package not in sys.modules else None
    if spec is not None and spec.submodule_search_locations:
        module = types.ModuleType(package)
        module.__spec__ = spec
        module.__path__ = list(spec.submodule_search_locations)
        sys.modules[package] = module
