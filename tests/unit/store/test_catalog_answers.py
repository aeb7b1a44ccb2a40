"""What readers answer: names in every tier, moves and deletions at once, counts."""

from __future__ import annotations

import pytest
from catalog_sources import listed, outline_of, parsed

from pilotfish.store.catalog import Batch, Catalog, CatalogError, Move
from pilotfish.store.matching import Tier
from pilotfish.syntax.outline import SymbolKind

ENGINE = """\
class Engine
  def open
  def openAll
  def _reopen
def getUserName
def get_user_name
use open open Engine
"""
VALVE = """\
class Valve
  def open
enum OPEN
use open getUserName
"""


@pytest.fixture
def engine_room(catalog: Catalog) -> Catalog:
    files = [parsed("src/engine.py", ENGINE), parsed("src/valve.py", VALVE), listed("opening.md")]
    catalog.apply(Batch(parsed=files))
    return catalog


def found(catalog: Catalog, query: str, **options: object) -> list[str]:
    reader = catalog.reader()
    hits = reader.search_symbols(query, **options)  # type: ignore[arg-type]
    reader.close()
    return [f"{hit.row.container}.{hit.row.name}".lstrip(".") for hit in hits]


@pytest.mark.parametrize(
    ("query", "names"),
    [
        # the whole name, in the query's case first; then its start; visible before private, used before unused
        ("open", ["Engine.open", "Valve.open", "OPEN", "opening.md", "Engine.openAll", "Engine._reopen"]),
        ("OPEN", ["OPEN", "Engine.open", "Valve.open", "opening.md", "Engine.openAll", "Engine._reopen"]),
        # the starts of words
        ("gun", ["getUserName", "get_user_name"]),
        ("gUN", ["getUserName", "get_user_name"]),
        ("getUN", ["getUserName", "get_user_name"]),
        ("oA", ["Engine.openAll"]),
        # a part, of any length
        ("erna", ["getUserName", "get_user_name"]),
        ("va", ["Valve"]),
        ("v", ["Valve"]),
        # letters in order
        ("gtnm", ["getUserName", "get_user_name"]),
        # members, in every spelling
        ("Valve.open", ["Valve.open"]),
        ("valve::op", ["Valve.open"]),
        ("eng#open", ["Engine.open", "Engine.openAll", "Engine._reopen"]),
        ("Valve->", ["Valve.open"]),
        ("alve.open", []),
        # files without outline, by their name
        ("opening.md", ["opening.md"]),
        ("nothing_like_it", []),
        ("", []),
        ("  ", []),
        ("\0", []),
        ('"', []),
    ],
)
def test_search_by_name(engine_room: Catalog, query: str, names: list[str]) -> None:
    assert found(engine_room, query) == names


def test_search_with_filters(engine_room: Catalog) -> None:
    assert found(engine_room, "open", kinds=[SymbolKind.ENUM]) == ["OPEN"]
    assert found(engine_room, "o", path_glob="src/v*") == ["Valve.open", "OPEN"]
    assert found(engine_room, "open", limit=2) == ["Engine.open", "Valve.open"]
    assert found(engine_room, "eng.open", path_glob="*.md") == []


def test_tiers_come_in_order(engine_room: Catalog) -> None:
    tiers = [hit.match.tier for hit in engine_room.reader().search_symbols("o")]
    assert tiers == sorted(tiers)
    assert tiers[0] == Tier.PREFIX


def test_a_definition_in_its_place(engine_room: Catalog) -> None:
    engine_room.apply(Batch(parsed=[parsed("wide.py", "class Größe\n  def é𝒳x")]))
    reader = engine_room.reader()
    (row,) = reader.symbols_named("é𝒳x")
    assert (row.path, row.container, row.kind, row.ordinal) == ("wide.py", "Größe", SymbolKind.FUNCTION, 1)
    assert (row.name_start, row.name_end) == ((1, 6, 6, 6), (1, 13, 10, 9))
    (plain,) = reader.symbols_named("openAll")
    assert (plain.name_start, plain.name_end) == ((2, 6, 6, 6), (2, 13, 13, 13))


def test_uses(engine_room: Catalog) -> None:
    reader = engine_room.reader()
    assert reader.uses("open") == (3, 2)
    assert reader.uses("Engine") == (1, 1)
    assert reader.uses("Valve") == (0, 0)
    assert reader.files_referencing("open") == ["src/engine.py", "src/valve.py"]
    assert reader.files_referencing("OPEN") == []
    assert [row.name for row in reader.most_used(2)] == ["open", "Engine"]


def test_an_outline_comes_back_whole(engine_room: Catalog) -> None:
    reader = engine_room.reader()
    assert reader.outline("src/valve.py") == outline_of(VALVE)
    lines = reader.line_table("src/valve.py")
    assert lines is not None
    assert lines.line_count == VALVE.count("\n") + 1
    assert reader.outline("opening.md") is None


def test_a_deletion_is_out_of_every_answer_at_once_and_kept_for_a_move(engine_room: Catalog) -> None:
    before = engine_room.reader().dump()
    (valve,) = [row for row in engine_room.reader().files() if row.path == "src/valve.py"]
    engine_room.apply(Batch(deleted=["src"]))
    reader = engine_room.reader()
    assert [row.path for row in reader.files()] == ["opening.md"]
    assert found(engine_room, "open") == ["opening.md"]
    assert reader.uses("open") == (0, 0)
    assert reader.files_referencing("open") == []
    assert [row.deleted_at is not None for row in reader.with_hash(valve.content_hash, valve.size)] == [True]
    engine_room.apply(
        Batch(moves=[Move("src/valve.py", "src/valve.py", "rename"), Move("src/engine.py", "src/engine.py", "rename")])
    )
    assert reader.dump() == before


def test_purging_ends_the_memory_of_a_deletion(engine_room: Catalog) -> None:
    (valve,) = [row for row in engine_room.reader().files() if row.path == "src/valve.py"]
    engine_room.apply(Batch(deleted=["src/valve.py"]))
    assert engine_room.purge() == 0
    assert engine_room.purge(2e12) == 1
    assert engine_room.reader().with_hash(valve.content_hash, valve.size) == []
    with pytest.raises(CatalogError, match="no such file"):
        engine_room.apply(Batch(moves=[Move("src/valve.py", "src/new.py", "rename")]))


def test_a_folder_moves_with_all_below(engine_room: Catalog) -> None:
    engine_room.apply(Batch(moves=[Move("src", "lib/x", "folder", moved_at=5.0)]))
    reader = engine_room.reader()
    assert [row.path for row in reader.files()] == ["lib/x/engine.py", "lib/x/valve.py", "opening.md"]
    assert reader.files_below("lib") == ["lib/x/engine.py", "lib/x/valve.py"]
    moves = [(move.old_path, move.new_path, move.move_type, move.moved_at) for move in reader.moves()]
    assert moves == [
        ("src/engine.py", "lib/x/engine.py", "folder", 5.0),
        ("src/valve.py", "lib/x/valve.py", "folder", 5.0),
    ]


def test_two_files_trade_places(engine_room: Catalog) -> None:
    engine_room.apply(Batch(moves=[Move("src/engine.py", "src/valve.py", "swap")]))
    reader = engine_room.reader()
    assert [row.path for row in reader.symbols_named("Valve")] == ["src/engine.py"]
    assert [row.path for row in reader.symbols_named("Engine")] == ["src/valve.py"]


def test_a_page_of_files_goes_on_where_the_last_ended(engine_room: Catalog) -> None:
    reader = engine_room.reader()
    first = list(reader.files(limit=2))
    rest = list(reader.files(after=first[-1].path))
    assert [row.path for row in first + rest] == ["opening.md", "src/engine.py", "src/valve.py"]


def test_counts(engine_room: Catalog) -> None:
    engine_room.apply(Batch(parsed=[listed("big.bin", b"12", reason="too large")]))
    counts = engine_room.reader().counts()
    assert (counts.files, counts.symbols, counts.references, counts.parsed, counts.listed) == (4, 9, 5, 2, 1)
    assert [(row.language, row.files, row.symbols) for row in counts.languages] == [("python", 2, 9)]
    assert counts.skipped == [("too large", 1)]
    assert counts.source_bytes == len(ENGINE) + len(VALVE)


def test_a_reader_sees_one_state_while_it_looks(engine_room: Catalog) -> None:
    with engine_room.reader() as reader:
        generation = reader.generation()
        engine_room.apply(Batch(deleted=["src"]))
        assert (reader.generation(), len(list(reader.files()))) == (generation, 3)
    assert (reader.generation(), len(list(reader.files()))) == (generation + 1, 1)


def test_search_sees_names_that_came_after_it_was_first_asked(engine_room: Catalog) -> None:
    assert found(engine_room, "gtnm") == ["getUserName", "get_user_name"]
    engine_room.apply(Batch(parsed=[parsed("new.py", "def goToNextMeeting\nuse unknown")]))
    engine_room.apply(Batch(parsed=[parsed("late.py", "def unknown")]))  # a name that was only used before
    assert found(engine_room, "gtnm")[0] == "goToNextMeeting"
    assert found(engine_room, "ukwn") == ["unknown"]
    engine_room.apply(Batch(deleted=["late.py"]))
    assert found(engine_room, "ukwn") == []
