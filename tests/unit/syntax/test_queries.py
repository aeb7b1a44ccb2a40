"""Every pattern of every query finds something: when a grammar changes under a query, it compiles and finds nothing."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from tree_sitter import Parser, Query, QueryCursor
from tree_sitter_language_pack import get_language

from pilotfish.syntax.languages import REGISTRY
from pilotfish.syntax.matching import Captures, Matcher
from pilotfish.syntax.outlines import Outliner
from pilotfish.syntax.patterns import Patterns, query_source

FIXTURES = Path(__file__).parents[2] / "fixtures" / "outlines"
READS_ALSO = {
    "objc": ("c",),
    "cuda": ("cpp",),
    "fortran_fixed": ("fortran",),
    "glsl": ("c",),
    "hlsl": ("cpp",),
    "typescript": ("javascript",),
    "tsx": ("javascript", "typescript"),
}
"""Languages whose fixtures a language's grammar reads as well."""


QUERIES = [(language, language) for language, known in REGISTRY.items() if known.nodes is None] + [
    (language, f"{language}.injections") for language, known in REGISTRY.items() if known.injected
]


@pytest.mark.parametrize(("language", "name"), QUERIES, ids=[name for _, name in QUERIES])
def test_every_pattern_finds_something_in_the_fixtures(language: str, name: str) -> None:
    source = query_source(name)
    grammar = get_language(REGISTRY[language].grammar)  # type: ignore[arg-type]
    query = Query(grammar, source)
    prepared = REGISTRY[language].prepared or bytes
    found: set[int] = set()
    for folder in (language, *READS_ALSO.get(language, ())):
        for fixture in (FIXTURES / folder).iterdir():
            if fixture.suffix != ".outline":
                tree = Parser(grammar).parse(prepared(fixture.read_bytes()))
                found |= {pattern for pattern, _ in QueryCursor(query).matches(tree.root_node)}
    text = source.encode()
    missed = [
        text[query.start_byte_for_pattern(pattern) : query.end_byte_for_pattern(pattern)].decode()
        for pattern in range(query.pattern_count)
        if pattern not in found
    ]
    assert missed == []


def keys(matches: Iterable[tuple[int, Captures]]) -> set[tuple[Any, ...]]:
    return {
        (pattern, *((name, node.start_byte, node.end_byte) for name, nodes in captures.items() for node in nodes))
        for pattern, captures in matches
    }


@pytest.mark.parametrize(
    ("language", "name"),
    [(language, name) for language, name in QUERIES if name != language or "#set! near" in query_source(name)],
)
def test_nothing_that_is_looked_for_near_marks_lies_elsewhere(language: str, name: str) -> None:
    known = REGISTRY[language]
    source = query_source(name)
    grammar = get_language(known.grammar)  # type: ignore[arg-type]
    query = Query(grammar, source)
    patterns = Patterns(query, source.encode()) if name == language else None
    near, marks = (patterns.near, patterns.marks) if patterns else (range(query.pattern_count), known.injected)
    everywhere = QueryCursor(Query(grammar, source))
    matcher = Matcher(grammar, source, query, near, marks, None)
    for fixture in (FIXTURES / language).iterdir():
        if fixture.suffix != ".outline":
            text = (b"\n" * 8_000).join([fixture.read_bytes()] * 2)  # else everything is near
            root = Parser(grammar).parse(text).root_node
            assert keys(matcher.matches(root, text)) == keys(everywhere.matches(root))


@pytest.mark.parametrize("name", [name for _, name in QUERIES])
def test_no_predicate_lets_everything_through(name: str) -> None:
    assert "#not-any-of?" not in query_source(name)  # tree-sitter 0.26.1 takes it for true


def test_a_misspelt_capture_and_a_misplaced_setting_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    for source, problem in (
        ("(identifier) @defintion.function", "unknown capture @defintion.function"),
        ('((identifier) @name (#eq? @name "x") (#set! lead "y")) @scope', "#set! after a predicate"),
    ):
        monkeypatch.setattr("pilotfish.syntax.outlines.query_source", lambda _name, source=source: source)
        with pytest.raises(ValueError, match=problem):
            Outliner().outline(b"", "python")
