"""The parser of the command line, built from the registry of operations (DESIGN §7)."""

from __future__ import annotations

import argparse
import shlex
import types
import typing
from typing import Any, NoReturn

import msgspec

import pilotfish
from pilotfish.operations import OPERATIONS
from pilotfish.operations.registry import Operation, Parameters

PAGED = frozenset({"after"})
"""Parameters that the command line sets itself, page by page."""

SOON = frozenset({"get_repo_status", "why"})
"""Operations that tell how far the index is: they wait a moment for it and then answer whatever it is."""

SEMANTIC = frozenset({"search_code", "find_similar", "build_context"})
"""Operations that ask for meaning: they wait for both phases of the index, others for symbols and references only."""

TELL_OF_VECTORS = SEMANTIC | {"get_repo_status"}
"""Operations whose answers say by themselves what is wrong with the vectors."""

_EXIT_CODES = "Exit codes: 0 found, 1 no match, 2 failed, 3 not indexed yet."


class _Parser(argparse.ArgumentParser):
    """Says what was wrong in one line; argparse's own usage dump hides it."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"pilotfish: {message} (see {self.prog} --help)\n")


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of every command; the result names its `command` and, for operations, the `operation`."""
    parser = _Parser(prog="pilotfish", description="One live index of a workspace.", epilog=_EXIT_CODES)
    parser.add_argument("--version", action="version", version=f"pilotfish {pilotfish.__version__}")
    _add_common(parser)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for operation in OPERATIONS:
        if operation.cli is not None:
            _add_operation(commands, operation)
    _add_index(commands)
    _add_cache(commands)
    _add_logs(commands)
    _add_command(commands, "doctor", "Check the installation, the store and the limits, and name what is wrong.")
    # Only their help comes from here: __main__ hands the arguments of both to the servers unread.
    commands.add_parser("serve", help="Run the language server on stdio, for editors.", add_help=False)
    commands.add_parser("mcp", help="Run the MCP server on stdio or HTTP, for agents.", add_help=False)
    return parser


def parsed(arguments: list[str]) -> argparse.Namespace:
    """Return what a command line says.

    Raises:
        SystemExit: it asks for help, or is wrong, which is said then.

    """
    parser = build_parser()
    options, rest = parser.parse_known_args(arguments)
    if rest:
        parser.error(_too_much(options, rest))
    return options


def _too_much(options: argparse.Namespace, rest: list[str]) -> str:
    """Say what is too much; behind a question in words most likely its other words, which belong into quotes."""
    operation: Operation | None = getattr(options, "operation", None)
    asked = getattr(options, operation.positional[0], None) if operation and operation.positional else None
    if not isinstance(asked, str) or any(word.startswith("-") for word in rest):
        return f"unrecognized arguments: {' '.join(rest)}"
    words = shlex.quote(" ".join([asked, *rest]))
    return f"put words that belong together in quotes: pilotfish {options.command} {words}"


def parameters_of(operation: Operation, options: argparse.Namespace) -> Parameters:
    """Return the operation's parameters as given on the command line.

    Raises:
        msgspec.ValidationError: a value is out of its bounds.

    """
    return msgspec.convert(given(operation, options), operation.parameters)


def given(operation: Operation, options: argparse.Namespace) -> dict[str, Any]:
    """Return those of the operation's parameters that stand on the command line, unchecked."""
    return {
        field.name: getattr(options, field.name)
        for field in msgspec.structs.fields(operation.parameters)
        if getattr(options, field.name, None) is not None
    }


def _add_command(commands: Any, name: str, summary: str, examples: tuple[str, ...] = ()) -> argparse.ArgumentParser:
    epilog = "\n".join(["examples:", *(f"  pilotfish {example}" for example in examples)]) if examples else None
    parser: argparse.ArgumentParser = commands.add_parser(
        name, help=summary, description=summary, epilog=epilog, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    _add_common(parser)
    return parser


def _add_common(parser: argparse.ArgumentParser) -> None:
    """Add what every command takes, before or after its name."""
    parser.add_argument(
        "--root", metavar="FOLDER", default=argparse.SUPPRESS, help="The workspace; else the one around this folder."
    )
    parser.add_argument("--json", action="store_true", default=argparse.SUPPRESS, help="Print JSON.")


def _add_operation(commands: Any, operation: Operation) -> None:
    parser = _add_command(commands, typing.cast("str", operation.cli), operation.summary, operation.examples)
    parser.set_defaults(operation=operation)
    hints = typing.get_type_hints(operation.parameters, include_extras=True)
    for field in msgspec.structs.fields(operation.parameters):
        if field.name not in PAGED:
            by_place = field.name in operation.positional
            may_miss = bool(operation.batch) or not field.required
            _add_parameter(parser, field, hints[field.name], by_place=by_place, may_miss=may_miss)
    parser.set_defaults(batch=False)
    if operation.batch:
        _add_batch(parser, operation)
    waits = "wait" not in hints
    parser.set_defaults(
        wait_for_index=waits,
        soon=operation.name in SOON,
        semantic=operation.name in SEMANTIC,
        tells_of_vectors=operation.name in TELL_OF_VECTORS,
    )
    if waits:
        parser.add_argument(
            "--no-wait", dest="wait_for_index", action="store_false", help="Answer from what is indexed so far."
        )


def _add_batch(parser: argparse.ArgumentParser, operation: Operation) -> None:
    """Let the command take many questions; its options hold where a line does not say otherwise."""
    parser.add_argument(
        "--batch",
        action="store_true",
        help=f"Read lines of JSON, {{id, {operation.positional[0]}, …}}, and answer each with one, {{id, "
        f"{operation.batch}, …}}, in the same order. Lines name parameters with underscores.",
    )


def _add_parameter(
    parser: argparse.ArgumentParser, field: msgspec.structs.FieldInfo, hint: Any, *, by_place: bool, may_miss: bool
) -> None:
    """Add one parameter in the form that its type asks for; by its place it must be there unless it `may_miss`."""
    base, description = _plain_type(hint)
    description = description.replace("%", "%%")  # argparse fills in values of its own
    shape: dict[str, Any] = {"help": description}
    if typing.get_origin(base) is list:
        shape["nargs"] = "*"
        if not by_place:
            shape["action"] = "extend"
    if typing.get_origin(base) is typing.Literal:
        shape["choices"] = typing.get_args(base)
    if base in (int, float):
        shape.update(type=base, metavar="N")
    if by_place:
        if may_miss and "nargs" not in shape:
            shape["nargs"] = "?"
        metavar = field.name.upper().rstrip("S") if shape.get("nargs") else field.name.upper()
        parser.add_argument(field.name, **shape | {"metavar": metavar})
        return
    if base is bool:
        shape["action"] = argparse.BooleanOptionalAction if field.default is True else "store_true"
    if isinstance(field.default, int | str) and not isinstance(field.default, bool) and field.default != "":
        shape["help"] = f"{description} Default {field.default}."
    if base is str:
        shape["metavar"] = "TEXT"
    parser.add_argument(f"--{field.name.replace('_', '-')}", dest=field.name, default=None, **shape)


def _plain_type(hint: Any) -> tuple[Any, str]:
    """Split an annotation into its type, without `None`, and its description."""
    description = ""
    if hasattr(hint, "__metadata__"):
        description = next((meta.description for meta in hint.__metadata__ if meta.description), "")
        hint = typing.get_args(hint)[0]
    if isinstance(hint, types.UnionType) or typing.get_origin(hint) is typing.Union:
        hint = next(member for member in typing.get_args(hint) if member is not type(None))
    if hasattr(hint, "__metadata__"):
        hint = typing.get_args(hint)[0]
    return hint, description


def _add_index(commands: Any) -> None:
    parser = _add_command(
        commands,
        "index",
        "Bring the index up to date and wait until it is.",
        ("index", "index --dry-run", "index --rebuild"),
    )
    parser.add_argument("--structural", action="store_true", help="End after symbols and references (phase 1).")
    parser.add_argument("--rebuild", action="store_true", help="Start from nothing.")
    parser.add_argument("--dry-run", action="store_true", help="Only list what is indexed, what is not, and why.")


def _add_cache(commands: Any) -> None:
    parser = _add_command(
        commands, "cache", "List or clear the indexes on this machine.", ("cache list", "cache prune", "cache clear")
    )
    parser.add_argument(
        "action",
        nargs="?",
        default="list",
        choices=("list", "prune", "clear"),
        help="prune: those whose root is gone or that exceed the ceiling; clear: that of this root.",
    )
    parser.add_argument("--all", action="store_true", help="clear: those of every root.")


def _add_logs(commands: Any) -> None:
    parser = _add_command(commands, "logs", "Show the engine's log of this root.", ("logs", "logs -n 20 --follow"))
    parser.add_argument("-n", dest="lines", type=int, default=50, metavar="N", help="Last lines to show. Default 50.")
    parser.add_argument("--follow", "-f", action="store_true", help="Go on as the log grows.")
