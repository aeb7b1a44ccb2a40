"""The catalog survives what happens to files and processes, and says so in words."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from catalog_sources import parsed

from pilotfish.store import schema
from pilotfish.store.catalog import FILE_NAME, Batch, Catalog, CatalogDamagedError, CatalogError, CatalogFullError, Move

ONE = Batch(parsed=[parsed("one.py", "def one\nuse two")])
TWO = Batch(parsed=[parsed("two.py", "def two\nuse one one")])

ENDLESS_WRITER = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from catalog_sources import parsed
from pilotfish.store.catalog import Batch, Catalog
catalog = Catalog.open(Path(sys.argv[1]))
for number in range(1_000_000):
    files = [parsed(f"{number}/{each}.py", f"def name{number}_{each}\\nuse shared") for each in range(20)]
    print(catalog.apply(Batch(parsed=files, bulk=number % 3 == 0)), flush=True)
"""


def test_a_killed_writer_leaves_its_last_whole_batch(tmp_path: Path) -> None:
    child = subprocess.Popen(
        [sys.executable, "-c", ENDLESS_WRITER, str(tmp_path), str(Path(__file__).parent)], stdout=subprocess.PIPE
    )
    assert child.stdout is not None
    for _ in range(12):
        child.stdout.readline()
    os.kill(child.pid, signal.SIGKILL)
    told = [12, *map(int, child.stdout.read().split())][-1]
    child.wait()
    child.stdout.close()
    catalog = Catalog.open(tmp_path, on_damage=pytest.fail)
    reader = catalog.reader()
    files = len(list(reader.files()))
    assert files % 20 == 0
    assert files >= told * 20
    assert reader.uses("shared") == (files, files)
    assert len(reader.search_symbols("name", limit=10_000)) == files
    with sqlite3.connect(catalog.file) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()
    reader.close()
    catalog.close()


@pytest.mark.parametrize("damage", ["no database", "", "header"])
def test_a_file_that_is_no_catalog_is_set_aside_and_said_once(tmp_path: Path, damage: str) -> None:
    said: list[str] = []
    Catalog.open(tmp_path).close()
    file = tmp_path / FILE_NAME
    for _ in range(4):
        whole = file.read_bytes()
        file.write_bytes(damage.encode() * 200 if damage != "header" else b"\0" * 4096 + whole[4096:])
        said.clear()
        catalog = Catalog.open(tmp_path, on_damage=said.append)
        assert catalog.apply(ONE) >= 1
        catalog.close()
        assert len(said) == (damage != "")  # an empty file is an empty database
    aside = [path.name for path in tmp_path.iterdir() if "damaged" in path.name]
    assert len(aside) <= 2
    assert (len(aside) > 0) == (damage != "")


def test_damage_met_while_writing_begins_a_new_catalog(tmp_path: Path) -> None:
    said: list[str] = []
    catalog = Catalog.open(tmp_path, on_damage=said.append)
    catalog.apply(ONE)
    reader = catalog.reader()
    with sqlite3.connect(catalog.file) as connection:
        connection.execute("UPDATE outlines SET outline = x'00'")
    connection.close()
    with pytest.raises(CatalogDamagedError, match=r"one\.py"):
        reader.outline("one.py")
    with pytest.raises(CatalogDamagedError):
        catalog.apply(Batch(deleted=["one.py"]))
    assert len(said) == 1
    assert "damaged-1" in said[0]
    assert list(reader.files()) == []  # the reader has found the new file
    assert catalog.apply(TWO) > 1
    assert reader.symbols_named("two")
    reader.close()
    catalog.close()


def test_no_reader_meets_a_new_file_before_its_tables(catalog: Catalog) -> None:
    met: list[Exception] = []
    done = threading.Event()
    begun = threading.Barrier(3)

    def read(*, anew: bool) -> None:
        reader = catalog.reader()
        begun.wait(timeout=120)
        while not done.is_set():
            try:
                with reader:
                    assert list(reader.files()) == []
            except Exception as error:
                met.append(error)
            if anew:
                reader.close()
                reader = catalog.reader()
        reader.close()

    threads = [threading.Thread(target=read, kwargs={"anew": anew}) for anew in (False, True)]
    for thread in threads:
        thread.start()
    begun.wait(timeout=120)
    for _ in range(20):
        catalog.rebuild("a test says so")
        catalog.clear()
    done.set()
    for thread in threads:
        thread.join(timeout=120)
    assert met == []


def test_a_reader_never_makes_the_file_that_was_removed(tmp_path: Path) -> None:
    catalog = Catalog.open(tmp_path, on_damage=lambda said: None)
    catalog.apply(ONE)
    with catalog.reader() as before:
        for suffix in ("", "-wal", "-shm"):
            catalog.file.with_name(FILE_NAME + suffix).unlink(missing_ok=True)
        with pytest.raises(CatalogDamagedError, match="was removed"):
            catalog.reader()
        assert not catalog.file.exists()
        catalog.file.touch()
        with pytest.raises(CatalogDamagedError), catalog.reader():
            pass
        assert list(before.files())
    catalog.rebuild("a test says so")
    assert list(before.files()) == []
    before.close()
    catalog.close()


def test_a_full_disk_loses_nothing(catalog: Catalog) -> None:
    catalog.apply(ONE)
    before = catalog.reader().dump()
    (pages,) = catalog._connection.execute("PRAGMA page_count").fetchone()
    catalog._connection.execute(f"PRAGMA max_page_count = {pages}")
    big = Batch(parsed=[parsed(f"{number}.py", f"def long_name_{number}\nuse one") for number in range(2_000)])
    with pytest.raises(CatalogFullError, match="free some space"):
        catalog.apply(big)
    assert (catalog.generation, catalog.reader().dump()) == (1, before)
    catalog._connection.execute("PRAGMA max_page_count = 1000000")
    catalog.apply(big)
    assert catalog.reader().uses("one") == (2_000, 2_000)


def test_a_refused_batch_changes_nothing(catalog: Catalog) -> None:
    catalog.apply(ONE)
    before = catalog.reader().dump()
    with pytest.raises(CatalogError, match="no such file"):
        catalog.apply(Batch(deleted=["one.py"], moves=[Move("none.py", "new.py", "rename")]))
    assert (catalog.generation, catalog.reader().dump()) == (1, before)
    catalog.apply(TWO)
    assert catalog.reader().uses("one") == (2, 1)


def test_readers_do_not_wait_for_the_writer(catalog: Catalog) -> None:
    catalog.apply(ONE)
    answers: list[object] = []

    def read() -> None:
        reader = catalog.reader()
        answers.append(reader.uses("two"))
        reader.close()

    with catalog._transaction():
        catalog._connection.execute("DELETE FROM names")
        thread = threading.Thread(target=read)
        thread.start()
        thread.join(timeout=20)
    assert answers == [(1, 1)]


def test_nothing_is_written_when_nothing_changed(catalog: Catalog) -> None:
    catalog.apply(ONE)
    catalog.checkpoint()
    before = [(path.name, path.stat().st_mtime_ns, path.stat().st_size) for path in sorted(catalog.folder.iterdir())]
    catalog.apply(Batch())
    catalog.settle()
    catalog.purge()
    catalog.checkpoint()
    reader = catalog.reader()
    reader.search_symbols("one")
    reader.close()
    after = [(path.name, path.stat().st_mtime_ns, path.stat().st_size) for path in sorted(catalog.folder.iterdir())]
    assert [entry for entry in after if not entry[0].endswith("-shm")] == [
        entry for entry in before if not entry[0].endswith("-shm")
    ]
    assert catalog.generation == 1


def test_the_log_is_cut_when_quiet(catalog: Catalog) -> None:
    catalog.apply(ONE)
    log = catalog.file.with_name(FILE_NAME + "-wal")
    assert log.stat().st_size > 0
    catalog.checkpoint()
    assert log.stat().st_size == 0


def test_a_bulk_load_that_broke_off_is_settled_at_the_next_start(tmp_path: Path) -> None:
    catalog = Catalog.open(tmp_path)
    catalog.apply(Batch(parsed=TWO.parsed, bulk=True))
    catalog.apply(Batch(parsed=ONE.parsed, bulk=True))
    assert catalog.reader().uses("one") == (0, 0)  # waits
    catalog._connection.close()  # as if killed
    again = Catalog.open(tmp_path)
    assert again.reader().uses("one") == (2, 1)
    again.close()


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(CatalogError, match=r"cannot use the index folder .*file"):
        Catalog.open(tmp_path / "file" / "index")


def test_an_old_sqlite_is_refused_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schema, "MINIMUM_SQLITE", (99, 0, 0))
    with pytest.raises(CatalogError, match=r"99\.0\.0 or newer"):
        Catalog.open(tmp_path)
