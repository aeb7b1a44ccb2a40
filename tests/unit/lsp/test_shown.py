"""Files that show answers, and where the user is."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types

from pilotfish.lsp.cursor import Cursor, end_of
from pilotfish.lsp.shown import MAX_FILES, MAX_MESSAGE, Shown, in_a_message
from pilotfish.lsp.subject import name_at
from pilotfish.operations.symbols import OutlineResult
from pilotfish.workspace import paths
from pilotfish.workspace.documents import Encoding, Place, TextRange, apply_change, offset_of


@pytest.fixture
def home(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="pf-") as folder:
        monkeypatch.setenv("PILOTFISH_HOME", folder)
        yield Path(folder)


async def test_few_files_are_kept_and_none_at_the_end_nor_those_of_the_dead(home: Path) -> None:
    done = subprocess.Popen([sys.executable, "-c", ""])
    done.wait()
    left = home / "run" / "answers" / str(done.pid)
    left.mkdir(parents=True)
    (left / "old.txt").write_text("of a process that was killed")
    opened: list[Path] = []

    async def ask(method: str, params: Any) -> Any:
        assert method == types.WINDOW_SHOW_DOCUMENT
        opened.append(Path(paths.path_from_uri(params.uri) or ""))
        return SimpleNamespace(success=True)

    shown = Shown(lambda answer: "one\ntwo\nthree\n", ask, lambda method, params: pytest.fail(str(params)))
    for _ in range(MAX_FILES + 3):
        await shown.show("../../etc/passwd \N{FISH}", OutlineResult(), "document")
    assert not left.exists()
    assert len(set(opened)) == MAX_FILES + 3
    assert {path.parent for path in opened} == {opened[0].parent}
    assert sorted(opened[0].parent.iterdir()) == sorted(opened[3:])
    assert shown.owns(paths.uri_from_path(str(opened[-1])))
    assert not shown.owns(paths.uri_from_path(str(home / "main.py")))
    shown.close()
    assert not opened[0].parent.exists()


@given(st.text())
def test_a_message_is_one_line_that_fits(text: str) -> None:
    line = in_a_message(text)
    assert len(line) <= MAX_MESSAGE
    assert len(line.splitlines()) <= 1


TEXTS = st.text(st.sampled_from("ab\N{TROPICAL FISH}\N{LATIN SMALL LETTER E WITH ACUTE}\r\n"), max_size=30)


@given(TEXTS, TEXTS, st.sampled_from(("utf-8", "utf-16", "utf-32")))
def test_the_cursor_is_at_the_end_of_what_was_typed(before: str, typed: str, encoding: Encoding) -> None:
    """Counted as the client counts, whatever is typed; a line end that is typed in two halves is none of ours."""
    before = before.replace("\r", "") + "\nx"
    typed = typed.replace("\r\n", "\n").replace("\r", "\n")
    line = before.count("\n")
    text = apply_change(before, TextRange(Place(line, 1), Place(line, 1)), typed, encoding)
    end = end_of(types.Position(line, 1), typed, encoding)
    assert offset_of(text, Place(end.line, end.character), encoding) == len(before) + len(typed)


@pytest.mark.parametrize(
    ("text", "language", "offsets", "name"),
    [
        ("a = save(größe)", "python", (4, 6, 8), "save"),
        ("a = save(größe)", "python", (9, 14), "größe"),
        ("left!=x1", "c", (0, 4), "left"),
        ("item?.next!.x1", "typescript", (5,), ""),
        ("item?.next!.x1", "typescript", (6, 10), "next"),
        ("save! if empty?", "ruby", (0, 5), "save!"),
        ("save! if empty?", "ruby", (9, 15), "empty?"),
        ("echo $HOME/x", "bash", (5, 8), "$HOME"),
        ("12 + 3", "python", (0, 1, 3), ""),
        ("x\ny", "python", (1,), "x"),
    ],
)
def test_the_name_at_a_place(text: str, language: str, offsets: tuple[int, ...], name: str) -> None:
    assert {name_at(text, offset, language) for offset in offsets} == {name}


def test_a_document_that_is_closed_gives_way_to_the_one_before() -> None:
    cursor = Cursor(lambda uri: uri.startswith("file:///answers/"))
    position = types.Position(3, 4)
    cursor.entered("file:///a.py")
    cursor.asked(types.HoverParams(types.TextDocumentIdentifier("file:///a.py"), position))
    cursor.entered("file:///b.py")
    cursor.entered("file:///answers/1.txt")
    assert cursor.spot is not None
    assert (cursor.spot.uri, cursor.spot.start) == ("file:///b.py", None)
    cursor.left("file:///b.py")
    assert (cursor.spot.uri, cursor.spot.start) == ("file:///a.py", Place(3, 4))
    cursor.left("file:///a.py")
    assert cursor.spot is None
