"""What the name at a place in a text means: what hover and navigation begin with."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pilotfish.engine.resolution import Resolution
from pilotfish.engine.resolution.names import VARIABLES
from pilotfish.engine.resolution.source import ECMASCRIPT
from pilotfish.engine.versions import Versions
from pilotfish.engine.view import Definition, Text, View, definitions_in
from pilotfish.graph.links import Use, best
from pilotfish.operations.answer import Span
from pilotfish.operations.editor import PlaceParameters
from pilotfish.syntax.facts import related_languages
from pilotfish.syntax.outline import MEMBERS, SymbolKind, Visibility
from pilotfish.syntax.scopes import has_sigil
from pilotfish.syntax.words import code_only, is_keyword, word_at

_SAID = frozenset({"terraform"})
"""Languages in which a name is nothing of the root where the text says so: no definition of the name is looked for."""

_OF_THE_FILE = frozenset({"arguments", "exports", "module", "require"})
"""What each file of JavaScript has of its own."""

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


def place_at(view: View, parameters: PlaceParameters) -> Place | None:
    """Return the name at a place; None on blanks, keywords, numbers, and words in comments and strings."""
    text = view.document(parameters.uri)
    if text is None:
        return None
    versions, offset = offset_at(view, text, parameters)
    bounds = word_at(text.text, offset, text.language)
    if bounds is None:
        return None
    start, end = bounds
    name = text.text[start:end].decode("utf-8", "replace")
    mentions = text.mentions(name)
    is_known = start in mentions.references or start in mentions.definitions
    if not is_known and not _is_code(text, name, start) and not is_quoted_type(view, text, start):
        return None
    before = _QUALIFIER.search(text.text[max(0, start - 200) : start])
    qualifier = before.group(1).decode("utf-8", "replace") if before else ""
    return Place(text, name, start, end, qualifier, versions)


def offset_at(view: View, text: Text, parameters: PlaceParameters) -> tuple[Versions | None, int]:
    """Return the offset that a place has in a text as it was outlined, and the way back to what the client has, where
    that is another text by now."""
    versions = None if view.sent is None or view.sent == text.text else Versions(view.sent, text.text)
    return versions, (versions or text.lines).offset(parameters.line, parameters.character, parameters.encoding)


def _is_code(text: Text, name: str, start: int) -> bool:
    if text.language is None:
        return True
    end = start + len(name.encode())
    is_name = text.text[start - 1 : start] == b"." or has_sigil(text.text, start, text.language)
    if not is_name and is_keyword(text.language, name, text.text[end : end + 20]):
        return False
    return bool(code_only(text.text, text.language, [start]))


def is_quoted_type(view: View, text: Text, offset: int) -> bool:
    """Whether a place lies in an annotation of Python that is written as a string."""
    scopes = view.scopes(text) if text.language == "python" else None
    said = None if scopes is None else scopes.annotation_at(offset)
    return (
        said is not None
        and text.text[said.start : said.end].count(b'"') + text.text[said.start : said.end].count(b"'") > 1
    )


def definitions_at(view: View, place: Place) -> list[Definition]:
    """Return the definitions that a name at a place may mean, best first, weaker evidence hidden by stronger."""
    return _may_mean(view, place, _meant(view, place))


def targets_at(view: View, place: Place) -> list[Definition]:
    """Return the definitions of which the uses are asked for at a place: those that the text says its name means, else
    those that it may mean."""
    meant = _meant(view, place)
    return meant or _may_mean(view, place, meant)


def _meant(view: View, place: Place) -> list[Definition] | None:
    return Resolution(view).meaning(place.text, place.name, place.start)


def _may_mean(view: View, place: Place, meant: list[Definition] | None) -> list[Definition]:
    text = place.text
    is_variable = has_sigil(text.text, place.start, text.language)
    if meant is not None and (is_variable or text.language in _SAID):
        return meant
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
        definitions = _reachable(text, place.name, definitions)
    if is_variable:
        definitions = [definition for definition in definitions if definition.kind in VARIABLES]
    return best(use, text.outline, definitions)


def _reachable(text: Text, name: str, definitions: list[Definition]) -> list[Definition]:
    """Return those of some definitions in other files that a name can mean: what JavaScript imports is no member of
    anything, and what it has in each file is in no other; a local of Lua is seen in its own file alone."""
    if text.language == "lua":
        return [each for each in definitions if each.container or each.visibility is Visibility.PUBLIC]
    if text.language not in ECMASCRIPT:
        return definitions
    if name in _OF_THE_FILE:
        return []
    if any(each.brings(name) for each in text.imports):
        return [each for each in definitions if each.kind not in MEMBERS]
    return definitions
