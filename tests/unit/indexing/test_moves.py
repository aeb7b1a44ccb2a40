"""Moves are found by content, whole folders and swaps included, and the pairing is deterministic."""

from __future__ import annotations

import random

from pilotfish.indexing.moves import Holder, find_moves

A, B, C, EMPTY = ((name, "python") for name in (b"a", b"b", b"c", b""))


def moves(targets, holders, *, left=(), announced=None):
    def is_empty(folder: str) -> bool:
        return not any(path.startswith(folder + "/") for path in left)

    found = find_moves(targets, holders, is_empty=is_empty, announced=announced or {})
    return [tuple(move) for move in found]


def test_a_rename_is_a_move_and_a_second_target_a_copy():
    holders = {A: [Holder("x.py", "gone")]}
    assert moves({"y.py": A}, holders) == [("x.py", "y.py", "rename")]
    assert moves({"y.py": A, "z.py": A}, holders) == [("x.py", "y.py", "rename"), ("x.py", "z.py", "copy")]


def test_content_that_stays_is_copied():
    assert moves({"y.py": A}, {A: [Holder("x.py", "kept")]}) == [("x.py", "y.py", "copy")]


def test_swaps_and_rotations():
    swap = {A: [Holder("a.py", "replaced")], B: [Holder("b.py", "replaced")]}
    assert moves({"a.py": B, "b.py": A}, swap) == [("b.py", "a.py", "swap"), ("a.py", "b.py", "swap")]
    rotation = {**swap, C: [Holder("c.py", "replaced")]}
    assert moves({"a.py": B, "b.py": C, "c.py": A}, rotation) == [
        ("b.py", "a.py", "rename"),
        ("c.py", "b.py", "rename"),
        ("a.py", "c.py", "rename"),
    ]


def test_a_file_that_was_moved_and_written_anew():
    assert moves({"log.1": A, "log": (b"new", None)}, {A: [Holder("log", "replaced")]}) == [("log", "log.1", "rename")]


def test_a_folder_moves_as_one_when_nothing_is_left_of_it():
    holders = {A: [Holder("old/sub/a.py", "gone")], B: [Holder("old/b.py", "gone")]}
    targets = {"new/sub/a.py": A, "new/b.py": B}
    assert {kind for *_, kind in moves(targets, holders)} == {"folder"}
    assert {kind for *_, kind in moves(targets, holders, left=["old/c.py"])} == {"rename"}


def test_equal_files_keep_their_places_in_a_moved_folder():
    names = [f"{part}/__init__.py" for part in ("a", "b", "c/d", "c")]
    holders = {EMPTY: [Holder(f"old/{name}", "gone") for name in names]}
    targets = {f"new/deep/{name}": EMPTY for name in names}
    expected = sorted((f"old/{name}", f"new/deep/{name}", "folder") for name in names)
    assert sorted(moves(targets, holders)) == expected


def test_what_an_editor_announced_wins():
    holders = {EMPTY: [Holder("a/x.py", "gone"), Holder("b/x.py", "gone")]}
    targets = {"c/x.py": EMPTY, "d/x.py": EMPTY}
    found = moves(targets, holders, announced={"c/x.py": "b/x.py", "d/x.py": "a/x.py"})
    assert [(old, new) for old, new, _ in found] == [("b/x.py", "c/x.py"), ("a/x.py", "d/x.py")]


def test_the_order_of_events_does_not_matter():
    paths = [f"{folder}/{name}" for folder in "abc" for name in ("x.py", "y.py", "z.py")]
    targets = [(f"moved/{path}", EMPTY) for path in paths]
    results = set()
    for seed in range(5):
        shuffled, holders = targets[:], [Holder(path, "gone") for path in paths]
        random.Random(seed).shuffle(shuffled)
        random.Random(seed + 100).shuffle(holders)
        results.add(tuple(moves(dict(shuffled), {EMPTY: holders})))
    assert len(results) == 1
    assert {(f"moved/{old}", new) for old, new, _ in next(iter(results))} == {(new, new) for new, _ in targets}
