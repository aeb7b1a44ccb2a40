"""Values, as far as it matters for what is behind their dots."""

from __future__ import annotations

import enum
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pilotfish.engine.view import Definition


class Sort(enum.Enum):
    """What a value is."""

    MODULE = enum.auto()
    TYPE = enum.auto()
    OBJECT = enum.auto()
    FUNCTION = enum.auto()
    MANY = enum.auto()  # a container: iterated, indexed or awaited it gives one of what it holds


class Thing(NamedTuple):
    """A value: the files of a module; the definition of a type, of an object's type, or of a function with the object
    that it is a member of; what a container holds."""

    sort: Sort
    definition: Definition | None = None
    files: tuple[str, ...] = ()
    held: tuple[Thing, ...] = ()


def many(things: Sequence[Thing]) -> list[Thing]:
    """Return a container of some values; none, where there are none."""
    return [Thing(Sort.MANY, None, (), tuple(things))] if things else []


def held(thing: Thing) -> Iterator[Thing]:
    """Yield what a container gives; anything else is awaited or indexed for what is not known."""
    if thing.sort is Sort.MANY:
        yield from thing.held


def made(thing: Thing) -> Thing:
    """Return an object of a type."""
    return thing._replace(sort=Sort.OBJECT)
