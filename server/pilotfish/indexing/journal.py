"""The file in work, recorded where it survives the death of both the worker and the engine (DESIGN §2, liveness).

The journal is one small file beside the catalog, mapped into the engine and its workers: each worker notes in its own
slot what it is about to parse and since when, at the cost of a memory write. The engine reads the slots to enforce
deadlines and to name the culprit of a crash. What a new engine still finds in a slot was in work when everything died;
it keeps count of such deaths in a second file, written only then.
"""

from __future__ import annotations

import mmap
import os
import struct
import time
from pathlib import Path
from typing import Final

import msgspec

_HEAD: Final = struct.Struct("<QQdI")  # busy, started (monotonic ns), CPU seconds at the start, length of the path
_BUSY: Final = struct.Struct("<Q")
_SLOT_BYTES: Final = 8192
_PATH_BYTES: Final = _SLOT_BYTES - _HEAD.size

DEATHS_TO_SET_ASIDE: Final = 2
"""A file that was in work at this many deaths of an engine is not parsed again until it changes."""


class Work(msgspec.Struct, frozen=True):
    """What one worker is doing: `path` is empty for the text of a document; `since_ns` is monotonic time."""

    path: str
    since_ns: int
    cpu_s: float


class Slot:
    """One worker's place in the journal."""

    def __init__(self, memory: mmap.mmap, number: int) -> None:
        self._memory = memory
        self._offset = number * _SLOT_BYTES

    def begin(self, path: str) -> None:
        """Note that `path` is in work from now on."""
        name = os.fsencode(path)[:_PATH_BYTES]
        start = self._offset + _HEAD.size
        self._memory[start : start + len(name)] = name
        _HEAD.pack_into(self._memory, self._offset, 0, time.monotonic_ns(), time.process_time(), len(name))
        _BUSY.pack_into(self._memory, self._offset, 1)  # last: the engine may read at any moment

    def end(self) -> None:
        """Note that nothing is in work."""
        _BUSY.pack_into(self._memory, self._offset, 0)

    def read(self) -> Work | None:
        """Return what is in work, or None."""
        busy, since_ns, cpu_s, length = _HEAD.unpack_from(self._memory, self._offset)
        if not busy or length > _PATH_BYTES:
            return None
        start = self._offset + _HEAD.size
        return Work(os.fsdecode(bytes(self._memory[start : start + length])), since_ns, cpu_s)


def open_slot(path: str, number: int) -> Slot:
    """Map slot `number` of an existing journal, in a worker."""
    return Slot(_mapped(path), number)


class Journal:
    """The engine's side: all slots of one journal, and the deaths counted so far.

    Args:
        folder: the index folder, which exists.
        slots: how many workers there may be.

    """

    def __init__(self, folder: Path, slots: int) -> None:
        self.path = folder / "work.journal"
        self._deaths_path = folder / "work.deaths"
        self._deaths = _read_deaths(self._deaths_path)
        leftovers = _leftovers(self.path)
        self.path.write_bytes(bytes(_SLOT_BYTES * slots))
        self._memory = _mapped(str(self.path))
        if leftovers:
            for name in leftovers:
                self._deaths[name] = self._deaths.get(name, 0) + 1
            self._save()

    def slot(self, number: int) -> Slot:
        """Return the slot of worker `number`."""
        return Slot(self._memory, number)

    def deaths(self, path: str) -> int:
        """Return at how many deaths of an engine `path` was in work."""
        return self._deaths.get(path, 0)

    def suspects(self) -> frozenset[str]:
        """Return the paths that were in work at a death of an engine and have not been dealt with since."""
        return frozenset(self._deaths)

    def acquit(self, path: str) -> None:
        """Forget the deaths on `path`: it was parsed, or its fate is in the catalog."""
        if self._deaths.pop(path, None) is not None:
            self._save()

    def close(self) -> None:
        """Leave no file in work behind."""
        self._memory.close()
        self.path.unlink(missing_ok=True)

    def _save(self) -> None:
        if not self._deaths:
            self._deaths_path.unlink(missing_ok=True)
            return
        draft = self._deaths_path.with_suffix(".draft")
        draft.write_bytes(msgspec.msgpack.encode({os.fsencode(name): count for name, count in self._deaths.items()}))
        draft.replace(self._deaths_path)


def _mapped(path: str) -> mmap.mmap:
    with open(path, "r+b") as file:
        return mmap.mmap(file.fileno(), 0)


def _leftovers(path: Path) -> list[str]:
    """Return the files that were in work when the last engine died."""
    try:
        data = path.read_bytes()
    except OSError:
        return []
    names = []
    for start in range(0, len(data) - _SLOT_BYTES + 1, _SLOT_BYTES):
        busy, _, _, length = _HEAD.unpack_from(data, start)
        name = data[start + _HEAD.size : start + _HEAD.size + min(length, _PATH_BYTES)]
        if busy and name:
            names.append(os.fsdecode(name))
    return names


def _read_deaths(path: Path) -> dict[str, int]:
    try:
        deaths = msgspec.msgpack.decode(path.read_bytes(), type=dict[bytes, int])
    except (OSError, msgspec.DecodeError):
        return {}
    return {os.fsdecode(name): count for name, count in deaths.items()}
