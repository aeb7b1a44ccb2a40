"""Code packed into a budget."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pilotfish.retrieval.context import Piece, budget_for, is_changelog, pack, speaks_of_changelogs


def words(text: str) -> int:
    return len(text.split())


def characters(text: str) -> int:
    return -(-len(text) // 4)


def piece(path: str, start: int, lines: int, signature: str = "", text: str = "") -> Piece:
    body = text or "\n".join(f"line {number} of {path}" for number in range(start, start + lines))
    return Piece(path, start, start + lines - 1, body, signature, "python")


def test_the_best_comes_whole_then_signatures_the_best_file_first() -> None:
    found = [piece("b.py", 10, 5, "def b()"), piece("a.py", 40, 50, "def long(x)"), piece("a.py", 1, 2, "def a()")]
    context = pack(found, 60, words)
    assert [(one.piece.path, one.piece.line_start, one.is_whole) for one in context.shown] == [
        ("b.py", 10, True),
        ("a.py", 1, True),
        ("a.py", 40, False),
    ]
    assert "Lines 40-89, signature only:\n```python\ndef long(x)\n```" in context.text
    assert context.tokens == words(context.text) <= 60
    assert context.omitted == 0


def test_nothing_is_shown_twice() -> None:
    inner, outer = piece("a.py", 5, 2), piece("a.py", 1, 20)
    for found in ([inner, outer], [outer, inner]):
        assert [one.piece for one in pack(found, 1_000, words).shown] == [outer]


def test_notes_of_releases_are_told_from_code() -> None:
    notes = ("CHANGES.rst", "CHANGELOG.md", "History.md", "docs/changes.md", "NEWS", "docs/releases/2.0.rst")
    assert all(map(is_changelog, notes))
    assert not any(map(is_changelog, ("lib/history.js", "src/news.py", "releases.go", "docs/guide.md", "changes/a.py")))
    assert all(map(speaks_of_changelogs, ("write the release notes", "what's new in 2.0", "update the changelog")))
    assert not any(map(speaks_of_changelogs, ("change how changes are flashed", "keep the history of a session")))


def test_fences_hold() -> None:
    context = pack([piece("a.md", 1, 3, text="```\ncode\n```")], 100, words)
    assert "````" in context.text


def test_the_share_of_a_stated_context() -> None:
    assert budget_for(8_000) == 3_200
    assert budget_for(0) == 0
    assert budget_for(-5) == 0


@given(
    st.lists(
        st.builds(
            piece,
            st.sampled_from(["a.py", "b.py", "c/d.py"]),
            st.integers(1, 50),
            st.integers(1, 30),
            st.sampled_from(["", "def f(a, b)"]),
        ),
        max_size=12,
    ),
    st.integers(0, 400),
    st.sampled_from([words, characters]),
)
def test_never_over_the_budget(found: list[Piece], budget: int, count: object) -> None:
    assert callable(count)
    context = pack(found, budget, count)
    assert context.tokens == (count(context.text) if context.text else 0) <= max(budget, 0)
    assert len(context.shown) + context.omitted <= len(found)


def test_a_path_is_one_line_and_what_is_unseen_joins_no_fence() -> None:
    context = pack([piece('a"\n```\n.md', 1, 3, text="``\u200b`\nout\n``\u200b`")], 100, words)
    assert context.text == '## "a\' ``` .md"\n\nLines 1-3:\n````python\n```\nout\n```\n````\n'
