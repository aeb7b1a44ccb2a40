"""What the name of a definition stands for: a module, a type, a function, or what a variable was given."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from pilotfish.engine.resolution.part import Part
from pilotfish.engine.resolution.things import Sort, Thing, held, made
from pilotfish.syntax import brackets
from pilotfish.syntax.expressions import MOST_BYTES
from pilotfish.syntax.outline import BODIES, TYPES, SymbolKind
from pilotfish.syntax.scopes import taken_name

if TYPE_CHECKING:
    from pilotfish.engine.resolution.source import Source
    from pilotfish.engine.view import Definition
    from pilotfish.syntax.scopes import Binding as Local
    from pilotfish.syntax.scopes import Stretch

_PROPERTY: Final = re.compile(rb"@(?:[\w.]*property|[\w.]+\.setter|reify|hybrid_property)\b")
_GETTER: Final = re.compile(rb"\bget\s+$")

_FEW: Final = 4
"""Of the places where a function returns something, or a variable gets its value, so many are looked at."""


class Values(Part):
    """Tells what definitions stand for within one resolution."""

    def of(self, definition: Definition, owner: Thing | None = None) -> list[Thing]:
        """Return what the name of a definition stands for; `owner` is the object that it is a member of."""
        kind, is_listed = definition.kind, definition.ordinal >= 0
        if kind is SymbolKind.MODULE and definition.ordinal == -1 and definition.path is not None:
            return [Thing(Sort.MODULE, None, (definition.path,))]
        if (kind in TYPES and is_listed) or kind in (SymbolKind.NAMESPACE, SymbolKind.MODULE):
            return [Thing(Sort.TYPE, definition)]
        source = self.resolution.source(definition.address)
        if source is None:
            return []
        if kind in BODIES or (kind is SymbolKind.PROPERTY and is_listed):
            function = Thing(Sort.FUNCTION, definition, (), () if owner is None else (owner,))
            if _is_read(source, definition):
                return self.result(function)
            if kind in BODIES:
                return [function]
        return self._of_name(source, definition)

    def result(self, thing: Thing) -> list[Thing]:
        """Return what a function gives: what its annotation says, else what it returns."""
        definition = thing.definition
        source = None if definition is None else self.resolution.source(definition.address)
        if definition is None or source is None or source.scopes is None:
            return []
        if definition.ordinal < 0:
            return self.resolution.written.result(thing)
        symbol = source.file.symbols[definition.ordinal]
        binding = source.scopes.at(symbol.name_start)
        if binding is not None and binding.kind == "function" and binding.annotation is not None:
            return self.resolution.annotations.admitted(source, *binding.annotation, thing.held)
        function = source.scopes.function_from(symbol.start, symbol.end)
        if function < 0:
            return []
        expression = self.resolution.chains.expression
        found = [each for one in source.scopes.returned(function)[:_FEW] for each in expression(source, *one)]
        return [*dict.fromkeys(found)]

    # --- variables ---------------------------------------------------------------------------------------------------

    def _of_name(self, source: Source, definition: Definition) -> list[Thing]:
        """Return what a variable, parameter, field or attribute holds."""
        start = source.name_start(definition)
        known, key = self.resolution.known_values, (definition.address, start)
        if key in known:
            return known[key]
        known[key] = []  # a value may be made of itself
        found = known[key] = self._held_by(source, definition, start)
        if not found and self.resolution.effort.is_cut_short:
            del known[key]
        return found

    def _held_by(self, source: Source, definition: Definition, start: int) -> list[Thing]:
        binding = None if source.scopes is None else source.scopes.at(start)
        if binding is None or source.scopes is None:
            if definition.name == "default" and definition.ordinal < -1:
                return self._of_default(source, start)
            return _object_literal(source, definition) or self.resolution.written.value(source, start)
        if binding.kind == "function" and definition.ordinal < -1:
            return [Thing(Sort.FUNCTION, source.unlisted("", start, SymbolKind.FUNCTION))]
        found = self._bound(source, binding)
        if not found and binding.kind == "local":
            # A variable that is declared first and gets its value later.
            others = source.scopes.beside(binding)
            found = next((things for each in others[:_FEW] if (things := self._bound(source, each))), [])
        return found or _object_literal(source, definition)

    def _of_default(self, source: Source, start: int) -> list[Thing]:
        """Return the value that a module gives without a name (`export default …`)."""
        first = start + len("default")
        end = min(len(source.bytes), first + MOST_BYTES)
        return self.resolution.chains.expression(source, *brackets.alternative(source.bytes, first, end, (b";", b"\n")))

    def _bound(self, source: Source, binding: Local) -> list[Thing]:
        """Return what a name is given at one place."""
        expression = self.resolution.chains.expression
        if binding.annotation is not None or binding.value is not None:
            things = self.taken_from(source, binding.annotation, binding.value)
        elif binding.iterated is not None:
            return [each for thing in expression(source, *binding.iterated) for each in held(thing)]
        elif binding.entered is not None:
            return [each for thing in expression(source, *binding.entered) for each in self._entered(thing)]
        else:
            things = self.resolution.callbacks.handed(source, binding)
        if binding.taken is None:
            return things
        return self.resolution.chains.stepped(things, taken_name(source.bytes, binding))

    def taken_from(self, source: Source, annotation: Stretch | None, value: Stretch | None) -> list[Thing]:
        """Return the values that an annotation admits, or where there is none, an expression may have."""
        if annotation is not None:
            return self.resolution.annotations.admitted(source, *annotation)
        return [] if value is None else self.resolution.chains.expression(source, *value)

    def _entered(self, thing: Thing) -> list[Thing]:
        """Return what `with … as` gives: of a type that is caught, an object."""
        if thing.sort is Sort.TYPE:
            return [made(thing)]
        if thing.sort is Sort.MANY:
            return list(thing.held)
        found = [
            each
            for name in ("__enter__", "__aenter__")
            for one in self.resolution.members.of(thing, name)
            for each in self.result(Thing(Sort.FUNCTION, one, (), (thing,)))
        ]
        return found or [thing]


def _is_read(source: Source, definition: Definition) -> bool:
    """Whether a method is called by reading it: a property, a getter."""
    symbol = source.file.symbols[definition.ordinal]
    if source.language == "python":
        return _PROPERTY.search(source.bytes, symbol.start, symbol.start + symbol.head) is not None
    return _GETTER.search(source.bytes, max(0, symbol.name_start - 12), symbol.name_start) is not None


def _object_literal(source: Source, definition: Definition) -> list[Thing]:
    """A constant with members of its own is like a type of which there is one."""
    if definition.ordinal < 0 or not source.file.members(definition.ordinal):
        return []
    return [Thing(Sort.OBJECT, definition)]
