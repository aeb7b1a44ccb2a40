"""From a place or a name to its definitions and uses: what hover, navigation and the commands by name share."""

from __future__ import annotations

import enum
import posixpath
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, groupby, islice
from typing import Generic, NamedTuple, TypeVar

from pilotfish.engine.certainty import Certainty, Judge
from pilotfish.engine.resolution import Resolution
from pilotfish.engine.resolution.definitions import is_local
from pilotfish.engine.versions import Versions
from pilotfish.engine.view import Definition, Text, View, definitions_in
from pilotfish.graph.builtin_names import BUILTIN_NAMES
from pilotfish.graph.links import ModuleIndex, Nearness, Use, best, is_test, module_segments
from pilotfish.operations.answer import Span
from pilotfish.operations.editor import PlaceParameters
from pilotfish.syntax.facts import language_family, related_languages
from pilotfish.syntax.outline import BODIES, MEMBERS, Import, Role, SymbolKind
from pilotfish.syntax.words import code_only, is_keyword, occurrences, word_at
from pilotfish.workspace.paths import Folders

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Effort:
    """How closely files are looked at for the uses of a name: how many, how many of them without a stored reference to
    it, and of how many bytes the text is searched. In all others it is sought by what is stored of them."""

    files: int
    readers: int
    read_bytes: int


FOR_AN_EDITOR = Effort(100, 100, 1_000_000)
"""Somebody waits for the answer."""

THOROUGH = Effort(500, 150, 50_000_000)
"""For those who ask for the uses."""

COUNTED = Effort(100, 100, 5_000_000)
"""For those who ask how many there are."""

AT_A_GLANCE = Effort(20, 20, 500_000)
"""Somebody sees the number of uses in passing."""

_DATA = (SymbolKind.FIELD, SymbolKind.PROPERTY, SymbolKind.VARIABLE, SymbolKind.KEY, SymbolKind.STRING)

_BEST = 10
"""Of so many definitions the closest files come first, where there are too many to look at all."""

_BATCH = 50
"""Files beyond the nearest that are fetched at once: whoever asks may have enough before the last of them."""

_FEW_FILES = 50
"""Where so many files may use a name, all of its uses are put in order, else only those in the nearest."""

_SCOPED_BYTES = 50_000
"""Of so much text scopes and types are read for a page of uses, which takes some 15 ms."""

_NEAREST_FILES = 15
_NEAREST_LINES = 80
"""In so many files, or as many as hold so many lines, uses that mean what is asked for come first in any case."""

_JUDGED_LINES = 100
_JUDGED_LINES_OF_FEW = 500
_JUDGED_USES = 1_000
"""So many lines on pages, of a name in few files, and uses of one definition, are judged; of others it is only known
that they hold the name."""

_FEW_WORDS = 30
"""Up to so many names of modules are looked for in the imports of a file before these are unpacked."""

_FAR = 3
"""How close a file is to the definitions of which it imports none."""

_BOUND_BY_SPELLING = frozenset({"bash", "c", "cpp", "ruby"})
"""Languages where a file need not say where a name comes from."""

_BOUND_BY_FOLDER = frozenset({"go", "java"})
"""Languages where it need not if the name comes from its own folder."""

_TOLD_BY_TYPES = frozenset({"java", "go", "python", "rust", "tsx", "typescript"})
"""Languages whose texts mostly say of what type an object is."""

_FEW_GUESSES = 20
"""So many uses that only hold a name are shown where none is bound."""

_TELLING = 8
"""Characters of a name that tells something."""


_BETWEEN_NAMES = re.compile(r"\.|::|#")
_QUALIFIER = re.compile(rb"([A-Za-z_$][\w$]*)\s*(?:\.|::|->|\?\.)\s*$")


@dataclass(frozen=True, slots=True)
class Place:
    """A name in a text: where it stands, what it is called, and the word before the dot. `versions` where the client
    has typed on since that text was outlined."""

    text: Text
    name: str
    start: int
    end: int
    qualifier: str
    versions: Versions | None = None

    @property
    def span(self) -> Span:
        """The name's own stretch, as the client has it."""
        return (self.versions or self.text).span(self.start, self.end)


@dataclass(frozen=True, slots=True)
class UsedAt:
    """One use of a name: its text, offset and role, where the outline stores one, and the name there where it has
    another one than where it is defined."""

    text: Text
    start: int
    span: Span
    stored: Role | None
    name: str = ""

    @property
    def role(self) -> str:
        """The role in a word: `read` where none is stored."""
        return "read" if self.stored is None else self.stored.name.lower()


def place_at(view: View, parameters: PlaceParameters) -> Place | None:
    """Return the name at a place; None on blanks, keywords, numbers, and words in comments and strings."""
    text = view.document(parameters.uri)
    if text is None:
        return None
    versions = None if view.sent is None or view.sent == text.text else Versions(view.sent, text.text)
    offset = (versions or text.lines).offset(parameters.line, parameters.character, parameters.encoding)
    bounds = word_at(text.text, offset, text.language)
    if bounds is None:
        return None
    start, end = bounds
    name = text.text[start:end].decode("utf-8", "replace")
    mentions = text.mentions(name)
    is_known = start in mentions.references or start in mentions.definitions
    if not is_known and not _is_code(text, name, start) and not _is_quoted_type(view, text, start):
        return None
    before = _QUALIFIER.search(text.text[max(0, start - 200) : start])
    qualifier = before.group(1).decode("utf-8", "replace") if before else ""
    return Place(text, name, start, end, qualifier, versions)


def _is_code(text: Text, name: str, start: int) -> bool:
    if text.language is None:
        return True
    end = start + len(name.encode())
    if text.text[start - 1 : start] != b"." and is_keyword(text.language, name, text.text[end : end + 20]):
        return False
    return bool(code_only(text.text, text.language, [start]))


def meant_at(view: View, place: Place) -> list[Definition]:
    """Return the definitions that the text says a name at a place means; none where it does not say it."""
    return Resolution(view).meaning(place.text, place.name, place.start) or []


def definitions_at(view: View, place: Place) -> list[Definition]:
    """Return the definitions that a name at a place may mean, best first, weaker evidence hidden by stronger."""
    text = place.text
    meant = meant_at(view, place)
    if meant:
        # A key of an object of which no type is known may be a member of any.
        is_free = meant[0].kind is SymbolKind.KEY and meant[0].ordinal < 0
        known = view.definitions(place.name, related_languages(text.language)) if is_free else []
        return [each for each in known if each.kind in MEMBERS] or meant
    use = Use(place.name, text.address, text.language, place.start, place.qualifier)
    # What its own file defines is stronger evidence than any other: then nobody has to look at the others.
    definitions = definitions_in(text, named=place.name)
    if not definitions:
        definitions = view.definitions(place.name, related_languages(text.language))
        if not view.is_shown(text):
            definitions = [definition for definition in definitions if definition.path != text.path]
    return best(use, text.outline, definitions)


def name_parts(symbol_name: str) -> tuple[list[str], str]:
    """Return the names around a name that is written as `Class.method`, and the name itself."""
    *containers, name = _BETWEEN_NAMES.split(symbol_name.strip())
    return containers, name


def definitions_named(view: View, symbol_name: str, file_hint: str | None) -> list[Definition]:
    """Return the definitions of `name` or `Class.method`, or, where there are none, of `module.name`: those in the
    hinted file first, then functions and types before members, the widest visible before others, tests last."""
    _, name = name_parts(symbol_name)
    return definitions_among(view.definitions(name), symbol_name, file_hint)


def definitions_among(named: Sequence[Definition], symbol_name: str, file_hint: str | None) -> list[Definition]:
    """Return the same of all definitions of the last name."""
    containers, _ = name_parts(symbol_name)
    wanted = ".".join(containers).lower()
    found = [each for each in named if not wanted or f".{each.container}".lower().endswith(f".{wanted}")]
    if named and not found:
        found = [each for each in named if _lies_in(each, wanted)]
        inner = f".{containers[-1]}".lower()
        found = [each for each in found if f".{each.container}".lower().endswith(inner)] or found
    hint = (file_hint or "").strip("/")
    return sorted(
        found,
        key=lambda definition: (
            not _matches_hint(definition.path or "", hint),
            is_test(definition.path or ""),
            _is_data(definition),
            bool(definition.container),
            definition.visibility,
            definition.path or "",
            definition.line,
        ),
    )


def _lies_in(definition: Definition, wanted: str) -> bool:
    """Whether dotted names end the path of a definition's module, or of its package, and the names around it."""
    segments = module_segments(definition.path or "")
    for module in (segments, segments[:-1]):
        if ".".join(["", *module, *definition.container.split(".")]).lower().rstrip(".").endswith(f".{wanted}"):
            return True
    return False


def _matches_hint(path: str, hint: str) -> bool:
    return bool(hint) and (path == hint or path.endswith(f"/{hint}") or path.startswith(f"{hint}/"))


def _is_data(definition: Definition) -> bool:
    """Whether it holds a value, or heads a text: what is meant by a name last, if anything else has it."""
    return definition.kind in _DATA


def uses_of(
    view: View, name: str, targets: Sequence[Definition], origin: Text | None, effort: Effort
) -> Iterator[UsedAt]:
    """Yield the uses of a name, best first: the files that define it, those that import them, the others.

    A definition inside a function is seen in its own file only. No text uses what is defined in an unrelated language,
    nor, where nothing is defined, what is built into one. `origin` is the text in which the question was asked; its
    uses come first.

    Of a name that many files use, only as many as `effort` says are judged by what they import and searched for reads:
    those that define it, and those whose folders are the closest to `origin` and to the best definitions. Of the
    others follow the stored references, the closest first. Files that only read the name have no stored reference to
    it; they are looked at where there are not too many of the others.
    """
    return _uses_among(_holders(view, name, targets, origin, effort), view, name, targets, origin, effort)


@dataclass(frozen=True, slots=True)
class Line:
    """One line that uses a name: its first use in each role, and how certain it is that one of them is meant."""

    uses: tuple[UsedAt, ...]
    certainty: Certainty

    @property
    def use(self) -> UsedAt:
        """The first."""
        return self.uses[0]

    @property
    def roles(self) -> list[str]:
        """What the uses do there."""
        return [each.role for each in self.uses]


@dataclass(frozen=True, slots=True)
class UsesPage(Generic[T]):
    """Some of the lines that use a name, as they are shown, and how many there are in all.

    Of the `total`, `bound` are known to mean what was asked for, the others hold the name; `others` that are not among
    them mean another definition of it. `at_least` where not all were looked at one by one: of the others it is counted
    how often they hold the name, and reads among them are not.
    """

    shown: list[T]
    total: int
    at_least: bool
    bound: int
    others: int


def page_of_uses(
    view: View,
    name: str,
    definitions: Sequence[Definition],
    targets: Sequence[Definition],
    page: range,
    show: Callable[[Line], T],
    effort: Effort,
) -> UsesPage[T]:
    """Return those of the lines that use some of the definitions of a name that are on a page, each as `show` gives it.

    Lines that mean another definition are left out. Of the nearest files, those that mean a target for certain come
    before those that only hold the name; those of the other files follow as they are found.
    """
    holders = _holders(view, name, targets, None, effort)
    judge = Judge(view, name, definitions, targets, lambda: [*holders.near, *holders.far], _SCOPED_BYTES)
    texts = _texts_among(holders, view, name, targets, None, effort)
    counts: Counter[Certainty] = Counter()
    references, files = 0, 0
    are_few = len(holders.near) + len(holders.reading) <= _FEW_FILES and not holders.are_cut
    most = _JUDGED_LINES_OF_FEW if are_few else _JUDGED_LINES

    def judged(uses: Sequence[UsedAt]) -> list[Line]:
        nonlocal references, files
        left = max(0, most - counts.total())
        lines = [*_by_line(uses)]
        found = [_line(each, judge if number < left else None) for number, each in enumerate(lines)]
        counts.update(each.certainty for each in found)
        stored = sum(each.role != "read" for each in uses)
        references, files = references + stored, files + (stored > 0)
        return [each for each in found if each.certainty is not Certainty.OTHER]

    nearest: list[Line] = []
    for uses in islice(texts, None if are_few else _NEAREST_FILES):
        nearest += judged(uses)
        if counts.total() >= _NEAREST_LINES and not are_few:
            break
    nearest.sort(key=lambda line: line.certainty is not Certainty.BOUND)
    shown = [show(line) for line in nearest[page.start : page.stop]]
    for line in nearest:
        line.use.text.release()
    seen, is_whole = len(nearest), True
    for uses in texts:
        if seen >= page.stop:
            is_whole = False
            break
        for line in judged(uses):
            if seen in page:
                shown.append(show(line))
            seen += 1
        uses[0].text.release()
    if is_whole:
        return UsesPage(shown, seen, holders.are_cut, counts[Certainty.BOUND], counts[Certainty.OTHER])
    stored, of_files = view.uses(name)
    left = max(0, (stored - references) if holders.referencing >= of_files else holders.referencing - files)
    return UsesPage(shown, seen + max(1, left), True, counts[Certainty.BOUND], counts[Certainty.OTHER])


def _line(uses: Sequence[UsedAt], judge: Judge | None) -> Line:
    """Judge the uses on one line by the best of them, and keep that in each role."""
    verdicts = [Certainty.NAME if judge is None else judge.certainty(use.text, use.start, use.stored) for use in uses]
    verdict = next(each for each in Certainty if each in verdicts)
    roles: dict[str, UsedAt] = {}
    for use, found in zip(uses, verdicts, strict=True):
        if found is verdict:
            roles.setdefault(use.role, use)
    if "import" in roles:
        roles.pop("read", None)  # the name that it has here
    return Line(tuple(roles.values()), verdict)


def _by_line(uses: Sequence[UsedAt]) -> Iterator[list[UsedAt]]:
    for _, found in groupby(uses, key=lambda use: use.span.start.line):
        yield list(found)


def uses_at(
    view: View, place: Place, targets: Sequence[Definition], effort: Effort
) -> Iterator[tuple[UsedAt, Certainty]]:
    """Yield the uses of what the name at a place means, in the order of `uses_of`, with how certain each is; those that
    are known to mean something else are left out.

    Of a local these are all in its scope. What is imported under another name is found under that name too. Where
    others may bear the name, a use that only holds it says little: such are left out, unless they are all there is, in
    a language whose texts do not say more.
    """
    if targets and is_local(targets[0]):
        yield from ((use, Certainty.BOUND) for use in _local_uses(view, targets[0]))
        return
    others: list[UsedAt] = []
    is_alone, is_bound = _is_alone(view, targets), False
    for use, certainty in _judged_at(view, place, targets, effort):
        if certainty is Certainty.BOUND or is_alone:
            is_bound |= certainty is Certainty.BOUND
            yield use, certainty
        elif not is_bound and len(others) < _JUDGED_USES:
            others.append(use)
    if not is_bound and (is_alone or place.text.language not in _TOLD_BY_TYPES or len(others) <= _FEW_GUESSES):
        yield from ((use, Certainty.NAME) for use in others)


def _is_alone(view: View, targets: Sequence[Definition]) -> bool:
    """Whether nothing else in the root bears the name of some definitions, nor what the language itself has. Members
    that no outline lists may bear a plain word too."""
    if not targets:
        return True
    first = targets[0]
    if first.name in BUILTIN_NAMES.get(language_family(first.language) or "", ()) or first.ordinal < -1:
        return False
    if first.container and first.language in _TOLD_BY_TYPES and not _is_telling(first.name):
        return False
    known = view.definitions(first.name, related_languages(first.language))
    places = {(each.address, each.container) for each in targets}
    return all((each.address, each.container) in places for each in known)


def _is_telling(name: str) -> bool:
    """Whether a name is of several words, so that hardly anything else is called so by chance."""
    return len(name) >= _TELLING and ("_" in name.strip("_") or name not in (name.lower(), name.upper()))


def _judged_at(
    view: View, place: Place, targets: Sequence[Definition], effort: Effort
) -> Iterator[tuple[UsedAt, Certainty]]:
    name = targets[0].name if targets else place.name
    languages = None if place.text.language is None else related_languages(place.text.language)
    definitions = [each for each in view.definitions(name, languages) if each.ordinal >= 0]
    holders = _holders(view, name, targets, place.text, effort)
    judge = Judge(view, name, [*definitions, *targets], targets, lambda: [*holders.near, *holders.far])
    number = 0
    for uses in _texts_among(holders, view, name, targets, place.text, effort):
        text = uses[0].text
        for use in chain(uses, _in_quoted_types(view, text, name), _under_other_names(view, text, name)):
            number += 1
            certainty = Certainty.NAME
            if number <= _JUDGED_USES:
                certainty = judge.certainty(text, use.start, use.stored, use.name or name)
            if certainty is not Certainty.OTHER:
                yield use, certainty
        if text is not place.text:
            text.release()


def _in_quoted_types(view: View, text: Text, name: str) -> Iterator[UsedAt]:
    """Yield the uses in annotations of Python that are written as strings."""
    if text.language != "python":
        return
    quoted = re.compile(rb"[\"'\[,|. ]%s(?=[\"'\],|. \[])" % re.escape(name.encode()))
    offsets = [match.start() + 1 for match in quoted.finditer(text.text)]
    offsets = [each for each in offsets if _is_quoted_type(view, text, each)] if offsets else []
    for offset, span in zip(offsets, text.word_spans(offsets, name), strict=True):
        yield UsedAt(text, offset, span, Role.TYPE)


def _is_quoted_type(view: View, text: Text, offset: int) -> bool:
    """Whether a place lies in an annotation of Python that is written as a string."""
    scopes = view.scopes(text) if text.language == "python" else None
    said = None if scopes is None else scopes.annotation_at(offset)
    return (
        said is not None
        and text.text[said.start : said.end].count(b'"') + text.text[said.start : said.end].count(b"'") > 1
    )


def _under_other_names(view: View, text: Text, name: str) -> Iterator[UsedAt]:
    """Yield the uses in a text that imports a name under another one: of that."""
    others = {each.alias for one in text.imports for each in one.names if each.name == name and each.alias != name}
    for other in sorted(others - {"*", ""}):
        for use in _uses_in(text, other, _Reads.ALL):
            yield replace(use, name=other)


def _local_uses(view: View, target: Definition) -> list[UsedAt]:
    """Return the uses of a local: where its name stands in its scope and means it."""
    text = view.text_of(target)
    if text is None:
        return []
    resolution = Resolution(view)
    offsets = [
        offset
        for offset in _reads_in(text, target.name, {-2 - target.ordinal}, _Reads.ALL)
        if target in (resolution.meaning(text, target.name, offset) or ())
    ]
    return [
        UsedAt(text, each, span, None)
        for each, span in zip(offsets, text.word_spans(offsets, target.name), strict=True)
    ]


def judged_uses(
    view: View, target: Definition, definitions: Sequence[Definition], effort: Effort
) -> Iterator[tuple[UsedAt, Certainty]]:
    """Yield the uses that may mean one of the definitions of its name, in the order of `uses_of`, with how certain each
    is, as long as not too many are judged."""
    holders = _holders(view, target.name, [target], None, effort)
    judge = Judge(view, target.name, definitions, [target], lambda: [*holders.near, *holders.far])
    for number, use in enumerate(_uses_among(holders, view, target.name, [target], None, effort)):
        is_judged = number < _JUDGED_USES
        certainty = judge.certainty(use.text, use.start, use.stored) if is_judged else Certainty.NAME
        if certainty is not Certainty.OTHER:
            yield use, certainty


def count_uses(
    view: View, name: str, targets: Sequence[Definition], origin: Text | None, effort: Effort
) -> tuple[int, int]:
    """Return how often a name is used and in how many files: reads among them, unless that took more than `effort`."""
    holders = _holders(view, name, targets, origin, effort)
    if holders.are_cut:
        return view.uses(name)
    found = _uses_among(holders, view, name, targets, origin, effort)
    files = Counter(use.text.address for use in found)
    return files.total(), len(files)


def _uses_among(
    holders: _Holders, view: View, name: str, targets: Sequence[Definition], origin: Text | None, effort: Effort
) -> Iterator[UsedAt]:
    for uses in _texts_among(holders, view, name, targets, origin, effort):
        yield from uses
        if uses[0].text is not origin:
            uses[0].text.release()


def _texts_among(
    holders: _Holders, view: View, name: str, targets: Sequence[Definition], origin: Text | None, effort: Effort
) -> Iterator[list[UsedAt]]:
    """Yield the uses in each text that has any; whoever takes them lets go of the text."""
    target_paths = {target.address for target in targets}
    modules = ModuleIndex(target_paths)
    near = view.files(holders.near)
    candidates = [_candidate(text, name, target_paths, modules, origin) for text in near]
    candidates += _readers(view, holders.reading, name, targets, modules)
    if origin is not None:
        candidates.append(_candidate(origin, name, target_paths, modules, origin))
    candidates.sort(key=lambda candidate: (candidate.closeness, candidate.text.address))
    left = effort.read_bytes
    with Folders(view.root) as folders:
        for candidate in candidates:
            text = candidate.text
            left -= text.size
            if left < 0:
                uses = _uses_in(text, name, _Reads.NONE)
            elif text.is_current(folders):
                uses = _uses_in(text, name, candidate.reads)
            else:
                continue
            if uses:
                yield uses
            elif text is not origin:
                text.release()
    for start in range(0, len(holders.far), _BATCH):
        for text in view.files(holders.far[start : start + _BATCH]):
            if uses := _uses_in(text, name, _Reads.NONE):
                yield uses


class _Reads(enum.Enum):
    """Which reads of a name are believed: none are looked for, those behind a dot, or all."""

    NONE = enum.auto()
    QUALIFIED = enum.auto()
    ALL = enum.auto()


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A text that may use the name, and how close it is to the definitions."""

    text: Text
    closeness: int
    reads: _Reads = _Reads.ALL


class _Holders(NamedTuple):
    """The files that may use a name, `origin` apart, the closest first.

    `near` are judged one by one: they define it or have a stored reference to it, as `far` have, of which there are too
    many for that. `reading` may only read it. `are_cut` tells that there are more of all than are judged, `referencing`
    counts those that have a stored reference.
    """

    near: list[str]
    reading: list[str]
    far: list[str]
    are_cut: bool
    referencing: int


def _holders(view: View, name: str, targets: Sequence[Definition], origin: Text | None, effort: Effort) -> _Holders:
    defining = {target.path for target in targets if target.path is not None}
    related = _languages_of(targets, origin)
    is_seen = not targets or not all(_is_local(view, target, origin) for target in targets)
    referencing = view.referencing(name, related) if is_seen else []
    paths = {*defining, *referencing}
    # That takes longest to find out, and they have no place where there are many of the others.
    reading = view.mentioning(name, related) if is_seen and len(paths) <= effort.files else []
    apart = None if origin is None else origin.path
    here = [] if origin is None else [origin.address]
    nearness = Nearness([*here, *(target.address for target in targets[:_BEST])])

    def order(path: str) -> tuple[object, ...]:
        return (path not in defining, -nearness.of(path), path)

    ordered = sorted(paths - {apart}, key=order)
    readers = sorted({*reading} - paths - {apart}, key=order)
    most_readers = max(0, min(effort.readers, effort.files - len(ordered)))
    return _Holders(
        near=ordered[: effort.files],
        reading=readers[:most_readers],
        far=ordered[effort.files :],
        are_cut=len(ordered) > effort.files or len(readers) > most_readers,
        referencing=len(referencing),
    )


def _languages_of(targets: Sequence[Definition], origin: Text | None) -> frozenset[str | None] | None:
    """Return the languages whose texts may use the definitions; None where any may."""
    languages = {target.language for target in targets} or {None if origin is None else origin.language}
    return None if None in languages else frozenset[str | None]().union(*map(related_languages, languages))


def _readers(
    view: View, paths: Sequence[str], name: str, targets: Sequence[Definition], modules: ModuleIndex
) -> list[_Candidate]:
    """Return the files among some that may read the name without a stored reference to it.

    The same word may be a local variable of theirs. So it must stand behind a dot, unless the file imports the module
    of a definition, or is in a language where the package or the spelling alone decides.
    """
    target_paths = {target.address for target in targets}
    folders = {posixpath.dirname(path) for path in target_paths}
    candidates = []
    for text in view.files(paths):
        candidate = _candidate(text, name, target_paths, modules, None)
        is_bound = text.language in _BOUND_BY_SPELLING or (
            text.language in _BOUND_BY_FOLDER and posixpath.dirname(text.address) in folders
        )
        is_near = candidate.closeness < _FAR or (is_bound and bool(targets))
        candidates.append(replace(candidate, reads=_Reads.ALL if is_near else _Reads.QUALIFIED))
    return candidates


def _is_local(view: View, target: Definition, origin: Text | None) -> bool:
    """Whether a definition stands inside a function, so that no other file can name it."""
    is_here = origin is not None and (target.path, target.uri) == (origin.path, origin.uri)
    text = origin if is_here else view.text_of(target)
    symbol = None if text is None else text.symbol(target.ordinal)
    while text is not None and symbol is not None and symbol.parent != -1:
        symbol = text.symbol(symbol.parent)
        if symbol is not None and symbol.kind in BODIES:
            return True
    return False


def _candidate(text: Text, name: str, target_paths: set[str], modules: ModuleIndex, origin: Text | None) -> _Candidate:
    path = text.address
    if text is origin:
        closeness = 0
    elif path in target_paths:
        closeness = 1
    else:
        closeness = 2 if _imports(text, name, modules) else _FAR
    return _Candidate(text, closeness)


def _imports(text: Text, name: str, modules: ModuleIndex) -> bool:
    if not modules.words or (len(modules.words) <= _FEW_WORDS and not text.may_import(modules.words)):
        return False
    return any(_may_bring(imported, name) and modules.holds(imported.module, text.address) for imported in text.imports)


def _may_bring(imported: Import, name: str) -> bool:
    return not imported.names or any(each.name in (name, "*") for each in imported.names)


def _uses_in(text: Text, name: str, reads: _Reads) -> list[UsedAt]:
    mentions = text.mentions(name)
    stored = mentions.references
    offsets = [*stored]
    if reads is not _Reads.NONE:
        offsets += _reads_in(text, name, {*stored, *mentions.definitions}, reads)
    offsets.sort()
    spans = text.word_spans(offsets, name)
    return [UsedAt(text, offset, span, stored.get(offset)) for offset, span in zip(offsets, spans, strict=True)]


def _reads_in(text: Text, name: str, known: set[int], reads: _Reads) -> list[int]:
    """Return where a name stands in the code of a text, what is known of it apart."""
    others = [offset for offset in occurrences(text.text, name.encode(), text.language) if offset not in known]
    if reads is _Reads.QUALIFIED:
        others = [offset for offset in others if _is_qualified(text.text, offset)]
    if text.language is not None and others:
        others = code_only(text.text, text.language, others)
    return others


def _is_qualified(text: bytes, offset: int) -> bool:
    return text[max(0, offset - 2) : offset].endswith((b".", b"::", b"->"))
