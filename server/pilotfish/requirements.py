"""How to install what is missing: a command for the interpreter that runs, whatever way Pilotfish came there."""

from __future__ import annotations

import importlib.util
import re
import shlex
import subprocess
import sys
from importlib import metadata
from typing import Final

_NAME: Final = re.compile(r"[A-Za-z0-9._-]+")


def install_command(distribution: str, *, again: bool = False) -> str:
    """Return the command that installs a distribution in the version that Pilotfish wants, to be typed in a shell;
    `again` for one that is there and damaged."""
    wanted = [*(["--force-reinstall", "--no-deps"] if again else []), _requirement(distribution)]
    if importlib.util.find_spec("pip") is None:  # as in environments that uv makes
        return _line(["uv", "pip", "install", "--python", sys.executable, *wanted])
    return _line([sys.executable, "-m", "pip", "install", *wanted])


def _requirement(distribution: str) -> str:
    """Return what Pilotfish's own metadata says of a distribution, those of extras included, or its bare name."""
    try:
        lines = metadata.requires("pilotfish") or []
    except metadata.PackageNotFoundError:
        lines = []
    said = (line.partition(";")[0].strip() for line in lines)
    return next((line for line in said if _is_of(line, distribution)), distribution)


def _is_of(requirement: str, distribution: str) -> bool:
    name = _NAME.match(requirement)
    return name is not None and _normal(name[0]) == _normal(distribution)


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _line(words: list[str]) -> str:
    return subprocess.list2cmdline(words) if sys.platform == "win32" else shlex.join(words)
