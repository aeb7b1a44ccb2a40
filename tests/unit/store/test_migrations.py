"""An index of an earlier version is taken over: on a copy, resumed where it broke off, checked, and swapped in."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from catalog_sources import parsed
from earlier_catalog import FILES, make

from pilotfish.store import migrations, schema
from pilotfish.store.catalog import FILE_NAME, Batch, Catalog


@pytest.fixture
def earlier(tmp_path: Path) -> Path:
    file = tmp_path / "s1" / FILE_NAME
    make(file)
    return file


@pytest.fixture
def current(tmp_path: Path) -> Path:
    return tmp_path / migrations.folder_name(schema.SCHEMA_VERSION)


def columns_and_indexes(file: Path) -> tuple[object, ...]:
    connection = sqlite3.connect(file)
    tables = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
    columns = [connection.execute(f"PRAGMA table_info({table})").fetchall() for table in tables]
    indexes = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'index' ORDER BY name").fetchall()
    connection.close()
    return tables, columns, indexes


def test_it_ends_as_if_built_anew(earlier: Path, current: Path, tmp_path: Path) -> None:
    steps: list[tuple[int, int]] = []
    old = earlier.read_bytes()
    earlier.with_name(migrations.FINGERPRINT).write_text("of then")
    taken = Catalog.open(current, on_damage=pytest.fail, on_progress=lambda done, total: steps.append((done, total)))
    fresh = Catalog.open(tmp_path / "fresh")
    fresh.apply(Batch(parsed=FILES))
    assert taken.reader().dump() == fresh.reader().dump()
    assert taken.generation == 1
    assert steps[-1][0] == steps[-1][1] > 0
    assert [hit.row.name for hit in taken.reader().search_symbols("gun")] == ["getUserName", "get_user_name"]
    taken.apply(Batch(parsed=[parsed("c.py", "def goUpNow")]))
    fresh.apply(Batch(parsed=[parsed("c.py", "def goUpNow")]))
    assert taken.reader().dump() == fresh.reader().dump()
    assert taken.reader().chunks.count() == 0
    assert current.joinpath(migrations.FINGERPRINT).read_text() == "of then"  # what differs asks for reading anew
    taken.close()
    fresh.close()
    assert columns_and_indexes(taken.file) == columns_and_indexes(fresh.file)
    assert earlier.read_bytes() == old
    Catalog.open(current).close()
    assert not earlier.exists()  # the next clean start needs it no more


def test_it_goes_on_where_it_was_stopped(earlier: Path, current: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(migrations, "ROWS_PER_TRANSACTION", 2)

    class StoppedError(Exception):
        pass

    def stop(done: int, total: int) -> None:
        raise StoppedError

    seen: list[int] = []
    for _ in range(2):
        with pytest.raises(StoppedError):
            Catalog.open(current, on_progress=stop)
        assert not (current / FILE_NAME).exists()
    catalog = Catalog.open(current, on_damage=pytest.fail, on_progress=lambda done, total: seen.append(done))
    assert seen[0] == 6  # two transactions of two rows were done before
    assert len(catalog.reader().search_symbols("gun")) == 2
    assert [path.name for path in current.iterdir() if "migrating" in path.name] == []
    catalog.close()


@pytest.mark.parametrize("fault", ["no database", "rows lost", "table lost"])
def test_one_that_cannot_be_taken_over_is_left_and_the_index_built_anew(
    earlier: Path, current: Path, fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if fault == "no database":
        earlier.write_bytes(b"no database" * 1_000)
    elif fault == "table lost":
        connection = sqlite3.connect(earlier)
        connection.execute("DROP TABLE symbols")
        connection.close()
    else:
        step = migrations.STEPS[1]

        def lossy(connection: sqlite3.Connection, on_progress: migrations.OnProgress) -> None:
            step(connection, on_progress)
            connection.execute("DELETE FROM symbols WHERE line = 1")

        monkeypatch.setitem(migrations.STEPS, 1, lossy)
    said: list[str] = []
    catalog = Catalog.open(current, on_damage=said.append)
    assert list(catalog.reader().files()) == []
    assert len(said) == 1
    assert "earlier version" in said[0]
    catalog.apply(Batch(parsed=FILES))
    catalog.close()
    assert earlier.exists()


def test_one_in_use_is_not_deleted(earlier: Path, current: Path) -> None:
    Catalog.open(current).close()
    user = schema.connect(str(earlier), read_only=True)
    user.execute("SELECT * FROM files").fetchone()
    Catalog.open(current).close()
    assert earlier.exists()
    user.close()
    Catalog.open(current).close()
    assert not earlier.exists()


def test_a_newer_version_is_never_touched(current: Path, tmp_path: Path) -> None:
    newer = tmp_path / migrations.folder_name(schema.SCHEMA_VERSION + 1) / FILE_NAME
    newer.parent.mkdir()
    newer.write_bytes(b"of another installation")
    Catalog.open(current).close()
    assert newer.read_bytes() == b"of another installation"
