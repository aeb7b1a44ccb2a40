"""What the VS Code extension takes from the declarations: `python -m pilotfish.reference_vscode editors/vscode`.

Its manifest lists every setting of `config` and the titles of commands that are operations, and `src/operations.ts` has
the type of every command's parameters and answer. A test asserts that both are the ones that the code gives.

Settings of scope S travel with the session and may differ between folders. All others shape the index or name places,
models and networks: only the person may set them there (`machine`), and the extension hands them to the server in its
environment.
"""

from __future__ import annotations

import json
import sys
import typing
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import msgspec

import pilotfish
from pilotfish import config
from pilotfish.lsp import subject
from pilotfish.operations import OPERATIONS
from pilotfish.operations.answer import Position, Span
from pilotfish.operations.architecture import GET_ARCHITECTURE
from pilotfish.operations.index import GET_REPO_STATUS, WHY
from pilotfish.operations.registry import Operation
from pilotfish.operations.repo_map import REPO_MAP
from pilotfish.operations.search import BUILD_CONTEXT, FIND_SIMILAR, SEARCH_CODE
from pilotfish.operations.symbols import FIND_USAGES
from pilotfish.operations.trace import TRACE_EXECUTION

_SCALARS: Final = {bool: "boolean", int: "integer", float: "number", str: "string"}

_TITLES: Final = {
    "searchByMeaning": SEARCH_CODE.title,
    "findSimilarCode": FIND_SIMILAR.title,
    "whoUsesThis": FIND_USAGES.title,
    "traceFromHere": TRACE_EXECUTION.title,
    "repoMap": REPO_MAP.title,
    "architecture": GET_ARCHITECTURE.title,
    "copyContext": f"Copy {BUILD_CONTEXT.title}",
    "indexStatus": GET_REPO_STATUS.title,
    "why": WHY.title,
}
"""The titles of the extension's commands that are operations, by their names behind `pilotfish.ui.`."""

_TYPES_INTRODUCTION: Final = """\
// Written by `make docs` from the declarations in server/pilotfish; edit those.

/** A place as LSP counts it: from 0, the column in UTF-16 units. */
export interface Position {
  line: number;
  character: number;
}

/** A half-open stretch of text. */
export interface Span {
  start: Position;
  end: Position;
}

/** A place in a document, as LSP has it. */
export interface Location {
  uri: string;
  range: Span;
}
"""

_OWN_SETTINGS: Final[dict[str, Any]] = {
    "title": "Server",
    "properties": {
        "pilotfish.server.path": {
            "type": "string",
            "default": "",
            "scope": "machine",
            "markdownDescription": "The absolute path of the program `pilotfish`. Where it is empty, the program is "
            "looked for on the `PATH`, then in this extension's own storage.",
        },
        "pilotfish.server.python": {
            "type": "string",
            "default": "",
            "scope": "machine",
            "markdownDescription": "The absolute path of a Python 3.11 or newer to install the server with. Where it "
            "is empty, one is looked for on the `PATH`.",
        },
        "pilotfish.trace.server": {
            "type": "string",
            "enum": ["off", "messages", "verbose"],
            "default": "off",
            "scope": "window",
            "description": "Write the messages between VS Code and the server to the log.",
        },
    },
}


def manifest(current: str) -> str:
    """Return `package.json` with the settings that there are, the titles of commands, and the version."""
    tree = json.loads(current)
    tree["version"] = pilotfish.__version__
    for command in tree["contributes"]["commands"]:
        command["title"] = _TITLES.get(command["command"].removeprefix("pilotfish.ui."), command["title"])
    sections: list[dict[str, Any]] = [_OWN_SETTINGS, *_sections()]
    tree["contributes"]["configuration"] = sections
    tree["capabilities"]["untrustedWorkspaces"]["restrictedConfigurations"] = [
        name for section in sections for name, setting in section["properties"].items() if setting["scope"] == "machine"
    ]
    return json.dumps(tree, indent=2, ensure_ascii=False) + "\n"


def operation_types() -> str:
    """Return `src/operations.ts`: what each LSP command takes and answers, as JSON has it, and titles of operations."""
    offered = [operation for operation in OPERATIONS if operation.lsp_command]
    structures: dict[type[msgspec.Struct], None] = {}
    for operation in offered:
        for structure in _structures(operation.result):
            structures.setdefault(structure)
    parts = [_TYPES_INTRODUCTION]
    parts += [_interface(structure) for structure in structures]
    parts += [_parameters(operation) for operation in offered]
    rows = [
        f'  "{operation.lsp_command}": {{ parameters: {operation.parameters.__name__}; '
        f"answer: {operation.result.__name__} }};"
        for operation in offered
    ]
    parts.append("/** Every command of the server. */\nexport interface Operations {\n" + "\n".join(rows) + "\n}\n")
    titles = [f'  {operation.name}: "{operation.title}",' for operation in OPERATIONS if operation.title]
    parts.append(
        "/** What operations are called in the list of commands. */\n"
        "export const TITLES: Record<string, string> = {\n" + "\n".join(titles) + "\n};\n"
    )
    return "\n".join(parts)


def write(folder: Path) -> list[Path]:
    """Rewrite both files in the extension's `folder` and return their paths."""
    package, types = folder / "package.json", folder / "src" / "operations.ts"
    package.write_text(manifest(package.read_text(encoding="utf-8")), encoding="utf-8")
    types.write_text(operation_types(), encoding="utf-8")
    return [package, types]


def _sections() -> Iterator[dict[str, Any]]:
    properties: dict[str, dict[str, Any]] = {}
    for key in config.keys().values():
        properties.setdefault(key.section, {})[f"pilotfish.{key.name}"] = _property(key)
    for section, keys in properties.items():
        yield {"title": section.capitalize() if len(section) > 3 else section.upper(), "properties": keys}


def _property(key: config.Key) -> dict[str, Any]:
    base, *metas = typing.get_args(key.type)
    described: dict[str, Any] = {**_json_type(base), "default": msgspec.to_builtins(key.default)}
    if base in (int, float):
        described |= {"minimum": metas[-1].ge, "maximum": metas[-1].le}
    described["scope"] = _scope(key)
    described["markdownDescription"] = key.description
    return described


def _scope(key: config.Key) -> str:
    if key.scope != "S":
        return "machine"
    return "window" if key.section in ("lsp", "mcp") else "resource"


def _json_type(base: Any) -> dict[str, Any]:
    origin = typing.get_origin(base)
    if origin is typing.Literal:
        return {"type": "string", "enum": list(typing.get_args(base))}
    if origin is tuple:
        return {"type": "array", "items": {"type": "string"}}
    if origin is dict:
        return {"type": "object", "additionalProperties": {"type": "string"}}
    return {"type": _SCALARS[base]}


def _interface(structure: type[msgspec.Struct]) -> str:
    hints = typing.get_type_hints(structure, include_extras=True)
    is_short = structure.__struct_config__.omit_defaults
    fields = [
        f"  {field.name}{'?' if is_short and not field.required else ''}: {_type(hints[field.name])};"
        for field in msgspec.structs.fields(structure)
    ]
    return f"export interface {structure.__name__} {{\n" + "\n".join(fields) + "\n}\n"


def _parameters(operation: Operation) -> str:
    hints = typing.get_type_hints(operation.parameters, include_extras=True)
    takes_place = subject.is_taken(operation)
    fields = [
        f"  {field.name}{'' if field.required and not takes_place else '?'}: {_type(hints[field.name])};"
        for field in msgspec.structs.fields(operation.parameters)
    ]
    lines = [*fields, "  root?: string;", *(["  at?: Location;"] if takes_place else [])]
    return f"export interface {operation.parameters.__name__} {{\n" + "\n".join(lines) + "\n}\n"


def _type(hint: Any) -> str:
    """Name a type as TypeScript does."""
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Annotated:
        return _type(arguments[0])
    if origin is typing.Literal:
        return " | ".join(json.dumps(value) for value in arguments)
    if origin in (list, tuple):
        return f"Array<{_type(arguments[0])}>"
    if origin is dict:
        return f"Record<string, {_type(arguments[1])}>"
    if arguments:
        return " | ".join(_type(argument) for argument in arguments)
    names = {str: "string", int: "number", float: "number", bool: "boolean", type(None): "null"}
    return names.get(hint) or str(hint.__name__)


def _structures(structure: type[msgspec.Struct]) -> Iterator[type[msgspec.Struct]]:
    """Yield a structure after those that it is made of, without the two that are written by hand."""
    for field in msgspec.structs.fields(structure):
        waiting = [field.type]
        while waiting:
            hint = waiting.pop(0)
            if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
                if hint not in (Position, Span, structure):
                    yield from _structures(hint)
            else:
                waiting += typing.get_args(hint)
    yield structure


if __name__ == "__main__":
    for path in write(Path(sys.argv[1])):
        sys.stdout.write(f"{path}\n")
