"""The table of vectors: whole files at once, odd names, filters, damage, kills, swaps; with the real LanceDB."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from pilotfish.store.vector_faults import translated
from pilotfish.store.vector_folder import TOKEN, folder_of, is_as_left
from pilotfish.store.vector_rows import (
    BadVectorError,
    VectorFilters,
    VectorRow,
    VectorsDamagedError,
    VectorsFullError,
    VectorsMissingError,
)
from pilotfish.store.vector_upkeep import Figures, Upkeep, upkeep_of
from pilotfish.store.vectors import Matrix, VectorTable

MODEL = "table:test/0"
DIMS = 8

ODD_PATHS = [
    "plain.py",
    "it's.py",
    'say "hi".py',
    "two\nlines.py",
    "tab\there.py",
    "100%.py",
    "100_.py",
    "100x.py",
    "back\\slash.py",
    "😀/naïve.py",
    "caf\u00e9.py",
    "cafe\u0301.py",
    "'; DROP TABLE chunks --.py",
    "a:b.py",
    "`tick`.py",
    "{brace}$1?.py",
    "nicht-utf8-\udcff\udc80.py",
    "nicht-utf8-%FF.py",
    " lead and trail ",
]


def vector_of(word: str) -> list[float]:
    """Return a direction of a word's own."""
    seed = int.from_bytes(hashlib.sha256(word.encode("utf-8", "surrogatepass")).digest()[:4])
    return [float(number) for number in np.random.default_rng(seed).normal(size=DIMS)]


def row(path: str, name: str, line: int = 1, **fields: str) -> VectorRow:
    return VectorRow(
        filepath=path,
        symbol_name=name,
        symbol_type=fields.get("symbol_type", "function"),
        language=fields.get("language", "python"),
        line_start=line,
        line_end=line + 2,
        text=fields.get("text", f"def {name}(): ..."),
        text_hash=hashlib.sha256(name.encode("utf-8", "replace")).digest()[:16],
    )


def vectors(rows: Sequence[VectorRow]) -> Matrix:
    """Return the vector of each row's name."""
    return np.array([vector_of(each.symbol_name) for each in rows], dtype=np.float32).reshape(len(rows), DIMS)


def put(table: VectorTable, *rows: VectorRow, gone: Sequence[str] = ()) -> None:
    table.replace([*{each.filepath: None for each in rows}, *gone], rows, vectors(rows))


def names(table: VectorTable, asked: str = "anything", filters: VectorFilters | None = None) -> set[tuple[str, str]]:
    return {(hit.filepath, hit.symbol_name) for hit in table.search(vector_of(asked), 1_000, filters, whole=True)}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "a folder's #1 100% ?name=é" / "vectors"


@pytest.fixture
def table(folder: Path) -> Iterator[VectorTable]:
    made = VectorTable.create(folder, MODEL, DIMS)
    yield made
    made.close()


def test_the_nearest_come_first_with_everything_that_was_stored(table: VectorTable) -> None:
    rows = [row("src/a.py", "open", 3, text="def open(): ...\n  é😀"), row("src/b.py", "close", 9)]
    assert table.replace([each.filepath for each in rows], rows, vectors(rows)).rows == 2
    first, second = table.search(vector_of("open"), 5, whole=True)
    assert first.score == pytest.approx(1, abs=1e-5)
    assert (first.filepath, first.symbol_name, first.line_start, first.line_end) == ("src/a.py", "open", 3, 5)
    assert (first.text, first.text_hash, first.language) == (rows[0].text, rows[0].text_hash, "python")
    assert first.id == hashlib.sha256(b"src/a.py:open:3").hexdigest()[:16]
    assert second.score < first.score
    assert table.search(vector_of("open"), 5)[0].text == ""


def test_a_change_of_many_files_is_one_commit_and_touches_no_others(table: VectorTable) -> None:
    put(table, row("a.py", "one"), row("a.py", "two", 5), row("b.py", "three"), row("c.py", "four"))
    before = table.version
    put(table, row("a.py", "two", 1), row("b.py", "five"), row("d.py", "six"), gone=["e.py"])
    assert table.version == before + 1
    assert names(table) == {("a.py", "two"), ("b.py", "five"), ("c.py", "four"), ("d.py", "six")}


def test_a_moved_line_leaves_one_row(table: VectorTable) -> None:
    for line in (1, 7, 7, 3):
        put(table, row("a.py", "one", line))
    assert [hit.line_start for hit in table.search(vector_of("one"), 9)] == [3]


def test_files_without_rows_lose_theirs_and_swaps_and_chains_move(table: VectorTable) -> None:
    put(table, row("a.py", "one"), row("b.py", "two"), row("c.py", "three"))
    moved = [row("b.py", "one"), row("a.py", "two"), row("d.py", "three")]
    put(table, *moved, gone=["c.py"])
    assert names(table) == {("b.py", "one"), ("a.py", "two"), ("d.py", "three")}
    put(table, gone=["a.py"])
    table.delete(["b.py", "never there.py"])
    assert names(table) == {("d.py", "three")}


@pytest.mark.parametrize("odd", ODD_PATHS)
def test_odd_names_are_exact(table: VectorTable, odd: str) -> None:
    put(table, *(row(path, "old") for path in ODD_PATHS))
    put(table, row(odd, "anew"))
    assert names(table) == {(path, "anew" if path == odd else "old") for path in ODD_PATHS}
    assert names(table, filters=VectorFilters(prefixes=(odd,))) == {(odd, "anew")}
    table.delete([odd])
    assert {path for path, _ in names(table)} == set(ODD_PATHS) - {odd}


def test_chunks_that_share_name_and_line_have_ids_of_their_own(table: VectorTable) -> None:
    rows = [row("a:b.py", "c", 1), row("a", "b.py:c", 1), row("a:b.py", "c", 1), row("a:b.py", "c:1", 1)]
    put(table, *rows)
    put(table, *rows)
    assert len({hit.id for hit in table.search(vector_of("c"), 9, whole=True)}) == table.rows == 4


def test_filters(table: VectorTable) -> None:
    put(
        table,
        row("src/engine.py", "a"),
        row("src/engine.ts", "b", language="typescript", symbol_type="class"),
        row("src_old/engine.py", "c"),
        row("src/tests/test_engine.py", "d", symbol_type="class"),
    )

    def found(**parts: tuple[str, ...]) -> str:
        return "".join(sorted(name for _, name in names(table, filters=VectorFilters(**parts))))

    assert found(prefixes=("src/",)) == "abd"
    assert found(prefixes=("src/e", "src_")) == "abc"
    assert found(globs=("*.py",)) == "acd"
    assert found(globs=("src/**/*.py",)) == "ad"
    assert found(globs=("*.py", "!test_*")) == "ac"
    assert found(globs=("*.rs",)) == ""
    assert found(languages=("typescript", "go")) == "b"
    assert found(symbol_types=("class",), prefixes=("src/",), globs=("*.py",)) == "d"


def test_a_pattern_that_most_paths_match_is_filtered_among_the_nearest(
    table: VectorTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [row(f"{number}.{'py' if number % 10 else 'ts'}", f"n{number}") for number in range(200)]
    put(table, *rows)
    named = table.search(vector_of("n7"), 5, VectorFilters(globs=("*.ts",)))
    monkeypatch.setattr("pilotfish.store.vector_search.MOST_NAMED", 1)
    filtered = table.search(vector_of("n7"), 5, VectorFilters(globs=("*.ts",)))
    assert [hit.filepath for hit in filtered] == [hit.filepath for hit in named]
    assert len(named) == 5


def test_vectors_that_no_question_finds_are_left_out(table: VectorTable) -> None:
    rows = [row("a.py", "one"), row("a.py", "zero", 5), row("a.py", "nan", 9)]
    matrix = vectors(rows)
    matrix[1], matrix[2, 3] = 0, np.nan
    written = table.replace(["a.py"], rows, matrix)
    assert (written.rows, written.left_out) == (1, 2)
    assert names(table) == {("a.py", "one")}


@pytest.mark.parametrize("query", [[0.0] * DIMS, [float("nan")] * DIMS, [1.0] * (DIMS + 1), []])
def test_questions_without_a_direction_are_refused(table: VectorTable, query: list[float]) -> None:
    put(table, row("a.py", "one"))
    with pytest.raises(BadVectorError):
        table.search(query, 3)


def test_rows_and_vectors_have_to_fit(table: VectorTable) -> None:
    rows = [row("a.py", "one")]
    with pytest.raises(BadVectorError):
        table.replace([rows[0].filepath], rows, np.ones((1, DIMS - 1), dtype=np.float32))
    with pytest.raises(BadVectorError):
        table.replace(["a.py"], rows, np.ones((2, DIMS), dtype=np.float32))
    with pytest.raises(ValueError, match=r"a\.py"):
        table.replace(["b.py"], rows, vectors(rows))


def test_what_was_written_is_there_after_a_restart_and_only_for_its_model(folder: Path, table: VectorTable) -> None:
    put(table, row("a.py", "one"))
    table.close()
    again = VectorTable.open(folder, MODEL, DIMS)
    assert names(again) == {("a.py", "one")}
    with pytest.raises(VectorsDamagedError):
        VectorTable.open(folder, "another", DIMS)
    with pytest.raises(VectorsDamagedError):
        VectorTable.open(folder, MODEL, DIMS * 2)


def test_no_table_yet(tmp_path: Path) -> None:
    with pytest.raises(VectorsMissingError):
        VectorTable.open(tmp_path / "none", MODEL, DIMS)


def test_a_change_writes_only_what_differs(table: VectorTable) -> None:
    put(table, row("a.py", "one"), row("a.py", "two", 5))
    before = table.version
    put(table, row("a.py", "one"), row("a.py", "two", 5), gone=["never there.py"])
    table.delete(["never there.py"])
    assert table.version == before
    put(table, row("a.py", "one"), row("a.py", "two", 6))
    assert (table.version, table.rows) == (before + 1, 2)


def test_rows_that_went_come_back(table: VectorTable) -> None:
    put(table, row("a.py", "one"), row("a.py", "two", 5))
    put(table, row("a.py", "three", 9))
    put(table, row("a.py", "two", 5), row("a.py", "one", 2))
    put(table, row("a.py", "one"))
    assert names(table) == {("a.py", "one")}
    assert table.rows == 1


def test_upkeep_keeps_rows_and_the_metric_and_bounds_the_disk(
    folder: Path, table: VectorTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pilotfish.store.vector_upkeep.VECTORS_FROM_ROWS", 300)
    monkeypatch.setattr("pilotfish.store.vector_upkeep.NAMES_FROM_ROWS", 300)
    rows = [row(f"{number}.py", f"n{number}") for number in range(400)]
    # Lengths differ, so that any other metric gives other scores.
    matrix = vectors(rows) * np.linspace(0.1, 9, len(rows), dtype=np.float32)[:, None]
    table.replace([each.filepath for each in rows], rows, matrix)
    flat = table.search(vector_of("n7"), 20)
    done = table.maintain()
    assert done.train
    assert done.index_names
    indexed = table.search(vector_of("n7"), 20)
    assert [hit.filepath for hit in indexed] == [hit.filepath for hit in flat]
    assert [hit.score for hit in indexed] == pytest.approx([hit.score for hit in flat], abs=1e-4)
    for number in range(60):
        put(table, row("7.py", f"edit {number}", number), row("7.py", f"other {number}", number + 1))
        table.maintain()
    figures = table.figures()
    assert figures.versions < 30
    assert figures.fragments < 30
    again = VectorTable.open(folder, MODEL, DIMS)
    assert again.rows == table.rows == 401
    assert ("7.py", "edit 59") in names(again)
    assert [hit.filepath for hit in again.search(vector_of("n9"), 1)] == ["9.py"]


def test_what_was_removed_is_off_the_disk_when_it_has_been_idle_for_long(
    folder: Path, table: VectorTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    def is_there() -> bool:
        return any(b"xyzzy-plugh" in file.read_bytes() for file in folder.rglob("*") if file.is_file())

    put(table, row("a.py", "gone", text="xyzzy-plugh"), row("a.py", "stays", 9))
    put(table, row("a.py", "stays", 9))
    assert not table.maintain(idle=True).compact
    assert is_there()
    monkeypatch.setattr("pilotfish.store.vector_upkeep.IDLE_S", 1e-9)
    assert table.maintain(idle=True).compact
    assert not is_there()
    assert names(table) == {("a.py", "stays")}


def test_without_room_upkeep_waits() -> None:
    figures = Figures(rows=100_000, fragments=200, versions=200, table_bytes=200 << 20, free_bytes=100 << 20)
    assert upkeep_of(figures) == Upkeep(bytes_missing=int((200 << 20) * 1.3) + (64 << 20) - (100 << 20))


@pytest.mark.parametrize(
    ("figures", "idle", "expected"),
    [
        (Figures(rows=9_999, fragments=1, versions=1), True, Upkeep()),
        (Figures(rows=9_999, fragments=24, versions=24), False, Upkeep()),
        (Figures(rows=9_999, fragments=25, versions=25), False, Upkeep(compact=True)),
        (Figures(rows=200_000, fragments=40, versions=9, trained_rows=200_000, has_name_indexes=True), False, Upkeep()),
        (Figures(rows=9_999, fragments=2, versions=14), True, Upkeep(compact=True)),
        (Figures(rows=9_999, fragments=2, versions=2, changed_s=3_599), True, Upkeep()),
        (Figures(rows=9_999, fragments=2, versions=2, changed_s=3_600), True, Upkeep(compact=True)),
        (Figures(rows=9_999, fragments=2, versions=2, changed_s=86_400), False, Upkeep()),
        (Figures(rows=10_000, fragments=1, versions=1), False, Upkeep(train=True)),
        (Figures(rows=20_000, fragments=1, versions=1, trained_rows=10_000), False, Upkeep(train=True)),
        (Figures(rows=20_000, fragments=1, versions=2, trained_rows=15_000, deltas=11), False, Upkeep(train=True)),
        (
            Figures(rows=20_000, fragments=2, versions=2, trained_rows=15_000, unindexed_rows=5_000),
            False,
            Upkeep(compact=True),
        ),
        (
            Figures(rows=50_000, fragments=1, versions=1, trained_rows=50_000),
            False,
            Upkeep(index_names=True),
        ),
    ],
)
def test_upkeep_that_is_due(figures: Figures, idle: bool, expected: Upkeep) -> None:
    assert upkeep_of(figures, idle=idle) == expected


def largest_of(folder: Path, pattern: str) -> Path:
    return max(folder.rglob(pattern), key=lambda path: path.stat().st_size)


def cut_data(folder: Path) -> None:
    os.truncate(largest_of(folder, "*.lance/data/*.lance"), 100)


def cut_data_a_little(folder: Path) -> None:
    file = largest_of(folder, "*.lance/data/*.lance")
    os.truncate(file, file.stat().st_size - 16)


def lose_data(folder: Path) -> None:
    largest_of(folder, "*.lance/data/*.lance").unlink()


def cut_manifests(folder: Path) -> None:
    for file in folder.rglob("*.manifest"):
        os.truncate(file, 10)


def lose_versions(folder: Path) -> None:
    for each in folder.rglob("_versions"):
        shutil.rmtree(each)


def lose_table(folder: Path) -> None:
    for each in folder.glob("*.lance"):
        shutil.rmtree(each)


def scribble_over_current(folder: Path) -> None:
    (folder / "current.json").write_bytes(b'{"table": "../../elsewhere"}')


def empty_current(folder: Path) -> None:
    (folder / "current.json").write_bytes(b"")


@pytest.mark.parametrize(
    "damage",
    [
        cut_data,
        cut_data_a_little,
        lose_data,
        cut_manifests,
        lose_versions,
        lose_table,
        scribble_over_current,
        empty_current,
    ],
)
def test_damage_is_found_when_opening_and_a_new_table_takes_its_place(
    folder: Path, table: VectorTable, damage: Callable[[Path], None]
) -> None:
    for number in range(3):
        put(table, *(row(f"{number}.py", f"n{line}", line) for line in range(1, 30)))
    table.close()
    damage(folder)
    with pytest.raises(VectorsDamagedError):
        VectorTable.open(folder, MODEL, DIMS)
    anew = VectorTable.create(folder, MODEL, DIMS)
    put(anew, row("a.py", "one"))
    assert names(VectorTable.open(folder, MODEL, DIMS)) == {("a.py", "one")}
    assert len(list(folder.glob("*.lance"))) == 1


def test_a_table_that_is_removed_under_its_owner_is_noticed(folder: Path, table: VectorTable) -> None:
    put(table, row("a.py", "one"))
    lose_table(folder)
    with pytest.raises(VectorsDamagedError):
        put(table, row("a.py", "two"))


def changed(folder: Path) -> None:
    """Change bytes in the middle of the data; size and time stay."""
    file = largest_of(folder, "*.lance/data/*.lance")
    status, data = file.stat(), bytearray(file.read_bytes())
    for at in range(len(data) // 4, 3 * len(data) // 4):
        data[at] ^= 0x5A
    file.write_bytes(data)
    os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))


def test_files_that_are_touched_are_proved_at_the_next_search(folder: Path, table: VectorTable) -> None:
    for number in range(3):
        put(table, *(row(f"{number}.py", f"n{line}", line) for line in range(1, 30)))
    file = largest_of(folder, "*.lance/data/*.lance")
    os.utime(file)
    assert len(names(table)) == 87, "another time alone is no damage"
    changed(folder)
    os.utime(file)
    with pytest.raises(VectorsDamagedError):
        names(table)


def test_what_rots_without_a_trace_is_found_by_a_check(folder: Path, table: VectorTable) -> None:
    put(table, *(row("a.py", f"n{line}", line) for line in range(1, 30)))
    table.check()
    changed(folder)
    with pytest.raises(VectorsDamagedError, match="data/"):
        table.check()


def test_a_glance_at_the_files_tells_whether_they_are_as_they_were_left(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, MODEL)
    table = VectorTable.create(folder, MODEL, DIMS)
    (folder / TOKEN).write_text("drawn")
    name = f"{MODEL}:drawn"
    for turn in range(40):
        put(table, *(row(f"{turn % 3}.py", f"turn {turn}", line) for line in range(1, 30)))
        assert is_as_left(tmp_path, name)
        table.maintain(idle=turn % 20 == 19)
        assert is_as_left(tmp_path, name)
    assert not is_as_left(tmp_path, f"{MODEL}:another")
    table.close()
    os.utime(largest_of(folder, "*.lance/data/*.lance"))
    assert not is_as_left(tmp_path, name)
    VectorTable.open(folder, MODEL, DIMS).close()
    assert is_as_left(tmp_path, name), "whoever opened it has found it whole"


def test_a_table_that_lost_its_newest_version_is_not_taken_for_the_one_before(folder: Path, table: VectorTable) -> None:
    put(table, row("a.py", "one"))
    put(table, row("a.py", "two"))
    table.close()
    max((folder.glob("*.lance/_versions/*.manifest")), key=lambda file: file.stat().st_mtime_ns).unlink()
    with pytest.raises(VectorsDamagedError):
        VectorTable.open(folder, MODEL, DIMS)


def test_a_full_disk_is_told_without_a_place_in_somebody_elses_source() -> None:
    said = "LanceError(IO): No space left on device (os error 28), /home/x/.cargo/src/lance/commit.rs:1663:50"
    with pytest.raises(VectorsFullError, match="free some space") as raised, translated("write the vectors"):
        raise OSError(said)
    assert ".rs" not in str(raised.value)


CHILD = """
import sys
from pathlib import Path
import numpy as np
from pilotfish.store.vectors import VectorRow, VectorTable

folder, model, dims = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
table = VectorTable.open(folder, model, dims)
numbers = np.random.default_rng(0)
turn = 0
while True:
    turn += 1
    rows = [
        VectorRow(f"{file}.py", f"turn {turn}", "function", "python", line + turn, 999, "text " * 200, bytes(16))
        for file in range(40)
        for line in range(10)
    ]
    table.replace([f"{file}.py" for file in range(40)], rows, numbers.normal(size=(len(rows), dims)).astype("f4"))
    table.maintain(idle=turn % 5 == 0)
    print(turn, flush=True)
"""


def test_a_kill_in_the_middle_of_writing_leaves_whole_files(folder: Path, table: VectorTable) -> None:
    table.close()
    wait = np.random.default_rng(1)
    for kill in range(2):
        child = subprocess.Popen(
            [sys.executable, "-I", "-c", CHILD, str(folder), MODEL, str(DIMS)], stdout=subprocess.PIPE
        )
        assert child.stdout is not None
        for _ in range(2 + kill):
            assert child.stdout.readline()
        time.sleep(float(wait.random()) * 0.1)
        child.kill()
        child.wait()
        child.stdout.close()
        opened = VectorTable.open(folder, MODEL, DIMS)
        hits = opened.search([1.0] * DIMS, 1_000, whole=True)
        assert len(hits) == opened.rows == 400
        assert len({hit.symbol_name for hit in hits}) == 1, "all files changed in one commit"
        opened.close()


def test_searches_go_on_while_others_write_and_look_after_the_table(table: VectorTable) -> None:
    rows = [row(f"{number}.py", f"n{number}") for number in range(50)]
    put(table, *rows)
    stop = threading.Event()

    def ask() -> int:
        asked = 0
        while not stop.is_set():
            hits = table.search(vector_of("n7"), 100)
            assert {hit.filepath for hit in hits} == {each.filepath for each in rows}, "no file is ever missing"
            asked += 1
        return asked

    with ThreadPoolExecutor(2) as pool:
        asking = [pool.submit(ask) for _ in range(2)]
        for number in range(30):
            put(table, row("1.py", "n1", number + 2))
            table.maintain(idle=True)
        stop.set()
        assert all(each.result() for each in asking)
