"""What is behind a dot: members of modules, of types and of what these inherit."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final, Protocol

from pilotfish.engine.outlined import HEIRS
from pilotfish.engine.resolution.definitions import beside, distinct
from pilotfish.engine.resolution.part import Part
from pilotfish.engine.resolution.things import Sort, Thing
from pilotfish.syntax import brackets
from pilotfish.syntax.facts import related_languages
from pilotfish.syntax.outline import TYPES, Role, SymbolKind

if TYPE_CHECKING:
    from pilotfish.engine.outlined import File, Reference
    from pilotfish.engine.resolution.source import Source
    from pilotfish.engine.view import Definition

_BASES_DEEP: Final = 12
"""So far up bases of bases are looked at."""

_APART: Final = frozenset({"go", "rust", "cpp", "c"})
"""Languages in which a type's methods stand outside of it, perhaps in other files."""

_ALIASING: Final = frozenset({"typescript", "tsx", "go", "rust"})
_ALIASED: Final = re.compile(rb"\s*=\s*")
"""Between the name of a type alias, with its parameters, and what it stands for."""

_METACLASS: Final = re.compile(rb"\bmetaclass\s*=\s*[\w.]*$")


class Kindred(Protocol):
    """Tells of bases what no text says by itself."""

    def likely_base(self, path: str, reference: Reference) -> Sequence[Definition]:
        """Return what a name that is inherited seems to mean, the likeliest first."""

    def implemented_by(self, kind: Definition) -> Sequence[Definition]:
        """Return the types that a type inherits by what is written elsewhere."""


class Members(Part):
    """Finds members within one resolution."""

    def named(self, things: Iterable[Thing], name: str) -> list[Definition]:
        """Return what some values have under a name."""
        return distinct(each for thing in things for each in self.of(thing, name))

    def of(self, thing: Thing, name: str) -> list[Definition]:
        """Return what a value has under a name."""
        if thing.sort is Sort.MODULE:
            imports = self.resolution.imports
            found = [each for file in thing.files for each in imports.given(file, name)]
            return found or [each for file in thing.files for each in imports.submodule(file, name)]
        if thing.definition is None or thing.sort is Sort.MANY or thing.sort is Sort.FUNCTION:
            return []
        seen: set[tuple[str, int]] = set()
        front = [thing.definition]
        weak: list[Definition] = []
        for _ in range(_BASES_DEEP):
            fresh: list[Definition] = []
            for each in front:
                key = (each.address, each.ordinal)
                if key in seen:
                    continue
                seen.add(key)
                found = self.own(each, name)
                if found and not self._is_only_assigned(found[0]):
                    return found
                weak = weak or found
                fresh += self.bases(each)
            front = fresh
            if not front:
                break
        return weak

    def _is_only_assigned(self, definition: Definition) -> bool:
        """Whether an attribute is not declared, but given a value by a method: a base may declare it."""
        source = self.resolution.source(definition.address) if definition.ordinal < -1 else None
        scopes = None if source is None else source.scopes
        binding = None if source is None or scopes is None else scopes.at(source.name_start(definition))
        return binding is not None and binding.annotation is None

    def own(self, kind: Definition, name: str) -> list[Definition]:
        """Return what a type itself has under a name, wherever that stands."""
        source = self.resolution.source(kind.address)
        if source is None:
            return []
        if kind.ordinal < -1:
            return self.resolution.written.member(kind, name)
        symbols = source.file.symbols
        inside = f"{kind.container}.{kind.name}" if kind.container else kind.name
        own = [
            each
            for each in source.file.by_name.get(name, ())
            if symbols[each].parent == kind.ordinal
            or (symbols[each].container and source.file.containers[each] == inside)
        ]
        if own:
            return source.definitions(own)
        if source.language in _APART:
            others = [
                each
                for each in self.resolution.view.definitions(name, related_languages(source.language))
                if each.container.rpartition(".")[2] == kind.name
            ]
            near = beside(kind.address, others)
            if near or (source.language != "go" and others):
                return near or others
        return self._assigned(source, kind, name, inside)

    @staticmethod
    def _assigned(source: Source, kind: Definition, name: str, inside: str) -> list[Definition]:
        """Return the attribute that a type's methods give to their object, where it is declared or first given."""
        if kind.ordinal < 0 or not source.may_bind(name) or source.scopes is None:
            return []
        symbol = source.file.symbols[kind.ordinal]
        given = [
            each
            for each in source.scopes.attributes(name)
            if symbol.start <= each.start < symbol.end and _type_at(source, each.start) == kind.ordinal
        ]
        given.sort(key=lambda each: (each.annotation is None, each.start))
        return [source.unlisted(name, each.start, SymbolKind.FIELD, inside) for each in given[:1]]

    # --- bases -------------------------------------------------------------------------------------------------------

    def bases(self, kind: Definition) -> list[Definition]:
        """Return the types of which a type has the members: those that it inherits; of one that is another's name, that
        other."""
        known, key = self.resolution.known_bases, (kind.address, kind.ordinal)
        if key not in known:
            known[key] = []  # a type may name itself
            source = self.resolution.source(kind.address)
            if source is not None and 0 <= kind.ordinal < len(source.file.symbols):
                stands_for = self.aliased(kind)
                objects = [each.definition for each in stands_for if each.definition and each.sort is Sort.OBJECT]
                known[key] = objects or self._inherited(source, kind)
        return known[key]

    def inherited(self, kind: Definition) -> list[Definition]:
        """Return the types that a type says it inherits, in the order of its text."""
        return [] if self.aliased(kind) else self.bases(kind)

    def aliased(self, kind: Definition) -> list[Thing]:
        """Return what a type alias stands for."""
        source = self.resolution.source(kind.address)
        if source is None or source.language not in _ALIASING or not 0 <= kind.ordinal < len(source.file.symbols):
            return []
        symbol = source.file.symbols[kind.ordinal]
        close = brackets.angle_behind(source.bytes, symbol.name_end, symbol.end)
        match = _ALIASED.match(source.bytes, close, symbol.end)
        if match is None:
            return []
        end = symbol.end - (source.bytes[symbol.end - 1 : symbol.end] == b";")
        return self.resolution.annotations.admitted(source, match.end(), end)

    def _inherited(self, source: Source, kind: Definition) -> list[Definition]:
        found: list[Definition] = []
        symbol, kindred = source.file.symbols[kind.ordinal], self.resolution.kindred
        for each in source.file.within(symbol.start, symbol.end):
            if is_base(source.file, each) and source.file.above(source.file.around(each.offset), HEIRS) == kind.ordinal:
                defined = self._named_at(source, each)
                if defined is None and kindred is not None:
                    defined = kindred.likely_base(source.text.address, each)
                found += [one for one in defined or () if one.kind in HEIRS][:1]
        if kindred is not None:
            found += kindred.implemented_by(kind)
        return distinct(found)

    def _named_at(self, source: Source, reference: Reference) -> Sequence[Definition] | None:
        """Return what a name in a head means; None where the text does not say it."""
        before = source.chain_before(reference.offset)
        if before is None:
            return self.resolution.names.meant(source, reference.name, reference.offset)
        return self.named(self.resolution.chains.given(source, before), reference.name) or None


def is_base(file: File, reference: Reference) -> bool:
    """Whether a reference names what is inherited; a metaclass is none."""
    return reference.role is Role.INHERIT and not (
        file.text.language == "python"
        and _METACLASS.search(file.source, max(0, reference.offset - 100), reference.offset)
    )


def _type_at(source: Source, offset: int) -> int:
    return source.file.above(source.file.around(offset), TYPES)
