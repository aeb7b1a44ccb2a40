"""The import of the SDK, without what it brings along for uses that are none of ours.

An agent waits for it at the start, for more than a second of one core. A third of that goes into clients, a second
server and the running of web servers, which the packages import for those who name them, and into models of messages
that are never sent, which can be told to wait until they are used.
"""

from __future__ import annotations

import contextlib
import importlib.util
import sys
import types
from collections.abc import Iterator
from typing import Final

_PACKAGES: Final = ("mcp", "mcp.server")
"""Packages whose modules are imported by their own names, so that their own code need not run."""


def import_server() -> None:
    """Import what a server of ours is made of, to be called before anything else of the SDK is imported."""
    with _unbuilt_models(), _without_contents(_PACKAGES):
        import pilotfish.mcp.server  # noqa: F401


@contextlib.contextmanager
def _unbuilt_models() -> Iterator[None]:
    """Let models that are declared meanwhile be built when they are first used."""
    import pydantic

    config = pydantic.BaseModel.model_config
    pydantic.BaseModel.model_config = pydantic.ConfigDict(defer_build=True)
    try:
        yield
    finally:
        pydantic.BaseModel.model_config = config


@contextlib.contextmanager
def _without_contents(packages: tuple[str, ...]) -> Iterator[None]:
    """Put packages in place whose modules can be imported, but whose own code does not run. They stay so, unless a
    version of them cannot be imported in this way."""
    put = [package for package in packages if package not in sys.modules]
    for package in put:
        spec = importlib.util.find_spec(package)
        if spec is not None and spec.submodule_search_locations:
            module = types.ModuleType(package)
            module.__spec__ = spec
            module.__path__ = list(spec.submodule_search_locations)
            sys.modules[package] = module
    try:
        yield
    except (ImportError, AttributeError):
        for name in [name for name in sys.modules if name.partition(".")[0] == "mcp"]:
            del sys.modules[name]
