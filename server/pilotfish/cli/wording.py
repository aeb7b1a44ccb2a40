"""Advice of the engine in the words of the shell: it names operations and parameters, a person types commands."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

import msgspec

from pilotfish.operations import OPERATIONS


def in_shell_words(advice: str) -> str:
    """Return advice as a person at a shell can follow it: `find_usages run` becomes `pilotfish refs run`, `page=2`
    becomes `--page 2`, and `file_filter` `--file-filter`. What stands behind an operation is somebody's own name."""
    return _names().sub(_spelled, advice)


def _spelled(found: re.Match[str]) -> str:
    if operation := found["operation"]:
        return f"pilotfish {OPERATIONS[operation].cli}{found['argument'] or ''}"
    option = f"--{(found['set'] or found['parameter']).replace('_', '-')}"
    return f"{option} {found['value']}" if found["set"] else option


@cache
def _names() -> re.Pattern[str]:
    """Match operations that have a command, `parameter=value`, and parameters that no plain sentence would name."""
    operations = [operation.name for operation in OPERATIONS if operation.cli and "_" in operation.name]
    parameters = {field.name for operation in OPERATIONS for field in msgspec.structs.fields(operation.parameters)}
    return re.compile(
        rf"\b(?:(?P<operation>{_any_of(operations)})\b(?P<argument> \S+)?"
        rf"|(?P<set>{_any_of(parameters)})=(?P<value>\w+)"
        rf"|(?P<parameter>{_any_of(name for name in parameters if '_' in name)})\b)"
    )


def _any_of(names: Iterable[str]) -> str:
    return "|".join(sorted(names, key=lambda name: (-len(name), name)))
