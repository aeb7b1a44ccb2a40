"""Types by their names: their members, their bases, and the values of which a text says that they are of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from pilotfish.syntax.facts import related_languages
from pilotfish.syntax.outline import TYPES

if TYPE_CHECKING:
    from pilotfish.engine.certainty.namesakes import Namesakes
    from pilotfish.engine.certainty.spelling import Spellings
    from pilotfish.engine.view import Definition, Text, View

_BASES_DEEP: Final = 8
"""So far up bases of bases are looked at."""

_FEW: Final = 2
"""Of so many definitions of a type, or of an imported value, the texts are looked at."""

_LOOKED_UP: Final = 10
"""So many other names, of types and of imported values, are looked up for one question."""


class Types:
    """Knows types for the uses of one name."""

    def __init__(self, view: View, spellings: Spellings) -> None:
        self._view = view
        self._spellings = spellings
        self._bases: dict[tuple[str, str | None], list[str]] = {}
        self._all_bases: dict[tuple[str, str | None], set[str]] = {}
        self._values: dict[tuple[str, str | None], list[str]] = {}
        self._looked_up = 0

    def member(
        self, kind: str, language: str | None, known: Namesakes, *, only_bases: bool = False
    ) -> list[Definition]:
        """Return the members that the nearest of a type and its bases have, by the name of the type."""
        seen, front = {kind}, [kind]
        for depth in range(_BASES_DEEP):
            found = (
                [each for name in front for each in known.members_of.get(name, ())] if depth or not only_bases else []
            )
            if found:
                return found
            front = [each for name in front for each in self._bases_of(name, language) if each not in seen]
            if not front:
                break
            seen.update(front)
        return []

    def bases_above(self, kind: str, language: str | None) -> set[str]:
        """Return the names of the types above one in its bases."""
        key = (kind, language)
        if key not in self._all_bases:
            seen, front = {kind}, [kind]
            for _ in range(_BASES_DEEP):
                front = [each for name in front for each in self._bases_of(name, language) if each not in seen]
                seen.update(front)
            self._all_bases[key] = seen - {kind}
        return self._all_bases[key]

    def _bases_of(self, kind: str, language: str | None) -> list[str]:
        """Return the names of the types that those called `kind` say they inherit."""
        key = (kind, language)
        if key not in self._bases:
            types = [each for each in self._look_up(kind, language) if each.kind in TYPES]
            self._bases[key] = [
                name
                for each in types[:_FEW]
                if (text := self._view.text_of(each)) is not None
                for name in self._spellings.of(text).bases(each.ordinal)
            ]
        return self._bases[key]

    def of_imported(self, text: Text, name: str) -> list[str]:
        """Return what the text that defines an imported value says that it is; a type is itself."""
        imported = self._spellings.of(text).imports
        originals = {one.name for each in imported for one in each.names if one.alias == name and one.name != "*"}
        return [kind for original in sorted(originals) for kind in self._of_value(original, text.language)]

    def _of_value(self, name: str, language: str | None) -> list[str]:
        key = (name, language)
        if key not in self._values:
            found = self._values[key] = []
            defined = [each for each in self._look_up(name, language) if not each.container]
            for each in defined[:_FEW]:
                text = None if each.kind in TYPES else self._view.text_of(each)
                symbol = None if text is None else text.symbol(each.ordinal)
                if each.kind in TYPES:
                    found.append(name)
                elif text is not None and symbol is not None:
                    found += self._spellings.of(text).types_of(name, symbol.name_end + 1)
        return self._values[key]

    def _look_up(self, name: str, language: str | None) -> Sequence[Definition]:
        self._looked_up += 1
        return self._view.definitions(name, related_languages(language)) if self._looked_up <= _LOOKED_UP else ()

    def may_be_defined(self, name: str, language: str | None) -> bool:
        """Whether the root defines something of a name, or too much has been looked up to tell."""
        return self._looked_up >= _LOOKED_UP or bool(self._look_up(name, language))
