"""The reference pages, written from the declarations: `python -m pilotfish.reference docs` rewrites them.

A test asserts that the pages in the repository are the ones that the code gives.
"""

from __future__ import annotations

import sys
import typing
from collections.abc import Container, Iterator
from pathlib import Path
from typing import Any

import msgspec

from pilotfish import config
from pilotfish.operations import OPERATIONS
from pilotfish.operations.answer import Answer, IndexState, Position, Span
from pilotfish.operations.registry import Operation
from pilotfish.reference_languages import kept_figures, languages_page

GENERATED = "<!-- Written by `make docs` from the declarations in server/pilotfish; edit those. -->"

_SCOPES = {
    "U": "your own settings file, environment",
    "R": "also the root's `pilotfish.toml`",
    "S": "also the editor",
}

_SETTINGS_INTRODUCTION = f"""\
# Settings

{GENERATED}

Pilotfish works without any. A setting comes from these places; later ones win:

1. your own settings file: `pilotfish/config.toml` in the user's configuration folder (`~/.config` on Linux,
   `~/Library/Application Support` on macOS, `%LOCALAPPDATA%` on Windows), or the file that `PILOTFISH_CONFIG` names, or
   `config.toml` in `PILOTFISH_HOME`;
2. `pilotfish.toml` at the top of the root, which the repository's authors write;
3. the environment, e.g. `PILOTFISH_LIMITS_WORKERS=2`; lists as `a,b`, tables as `a=b,c=d`, both also as JSON;
4. the editor: `initializationOptions`, then `workspace/configuration` with the section `pilotfish`.

A repository is not trusted: it may not choose where an index lies or how much memory is used, and it may lower limits
but not raise them. What shapes the index cannot come from the editor, so that every client sees the same index. A value
that is wrong, or comes from a place that may not set it, is reported once and its default holds. `pilotfish doctor`
names every problem. A settings file is TOML of at most {config.MAX_FILE_BYTES // 1024} KiB:

```toml
[index]
exclude = ["vendor/", "*.min.js"]

[languages.associations]
"*.inc" = "cpp"
```

Editors send the same names, nested or with dots: `{{"features": {{"hover": "full"}}}}`.

| who may set it | |
| --- | --- |
| U | {_SCOPES["U"]} |
| R | {_SCOPES["R"]} |
| S | {_SCOPES["S"]} |
"""

_OPERATIONS_INTRODUCTION = f"""\
# Operations

{GENERATED}

Each operation is declared once and served as an LSP command (`workspace/executeCommand` with one object of the
parameters below), as an MCP tool, and on the command line. Unknown parameters are refused.

An LSP command takes `root` besides, the path or URI of a workspace folder, and where it is about a name, a definition
or a file, `at`: an LSP `Location`, selected or empty, from which it takes what it is about. Without either of them it
takes that from the place last spoken of.

A tool takes `max_tokens`, most tokens of its answer (1,500; `build_context` and `repo_map` have settings of their own),
and `root` where the server has several. It leaves out what is not for agents; its schema has the rest.

On the command line every command takes `--root FOLDER` and `--json`. Lines and columns count from 1 there, columns in
code points; paths are relative to the root. Advice in an answer names commands and options of the shell, with `--batch`
commands and the parameters of a line. Exit codes: 0 found, 1 no match, 2 failed, 3 not indexed yet.
"""

_ANSWER_INTRODUCTION = """\
## What every answer carries

`outcome` tells the empty answers apart: `found`, `no_match`, `not_indexed`. `unsaved` names the paths whose text comes
from an editor and is not saved yet. `index` tells how far the index is:

"""

_RECORDS_INTRODUCTION = """\
## Records

What the results are made of. A `Span` has a `start` and an `end`, which is just behind the last character; each is a
`line` and a `column` on the command line, and LSP's `line` and `character`, counted from 0 in the encoding that editor
and server agreed on, as the answer to an LSP command.
"""


def settings_page() -> str:
    """Return docs/settings.md."""
    lines = [_SETTINGS_INTRODUCTION]
    section = ""
    for key in config.keys().values():
        if key.section != section:
            section = key.section
            title = typing.cast("str", getattr(config.Settings(), section).__doc__)
            lines += [
                f"## {section}\n",
                f"{title}\n",
                "| key | default | values | scope | |",
                "| --- | --- | --- | --- | --- |",
            ]
        lines.append(_settings_row(key))
        if _is_last(key):
            lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def operations_page() -> str:
    """Return docs/operations.md."""
    lines = [_OPERATIONS_INTRODUCTION]
    offered = [operation for operation in OPERATIONS if operation.cli or operation.lsp_command]
    for operation in offered:
        lines += _operation_section(operation)
    lines += [_ANSWER_INTRODUCTION + "\n".join(_fields_table(IndexState)), "", _RECORDS_INTRODUCTION]
    for record in dict.fromkeys(part for operation in offered for part in _parts(operation.result)):
        lines += [f"### {record.__name__}\n", f"{_sentence(record)}\n", *_fields_table(record), ""]
    return "\n".join(lines).rstrip() + "\n"


def pages(folder: Path) -> dict[str, str]:
    """Return the pages by their names; the figures in them are those of the repository that `folder` lies in."""
    return {
        "settings.md": settings_page(),
        "operations.md": operations_page(),
        "languages.md": languages_page(GENERATED, kept_figures(folder)),
    }


def write(folder: Path) -> list[Path]:
    """Write the pages into `folder` and return their paths."""
    written = pages(folder)
    for name, text in written.items():
        (folder / name).write_text(text, encoding="utf-8")
    return [folder / name for name in written]


def _settings_row(key: config.Key) -> str:
    default = msgspec.json.encode(key.default).decode()
    scope = f"{key.scope}, may only lower" if key.lowers else key.scope
    return f"| `{key.name}` | `{default}` | {config.expectation(key)} | {scope} | {key.description} |"


def _is_last(key: config.Key) -> bool:
    return key.field == msgspec.structs.fields(type(getattr(config.Settings(), key.section)))[-1].name


def _operation_section(operation: Operation) -> Iterator[str]:
    yield f"## {operation.name}\n"
    yield f"{operation.summary}\n"
    names = [
        ("MCP tool", operation.name if operation.mcp else None),
        ("LSP command", operation.lsp_command),
        ("command line", operation.cli and f"pilotfish {operation.cli}"),
    ]
    yield ", ".join(f"{surface} `{name}`" for surface, name in names if name) + ".\n"
    if msgspec.structs.fields(operation.parameters):
        yield "| parameter | type | default | |"
        yield "| --- | --- | --- | --- |"
        yield from _parameter_rows(operation)
        yield ""
    yield f"Result: {_sentence(operation.result)}\n"
    common = {field.name for field in msgspec.structs.fields(Answer)}
    yield from _fields_table(operation.result, without=common)
    yield ""
    if operation.examples:
        yield "```console"
        yield from (f"$ pilotfish {example}" for example in operation.examples)
        yield "```\n"


def _parameter_rows(operation: Operation) -> Iterator[str]:
    hints = typing.get_type_hints(operation.parameters, include_extras=True)
    for field in sorted(msgspec.structs.fields(operation.parameters), key=lambda field: not field.required):
        metas = getattr(hints[field.name], "__metadata__", ())
        description = next((meta.description for meta in metas if meta.description), "")
        default = "required" if field.required else f"`{_default(field)}`"
        yield f"| `{field.name}` | {_type_name(field.type)} | {default} | {description} |"


def _fields_table(structure: type[msgspec.Struct], without: Container[str] = ()) -> Iterator[str]:
    fields = [field for field in msgspec.structs.fields(structure) if field.name not in without]
    if fields:
        yield "| field | type |"
        yield "| --- | --- |"
        yield from (f"| `{field.name}` | {_type_name(field.type)} |" for field in fields)


def _default(field: msgspec.structs.FieldInfo) -> str:
    value = field.default if field.default_factory is msgspec.NODEFAULT else field.default_factory()
    return msgspec.json.encode(value).decode()


def _type_name(hint: Any) -> str:
    """Name a type as JSON has it."""
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Annotated:
        return _type_name(arguments[0])
    if origin is typing.Literal:
        return " or ".join(f'`"{value}"`' for value in arguments)
    if origin in (list, tuple):
        return f"list of {_type_name(arguments[0])}"
    if origin is dict:
        return f"object of {_type_name(arguments[1])}"
    if arguments:
        return " or ".join(_type_name(argument) for argument in arguments)
    names = {str: "string", int: "integer", float: "number", bool: "boolean", type(None): "null"}
    return names.get(hint) or f"`{hint.__name__}`"


def _parts(structure: type[msgspec.Struct]) -> Iterator[type[msgspec.Struct]]:
    """Yield the structures that a result is made of, outermost first, without those described once for all."""
    seen: set[type] = {Answer, IndexState, Position, Span}
    waiting = [field.type for field in msgspec.structs.fields(structure)]
    while waiting:
        hint = waiting.pop(0)
        if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
            if hint not in seen:
                seen.add(hint)
                yield hint
                waiting += [field.type for field in msgspec.structs.fields(hint)]
        else:
            waiting += typing.get_args(hint)


def _sentence(structure: type) -> str:
    return " ".join((structure.__doc__ or "").split())


if __name__ == "__main__":
    for path in write(Path(sys.argv[1])):
        sys.stdout.write(f"{path}\n")
