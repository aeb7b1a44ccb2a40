"""Advice of the engine in the words of the shell: it names operations and parameters, a person types commands."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable
from functools import cache
from typing import Any

import msgspec

from pilotfish.engine.wire import INVALID_PARAMS, OperationError
from pilotfish.operations import OPERATIONS


def in_shell_words(advice: str, *, in_lines: bool = False) -> str:
    """Return advice as a person at a shell can follow it: `find_usages run` becomes `pilotfish refs run`, `page=2`
    becomes `--page 2`, and `file_filter` `--file-filter`. What stands behind an operation is somebody's own name, or
    words in quotes. With `in_lines` parameters keep their names, as lines of `--batch` have them."""
    return _names().sub(lambda found: _spelled(found, in_lines=in_lines), advice)


def error_in_shell_words(error: OperationError, *, in_lines: bool = False) -> str:
    """Return in one line what failed and what to do. Only what was said to the caller is put in the shell's words; what
    went wrong inside names modules and functions of its own."""
    message = error.message
    if error.code == INVALID_PARAMS:
        message = in_shell_words(message, in_lines=in_lines)
    return f"{message}; {in_shell_words(error.hint, in_lines=in_lines)}" if error.hint else message


def put_in_shell_words(fields: dict[str, Any], *, in_lines: bool = False) -> None:
    """Put the advice in an answer's fields, as JSON for scripts has them, in the shell's words."""
    if fields.get("hint"):
        fields["hint"] = in_shell_words(fields["hint"], in_lines=in_lines)
    coverage = fields.get("coverage")
    if isinstance(coverage, dict) and coverage["missing"]:
        coverage["missing"] = in_shell_words(coverage["missing"], in_lines=in_lines)


def _spelled(found: re.Match[str], *, in_lines: bool) -> str:
    if operation := found["operation"]:
        argument = found["argument"] or ""
        return f"pilotfish {OPERATIONS[operation].cli}" + (f" {_quoted(argument)}" if argument else "")
    if in_lines:
        return found[0]
    option = f"--{(found['set'] or found['parameter']).replace('_', '-')}"
    return f"{option} {found['value']}" if found["set"] else option


def _quoted(argument: str) -> str:
    """Return a name, or words in quotes, as a shell takes them for one argument."""
    try:
        return shlex.quote(msgspec.json.decode(argument, type=str))
    except msgspec.DecodeError:
        return shlex.quote(argument)


@cache
def _names() -> re.Pattern[str]:
    """Match operations that have a command, `parameter=value`, and parameters that no plain sentence would name."""
    operations = [operation.name for operation in OPERATIONS if operation.cli and "_" in operation.name]
    parameters = {field.name for operation in OPERATIONS for field in msgspec.structs.fields(operation.parameters)}
    return re.compile(
        rf'\b(?:(?P<operation>{_any_of(operations)})\b(?: (?P<argument>"(?:[^"\\]|\\.)*"|\S+))?'
        rf"|(?P<set>{_any_of(parameters)})=(?P<value>\w+)"
        rf"|(?P<parameter>{_any_of(name for name in parameters if '_' in name)})\b)"
    )


def _any_of(names: Iterable[str]) -> str:
    return "|".join(sorted(names, key=lambda name: (-len(name), name)))
