"""What a name at a place means, as far as the text says it: by scopes, imports, and the type of what is before a dot.

A name written bare is looked for in the scopes around it (`names`, `syntax.scopes`), in the definitions of its text,
then in what this imports (`imports`), through modules that hand names on (`graph.resolve`). Behind a dot it is a member
(`members`) of what the chain before it gives (`chains`): a module, a type, or an object whose type its annotation says
(`annotations`), or the expression that makes it (`values`). A named argument or a key means what the called function or
the wanted type has under it (`labels`), a tag or an attribute what elements have (`elements`); a function that is
handed to another takes what that says (`callbacks`). Objects, functions and their types may be written out without a
name (`written`). Where the text does not say it, nothing is returned, and others judge by names (`graph.links`,
`engine.certainty`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from pilotfish.engine.resolution.addresses import Addresses
from pilotfish.engine.resolution.annotations import Annotations
from pilotfish.engine.resolution.callbacks import Callbacks
from pilotfish.engine.resolution.chains import Chains
from pilotfish.engine.resolution.elements import Elements
from pilotfish.engine.resolution.imports import Imports
from pilotfish.engine.resolution.labels import Labels
from pilotfish.engine.resolution.members import Kindred, Members
from pilotfish.engine.resolution.names import Names
from pilotfish.engine.resolution.overloads import as_written, by_arguments
from pilotfish.engine.resolution.part import Effort
from pilotfish.engine.resolution.source import ECMASCRIPT, Source
from pilotfish.engine.resolution.things import Sort, Thing
from pilotfish.engine.resolution.values import Values
from pilotfish.engine.resolution.written import Written
from pilotfish.graph.access import Through, access_at
from pilotfish.syntax import expressions
from pilotfish.syntax.outline import SymbolKind
from pilotfish.syntax.scopes import has_sigil, taken_name
from pilotfish.syntax.spellings import key_of

if TYPE_CHECKING:
    from pilotfish.engine.resolution.written import Signature
    from pilotfish.engine.view import Definition, Text, View

__all__ = ["Resolution"]

_CALLED_ALONE: Final = frozenset({"go", "java", "python", "ruby", "rust"}) | ECMASCRIPT
"""Languages in which no name that gets a value is written as one that is called."""


class Resolution:
    """Answers within one view; the same question is answered once."""

    def __init__(self, view: View, kindred: Kindred | None = None) -> None:
        """`kindred` tells of bases what no text says."""
        self.view = view
        self.kindred = kindred
        self.effort = Effort()
        self.known_given: dict[tuple[str, str], list[Definition]] = {}
        self.known_values: dict[tuple[str, int], list[Thing]] = {}
        self.known_bases: dict[tuple[str, int], list[Definition]] = {}
        self.known_signatures: dict[Thing, list[Signature]] = {}
        self._sources: dict[str, Source | None] = {}

    # --- the parts ---------------------------------------------------------------------------------------------------

    @property
    def names(self) -> Names:
        """Names that are written bare."""
        return Names(self)

    @property
    def imports(self) -> Imports:
        """What imports bring in, and what files give."""
        return Imports(self)

    @property
    def members(self) -> Members:
        """What is behind a dot."""
        return Members(self)

    @property
    def chains(self) -> Chains:
        """What expressions give."""
        return Chains(self)

    @property
    def values(self) -> Values:
        """What definitions stand for."""
        return Values(self)

    @property
    def annotations(self) -> Annotations:
        """What annotations admit."""
        return Annotations(self)

    @property
    def addresses(self) -> Addresses:
        """Addresses of Terraform."""
        return Addresses(self)

    @property
    def labels(self) -> Labels:
        """Named arguments, and keys of objects."""
        return Labels(self)

    @property
    def elements(self) -> Elements:
        """Markup in code."""
        return Elements(self)

    @property
    def callbacks(self) -> Callbacks:
        """Functions that are handed to others."""
        return Callbacks(self)

    @property
    def written(self) -> Written:
        """Objects, types and functions without a name."""
        return Written(self)

    # --- texts -------------------------------------------------------------------------------------------------------

    def source(self, address: str) -> Source | None:
        """Return a text by its path or URI; None where it is not to be had."""
        if address not in self._sources:
            text = self.view.file(address) or self.view.document(address)
            self._sources[address] = None if text is None or not text.text else Source(self.view, text)
        return self._sources[address]

    def _at_hand(self, text: Text) -> Source:
        known = self._sources.get(text.address)
        if known is None:
            known = self._sources[text.address] = Source(self.view, text)
        return known

    # --- a name at a place -------------------------------------------------------------------------------------------

    def meaning(self, text: Text, name: str, offset: int) -> list[Definition] | None:
        """Return the definitions that a name at a byte offset means, the best first; none where what it means is not in
        the root; None where the text does not say it."""
        self.effort.begin()
        source = self._at_hand(text)
        own = self._own(source, name, offset)
        if own:
            # What an object that is written out defines may be what it is wanted to have.
            wanted = self.labels.wanted_under(source, name, offset) if own[0].ordinal >= 0 else []
            return [*wanted, *own]
        name = key_of(name, source.language)
        imported = self.imports.at(source, name, offset)
        if imported is not None:
            return imported
        label = None
        if not expressions.is_behind_dot(source.bytes, offset, source.language):
            label = self.elements.at(source, name, offset)
            label = self.labels.at(source, name, offset) if label is None else label
        return self._used(source, name, offset) if label is None else label

    def used(self, text: Text, name: str, offset: int) -> list[Definition] | None:
        """Return the same of a name that is known to be used there: called, inherited, or named as a type."""
        self.effort.begin()
        source = self._at_hand(text)
        return self._used(source, key_of(name, source.language), offset)

    def expect(self, text: Text, offsets: Sequence[int], most: int) -> int | None:
        """Say about which places of a text will be asked, where that takes no more than so many bytes of it to be
        read; return how many. None where it takes more."""
        scopes = self._at_hand(text).scopes
        size = 0 if scopes is None else scopes.size_for(offsets)
        if size > most:
            return None
        if scopes is not None:
            scopes.expect(offsets)
        return size

    def _own(self, source: Source, name: str, offset: int) -> list[Definition]:
        """Return the definition whose name stands at the place."""
        for ordinal in source.file.by_name.get(name, ()):
            if source.file.symbols[ordinal].name_start == offset:
                return [source.definition(ordinal)]
        if _is_called(source, offset + len(name.encode())):
            return []
        for ordinal in source.file.outward(offset)[:-1]:
            symbol = source.file.symbols[ordinal]
            if symbol.name_start <= offset < symbol.name_end and symbol.kind is SymbolKind.NAMESPACE:
                return [source.definition(ordinal)]  # a part of a name that is written whole
        scopes = source.scopes
        binding = None if scopes is None else scopes.at(offset)
        if binding is None or scopes is None:
            return []
        if binding.kind in ("local", "generic"):
            local = source.locals([binding] if binding.scope < 0 else scopes.local(name, offset))
            if binding.taken is None or taken_name(source.bytes, binding) != name:
                return local if binding.scope >= 0 else []
            taken_from = self.values.taken_from(source, binding.annotation, binding.value)
            return [*self.members.named(taken_from, name), *local]
        if binding.kind == "attribute":
            kind = self.names.type_around(source, offset)
            return [] if kind is None else self.members.of(Thing(Sort.OBJECT, kind), name)
        return []

    def is_known(self, text: Text, offset: int) -> bool:
        """Whether the text says what a name at a place is reached through, other than the object around."""
        source = self._at_hand(text)
        before = source.chain_before(offset)
        if before is None or access_at(source.bytes, offset, source.language).through is not Through.NAME:
            return False
        return bool(self.chains.given(source, before))

    def _used(self, source: Source, name: str, offset: int) -> list[Definition] | None:
        """Return what a name means where it is used."""
        addressed = self.addresses.at(source, name, offset)
        if addressed is not None:
            return addressed
        if has_sigil(source.bytes, offset, source.language) and source.bytes.endswith(b"::", 0, offset - 1):
            offset -= 1  # `Type::$member`
        before = source.chain_before(offset)
        if before is not None and (found := self.members.named(self.chains.given(source, before), name)):
            end = offset + len(name.encode())
            return by_arguments(self, source, end, as_written(source, end, found))
        if before is not None or expressions.is_behind_dot(source.bytes, offset, source.language):
            return self._through_itself(source, name, offset)
        meant = self.names.meant(source, name, offset)
        return meant and by_arguments(self, source, offset + len(name.encode()), meant)

    def _through_itself(self, source: Source, name: str, offset: int) -> list[Definition] | None:
        """Return the member that is reached through the object or type around a place, or what that inherits, however
        the language calls these."""
        through = access_at(source.bytes, offset, source.language).through
        kind = self.names.type_around(source, offset) if through in (Through.SELF, Through.BASE) else None
        if kind is None:
            return None
        kinds = [kind] if through is Through.SELF else self.members.inherited(kind)
        found = self.members.named([Thing(Sort.OBJECT, each) for each in kinds], name)
        return as_written(source, offset + len(name.encode()), found) or None


def _is_called(source: Source, end: int) -> bool:
    """Whether a name that ends at a place is called there, so that it gets no value."""
    return source.language in _CALLED_ALONE and source.bytes[end : end + 1] == b"("
