"""Outlines of the fixtures, compared with the outlines that lie beside them.

`PILOTFISH_UPDATE_GOLDENS=1` writes them anew; the difference is then read like any other.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.readers import OUTLINER

from pilotfish.syntax.documentation import documentation, signature
from pilotfish.syntax.languages import REGISTRY
from pilotfish.syntax.outline import Outline, Role, Visibility
from pilotfish.syntax.patterns import query_source

FIXTURES = Path(__file__).parents[2] / "fixtures" / "outlines"
GOLDEN = ".outline"
LANGUAGES = tuple(REGISTRY)


def sources() -> list[Path]:
    return sorted(path for path in FIXTURES.glob("*/*") if path.suffix != GOLDEN)


def test_every_language_has_a_fixture() -> None:
    assert sorted(path.name for path in FIXTURES.iterdir()) == sorted(LANGUAGES)


def rendered(outline: Outline, text: bytes) -> Iterator[str]:
    """The outline as lines without offsets: definitions by nesting, then references, imports and exports."""
    depths: list[int] = []
    for symbol in outline.symbols:
        depths.append(depths[symbol.parent] + 1 if symbol.parent >= 0 else 0)
        container = f" of {symbol.container}" if symbol.container else ""
        seen = f" ({symbol.visibility.name.lower()})" if symbol.visibility is not Visibility.PUBLIC else ""
        line = signature(text, symbol, outline.language)
        outer = outline.symbols[symbol.parent].start if symbol.parent >= 0 else 0
        prose = documentation(text, symbol, outline.language, outer)
        prose = f"  -- {prose}" if prose else ""
        yield f"{'  ' * depths[-1]}{symbol.kind.label} {symbol.name}{container}{seen}: {line}{prose}"
    yield ""
    for role in Role:
        names = sorted(f"{group.name}*{len(group.offsets)}" for group in outline.references if group.role is role)
        if names:
            yield f"{role.name.lower()}: {' '.join(names)}"
    yield from (f"import: {statement.module}" for statement in outline.imports)
    yield from (f"export: {name}" for name in outline.exports)


@pytest.mark.parametrize("source", sources(), ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_fixture_has_the_outline_beside_it(source: Path) -> None:
    data = source.read_bytes()
    outline = OUTLINER.outline(data, source.parent.name)
    text = "\n".join(rendered(outline, data)) + "\n"
    golden = source.with_name(source.name + GOLDEN)
    if os.environ.get("PILOTFISH_UPDATE_GOLDENS"):
        golden.write_text(text, "utf-8")
    assert text == golden.read_text("utf-8")


@pytest.mark.parametrize("source", sources(), ids=lambda path: f"{path.parent.name}/{path.name}")
def test_offsets_of_an_outline_lie_in_its_text(source: Path) -> None:
    text = source.read_bytes()
    outline = OUTLINER.outline(text, source.parent.name)
    for number, symbol in enumerate(outline.symbols):
        assert text[symbol.name_start : symbol.name_end].decode() == symbol.name
        assert 0 <= symbol.start <= symbol.name_start < symbol.name_end <= symbol.end <= len(text)
        assert symbol.parent < number
    for group in outline.references:
        for offset in group.offsets:
            assert text[offset:].startswith(group.name.encode())


@pytest.mark.parametrize("language", [name for name, language in REGISTRY.items() if language.nodes is None])
def test_settings_stand_before_predicates(language: str) -> None:
    """After a predicate, `#set!` makes py-tree-sitter 0.26.1 write where it may not."""
    for pattern in re.split(r"\n\n+", query_source(language)):
        assert not re.search(r"#(?!set!)\w[^\n]*\n[^\n]*#set!|#(?!set!)\w.*#set!", pattern)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("json", b"{" + b",".join(b'"k%d": {"a": 1}' % number for number in range(3_000)) + b"}"),
        ("toml", b"".join(b"[t%d]\na = 1\n" % number for number in range(3_000))),
        ("yaml", b"".join(b"k%d:\n  a: 1\n" % number for number in range(3_000))),
    ],
)
def test_a_data_file_gives_a_bounded_number_of_keys_the_outer_first(language: str, text: bytes) -> None:
    symbols = OUTLINER.outline(text, language).symbols
    assert len(symbols) == 1_000
    assert all(symbol.parent == -1 for symbol in symbols)


def test_deep_nesting_of_data_is_not_searched() -> None:
    assert OUTLINER.outline(b"[" * 20_000, "json").symbols == []
    assert len(OUTLINER.outline(b'{"a":' * 5_000 + b"1" + b"}" * 5_000, "json").symbols) == 3
