"""The letters of names in memory find what reading every name would, in parts of rising looseness."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pilotfish.store import names as name_index
from pilotfish.store.matching import holds_nearly, is_subsequence, looseness

NAMES = st.lists(st.text("ab_x", min_size=1, max_size=20), unique=True, max_size=60)
QUERIES = st.text("ab_x", min_size=1, max_size=4)


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(names=NAMES, later=NAMES, wanted=QUERIES)
def test_parts_hold_every_match_the_tightest_first(
    names: list[str], later: list[str], wanted: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(name_index, "_TESTED_AT_ONCE", 3)
    index = name_index.NameIndex()
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE names (id INTEGER PRIMARY KEY, folded TEXT)")
    for more in (names, later):
        connection.executemany("INSERT INTO names (folded) VALUES (?)", [(name,) for name in more])
        index.refresh(connection)
    rows = connection.execute("SELECT id, folded FROM names").fetchall()
    connection.close()
    searches = [(index.subsequence(wanted), is_subsequence)]
    if len(wanted) < 3:
        searches.append((index.infix(wanted), lambda part, name: part in name))
    for parts, matches in searches:
        found = [list(zip(loose.tolist(), ids.tolist(), strict=True)) for ids, loose in parts]
        together = [each for part in found for each in part]
        assert together == sorted((looseness(name, wanted), row) for row, name in rows if matches(wanted, name))
        spans = [(part[0][0], part[-1][0]) for part in found if part]
        assert all(before[1] < after[0] for before, after in pairwise(spans))


@settings(deadline=None)
@given(
    names=st.lists(st.text("ab_x", min_size=1, max_size=90), unique=True, max_size=60),
    wanted=st.text("ab_x", min_size=1, max_size=12),
    longest=st.integers(0, 90),
)
def test_names_that_hold_all_letters_but_one_are_found(names: list[str], wanted: str, longest: int) -> None:
    shorter = [wanted[:place] + wanted[place + 1 :] for place in range(len(wanted))]
    expected = {name for name in names if any(is_subsequence(each, name) for each in shorter)}
    assert {name for name in names if holds_nearly(name, wanted)} == expected
    index = name_index.NameIndex()
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute("CREATE TABLE names (id INTEGER PRIMARY KEY, folded TEXT)")
        connection.executemany("INSERT INTO names VALUES (?, ?)", enumerate(names, 1))
        index.refresh(connection)
    found = {names[each - 1] for each in index.nearly(wanted, longest).tolist()}
    assert found >= {name for name in expected if len(name) <= longest}
    assert all(len(name) <= longest for name in found)
    assert {name for name in found if len(name) <= 64} <= expected
