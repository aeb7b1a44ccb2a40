"""Locals in every language that has scopes: definition, references and highlights stay within them.

In `tests/fixtures/locals` a comment `@name:word` marks the first `word` on its line as a declaration, `@name-1:word` as
a use of it, and `@no-1:word` as a name that means no local.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.unit.engine.test_navigation import Editor

from pilotfish.engine.graphs import Graphs
from pilotfish.engine.view import View
from pilotfish.store.catalog import Catalog
from pilotfish.syntax.languages import detect
from pilotfish.syntax.scopes import ScopeReader, languages_with_scopes

FOLDER = Path(__file__).parents[2] / "fixtures" / "locals"
FILES = sorted(each.name for each in FOLDER.iterdir())
TOLD_ELSEWHERE = frozenset(("c", "cpp", "go", "java", "javascript", "python", "ruby", "rust", "tsx", "typescript"))

READER = ScopeReader()

_MARKER = re.compile(r"@([a-z]+)(-\d+)?:([^\s,]+)")


class KeepingEditor(Editor):
    """One that reads the scopes of a text once."""

    def __init__(self, root: Path, catalog: Catalog) -> None:
        super().__init__(root, catalog)
        self._graphs = Graphs(str(root))

    def view(self, uri: str = "", *, others: bool = False) -> View:
        return View(str(self.root), self.reader, {}, {}, self._graphs, None)


@pytest.fixture(scope="module")
def editor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Editor]:
    folder = tmp_path_factory.mktemp("locals")
    (folder / "root").mkdir()
    catalog = Catalog.open(folder / "index")
    opened = KeepingEditor((folder / "root").resolve(), catalog)
    for name in FILES:
        opened.save(name, (FOLDER / name).read_bytes())
    yield opened
    opened.reader.close()
    catalog.close()


@pytest.mark.parametrize("name", FILES)
def test_locals_are_bound_within_their_scopes(editor: Editor, name: str) -> None:
    markers = [(name, declared, use) for declared, use, _ in _MARKER.findall((FOLDER / name).read_text())]
    declared = {marker for _, marker, use in markers if not use}
    meant = {f"{marker}{use}": editor.definition(f"{name}@{marker}{use}") for _, marker, use in markers}
    wrong = {
        use: found
        for use, found in meant.items()
        if (declared.intersection(found) if use.startswith("no-") else found != [use.partition("-")[0]])
    }
    assert wrong == {}
    lines = {
        each: {editor.marked(name, f"{marker}{use}")[0].line + 1 for _, marker, use in markers if marker == each}
        for each in declared
    }
    assert {each: {line for line, _ in editor.highlights(f"{name}@{each}")} for each in declared} == lines
    found = {each: editor.ask("references", f"{name}@{each}", include_declaration=True) for each in declared}
    assert {each: {one.span.start.line + 1 for one in found[each].locations} for each in declared} == lines


@pytest.mark.parametrize("name", FILES)
def test_a_local_and_its_uses_lie_in_its_scope(name: str) -> None:
    text = (FOLDER / name).read_bytes()
    scopes = READER.read(text, detect(name, text[:1000], {}))
    assert scopes is not None
    for word in re.finditer(rb"[A-Za-z_]\w*", text):
        for local in scopes.local(word[0].decode(), word.start()):
            scope = scopes.scope_of(local)
            assert scope.start <= min(local.start, word.start()) <= max(local.start, word.start()) < scope.end


def test_each_language_with_scopes_has_a_fixture() -> None:
    told = {detect(name, (FOLDER / name).read_bytes()[:1000], {}) for name in FILES}
    assert languages_with_scopes() - told == TOLD_ELSEWHERE
