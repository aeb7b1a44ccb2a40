"""Scopes and chains: every query compiles and its captures are known, and no text makes them fail."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pilotfish.syntax import brackets, expressions
from pilotfish.syntax.scopes import MOST_BYTES, ScopeReader, languages_with_scopes

READER = ScopeReader()


@pytest.mark.parametrize("language", sorted(languages_with_scopes()))
def test_each_language_has_scopes(language: str) -> None:
    scopes = READER.read(b"", language)
    assert scopes is not None
    assert scopes.local("x", 0) == []


def test_a_parameter_hides_what_is_around_it_and_ends_with_its_function() -> None:
    text = (
        b"x = 1\n\n\ndef f(x, y=x):\n    def g():\n        return x\n\n    global z\n    z = 2\n    return x\n\n\nx\n"
    )
    scopes = READER.read(text, "python")
    assert scopes is not None
    (inner,) = scopes.local("x", text.index(b"x\n\n    global"))
    assert inner.start == text.index(b"x, y")
    assert scopes.local("x", len(text) - 2) == []
    assert scopes.local("z", text.index(b"z = 2")) == []


@pytest.mark.parametrize(
    "text", [b"[" * 50_000, b"(" * 20_000 + b")" * 20_000, b"x=" * 100_000, b"x" * (MOST_BYTES + 1)]
)
def test_texts_that_nobody_writes_are_passed_over_or_read(text: bytes) -> None:
    for language in ("python", "typescript"):
        READER.read(text, language)


@pytest.mark.parametrize(
    ("text", "links"),
    [
        (b"a.b(c, [d]).e", "a b () e"),
        (b"a?.b![0].c", "a b [] c"),
        (b"(await a.b()).c", "a b () await c"),
        (b"new A<B>(x).c", "A () c"),
        (b"a .\n  // a remark. here\n  b.c", "a b c"),
    ],
)
def test_chains_are_read_forwards_and_backwards(text: bytes, links: str) -> None:
    def shown(chain: expressions.Chain | None) -> list[str]:
        signs = {"call": "()", "index": "[]", "await": "await"}
        return [] if chain is None else [each.name or signs[each.kind] for each in chain.links]

    assert shown(expressions.chain(text, 0, len(text))) == links.split()
    assert shown(expressions.chain_before(text, len(text) - 1, "typescript")) == links.split()[:-1]


@given(st.binary(max_size=200), st.sampled_from(["python", "typescript", "rust", None]))
def test_no_bytes_make_them_fail(text: bytes, language: str | None) -> None:
    for offset in range(0, len(text) + 1, 7):
        expressions.chain_before(text, offset, language)
        expressions.is_behind_dot(text, offset, language)
        expressions.chain(text, offset, len(text))
        brackets.matching(text, offset, len(text))
    READER.read(text, language)
