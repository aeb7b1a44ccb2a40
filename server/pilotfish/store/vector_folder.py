"""The folder with the tables of one model, and which of them is the current one.

A file names it. A table that is made anew grows beside it and takes over when that file is replaced, so that a crash at
any moment leaves the old one or the new one whole; what the file does not name is swept away by whoever opens next.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import shutil
import time
from pathlib import Path
from typing import Final

import msgspec

from pilotfish.store.vector_faults import translated
from pilotfish.store.vector_inventory import Inventory
from pilotfish.store.vector_rows import VectorsDamagedError, VectorsError, VectorsMissingError

TOKEN: Final = "made"
"""The file with what was drawn when the table was made, written last."""

_CURRENT: Final = "current.json"
_TABLE: Final = re.compile(r"chunks-(\d{1,9})\.lance")


class Current(msgspec.Struct, frozen=True):
    """The name of a table, and over how many rows its vector index was built; 0 for none."""

    table: str
    trained_rows: int = 0


def folder_of(parent: Path, model_id: str) -> Path:
    """Return the folder for the tables of a model, whatever its id holds."""
    readable = re.sub(r"[^A-Za-z0-9.-]+", "-", model_id).strip("-.")[:40]
    return parent / f"{readable}-{hashlib.sha256(model_id.encode('utf-8', 'surrogatepass')).hexdigest()[:12]}"


def is_as_left(parent: Path, name: str) -> bool:
    """Tell whether the table of this name, the model's id and what was drawn when it was made, lies there with all its
    files as they were written; a look at sizes and times, no more. Where it is not, whoever opens it finds out."""
    model_id, _, drawn = name.rpartition(":")
    folder = folder_of(parent, model_id)
    try:
        if (folder / TOKEN).read_text("ascii").strip() != drawn:
            return False
        files = Inventory.read(folder, VectorFolder(folder).current().table)
    except (OSError, ValueError, VectorsError):
        return False
    return len(files) > 0 and files.agrees()


class VectorFolder:
    """The folder, owned by this process."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def current(self) -> Current:
        """Return which table is the current one.

        Raises:
            VectorsMissingError: none was ever made.
            VectorsDamagedError: the file that names it cannot be read.

        """
        file = self.path / _CURRENT
        try:
            current = msgspec.json.decode(file.read_bytes(), type=Current)
        except FileNotFoundError:
            raise VectorsMissingError(f"There are no vectors in {self.path} yet: make them from the catalog") from None
        except msgspec.MsgspecError as error:
            raise VectorsDamagedError(f"{file} cannot be read ({error}): make the vectors anew") from error
        if not _TABLE.fullmatch(f"{current.table}.lance"):
            raise VectorsDamagedError(f"{file} names no table: make the vectors anew")
        return current

    def is_current(self, table: str) -> bool:
        """Tell whether a table is the one that was made current."""
        try:
            return self.current().table == table
        except VectorsError:
            return False

    def names_one(self) -> bool:
        """Tell whether the file that names the current table can be read."""
        try:
            self.current()
        except VectorsError:
            return False
        return True

    def make_current(self, current: Current) -> None:
        """Let a table take over, all at once."""
        file, new = self.path / _CURRENT, self.path / f"{_CURRENT}.new"
        with translated(f"write {file}"):
            with new.open("wb") as stream:
                stream.write(msgspec.json.encode(current))
                stream.flush()
                os.fsync(stream.fileno())
            new.replace(file)

    def new_name(self) -> str:
        """Return a name that no table here has."""
        return f"chunks-{max(self._tables().values(), default=0) + 1}"

    def sweep(self, *, keep: str) -> None:
        """Remove all tables but one."""
        for name in self._tables():
            if name != keep:
                self.remove(name)

    def remove(self, table: str) -> None:
        """Remove a table, as far as that can be done now; `sweep` gets the rest."""
        shutil.rmtree(self._path_of(table), ignore_errors=True)

    def versions(self, table: str) -> int:
        """Count the commits of a table that can still be read; 0 if it is gone."""
        try:
            return sum(name.endswith(".manifest") for name in os.listdir(self._path_of(table) / "_versions"))
        except FileNotFoundError:
            return 0

    def changed_s(self, table: str) -> float:
        """Return how long ago the first version was made after the oldest one that can still be read, in seconds; 0
        where there is one only."""
        made = []
        with contextlib.suppress(FileNotFoundError):
            for file in (self._path_of(table) / "_versions").iterdir():
                with contextlib.suppress(FileNotFoundError):
                    made += [file.stat().st_mtime] if file.name.endswith(".manifest") else []
        return max(time.time() - sorted(made)[1], 0.0) if len(made) > 1 else 0.0

    def bytes_of(self, table: str) -> int:
        """Return the size of a table on disk, earlier versions included."""
        total = 0
        for folder, _, names in os.walk(self._path_of(table)):
            for name in names:
                with contextlib.suppress(FileNotFoundError):
                    total += os.stat(os.path.join(folder, name)).st_size  # noqa: PTH116, PTH118
        return total

    def free_bytes(self) -> int:
        """Return the room on the disk."""
        return shutil.disk_usage(self.path).free

    def _path_of(self, table: str) -> Path:
        return self.path / f"{table}.lance"

    def _tables(self) -> dict[str, int]:
        found = (_TABLE.fullmatch(path.name) for path in self.path.iterdir())
        return {match[0].removesuffix(".lance"): int(match[1]) for match in found if match}
