"""When a table of vectors is compacted, indexed and cleaned, decided from its figures alone.

Every change leaves a fragment, a version and rows that are marked as deleted, and each of them slows every later change
and search down a little (1,000 changes without upkeep: searches 24 to 226 ms); compacting rewrites the whole table
(100,000 rows: 2.6 s of CPU, mostly packing texts). So it waits for more changes the larger the table is.
"""

from __future__ import annotations

from typing import Final

import msgspec

LEAST_CHANGES: Final = 24
MOST_CHANGES: Final = 64
ROWS_PER_CHANGE: Final = 1_500
"""A table of this many rows for each change since it was compacted last can wait."""
IDLE_CHANGES: Final = 12
"""Changes after which it is compacted when nobody works."""
IDLE_S: Final = 3_600.0
"""Seconds after which it is when nobody works, be it for a single change: what that removed is on disk until then."""

VECTORS_FROM_ROWS: Final = 10_000
"""From here on vectors are indexed, for a quarter of their size: at 20,000 rows searches take half of the time and the
process 140 MB instead of 390, at 100,000 rows a tenth of the time and 220 MB instead of 560."""
NAMES_FROM_ROWS: Final = 50_000
"""From here on paths and ids are indexed: a change takes 20 ms of CPU instead of 30 at 100,000 rows."""
MOST_DELTAS: Final = 10
"""Parts of an index beside the first; each is searched by itself."""
UNINDEXED_SHARE: Final = 0.1
"""Share of rows outside of the index, which every search compares one by one, that calls for upkeep."""

ROOM: Final = 1.3
"""Room that compacting needs on the disk, as a multiple of the table."""
ROOM_LEFT: Final = 64 << 20
"""Bytes that stay free."""


class Figures(msgspec.Struct, frozen=True, kw_only=True):
    """A table as it is."""

    rows: int
    fragments: int
    """Groups of rows on disk, one more with every change."""
    versions: int
    """Commits that could still be read, the current one among them."""
    changed_s: float = 0.0
    """How long ago the first of the changes since it was compacted last was made, in seconds; 0 where there is none."""
    unindexed_rows: int = 0
    deltas: int = 0
    """Parts of the vector index."""
    trained_rows: int = 0
    """Rows when the vector index was built; 0 for none."""
    has_name_indexes: bool = False
    table_bytes: int = 0
    free_bytes: int = 1 << 62


class Upkeep(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be done, in this order, and cleaned up behind; nothing of it where `bytes_missing` of room are."""

    compact: bool = False
    """Rewrite small fragments as one, take new rows into the indexes."""
    index_names: bool = False
    """Index paths and ids."""
    train: bool = False
    """Build the vector index from all rows."""
    bytes_missing: int = 0


def upkeep_of(figures: Figures, *, idle: bool = False) -> Upkeep:
    """Return what a table needs; when idle, also what can wait."""
    if figures.trained_rows:
        train = figures.deltas > MOST_DELTAS or figures.rows >= 2 * figures.trained_rows
    else:
        train = figures.rows >= VECTORS_FROM_ROWS
    index_names = figures.rows >= NAMES_FROM_ROWS and not figures.has_name_indexes
    changes = max(figures.fragments, figures.versions) - 1
    uncovered = figures.trained_rows > 0 and figures.unindexed_rows > figures.rows * UNINDEXED_SHARE
    is_old = idle and figures.changed_s >= IDLE_S
    compact = changes >= (IDLE_CHANGES if idle else _patience(figures.rows)) or is_old or (uncovered and not train)
    missing = int(figures.table_bytes * ROOM) + ROOM_LEFT - figures.free_bytes
    if (compact or train or index_names) and missing > 0:
        return Upkeep(bytes_missing=missing)
    return Upkeep(compact=compact, index_names=index_names, train=train)


def _patience(rows: int) -> int:
    return max(LEAST_CHANGES, min(MOST_CHANGES, rows // ROWS_PER_CHANGE))
