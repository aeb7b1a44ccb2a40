"""The registry of operations: each is declared once and served as LSP command, MCP tool and CLI command.

A declaration holds no behaviour. The engine pairs it with `engine/handlers/<module>.py`; the fronts build their
surfaces from it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
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
class Tool:
    """What agents are told and offered of an operation, where that is not all: they pay for every word.

    `advice` follows the summary and helps to choose and to call the tool. `hides` names parameters that are not
    offered, among them `max_tokens`, which every tool takes otherwise; `choices` the values that are offered of a
    parameter; `omits` fields of the result that are not given; `yields` lists of it that give way before others where
    there is no room. `is_ample`: the operation is asked for more than there is room for, and text and structured
    answer are each cut to the budget, since an entry costs much more in one than in the other.
    """

    advice: str = ""
    hides: tuple[str, ...] = ()
    choices: Mapping[str, tuple[str, ...]] = field(default_factory=dict, hash=False)
    omits: tuple[str, ...] = ()
    yields: tuple[str, ...] = ()
    is_ample: bool = False


@dataclass(frozen=True, kw_only=True)
class Operation:
    """One thing that a client can ask.

    `name` is the operation's name on the wire and as MCP tool. `lsp_command` and `cli` are the names on those surfaces,
    or None where it is not offered; with `mcp` it is a tool, in the form that `tool` says. `summary` is one sentence;
    `title` is what it is called in an editor's list of commands, empty where it is in none; `examples` are CLI argument
    lines that the tests run. `positional` names the parameters that the CLI takes by place.
    `batch` names the field of the result that the CLI gives for each of many questions that come as JSON lines, empty
    where it takes one only.
    """

    name: str
    parameters: type[Parameters]
    result: type[Answer]
    summary: str
    title: str = ""
    lsp_command: str | None = None
    cli: str | None = None
    mcp: bool = False
    tool: Tool = Tool()
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
