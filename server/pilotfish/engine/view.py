"""What one session sees: the committed catalog with the open documents laid over it.

A view is made for one request and read in one thread. Everything that a handler may ask goes through it, so that no
handler can forget an unsaved text or answer with a row of a file that is open in another version.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from pilotfish.engine.addresses import path_of_uri, read_file
from pilotfish.engine.sessions import Document
from pilotfish.graph.links import Candidate
from pilotfish.operations.answer import Position, Span
from pilotfish.operations.symbols import SymbolRecord
from pilotfish.store.catalog import Reader, SymbolRow
from pilotfish.store.matching import Match, SymbolQuery
from pilotfish.syntax.outline import Outline, Role, Symbol, SymbolKind, Visibility, qualified_containers
from pilotfish.syntax.text import LineTable, decode
from pilotfish.workspace import paths


@dataclass(frozen=True, slots=True)
class Text:
    """One file or document at one moment: its text with the outline and line table made from exactly that text.

    `uri` is set for open documents; `path` is None for those that have no place in the root.
    """

    path: str | None
    uri: str | None
    language: str | None
    text: bytes
    outline: Outline
    lines: LineTable

    def span(self, start: int, end: int) -> Span:
        """Return the stretch between two byte offsets as lines and columns."""
        return Span(Position(*self.lines.position(start)), Position(*self.lines.position(end)))

    def line_text(self, offset: int, limit: int = 200) -> str:
        """Return the source line that holds `offset`, trimmed, at most `limit` characters."""
        start, end = self.lines.line_bounds(self.lines.line_of(offset))
        return self.text[start:end].decode("utf-8", "replace").strip()[:limit]


@dataclass(frozen=True, slots=True)
class Definition:
    """A symbol with the file it stands in."""

    path: str | None
    uri: str | None
    language: str | None
    ordinal: int
    name: str
    kind: SymbolKind
    container: str
    visibility: Visibility
    name_span: Span

    def candidate(self) -> Candidate:
        """Return what ranking needs of it."""
        return Candidate(
            path=self.path or self.uri or "",
            language=self.language,
            ordinal=self.ordinal,
            kind=self.kind,
            container=self.container,
            visibility=self.visibility,
            line=self.name_span.start.line,
        )


class View:
    """The catalog at one generation with a session's open documents over it."""

    def __init__(
        self, root: str, reader: Reader, documents: Mapping[str, Document], own: Mapping[str, Document]
    ) -> None:
        """Lay `documents` (by path, as this session sees them) and its `own` (by URI) over `reader`."""
        self.root = root
        self.reader = reader
        self._own = own
        self._overlays = {
            path: document for path, document in documents.items() if document.accepted and document.overlay is not None
        }
        self._texts: dict[str, Text | None] = {}

    # --- texts ---------------------------------------------------------------------------------------------------

    def document(self, uri: str) -> Text | None:
        """Return the text behind a URI: the open document, else the file of the root; None when there is neither."""
        document = self._own.get(uri)
        if document is not None:
            return None if document.overlay is None else self._open_text(document)
        path = path_of_uri(self.root, uri)
        return None if path is None else self.file(path)

    def file(self, path: str) -> Text | None:
        """Return the file at a path as this session sees it; None when it is not in the index or its text has changed
        since, so that no offset is ever applied to another text."""
        if path not in self._texts:
            self._texts[path] = self._load(path)
        return self._texts[path]

    def outline(self, path: str) -> Outline | None:
        """Return the outline of a path without reading its text."""
        document = self._overlays.get(path)
        if document is not None and document.overlay is not None:
            return document.overlay.outline
        return self.reader.outline(path)

    def lines(self, path: str) -> LineTable | None:
        """Return the line table of a path without reading its text."""
        document = self._overlays.get(path)
        if document is not None and document.overlay is not None:
            return document.overlay.lines
        return self.reader.line_table(path)

    def language(self, path: str) -> str | None:
        """Return the language of a path."""
        document = self._overlays.get(path)
        if document is not None:
            return document.language
        row = self.reader.file(path)
        return None if row is None else row.language

    @staticmethod
    def _open_text(document: Document) -> Text | None:
        overlay = document.overlay
        if overlay is None:
            return None
        return Text(document.path, document.uri, overlay.language, overlay.text, overlay.outline, overlay.lines)

    def _load(self, path: str) -> Text | None:
        document = self._overlays.get(path)
        if document is not None:
            return self._open_text(document)
        row = self.reader.file(path)
        outline, lines = self.reader.outline(path), self.reader.line_table(path)
        if row is None or outline is None or lines is None:
            return None
        data = read_file(self.root, path, row.size + 1)
        if data is None or hashlib.sha256(data).digest() != row.content_hash:
            return None
        return Text(path, None, row.language, decode(data).text, outline, lines)

    # --- definitions ---------------------------------------------------------------------------------------------

    def definitions(self, name: str) -> list[Definition]:
        """Return every definition with exactly this name, committed or unsaved."""
        found = [self.from_row(row) for row in self.reader.symbols_named(name) if row.path not in self._overlays]
        for path, document in self._overlays.items():
            found.extend(
                definition for definition in self._overlay_definitions(path, document) if definition.name == name
            )
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
        for path, document in self._overlays.items():
            if matcher.accepts_path(path):
                ranked.extend(self._matching(matcher, path, document))
        ranked.sort(key=_search_order)
        return [definition for _, _, definition in ranked[:limit]], len(ranked) > limit

    def _matching(self, matcher: SymbolQuery, path: str, document: Document) -> Iterator[tuple[Match, int, Definition]]:
        for definition in self._overlay_definitions(path, document):
            match = matcher.match(definition.name, definition.container, definition.kind)
            if match is not None:
                yield match, self.uses(definition.name)[0], definition

    def symbols(self, path: str) -> list[Definition]:
        """Return the definitions of one file in source order."""
        document = self._overlays.get(path)
        if document is not None:
            return list(self._overlay_definitions(path, document))
        outline, lines, row = self.reader.outline(path), self.reader.line_table(path), self.reader.file(path)
        if outline is None or lines is None or row is None:
            return []
        return list(definitions_of(outline, lines, path, None, row.language))

    def _overlay_definitions(self, path: str, document: Document) -> Iterator[Definition]:
        overlay = document.overlay
        if overlay is not None:
            yield from definitions_of(overlay.outline, overlay.lines, path, document.uri, overlay.language)

    @staticmethod
    def from_row(row: SymbolRow) -> Definition:
        """Return the catalog's row as a definition."""
        return Definition(
            path=row.path,
            uri=None,
            language=row.language,
            ordinal=row.ordinal,
            name=row.name,
            kind=row.kind,
            container=row.container,
            visibility=row.visibility,
            name_span=Span(Position(*row.name_start), Position(*row.name_end)),
        )

    # --- references ----------------------------------------------------------------------------------------------

    def referencing(self, name: str) -> list[str]:
        """Return the paths that hold a stored reference to the name, ascending."""
        found = {path for path in self.reader.files_referencing(name) if path not in self._overlays}
        for path, document in self._overlays.items():
            if document.overlay is not None and any(
                group.name == name for group in document.overlay.outline.references
            ):
                found.add(path)
        return sorted(found)

    def uses(self, name: str) -> tuple[int, int]:
        """Return how often the name is referenced and in how many files, unsaved texts counted as they are now."""
        references, files = self.reader.uses(name)
        more_references, more_files = self._unsaved_uses.get(name, (0, 0))
        references, files = references + more_references, files + more_files
        return references, files

    @cached_property
    def _unsaved_uses(self) -> dict[str, tuple[int, int]]:
        """By how much the open texts change the counts of references and files, by name: a search asks for every name
        of a document, and an outline is only read once for all."""
        changes: dict[str, tuple[int, int]] = {}
        for path, document in self._overlays.items():
            before = _occurrences(self.reader.outline(path))
            after = _occurrences(document.overlay.outline if document.overlay is not None else None)
            for name in before.keys() | after.keys():
                references, files = changes.get(name, (0, 0))
                references += after[name] - before[name]
                changes[name] = (references, files + (after[name] > 0) - (before[name] > 0))
        return changes

    # --- answers -------------------------------------------------------------------------------------------------

    def record(
        self, definition: Definition, *, detail: bool = False, absolute: bool = False, uses: bool = False
    ) -> SymbolRecord:
        """Return a definition as clients see it; `detail` adds signature, documentation and the whole span."""
        symbol: Symbol | None = None
        span: Span | None = None
        path = definition.path or ""
        if detail:
            outline, lines = self.outline(path), self.lines(path)
            if outline is not None and lines is not None and definition.ordinal < len(outline.symbols):
                symbol = outline.symbols[definition.ordinal]
                span = Span(Position(*lines.position(symbol.start)), Position(*lines.position(symbol.end)))
        return SymbolRecord(
            name=definition.name,
            kind=definition.kind.label,
            path=path,
            line=definition.name_span.start.line + 1,
            container=definition.container,
            signature="" if symbol is None else symbol.signature,
            documentation="" if symbol is None else symbol.documentation,
            visibility=("public", "restricted", "private")[definition.visibility],
            uses=self.uses(definition.name)[0] if uses else None,
            name_span=definition.name_span,
            span=span,
            absolute_path=paths.join(self.root, path) if absolute else None,
        )

    def unsaved(self) -> list[str]:
        """Return the paths whose unsaved text this view shows."""
        return sorted(path for path, document in self._overlays.items() if self._is_dirty(path, document))

    def _is_dirty(self, path: str, document: Document) -> bool:
        if document.dirty is not None:
            return document.dirty
        row = self.reader.file(path)
        return row is None or hashlib.sha256(document.text).digest() != row.content_hash

    @cached_property
    def generation(self) -> int:
        """The generation of the catalog that this view reads."""
        return self.reader.generation()


def definitions_of(
    outline: Outline, lines: LineTable, path: str | None, uri: str | None, language: str | None
) -> Iterator[Definition]:
    """Yield the definitions of one outline in source order."""
    containers = qualified_containers(outline.symbols)
    for ordinal, symbol in enumerate(outline.symbols):
        yield Definition(
            path=path,
            uri=uri,
            language=language,
            ordinal=ordinal,
            name=symbol.name,
            kind=symbol.kind,
            container=containers[ordinal],
            visibility=symbol.visibility,
            name_span=Span(Position(*lines.position(symbol.name_start)), Position(*lines.position(symbol.name_end))),
        )


def _occurrences(outline: Outline | None) -> Counter[str]:
    """Count the stored references in one outline by name."""
    counts: Counter[str] = Counter()
    for group in outline.references if outline is not None else ():
        counts[group.name] += len(group.offsets)
    return counts


def references_of(outline: Outline, name: str) -> dict[int, Role]:
    """Return the stored references to a name in one outline: role by offset."""
    return {offset: group.role for group in outline.references if group.name == name for offset in group.offsets}


def _search_order(found: tuple[Match, int, Definition]) -> tuple[object, ...]:
    """The catalog's own order (`Reader.search_symbols`), for what comes from it and from unsaved texts alike."""
    match, uses, definition = found
    return (match, definition.visibility, -uses, definition.path or "", definition.name_span.start.line)
