"""The registry of operations: each is declared once and served as LSP command, MCP tool and CLI command.

A declaration holds no behaviour. The engine pairs it with `engine/handlers/<module>.py`; the fronts build their
surfaces from it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pilotfish.operations.answer import Answer


class Parameters(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """Base of every operation's parameters: unknown ones are refused, never ignored.

    Field documentation is given with `msgspec.Meta(description=…)`; it becomes CLI help, tool schema
    and reference page.
    """


@dataclass(frozen=True, kw_only=True)
class Operation:
    """One thing that a client can ask.

    `name` is the operation's name on the wire and as MCP tool. `lsp_command` and `cli` are the names on those surfaces,
    or None where it is not offered. `summary` is one sentence; `examples` are CLI argument lines that the tests run.
    `positional` names the parameters that the CLI takes by place. `batch` names the field of the result that the CLI
    gives for each of many questions that come as JSON lines, empty where it takes one only.
    """

    name: str
    parameters: type[Parameters]
    result: type[Answer]
    summary: str
    lsp_command: str | None = None
    cli: str | None = None
    mcp: bool = False
    positional: tuple[str, ...] = ()
    batch: str = ""
    examples: tuple[str, ...] = ()


class Registry:
    """The closed set of operations, in the order in which they are documented."""

    def __init__(self, operations: tuple[Operation, ...]) -> None:
        self._by_name = {operation.name: operation for operation in operations}
        if len(self._by_name) != len(operations):
            raise ValueError("two operations share a name")

    def __iter__(self) -> Iterator[Operation]:
        return iter(self._by_name.values())

    def __getitem__(self, name: str) -> Operation:
        return self._by_name[name]

    def __contains__(self, name: object) -> bool:
        return name in self._by_name
