"""How certain it is that a use of a name means one definition and no other of that name.

A name that several things bear is told apart by how it is written (`graph.access`), by what the file imports, through
modules that hand the name on, by the scopes and types around it, and by what its text says of the object before the
dot. It is asked of the few uses that somebody is shown, so it looks at the definitions of one name and at the files
that mention it, never at the graph of all files.
"""

from __future__ import annotations

import enum
import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pilotfish.engine.resolution import Resolution
from pilotfish.engine.resolution.definitions import beside, is_local
from pilotfish.engine.resolution.names import PACKAGES
from pilotfish.graph.access import MEMBERS_BARE, Access, Through, access_at, is_named_after
from pilotfish.graph.links import leads_to, module_segments, names_module
from pilotfish.syntax.facts import related_languages
from pilotfish.syntax.outline import BODIES, MEMBERS, TYPES, Import, Role, Symbol, SymbolKind

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

_BASES_DEEP: Final = 8
_HANDED_ON: Final = 4
"""So far up bases of bases are looked at, and through so many modules a name is followed that hand it on."""

_MANY: Final = 8
"""Where so many definitions are asked for at once, nobody asks which of them an object has."""

_FEW: Final = 2
"""Of so many definitions of a type, or of an imported value, the texts are looked at."""

_LOOKED_UP: Final = 10
"""So many other names, of types and of imported values, are looked up for one question."""

_LOOKED_BACK: Final = 300
"""Bytes before a name in which it may stand what it is reached through, or what takes it as an argument."""

_CALLED: Final = re.compile(rb"(\w+)\(")
_PATH: Final = re.compile(rb"([A-Za-z_]\w*(?:\.\w+)+)\s*\.\s*$")
_MADE_HERE: Final = re.compile(rb"([A-Za-z_][\w.]*(?:::\w+)*)\s*\([^()]*\)\s*\??\.\s*$")
_LABEL: Final = re.compile(rb"\s*:(?![:=])")
_ARGUMENT: Final = re.compile(rb"\s*=(?!=)")
_BEFORE_ARGUMENT: Final = re.compile(rb"[(,]\s*$")


class Judge:
    """Judges the uses of one name within one view. `definitions` are all that have the name, `targets` those of them
    that are asked for; `holders` gives the paths of the files that may hand the name on, when that is asked."""

    def __init__(
        self,
        view: View,
        name: str,
        definitions: Sequence[Definition],
        targets: Sequence[Definition],
        holders: Callable[[], Iterable[str]],
    ) -> None:
        self._view = view
        self._name = name
        self._resolution = Resolution(view)
        self._alike = {_written_alike(each) for each in targets}
        self._targets = {(each.address, each.ordinal) for each in targets}
        self._target_types = {_type_name(each) for each in targets if each.kind in MEMBERS}
        self._are_many = len(self._targets) > _MANY
        self._definitions = definitions
        self._holders = holders
        self._related: dict[str | None, _Definitions] = {}
        self._modules: dict[tuple[str, str], Sequence[Definition] | None] = {}
        self._bases: dict[tuple[str, str | None], list[str]] = {}
        self._all_bases: dict[tuple[str, str | None], set[str]] = {}
        self._values: dict[tuple[str, str | None], list[str]] = {}
        self._looked_up = 0
        self._files: dict[str, _File] = {}
        self._handing_on: dict[str, list[str]] | None = None
        self._known: dict[tuple[object, ...], Certainty] = {}

    def certainty(self, text: Text, offset: int, role: Role | None, as_written: str = "") -> Certainty:
        """Judge the use at a byte offset of a text, by its stored role, None where it reads the name; `as_written` is
        the name there, where that is another one."""
        if not self._targets:
            return Certainty.NAME
        meant = self._resolution.meaning(text, as_written or self._name, offset)
        if meant is not None or (as_written and as_written != self._name):
            return self.told(meant or ())
        access = access_at(text.text, offset, text.language)
        if role is Role.IMPORT or access.through is Through.NOTHING:
            return self._verdict(self._found(text, offset, role, access))
        # What is written alike within the same definition means the same.
        written = text.text[max(0, offset - _LOOKED_BACK) : offset].split()[-1:]
        key = (text.address, access, role, *written, self._file(text).around(offset))
        if key not in self._known:
            self._known[key] = self._verdict(self._found(text, offset, role, access))
        return self._known[key]

    def told(self, meant: Sequence[Definition]) -> Certainty:
        """Judge a use of which it is known what it means. A member of a base may be the target that overrides it."""
        if any((each.address, each.ordinal) in self._targets for each in meant):
            return Certainty.BOUND
        if any(_written_alike(each) in self._alike for each in meant):
            return Certainty.BOUND
        bases = {_type_name(each) for each in meant if each.kind in MEMBERS}
        few = self._target_types if bases and len(self._target_types) <= _MANY else ()
        languages = {each.language for each in meant}
        if any(not bases.isdisjoint(self._bases_above(each, language)) for each in few for language in languages):
            return Certainty.NAME
        return Certainty.OTHER

    def is_made_elsewhere(self, text: Text, offset: int, qualifier: str) -> bool:
        """Whether the text says that an object before a dot is made by what the repository does not define."""
        return self._comes_from_outside(text, self._file(text).types_of(qualifier, offset)) if qualifier else False

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

    def _among(self, language: str | None) -> _Definitions:
        if language not in self._related:
            related = related_languages(language)
            self._related[language] = _Definitions(
                each for each in self._definitions if language is None or each.language in related
            )
        return self._related[language]

    def _file(self, text: Text) -> _File:
        if text.address not in self._files:
            self._files[text.address] = _File(text)
        return self._files[text.address]

    # --- written bare ------------------------------------------------------------------------------------------------

    def _bare(self, text: Text, offset: int, known: _Definitions) -> _Found:
        language = text.language
        end = offset + len(self._name.encode())
        if language in _LABELLED and _LABEL.match(text.text, end):
            fields = [each for each in known.members if each.kind in _FIELDS]
            if fields:
                return _Found(fields, is_certain=False)
        if language == "python" and self._is_argument(text.text, offset, end):
            return self._argument(text.text[max(0, offset - _LOOKED_BACK) : offset], known)
        if language in _PARAMETERS_FIRST and self._file(text).is_parameter(self._name, offset):
            return _NOTHING
        here = self._in_scope(text, offset, known)
        if here:
            return _Found(here, is_certain=True)
        if language in MEMBERS_BARE:
            kind = self._file(text).type_around(offset)
            found = self._member(kind, text.language, known) if kind else []
            if found:
                return _Found(found, is_certain=True)
        if self._claims(self._file(text).imports, self._name):
            return self._imported(text, known)
        return self._unexplained(text, offset, known)

    @staticmethod
    def _is_argument(text: bytes, offset: int, end: int) -> bool:
        return bool(_ARGUMENT.match(text, end) and _BEFORE_ARGUMENT.search(text, max(0, offset - 200), offset))

    def _argument(self, before: bytes, known: _Definitions) -> _Found:
        """A named argument is a field where the field's own type takes it, else the name of a parameter."""
        words = set(_CALLED.findall(before))
        fields = [each for each in known.members if _type_name(each).encode() in words]
        return _Found(fields, is_certain=False)

    def _in_scope(self, text: Text, offset: int, known: _Definitions) -> list[Definition]:
        """Return those that the innermost scope around a place defines, of which any does."""
        file = self._file(text)
        around = file.scopes(offset)
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

    def _imported(self, text: Text, known: _Definitions) -> _Found:
        """What the imports of a text give it under the name."""
        claims = self._claims(self._file(text).imports, self._name)
        if not claims:
            return _Found(known.tops, is_certain=False)
        found: list[Definition] = []
        may_be_unseen = False
        for each in claims:
            defined = self._module(each.module, text.address, known)
            if defined is None:
                may_be_unseen |= self._may_be_inside(each.module, known)
            else:
                found += defined
        if found or not may_be_unseen:
            return _Found(found, is_certain=True)
        return _Found(known.tops, is_certain=False)

    @staticmethod
    def _claims(imports: Iterable[Import], name: str) -> list[Import]:
        return [each for each in imports if each.brings(name)]

    def _unexplained(self, text: Text, offset: int, known: _Definitions) -> _Found:
        """A bare name that neither scope nor import explains: from what is opened, from the package, or by spelling."""
        language = text.language
        opened = [
            each.module
            for each in self._file(text).imports
            if any(one.name == one.alias == "*" for one in each.names) or (not each.names and language in _OPENING)
        ]
        found = [each for module in opened for each in self._module(module, text.address, known) or ()]
        if found:
            return _Found(found, is_certain=True)
        if language in PACKAGES:
            near = beside(text.address, known.tops)
            if near or language == "go":
                return _Found(near, is_certain=True)
        if language in _OPENING:
            tops = known.tops or (known.members if language in MEMBERS_BARE else [])
            return _Found(tops, is_certain=len(known.tops) == 1)
        if language in _EXPLICIT and self._file(text).defines(self._name, offset):
            return _NOTHING
        return _Found(known.tops, is_certain=False)

    # --- through the object or type around ---------------------------------------------------------------------------

    def _own(self, text: Text, offset: int, access: Access, known: _Definitions) -> _Found:
        kind = self._file(text).type_around(offset)
        if not kind:
            return _Found(known.members or known.tops, is_certain=False)
        return self._of_type(kind, text.language, known, only_bases=access.through is Through.BASE)

    def _of_type(self, kind: str, language: str | None, known: _Definitions, *, only_bases: bool = False) -> _Found:
        """What a member of that name is in an object of some type: that of the type or of its nearest bases, or perhaps
        a target that overrides it. Where none of them has it, somebody unseen may."""
        found = self._member(kind, language, known, only_bases=only_bases)
        if not found:
            return _Found(known.members, is_certain=False)
        if self._meets(found):
            return _Found(found, is_certain=True)
        few = self._target_types if len(self._target_types) <= _MANY else ()
        if not only_bases and any(kind in self._bases_above(each, language) for each in few):
            return _Found(known.members, is_certain=False)
        return _Found(found, is_certain=True)

    def _of_some_type(self, kinds: Iterable[str], language: str | None, known: _Definitions) -> _Found | None:
        """Return the same for the first of some names that is a type with such a member; None where none is."""
        for kind in kinds:
            name = kind.rpartition(".")[2]
            if (name[:1].isupper() or language in _LOWER) and self._member(name, language, known):
                return self._of_type(name, language, known)
        return None

    def _meets(self, found: Sequence[Definition]) -> bool:
        return not self._targets.isdisjoint((each.address, each.ordinal) for each in found)

    def _member(
        self, kind: str, language: str | None, known: _Definitions, *, only_bases: bool = False
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

    def _bases_above(self, kind: str, language: str | None) -> set[str]:
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
                for name in self._file(text).bases(each.ordinal)
            ]
        return self._bases[key]

    def _look_up(self, name: str, language: str | None) -> Sequence[Definition]:
        self._looked_up += 1
        return self._view.definitions(name, related_languages(language)) if self._looked_up <= _LOOKED_UP else ()

    # --- behind a dot ------------------------------------------------------------------------------------------------

    def _through(self, text: Text, offset: int, qualifier: str, known: _Definitions) -> _Found:
        if not qualifier:
            made = _MADE_HERE.search(text.text, max(0, offset - 200), offset)
            kinds = [made.group(1).decode("utf-8", "replace").replace("::", ".")] if made else []
            return self._of_some_type(kinds, text.language, known) or _Found(known.members, is_certain=False)
        modules = self._modules_called(text, qualifier) or self._modules_on(text, offset)
        if modules:
            found = [each for module in modules for each in self._module(module, text.address, known) or ()]
            if found:
                return _Found(found, is_certain=True)
        named = [each for each in known.inside if _type_name(each) == qualifier]
        if named:
            return _Found(named, is_certain=True)
        if self._are_many:
            return _Found([*known.members, *known.tops], is_certain=False)
        kinds = self._file(text).types_of(qualifier, offset) if not modules else []
        of_type = self._of_some_type([qualifier, *kinds], text.language, known)
        of_type = of_type or self._of_some_type(self._types_of_imported(text, qualifier), text.language, known)
        if of_type:
            return of_type
        if modules:
            unseen = any(self._may_be_inside(each, known) for each in modules)
            return _Found(known.tops if unseen else (), is_certain=not unseen)
        alike = [each for each in known.members if is_named_after(qualifier, _type_name(each))]
        if alike:
            return _Found(alike, is_certain=True)
        if self._comes_from_outside(text, kinds):
            return _NOTHING
        in_module = [each for each in known.tops if qualifier in module_segments(each.address)]
        return _Found([*known.members, *in_module], is_certain=False)

    def _modules_called(self, text: Text, name: str) -> list[str]:
        """Return the modules that a name stands for in a text, as the imports write them."""
        found = []
        for each in self._file(text).imports:
            if not each.names:
                segments = [part for part in re.split(r"[./:\\]+", each.module.strip("<>\"'")) if part]
                if segments[-1:] == [name]:
                    found.append(each.module)
                elif name in segments and text.language == "python":
                    found.append(".".join(segments[: segments.index(name) + 1]))
            elif any(one.name == "*" and one.alias == name for one in each.names):
                found.append(each.module)
        return found

    def _modules_on(self, text: Text, offset: int) -> list[str]:
        """Return the modules that a path before a place names, from one that is imported: `package.module` of
        `package.module.name`."""
        path = _PATH.search(text.text, max(0, offset - 200), offset)
        if path is None:
            return []
        first, _, rest = path.group(1).decode().partition(".")
        return [f"{module}.{rest}" for module in self._modules_called(text, first)]

    def _types_of_imported(self, text: Text, name: str) -> list[str]:
        """Return what the text that defines an imported value says that it is; a type is itself."""
        imported = self._file(text).imports
        originals = {one.name for each in imported for one in each.names if one.alias == name and one.name != "*"}
        return [kind for original in sorted(originals) for kind in self._types_of_value(original, text.language)]

    def _types_of_value(self, name: str, language: str | None) -> list[str]:
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
                    found += self._file(text).types_of(name, symbol.name_end + 1)
        return self._values[key]

    def _comes_from_outside(self, text: Text, kinds: Sequence[str]) -> bool:
        """Whether an object is made by what the repository does not define, in a module that the text imports: then no
        member of its own is meant."""
        if not kinds:
            return False
        for kind in kinds:
            module, _, made = kind.rpartition(".")
            if not module or not self._modules_called(text, module.rpartition(".")[2]):
                return False
            if text.language != "go" and not made[:1].isupper():
                return False
            if self._looked_up >= _LOOKED_UP or self._look_up(made, text.language):
                return False
        return True

    # --- modules -----------------------------------------------------------------------------------------------------

    def _module(self, module: str, importer: str, known: _Definitions, depth: int = 0) -> Sequence[Definition] | None:
        """Return the definitions that a module gives under the name, its own or handed on; None where it is not known
        to give any."""
        key = (module, importer)
        if key not in self._modules:
            self._modules[key] = None  # modules may hand on in a circle
            self._modules[key] = self._given(module, importer, known, depth)
        return self._modules[key]

    def _given(self, module: str, importer: str, known: _Definitions, depth: int) -> Sequence[Definition] | None:
        ends = leads_to(module, importer)[-1:]
        for end in ends:
            own = [each for each in known.holding(end) if _is_exactly(module, importer, each.address)]
            if own:
                return own
            if depth < _HANDED_ON:
                handed = self._handed_on(end, module, importer, known, depth)
                if handed is not None:
                    return handed
        # A package that is named by its folder, or a member by its module.
        near = [each for name in leads_to(module, importer)[-2:] for each in known.holding(name)]
        strength = {path: names_module(module, importer, path) for path in {each.address for each in near}}
        most = max(strength.values(), default=0)
        return [*dict.fromkeys(each for each in near if strength[each.address] == most)] if most else None

    def _handed_on(
        self, end: str, module: str, importer: str, known: _Definitions, depth: int
    ) -> Sequence[Definition] | None:
        if self._handing_on is None:
            self._handing_on = defaultdict(list)
            for path in self._holders():
                for segment in module_segments(path)[-1:]:
                    self._handing_on[segment].append(path)
        for path in self._handing_on.get(end, ()):
            if path == importer or not _is_exactly(module, importer, path):
                continue
            text = self._view.file(path)
            for claim in self._claims([] if text is None else self._file(text).imports, self._name):
                found = self._module(claim.module, path, known, depth + 1)
                if found is not None:
                    return found
        return None

    @staticmethod
    def _may_be_inside(module: str, known: _Definitions) -> bool:
        """Whether a module that leads to none of the definitions may yet be one that hands them on."""
        return module.lstrip("<\"'").startswith(".") or not known.segments.isdisjoint(leads_to(module, ""))


def _is_exactly(module: str, importer: str, path: str) -> bool:
    wanted = leads_to(module, importer)
    target = module_segments(path)
    return wanted == target if module.startswith(".") else bool(wanted) and target[-len(wanted) :] == wanted


def _written_alike(definition: Definition) -> tuple[object, ...]:
    """What definitions share of which one takes the place of the other, or which are one: overloads, assignments."""
    is_its_own = is_local(definition) or (definition.kind is SymbolKind.KEY and definition.ordinal < 0)
    own = definition.ordinal if is_its_own else 0
    return definition.address, definition.container, definition.name, definition.ordinal < 0, own


def _type_name(definition: Definition) -> str:
    return definition.container.rpartition(".")[2]


class _Definitions:
    """The definitions of the name that the texts of a language may mean, by where they can be named."""

    def __init__(self, definitions: Iterable[Definition]) -> None:
        self.members: list[Definition] = []
        self.tops: list[Definition] = []
        self.members_of: dict[str, list[Definition]] = defaultdict(list)
        self.segments: set[str] = set()
        self._by_address: dict[str, list[Definition]] = defaultdict(list)
        self._by_segment: dict[str, list[Definition]] = defaultdict(list)
        for each in definitions:
            self._by_address[each.address].append(each)
            if each.kind in MEMBERS:
                self.members.append(each)
                self.members_of[_type_name(each)].append(each)
            else:
                self.tops.append(each)
                segments = module_segments(each.address)
                self.segments.update(segments)
                for segment in dict.fromkeys(segments[-2:]):
                    self._by_segment[segment].append(each)
        self.inside = [*self.members, *(each for each in self.tops if each.container)]

    def at(self, address: str) -> Sequence[Definition]:
        """Those of one text."""
        return self._by_address.get(address, ())

    def holding(self, segment: str) -> Sequence[Definition]:
        """Those outside of types, in modules of which this is one of the last two names."""
        return self._by_segment.get(segment, ())


_ANNOTATED: Final = re.compile(rb"\s*\??:\s*(?:&\s*)?(?:mut\s+)?[\"']?(?:Optional\[|type\[)?([A-Za-z_][\w.]*)")
_GO_PARAMETER: Final = re.compile(rb"\s+[*]?([A-Za-z_][\w.]*)(?=\s*[,){\n])")
_MADE: Final = re.compile(rb"\s*(?::[^=\n]*)?:?=\s*(?:await\s+)?(?:new\s+)?[&*]?\s*([A-Za-z_][\w.]*(?:::\w+)*)\s*[({]")
_SAID: Final = {
    "go": (_GO_PARAMETER, _MADE),
    "python": (_ANNOTATED, _MADE),
    "rust": (_ANNOTATED, _MADE),
    "tsx": (_ANNOTATED, _MADE),
    "typescript": (_ANNOTATED, _MADE),
}
"""What stands behind a name where a text says what it is, or what makes it, by language: `: Flask`, ` *Command`,
` = Command(`."""

_TYPE_BEFORE: Final = re.compile(rb"([A-Za-z_][\w.]*)(?:<[^<>\n]*>)?(?:\s+|\s*[*&]+\s*)$")
_DECLARED: Final = re.compile(rb"\s*[;=,){]")
_TYPES_FIRST: Final = frozenset({"c", "cpp", "java"})
"""Languages that put the type before the name: `Engine engine;`."""

_HEADED: Final = frozenset({"cpp", "java", "javascript", "python", "tsx", "typescript"})
"""Languages in which the bases of a type stand between its name and its body."""

_NAME: Final = re.compile(rb"[A-Za-z_]\w*")
_NO_BASES: Final = frozenset(
    b"class extends implements public private protected virtual final metaclass permits typename const object".split()
)
_MOST_BASES: Final = 6

_IN_WORD: Final = re.compile(rb"[\w$]")

_MOST_SAID: Final = 50
"""So many places of a name are looked at for that."""

_NO_TYPES: Final = frozenset(
    b"return new await yield in is not and or if else elif assert del lambda var let const func fn def for while "
    b"import from as with raise throw case go defer static final mut pub type".split()
)


class _File:
    """One text, with what is asked of it for several uses."""

    def __init__(self, text: Text) -> None:
        self._text = text
        self.symbols = text.symbols
        self.imports = text.imports
        self._said: dict[tuple[str, int], list[str]] = {}

    def around(self, offset: int) -> int:
        """Return the innermost definition around a place; -1 where there is none."""
        ordinal = bisect_right(self.symbols.starts, offset) - 1
        while ordinal >= 0 and self.symbols.symbol(ordinal).end <= offset:
            ordinal = self.symbols.parents[ordinal]
        return ordinal

    def scopes(self, offset: int) -> list[int]:
        """Return the definitions around a place, innermost first, ending with -1: the text."""
        found = [self.around(offset)]
        while found[-1] >= 0:
            found.append(self.symbols.parents[found[-1]])
        return found

    def type_around(self, offset: int) -> str:
        """Return the name of the innermost type that a place lies in, empty where there is none."""
        for ordinal in self.scopes(offset)[:-1]:
            if self.symbols.kinds[ordinal] in TYPES:
                return self.symbols.names[ordinal]
            container = self.symbols.containers[ordinal] if self.symbols.containers else ""
            if container:
                return container.rpartition(".")[2]
        return ""

    def bases(self, ordinal: int) -> list[str]:
        """Return the names that a type says it inherits, as far as a name tells: those that its head writes, where it
        has one."""
        symbol = self.symbols.symbol(ordinal)
        if symbol.body >= 0 and self._text.language in _HEADED:
            head = self._text.text[symbol.name_end : symbol.start + symbol.body]
            words = [each for each in _NAME.findall(head) if each not in _NO_BASES]
            return [each.decode() for each in dict.fromkeys(words)][:_MOST_BASES]
        return [
            group.name
            for group in self._text.outline.references
            if group.role is Role.INHERIT
            and any(symbol.start <= each < symbol.end and self.around(each) == ordinal for each in group.offsets)
        ]

    def types_of(self, name: str, offset: int) -> list[str]:
        """Return what the text says that an object is, or what makes it: in the function around a place, or else at the
        top of the text."""
        outermost = next((each for each in reversed(self.scopes(offset)[:-1]) if self._is_body(each)), -1)
        key = (name, outermost)
        if key not in self._said:
            symbol = None if outermost < 0 else self.symbols.symbol(outermost)
            found = set() if symbol is None else {word for word, _ in self._words(name, symbol.start, symbol.end)}
            if not found:
                words = self._words(name, 0, len(self._text.text))
                found = {word for word, start in words if not any(map(self._is_body, self.scopes(start)[:-1]))}
            self._said[key] = sorted(found)
        return self._said[key]

    def is_parameter(self, name: str, offset: int) -> bool:
        """Whether a function around a place takes something under the name."""
        written = re.compile(rb"[(,|]\s*[*&.]*" + re.escape(name.encode()) + rb"\s*[,:=)|?]")
        return any(
            match.start() <= offset < match.end() or each.start + each.body <= offset
            for each in self._bodies(offset)
            if each.body >= 0
            for match in written.finditer(self._text.text, each.name_end, each.start + each.body)
        )

    def defines(self, name: str, offset: int) -> bool:
        """Whether the functions around a place, or the text where there is none, give the name to a value."""
        bodies = self._bodies(offset)
        start, end = (bodies[-1].start, bodies[-1].end) if bodies else (0, len(self._text.text))
        written = re.escape(name.encode())
        given = rb"^[ \t]*%s\s*(?::[^=\n]+)?:?=(?!=)|\b(?:for|as|let|const|var|func)\s+%s\b" % (written, written)
        return re.compile(given, re.MULTILINE).search(self._text.text, start, end) is not None

    def _bodies(self, offset: int) -> list[Symbol]:
        return [self.symbols.symbol(each) for each in self.scopes(offset)[:-1] if self._is_body(each)]

    def _is_body(self, ordinal: int) -> bool:
        return self.symbols.kinds[ordinal] in BODIES

    def _words(self, name: str, start: int, end: int) -> Iterator[tuple[str, int]]:
        text, language = self._text.text, self._text.language
        word = name.encode()
        patterns = _SAID.get(language or "", (_MADE,))
        place = text.find(word, start, end)
        for _ in range(_MOST_SAID):
            if place < 0:
                break
            behind = place + len(word)
            if not _IN_WORD.match(text, behind) and not _IN_WORD.match(text, place - 1):
                said = [pattern.match(text, behind) for pattern in patterns]
                if language in _TYPES_FIRST and _DECLARED.match(text, behind):
                    said.append(_TYPE_BEFORE.search(text, max(start, place - 80), place))
                for match in said:
                    if match is not None and match.group(1) not in _NO_TYPES:
                        yield match.group(1).decode("utf-8", "replace").replace("::", "."), place
            place = text.find(word, behind, end)
