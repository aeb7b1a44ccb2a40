"""What a name means that is written bare: by scopes, the definitions of its text, its imports and its package."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from pilotfish.engine.resolution.definitions import beside, distinct, without_modules
from pilotfish.engine.resolution.imports import may_be_inside
from pilotfish.engine.resolution.part import Part
from pilotfish.engine.resolution.source import ECMASCRIPT
from pilotfish.engine.resolution.things import Sort, Thing
from pilotfish.graph.access import MEMBERS_BARE
from pilotfish.syntax import expressions
from pilotfish.syntax.facts import related_languages
from pilotfish.syntax.outline import BODIES, MEMBERS, TYPES, SymbolKind
from pilotfish.syntax.scopes import has_sigil

if TYPE_CHECKING:
    from pilotfish.engine.resolution.source import Source
    from pilotfish.engine.view import Definition
    from pilotfish.graph.resolve import Binding

_SELVES: Final = frozenset({"self", "this", "cls"})
VARIABLES: Final = frozenset({SymbolKind.VARIABLE, SymbolKind.CONSTANT})
"""What a name with a sigil can mean."""

PACKAGES: Final = frozenset({"go", "java"})
"""Languages in which files of one folder see each other's definitions."""

_EXPLICIT: Final = frozenset({"python", "go", "java", "rust"}) | ECMASCRIPT
"""Languages in which a name that an import names means nothing else."""


class Names(Part):
    """Finds what bare names mean within one resolution."""

    def meant(self, source: Source, name: str, offset: int) -> list[Definition] | None:
        """Return what a name means that is written bare at a place; none where that is not in the root; None where the
        text does not say it."""
        if has_sigil(source.bytes, offset, source.language):
            variable = self._variable(source, name, offset)
            if variable or name not in _SELVES:
                return variable
        around = source.file.outward(offset)
        inner = self._in_scope(source, name, offset, around)
        is_made = expressions.is_made(source.bytes, offset)
        if is_made and inner and inner[0].kind in MEMBERS:
            inner = self._types_called(source, name)  # a property may be called as its type is
        if inner:
            return inner
        if name in _SELVES and (kind := self.type_around(source, offset)) is not None:
            return [kind]
        if source.language in MEMBERS_BARE:
            kind = self.type_around(source, offset)
            found = [] if kind is None else self.resolution.members.of(Thing(Sort.OBJECT, kind), name)
            found = [each for each in found if not is_made or each.kind in TYPES]
            if found:
                return found
        imports = self.resolution.imports
        if source.language == "python" and (modules := imports.module_called(source, name)):
            return distinct(modules)
        found = [each for one in source.bindings if one.alias == name for each in imports.bound(one)]
        return distinct(without_modules(found)) if found else self._unbound(source, name, offset)

    def _variable(self, source: Source, name: str, offset: int) -> list[Definition] | None:
        """Return what a name with a sigil means, which no function or member can be."""
        scopes = source.scopes
        if scopes is not None:
            if local := scopes.local(name, offset):
                return source.locals(local)
            if scopes.is_closed(offset):
                return []
            if variables := source.variables(name):
                return variables
        known = self.resolution.view.definitions(name, related_languages(source.language))
        found = [each for each in known if each.kind in VARIABLES]
        return [each for each in found if each.address == source.text.address] or (None if found else [])

    def _in_scope(self, source: Source, name: str, offset: int, around: Sequence[int]) -> list[Definition]:
        """Return the local or the definition of the innermost scope around a place that has any."""
        scopes, symbols = source.scopes if source.may_bind(name) else None, source.file.symbols
        is_plain = has_sigil(source.bytes, offset, source.language) is None
        local = scopes.local(name, offset) if scopes is not None and is_plain else []
        nested = _nested(source, name, around)
        if local and scopes is not None:
            start = scopes.scope_of(local[0]).start
            parent = symbols[nested[0]].parent if nested else -1
            if parent < 0 or symbols[parent].start <= start:
                return source.locals(local)
        return source.definitions(nested)

    def _unbound(self, source: Source, name: str, offset: int) -> list[Definition] | None:
        """Return what a bare name means that neither its text defines nor an import names."""
        if source.language not in ECMASCRIPT:
            wild = [each for each in source.bindings if each.name == "*" and each.alias in ("*", "")]
            if wild and (found := self._opened(source, name, wild)):
                return found
        if has_sigil(source.bytes, offset, source.language) is None and (variables := source.variables(name)):
            return variables
        if source.language in PACKAGES:
            known = self.resolution.view.definitions(name, related_languages(source.language))
            same = [each for each in beside(source.text.address, known) if not each.container]
            if same:
                return same
        if source.language in _EXPLICIT and any(each.brings(name) for each in source.text.imports):
            claims = [each for each in source.text.imports if any(one.alias == name for one in each.names)]
            return None if any(may_be_inside(each) for each in claims) else []
        return None

    def _opened(self, source: Source, name: str, wild: Sequence[Binding]) -> list[Definition]:
        """Return what the files give under a name whose contents a text can use without a prefix: those that define it
        before those that may hand it on."""
        known = self.resolution.view.definitions(name, related_languages(source.language))
        defining = {each.address for each in known if not each.container}
        files = [*dict.fromkeys(file for one in wild for file in one.files)] if defining else []
        given = self.resolution.imports.given
        found = [each for file in files if file in defining for each in given(file, name)]
        return distinct(found or [each for file in files for each in given(file, name)])

    def type_around(self, source: Source, offset: int) -> Definition | None:
        """Return the type that a place lies in."""
        for ordinal in source.file.outward(offset)[:-1]:
            symbol = source.file.symbols[ordinal]
            if symbol.kind in TYPES:
                return source.definition(ordinal)
            if symbol.container and (named := self._types_called(source, symbol.container.rpartition(".")[2])):
                return named[0]
        return None

    def _types_called(self, source: Source, name: str) -> list[Definition]:
        """Return the types of a name that a text can mean by what it defines, imports or has beside it."""
        own = [each for each in source.file.by_name.get(name, ()) if source.file.symbols[each].kind in TYPES]
        if own:
            return [source.definition(each) for each in own]
        known = self.resolution.view.definitions(name, related_languages(source.language))
        types = [each for each in known if each.kind in TYPES]
        return beside(source.text.address, types) or (types if len(types) == 1 else [])


def _nested(source: Source, name: str, around: Sequence[int]) -> list[int]:
    """Return the definitions of a name in the innermost of the definitions around that has any."""
    symbols = source.file.symbols
    by_parent: dict[int, list[int]] = {}
    for ordinal in source.file.by_name.get(name, ()):
        symbol = symbols[ordinal]
        if symbol.container and symbol.parent < 0:
            continue
        is_member = symbol.parent >= 0 and symbols[symbol.parent].kind in TYPES
        in_body = around[0] != symbol.parent and (around[0] != ordinal or symbol.kind in BODIES)
        if is_member and in_body and source.language not in MEMBERS_BARE:
            continue
        if symbol.kind in MEMBERS and source.language in ECMASCRIPT:
            continue
        by_parent.setdefault(symbol.parent, []).append(ordinal)
    return next((by_parent[each] for each in around if each in by_parent), [])
