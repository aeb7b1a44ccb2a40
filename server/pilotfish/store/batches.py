"""What one transaction brings into the catalog."""

from __future__ import annotations

from typing import Literal

import msgspec

from pilotfish.store.rows import ParsedFile

MoveKind = Literal["rename", "folder", "copy", "swap"]


class Move(msgspec.Struct, frozen=True):
    """The content that was at `old` is at `new` now, with the same bytes and language; `moved_at` in seconds UTC.

    `old` is a file, also one deleted a moment ago; or a folder, for all files below it. `folder` only says that a
    file moved along with its folder. A `swap` of two paths may be given once or as two moves. `content_hash` tells
    which content of `old` is meant, where a path was deleted, made anew and perhaps deleted again within moments.
    """

    old: str
    new: str
    kind: MoveKind
    moved_at: float = 0.0
    content_hash: bytes = b""


Touched = tuple[str, int, int, bool]
"""A path whose bytes are the known ones, with its new size (bytes), time of change (ns) and whether it is racy."""


class Batch(msgspec.Struct):
    """Changes that become visible together, taken in this order.

    1. `deleted`: files, or folders with all below; out of all answers, contents kept until `purge`.
    2. `moves`: all at once, so that files can trade places; whatever was at a target is deleted.
    3. `parsed`: new or changed files.
    4. `touched`: nothing but size and time of change.

    With `bulk` the counters of uses wait, as long as further such batches follow, until `Catalog.settle`.
    """

    parsed: list[ParsedFile] = []
    moves: list[Move] = []
    deleted: list[str] = []
    touched: list[Touched] = []
    bulk: bool = False

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to do."""
        return not (self.parsed or self.moves or self.deleted or self.touched)
