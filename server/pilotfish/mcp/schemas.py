"""JSON schemas of tools, made from the operations' own types and flat enough for every client.

Objects of scalars and lists, no references, no unions: what may be missing is simply not required. Answers take the
same shape (`plain`): columns are left out, since agents count none, and so is what says nothing.
"""

from __future__ import annotations

import typing
from functools import cache
from typing import Any, Final

import msgspec
import msgspec.inspect as inspect

from pilotfish.operations.answer import Answer, IndexState, Position, Span
from pilotfish.operations.registry import Operation

Schema = dict[str, Any]

MAX_TOKENS: Final = 1_500
"""Tokens of an answer where nobody says how many."""

LEAST_TOKENS: Final = 200
"""The smallest budget of an answer: with less there is room for little but the words around it."""

_NOTE: Final[Schema] = {"type": "string", "description": "What was cut, and how to get the rest."}

_SELF_EXPLAINING: Final = frozenset({"absolute_paths", "language", "max_results", "page", "line_start", "line_end"})
"""Parameters whose names say enough to a model; most stand in many tools, and each word is paid for in each."""

_LINE_END: Final = "line_end"

_TYPES: Final[dict[type[inspect.Type], str]] = {
    inspect.StrType: "string",
    inspect.IntType: "integer",
    inspect.FloatType: "number",
    inspect.BoolType: "boolean",
}

_BOUNDS: Final = {"ge": "minimum", "le": "maximum"}


@cache
def offered(operation: Operation) -> tuple[str, ...]:
    """Return the names of the operation's parameters that agents are offered."""
    names = operation.parameters.__struct_fields__
    return tuple(name for name in names if name not in operation.tool.hides)


def has_budget(operation: Operation) -> bool:
    """Whether the engine itself keeps the operation's answers within `max_tokens`."""
    return "max_tokens" in operation.parameters.__struct_fields__


def chooses_budget(operation: Operation) -> bool:
    """Whether a setting of the engine says how long the operation's answers are where the question does not."""
    return has_budget(operation) and any(
        field.name == "max_tokens" and field.default is None for field in msgspec.structs.fields(operation.parameters)
    )


def input_schema(operation: Operation, *, roots: str) -> Schema:
    """Return the schema of a tool's arguments; `roots` names those that there are to choose from, if several."""
    fields = {field.encode_name: field for field in _fields(operation.parameters) if field.name in offered(operation)}
    by_need = sorted(fields, key=lambda name: not fields[name].required)
    properties = {name: _parameter(operation, fields[name]) for name in by_need}
    if "max_tokens" not in operation.tool.hides:
        properties["max_tokens"] = properties.get("max_tokens", {}) | _budget(operation)
    if roots:
        properties["root"] = {"type": "string", "description": f"The folder, else the first: {roots}."}
    schema: Schema = {"type": "object", "properties": properties, "additionalProperties": False}
    if required := [name for name, field in fields.items() if field.required]:
        schema["required"] = required
    return schema


def output_schema(operation: Operation) -> Schema:
    """Return the schema of the answer as `plain` gives it."""
    fields = [field for field in _fields(operation.result) if field.name not in operation.tool.omits]
    properties = _properties(fields)
    properties["note"] = _NOTE
    return {"type": "object", "properties": properties, "required": ["outcome", "index"]}


def plain(operation: Operation, answer: Answer) -> dict[str, Any]:
    """Return an answer as JSON that is valid against `output_schema`."""
    whole = shape(answer, keeps=("outcome", "index"))
    return {name: value for name, value in whole.items() if name not in operation.tool.omits}


def _budget(operation: Operation) -> Schema:
    """Return what is said of `max_tokens`: our default, unless the engine has a setting for this operation."""
    least: Schema = {"type": "integer", "minimum": LEAST_TOKENS}
    return least if chooses_budget(operation) else least | {"default": MAX_TOKENS}


def _parameter(operation: Operation, field: inspect.Field) -> Schema:
    schema = _schema(field.type)
    if field.name in operation.tool.choices:
        schema["enum"] = list(operation.tool.choices[field.name])
        schema.pop("description", None)  # it speaks of the others
    schema.pop("maximum", None)  # who asks for too much is told the bound
    if field.name in _SELF_EXPLAINING or (field.name == "max_tokens" and not chooses_budget(operation)):
        schema.pop("description", None)
    if field.default is True or (field.default and isinstance(field.default, str | int)):
        schema["default"] = field.default
    return schema


def _fields(structure: type[msgspec.Struct]) -> tuple[inspect.Field, ...]:
    kind = inspect.type_info(structure)
    assert isinstance(kind, inspect.StructType)
    return kind.fields


def _properties(fields: typing.Iterable[inspect.Field]) -> dict[str, Schema]:
    properties: dict[str, Schema] = {}
    for field in fields:
        if (place := _place(field.type)) is None:
            properties[field.encode_name] = _schema(field.type)
        elif place == "optional":
            properties[_LINE_END] = {"type": "integer"}
    return properties


def _place(kind: inspect.Type) -> typing.Literal["optional", "always"] | None:
    """Tell whether a field is a stretch of text: one that may be there tells the line where it ends."""
    if isinstance(kind, inspect.UnionType):
        return "optional" if any(_place(member) for member in kind.types) else None
    return "always" if isinstance(kind, inspect.StructType) and kind.cls in (Span, Position) else None


def _schema(kind: inspect.Type) -> Schema:
    """Return the schema of a type; of a union with null, that of what is not null."""
    match kind:
        case inspect.Metadata():
            return _schema(kind.type) | (kind.extra_json_schema or {})
        case inspect.UnionType():
            members = [_schema(member) for member in kind.types if not isinstance(member, inspect.NoneType)]
            assert len(members) == 1, "a field of several types has no flat schema"
            return members[0]
        case inspect.LiteralType():
            return {"type": "string", "enum": list(kind.values)}
        case inspect.ListType():
            return {"type": "array", "items": _schema(kind.item_type)}
        case inspect.DictType():
            return {"type": "object", "additionalProperties": _schema(kind.value_type)}
        case inspect.StructType():
            return {"type": "object", "properties": _properties(kind.fields)}
        case _:
            bounds = {word: getattr(kind, bound, None) for bound, word in _BOUNDS.items()}
            return {"type": _TYPES[type(kind)]} | {word: bound for word, bound in bounds.items() if bound is not None}


def shape(value: Any, keeps: tuple[str, ...] = ()) -> Any:
    """Return a value without columns and without fields that say nothing, but for those that it `keeps`."""
    if isinstance(value, msgspec.Struct):
        fields: dict[str, Any] = {}
        for field in msgspec.structs.fields(value):
            item = getattr(value, field.name)
            if isinstance(item, Span):
                if field.default is None:
                    fields[_LINE_END] = item.end.line + 1
            elif field.name in keeps or not _says_nothing(value, field, item):
                fields[field.name] = shape(item)
        return fields
    if isinstance(value, list | tuple):
        return [shape(item) for item in value]
    if isinstance(value, dict):
        return {key: shape(item) for key, item in value.items()}
    return value


def _says_nothing(holder: msgspec.Struct, field: msgspec.structs.FieldInfo, item: Any) -> bool:
    """Whether a field may be left out: it is empty, or has in an entry of a list the value that it has without a word.
    The state of the index is always told whole."""
    if item is None or item in ("", [], {}):
        return True
    is_entry = not isinstance(holder, Answer | IndexState)
    return is_entry and item == field.default and (not item or holder.__struct_config__.omit_defaults)
