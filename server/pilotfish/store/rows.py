"""What parse workers hand to the catalog: pure data, prepared so far that the one writer only has to insert it.

Nothing here touches a database; workers import this module and nothing else of the store.
"""

from __future__ import annotations

import re
import threading
import zlib
from collections import OrderedDict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate
from operator import sub
from typing import Final, Literal, NamedTuple, TypeVar

import msgspec
from msgspec.structs import astuple

from pilotfish.store.matching import clean
from pilotfish.store.postings import MOST_CHUNKS, Postings, postings_of
from pilotfish.syntax.facts import FileFacts
from pilotfish.syntax.outline import (
    Import,
    Outline,
    ReferenceGroup,
    Role,
    Symbol,
    SymbolKind,
    Visibility,
    qualified,
)
from pilotfish.syntax.passages import HASH_BYTES
from pilotfish.syntax.spellings import spellings_of
from pilotfish.syntax.text import LineTable, lines_and_columns

FileStatus = Literal["parsed", "listed", "skipped"]
"""`parsed`: has an outline. `listed`: no grammar for it. `skipped`: a limit was met, `skip_reason` says which."""

_COMPRESSION = 1
"""zlib's level: the higher ones save another tenth of the outline and cost three times the worker's time."""

_TEXT_COMPRESSION = 3

_HASHES = 9
"""The column of `ChunkRows` that has more than one byte a chunk."""

_OPENED_BYTES: Final = 8 << 20
"""Outlines that are kept unpacked may take so much memory."""

_ENDS_IN_FOLDER: Final = re.compile(rb"[./][\x90-\x9f\xdc\xdd]")
"""A module that ends in a dot or slash, as packed (`..`, `../..`): its last name is that of the importer's folder."""

MOST_SYMBOLS = (1 << 20) - 1
"""Definitions of one file that the catalog keeps."""


class ParsedFile(msgspec.Struct):
    """One file as a worker read it.

    `content_hash` is the SHA-256 of its bytes, `size` is in bytes, `mtime_ns` in nanoseconds; `racy` tells that it was
    hashed within two seconds of its last change. `outline` is None where there is none to have. It comes with `rows`
    from `pack`, or, without `rows`, as the plain msgpack of an `Outline`; then the writer packs it itself.

    A file that search by content may find comes with `chunks` from `pack_chunks` and with `text`, its decoded text from
    `pack_text`; others have neither.
    """

    path: str
    content_hash: bytes
    size: int
    mtime_ns: int
    language: str | None = None
    encoding: str = "utf-8"
    status: FileStatus = "parsed"
    skip_reason: str = ""
    outline: bytes | None = None
    line_table: bytes = b""
    racy: bool = False
    rows: bytes = b""
    chunks: bytes = b""
    text: bytes = b""


class Mentions(NamedTuple):
    """What one outline says of one name.

    `references` is the role of each stored reference by its offset, `definitions` are the offsets of the name in its
    definitions.
    """

    references: dict[int, Role]
    definitions: list[int]


class Rows(msgspec.Struct, array_like=True, gc=False):
    """What the catalog's tables say of one outline, column by column, in the order of its symbols.

    `places` holds three numbers a symbol: line, column and width of the name in bytes, width -1 where `wide` has all
    eight numbers of its start and end instead. `container_of` points into `containers`, -1 at the top of the file.
    `uses` counts the references to each name; `tokens` are those names as the full-text index takes them.
    """

    names: Sequence[str]
    kinds: bytes
    visibilities: bytes
    containers: list[str]
    container_of: list[int]
    places: list[int]
    wide: dict[int, list[int]]
    uses: dict[str, int]
    tokens: str
    has_errors: bool = False


class ChunkRows(msgspec.Struct, array_like=True, gc=False):
    """What the catalog's tables say of the chunks of one file, column by column, in the order of the text.

    `starts` and `ends` are byte offsets into the text in UTF-8, half-open; lines are 1-based and inclusive. `kinds` are
    `SymbolKind`s, 0 for a chunk that is about no definition; `names` and `scopes` are the name of that definition and
    the dotted names around it, `defined` the names of all definitions in the chunk, joined by spaces. `hashes` holds
    `passages.hash_of` each passage. `bodies` and `titles` are the shadow terms (`syntax.terms`) of its text
    and of the names that it defines or lies in, parted by spaces.
    """

    starts: list[int]
    ends: list[int]
    first_lines: list[int]
    last_lines: list[int]
    node_types: list[str]
    kinds: bytes
    names: list[str]
    scopes: list[str]
    defined: list[str]
    hashes: bytes
    bodies: list[str]
    titles: list[str]


class PackedChunks(msgspec.Struct, array_like=True, gc=False):
    """The same as the writer takes it, with `postings.Postings` instead of the terms of each chunk."""

    starts: list[int]
    ends: list[int]
    first_lines: list[int]
    last_lines: list[int]
    node_types: list[str]
    kinds: bytes
    names: list[str]
    scopes: list[str]
    defined: list[str]
    hashes: bytes
    postings: Postings


class _SymbolColumnsOnly(msgspec.Struct, array_like=True, gc=False):
    """How a packed outline begins: with the definitions. What follows is passed over when it is read as this.

    `starts` are distances from the last symbol's start, `lengths` span the definition, `name_starts` count from its
    start, `name_lengths` span the name. `containers`, `heads`, `leads`, `prose` and `languages` are empty where no
    symbol has any.
    """

    language: str
    names: Sequence[str]
    kinds: bytes
    parents: Sequence[int]
    starts: list[int]
    lengths: list[int]
    name_starts: list[int]
    name_lengths: list[int]
    visibilities: bytes
    containers: Sequence[str]
    heads: Sequence[int]
    bodies: Sequence[int]
    leads: Sequence[str]
    prose: Sequence[int]
    languages: Sequence[str]


class _PackedOutline(_SymbolColumnsOnly, array_like=True, gc=False):
    """An outline column by column, places as distances: half as large when compressed as symbol by symbol.

    `distances` holds the offsets of all references: the first of each group from the first of the last group, the
    others from the one before.
    """

    references: list[str]
    roles: bytes
    counts: list[int]
    distances: list[int]
    imports: list[Import]
    exports: list[str]
    has_errors: bool


class _Undecoded(msgspec.Struct, array_like=True, gc=False):
    """The columns of `_PackedOutline` as they lie there: who asks for one name in a thousand files cannot wait for the
    signatures of all their definitions to become texts."""

    language: msgspec.Raw
    names: msgspec.Raw
    kinds: bytes
    parents: msgspec.Raw
    starts: msgspec.Raw
    lengths: msgspec.Raw
    name_starts: msgspec.Raw
    name_lengths: msgspec.Raw
    visibilities: bytes
    containers: msgspec.Raw
    heads: msgspec.Raw
    bodies: msgspec.Raw
    leads: msgspec.Raw
    prose: msgspec.Raw
    languages: msgspec.Raw
    references: msgspec.Raw
    roles: bytes
    counts: msgspec.Raw
    distances: msgspec.Raw
    imports: msgspec.Raw
    exports: msgspec.Raw
    has_errors: bool


DAMAGED = (zlib.error, ValueError, LookupError)
"""What reading a damaged outline or line table raises (msgspec's errors are among them)."""

_outlines = msgspec.msgpack.Decoder(Outline)
# An enumeration called with a number costs more than all else that is done for a symbol.
_KINDS = {kind.value: kind for kind in SymbolKind}
_VISIBILITIES = {visibility.value: visibility for visibility in Visibility}
_ROLES = {role.value: role for role in Role}

_packed_outlines = msgspec.msgpack.Decoder(_PackedOutline)
_packed_symbols = msgspec.msgpack.Decoder(_SymbolColumnsOnly)
_undecoded = msgspec.msgpack.Decoder(_Undecoded)
_text = msgspec.msgpack.Decoder(str)
_texts = msgspec.msgpack.Decoder(list[str])
_numbers = msgspec.msgpack.Decoder(list[int])
_imports = msgspec.msgpack.Decoder(list[Import])
_rows = msgspec.msgpack.Decoder(Rows)
_packed_chunks = msgspec.msgpack.Decoder(PackedChunks)
_encoder = msgspec.msgpack.Encoder()

_T = TypeVar("_T", int, str)


def pack(outline: Outline, text: bytes) -> tuple[bytes, bytes]:
    """Return `ParsedFile.outline` and `ParsedFile.rows` of the outline of `text`. It is for workers to call."""
    symbols = _columns_of(outline.symbols)
    few = symbols if len(outline.symbols) <= MOST_SYMBOLS else _columns_of(outline.symbols[:MOST_SYMBOLS])
    return _packed_outline(outline, symbols), _encoder.encode(_rows_in(outline, few, text))


def pack_chunks(chunks: ChunkRows) -> bytes:
    """Return `ParsedFile.chunks`, at most `MOST_CHUNKS` of them. It is for workers to call."""
    columns = [column[:MOST_CHUNKS] for column in astuple(chunks)]
    columns[_HASHES] = chunks.hashes[: HASH_BYTES * MOST_CHUNKS]
    bodies, titles = columns[-2:]
    return _encoder.encode((*columns[:-2], postings_of(bodies, titles)))


def unpack_chunks(packed: bytes) -> PackedChunks:
    """Return what `pack_chunks` packed."""
    return _packed_chunks.decode(packed)


def pack_text(text: bytes) -> bytes:
    """Return `ParsedFile.text` of a text in UTF-8. It is for workers to call."""
    return zlib.compress(text, _TEXT_COMPRESSION)


def unpack_text(packed: bytes) -> bytes:
    """Return the text that `pack_text` packed. Raises one of `DAMAGED` where it cannot."""
    return zlib.decompress(packed)


def unpack_outline(packed: bytes) -> Outline:
    """Return the outline that `pack` packed. Raises one of `DAMAGED` where it cannot."""
    columns = _packed_outlines.decode(zlib.decompress(packed))
    return Outline(
        language=columns.language,
        symbols=list(_symbols(columns)),
        references=list(_references(columns)),
        imports=columns.imports,
        exports=columns.exports,
        has_errors=columns.has_errors,
    )


class PackedSymbols:
    """The definitions of a packed outline, each made when it is asked for."""

    def __init__(self, packed: bytes) -> None:
        """Raises one of `DAMAGED` where the outline cannot be read."""
        self._columns = _packed_symbols.decode(zlib.decompress(packed))
        self._starts = list(accumulate(self._columns.starts))

    @property
    def starts(self) -> Sequence[int]:
        """Where each begins, in bytes of UTF-8, ascending."""
        return self._starts

    @property
    def kinds(self) -> Sequence[int]:
        """The `SymbolKind` of each."""
        return self._columns.kinds

    @property
    def containers(self) -> Sequence[str]:
        """`Symbol.container` of each; none at all where all are empty."""
        return self._columns.containers

    @property
    def names(self) -> Sequence[str]:
        """The name of each, in the outline's order."""
        return self._columns.names

    @property
    def parents(self) -> Sequence[int]:
        """Which definition each lies in; -1 at the top."""
        return self._columns.parents

    def symbol(self, ordinal: int) -> Symbol:
        """Return one of them."""
        return _symbol(self._columns, ordinal, self._starts[ordinal])


def unpack_mentions(packed: bytes, name: str) -> Mentions:
    """Return what a packed outline says of a name, in any of its spellings, decoding little else. Raises one of
    `DAMAGED` where it cannot."""
    columns = _columns_in(packed)
    if spellings_of(name, _text.decode(columns.language)) is not None:
        return mentions_in(unpack_outline(packed), name)
    return Mentions(references=_references_to(columns, name), definitions=_definitions_of(columns, name))


def unpack_imports(packed: bytes) -> list[Import]:
    """Return the imports of a packed outline. Raises one of `DAMAGED` where it cannot."""
    return _imports.decode(_columns_in(packed).imports)


def may_import(packed: bytes, words: Collection[bytes]) -> bool:
    """Whether a packed outline may import one of some modules, given by the words that such a name can end in. It costs
    less than to unpack the imports. Raises one of `DAMAGED` where it cannot."""
    imports = bytes(_columns_in(packed).imports)
    return any(word in imports for word in words) or _ENDS_IN_FOLDER.search(imports) is not None


class _Opened:
    """The packed outlines that were taken apart last, as far as they fit into so many bytes: one question about a name
    looks at those of hundreds of files, several times, and the next one often at the same."""

    def __init__(self, most_bytes: int) -> None:
        self._most_bytes = most_bytes
        self._bytes = 0
        self._lock = threading.Lock()
        self._kept: OrderedDict[bytes, tuple[_Undecoded, int]] = OrderedDict()

    def __call__(self, packed: bytes) -> _Undecoded:
        """Take a packed outline apart. Raises one of `DAMAGED` where it cannot."""
        with self._lock:
            if (known := self._kept.get(packed)) is not None:
                self._kept.move_to_end(packed)
                return known[0]
        plain = zlib.decompress(packed)
        columns = _undecoded.decode(plain)
        with self._lock:
            if packed not in self._kept:
                self._kept[packed] = columns, len(packed) + len(plain)
                self._bytes += len(packed) + len(plain)
            while self._bytes > self._most_bytes:
                _, (_, size) = self._kept.popitem(last=False)
                self._bytes -= size
        return columns


_columns_in: Final = _Opened(_OPENED_BYTES)


def mentions_in(outline: Outline, name: str) -> Mentions:
    """Return what an outline says of a name, in any of its spellings."""
    spellings = spellings_of(name, outline.language)
    groups = (
        (each for each in outline.references if each.name == name)
        if spellings is None
        else (each for each in outline.references if spellings.is_referred_to(each.name, each.role))
    )
    return Mentions(
        references={offset: group.role for group in groups for offset in group.offsets},
        definitions=[
            symbol.name_start
            for symbol in outline.symbols
            if symbol.name == name or (spellings is not None and spellings.has(symbol.name, symbol.kind))
        ],
    )


def unpack_symbol(packed: bytes, ordinal: int) -> Symbol | None:
    """Return one definition of a packed outline; None beyond the last. Raises one of `DAMAGED` where it cannot."""
    columns = _columns_in(packed)
    if ordinal >= len(columns.kinds):
        return None
    start = sum(_numbers.decode(columns.starts)[: ordinal + 1])
    name_start = start + _numbers.decode(columns.name_starts)[ordinal]
    return Symbol(
        name=_texts.decode(columns.names)[ordinal],
        kind=_KINDS[columns.kinds[ordinal]],
        parent=_numbers.decode(columns.parents)[ordinal],
        start=start,
        end=start + _numbers.decode(columns.lengths)[ordinal],
        name_start=name_start,
        name_end=name_start + _numbers.decode(columns.name_lengths)[ordinal],
        visibility=_VISIBILITIES[columns.visibilities[ordinal]],
        container=_at(_texts.decode(columns.containers), ordinal, ""),
        head=_at(_numbers.decode(columns.heads), ordinal, 0),
        body=_numbers.decode(columns.bodies)[ordinal],
        lead=_at(_texts.decode(columns.leads), ordinal, ""),
        prose=_at(_numbers.decode(columns.prose), ordinal, 0),
        language=_at(_texts.decode(columns.languages), ordinal, ""),
    )


def _at(column: list[_T], ordinal: int, void: _T) -> _T:
    """Return one field of a column that may have been left out."""
    return column[ordinal] if column else void


def unpack_facts(path: str, packed: bytes) -> FileFacts:
    """Return what a packed outline says to the graph of files. Raises one of `DAMAGED` where it cannot."""
    columns = _undecoded.decode(zlib.decompress(packed))
    return FileFacts(
        path=path,
        language=_text.decode(columns.language),
        names=_texts.decode(columns.names),
        kinds=columns.kinds,
        parents=_numbers.decode(columns.parents),
        visibilities=columns.visibilities,
        referenced=_texts.decode(columns.references),
        roles=columns.roles,
        counts=_numbers.decode(columns.counts),
        imports=bytes(columns.imports),
    )


@lru_cache(maxsize=64)
def unpack_uses(packed: bytes) -> Mapping[str, int]:
    """Count the references of a packed outline by name. Raises one of `DAMAGED` where it cannot.

    The last ones are kept: they are those of the open documents, and every search and hover asks for them.
    """
    columns = _undecoded.decode(zlib.decompress(packed))
    uses: dict[str, int] = {}
    for name, count in zip(_texts.decode(columns.references), _numbers.decode(columns.counts), strict=True):
        uses[name] = uses.get(name, 0) + count
    return uses


def _references_to(columns: _Undecoded, name: str) -> dict[int, Role]:
    if name.encode() not in bytes(columns.references):  # spares their names from becoming texts
        return {}
    names = _texts.decode(columns.references)
    starts = list(accumulate(_numbers.decode(columns.counts), initial=0))
    distances = _numbers.decode(columns.distances)
    found: dict[int, Role] = {}
    group = -1
    for _ in range(names.count(name)):
        group = names.index(name, group + 1)
        first = sum(map(distances.__getitem__, starts[: group + 1]))
        rest = distances[starts[group] + 1 : starts[group + 1]]
        found.update(dict.fromkeys(accumulate(rest, initial=first), _ROLES[columns.roles[group]]))
    return found


def _definitions_of(columns: _Undecoded, name: str) -> list[int]:
    if name.encode() not in bytes(columns.names):  # as in most files
        return []
    names = _texts.decode(columns.names)
    starts, name_starts = accumulate(_numbers.decode(columns.starts)), _numbers.decode(columns.name_starts)
    places = zip(names, starts, name_starts, strict=True)
    return [start + name_start for each, start, name_start in places if each == name]


def pack_outline(outline: Outline) -> bytes:
    """Return an outline as the catalog keeps it."""
    return _packed_outline(outline, _columns_of(outline.symbols))


def _packed_outline(outline: Outline, symbols: _SymbolColumns) -> bytes:
    references = [group for group in outline.references if group.offsets]
    distances: list[int] = []
    last = 0
    for group in references:
        offsets = group.offsets
        distances.append(offsets[0] - last)
        last = offsets[0]
        if len(offsets) > 1:
            distances.extend(map(sub, offsets[1:], offsets))
    columns = _PackedOutline(
        language=outline.language,
        names=symbols.name,
        kinds=bytes(symbols.kind),
        parents=symbols.parent,
        starts=list(map(sub, symbols.start, (0, *symbols.start))),
        lengths=list(map(sub, symbols.end, symbols.start)),
        name_starts=list(map(sub, symbols.name_start, symbols.start)),
        name_lengths=list(map(sub, symbols.name_end, symbols.name_start)),
        visibilities=bytes(symbols.visibility),
        containers=_unless_void(symbols.container),
        heads=_unless_void(symbols.head),
        bodies=symbols.body,
        leads=_unless_void(symbols.lead),
        prose=_unless_void(symbols.prose),
        languages=_unless_void(symbols.language),
        references=[group.name for group in references],
        roles=bytes([group.role for group in references]),
        counts=[len(group.offsets) for group in references],
        distances=distances,
        imports=outline.imports,
        exports=outline.exports,
        has_errors=outline.has_errors,
    )
    return zlib.compress(_encoder.encode(columns), _COMPRESSION)


def _unless_void(column: tuple[_T, ...]) -> tuple[_T, ...]:
    """Return a column of which most files need nothing; empty where this one does not."""
    return column if any(column) else ()


class _SymbolColumns(NamedTuple):
    """The fields of `Symbol`, each for all symbols of an outline."""

    name: tuple[str, ...]
    kind: tuple[int, ...]
    parent: tuple[int, ...]
    start: tuple[int, ...]
    end: tuple[int, ...]
    name_start: tuple[int, ...]
    name_end: tuple[int, ...]
    visibility: tuple[int, ...]
    container: tuple[str, ...]
    head: tuple[int, ...]
    body: tuple[int, ...]
    lead: tuple[str, ...]
    prose: tuple[int, ...]
    language: tuple[str, ...]


_NONE = _SymbolColumns(*((),) * len(_SymbolColumns._fields))


def _columns_of(symbols: Sequence[Symbol]) -> _SymbolColumns:
    return _SymbolColumns._make(zip(*map(astuple, symbols), strict=True)) if symbols else _NONE


def _symbols(columns: _PackedOutline) -> Iterator[Symbol]:
    for ordinal, start in enumerate(accumulate(columns.starts)):
        yield _symbol(columns, ordinal, start)


def _symbol(columns: _SymbolColumnsOnly, ordinal: int, start: int) -> Symbol:
    name_start = start + columns.name_starts[ordinal]
    return Symbol(
        name=columns.names[ordinal],
        kind=_KINDS[columns.kinds[ordinal]],
        parent=columns.parents[ordinal],
        start=start,
        end=start + columns.lengths[ordinal],
        name_start=name_start,
        name_end=name_start + columns.name_lengths[ordinal],
        visibility=_VISIBILITIES[columns.visibilities[ordinal]],
        container=columns.containers[ordinal] if columns.containers else "",
        head=columns.heads[ordinal] if columns.heads else 0,
        body=columns.bodies[ordinal],
        lead=columns.leads[ordinal] if columns.leads else "",
        prose=columns.prose[ordinal] if columns.prose else 0,
        language=columns.languages[ordinal] if columns.languages else "",
    )


def _references(columns: _PackedOutline) -> Iterator[ReferenceGroup]:
    place = last = 0
    for name, role, count in zip(columns.references, columns.roles, columns.counts, strict=True):
        offsets = list(accumulate(columns.distances[place : place + count], initial=last))[1:]
        yield ReferenceGroup(name, _ROLES[role], offsets)
        place, last = place + count, offsets[0]


def unpack_rows(packed: bytes) -> Rows:
    """Return the rows that `pack` packed."""
    return _rows.decode(packed)


def packed(file: ParsedFile) -> tuple[bytes, Rows] | None:
    """Return the packed outline and the rows of a file, packing them where its worker did not; None without outline."""
    if file.outline is None:
        return None
    if file.rows:
        return file.outline, unpack_rows(file.rows)
    outline = _outlines.decode(file.outline)
    rows = rows_of(outline, LineTable.from_bytes(file.line_table))
    return pack_outline(outline), rows


def rows_of(outline: Outline, lines: LineTable | None) -> Rows:
    """Derive the catalog's rows from an outline and the line table of its text; without `lines` the places are left
    out, which is enough to take a file's rows away again."""
    columns = _columns_of(outline.symbols[:MOST_SYMBOLS])
    if lines is None:
        return _rows_of(outline, columns, [], {})
    starts = lines.positions(columns.name_start)
    wide = _wide(columns, [column.utf8 != column.utf16 for column in starts], lines)
    return _rows_of(outline, columns, _places(columns, [(line, utf8) for line, utf8, _, _ in starts], wide), wide)


def _rows_in(outline: Outline, columns: _SymbolColumns, text: bytes) -> Rows:
    """Derive the same from the text itself."""
    starts = lines_and_columns(text, columns.name_start)
    wide: dict[int, list[int]] = {}
    if not text.isascii():
        places = zip(columns.name_start, starts, strict=True)
        is_wide = [not text[offset - column : offset].isascii() for offset, (_, column) in places]
        wide = _wide(columns, is_wide, LineTable.from_text(text))
    return _rows_of(outline, columns, _places(columns, starts, wide), wide)


def _wide(columns: _SymbolColumns, is_wide: list[bool], lines: LineTable) -> dict[int, list[int]]:
    """Return start and end of the names whose columns, in one encoding or another, the start in bytes does not tell."""
    names = zip(columns.name, columns.name_start, columns.name_end, strict=True)
    return {
        ordinal: [*lines.position(start), *lines.position(end)]
        for ordinal, (wide, (name, start, end)) in enumerate(zip(is_wide, names, strict=True))
        if wide or end - start != len(name) or not name.isascii()
    }


def _places(columns: _SymbolColumns, starts: list[tuple[int, int]], wide: dict[int, list[int]]) -> list[int]:
    places = [0] * (3 * len(starts))
    places[0::3] = [line for line, _ in starts]
    places[1::3] = [column for _, column in starts]
    places[2::3] = map(sub, columns.name_end, columns.name_start)
    for ordinal in wide:
        places[3 * ordinal + 2] = -1
    return places


def _rows_of(outline: Outline, columns: _SymbolColumns, places: list[int], wide: dict[int, list[int]]) -> Rows:
    containers: dict[str, int] = {"": -1}
    owners = qualified(columns.name, columns.parent, columns.container)
    container_of = [containers.setdefault(owner, len(containers) - 1) for owner in _cleaned(owners)]
    uses = uses_of(outline)
    return Rows(
        names=_cleaned(columns.name),
        kinds=bytes(columns.kind),
        visibilities=bytes(columns.visibility),
        containers=list(containers)[1:],
        container_of=container_of,
        places=places,
        wide=wide,
        uses=uses,
        tokens=tokens_of(uses),
        has_errors=outline.has_errors,
    )


def file_rows(name: str) -> Rows:
    """Return the rows of a file without outline: it is found by its own name, as a symbol of kind `FILE`."""
    return Rows([name], bytes((SymbolKind.FILE,)), b"\0", [], [-1], [0, 0, 0], {}, {}, "")


def uses_of(outline: Outline) -> dict[str, int]:
    """Count the stored references to each name."""
    groups = outline.references
    uses: dict[str, int] = {}
    for name, group in zip(_cleaned([group.name for group in groups]), groups, strict=True):
        if count := len(group.offsets):
            uses[name] = uses.get(name, 0) + count
    return uses


def _cleaned(names: Sequence[str]) -> Sequence[str]:
    return [clean(name) for name in names] if "\0" in "".join(names) else names


def tokens_of(names: Iterable[str]) -> str:
    """Return the words that the full-text index of references takes for these names."""
    return " ".join([token(name) for name in names])


@lru_cache(maxsize=50_000)
def token(name: str) -> str:
    """Return a name as one word of the index: another word for every other name.

    SQLite's `ascii` tokenizer folds A-Z and splits at punctuation. So upper case is told apart by a bit mask behind a
    hyphen, and whatever is no ASCII identifier is spelled in hexadecimal.
    """
    folded = name.lower()
    if not (name.isascii() and name.isidentifier()):
        return "--" + name.encode("utf-8", "surrogatepass").hex()
    if folded == name:
        return name
    mask = int("".join(["01"[a != b] for a, b in zip(name, folded, strict=True)]), 2)
    return f"{folded}-{mask:x}"


def tokens_in_any_case(names: Iterable[str]) -> str:
    """Return what asks the full-text index for names in lower case, however their letters are written; those that are
    no ASCII identifiers only as they are."""
    asked = (f'"{name}" OR "{name}-" *' if token(name) == name else f'"{token(name)}"' for name in names)
    return " OR ".join(asked)
