"""Text and regular expressions: what is found is what stands there, and no expression can hurt."""

from __future__ import annotations

import contextlib
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pilotfish.engine.passages import snippet
from pilotfish.engine.searching.text_search import MOST_IN_FILE, grown_size, matches, pattern_of
from pilotfish.engine.wire import OperationError
from pilotfish.syntax.terms import terms

TEXTS = st.text(st.sampled_from("abA é\n_x.漢"), max_size=60)


@given(TEXTS, st.text(st.sampled_from("abAé_x.漢"), min_size=1, max_size=3))
def test_a_literal_is_found_wherever_it_stands(text: str, wanted: str) -> None:
    pattern = pattern_of(wanted, as_text=True)
    assert pattern is not None
    flags = re.IGNORECASE if wanted == wanted.lower() else 0
    expected = [match.span() for match in re.finditer(re.escape(wanted), text, flags)][:MOST_IN_FILE]
    data = text.encode()
    found = [place for _, _, places in matches(pattern, [("a", data)]) for place in places]
    assert [(len(data[:start].decode()), len(data[:end].decode())) for start, end in found] == expected


@pytest.mark.parametrize(
    ("query", "finds", "not_found"),
    [
        ('"not Found"', "it is not Found", "it is not found"),
        ("'not found'", "NOT  FOUND", "notfound"),
        ("/a+b/", "xaab", "a+b"),
        ("/A+B/i", "xaab", "c"),
        ("/^end$/", "the\nend\n", "the end"),
        ("/a.b/s", "a\nb", "ab"),
        (r"/\p{Lu}é/", "Éé", "éé"),
    ],
)
def test_quotes_and_slashes_say_how_to_search(query: str, finds: str, not_found: str) -> None:
    pattern = pattern_of(query, as_text=False)
    assert pattern is not None
    texts = [("yes", finds.encode()), ("no", not_found.encode())]
    assert [path for path, _, _ in matches(pattern, texts)] == ["yes"]


@pytest.mark.parametrize("query", ['""', "''", "``", '" "', "//", "//i"])
def test_quotes_around_nothing_are_refused(query: str) -> None:
    with pytest.raises(OperationError, match="nothing stands in"):
        pattern_of(query, as_text=False)
    assert pattern_of(query, as_text=True) is not None


@given(
    st.lists(
        st.sampled_from(["getUser", "getuser", "GETUSER", "get_user", "utf8", "UTF8", "naïve", "x", "v2", "the"])
    ).map(" ".join),
    st.text(st.sampled_from("abgetusrGU8 _."), max_size=8),
    st.integers(0, 30),
    st.integers(1, 30),
)
def test_every_text_with_a_match_has_the_terms_of_the_pattern(text: str, rest: str, start: int, length: int) -> None:
    """Files without them are not even read."""
    wanted = text[start : start + length] or "user"
    pattern = pattern_of(wanted if wanted.strip() else "user", as_text=True)
    assert pattern is not None
    for there in (text + rest, text.upper(), text.lower(), text.title()):
        if list(matches(pattern, [("a", there.encode())])):
            assert set(pattern.terms) <= set(terms(there).split()), there


def test_questions_are_no_patterns() -> None:
    for query in ("", "where is it", "don't panic, it's fine", '"one" and "two"', "either/or", "/"):
        assert pattern_of(query, as_text=False) is None


@pytest.mark.parametrize(
    "expression",
    [
        "(",
        "[",
        "a{",
        "*",
        "a**",
        "(?P<n",
        r"\L<names>",
        "(" * 900,
        "(?:a{1000}){1000}",
        "((((a{100}){100}){100}){100})",
        "[a[](?:a{1000}){1000}",
        "(?x)(?:a{1 0 0 0}){1 0 0 0}",
        "(?i-x:a){3}",
        "a" * 1001,
    ],
)
def test_expressions_that_are_wrong_or_too_large_do_no_harm(expression: str) -> None:
    with contextlib.suppress(OperationError):  # `a{` and the like mean themselves
        pattern = pattern_of(f"/{expression}/", as_text=False)
        assert pattern is not None
        list(matches(pattern, [("a", b"aaa")]))


@pytest.mark.parametrize("expression", [r"(\w|_|[a-z])+#", r"(([a-z])+.)+[A-Z]([a-z])+$"])
def test_expressions_that_never_end_are_given_up(expression: str) -> None:
    pattern = pattern_of(f"/{expression}/", as_text=False)
    assert pattern is not None
    with pytest.raises(OperationError, match="given up"):
        list(matches(pattern, [("a.py", b"a" * 3_000 + b" b # B")]))


@given(st.text(st.sampled_from("ab(){}[]0123456789,*+?|\\^$.-:<>=!PR&~#i"), max_size=30))
def test_any_expression_is_compiled_or_refused(expression: str) -> None:
    with contextlib.suppress(OperationError):
        pattern = pattern_of(f"/{expression}/", as_text=False)
        if pattern is not None:
            list(matches(pattern, [("a", b"ab01(ab)")]))


@given(st.integers(1, 99), st.integers(0, 99), st.integers(1, 5))
def test_what_an_expression_grows_to_is_never_reckoned_too_small(inner: int, outer: int, atoms: int) -> None:
    expression = f"(?:{'a' * atoms}{{{inner}}}){{{outer},{outer + 1}}}"
    assert grown_size(expression) >= (atoms - 1 + inner) * (outer + 1)


@given(st.lists(st.text(st.sampled_from("ab é"), max_size=600), max_size=60), st.integers(0, 2_000))
def test_a_snippet_is_whole_lines_within_its_size(lines: list[str], limit: int) -> None:
    cut = snippet(lines, limit)
    assert len(cut) <= limit
    if len("\n".join(lines)) <= limit and all(len(line) <= 400 for line in lines):
        assert cut == "\n".join(lines)
    elif cut:
        *kept, last = cut.split("\n")
        shown = [line if len(line) <= 400 else line[:399] + "…" for line in lines]
        if cut != "\n".join(shown):
            assert kept == shown[: len(kept)]
            assert last == f"… {len(lines) - len(kept):,} more line{'s' * (len(lines) - len(kept) != 1)}"
