"""Which files a slow model embeds, and in which order."""

from __future__ import annotations

from pilotfish.indexing.selection import LEAST_FILES, Worth, in_order, selected

FILES = {f"src/{number:03}.py": "python" for number in range(400)} | {"README.md": "markdown", "docs/a.rst": "rst"}
RANKS = {path: 1.0 / (1 + place) for place, path in enumerate(sorted(FILES, reverse=True))}


def test_the_most_valuable_come_first() -> None:
    worth = Worth(ranks=RANKS, recent={"src/001.py"}, open_paths={"src/000.py"}, named=("src/002*",))
    order = in_order(FILES, worth)
    assert order[:2] == ["src/000.py", "src/002.py"]
    assert order[2:] == sorted(set(FILES) - set(order[:2]), key=lambda path: -RANKS[path])
    assert in_order({"b.py": "python", "a.md": "markdown", "c.py": "python"}, Worth(recent={"c.py"})) == [
        "a.md",
        "c.py",
        "b.py",
    ]


def test_a_selection_has_the_best_prose_what_is_recent_open_or_named() -> None:
    worth = Worth(ranks=RANKS, recent={"src/001.py"}, open_paths={"src/000.py"}, named=("/src/002.py",))
    chosen = selected(FILES, worth, 0.2)
    best = set(sorted(RANKS, key=lambda path: -RANKS[path])[:80])
    assert chosen == best | {"README.md", "docs/a.rst", "src/000.py", "src/001.py", "src/002.py"}


def test_a_small_repository_is_embedded_whole_unless_rank_shall_not_count() -> None:
    few = dict(list(FILES.items())[:LEAST_FILES])
    assert selected(few, Worth(ranks=RANKS), 0.2) == set(few)
    assert selected(few, Worth(ranks=RANKS), 0.0) == set()
