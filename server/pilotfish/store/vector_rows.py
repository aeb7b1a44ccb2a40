"""What goes into a table of vectors and what comes out of it, as plain data, and what can go wrong with it.

Nothing here needs LanceDB: whoever only asks or answers imports this module and not `store.vectors`.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from typing import Final

import msgspec


class VectorsError(Exception):
    """The table cannot do what was asked; the message says why and what to do."""


class VectorsMissingError(VectorsError):
    """There is no table of this model yet: make one, and fill it from the catalog and the cache of vectors."""


class VectorsDamagedError(VectorsError):
    """The table could not be read. It is derived: make it anew from the catalog and the cache of vectors."""


class VectorsFullError(VectorsError):
    """There is no room to write. Nothing that was committed is lost."""


class BadVectorError(VectorsError):
    """A vector that cannot be compared: all zeros, not finite, or of another length than the model's."""


class VectorRow(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One chunk of a file; its vector stands beside it, in a matrix. Lines count from 1, both ends included."""

    filepath: str
    symbol_name: str
    symbol_type: str
    language: str
    line_start: int
    line_end: int
    text: str
    text_hash: bytes
    """16 bytes: the hash of the text that was embedded."""
    signature: str = ""
    parent: str = ""
    docstring: str = ""


class VectorHit(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A chunk that is near to what was asked. `score` is the cosine, 1 for the same direction; what follows after
    `text_hash` is read only if asked for."""

    score: float
    filepath: str
    line_start: int
    text_hash: bytes
    id: str = ""
    symbol_name: str = ""
    symbol_type: str = ""
    language: str = ""
    line_end: int = 0
    signature: str = ""
    parent: str = ""
    docstring: str = ""
    text: str = ""


class VectorFilters(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Which rows may be found: those that pass every part that is not empty, by any of its members."""

    prefixes: tuple[str, ...] = ()
    """Starts of paths, compared as they are: `src/`, `src/engine.py`."""
    globs: tuple[str, ...] = ()
    """Patterns of paths as in an ignore file; one after `!` takes out again."""
    languages: tuple[str, ...] = ()
    symbol_types: tuple[str, ...] = ()


class Written(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What a change wrote, in rows. `left_out` have a vector that no question can find: all zeros, or not finite."""

    rows: int = 0
    left_out: int = 0


_UNPAIRED: Final = re.compile("[\ud800-\udfff]")
_ESCAPE: Final = re.compile("\0([0-9a-f]{4})")


def stored_path(path: str) -> str:
    r"""Return a path as it is stored: bytes of a name that are not UTF-8 (surrogates here) as NUL and four hex digits.

    No path holds a NUL, so every path has one stored form, different from all others; the start of a path is stored as
    the start of its stored form.
    """
    return _UNPAIRED.sub(lambda found: f"\0{ord(found[0]):04x}", path)


def path_of(stored: str) -> str:
    """Return the path of a stored form."""
    return _ESCAPE.sub(lambda found: chr(int(found[1], 16)), stored) if "\0" in stored else stored


def storable_text(text: str) -> str:
    """Return text that UTF-8 can carry; what it cannot becomes a question mark."""
    return text.encode("utf-8", "replace").decode("utf-8")


def ids_of(rows: Iterable[VectorRow]) -> list[str]:
    """Return the ids of rows: 16 hex digits of SHA-256 over `filepath:name:line_start`, no two the same in a file.

    Of rows that share all three each later one has its ordinal behind. All rows of a file have to be given at once. A
    colon in a path is escaped, so that `a:b` with a name `c` and `a` with a name `b:c` are two.
    """
    taken: set[tuple[str, str]] = set()
    found: list[str] = []
    for row in rows:
        path = stored_path(row.filepath).replace(":", "\0:")
        base = f"{path}:{row.symbol_name}:{row.line_start}"
        ordinal, key = 0, _digest(base)
        while (path, key) in taken:
            ordinal += 1
            key = _digest(f"{base}:{ordinal}")
        taken.add((path, key))
        found.append(key)
    return found


def batches(
    paths: Sequence[str], rows: Sequence[VectorRow], *, most_paths: int, most_rows: int
) -> list[tuple[list[str], list[int]]]:
    """Cut a change into parts of whole files: the paths of each, and which of the rows are theirs.

    Args:
        paths: all that change.
        rows: what the files hold from now on, in any order.
        most_paths: paths in a part.
        most_rows: rows in a part, unless a single file has more.

    Raises:
        ValueError: a row is of a path that is not among `paths`.

    """
    of_path: dict[str, list[int]] = {path: [] for path in paths}
    for index, row in enumerate(rows):
        if row.filepath not in of_path:
            raise ValueError(f"A row of {row.filepath!r}, which is not among the files that change")
        of_path[row.filepath].append(index)
    parts: list[tuple[list[str], list[int]]] = []
    for path, own in of_path.items():
        if not parts or len(parts[-1][0]) >= most_paths or len(parts[-1][1]) + len(own) > most_rows:
            parts.append(([], []))
        parts[-1][0].append(path)
        parts[-1][1].extend(own)
    return parts


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
