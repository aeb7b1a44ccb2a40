"""Text to outline: one parse, one pass of one query, no recursion over the tree.

The queries say what is a definition, a reference, an import (`syntax.patterns`); this module puts the pieces together
by their byte offsets.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, cast

from msgspec.structs import replace

from pilotfish.syntax import generic
from pilotfish.syntax.injections import NOTHING, Injection, Injections, filled, joined
from pilotfish.syntax.languages import REGISTRY, Language, Scanned
from pilotfish.syntax.matching import Captures, Matcher
from pilotfish.syntax.notebooks import PROSE, notebook_of, plain
from pilotfish.syntax.outline import (
    Import,
    ImportedName,
    Outline,
    ReferenceGroup,
    Role,
    Symbol,
    SymbolKind,
    Visibility,
)
from pilotfish.syntax.patterns import Patterns, check_settings, query_source

if TYPE_CHECKING:
    from tree_sitter import Node, Parser, Range, Tree

Found = dict[int, list[Captures]]  # the matches of each group of patterns that has any

_A, _Z = b"AZ"
_WORD = re.compile(rb"\S+")
_LISTED = frozenset(("name", "export", "import.name"))
_BLANKS = frozenset((b" ", b"\t", b"\r", b"\n"))
_MAX_NAME = 512  # bytes; a longer "name" is a broken text's


class Reading(NamedTuple):
    """A text that was read: its outline, its syntax tree, what of it may be shown, and the roots of the trees of what
    is embedded in it by the `id` of the node that holds it.

    `shown` is as long as the text. Of a notebook it is the sources of its cells, and blank where they are not.
    """

    outline: Outline
    tree: Tree
    shown: bytes
    embedded: Mapping[int, Node] = NOTHING


class Outliner:
    """Makes outlines. Each language's grammar and query are loaded when first needed, once per object."""

    def __init__(self) -> None:
        self._readers: dict[str, _Reader] = {}

    def outline(self, text: bytes, language: str) -> Outline:
        """What `text` (UTF-8 without a byte order mark) says structurally; broken code gives what can be recovered.

        Raises KeyError for a language that the registry lacks.
        """
        return self.read(text, language).outline

    def read(self, text: bytes, language: str, shown: bytes | None = None) -> Reading:
        """The outline together with the syntax tree that it was read from. Raises as `outline` does.

        `shown` is what of the text may be told, as long as it is, where that is not all: names come from it.
        """
        reader = self._reader(language)
        shown = text if shown is None else shown
        outline, tree = reader.read(text, shown)
        if reader.is_notebook:
            return self._read_notebook(text, shown, outline, tree)
        injections = reader.injections(tree, text)
        if not injections:
            return Reading(outline, tree, shown)
        inner: list[tuple[Injection, Outline]] = []
        embedded: dict[int, Node] = {}
        parsed = filled(text, injections)
        for each in injections:
            within, inner_tree = self._reader(each.language).read(parsed, shown, each.ranges)
            inner.append((each, within))
            embedded.update((node.id, inner_tree.root_node) for node in each.content[:1])
        return Reading(joined(outline, inner), tree, shown, embedded)

    def _read_notebook(self, text: bytes, shown: bytes, outline: Outline, tree: Tree) -> Reading:
        """A notebook by the cells that its JSON, which `tree` is of, holds: the prose around the code."""
        from tree_sitter import Range

        notebook = notebook_of(tree.root_node, text)
        read: list[tuple[Injection, Outline]] = []
        for language, nodes in ((PROSE, notebook.prose), (notebook.language, notebook.code)):
            if nodes and language:
                is_code = language != PROSE
                ranges = [Range(node.start_point, node.end_point, node.start_byte, node.end_byte) for node in nodes]
                parsed = plain(text, nodes, is_code=is_code)
                told = parsed if shown is text else plain(shown, nodes, is_code=is_code)
                read.append((Injection(language, nodes, ranges), self._reader(language).read(parsed, told, ranges)[0]))
        for each in read:  # one after the other: code lies in the section that a cell of prose begins
            outline = joined(outline, [each])
        every = plain(shown, [*notebook.prose, *notebook.code], is_code=False)
        return Reading(outline, tree, every)

    def _reader(self, language: str) -> _Reader:
        reader = self._readers.get(language)
        if reader is None:
            reader = self._readers[language] = _Reader(REGISTRY[language])
        return reader


class _Draft:
    """A definition, scope or marker before it is placed in its container."""

    # Defaults in the class: most drafts never set these, and thousands are made.
    body = -1
    container = ""
    documented_end = -1
    level = 0
    lead = ""
    visibility: Visibility | None = None  # a marker's

    def __init__(self, start: int, end: int, name_start: int, name_end: int, kind: SymbolKind | None) -> None:
        self.start = start
        self.end = end
        self.name_start = name_start
        self.name_end = name_end
        self.kind = kind  # None: a scope or a marker
        self.head = start  # where the signature begins

    def widen(self, start: int, end: int, kind: SymbolKind) -> None:
        """Join another match on the same name; the signature keeps the innermost."""
        self.head = max(self.head, start)
        self.start = min(self.start, start)
        self.end = max(self.end, end)
        self.kind = kind


class _Frame:
    """A symbol or scope that is open at a place of the sweep through the definitions."""

    __slots__ = ("container", "end", "last", "number", "shown", "start", "symbol", "visibility")

    def __init__(self, start: int, end: int, symbol: Symbol | None, number: int, container: str) -> None:
        self.start = start
        self.end = end
        self.symbol = symbol  # the innermost
        self.number = number  # its place in the outline
        self.container = container  # the name of a scope within it
        self.visibility: Visibility | None = None  # by the last marker
        self.shown: frozenset[str] = frozenset()  # the exported names, where others are not seen
        self.last = -1  # the place in the outline of the last symbol that lies directly in it


class _Reader:
    """Outlines texts of one language."""

    def __init__(self, language: Language) -> None:
        from tree_sitter import Parser, Query
        from tree_sitter_language_pack import get_language

        # The pack types names as a closed list of literals; a wrong one raises LookupError, which a test sees.
        grammar = get_language(language.grammar)  # type: ignore[arg-type]
        self._language = language
        self._rule = language.rule
        self._container = language.container
        self._locals = language.locals
        self._continues = language.continues
        self._prepared = language.prepared
        self._qualifier_end = language.qualifier_end
        self._parser: Parser = Parser(grammar)
        if language.nodes is None:
            source = query_source(language.name)
            check_settings(language.name, source)
        else:
            source = generic.query_source(grammar, language.nodes)
        self._nodes = language.nodes
        query = Query(grammar, source)
        self._patterns = Patterns(query, source.encode())
        near, marks = self._patterns.near, self._patterns.marks
        self._matcher = Matcher(grammar, source, query, near, marks, language.query_depth)
        self._injections = Injections(language, grammar) if language.injected else None
        self.is_notebook = language.is_notebook

    def injections(self, tree: Tree, text: bytes) -> list[Injection]:
        """What is embedded in a text that was read."""
        return self._injections.found(tree.root_node, text) if self._injections is not None else []

    def read(self, parsed: bytes, text: bytes, ranges: Sequence[Range] = ()) -> tuple[Outline, Tree]:
        """The outline of a text, or of some ranges of it; names come from `text`."""
        if self._prepared is not None:
            parsed = self._prepared(parsed)
        if ranges:
            self._parser.included_ranges = ranges
        tree = self._parser.parse(parsed)
        if ranges:
            self._parser.included_ranges = []
        root = tree.root_node
        found: Found = {}
        group_of = self._patterns.group_of
        for pattern, captures in self._matcher.matches(root, parsed):
            if self._nodes is not None and not generic.add_parts(captures, self._nodes, self._language.name_nodes):
                continue
            group = group_of[pattern]
            if group in found:
                found[group].append(captures)
            else:
                found[group] = [captures]
        if not found and self._language.scanned is None:  # as in most expressions of a template
            return Outline(self._language.name, has_errors=root.has_error), tree
        for group in self._patterns.lists & found.keys():
            found[group] = [each for captures in found[group] for each in _apart(text, captures)]
        drafts = self._drafts(text, found)
        if self._language.scanned is not None:
            drafts.update(_scanned(self._language.scanned, text, ranges))
        exports = self._exports(text, found)
        if self._patterns.has_levels:
            headings = [draft for draft in drafts.values() if draft.level]
            if self._language.level == "adornment":
                _level_by_adornment(headings, text)
            elif self._language.level == "digit":
                for heading in headings:
                    heading.level = int(text[heading.start + 2 : heading.start + 3])
            is_part = ranges and self._language.form != "section"
            _nest_by_level(headings, ranges[-1].end_byte if is_part else len(text))
        imports, imported = self._imports(text, found)
        shown = frozenset(exports) if self._language.exports_show else frozenset()
        symbols = self._symbols(text, [*drafts.values()][: self._language.max_symbols] + self._scopes(found), shown)
        if self._language.module_within is not None:
            imports = _seen_from_file(imports, symbols, self._language.module_within)
        outline = Outline(
            language=self._language.name,
            symbols=symbols,
            references=self._references(text, found, set(drafts), imported),
            imports=imports,
            exports=exports,
            has_errors=root.has_error,
        )
        return outline, tree

    def _drafts(self, text: bytes, found: Found) -> dict[int, _Draft]:
        """The definitions by the offset of their name, in the order of their patterns."""
        drafts: dict[int, _Draft] = {}
        marks, own_name = self._language.name_marks, self._language.own_name
        is_of_words = not (self._language.form or self._language.level)  # else names may be headings
        for group, key, kind, level, lead in self._patterns.definitions:
            if group not in found:
                continue
            for captures in found[group][: self._language.max_symbols]:
                node = captures[key][0]
                start, end = node.start_byte, _end(text, node) if is_of_words else node.end_byte
                for name in captures.get("name", ()):
                    name_start, name_end = name.start_byte, name.end_byte
                    if len(captures) > 2 and (marker := captures.get("name.start")):
                        name_start = marker[0].start_byte
                    qualifier = b""
                    if marks:
                        name_start, name_end = _unmarked(text, name_start, name_end, marks)
                    elif own_name is not None:
                        written = text[name_start:name_end]
                        if not written.isalnum():  # else it is one word
                            bound, first, last = own_name(written)
                            qualifier = written[:bound]
                            name_start, name_end = name_start + first, name_start + last
                    if not 0 < name_end - name_start <= _MAX_NAME:
                        continue
                    if is_of_words and text.find(b"\n", name_start, name_end) >= 0:
                        continue  # a broken text's
                    draft = drafts.get(name_start)
                    if draft is None:
                        draft = drafts[name_start] = _Draft(start, end, name_start, name_end, kind)
                    else:
                        draft.widen(start, end, kind)
                    if qualifier:
                        draft.container = qualifier.decode("utf-8", "replace")
                    if len(captures) > 2:
                        _add_parts(text, draft, captures)
                    if level:
                        draft.level = level
                    if lead:
                        draft.lead = lead
        for group in self._patterns.discards:
            for captures in found.get(group, ()):
                for name in captures["discard"]:
                    drafts.pop(name.start_byte, None)
        return drafts

    def _scopes(self, found: Found) -> list[_Draft]:
        """What is no symbol and yet says something of those that lie in it or follow it: scopes and markers."""
        scopes = []
        for group in self._patterns.scopes:
            for captures in found.get(group, ()):
                node = captures["scope"][0]
                start, end = node.start_byte, node.end_byte
                name = captures.get("name")
                named = (name[0].start_byte, name[0].end_byte) if name else (start, start)
                scopes.append(_Draft(start, end, *named, None))
        for group, key, visibility in self._patterns.markers:
            for captures in found.get(group, ()):
                for node in captures.get(key, ()):
                    marker = _Draft(node.start_byte, node.end_byte, node.start_byte, node.end_byte, None)
                    marker.visibility = visibility
                    scopes.append(marker)
        return scopes

    def _symbols(self, text: bytes, drafts: list[_Draft], shown: frozenset[str]) -> list[Symbol]:
        """The drafts as symbols in source order, each in the innermost one that encloses it; without locals.

        Where `shown` is not empty, what stands at the top of the file and not in it is restricted.
        """
        drafts.sort(key=_nesting)
        symbols: list[Symbol] = []
        frame = top = _Frame(-1, len(text) + 1, None, -1, "")
        top.shown = shown
        outer: list[_Frame] = []
        latest: Symbol | None = None  # becomes a frame when something lies in it, which few do
        number = -1  # its place
        for draft in drafts:
            start, end = draft.start, draft.end
            if latest is not None and start < latest.end and (start != latest.start or end != latest.end):
                outer.append(frame)
                frame = _Frame(latest.start, latest.end, latest, number, "")
            latest = None
            while frame is not top and (frame.end <= start or (frame.start == start and frame.end == end)):
                frame = outer.pop()
            parent, kind = frame.symbol, draft.kind
            if draft.visibility is not None:
                frame.visibility = draft.visibility
            elif kind is None:
                name = self._container(_decoded(text, draft.name_start, draft.name_end)) or frame.container
                outer.append(frame)
                frame = _Frame(start, end, parent, frame.number, name)
            elif parent is None or kind not in self._locals or parent.kind not in self._locals[kind]:
                if end > frame.end and not _cut_off(draft, frame.end):
                    continue
                latest = self._symbol(text, draft, kind, frame)
                if self._continues is not None and frame.last >= 0:
                    former = symbols[frame.last]
                    if former.name == latest.name and self._continues(text, former, latest):
                        body = former.body if former.body >= 0 else former.end - former.start
                        number, latest = frame.last, replace(former, end=max(former.end, latest.end), body=body)
                        symbols[number] = latest
                        continue
                number = frame.last = len(symbols)
                symbols.append(latest)
        return symbols

    def _symbol(self, text: bytes, draft: _Draft, kind: SymbolKind, frame: _Frame) -> Symbol:
        name = text[draft.name_start : draft.name_end].decode("utf-8", "replace")
        container = self._container(draft.container) if draft.container else frame.container
        kind, visibility = self._rule(name, kind, text[draft.start : draft.name_start], frame.symbol, container, text)
        if visibility is _PUBLIC:
            if frame.visibility is not None:
                visibility = frame.visibility
            elif frame.shown and not container and name not in frame.shown:
                visibility = _RESTRICTED
        return Symbol(
            name,
            kind,
            frame.number,
            draft.start,
            draft.end,
            draft.name_start,
            draft.name_end,
            visibility,
            container,
            draft.head - draft.start,
            draft.body - draft.start if draft.body >= 0 else -1,
            draft.lead,
            max(0, draft.documented_end - draft.body),
        )

    def _references(self, text: bytes, found: Found, taken: set[int], imported: list[Node]) -> list[ReferenceGroup]:
        """The references by role and name; an offset in `taken` has a meaning already."""
        groups: list[ReferenceGroup] = []
        qualifier_end = self._qualifier_end
        for role, sources in self._patterns.references:
            nodes = imported if role is Role.IMPORT else []
            for group, key, is_single, is_capital in sources:
                if group not in found:
                    continue
                if is_single:
                    more = [captures[key][0] for captures in found[group]]
                else:
                    more = [node for captures in found[group] for node in captures.get(key, ())]
                if is_capital:
                    more = [node for node in more if _A <= text[node.start_byte] <= _Z]
                nodes += more
            if not nodes:
                continue
            offsets: dict[bytes, list[int]] = {}
            get, take = offsets.get, taken.add
            for node in nodes:
                start = node.start_byte
                if qualifier_end and (cut := text.rfind(qualifier_end, start, node.end_byte)) >= 0:
                    start = cut + len(qualifier_end)
                if start not in taken:
                    take(start)
                    name = text[start : node.end_byte]
                    places = get(name)
                    if places is None:
                        offsets[name] = [start]
                    else:
                        places.append(start)
            groups += _groups(role, offsets, self._language.builtins)
        return groups

    def _imports(self, text: bytes, found: Found) -> tuple[list[Import], list[Node]]:
        """The imports in source order, and the nodes of the names that they bring in."""
        imports: dict[tuple[int, str], Import] = {}
        imported: list[Node] = []
        for group, prefix in self._patterns.imports:
            for captures in found.get(group, ()):
                statement, modules = captures["import"][0], captures["import.module"]
                place = modules[-1].start_byte
                written = "".join([_decoded(text, part.start_byte, part.end_byte) for part in modules]).strip("\"'`")
                if not prefix and self._language.imports is not None:
                    brought = self._language.imports(written)
                else:
                    written = written if written.startswith(".") else prefix + written
                    imported += captures.get("import.name", ())
                    imported += captures.get("import.default", ())
                    brought = [(written, name) for name in _imported_names(text, captures)] or [(written, None)]
                for name_of_module, name in brought:
                    key = (place, name_of_module)
                    if key not in imports:
                        imports[key] = Import(name_of_module, [], statement.start_byte, statement.end_byte)
                    if name is not None:
                        imports[key].names.append(name)
        return [imports[key] for key in sorted(imports)], imported

    def _exports(self, text: bytes, found: Found) -> list[str]:
        places = {
            node.start_byte: text[node.start_byte : node.end_byte].decode("utf-8", "replace")
            for group in self._patterns.exports
            for captures in found.get(group, ())
            for node in captures.get("export", ())
        }
        return list(dict.fromkeys(places[place] for place in sorted(places)))


_PUBLIC, _RESTRICTED = Visibility.PUBLIC, Visibility.RESTRICTED


class _Word(NamedTuple):
    """A word of a token: of a node as much as names need."""

    start_byte: int
    end_byte: int


def _apart(text: bytes, captures: Captures) -> Iterator[Captures]:
    """The captures with each word of a list in one token (`qw(first sum)`) for itself; one for each of its modules."""
    each = {
        key: [word for node in nodes for word in _words(text, node)]
        for key, nodes in captures.items()
        if key in _LISTED or key.startswith("reference.")
    }
    parted = {**captures, **cast("Captures", each)}
    modules = cast("list[Node]", [word for node in captures.get("import.module", ()) for word in _words(text, node)])
    if not modules:
        yield parted
    for module in modules:
        yield {**parted, "import.module": [module]}


def _words(text: bytes, node: Node) -> Iterator[_Word]:
    start = node.start_byte
    for found in _WORD.finditer(text, start, node.end_byte):
        yield _Word(found.start(), found.end())


def _end(text: bytes, node: Node) -> int:
    """Where the last token of a node ends: grammars of languages that go by indentation let a node reach to the next
    one, over the comments between them."""
    end = node.end_byte
    if text[end - 1 : end] not in _BLANKS:
        return end
    last: Node | None = node
    while last is not None:
        node = last
        inner = (each for each in reversed(node.children) if not each.is_extra and each.end_byte > each.start_byte)
        last = next(inner, None)
    end = node.end_byte
    while end > node.start_byte and text[end - 1 : end] in _BLANKS:
        end -= 1
    return end


def _nesting(draft: _Draft) -> int:
    """The order in which what encloses comes before what it encloses, as one number: start, then end from the last."""
    return (draft.start << 40) - draft.end


def _add_parts(text: bytes, draft: _Draft, captures: Captures) -> None:
    for body in captures.get("body", ()):
        draft.body = body.start_byte
        draft.end = max(draft.end, _end(text, body))
    if containers := captures.get("container"):
        draft.container = ".".join([_decoded(text, node.start_byte, node.end_byte) for node in containers])
    for node in captures.get("documentation", ()):
        draft.documented_end = node.end_byte


def _unmarked(text: bytes, start: int, end: int, marks: bytes) -> tuple[int, int]:
    """The bounds of a name without the marks around it."""
    name = text[start:end]
    bare = name.lstrip(marks)
    return end - len(bare), end - len(bare) + len(bare.rstrip(marks))


def _cut_off(draft: _Draft, end: int) -> bool:
    """Let a definition that reaches out of what it begins in (in a broken text) end with it; tell whether its name lies
    there."""
    draft.end = end
    if draft.body >= end:
        draft.body = -1
    return draft.name_end <= end


def _level_by_adornment(headings: Iterable[_Draft], text: bytes) -> None:
    """Give each heading the level of its kind of lines: the character of the line below it, and whether there is one
    above it as well (reStructuredText, https://docutils.sourceforge.io/docs/ref/rst/restructuredtext.html#sections)."""
    levels: dict[tuple[bytes, bool], int] = {}
    for heading in sorted(headings, key=_nesting):
        underline = text[heading.name_end : heading.end].rstrip()[-1:]
        kind = underline, b"\n" in text[heading.start : heading.name_start]
        heading.level = levels.setdefault(kind, len(levels) + 1)
        heading.head, heading.end = heading.name_start, heading.name_end


def _scanned(
    scanned: Callable[[bytes], Iterable[Scanned]], text: bytes, ranges: Sequence[Range]
) -> Iterator[tuple[int, _Draft]]:
    """The definitions that are found without the grammar in a text, or in ranges of it, by the offset of their name."""
    for first, last in [(each.start_byte, each.end_byte) for each in ranges] or [(0, len(text))]:
        for each in scanned(text[first:last] if ranges else text):
            draft = _Draft(
                first + each.start, first + each.end, first + each.name_start, first + each.name_end, each.kind
            )
            draft.body = first + each.body if each.body >= 0 else -1
            draft.container = each.container
            yield draft.name_start, draft


def _nest_by_level(drafts: Iterable[_Draft], end: int) -> None:
    """Let each reach to the next one of its level or above, the last ones to the end of the text."""
    opened: list[_Draft] = []
    for draft in sorted(drafts, key=_nesting):
        draft.body = draft.end
        while opened and opened[-1].level >= draft.level:
            opened.pop().end = draft.start
        opened.append(draft)
    for draft in opened:
        draft.end = end


def _decoded(text: bytes, start: int, end: int) -> str:
    return text[start:end].decode("utf-8", "replace")


def _groups(role: Role, offsets: dict[bytes, list[int]], builtins: frozenset[bytes]) -> Iterator[ReferenceGroup]:
    for name, places in offsets.items():
        if 0 < len(name) <= _MAX_NAME and name != b"*" and name not in builtins:
            if len(places) > 1:
                places.sort()
            yield ReferenceGroup(name.decode("utf-8", "replace"), role, places)


def _seen_from_file(
    imports: Sequence[Import], symbols: Sequence[Symbol], module_within: Callable[[str, Sequence[str]], str]
) -> list[Import]:
    """The imports with their modules named from the whole file, and not from the modules in it that they stand in."""
    modules = [
        (number, symbol.start, symbol.end) for number, symbol in enumerate(symbols) if symbol.kind is SymbolKind.MODULE
    ]
    starts = [start for _, start, _ in modules]
    found = []
    for statement in imports:
        around = []
        place = bisect_left(starts, statement.start) - 1
        number = modules[place][0] if place >= 0 else -1
        while number >= 0:
            symbol = symbols[number]
            if symbol.kind is SymbolKind.MODULE and symbol.end >= statement.end:
                around.append(symbol.name)
            number = symbol.parent
        if around:
            module = module_within(statement.module, around[::-1])
            statement = Import(module, statement.names, statement.start, statement.end)
        found.append(statement)
    return found


def _imported_names(text: bytes, captures: Captures) -> Iterator[ImportedName]:
    """The names with their aliases; an alias without a name is the whole module's."""
    names, aliases = captures.get("import.name", ()), captures.get("import.alias", ())
    alias = _decoded(text, aliases[0].start_byte, aliases[0].end_byte) if aliases else ""
    if alias and not names:
        yield ImportedName("*", "*" if alias == "." else alias)  # Go's `import . "fmt"` opens the package
    for node in names:
        name = _decoded(text, node.start_byte, node.end_byte)
        yield ImportedName(name, alias or name)
    for node in captures.get("import.default", ()):
        yield ImportedName("default", _decoded(text, node.start_byte, node.end_byte))
