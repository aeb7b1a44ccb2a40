"""The vector cache: several writers, bounded, and never a reason to fail."""

from __future__ import annotations

import hashlib
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from pilotfish.store.vector_cache import VectorCache, VectorCacheError, rounded

DIMS = 64
DAY_S = 86_400.0


def texts(*names: object) -> list[bytes]:
    return [hashlib.sha256(str(name).encode()).digest()[:16] for name in names]


def vectors(count: int, *, dims: int = DIMS, seed: int = 0) -> NDArray[np.float32]:
    made = np.random.default_rng(seed).standard_normal((count, dims)).astype(np.float32)
    return made / np.linalg.norm(made, axis=1, keepdims=True)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "model.sqlite"


def test_vectors_come_back_as_a_new_one_would_be_used(file: Path) -> None:
    made = vectors(700)
    made[3] = 0  # a text without words
    hashes = texts(*range(700))
    cache = VectorCache.open(file, DIMS)
    cache.add(hashes, made)
    found, known = cache.find([*reversed(hashes), *texts("other")])
    assert known.tolist() == [True] * 700 + [False]
    assert np.array_equal(found[:700], rounded(made)[::-1])
    assert np.allclose(found[:700], made[::-1], atol=1e-3)
    assert not found[700].any()
    assert np.allclose(np.delete(np.linalg.norm(found[:700], axis=1), 696), 1, atol=1e-6)
    cache.close()
    reopened = VectorCache.open(file, DIMS)
    assert len(reopened) == 700
    assert np.array_equal(reopened.find(hashes)[0], rounded(made))
    reopened.close()


def test_hashes_that_begin_alike_are_told_apart(file: Path) -> None:
    hashes = [b"same key" + str(number).rjust(8).encode() for number in range(5)]
    made = vectors(5)
    cache = VectorCache.open(file, DIMS)
    cache.add(hashes[:4], made[:4])
    found, known = cache.find(hashes)
    assert known.tolist() == [True] * 4 + [False]
    assert np.array_equal(found[:4], rounded(made[:4]))
    cache.close()


def test_the_file_is_less_than_half_of_raw_vectors(file: Path) -> None:
    count, dims = 4_000, 256
    made = vectors(count, dims=dims)
    cache = VectorCache.open(file, dims)
    for start in range(0, count, 64):
        cache.add(texts(*range(start, start + 64))[: count - start], made[start : start + 64])
    cache.close()
    assert cache.size_bytes() < 0.48 * count * dims * 4
    assert not file.with_name(file.name + "-wal").exists()


def test_a_reader_sees_what_another_process_added(file: Path) -> None:
    ours, theirs = VectorCache.open(file, DIMS), VectorCache.open(file, DIMS)
    made = vectors(2)
    theirs.add(texts("a"), made[:1])
    ours.add(texts("b"), made[1:])
    for cache in (ours, theirs):
        assert cache.find(texts("a", "b"))[1].all()
        cache.close()


WRITER = """
import sys
sys.path[:0] = {paths!r}
import numpy as np
from pathlib import Path
from pilotfish.store.vector_cache import VectorCache
cache = VectorCache.open(Path({file!r}), {dims})
for number in range(60):
    hashes = [bytes([{name}]) + number.to_bytes(2) + each.to_bytes(13) for each in range(5)]
    cache.add(hashes, np.full((5, {dims}), number / 100, np.float32))
    assert cache.find(hashes)[1].all()
cache.close()
"""


def test_two_processes_write_at_once(file: Path) -> None:
    writers = [
        subprocess.Popen(
            [sys.executable, "-I", "-c", WRITER.format(paths=sys.path, file=str(file), dims=DIMS, name=name)]
        )
        for name in (1, 2)
    ]
    assert [writer.wait(60) for writer in writers] == [0, 0]
    cache = VectorCache.open(file, DIMS)
    assert len(cache) == 600
    hashes = [bytes([1]) + number.to_bytes(2) + (4).to_bytes(13) for number in range(1, 60)]
    assert cache.find(hashes)[1].all()
    cache.close()


def test_reading_writes_nothing_but_keeps_alive(file: Path) -> None:
    days = 0.0
    cache = VectorCache.open(file, DIMS, clock=lambda: days * DAY_S)
    cache.add(texts("old"), vectors(1))
    cache.close()
    before = file.read_bytes()
    cache = VectorCache.open(file, DIMS, clock=lambda: days * DAY_S)
    cache.find(texts("old", "none"))
    cache.close()
    assert file.read_bytes() == before
    days = 5.0
    cache = VectorCache.open(file, DIMS, clock=lambda: days * DAY_S)
    cache.find(texts("old"))
    assert file.read_bytes() == before
    cache.add(texts("new"), vectors(1))
    cache.close()
    with sqlite3.connect(file) as connection:
        assert connection.execute("SELECT used FROM blocks").fetchall() == [(5,), (5,)]
    connection.close()


def test_the_longest_unused_go_when_it_is_full(file: Path) -> None:
    day = 0.0
    cache = VectorCache.open(file, 512, most_mb=1, clock=lambda: day * DAY_S)
    cache.add(texts("used"), vectors(1, dims=512))
    for number in range(40):  # about 55 KB each: more than twice what there is room for
        day = float(number)
        hashes = texts(*(f"{number} {each}" for each in range(120)))
        cache.add(hashes, vectors(120, dims=512, seed=number))
        assert cache.find(texts("used"))[1].all()
    assert not cache.find(texts("0 0"))[1].any()
    assert cache.find(hashes)[1].all()
    cache.close()
    assert file.stat().st_size < 1.1 * 1024 * 1024
    smaller = VectorCache.open(file, 512, most_mb=1, clock=lambda: day * DAY_S)
    assert len(smaller) < 40 * 120
    smaller.close()


def overwrite_everything(file: Path) -> None:
    file.write_bytes(b"no database at all " * 300)


def cut_short(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:5_000])


def of_another_size(file: Path) -> None:
    with sqlite3.connect(file) as connection:
        connection.execute("UPDATE meta SET value = 999 WHERE key = 'dims'")
    connection.close()


@pytest.mark.parametrize("damage", [overwrite_everything, cut_short, of_another_size])
def test_a_damaged_file_is_set_aside_and_filled_anew(file: Path, damage: Callable[[Path], None]) -> None:
    cache = VectorCache.open(file, DIMS)
    cache.add(texts(*range(300)), vectors(300))
    cache.close()
    damage(file)
    said: list[str] = []
    cache = VectorCache.open(file, DIMS, on_damage=said.append)
    cache.find(texts(*range(300)))
    cache.add(texts("new"), vectors(1))
    assert cache.find(texts("new"))[1].all()
    assert len(said) == 1
    assert "damaged" in said[0]
    assert [path.name for path in file.parent.glob("*.damaged")] == ["model.sqlite.damaged"]
    cache.close()


def test_changed_bytes_are_noticed(file: Path) -> None:
    made = vectors(3)
    cache = VectorCache.open(file, DIMS)
    cache.add(texts("a"), made[:1])
    cache.add(texts("b"), made[1:2])
    cache.close()
    with sqlite3.connect(file) as connection:
        (packed,) = connection.execute("SELECT vectors FROM blocks WHERE id = 1").fetchone()
        connection.execute("UPDATE blocks SET vectors = ? WHERE id = 1", (bytes([packed[0] ^ 1]) + packed[1:],))
    connection.close()
    cache = VectorCache.open(file, DIMS)
    assert cache.find(texts("a", "b"))[1].tolist() == [False, True]
    cache.add(texts("a"), made[:1])
    assert np.array_equal(cache.find(texts("a"))[0], rounded(made[:1]))
    cache.close()


def test_a_file_that_was_cleared_is_made_anew(file: Path) -> None:
    cache = VectorCache.open(file, DIMS)
    cache.add(texts("a"), vectors(1))
    for path in file.parent.iterdir():
        path.unlink()
    assert not cache.find(texts("a"))[1].any()
    cache.add(texts("b"), vectors(1))
    assert cache.find(texts("b"))[1].all()
    cache.close()


def test_unusable_places_and_vectors_are_refused_with_a_reason(file: Path) -> None:
    with pytest.raises(VectorCacheError, match="cannot be used"):
        VectorCache.open(file.parent / "missing" / "model.sqlite", DIMS)
    cache = VectorCache.open(file, DIMS)
    with pytest.raises(ValueError, match="do not fit"):
        cache.add(texts("a"), vectors(2))
    with pytest.raises(ValueError, match="float16"):
        cache.add(texts("a"), np.full((1, DIMS), np.nan, np.float32))
    cache.close()
