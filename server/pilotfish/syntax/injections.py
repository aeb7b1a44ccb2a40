"""Embedded languages: which parts of a text are written in another one, and what their outlines add to its own.

`queries/<name>.injections.scm` says it, in the vocabulary of tree-sitter's injections (https://tree-sitter.github.io/
tree-sitter/3-syntax-highlighting.html#language-injection):

- `@injection.content` on what is written in the other language: the whole of a match is one text, in which what lies
  between its nodes reads as a name. What its named children cover is none of it, unless
  `(#set! injection.include-children)`.
- `@injection.language` on what names the language, as people call it: a name, an extension, a media type; or
  `(#set! injection.language "sql")`. Of several matches on one node the last one counts.
- `(#set! injection.pieces "string_fragment")`: only children of that type are in the other language.
- `(#set! injection.indented)`: the blanks before the first line stand before the others as well.
- `(#set! injection.local)`: only references and imports count, as in an expression of a template.

What is embedded is parsed where it lies (tree-sitter's included ranges), so that every offset is one of the whole text.
Only code is: the keys of an example of configuration are nothing that anybody looks for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from operator import attrgetter
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from pilotfish.syntax.languages import REGISTRY, Language, named
from pilotfish.syntax.matching import matches_near
from pilotfish.syntax.outline import Outline, ReferenceGroup, Role, Symbol, Visibility
from pilotfish.syntax.patterns import check_settings, query_source

if TYPE_CHECKING:
    from tree_sitter import Language as Grammar
    from tree_sitter import Node, Range

_MOST: Final = 1_000  # embedded texts of one file
_MOST_BYTES: Final = 1 << 19  # of all of them
_MOST_LANGUAGES: Final = 12  # of them: the first text of each costs a worker its grammar and queries
_WORD: Final = re.compile(rb"\w[\w+#./-]*")
# An expression in which nothing is called, imported or named as a type: most of those in templates.
_SAYS_NOTHING: Final = re.compile(rb"\s*(?:!*[\w$.]+|\"[^\"]*\"|'[^']*')?\s*")


NOTHING: Final[Mapping[int, Node]] = {}
"""That nothing is embedded."""


class Injection(NamedTuple):
    """A text in another language: its name in the registry, the nodes that hold it, the ranges that are it, the gaps in
    these where something is inserted, and whether what it defines is its own affair."""

    language: str
    content: Sequence[Node]
    ranges: Sequence[Range]
    gaps: Sequence[tuple[int, int]] = ()
    is_local: bool = False


class Injections:
    """Finds what is embedded in the texts of one language."""

    def __init__(self, language: Language, grammar: Grammar) -> None:
        from tree_sitter import Query, QueryCursor

        source = query_source(f"{language.name}.injections")
        check_settings(f"{language.name}.injections", source)
        query = Query(grammar, source)
        self._marks = language.injected
        self._outer = language.name
        self._cursor = QueryCursor(query)
        self._settings: list[Mapping[str, str | None]] = [
            query.pattern_settings(pattern) for pattern in range(query.pattern_count)
        ]

    def found(self, root: Node, text: bytes) -> list[Injection]:
        """What is embedded in a text, in its order; at most so much of it as is worth its time."""
        from tree_sitter import Range

        by_place: dict[int, tuple[str, list[Node], Mapping[str, str | None]]] = {}
        for pattern, captures in matches_near(self._cursor, root, text, self._marks):
            content = captures.get("injection.content")
            if not content:
                continue
            settings = self._settings[pattern]
            if pieces := settings.get("injection.pieces"):
                content = [each for node in content for each in node.named_children if each.type == pieces]
                if not content:
                    continue
            if "injection.local" in settings and _SAYS_NOTHING.fullmatch(text, *_bounds(content)):
                continue
            names = captures.get("injection.language")
            written = text[names[0].start_byte : names[0].end_byte] if names else None
            language = _language(written) if written is not None else settings.get("injection.language")
            by_place[content[0].start_byte] = language or "", content, settings
        found: list[Injection] = []
        left = _MOST_BYTES
        languages: set[str] = set()
        for _, (language, content, settings) in sorted(by_place.items())[:_MOST]:
            left -= sum(node.end_byte - node.start_byte for node in content)
            if left < 0:
                break
            if language in REGISTRY and not REGISTRY[language].form and language != self._outer:
                ranges = [each for node in content for each in _ranges(node, text, settings)]
                gaps = [(one.end_byte, other.start_byte) for one, other in pairwise(content)]
                if gaps:
                    first, last = content[0], content[-1]
                    ranges = [Range(first.start_point, last.end_point, first.start_byte, last.end_byte)]
                if ranges and (language in languages or len(languages) < _MOST_LANGUAGES):
                    languages.add(language)
                    found.append(Injection(language, content, ranges, gaps, "injection.local" in settings))
        return found


def filled(text: bytes, injections: Sequence[Injection]) -> bytes:
    """A text in which a name stands wherever something is inserted into what is embedded: `${id}` in SQL."""
    if not any(each.gaps for each in injections):
        return text
    made = bytearray(text)
    for each in injections:
        for start, end in each.gaps:
            made[start:end] = b"x" * (end - start)
    return bytes(made)


def _bounds(content: Sequence[Node]) -> tuple[int, int]:
    return content[0].start_byte, content[-1].end_byte


def _language(written: bytes) -> str | None:
    """The language that a text names: `py`, `text/typescript`, `{.python}`."""
    word = _WORD.search(written)
    return named(word[0].decode("latin-1")) if word is not None else None


def _ranges(node: Node, text: bytes, settings: Mapping[str, str | None]) -> Iterator[Range]:
    """The parts of a node that are in the other language."""
    from tree_sitter import Range

    if "injection.indented" in settings:
        yield from _dedented(node, text)
        return
    is_whole = "injection.include-children" in settings
    place, point = node.start_byte, node.start_point
    for child in () if is_whole else node.named_children:
        if child.end_byte > child.start_byte:
            if child.start_byte > place:
                yield Range(point, child.start_point, place, child.start_byte)
            place, point = child.end_byte, child.end_point
    if node.end_byte > place:
        yield Range(point, node.end_point, place, node.end_byte)


def _dedented(node: Node, text: bytes) -> Iterator[Range]:
    """The lines of a node without as many blanks before each as stand before the first."""
    from tree_sitter import Point, Range

    row, column = node.start_point
    start = node.start_byte
    while start < node.end_byte:
        newline = text.find(b"\n", start, node.end_byte)
        end = newline + 1 if newline >= 0 else node.end_byte
        blanks = len(text[start:end]) - len(text[start:end].lstrip(b" "))
        cut = 0 if start == node.start_byte else min(blanks, column)
        yield Range(
            Point(row, column if start == node.start_byte else cut),
            Point(row + 1, 0) if newline >= 0 else node.end_point,
            start + cut,
            end,
        )
        row, start = row + 1, end


def joined(outer: Outline, inner: Sequence[tuple[Injection, Outline]]) -> Outline:
    """The outline of a text together with those of what is embedded in it: each symbol in the one around it.

    What the code in a document defines is an example of that document's own, and private.
    """
    is_document = REGISTRY[outer.language].form == "section"
    outlines = [outer.symbols, *([] if each.is_local else outline.symbols for each, outline in inner)]
    placed = sorted(
        (symbol.start, -symbol.end, source, number)
        for source, symbols in enumerate(outlines)
        for number, symbol in enumerate(symbols)
    )
    at = {(source, number): place for place, (_, _, source, number) in enumerate(placed)}
    found: list[Symbol] = []
    around: list[int] = []  # the places of the outer symbols that are open, the innermost last
    for start, _, source, number in placed:
        symbol = outlines[source][number]
        while around and found[around[-1]].end <= start:
            around.pop()
        outside = around[-1] if source and around else -1
        parent = at[source, symbol.parent] if symbol.parent >= 0 else outside
        if source:
            visibility = Visibility.PRIVATE if is_document else symbol.visibility
            language = inner[source - 1][1].language
            symbol = msgspec.structs.replace(symbol, parent=parent, visibility=visibility, language=language)
        else:
            around.append(len(found))
            symbol = msgspec.structs.replace(symbol, parent=parent) if parent != symbol.parent else symbol
        found.append(symbol)
    every = [outer, *(outline for _, outline in inner)]
    return Outline(
        language=outer.language,
        symbols=found,
        references=_gathered([group for outline in every for group in outline.references]),
        imports=sorted((each for outline in every for each in outline.imports), key=attrgetter("start")),
        exports=list(dict.fromkeys(name for outline in every for name in outline.exports)),
        has_errors=outer.has_errors,
    )


def _gathered(groups: Sequence[ReferenceGroup]) -> list[ReferenceGroup]:
    """The groups with those of one name and role made one."""
    offsets: dict[tuple[str, Role], list[int]] = {}
    for group in groups:
        offsets.setdefault((group.name, group.role), []).extend(group.offsets)
    # What is inserted into embedded code is no name of it.
    return [ReferenceGroup(name, role, sorted(each)) for (name, role), each in offsets.items() if "{" not in name]
