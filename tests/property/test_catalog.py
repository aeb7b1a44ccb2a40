"""Whatever happened to the files, the catalog holds what a fresh one of the same files holds; and search finds what the
rule of `matching` says, no more and no less."""

from __future__ import annotations

import hashlib
import math
import tempfile
from collections import Counter
from itertools import accumulate
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st

from pilotfish.graph.links import ModuleIndex
from pilotfish.store import search
from pilotfish.store.catalog import Batch, Catalog, Move, ParsedFile, Reader
from pilotfish.store.chunks import ChunkFilter
from pilotfish.store.matching import NamePattern, SymbolQuery, hump_key
from pilotfish.store.postings import LENGTHS
from pilotfish.store.rows import (
    ChunkRows,
    PackedSymbols,
    may_import,
    mentions_in,
    pack,
    pack_chunks,
    pack_outline,
    pack_text,
    unpack_mentions,
    unpack_outline,
    unpack_symbol,
    unpack_uses,
)
from pilotfish.syntax.outline import (
    Import,
    ImportedName,
    Outline,
    OutlineSymbols,
    ReferenceGroup,
    Role,
    Symbol,
    SymbolKind,
    Visibility,
    qualified_container,
    qualified_containers,
)
from pilotfish.syntax.passages import hash_of
from pilotfish.syntax.subwords import words
from pilotfish.syntax.terms import terms
from pilotfish.syntax.text import LineTable

PATHS = ["a.py", "b.py", "A.py", "d/a.py", "d/b.py", "d/e/a.py", "dd.py", "é/ß.md"]
FOLDERS = ["d", "d/e", "é"]
NAMES = [
    *["Engine", "engine", "ENGINE", "getUserName", "get_user_name", "getURL2", "HTTPServer", "x", "xy", "_private"],
    *[
        "ß",
        "SS",
        "É",
        "é",
        "Überbau",
        "имяФайла",
        "名前",
        "a b",
        "a.b",
        '"',
        "''",
        "*",
        "--7a",
        "a-1",
        "a-",
        "operator==",
    ],
    *["engineRoom" * 20, "engineRoom" * 20 + "s", "\U0010ffff", "\ud7ff", "\0nul", "\u0130"],
]

name = st.sampled_from(NAMES)


@st.composite
def outlines(draw: st.DrawFn) -> tuple[bytes, Outline]:
    """Return a text of names, one a line, and an outline with all of them as definitions."""
    names = draw(st.lists(name, max_size=6))
    text, symbols = b"", []
    for ordinal, each in enumerate(names):
        start = len(text)
        encoded = each.encode()
        text += "é ".encode() * draw(st.integers(0, 1)) + encoded + draw(st.sampled_from([b"\n", b"\r\n", b" "]))
        place = text.index(encoded, start)
        symbols.append(
            Symbol(
                name=each,
                kind=draw(st.sampled_from([SymbolKind.CLASS, SymbolKind.METHOD, SymbolKind.KEY])),
                parent=draw(st.integers(-1, ordinal - 1)),
                start=start,
                end=len(text),
                name_start=place,
                name_end=place + len(encoded),
                visibility=draw(st.sampled_from(list(Visibility))),
                container=draw(st.sampled_from(["", "", "Outer", "Outer.Inner"])),
                head=draw(st.integers(0, 2)),
                body=draw(st.integers(-1, 2)),
                lead=draw(st.sampled_from(["", "", "const "])),
                prose=draw(st.integers(0, 2)),
            )
        )
    groups = draw(st.lists(st.tuples(name, st.sampled_from(list(Role)), st.integers(0, 3)), max_size=5))
    references = [ReferenceGroup(each, role, list(range(7, 7 + count))) for each, role, count in groups]
    return text, Outline("python", symbols, references, has_errors=draw(st.booleans()))


class Content(msgspec.Struct, frozen=True):
    """What lies at a path; without an outline the file is only listed."""

    text: bytes
    outline: Outline | None

    def at(self, path: str, *, prepared: bool = True) -> ParsedFile:
        file = ParsedFile(path, hashlib.sha256(self.text).digest(), len(self.text), mtime_ns=1)
        if rows := self.chunks():
            file.chunks, file.text = pack_chunks(rows), pack_text(self.text)
        if self.outline is None:
            file.status = "listed"
            return file
        lines = LineTable.from_text(self.text)
        file.language = self.outline.language
        file.line_table = lines.to_bytes()
        if prepared:
            file.outline, file.rows = pack(self.outline, self.text)
        else:
            file.outline = msgspec.msgpack.encode(self.outline)
        return file

    def chunks(self) -> ChunkRows | None:
        """Return a chunk for every line, named by its first word; None for a text without any."""
        lines = self.text.splitlines(keepends=True)
        if not lines:
            return None
        bounds = list(accumulate(map(len, lines), initial=0))
        bodies = [" ".join(terms(line.decode("utf-8", "replace")).split()) for line in lines]
        names = [body.partition(" ")[0] for body in bodies]
        numbers = range(1, len(lines) + 1)
        return ChunkRows(
            starts=bounds[:-1],
            ends=bounds[1:],
            first_lines=list(numbers),
            last_lines=list(numbers),
            node_types=["line"] * len(lines),
            kinds=bytes([SymbolKind.CLASS if name else 0 for name in names]),
            names=names,
            scopes=["" for _ in lines],
            defined=names,
            hashes=b"".join([hash_of(body) for body in bodies]),
            bodies=bodies,
            titles=names,
        )


contents = outlines().map(lambda pair: Content(*pair)) | st.binary(max_size=2).map(lambda data: Content(data, None))


class History:
    """A catalog and, beside it, what it should hold."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.clock = 1_000.0
        self.catalog = self.open()
        self.files: dict[str, Content] = {}
        self.tombstones: dict[str, Content] = {}

    def open(self) -> Catalog:
        return Catalog.open(self.folder, on_damage=self.fail, clock=lambda: self.clock)

    def fail(self, message: str) -> None:
        raise AssertionError(message)

    def step(self, data: st.DataObject) -> None:
        self.clock += 1
        if data.draw(st.integers(0, 3)):
            self.change(data)
        else:
            self.rest(data)

    def change(self, data: st.DataObject) -> None:
        """Apply a batch of everything, and do the same to the model, part by part."""
        batch = Batch(bulk=data.draw(st.booleans()))
        if data.draw(st.booleans()):
            batch.deleted = data.draw(st.lists(st.sampled_from([*PATHS, *FOLDERS]), max_size=3))
        self.delete(batch.deleted)
        if data.draw(st.booleans()):
            batch.moves = self.move(data)
        if data.draw(st.booleans()):
            for path in data.draw(st.lists(st.sampled_from(PATHS), max_size=4)):
                self.files[path] = content = data.draw(contents)
                batch.parsed.append(content.at(path, prepared=data.draw(st.booleans())))
        self.catalog.apply(batch)

    def delete(self, targets: list[str]) -> None:
        for target in targets:
            for path in [path for path in self.files if path == target or path.startswith(target + "/")]:
                self.tombstones[path] = self.files.pop(path)

    def move(self, data: st.DataObject) -> list[Move]:
        """Move several at once: the content of each new path is what was at its old path before any moved."""
        sources = sorted(self.files.keys() | self.tombstones.keys())
        moves: list[Move] = []
        moved: dict[str, Content] = {}
        for new in data.draw(st.lists(st.sampled_from(PATHS), max_size=3, unique=True)) if sources else []:
            old = data.draw(st.sampled_from(sources))
            if old == new and old in self.files:
                continue
            moves.append(Move(old, new, data.draw(st.sampled_from(["rename", "copy"]))))
            moved[new] = self.files[old] if old in self.files else self.tombstones[old]
        away = {move.old for move in moves if move.kind == "rename"}
        replaced = {new: self.files[new] for new in moved if new in self.files and new not in away}
        for old in away:
            self.tombstones.pop(old, None) if old not in self.files else self.files.pop(old)
        self.files |= moved
        self.tombstones |= replaced
        return moves

    def rest(self, data: st.DataObject) -> None:
        what = data.draw(st.sampled_from(["purge", "settle", "reopen"]))
        if what == "purge":
            self.catalog.purge(self.clock, tombstone_s=0)
            self.tombstones.clear()
        elif what == "settle":
            self.catalog.settle()
        else:
            self.catalog.close()
            self.catalog = self.open()


def fresh(folder: Path, files: dict[str, Content]) -> Catalog:
    catalog = Catalog.open(folder)
    catalog.apply(Batch(parsed=[content.at(path) for path, content in sorted(files.items())]))
    return catalog


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(st.data())
def test_any_history_ends_in_what_a_fresh_catalog_holds(data: st.DataObject) -> None:
    with tempfile.TemporaryDirectory() as folder:
        history = History(Path(folder, "old"))
        for _ in range(data.draw(st.integers(1, 8))):
            history.step(data)
        history.catalog.settle()
        new = fresh(Path(folder, "new"), history.files)
        one, other = history.catalog.reader(), new.reader()
        assert one.dump() == other.dump()
        for asked in ASKED:
            assert found_by(one, asked) == found_by(other, asked)
        assert {path for path, _ in one.chunks.pending()} >= {path for path, _ in one.chunks.paths()}
        history.catalog.close()
        new.close()


ASKED = [["engin"], ["get", "user", "nam"], ["d"], ["httpserv", "engin", "b", "privat", "none"]]


def found_by(reader: Reader, asked: list[str]) -> list[tuple[str, int, float]]:
    """Return path, line and score of the chunks with some terms."""
    hits = reader.chunks.lexical(asked, 100)
    rows = reader.chunks.rows([hit.id for hit in hits])
    return [(row.path, row.line_start, hit.score) for row, hit in zip(rows, hits, strict=True)]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(
    st.dictionaries(st.sampled_from(PATHS), contents, max_size=6),
    st.lists(st.sampled_from(sorted({term for each in (*NAMES, *PATHS) for term in terms(each).split()})), min_size=1),
    st.sampled_from([None, "*.py", "d/**"]),
    st.sampled_from([1, 3, 1_000]),
)
def test_chunks_are_found_as_the_formula_says(
    files: dict[str, Content], asked: list[str], path_glob: str | None, limit: int
) -> None:
    chunks = [
        (path, number, Counter(body.split()), Counter(title.split()))
        for path, content in files.items()
        if (rows := content.chunks()) is not None
        for number, (body, title) in enumerate(zip(rows.bodies, rows.titles, strict=True), 1)
    ]
    paths = {path: Counter(terms(path).split()) for path, *_ in chunks}
    average = sum(body.total() for _, _, body, _ in chunks) / max(len(chunks), 1)
    expected: dict[tuple[str, int], float] = {}
    for path, number, body, title in chunks:
        score = 0.0
        for term in set(asked):
            frequency = sum(term in body or term in title for _, _, body, title in chunks)
            count = body[term] + 3 * min(title[term], 3)
            length = min(LENGTHS, key=lambda length: abs(math.log(length / max(body.total(), 1))))
            norm = 1.2 * (0.25 + 0.75 * length / max(average, 1))
            score += rarity(frequency, len(chunks)) * count * 2.2 / (count + norm)
            of_paths = sum(term in each for each in paths.values())
            score += rarity(of_paths, len(paths)) * 2 * paths[path][term] * 2.2 / (paths[path][term] + 1.2)
        if score and (path_glob is None or SymbolQuery("x", path_glob=path_glob).accepts_path(path)):
            expected[path, number] = score
    with tempfile.TemporaryDirectory() as folder:
        catalog = fresh(Path(folder), files)
        reader = catalog.reader()
        hits = reader.chunks.lexical(asked, limit, ChunkFilter(path_glob=path_glob))
        rows = reader.chunks.rows([hit.id for hit in hits])
        found = [((row.path, row.line_start), hit.score) for row, hit in zip(rows, hits, strict=True)]
        best = sorted(expected.values(), reverse=True)[:limit]
        assert [score for _, score in found] == pytest.approx(best)
        assert {place: expected[place] for place, _ in found} == pytest.approx(dict(found))
        assert found == sorted(found, key=lambda each: (-each[1], each[0]))
        assert reader.chunks.count() == len(chunks)
        for path, content in files.items():
            assert reader.chunks.text(path) == (content.text or None)
            assert len(reader.chunks.of_path(path)) == len(content.text.splitlines())
        reader.close()
        catalog.close()


def rarity(frequency: int, total: int) -> float:
    return math.log1p((total - frequency + 0.5) / (frequency + 0.5))


queries = st.one_of(
    name,
    st.tuples(name, st.integers(0, 3), st.integers(1, 4)).map(lambda cut: cut[0][cut[1] : cut[1] + cut[2]]),
    st.text(st.sampled_from("egnERoUNam._ ßé名"), max_size=4),
    st.tuples(
        st.sampled_from(["Outer", "inn", "eng", "x"]), st.sampled_from([".", "::", "#", "->"]), name | st.just("")
    ).map("".join),
)


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(
    st.dictionaries(st.sampled_from(PATHS), contents, max_size=5),
    st.lists(queries, min_size=1, max_size=6),
    st.sampled_from([None, [SymbolKind.CLASS], [SymbolKind.FILE, SymbolKind.KEY]]),
    st.sampled_from([None, "*.py", "d/**"]),
    st.sampled_from([1, 3, 1_000]),
)
def test_search_finds_what_the_rule_says(
    files: dict[str, Content],
    texts: list[str],
    kinds: list[SymbolKind] | None,
    path_glob: str | None,
    limit: int,
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        catalog = fresh(Path(folder), files)
        reader = catalog.reader()
        for text in texts:
            note(text)
            query = SymbolQuery(text, kinds=kinds, path_glob=path_glob)
            expected = {}
            for path, content in files.items():
                for ordinal, (each, container, kind) in enumerate(definitions(path, content)):
                    match = query.match(each, container, kind)
                    if match is not None and query.accepts_path(path):
                        expected[path, ordinal] = match
            hits = reader.search_symbols(query, limit=limit)
            found = {(hit.row.path, hit.row.ordinal): hit.match for hit in hits}
            assert len(found) == len(hits) == min(limit, len(expected))
            assert sorted(found.values()) == sorted(expected.values())[:limit]
            assert found.items() <= expected.items()
            assert hits == sorted(hits, key=lambda hit: (hit.match, hit.row.visibility, -hit.uses, hit.row.path))
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(search, "_MANY", 1)  # as where many names match, whatever the query
                assert reader.search_symbols(query, limit=limit) == hits
        reader.close()
        catalog.close()


def definitions(path: str, content: Content) -> list[tuple[str, str, SymbolKind]]:
    if content.outline is None:
        return [(path.rpartition("/")[2], "", SymbolKind.FILE)]
    symbols = content.outline.symbols
    containers = [container.replace("\0", "\ufffd") for container in qualified_containers(symbols)]
    return [
        (symbol.name.replace("\0", "\ufffd"), container, symbol.kind)
        for symbol, container in zip(symbols, containers, strict=True)
    ]


@given(outlines())
def test_a_packed_outline_is_the_same_outline(pair: tuple[bytes, Outline]) -> None:
    _, outline = pair
    held = msgspec.structs.replace(outline, references=[group for group in outline.references if group.offsets])
    assert unpack_outline(pack_outline(outline)) == held


@given(outlines())
def test_columns_of_a_packed_outline_are_those_of_the_whole(pair: tuple[bytes, Outline]) -> None:
    _, outline = pair
    whole, packed = OutlineSymbols(outline.symbols), PackedSymbols(pack_outline(outline))
    for column in ("names", "kinds", "parents", "starts"):
        assert list(getattr(packed, column)) == getattr(whole, column)
    ordinals = range(len(outline.symbols))
    assert [packed.symbol(ordinal) for ordinal in ordinals] == outline.symbols
    for symbols in (whole, packed):
        containers = [qualified_container(symbols, ordinal) for ordinal in ordinals]
        assert containers == qualified_containers(outline.symbols)


@given(outlines(), name)
def test_parts_of_a_packed_outline_are_those_of_the_whole(pair: tuple[bytes, Outline], asked: str) -> None:
    _, outline = pair
    packed = pack_outline(outline)
    assert unpack_mentions(packed, asked) == mentions_in(outline, asked)
    uses = unpack_uses(packed)
    assert uses == {
        each: sum(len(group.offsets) for group in outline.references if group.name == each) for each in uses
    }
    assert [unpack_symbol(packed, ordinal) for ordinal in range(len(outline.symbols) + 1)] == [*outline.symbols, None]


@given(st.text(st.sampled_from("aBcD12_é Éß"), max_size=12))
def test_the_hump_key_is_the_first_letters_of_the_words(text: str) -> None:
    found = words(text)
    assert hump_key(text) == ("".join(word[0].casefold()[0] for word in found) if len(found) > 1 else None)
    if len(found) > 1 and text.isascii():
        assert NamePattern("_".join(found).lower()).is_humps_of(text)


@given(
    outlines(),
    st.lists(st.sampled_from(["lib/util.py", "app/core/__init__.py", "app/core/a.py"]), min_size=1),
    st.sampled_from(["x.py", "lib/x.py", "app/x.py", "app/core/x.py", "app/core/deep/x.py"]),
)
def test_whatever_imports_a_file_may(pair: tuple[bytes, Outline], files: list[str], importer: str) -> None:
    _, outline = pair
    modules = ModuleIndex(files)
    for module in ("util", "lib.util", "./util", "..", ".", "../core", "app.core.name", "./", "other"):
        imports = [Import(module, [ImportedName("name", "name")], 0, 1)]
        packed = pack_outline(msgspec.structs.replace(outline, imports=imports))
        if modules.holds(module, importer):
            assert may_import(packed, modules.words), (module, importer)
