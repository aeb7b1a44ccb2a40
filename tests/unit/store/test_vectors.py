"""The table of vectors: whole files at once, odd names, filters, damage, kills, swaps; with the real LanceDB."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from pilotfish.store.vector_rows import (
    BadVectorError,
    VectorFilters,
    VectorRow,
    VectorsDamagedError,
    VectorsMissingError,
)
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
    return {(hit.filepath, hit.symbol_name) for hit in table.search(vector_of(asked), 1_000, filters)}


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
    assert table.append(rows, vectors(rows)).rows == 2
    first, second = table.search(vector_of("open"), 5, with_text=True)
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
    table.rename({"a.py": "b.py", "b.py": "a.py", "c.py": "d.py"}, moved, vectors(moved))
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
    assert len({hit.id for hit in table.search(vector_of("c"), 9)}) == table.rows == 4


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
    table.append(rows, vectors(rows))
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
        table.append(rows, np.ones((1, DIMS - 1), dtype=np.float32))
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


def test_a_table_made_anew_takes_over_when_it_is_ready(folder: Path, table: VectorTable) -> None:
    put(table, row("a.py", "old"))
    anew = table.begin_anew()
    put(anew, row("a.py", "new"))
    assert names(table) == {("a.py", "old")}
    assert names(VectorTable.open(folder, MODEL, DIMS)) == {("a.py", "old")}, "and what was begun is swept away"
    anew = table.begin_anew()
    put(anew, row("a.py", "new"))
    table.swap_in(anew)
    put(table, row("b.py", "later"))
    assert names(table) == names(VectorTable.open(folder, MODEL, DIMS)) == {("a.py", "new"), ("b.py", "later")}
    assert len(list(folder.glob("*.lance"))) == 1
