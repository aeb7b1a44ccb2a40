"""The values that an annotation admits: objects of the types that it names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from pilotfish.engine.resolution.part import Part
from pilotfish.engine.resolution.source import ECMASCRIPT
from pilotfish.engine.resolution.things import Sort, Thing, made, many
from pilotfish.syntax import expressions
from pilotfish.syntax.annotations import Form, read_type, types_in
from pilotfish.syntax.outline import TYPES

if TYPE_CHECKING:
    from pilotfish.engine.resolution.source import Source
    from pilotfish.engine.view import Definition

_BOUND: Final = re.compile(rb"""\bTypeVar\(.*?\bbound\s*=\s*["']?([\w.]+)""", re.DOTALL)

_MEMBER_OF: Final = re.compile(rb"""(.+)\[\s*["']([\w$]+)["']\s*\]\s*""", re.DOTALL)
"""The type of a member: `Type["name"]`."""


class Annotations(Part):
    """Reads the annotations of one resolution's texts."""

    def admitted(self, source: Source, start: int, end: int, owner: Sequence[Thing] = ()) -> list[Thing]:
        """Return the values that an annotation admits; `owner` are the objects that `Self` means in it."""
        effort = self.resolution.effort
        if not effort.allows(end - start):
            return []
        with effort.deeper():
            types = types_in(source.bytes, start, end, source.language)
            function = self.resolution.written.at(source, types[0][0], end, is_type=True) if len(types) > 1 else None
            if function is not None and function.sort is Sort.FUNCTION:  # what it gives is one of several
                return [function]
            return [*dict.fromkeys(found for each in types for found in self._admitted_by(source, *each, owner))]

    def _admitted_by(self, source: Source, start: int, end: int, owner: Sequence[Thing]) -> list[Thing]:
        unnamed = self.resolution.written.at(source, start, end, is_type=True)
        if unnamed is not None:
            return [unnamed]
        member = _MEMBER_OF.fullmatch(source.bytes[start:end]) if source.language in ECMASCRIPT else None
        if member is not None:
            of = self.admitted(source, start, start + member.end(1), owner)
            return self.resolution.chains.stepped(of, member.group(2).decode())
        written = read_type(source.bytes, start, end)
        if written is None:
            return []
        if written.form is Form.OWN:
            return [made(each) for each in owner]
        if written.form is Form.VALUE:
            return self.resolution.chains.expression(source, *written.parts[0])
        if written.form is Form.NAMED:
            return self._named(source, written.name)
        parts = [found for each in written.parts for found in self.admitted(source, *each, owner)]
        if written.form is Form.KIND:
            return [each._replace(sort=Sort.TYPE) for each in parts]
        if written.form is Form.HOLDING:
            return many(parts) or self._named(source, written.name)
        return parts

    def _named(self, source: Source, stretch: tuple[int, int] | None) -> list[Thing]:
        """Return an object of the type whose name stands at a place, dotted or not."""
        chain = None if stretch is None else expressions.chain(source.bytes, *stretch)
        if chain is None:
            return []
        *before, last = chain.links
        resolution = self.resolution
        if before:
            outer = resolution.chains.given(source, chain._replace(links=tuple(before)))
            defined = resolution.members.named(outer, last.name)
        else:
            defined = resolution.names.meant(source, last.name, last.start) or []
        found: list[Thing] = []
        for each in defined:
            if each.kind in TYPES and each.ordinal >= 0:
                found.append(Thing(Sort.OBJECT, each))
            else:
                found += self._bound(each)
        return found

    def _bound(self, variable: Definition) -> list[Thing]:
        """Return what a variable that stands for a type is bound by."""
        source = self.resolution.source(variable.address)
        if source is None or source.scopes is None:
            return []
        binding = source.scopes.at(source.name_start(variable))
        if binding is None:
            return []
        if binding.kind == "generic":
            return [] if binding.annotation is None else self.admitted(source, *binding.annotation)
        if binding.value is None:
            return []
        bound = _BOUND.search(source.bytes, *binding.value)
        if bound is not None:
            return self.admitted(source, *bound.span(1))
        return self.admitted(source, *binding.value) if source.language == "python" else []
