"""Ways to import a library without what it brings along for uses that are none of ours.

Big libraries import clients, servers and command lines for those who name them, and whoever waits for a first answer
waits for that too. Which library is treated how is said where it is imported: `semantic/imports.py`, `mcp/sdk.py`.
"""

from __future__ import annotations

import contextlib
import gc
import importlib.util
import sys
import types
from collections.abc import Iterator


@contextlib.contextmanager
def unbuilt_models() -> Iterator[None]:
    """Let pydantic models that are declared meanwhile be built when they are first used."""
    import pydantic

    config = pydantic.BaseModel.model_config
    pydantic.BaseModel.model_config = pydantic.ConfigDict(defer_build=True)
    try:
        yield
    finally:
        pydantic.BaseModel.model_config = config


@contextlib.contextmanager
def unbuilt_adapters() -> Iterator[None]:
    """Let pydantic adapters that are made meanwhile be built when they are first used.

    Raises:
        pydantic.PydanticUserError: from the import of whoever makes one of a type with a configuration of its own.
    """
    import pydantic

    make = pydantic.TypeAdapter.__init__
    before = make.__kwdefaults__
    make.__kwdefaults__ = {**(before or {}), "config": pydantic.ConfigDict(defer_build=True)}
    try:
        yield
    finally:
        make.__kwdefaults__ = before


@contextlib.contextmanager
def uncollected() -> Iterator[None]:
    """Look for no garbage meanwhile, nor later in what is there by then.

    What imports make stays, and to look through it again and again takes a quarter of their time.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if was_on:
            gc.enable()


def put_without_contents(*packages: str) -> None:
    """Put packages in place whose modules can be imported by their own names, but whose own code does not run.

    Those that are not installed, or imported already, are left as they are.
    """
    for package in packages:
        spec = importlib.util.find_spec(package) if package not in sys.modules else None
        if spec is not None and spec.submodule_search_locations:
            module = types.ModuleType(package)
            module.__spec__ = spec
            module.__path__ = list(spec.submodule_search_locations)
            sys.modules[package] = module


def leave_out(module: str) -> None:
    """Have later imports of a module fail, as if it were not installed: for one that its importer can do without."""
    # None is Python's own mark of a module that is not to be had.
    sys.modules.setdefault(module, None)  # type: ignore[arg-type]
