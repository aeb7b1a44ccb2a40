"""What one session sees: the committed catalog with the open documents laid over it.

A view is made for one request and read in one thread. Everything that a handler may ask goes through it, so that no
handler can forget an unsaved text or answer with a row of a file that is open in another version.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

from pilotfish.engine.addresses import path_of_uri, read_indexed
from pilotfish.engine.graphs import Graphs
from pilotfish.engine.sessions import Document, Overlay, OverlayVectors
from pilotfish.operations.answer import Position, Span
from pilotfish.operations.symbols import SymbolRecord
from pilotfish.store.catalog import Reader, SymbolRow
from pilotfish.store.matching import Match, SymbolQuery, fold, holds_nearly
from pilotfish.store.records import Place, StoredFile
from pilotfish.store.rows import Mentions, mentions_in
from pilotfish.syntax import documentation, prose
from pilotfish.syntax.outline import (
    Import,
    Outline,
    OutlineSymbols,
    Symbol,
    SymbolKind,
    Symbols,
    Visibility,
    qualified_containers,
)
from pilotfish.syntax.spellings import keyed_among, spellings_of
from pilotfish.syntax.terms import terms
from pilotfish.syntax.text import LineTable, decode, positions_in
from pilotfish.syntax.words import occurrences, word_at
from pilotfish.workspace import paths
from pilotfish.workspace.paths import Folders
from pilotfish.workspace.secrets import redact, redact_line, redact_within

if TYPE_CHECKING:
    from pilotfish.graph.edges import Graph
    from pilotfish.graph.resolve import Binding
    from pilotfish.syntax.partial_scopes import PartialScopes

_LINE_ENDS = (b"\n", b"\r")

_PAGE = 500
"""Files that are fetched at once."""


_LARGE_TEXT: Final = 100_000
"""In bytes: reading the scopes of a larger text takes longer than a hover may."""


class Text:
    """One file or document at one moment: its text with the outline and line table made from exactly that text.

    `uri` is set for open documents; `path` is None for those that have no place in the root.
    """

    def __init__(self, path: str | None, uri: str | None, language: str | None) -> None:
        self.path = path
        self.uri = uri
        self.language = language

    @property
    def address(self) -> str:
        """The path, or the URI of a document that has none."""
        return self.path or self.uri or ""

    @property
    def text(self) -> bytes:
        """The text in UTF-8; empty where the file is not what it was when it was indexed."""
        raise NotImplementedError

    @property
    def size(self) -> int:
        """How long the text is, in bytes."""
        return len(self.text)

    @property
    def outline(self) -> Outline:
        """Everything structural about the text."""
        raise NotImplementedError

    @property
    def symbols(self) -> Symbols:
        """The definitions of the outline, to be looked at one by one."""
        return OutlineSymbols(self.outline.symbols)

    @property
    def lines(self) -> LineTable:
        """Where its lines begin."""
        raise NotImplementedError

    def mentions(self, name: str) -> Mentions:
        """Return what the outline says of one name."""
        return mentions_in(self.outline, name)

    @property
    def imports(self) -> list[Import]:
        """What the text imports."""
        return self.outline.imports

    def may_import(self, words: Collection[bytes]) -> bool:
        """Whether an import may name one of some modules, given by the words that such a name can end in. It costs less
        than to look at the imports."""
        return bool(self.imports)

    def symbol(self, ordinal: int) -> Symbol | None:
        """Return one definition; None where there are fewer, and for one that the outline does not have."""
        return self.outline.symbols[ordinal] if 0 <= ordinal < len(self.outline.symbols) else None

    def signature(self, symbol: Symbol) -> str:
        """Return the line that declares one of the text's definitions; empty where the text is not to be had."""
        if not (self.text and self.language):
            return ""
        return redact_line(documentation.signature(self.text, symbol, self.language))

    def documentation(self, symbol: Symbol) -> str:
        """Return the first paragraph about one of the text's definitions; empty where the text is not to be had."""
        if not (self.text and self.language):
            return ""
        container = self.symbol(symbol.parent) if symbol.parent >= 0 else None
        outer = 0 if container is None else container.start
        return redact_line(documentation.documentation(self.text, symbol, self.language, outer))

    def whole_documentation(self, symbol: Symbol) -> str:
        """Return all that documents one of the text's definitions, as Markdown that nobody has looked at."""
        if not (self.text and self.language):
            return ""
        container = self.symbol(symbol.parent) if symbol.parent >= 0 else None
        outer = 0 if container is None else container.start
        written = documentation.whole_documentation(self.text, symbol, self.language, outer)
        shown = redact(written.encode("utf-8", "surrogatepass")).decode("utf-8", "replace")
        return prose.as_markdown(shown, symbol.language or self.language)

    def is_current(self, folders: Folders) -> bool:
        """Whether the text can be read as it was indexed, so that no offset is ever applied to another one."""
        return True

    def release(self) -> None:
        """Forget what can be read again: nobody holds the texts of hundreds of files at once."""

    def span(self, start: int, end: int) -> Span:
        """Return the stretch between two byte offsets as lines and columns."""
        return Span(Position(*self.lines.position(start)), Position(*self.lines.position(end)))

    def word_spans(self, starts: Sequence[int], word: str) -> list[Span]:
        """Return the stretches of a word that stands at ascending byte offsets."""
        spellings = spellings_of(word, self.language)
        if spellings is not None and spellings.varies_in_length:
            bounds = [word_at(self.text, start, self.language) or (start, start) for start in starts]
            return [self.span(*each) for each in bounds]
        if not word.isascii():
            return [self.span(start, start + len(word.encode())) for start in starts]
        length = len(word)
        return [
            Span(Position(line, utf8, utf16, utf32), Position(line, utf8 + length, utf16 + length, utf32 + length))
            for line, utf8, utf16, utf32 in self._positions(starts)
        ]

    def _positions(self, offsets: Sequence[int]) -> Sequence[Place]:
        return self.lines.positions(offsets)

    def line_of(self, offset: int) -> int:
        """Return the line that an offset stands in, counted from 0."""
        return self._positions([offset])[0][0]

    def line_text(self, offset: int, limit: int = 200) -> str:
        """Return the source line that holds `offset`, trimmed, at most `limit` characters."""
        text = self.text
        start = max(text.rfind(each, 0, offset) for each in _LINE_ENDS) + 1
        end = min((place for each in _LINE_ENDS if (place := text.find(each, offset)) >= 0), default=len(text))
        return redact_within(text, start, end).decode("utf-8", "replace").strip()[:limit]


class OpenText(Text):
    """An open document as it was last outlined."""

    def __init__(self, overlay: Overlay) -> None:
        super().__init__(overlay.path, overlay.uri, overlay.language)
        self._overlay = overlay

    @property
    def text(self) -> bytes:
        """See `Text`."""
        return self._overlay.text

    @property
    def outline(self) -> Outline:
        """See `Text`."""
        return self._overlay.outline

    @property
    def lines(self) -> LineTable:
        """See `Text`."""
        return self._overlay.lines


class FileText(Text):
    """A file of the index; of all that is kept about it, only what is asked for is read and unpacked."""

    def __init__(self, root: str, stored: StoredFile) -> None:
        super().__init__(stored.row.path, None, stored.row.language)
        self._root = root
        self._stored = stored
        self._text: bytes | None = None
        self._was_read = False

    @property
    def text(self) -> bytes:
        """See `Text`."""
        if not self._was_read:
            with Folders(self._root) as folders:
                self.is_current(folders)
        return self._text or b""

    @property
    def size(self) -> int:
        """See `Text`; that of the file."""
        return self._stored.row.size

    @cached_property
    def outline(self) -> Outline:
        """See `Text`."""
        return self._stored.outline()

    @cached_property
    def symbols(self) -> Symbols:
        """See `Text`."""
        return self._stored.symbols()

    @cached_property
    def lines(self) -> LineTable:
        """See `Text`."""
        return self._stored.lines()

    def mentions(self, name: str) -> Mentions:
        """See `Text`."""
        return self._stored.mentions(name)

    @property
    def imports(self) -> list[Import]:
        """See `Text`."""
        return self._stored.imports()

    def may_import(self, words: Collection[bytes]) -> bool:
        """See `Text`."""
        return self._stored.may_import(words)

    def symbol(self, ordinal: int) -> Symbol | None:
        """See `Text`."""
        if ordinal < 0 or "outline" in self.__dict__:
            return super().symbol(ordinal)
        return self._stored.symbol(ordinal)

    def span(self, start: int, end: int) -> Span:
        """See `Text`. Counting lines in the text costs less, its reading included, than to unpack their table."""
        if not self.text:
            return super().span(start, end)
        first, last = positions_in(self.text, [start, end])
        return Span(Position(*first), Position(*last))

    def _positions(self, offsets: Sequence[int]) -> Sequence[Place]:
        return super()._positions(offsets) if self._text is None else positions_in(self._text, offsets)

    def is_current(self, folders: Folders) -> bool:
        """See `Text`."""
        if not self._was_read:
            self._was_read = True
            data = read_indexed(folders, self._stored.row)
            if data is not None:
                self._text = decode(data).text
        return self._text is not None

    def release(self) -> None:
        """See `Text`."""
        self._text, self._was_read = None, False


class Definition(NamedTuple):
    """A symbol with the file it stands in; `start` and `end` are those of its name. Thousands share some names.

    What the outline does not have (locals, attributes of objects, files as modules) has a negative ordinal of its own.
    """

    path: str | None
    uri: str | None
    language: str | None
    ordinal: int
    name: str
    kind: SymbolKind
    container: str
    visibility: Visibility
    start: Place
    end: Place

    @property
    def name_span(self) -> Span:
        """Where the name stands."""
        return Span(Position(*self.start), Position(*self.end))

    @property
    def line(self) -> int:
        """The 0-based line of the name."""
        return self.start[0]

    @property
    def address(self) -> str:
        """The path, or the URI of a document that has none."""
        return self.path or self.uri or ""


class View:
    """The catalog at one generation with a session's open documents over it."""

    def __init__(
        self,
        root: str,
        reader: Reader,
        documents: Mapping[str, Document],
        own: Mapping[str, Document],
        graphs: Graphs,
        sent: bytes | None = None,
    ) -> None:
        """Lay `documents` (by path, as this session sees them) and its `own` (by URI) over `reader`; `graphs` knows the
        links between the files. `sent` is the text of the document asked about as it was when that was asked."""
        self.root = root
        self.reader = reader
        self.sent = sent
        self._graphs = graphs
        self._own = own
        self._overlays = {
            path: document.overlay
            for path, document in documents.items()
            if document.accepted and document.overlay is not None
        }
        self._documents = documents
        self._texts: dict[str, Text | None] = {}

    # --- texts ---------------------------------------------------------------------------------------------------

    def document(self, uri: str) -> Text | None:
        """Return the text behind a URI: the open document, else the file of the root; None when there is neither, or
        when the file is no longer what was indexed."""
        document = self._own.get(uri)
        if document is not None:
            return None if document.overlay is None else OpenText(document.overlay)
        path = path_of_uri(self.root, uri)
        text = None if path is None else self.file(path)
        if text is None:
            return None
        with Folders(self.root) as folders:
            return text if text.is_current(folders) else None

    def file(self, path: str) -> Text | None:
        """Return the file at a path as this session sees it; None when it is not in the index."""
        if path not in self._texts:
            overlay = self._overlays.get(path)
            if overlay is not None:
                self._texts[path] = OpenText(overlay)
            else:
                stored = self.reader.stored(path)
                self._texts[path] = None if stored is None else FileText(self.root, stored)
        return self._texts[path]

    def files(self, paths: Iterable[str]) -> list[Text]:
        """Return the files at some paths, in their order, those left out that are not in the index."""
        wanted = list(paths)
        missing = [path for path in wanted if path not in self._texts and path not in self._overlays]
        for start in range(0, len(missing), _PAGE):
            for stored in self.reader.stored_among(missing[start : start + _PAGE]):
                self._texts[stored.row.path] = FileText(self.root, stored)
        return [text for path in wanted if (text := self.file(path)) is not None]

    def is_shown(self, text: Text) -> bool:
        """Whether the definitions of a text are among this view's; those of a document that the scan would not take are
        its own affair."""
        return text.uri is None or text.path in self._overlays

    def text_of(self, definition: Definition) -> Text | None:
        """Return the text that a definition stands in; None when it has gone meanwhile."""
        if definition.uri is not None:
            return self.document(definition.uri)
        return None if definition.path is None else self.file(definition.path)

    def language(self, path: str) -> str | None:
        """Return the language of a path."""
        overlay = self._overlays.get(path)
        if overlay is not None:
            return overlay.language
        row = self.reader.file(path)
        return None if row is None else row.language

    # --- definitions ---------------------------------------------------------------------------------------------

    def definitions(self, name: str, languages: Collection[str | None] | None = None) -> list[Definition]:
        """Return every definition with exactly this name, in any of its spellings, committed or unsaved; of those
        committed only the ones in `languages`, where these are given."""
        rows = self.reader.symbols_named(name, languages)
        found = [self.from_row(row) for row in rows if row.path not in self._overlays]
        for overlay in self._overlays.values():
            found.extend(definitions_in(OpenText(overlay), named=name))
        return found

    def nearly_named(self, name: str, longest: int) -> set[str]:
        """Return the names, of at most `longest` characters, that hold the letters of another in their order, but for
        one at most; some of them may be defined in no text any more."""
        found = set(self.reader.nearly_named(name, longest))
        for overlay in self._overlays.values():
            names = {symbol.name for symbol in overlay.outline.symbols}
            found.update(each for each in names if len(each) <= longest and holds_nearly(fold(each), fold(name)))
        return found

    def search(
        self, query: str, *, kinds: frozenset[SymbolKind] | None, path_glob: str | None, limit: int
    ) -> tuple[list[Definition], bool]:
        """Return definitions that match a query, best first, and whether there are more than `limit`."""
        matcher = SymbolQuery(query, kinds=kinds, path_glob=path_glob)
        hidden = sum(row.symbols for path in self._overlays if (row := self.reader.file(path)) is not None)
        ranked = [
            (hit.match, hit.uses, self.from_row(hit.row))
            for hit in self.reader.search_symbols(matcher, limit=limit + 1 + hidden)
            if hit.row.path not in self._overlays
        ]
        for path, overlay in self._overlays.items():
            if matcher.accepts_path(path):
                ranked.extend(self._matching(matcher, OpenText(overlay)))
        ranked.sort(key=_search_order)
        return [definition for _, _, definition in ranked[:limit]], len(ranked) > limit

    def _matching(self, matcher: SymbolQuery, text: Text) -> Iterator[tuple[Match, int, Definition]]:
        containers = qualified_containers(text.outline.symbols)
        for ordinal, symbol in enumerate(text.outline.symbols):
            match = matcher.match(symbol.name, containers[ordinal], symbol.kind)
            if match is not None:
                yield match, self.uses(symbol.name)[0], definition_in(text, ordinal, symbol, containers[ordinal])

    def symbols(self, path: str) -> list[Definition]:
        """Return the definitions of one file in source order."""
        text = self.file(path)
        return [] if text is None else definitions_in(text)

    @staticmethod
    def from_row(row: SymbolRow) -> Definition:
        """Return the catalog's row as a definition."""
        path, language, ordinal, name, kind, container, visibility, start, end = row
        return Definition(path, None, language, ordinal, name, kind, container, visibility, start, end)

    # --- references ----------------------------------------------------------------------------------------------

    def referencing(self, name: str, languages: Collection[str | None] | None = None) -> list[str]:
        """Return the paths of the texts that hold a stored reference to the name, in order; of the committed ones only
        those in `languages`, where these are given."""
        paths = {path for path in self.reader.files_referencing(name, languages) if path not in self._overlays}
        paths.update(path for path, overlay in self._overlays.items() if _refers(overlay, name))
        return sorted(paths)

    def mentioning(self, name: str, languages: Collection[str | None] | None = None) -> list[str]:
        """Return the paths of the texts that may hold the name, in any role, in order: those whose full text has its
        terms; of the committed ones only those in `languages`, where these are given."""
        if not terms(name):
            return []
        keyed = keyed_among(languages)
        found = set(self.reader.files_mentioning(terms(name).split(), languages))
        if keyed:  # a name is one term, however its words are told apart
            found.update(self.reader.files_mentioning(terms(name.replace("_", "").lower()).split(), keyed))
        paths = {path for path in found if path not in self._overlays}
        paths.update(
            path for path, each in self._overlays.items() if occurrences(each.text, name.encode(), each.language)
        )
        return sorted(paths)

    def uses(self, name: str) -> tuple[int, int]:
        """Return how often the name is referenced and in how many files, unsaved texts counted as they are now."""
        references, files = self.reader.uses(name)
        more_references, more_files = self._unsaved_uses.get(name, (0, 0))
        return references + more_references, files + more_files

    @cached_property
    def _unsaved_uses(self) -> dict[str, tuple[int, int]]:
        """By how much the open texts change the counts of references and files, by name: a search asks for every name
        of a document, and an outline is only read once for all."""
        changes: dict[str, tuple[int, int]] = {}
        for path, overlay in self._overlays.items():
            stored = self.reader.stored(path)
            before: Mapping[str, int] = {} if stored is None else stored.uses()
            after = overlay.uses
            if before == after:
                continue
            for name in before.keys() | after.keys():
                references, files = changes.get(name, (0, 0))
                references += after.get(name, 0) - before.get(name, 0)
                changes[name] = (references, files + (name in after) - (name in before))
        return changes

    # --- answers -------------------------------------------------------------------------------------------------

    def record(
        self, definition: Definition, *, detail: bool = False, absolute: bool = False, uses: int | None = None
    ) -> SymbolRecord:
        """Return a definition as clients see it, with how often its name is used where that was counted; `detail` adds
        signature, documentation and the whole span."""
        symbol: Symbol | None = None
        span: Span | None = None
        path = definition.path or ""
        text = self.text_of(definition) if detail else None
        if text is not None:
            symbol = text.symbol(definition.ordinal)
        if text is not None and symbol is not None:
            span = text.span(symbol.start, symbol.end)
        return SymbolRecord(
            name=definition.name,
            kind=definition.kind.label,
            path=path,
            line=definition.line + 1,
            container=definition.container,
            signature="" if text is None or symbol is None else text.signature(symbol),
            documentation="" if text is None or symbol is None else text.documentation(symbol),
            visibility=("public", "restricted", "private")[definition.visibility],
            uses=uses,
            name_span=definition.name_span,
            span=span,
            absolute_path=paths.join(self.root, path) if absolute else None,
        )

    @cached_property
    def graph(self) -> Graph:
        """The links between all files, unsaved texts as they are now."""
        return self._graphs.at(self.reader, [self._overlays[path] for path in self.unsaved()])

    def overlays(self) -> Mapping[str, Overlay]:
        """Return the open texts that this view shows, by path."""
        return self._overlays

    def vectors(self, path: str) -> OverlayVectors | None:
        """Return the vectors of those chunks of an open text that the vector table does not have, as far as there are
        any yet."""
        return self._documents[path].vectors

    def open_paths(self) -> list[str]:
        """Return the paths of the documents that this view shows, in order."""
        return sorted(self._overlays)

    def unsaved_texts(self) -> tuple[tuple[str, int], ...]:
        """Return the paths whose unsaved text this view shows with a hash of each text: two views of one generation
        with the same ones show the same."""
        return tuple((path, hash(self._overlays[path].text)) for path in self.unsaved())

    def unsaved(self) -> list[str]:
        """Return the paths whose unsaved text this view shows."""
        return sorted(path for path in self._overlays if self._is_dirty(path, self._documents[path]))

    def _is_dirty(self, path: str, document: Document) -> bool:
        if document.dirty is not None:
            return document.dirty
        row = self.reader.file(path)
        return row is None or hashlib.sha256(document.text).digest() != row.content_hash

    def bindings(self, text: Text) -> list[Binding]:
        """Return what the imports of a text bind, in files of the root."""
        imports = text.imports
        path = text.path
        return self._graphs.bindings(self.reader, path, text.language, imports) if imports and path is not None else []

    def bound_by(self, text: Text, imported: Import) -> list[Binding]:
        """Return what one import binds that a text makes or could make."""
        return [] if text.path is None else self._graphs.bindings(self.reader, text.path, text.language, [imported])

    def scopes(self, text: Text) -> PartialScopes | None:
        """Return the scopes of a text; None where nothing is known of them, or where they would be of no use any more
        by the time that a large text is read: somebody types in it."""
        if text.uri is not None and len(text.text) > _LARGE_TEXT:
            document = self._own.get(text.uri) or self._documents.get(text.path or "")
            if document is not None and document.is_typed_in:
                return None
        return self._graphs.scopes.of(text.text, text.language, lambda: text.outline.symbols)

    @cached_property
    def generation(self) -> int:
        """The generation of the catalog that this view reads."""
        return self.reader.generation()


def definitions_in(text: Text, named: str | None = None) -> list[Definition]:
    """Return the definitions of one text in source order, all or those with one name, in any of its spellings."""
    symbols = text.outline.symbols
    spellings = None if named is None else spellings_of(named, text.language)
    ordinals = [
        ordinal
        for ordinal, symbol in enumerate(symbols)
        if named is None or symbol.name == named or (spellings is not None and spellings.has(symbol.name, symbol.kind))
    ]
    if not ordinals:
        return []
    containers = qualified_containers(symbols)
    return [definition_in(text, ordinal, symbols[ordinal], containers[ordinal]) for ordinal in ordinals]


def _refers(overlay: Overlay, name: str) -> bool:
    """Whether an open text has a stored reference to a name."""
    return bool(overlay.uses.get(name)) or (
        spellings_of(name, overlay.language) is not None and bool(mentions_in(overlay.outline, name).references)
    )


def definition_in(text: Text, ordinal: int, symbol: Symbol, container: str) -> Definition:
    """Return one definition of a text, `container` being the dotted names that it lies in."""
    return Definition(
        path=text.path,
        uri=text.uri,
        language=text.language,
        ordinal=ordinal,
        name=symbol.name,
        kind=symbol.kind,
        container=container,
        visibility=symbol.visibility,
        start=text.lines.position(symbol.name_start),
        end=text.lines.position(symbol.name_end),
    )


def _search_order(found: tuple[Match, int, Definition]) -> tuple[object, ...]:
    """The catalog's own order (`Reader.search_symbols`), for what comes from it and from unsaved texts alike."""
    match, uses, definition = found
    return (match, definition.visibility, -uses, definition.path or "", definition.line)
