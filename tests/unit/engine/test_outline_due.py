"""When the outline of an open document can be expected, by how long the last one took."""

from __future__ import annotations

import asyncio

from pilotfish.engine.sessions import Document, Overlay
from pilotfish.syntax.outline import Outline
from pilotfish.syntax.text import LineTable

LONG_S = 1_000.0
"""Longer than any test."""


def typed(document: Document) -> None:
    """Press a key."""
    document.replace(document.version + 1, document.text + b"x", document.changed_at + 1)


def outlined(document: Document, text: bytes) -> None:
    """Let the worker answer with the outline of a text."""
    lines = LineTable.from_text(text)
    document.parsed(Overlay(document.uri, document.path, 1, text, "python", Outline("python"), lines))


def test_the_outline_of_a_text_that_was_just_opened_may_come_at_any_moment() -> None:
    document = Document("file:///a.py", "a.py", 1, b"a", "python", 1)
    document.begin_outline()
    assert document.outline_due_s() == 0
    outlined(document, b"a")
    assert document.settled.is_set()


def test_an_outline_is_due_behind_the_one_that_is_made_of_an_older_text() -> None:
    document = Document("file:///a.py", "a.py", 1, b"a", "python", 1)
    document.outline_s = LONG_S
    assert document.outline_due_s() == LONG_S
    document.begin_outline()
    assert 0 < document.outline_due_s() <= LONG_S
    typed(document)
    assert LONG_S < document.outline_due_s() <= 2 * LONG_S


def test_who_waits_for_one_text_is_not_kept_waiting_by_the_next() -> None:
    async def wait() -> None:
        document = Document("file:///a.py", "a.py", 1, b"a", "python", 1)
        document.begin_outline()
        waiting = asyncio.ensure_future(document.outlined(document.changed_at))
        typed(document)
        behind = asyncio.ensure_future(document.outlined(document.changed_at))
        await asyncio.sleep(0)
        outlined(document, b"a")
        await waiting
        assert not document.settled.is_set()
        assert not behind.done()
        document.begin_outline()
        outlined(document, document.text)
        await behind
        assert document.settled.is_set()

    asyncio.run(wait())
