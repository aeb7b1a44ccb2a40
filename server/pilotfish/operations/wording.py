"""How a client is told what an operation takes, in the same words on every surface."""

from __future__ import annotations

from collections.abc import Collection, Iterable

import msgspec
import msgspec.inspect as inspect

from pilotfish.operations.registry import Operation


def usage(operation: Operation, *, without: Collection[str] = (), besides: Iterable[str] = ()) -> str:
    """Say what an operation takes: `one object with symbol_name (required), file_hint, max_results`.

    `without` names parameters that the surface does not offer, `besides` those that it adds.
    """
    fields = [field for field in msgspec.structs.fields(operation.parameters) if field.name not in without]
    names = [
        f"{field.name} (required)" if field.required else field.name
        for field in sorted(fields, key=lambda field: not field.required)
    ]
    names += besides
    return f"one object with {', '.join(names)}" if names else "an empty object"


def explained(operation: Operation, error: msgspec.ValidationError) -> str:
    """Say what is wrong with the parameters of an operation: of a choice, what there is to choose from."""
    words = str(error)
    for field in inspect.type_info(operation.parameters).fields:  # type: ignore[attr-defined]
        if words.startswith("Invalid enum value") and words.endswith(f"`$.{field.encode_name}`"):
            kind = field.type.type if isinstance(field.type, inspect.Metadata) else field.type
            if isinstance(kind, inspect.LiteralType):
                return f"{words}: one of {', '.join(map(str, kind.values))}"
    return words


def refusal(name: str, error: msgspec.ValidationError | str, takes: str) -> str:
    """Say why the parameters of `name` are refused and what to send instead, as `usage` says it."""
    return f"{name}: {error}. Send {takes}"
