"""The vectors of one model over one root, in a LanceDB table: nearest chunks, changed files, upkeep, damage.

A table is derived: it can always be made anew from the catalog and the cache of vectors, and is, when anything in it
cannot be read. One process owns the tables of a root; in it one thread at a time writes, any number search.

A folder holds the tables of one model, and a file that names the current one. A table that is made anew grows beside
it and is swapped in by replacing that file, so that a crash at any moment leaves the old one or the new one whole; what
the file does not name is swept away when the folder is opened next.

Importing this module costs two seconds and a hundred megabytes: only the process that owns the tables does.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import re
import shutil
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

# LanceDB prints warnings to stderr on searches that are as they should be, and reads this when it is imported.
os.environ.setdefault("LANCEDB_LOG", "error")

import lancedb
import msgspec
import numpy as np
import numpy.typing as npt
import pathspec
import pyarrow as pa  # type: ignore[import-untyped]
from lancedb.expr import Expr, col, lit

from pilotfish.store.vector_rows import (
    BadVectorError,
    VectorFilters,
    VectorHit,
    VectorRow,
    VectorsDamagedError,
    VectorsError,
    VectorsFullError,
    VectorsMissingError,
    Written,
    batches,
    ids_of,
    path_of,
    storable_text,
    stored_path,
)

Matrix = npt.NDArray[np.float32]

LAYOUT: Final = "1"
"""Of the columns; a table of another is made anew."""

CACHE_BYTES: Final = 64 << 20
"""Memory that LanceDB keeps of indexes, and half of it of metadata."""

PATHS_PER_COMMIT: Final = 256
ROWS_PER_COMMIT: Final = 8_192
PROBES: Final = 20
"""Partitions of the index that a search looks into; more only where a filter leaves too few rows."""
REFINE: Final = 5
"""Times as many candidates are taken from the quantized index as are asked for, and compared by their full vectors."""
MOST_LISTED: Final = 1_000
"""Paths of a pattern that are named to LanceDB; where more match, nearest rows are taken and filtered."""
MOST_FETCHED: Final = 5_000
"""Rows that are fetched at most to find those whose path matches a pattern."""

_CURRENT: Final = "current.json"
_PACKED: Final = {"lance-encoding:compression": "zstd"}
_TEXTS: Final = (
    "filepath",
    "symbol_name",
    "symbol_type",
    "language",
    "signature",
    "parent",
    "docstring",
)
_HIT_COLUMNS: Final = [field for field in VectorHit.__struct_fields__ if field not in ("score", "text")]
_DISTANCE: Final = "_distance"


class _Current(msgspec.Struct, frozen=True):
    """Which table of a folder is the one in use, and over how many rows its vector index was trained."""

    table: str
    trained_rows: int = 0


def folder_of(parent: Path, model_id: str) -> Path:
    """Return the folder for the tables of a model, whatever its id holds."""
    readable = re.sub(r"[^A-Za-z0-9.-]+", "-", model_id).strip("-.")[:40]
    return parent / f"{readable}-{hashlib.sha256(model_id.encode()).hexdigest()[:12]}"


class VectorTable:
    """The rows of every file, and the nearest of them.

    Methods that read or write raise `VectorsDamagedError` where the table turns out to be unreadable, and
    `VectorsFullError` without room; then nothing of the change was written, or of a change that takes several commits
    whole files only.
    """

    def __init__(self, folder: Path, name: str, lance: Any, model_id: str, dims: int) -> None:
        self._folder = folder
        self._name = name
        self._lance = lance
        self._model_id = model_id
        self.dims = dims
        self._writing = threading.RLock()

    @classmethod
    def open(cls, folder: Path, model_id: str, dims: int) -> VectorTable:
        """Open the current table, prove that it can be read, and sweep away what earlier processes left beside it.

        Args:
            folder: of this model (`folder_of`), owned by this process.
            model_id: names the model and its files.
            dims: numbers in a vector.

        Raises:
            VectorsMissingError: there is none yet.
            VectorsDamagedError: there is one that cannot be read, or is of another model or layout.

        """
        current = _read_current(folder)
        with _translated(f"open the vectors in {folder}"):
            table = cls(folder, current.table, _connect(folder).open_table(current.table), model_id, dims)
            table._check()
        _sweep(folder, keep=current.table)
        return table

    @classmethod
    def create(cls, folder: Path, model_id: str, dims: int) -> VectorTable:
        """Make an empty table the current one, in place of whatever is there.

        Raises:
            VectorsError: the folder cannot be written.

        """
        table = cls._beside(folder, model_id, dims)
        _write_current(folder, _Current(table._name))
        _sweep(folder, keep=table._name)
        return table

    def begin_anew(self) -> VectorTable:
        """Return an empty table beside this one, for `swap_in`. Searches here go on meanwhile."""
        return self._beside(self._folder, self._model_id, self.dims)

    def swap_in(self, other: VectorTable) -> None:
        """Go on with the rows of a table from `begin_anew` in place of one's own, which are removed."""
        with self._writing, other._writing:
            before = self._name
            _write_current(self._folder, _Current(other._name))
            self._lance, self._name = other._lance, other._name
            shutil.rmtree(_path_of_table(self._folder, before), ignore_errors=True)

    def close(self) -> None:
        """Let go of files and memory; the table must not be used afterwards."""
        with self._writing:
            self._lance = None

    @property
    def rows(self) -> int:
        """How many rows there are."""
        with _translated("count the vectors"):
            return int(self._lance.count_rows())

    @property
    def version(self) -> int:
        """Counts the commits."""
        with _translated("read the version of the vectors"):
            return int(self._lance.version)

    def append(self, rows: Sequence[VectorRow], vectors: Matrix) -> Written:
        """Add all rows of files that have none here yet: the fast way to fill a table that is made anew.

        Args:
            rows: all those of each file in one call.
            vectors: one line for each row.

        Raises:
            BadVectorError: the matrix does not fit the rows or the model.

        """
        data, left_out = self._data(rows, vectors)
        if data.num_rows:
            with self._changing("add vectors"):
                self._lance.add(data)
        return Written(data.num_rows, left_out)

    def replace(self, paths: Sequence[str], rows: Sequence[VectorRow], vectors: Matrix) -> Written:
        """Make these the rows of files, in one commit as long as they are few enough; files without rows lose theirs.

        Args:
            paths: all files that changed, were renamed (both names) or are gone.
            rows: those of every file among them, in any order.
            vectors: one line for each row.

        Raises:
            BadVectorError: the matrix does not fit the rows or the model.
            ValueError: a row is of a path that is not among `paths`.

        """
        self._fits(rows, vectors)
        written = left_out = 0
        for part, indices in batches(paths, rows, most_paths=PATHS_PER_COMMIT, most_rows=ROWS_PER_COMMIT):
            data, without = self._data([rows[index] for index in indices], vectors[indices])
            self._replace(part, data)
            written += data.num_rows
            left_out += without
        return Written(written, left_out)

    def rename(self, moves: Mapping[str, str], rows: Sequence[VectorRow], vectors: Matrix) -> Written:
        """Move files, old path to new, swaps and chains too: what was under an old path is gone, `rows` are there."""
        return self.replace(list(dict.fromkeys([*moves, *moves.values()])), rows, vectors)

    def delete(self, paths: Sequence[str]) -> None:
        """Remove all rows of files."""
        for start in range(0, len(paths), PATHS_PER_COMMIT):
            with self._changing("delete vectors"):
                self._lance.delete(_any_of("filepath", map(stored_path, paths[start : start + PATHS_PER_COMMIT])))

    def search(
        self,
        vector: Sequence[float] | Matrix,
        limit: int,
        filters: VectorFilters | None = None,
        *,
        with_text: bool = False,
    ) -> list[VectorHit]:
        """Return the rows nearest by cosine, the nearest first.

        Args:
            vector: of the question, in the model's length.
            limit: how many at most; at least 1.
            filters: which may be found.
            with_text: give their text too.

        Raises:
            BadVectorError: nothing is near to such a vector.

        """
        query = np.asarray(vector, dtype=np.float32)
        if query.shape != (self.dims,):
            raise BadVectorError(f"The question's vector is {query.shape}, the model's have {self.dims} numbers")
        if not np.isfinite(query).all() or not query.any():
            raise BadVectorError("The question's vector is all zeros or not finite: its text has nothing to compare")
        search = _Search(self._lance, query, max(1, limit), filters or VectorFilters(), with_text)
        with _translated("search the vectors"):
            return search.hits()

    def _check(self) -> None:
        """Read a little of every file of the table, the last row whole, and search for it."""
        if not self._lance.schema.equals(_schema(self._model_id, self.dims), check_metadata=True):
            raise VectorsDamagedError(f"The vectors in {self._folder} are of another model or layout: make them anew")
        rows = self._lance.count_rows()
        if self._lance.search().select(["line_start"]).to_arrow().num_rows != rows:
            raise VectorsDamagedError(f"Rows of the vectors in {self._folder} are missing: make them anew")
        if rows:
            last = self._lance.take_offsets([rows - 1]).to_arrow().to_pylist()[0]
            self.search(last["vector"], 1, with_text=True)

    def _replace(self, paths: Sequence[str], data: pa.Table) -> None:
        if not data.num_rows:
            self.delete(paths)
            return
        gone = _any_of("filepath", map(stored_path, paths))
        with self._changing("replace vectors"):
            merge = self._lance.merge_insert("id").when_matched_update_all().when_not_matched_insert_all()
            merge.when_not_matched_by_source_delete(gone).execute(data)

    def _fits(self, rows: Sequence[VectorRow], vectors: Matrix) -> None:
        if vectors.shape != (len(rows), self.dims):
            raise BadVectorError(f"Vectors of shape {vectors.shape} for {len(rows)} rows of {self.dims} numbers each")

    def _data(self, rows: Sequence[VectorRow], vectors: Matrix) -> tuple[pa.Table, int]:
        """Return rows as they are stored, without those that could not be found, and how many those are."""
        self._fits(rows, vectors)
        useful: npt.NDArray[np.bool_] = np.logical_and(np.isfinite(vectors).all(axis=1), vectors.any(axis=1))
        ids = [key for key, use in zip(ids_of(rows), useful, strict=True) if use]
        kept = [row for row, use in zip(rows, useful, strict=True) if use]
        flat = pa.array(np.ascontiguousarray(vectors[useful], dtype=np.float32).reshape(-1))
        columns: dict[str, Any] = {
            "id": ids,
            "vector": pa.FixedSizeListArray.from_arrays(flat, self.dims),
            "text": [storable_text(row.text) for row in kept],
            "filepath": [stored_path(row.filepath) for row in kept],
            "line_start": [row.line_start for row in kept],
            "line_end": [row.line_end for row in kept],
            "text_hash": [row.text_hash for row in kept],
        }
        for name in ("symbol_name", "symbol_type", "language", "signature", "parent", "docstring"):
            columns[name] = [storable_text(getattr(row, name)) for row in kept]
        return pa.table(columns, schema=_schema(self._model_id, self.dims)), len(rows) - len(kept)

    @contextlib.contextmanager
    def _changing(self, what: str) -> Iterator[None]:
        with self._writing, _translated(what):
            # LanceDB writes into a folder that was removed under it as if nothing had happened.
            if not (_path_of_table(self._folder, self._name) / "_versions").is_dir():
                raise VectorsDamagedError(f"The vectors in {self._folder} are gone: make them anew")
            yield

    @classmethod
    def _beside(cls, folder: Path, model_id: str, dims: int) -> VectorTable:
        with _translated(f"make a table of vectors in {folder}"):
            folder.mkdir(parents=True, exist_ok=True)
            name = f"chunks-{max(map(_number, _tables(folder)), default=0) + 1}"
            lance = _connect(folder).create_table(name, schema=_schema(model_id, dims))
        return cls(folder, name, lance, model_id, dims)


class _Search:
    """One question put to a table, in as many steps as its patterns of paths need."""

    def __init__(self, lance: Any, vector: Matrix, limit: int, filters: VectorFilters, with_text: bool) -> None:
        self._lance = lance
        self._vector = vector
        self._limit = limit
        self._filters = filters
        self._columns = [*_HIT_COLUMNS, "text"] if with_text else _HIT_COLUMNS

    def hits(self) -> list[VectorHit]:
        where = _condition(self._filters)
        if not self._filters.globs:
            return self._nearest(self._limit, where)
        matches = pathspec.PathSpec.from_lines("gitignore", self._filters.globs).match_file
        listed = [path for path in self._paths(where) if matches(path_of(path))]
        if len(listed) <= MOST_LISTED:
            named = _any_of("filepath", listed)
            return self._nearest(self._limit, named if where is None else where & named) if listed else []
        return self._filtered(where, matches)

    def _filtered(self, where: Expr | None, matches: Callable[[str], bool]) -> list[VectorHit]:
        fetched = self._limit * 4
        while True:
            found = self._nearest(fetched, where)
            passed = [hit for hit in found if matches(hit.filepath)]
            if len(passed) >= self._limit or len(found) < fetched or fetched >= MOST_FETCHED:
                return passed[: self._limit]
            fetched = min(fetched * 4, MOST_FETCHED)

    def _paths(self, where: Expr | None) -> list[str]:
        rows = self._lance.search().select(["filepath"])
        column = (rows if where is None else rows.where(where)).to_arrow().column("filepath")
        return [str(path) for path in column.unique().to_pylist()]

    def _nearest(self, limit: int, where: Expr | None) -> list[VectorHit]:
        search = self._lance.search(self._vector, vector_column_name="vector").distance_type("cosine")
        search = search.select([*self._columns, _DISTANCE]).limit(limit)
        # Without an index these are ignored; with one a narrow filter may need every partition.
        search = search.minimum_nprobes(PROBES).maximum_nprobes(0).refine_factor(REFINE)
        found = (search if where is None else search.where(where, prefilter=True)).to_arrow().to_pylist()
        return sorted(map(_hit, found), key=lambda hit: (-hit.score, hit.filepath, hit.line_start, hit.id))


def _hit(row: dict[str, Any]) -> VectorHit:
    score = 1.0 - row.pop(_DISTANCE)
    return VectorHit(score=score, **row | {"filepath": path_of(row["filepath"])})


def _condition(filters: VectorFilters) -> Expr | None:
    """Return what LanceDB can say of the filters."""
    parts: list[Expr] = []
    if filters.prefixes:
        starts = [_starts_with(stored_path(prefix)) for prefix in filters.prefixes]
        parts.append(_joined(starts, lambda one, other: one | other))
    for column, values in (("language", filters.languages), ("symbol_type", filters.symbol_types)):
        if values:
            parts.append(_any_of(column, map(storable_text, values)))
    return _joined(parts, lambda one, other: one & other) if parts else None


def _starts_with(prefix: str) -> Expr:
    """Compare with a range: the function of SQL is not among those that can be called, and LIKE has wildcards."""
    path = col("filepath")
    after = _after(prefix)
    return path >= lit(prefix) if after is None else (path >= lit(prefix)) & (path < lit(after))


def _after(prefix: str) -> str | None:
    """Return the least text above every text with this start; None if there is none. UTF-8 orders as code points do."""
    for end in range(len(prefix), 0, -1):
        following = ord(prefix[end - 1]) + 1
        if following <= 0x10FFFF:
            return prefix[: end - 1] + chr(0xE000 if following == 0xD800 else following)
    return None


def _any_of(column: str, values: Iterator[str] | Sequence[str]) -> Expr:
    return col(column).isin(list(values))


def _joined(parts: list[Expr], join: Callable[[Expr, Expr], Expr]) -> Expr:
    """Join conditions pairwise, so that many of them nest little."""
    while len(parts) > 1:
        pairs = [join(*parts[at : at + 2]) if at + 1 < len(parts) else parts[at] for at in range(0, len(parts), 2)]
        parts = pairs
    return parts[0]


def _schema(model_id: str, dims: int) -> pa.Schema:
    """Return the columns of a table, in the order of the design; what is long is packed on disk."""

    def text(name: str, *, packed: bool = False) -> pa.Field:
        return pa.field(name, pa.string(), nullable=False, metadata=_PACKED if packed else None)

    return pa.schema(
        [
            text("id"),
            pa.field("vector", pa.list_(pa.float32(), dims), nullable=False),
            text("text", packed=True),
            text("filepath"),
            text("symbol_name"),
            text("symbol_type"),
            text("language"),
            pa.field("line_start", pa.int32(), nullable=False),
            pa.field("line_end", pa.int32(), nullable=False),
            text("signature", packed=True),
            text("parent"),
            text("docstring", packed=True),
            pa.field("text_hash", pa.binary(16), nullable=False),
        ],
        metadata={"model": model_id, "dims": str(dims), "layout": LAYOUT},
    )


def _connect(folder: Path) -> Any:
    session = lancedb.Session(index_cache_size_bytes=CACHE_BYTES, metadata_cache_size_bytes=CACHE_BYTES // 2)
    return lancedb.connect(str(folder), session=session)


def _tables(folder: Path) -> list[str]:
    return [path.name.removesuffix(".lance") for path in folder.glob("chunks-*.lance")]


def _number(table: str) -> int:
    digits = table.removeprefix("chunks-")
    return int(digits) if digits.isdecimal() else 0


def _path_of_table(folder: Path, table: str) -> Path:
    return folder / f"{table}.lance"


def _read_current(folder: Path) -> _Current:
    try:
        current = msgspec.json.decode((folder / _CURRENT).read_bytes(), type=_Current)
    except FileNotFoundError:
        raise VectorsMissingError(f"There are no vectors in {folder} yet: make them from the catalog") from None
    except (OSError, msgspec.MsgspecError) as error:
        raise VectorsDamagedError(f"{folder / _CURRENT} cannot be read ({error}): make the vectors anew") from error
    if not _number(current.table):
        raise VectorsDamagedError(f"{folder / _CURRENT} names no table: make the vectors anew")
    return current


def _write_current(folder: Path, current: _Current) -> None:
    path = folder / f"{_CURRENT}.new"
    with _translated(f"write {folder / _CURRENT}"), path.open("wb") as file:
        file.write(msgspec.json.encode(current))
        file.flush()
        os.fsync(file.fileno())
    path.replace(folder / _CURRENT)


def _sweep(folder: Path, *, keep: str) -> None:
    for table in _tables(folder):
        if table != keep:
            shutil.rmtree(_path_of_table(folder, table), ignore_errors=True)


_ENVIRONMENT: Final = {errno.EACCES, errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EPERM, errno.EROFS}
_FULL: Final = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_OS_ERROR: Final = re.compile(r"os error (\d+)")


@contextlib.contextmanager
def _translated(what: str) -> Iterator[None]:
    """Turn whatever LanceDB raises into our errors: it has no types for its own, and panics outside of `Exception`."""
    try:
        yield
    except (VectorsError, KeyboardInterrupt, SystemExit, GeneratorExit, MemoryError):
        raise
    except BaseException as error:
        raise _error(what, error) from error


def _error(what: str, error: BaseException) -> VectorsError:
    message = str(error).partition(", /")[0][:500]
    numbers = {int(number) for number in _OS_ERROR.findall(str(error))}
    if isinstance(error, OSError) and error.errno is not None:
        numbers.add(error.errno)
    if numbers & _FULL:
        return VectorsFullError(f"Cannot {what}, the disk is full: free some space ({message})")
    if numbers & _ENVIRONMENT:
        return VectorsError(f"Cannot {what}: {message}")
    return VectorsDamagedError(f"Cannot {what}: make the vectors anew ({message})")
