"""What the files of a table were like when they were written, so that damage to them is noticed.

LanceDB writes a file once and never changes it, but for a hint. So their sizes, times and checksums are written down
beside the table: a look at sizes and times costs a fraction of a millisecond and needs no LanceDB, so that the engine
can take it as well as each search; reading all of them again, in a quiet moment, finds what has rotted without a trace.
"""

from __future__ import annotations

import contextlib
import os
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec

_FILE: Final = "files.json"
_PASSED_OVER: Final = frozenset({"_transactions", "latest_version_hint.json"})
"""What nobody reads again, and what alone is written over: a hint that is not relied on."""
_READ_BYTES: Final = 1 << 20


class Written(msgspec.Struct, frozen=True, array_like=True):
    """A file as it was written: its size in bytes, when, in nanoseconds, and the CRC-32 of its content."""

    size: int
    changed_ns: int
    checksum: int

    def looks_like(self, status: os.stat_result) -> bool:
        """Tell whether a file has this size and time."""
        return status.st_size == self.size and status.st_mtime_ns == self.changed_ns


class _Record(msgspec.Struct):
    table: str
    version: int
    files: dict[str, Written]


class Inventory:
    """The files of one table. One thread at a time may change it, any may look."""

    def __init__(self, folder: Path, table: str) -> None:
        """Begin an empty one for a table in the folder of a model."""
        self.version = 0
        """Of the table when it was written down last."""
        self._file = folder / _FILE
        self._table = table
        self._place = folder / f"{table}.lance"
        self._files: dict[str, Written] = {}

    @classmethod
    def read(cls, folder: Path, table: str) -> Inventory:
        """Return what was written down about a table; nothing where that is not there or of another table."""
        inventory = cls(folder, table)
        with contextlib.suppress(OSError, msgspec.MsgspecError):
            record = msgspec.json.decode(inventory._file.read_bytes(), type=_Record)
            if record.table == table:
                inventory.version, inventory._files = record.version, record.files
        return inventory

    def __len__(self) -> int:
        return len(self._files)

    def agrees(self, *, without_gone: bool = False) -> bool:
        """Tell whether all files are there, with the sizes and times that they were written with.

        Args:
            without_gone: pass over files that are not there, while somebody removes old ones.

        """
        for name, written in self._files.items():
            try:
                status = os.stat(self._place / name)  # noqa: PTH116 - on the way of each search
            except OSError:
                if without_gone:
                    continue
                return False
            if not written.looks_like(status):
                return False
        return True

    def damaged(self, *, all_of_them: bool, without_gone: bool = False) -> list[str]:
        """Return the files whose content is not what was written, or which are gone.

        Args:
            all_of_them: read all files again; else those with another size or time.
            without_gone: pass over those that are not there.

        """
        bad: list[str] = []
        touched: dict[str, Written] = {}
        for name, written in self._files.items():
            try:
                status = (self._place / name).stat()
                if all_of_them or not written.looks_like(status):
                    touched[name] = _written(self._place / name, status)
            except OSError:
                if not without_gone:
                    bad.append(name)
        bad += [name for name, now in touched.items() if now.checksum != self._files[name].checksum]
        if not bad:
            self._files = {**self._files, **touched}
        return bad

    def follow(self, version: int, *, forget: bool) -> None:
        """Take in new files, with `forget` leave out those that were removed, and write that down, as far as there is
        room. What is listed already stays as it is: whoever has changed it since has damaged it.

        Args:
            version: of the table.

        """
        there = dict(_names(self._place))
        new = {name: _written(path, path.stat()) for name, path in there.items() if name not in self._files}
        kept = {name: file for name, file in self._files.items() if name in there or not forget}
        self._files, self.version = kept | new, version
        part = self._file.with_suffix(".part")
        with contextlib.suppress(OSError):  # without it the next to open the table reads it through
            part.write_bytes(msgspec.json.encode(_Record(self._table, version, self._files)))
            part.replace(self._file)


def _names(place: Path) -> Iterator[tuple[str, Path]]:
    """Yield the files of a table, each by its path within it."""
    for folder, folders, names in os.walk(place):
        folders[:] = [name for name in folders if name not in _PASSED_OVER]
        for name in names:
            if name in _PASSED_OVER:
                continue
            path = Path(folder, name)
            yield path.relative_to(place).as_posix(), path


def _written(path: Path, status: os.stat_result) -> Written:
    checksum = 0
    with path.open("rb") as file:
        while part := file.read(_READ_BYTES):
            checksum = zlib.crc32(part, checksum)
    return Written(status.st_size, status.st_mtime_ns, checksum)
