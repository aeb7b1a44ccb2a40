"""How certain it is that a use of a name means one definition and no other of that name.

A name that several things bear is told apart by how it is written (`graph.access`), by what the file imports, through
modules that hand the name on, by the scopes and types around it, and by what its text says of the object before the
dot. It is asked of the few uses that somebody is shown, so it looks at the definitions of one name and at the files
that mention it, never at the graph of all files. What scopes, imports and types say (`engine.resolution`) holds; where
they say nothing, it is judged by what modules give (`modules`), by names of types (`types`) and by how the text spells
what an object is (`spelling`).
"""

from __future__ import annotations

import enum
import re
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pilotfish.engine.certainty.modules import Modules, claims, may_be_inside
from pilotfish.engine.certainty.namesakes import Namesakes, type_name, written_alike
from pilotfish.engine.certainty.spelling import Spellings
from pilotfish.engine.certainty.types import Types
from pilotfish.engine.resolution import Resolution
from pilotfish.engine.resolution.definitions import beside
from pilotfish.engine.resolution.names import PACKAGES
from pilotfish.graph.access import MEMBERS_BARE, Access, Through, access_at, is_named_after
from pilotfish.graph.links import module_segments
from pilotfish.syntax.facts import related_languages
from pilotfish.syntax.outline import MEMBERS, TYPES, Role, SymbolKind

if TYPE_CHECKING:
    from pilotfish.engine.view import Definition, Text, View


class Certainty(enum.Enum):
    """What is known of a use: it means an asked definition; it holds the name, and may mean one; it means another."""

    BOUND = "bound"
    NAME = "name"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class _Found:
    """What a use can mean, and whether that is certain; nothing, where it means none of the definitions."""

    definitions: Sequence[Definition]
    is_certain: bool


_NOTHING: Final = _Found((), is_certain=True)

_FIELDS: Final = frozenset({SymbolKind.FIELD, SymbolKind.PROPERTY})

_OPENING: Final = frozenset({"bash", "c", "cpp", "ruby"})
"""Languages in which a file that is imported whole has its contents opened, and a name may come from anywhere."""

_EXPLICIT: Final = frozenset({"go", "javascript", "python", "tsx", "typescript"})
"""Languages in which a bare name that the text gives to a parameter or a value of its own means nothing else."""

_PARAMETERS_FIRST: Final = frozenset({"javascript", "python", "rust", "tsx", "typescript"})
"""Languages in which a parameter's name comes before its type."""

_LABELLED: Final = frozenset({"c", "cpp", "go", "javascript", "rust", "tsx", "typescript"})
"""Languages in which a field is written bare where its object is made: `Command{Use: "run"}`."""

_LOWER: Final = frozenset({"c", "cpp", "go"})
"""Languages in which names of types often begin with a small letter."""

_MANY: Final = 8
"""Where so many definitions are asked for at once, nobody asks which of them an object has."""

_LOOKED_BACK: Final = 300
"""Bytes before a name in which it may stand what it is reached through, or what takes it as an argument."""

_CALLED: Final = re.compile(rb"(\w+)\(")
_MADE_HERE: Final = re.compile(rb"([A-Za-z_][\w.]*(?:::\w+)*)\s*\([^()]*\)\s*\??\.\s*$")
_LABEL: Final = re.compile(rb"\s*:(?![:=])")
_ARGUMENT: Final = re.compile(rb"\s*=(?!=)")
_BEFORE_ARGUMENT: Final = re.compile(rb"[(,]\s*$")


class Judge:
    """Judges the uses of one name within one view. `definitions` are all that have the name, `targets` those of them
    that are asked for; `holders` gives the paths of the files that may hand the name on, when that is asked.

    `read_bytes` bounds of how much text scopes are read: that takes a parse of each. Uses in the texts for which it
    does not suffice are judged by how they are written and by what is imported."""

    def __init__(
        self,
        view: View,
        name: str,
        definitions: Sequence[Definition],
        targets: Sequence[Definition],
        holders: Callable[[], Iterable[str]],
        read_bytes: int = sys.maxsize,
    ) -> None:
        self._name = name
        self._read_bytes = read_bytes
        self._unread: set[str] = set()  # texts of which no scopes are read
        self._resolution = Resolution(view)
        self._alike = {written_alike(each) for each in targets}
        self._targets = {(each.address, each.ordinal) for each in targets}
        types = {type_name(each) for each in targets if each.kind in MEMBERS}
        self._few_types = types if len(types) <= _MANY else set()
        self._are_many = len(self._targets) > _MANY
        self._definitions = definitions
        self._related: dict[str | None, Namesakes] = {}
        self._spellings = Spellings()
        self._types = Types(view, self._spellings)
        self._modules = Modules(view, name, self._spellings, holders)
        self._known: dict[tuple[object, ...], Certainty] = {}

    def expect(self, text: Text, offsets: Sequence[int]) -> bool:
        """Say which uses in a text will be judged; return whether its scopes are asked."""
        size = self._resolution.expect(text, offsets, self._read_bytes) if self._targets else None
        self._read_bytes -= size or 0
        if size is None:
            self._unread.add(text.address)
        return size is not None

    def certainty(self, text: Text, offset: int, role: Role | None, as_written: str = "") -> Certainty:
        """Judge the use at a byte offset of a text, by its stored role, None where it reads the name; `as_written` is
        the name there, where that is another one."""
        if not self._targets:
            return Certainty.NAME
        is_read = text.address not in self._unread
        meant = self._resolution.meaning(text, as_written or self._name, offset) if is_read else None
        if meant is not None or (as_written and as_written != self._name):
            return self.told(meant or ())
        access = access_at(text.text, offset, text.language)
        if role is Role.IMPORT or access.through is Through.NOTHING:
            return self._verdict(self._found(text, offset, role, access))
        # What is written alike within the same definition means the same.
        written = text.text[max(0, offset - _LOOKED_BACK) : offset].split()[-1:]
        key = (text.address, access, role, *written, self._spellings.of(text).around(offset))
        if key not in self._known:
            self._known[key] = self._verdict(self._found(text, offset, role, access))
        return self._known[key]

    def told(self, meant: Sequence[Definition]) -> Certainty:
        """Judge a use of which it is known what it means. A member of a base may be the target that overrides it."""
        if any((each.address, each.ordinal) in self._targets for each in meant):
            return Certainty.BOUND
        if any(written_alike(each) in self._alike for each in meant):
            return Certainty.BOUND
        bases = {type_name(each) for each in meant if each.kind in MEMBERS}
        few = self._few_types if bases else ()
        languages = {each.language for each in meant}
        if any(not bases.isdisjoint(self._types.bases_above(each, language)) for each in few for language in languages):
            return Certainty.NAME
        return Certainty.OTHER

    def is_made_elsewhere(self, text: Text, offset: int, qualifier: str) -> bool:
        """Whether the text says that an object before a dot is made by what the repository does not define."""
        kinds = self._spellings.of(text).types_of(qualifier, offset) if qualifier else []
        return self._comes_from_outside(text, kinds)

    def _verdict(self, found: _Found) -> Certainty:
        meant = {(each.address, each.ordinal) for each in found.definitions}
        if meant.isdisjoint(self._targets):
            return Certainty.OTHER
        return Certainty.BOUND if found.is_certain else Certainty.NAME

    def _found(self, text: Text, offset: int, role: Role | None, access: Access) -> _Found:
        known = self._among(text.language)
        if role is Role.IMPORT:
            return self._imported(text, known)
        match access.through:
            case Through.NOTHING:
                return self._bare(text, offset, known)
            case Through.SELF | Through.BASE:
                return self._own(text, offset, access, known)
            case Through.NAME:
                return self._through(text, offset, access.qualifier, known)

    def _among(self, language: str | None) -> Namesakes:
        if language not in self._related:
            related = related_languages(language)
            self._related[language] = Namesakes(
                each for each in self._definitions if language is None or each.language in related
            )
        return self._related[language]

    # --- written bare ------------------------------------------------------------------------------------------------

    def _bare(self, text: Text, offset: int, known: Namesakes) -> _Found:
        language = text.language
        end = offset + len(self._name.encode())
        if language in _LABELLED and _LABEL.match(text.text, end):
            fields = [each for each in known.members if each.kind in _FIELDS]
            if fields:
                return _Found(fields, is_certain=False)
        if language == "python" and self._is_argument(text.text, offset, end):
            return self._argument(text.text[max(0, offset - _LOOKED_BACK) : offset], known)
        if language in _PARAMETERS_FIRST and self._spellings.of(text).is_parameter(self._name, offset):
            return _NOTHING
        here = self._in_scope(text, offset, known)
        if here:
            return _Found(here, is_certain=True)
        if language in MEMBERS_BARE:
            kind = self._spellings.of(text).type_around(offset)
            found = self._types.member(kind, text.language, known) if kind else []
            if found:
                return _Found(found, is_certain=True)
        if claims(self._spellings.of(text).imports, self._name):
            return self._imported(text, known)
        return self._unexplained(text, offset, known)

    @staticmethod
    def _is_argument(text: bytes, offset: int, end: int) -> bool:
        return bool(_ARGUMENT.match(text, end) and _BEFORE_ARGUMENT.search(text, max(0, offset - 200), offset))

    def _argument(self, before: bytes, known: Namesakes) -> _Found:
        """A named argument is a field where the field's own type takes it, else the name of a parameter."""
        words = set(_CALLED.findall(before))
        fields = [each for each in known.members if type_name(each).encode() in words]
        return _Found(fields, is_certain=False)

    def _in_scope(self, text: Text, offset: int, known: Namesakes) -> list[Definition]:
        """Return those that the innermost scope around a place defines, of which any does."""
        file = self._spellings.of(text)
        around = file.outward(offset)
        found: dict[int, list[Definition]] = defaultdict(list)
        for each in known.at(text.address):
            if each.ordinal < 0:  # in no scope that an outline knows
                continue
            parent = file.symbols.parents[each.ordinal] if each.ordinal < len(file.symbols.parents) else -1
            if each.kind in MEMBERS or (parent >= 0 and file.symbols.kinds[parent] in TYPES):
                # A member is bare in the body of its type, and in what that holds where the language lets it.
                is_seen = parent in around and (text.language in MEMBERS_BARE or around[0] in (parent, each.ordinal))
            else:
                is_seen = parent < 0 or parent in around
            if is_seen:
                found[parent].append(each)
        return found[max(found)] if found else []

    def _imported(self, text: Text, known: Namesakes) -> _Found:
        """What the imports of a text give it under the name."""
        claiming = claims(self._spellings.of(text).imports, self._name)
        if not claiming:
            return _Found(known.tops, is_certain=False)
        found: list[Definition] = []
        may_be_unseen = False
        for each in claiming:
            defined = self._modules.given(each.module, text.address, known)
            if defined is None:
                may_be_unseen |= may_be_inside(each.module, known)
            else:
                found += defined
        if found or not may_be_unseen:
            return _Found(found, is_certain=True)
        return _Found(known.tops, is_certain=False)

    def _unexplained(self, text: Text, offset: int, known: Namesakes) -> _Found:
        """A bare name that neither scope nor import explains: from what is opened, from the package, or by spelling."""
        language = text.language
        opened = [
            each.module
            for each in self._spellings.of(text).imports
            if any(one.name == one.alias == "*" for one in each.names) or (not each.names and language in _OPENING)
        ]
        found = [each for module in opened for each in self._modules.given(module, text.address, known) or ()]
        if found:
            return _Found(found, is_certain=True)
        if language in PACKAGES:
            near = beside(text.address, known.tops)
            if near or language == "go":
                return _Found(near, is_certain=True)
        if language in _OPENING:
            tops = known.tops or (known.members if language in MEMBERS_BARE else [])
            return _Found(tops, is_certain=len(known.tops) == 1)
        if language in _EXPLICIT and self._spellings.of(text).defines(self._name, offset):
            return _NOTHING
        return _Found(known.tops, is_certain=False)

    # --- through the object or type around ---------------------------------------------------------------------------

    def _own(self, text: Text, offset: int, access: Access, known: Namesakes) -> _Found:
        kind = self._spellings.of(text).type_around(offset)
        if not kind:
            return _Found(known.members or known.tops, is_certain=False)
        return self._of_type(kind, text.language, known, only_bases=access.through is Through.BASE)

    def _of_type(self, kind: str, language: str | None, known: Namesakes, *, only_bases: bool = False) -> _Found:
        """What a member of that name is in an object of some type: that of the type or of its nearest bases, or perhaps
        a target that overrides it. Where none of them has it, somebody unseen may."""
        found = self._types.member(kind, language, known, only_bases=only_bases)
        if not found:
            return _Found(known.members, is_certain=False)
        if self._meets(found):
            return _Found(found, is_certain=True)
        if not only_bases and any(kind in self._types.bases_above(each, language) for each in self._few_types):
            return _Found(known.members, is_certain=False)
        return _Found(found, is_certain=True)

    def _of_some_type(self, kinds: Iterable[str], language: str | None, known: Namesakes) -> _Found | None:
        """Return the same for the first of some names that is a type with such a member; None where none is."""
        for kind in kinds:
            name = kind.rpartition(".")[2]
            if (name[:1].isupper() or language in _LOWER) and self._types.member(name, language, known):
                return self._of_type(name, language, known)
        return None

    def _meets(self, found: Sequence[Definition]) -> bool:
        return not self._targets.isdisjoint((each.address, each.ordinal) for each in found)

    # --- behind a dot ------------------------------------------------------------------------------------------------

    def _through(self, text: Text, offset: int, qualifier: str, known: Namesakes) -> _Found:
        if not qualifier:
            made = _MADE_HERE.search(text.text, max(0, offset - 200), offset)
            kinds = [made.group(1).decode("utf-8", "replace").replace("::", ".")] if made else []
            return self._of_some_type(kinds, text.language, known) or _Found(known.members, is_certain=False)
        modules = self._spellings.of(text).modules_called(qualifier) or self._spellings.of(text).modules_on(offset)
        if modules:
            found = [each for module in modules for each in self._modules.given(module, text.address, known) or ()]
            if found:
                return _Found(found, is_certain=True)
        named = [each for each in known.inside if type_name(each) == qualifier]
        if named:
            return _Found(named, is_certain=True)
        if self._are_many:
            return _Found([*known.members, *known.tops], is_certain=False)
        kinds = self._spellings.of(text).types_of(qualifier, offset) if not modules else []
        of_type = self._of_some_type([qualifier, *kinds], text.language, known)
        of_type = of_type or self._of_some_type(self._types.of_imported(text, qualifier), text.language, known)
        if of_type:
            return of_type
        if modules:
            unseen = any(may_be_inside(each, known) for each in modules)
            return _Found(known.tops if unseen else (), is_certain=not unseen)
        alike = [each for each in known.members if is_named_after(qualifier, type_name(each))]
        if alike:
            return _Found(alike, is_certain=True)
        if self._comes_from_outside(text, kinds):
            return _NOTHING
        in_module = [each for each in known.tops if qualifier in module_segments(each.address)]
        return _Found([*known.members, *in_module], is_certain=False)

    def _comes_from_outside(self, text: Text, kinds: Sequence[str]) -> bool:
        """Whether an object is made by what the repository does not define, in a module that the text imports: then no
        member of its own is meant."""
        if not kinds:
            return False
        for kind in kinds:
            module, _, made = kind.rpartition(".")
            if not module or not self._spellings.of(text).modules_called(module.rpartition(".")[2]):
                return False
            if text.language != "go" and not made[:1].isupper():
                return False
            if self._types.may_be_defined(made, text.language):
                return False
        return True
