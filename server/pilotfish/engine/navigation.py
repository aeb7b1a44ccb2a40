"""From a place or a name to its definitions and uses: what hover, navigation and the commands by name share."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pilotfish.engine.view import Definition, Text, View, references_of
from pilotfish.graph.links import Evidence, Link, Use, best, names_module, rank
from pilotfish.operations.answer import Span
from pilotfish.operations.editor import PlaceParameters
from pilotfish.syntax.keywords import is_keyword
from pilotfish.syntax.outline import Outline, Role, SymbolKind
from pilotfish.syntax.words import code_only, occurrences, word_at

MAX_READ_FILES = 500
"""Reads are looked for in the text of at most this many files; stored references have no such limit."""

_QUALIFIER = re.compile(rb"([A-Za-z_$][\w$]*)\s*(?:\.|::|->|\?\.)\s*$")


@dataclass(frozen=True, slots=True)
class Place:
    """A name in a text: where it stands, what it is called, and the word before the dot."""

    text: Text
    name: str
    start: int
    end: int
    qualifier: str

    @property
    def span(self) -> Span:
        """The name's own stretch."""
        return self.text.span(self.start, self.end)


@dataclass(frozen=True, slots=True)
class Found:
    """A definition with the evidence that the name means it."""

    definition: Definition
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class UsedAt:
    """One use of a name: its text, offset and role (`read` where the outline stores none)."""

    text: Text
    start: int
    end: int
    role: str


def place_at(view: View, parameters: PlaceParameters) -> Place | None:
    """Return the name at a place; None on blanks, keywords, numbers, and words in comments and strings."""
    text = view.document(parameters.uri)
    if text is None:
        return None
    offset = text.lines.offset(parameters.line, parameters.character, parameters.encoding)
    bounds = word_at(text.text, offset)
    if bounds is None:
        return None
    start, end = bounds
    name = text.text[start:end].decode("utf-8", "replace")
    if not _is_known(text.outline, name, start) and not _is_code(text, name, start):
        return None
    before = _QUALIFIER.search(text.text[max(0, start - 200) : start])
    return Place(text, name, start, end, before.group(1).decode("utf-8", "replace") if before else "")


def _is_known(outline: Outline, name: str, start: int) -> bool:
    """Whether the outline itself has this name at this place, which settles that it is no keyword or comment."""
    return start in references_of(outline, name) or any(
        symbol.name_start == start and symbol.name == name for symbol in outline.symbols
    )


def _is_code(text: Text, name: str, start: int) -> bool:
    if text.language is None:
        return True
    if is_keyword(text.language, name) and text.text[start - 1 : start] != b".":
        return False
    return bool(code_only(text.text, text.language, [start]))


def definitions_at(view: View, place: Place) -> list[Found]:
    """Return the definitions that a name at a place may mean, best first, weaker evidence hidden by stronger."""
    definitions = view.definitions(place.name)
    if place.text.path is None or (place.text.uri is not None and not _in_view(view, place.text)):
        definitions = [*_own_definitions(place), *definitions]
    use = Use(
        name=place.name,
        path=place.text.path or place.text.uri or "",
        language=place.text.language,
        offset=place.start,
        qualifier=place.qualifier,
    )
    return _ranked(use, place.text.outline, definitions)


def _in_view(view: View, text: Text) -> bool:
    return text.path is not None and view.outline(text.path) is not None


def _own_definitions(place: Place) -> list[Definition]:
    """The definitions of a document that the index does not hold."""
    from pilotfish.engine.view import definitions_of

    text = place.text
    found = definitions_of(text.outline, text.lines, text.path, text.uri, text.language)
    return [definition for definition in found if definition.name == place.name]


def _ranked(use: Use, outline: Outline, definitions: Sequence[Definition]) -> list[Found]:
    by_candidate = {definition.candidate(): definition for definition in definitions}
    links: list[Link] = best(rank(use, outline, list(by_candidate)))
    return [Found(by_candidate[link.candidate], link.evidence) for link in links]


def definitions_named(view: View, symbol_name: str, file_hint: str | None) -> list[Definition]:
    """Return the definitions of `name` or `Class.method`, those in the hinted file first, then the most visible."""
    *containers, name = re.split(r"\.|::|#", symbol_name.strip())
    wanted = ".".join(containers).lower()
    found = [
        definition
        for definition in view.definitions(name)
        if not wanted or f".{definition.container}".lower().endswith(f".{wanted}")
    ]
    hint = (file_hint or "").strip("/")
    return sorted(
        found,
        key=lambda definition: (
            not _matches_hint(definition.path or "", hint),
            _is_member(definition),
            definition.visibility,
            definition.path or "",
            definition.name_span.start.line,
        ),
    )


def _matches_hint(path: str, hint: str) -> bool:
    return bool(hint) and (path == hint or path.endswith(f"/{hint}") or path.startswith(f"{hint}/"))


def _is_member(definition: Definition) -> bool:
    return definition.kind in (SymbolKind.FIELD, SymbolKind.PROPERTY, SymbolKind.VARIABLE, SymbolKind.KEY)


def uses_of(view: View, name: str, targets: Sequence[Definition], origin: Text | None) -> list[UsedAt]:
    """Return the uses of a name, best first: the files that define it, those that import them, the others.

    A definition inside a function is seen in its own file only. `origin` is the text in which the question was asked;
    its uses come first.
    """
    target_paths = {target.path or target.uri or "" for target in targets}
    texts = _candidate_texts(view, name, targets, origin)
    ordered = sorted(texts, key=lambda text: _closeness(text, name, target_paths, origin))
    found: list[UsedAt] = []
    for place, text in enumerate(ordered):
        found.extend(_uses_in(text, name, with_reads=place < MAX_READ_FILES))
    return found


def _candidate_texts(view: View, name: str, targets: Sequence[Definition], origin: Text | None) -> list[Text]:
    texts: dict[str, Text] = {}
    if origin is not None:
        texts[origin.path or origin.uri or ""] = origin
    if targets and all(_is_local(view, target, origin) for target in targets):
        paths: Iterable[str] = {target.path for target in targets if target.path is not None}
    else:
        paths = [*view.referencing(name), *(target.path for target in targets if target.path is not None)]
    for path in paths:
        if path not in texts:
            text = view.file(path)
            if text is not None:
                texts[path] = text
    return list(texts.values())


def _is_local(view: View, target: Definition, origin: Text | None) -> bool:
    """Whether a definition stands inside a function, so that no other file can name it."""
    if origin is not None and (target.path, target.uri) == (origin.path, origin.uri):
        outline: Outline | None = origin.outline
    else:
        outline = None if target.path is None else view.outline(target.path)
    if outline is None or target.ordinal >= len(outline.symbols):
        return False
    parent = outline.symbols[target.ordinal].parent
    while parent != -1:
        symbol = outline.symbols[parent]
        if symbol.kind in (SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.CONSTRUCTOR):
            return True
        parent = symbol.parent
    return False


def _closeness(text: Text, name: str, target_paths: set[str], origin: Text | None) -> tuple[int, str]:
    path = text.path or text.uri or ""
    if origin is not None and text is origin:
        return 0, path
    if path in target_paths:
        return 1, path
    if _imports_any(text, name, target_paths):
        return 2, path
    return 3, path


def _imports_any(text: Text, name: str, target_paths: set[str]) -> bool:
    importer = text.path or ""
    return any(
        names_module(imported.module, importer, target)
        for imported in text.outline.imports
        if not imported.names or any(each.name in (name, "*") for each in imported.names)
        for target in target_paths
    )


def _uses_in(text: Text, name: str, *, with_reads: bool) -> list[UsedAt]:
    stored = references_of(text.outline, name)
    word = name.encode()
    offsets = set(stored)
    if with_reads:
        defined = {symbol.name_start for symbol in text.outline.symbols if symbol.name == name}
        others = [offset for offset in occurrences(text.text, word) if offset not in stored and offset not in defined]
        if text.language is not None:
            others = code_only(text.text, text.language, others)
        offsets.update(others)
    return [UsedAt(text, offset, offset + len(word), _role(stored.get(offset))) for offset in sorted(offsets)]


def _role(role: Role | None) -> str:
    return "read" if role is None else role.name.lower()
