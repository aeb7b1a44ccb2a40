"""What the server holds of a document after a client's messages, good and bad."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from lsprotocol import types

from pilotfish.lsp.cursor import Cursor
from pilotfish.lsp.documents import Documents
from pilotfish.lsp.roots import Roots
from pilotfish.workspace import git, paths

URI = "untitled:one"


def _no_engine(_: object) -> object:
    raise AssertionError("no folder is open")


@pytest.fixture
def documents() -> Documents:
    def choose(folder: str, live: list[str]) -> paths.RootChoice:
        return paths.choose_root(folder, live, git.toplevel)

    return Documents(Roots(_no_engine, choose, lambda folder, reason: None), Cursor(lambda uri: False))  # type: ignore[arg-type]


def _open(documents: Documents, text: str, uri: str = URI) -> None:
    item = types.TextDocumentItem(uri=uri, language_id="python", version=1, text=text)
    documents.opened(types.DidOpenTextDocumentParams(item))


def _change(documents: Documents, place: tuple[int, int, int, int] | None, text: str, version: int = 2) -> str:
    change: types.TextDocumentContentChangeEvent
    if place is None:
        change = types.TextDocumentContentChangeWholeDocument(text)
    else:
        span = types.Range(types.Position(*place[:2]), types.Position(*place[2:]))
        change = types.TextDocumentContentChangePartial(span, text)
    identifier = types.VersionedTextDocumentIdentifier(version=version, uri=URI)
    documents.changed(types.DidChangeTextDocumentParams(identifier, [change]))
    document = documents.get(URI)
    assert document is not None
    return document.text


def _saved(uri: str, text: str | None = None) -> types.DidSaveTextDocumentParams:
    return types.DidSaveTextDocumentParams(types.TextDocumentIdentifier(uri), text)


@pytest.mark.parametrize("separator", ["\f", "\v", "\x1c", "\x85", "\u2028", "\u2029"])
async def test_only_line_feeds_and_carriage_returns_end_a_line(documents: Documents, separator: str) -> None:
    _open(documents, f"x = 1{separator}\ny = 2\n")
    assert _change(documents, (1, 0, 1, 1), "Z") == f"x = 1{separator}\nZ = 2\n"


async def test_places_beyond_the_text_mean_its_end(documents: Documents) -> None:
    _open(documents, "ab\nc")
    assert _change(documents, (1, 99, 1, 99), "!") == "ab\nc!"
    assert _change(documents, (7, 3, 9, 9), "?") == "ab\nc!?"
    assert _change(documents, (0, 5, 0, 9), ".") == "ab.\nc!?"


async def test_columns_count_in_the_agreed_encoding(documents: Documents) -> None:
    for encoding, column in (("utf-8", 4), ("utf-16", 2), ("utf-32", 1)):
        documents.encoding = encoding  # type: ignore[assignment]
        _open(documents, "🐟 = 1")
        assert _change(documents, (0, column, 0, column), "s") == "🐟s = 1"


async def test_versions_that_go_back_are_taken_in_the_order_of_arrival(documents: Documents) -> None:
    _open(documents, "")
    for version, text in ((3, "c"), (1, "a"), (4, "d"), (2, "b")):
        _change(documents, None, text, version)
    document = documents.get(URI)
    assert document is not None
    assert (document.text, document.version) == ("b", 6)


async def test_two_spellings_of_a_uri_are_one_document(documents: Documents, tmp_path: Path) -> None:
    path = tmp_path / "a b+c.py"
    plain = path.as_uri()
    _open(documents, "x", plain)
    other = plain.replace("+", "%2B").replace("%20", " ")
    assert other != plain
    assert documents.get(other) is documents.get(plain) is not None
    documents.closed(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(other)))
    assert list(documents) == []


async def test_a_saved_document_has_the_text_that_was_saved(documents: Documents, tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_bytes(b"x = 'saved'\r\n")
    _open(documents, "x = 'astray'\n", path.as_uri())
    documents.saved(_saved(path.as_uri()))
    await _settle(documents)
    document = documents.get(path.as_uri())
    assert document is not None
    assert document.text == "x = 'saved'\r\n"
    documents.saved(_saved(path.as_uri(), "x = 'told'\n"))
    document = documents.get(path.as_uri())
    assert document is not None
    assert document.text == "x = 'told'\n"


async def test_a_document_changed_after_its_save_is_left_alone(documents: Documents, tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_text("x = 1\n")
    _open(documents, "x = 1\n", path.as_uri())
    documents.saved(_saved(path.as_uri()))
    identifier = types.VersionedTextDocumentIdentifier(version=2, uri=path.as_uri())
    whole = types.TextDocumentContentChangeWholeDocument("x = 2\n")
    documents.changed(types.DidChangeTextDocumentParams(identifier, [whole]))
    await _settle(documents)
    document = documents.get(path.as_uri())
    assert document is not None
    assert document.text == "x = 2\n"


async def _settle(documents: Documents) -> None:
    while pending := [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]:
        await asyncio.gather(*pending)
