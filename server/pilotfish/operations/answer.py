"""What every answer carries: the state of the index, and which of the three empty answers this one is."""

from __future__ import annotations

from typing import Literal

import msgspec

Phase = Literal["starting", "scanning", "indexing", "ready", "off", "paused"]
"""`starting`: catalog not open yet. `scanning`/`indexing`: first index or a large change under way. `ready`: quiet or
only single files pending. `off`: this root is switched off. `paused`: by the user."""

Outcome = Literal["found", "no_match", "not_indexed"]
"""The different answers of DESIGN invariant 7; the fourth, failed, is an error and not an answer."""


class IndexState(msgspec.Struct, frozen=True, kw_only=True):
    """How far the index is at the moment of the answer (DESIGN invariant 7)."""

    generation: int = 0
    phase: Phase = "starting"
    files: int = 0
    pending: int = 0
    chunks: int = 0
    embedded: int = 0


class Answer(msgspec.Struct, kw_only=True):
    """Base of every operation's result. `index` and `outcome` are filled in by the engine, not by handlers."""

    index: IndexState = IndexState()
    outcome: Outcome = "found"
    unsaved: list[str] = []


class Position(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A place in a text: 0-based line, and the column in UTF-8 bytes, UTF-16 units and code points."""

    line: int
    utf8: int
    utf16: int
    utf32: int


class Span(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A half-open stretch of text."""

    start: Position
    end: Position
