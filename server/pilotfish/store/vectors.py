"""The vectors of one model over one root, in a LanceDB table: changed files, nearest chunks, upkeep, damage.

A table is derived: it can always be made anew from the catalog and the cache of vectors, and is, when anything in it
cannot be read. One process owns the tables of a root; in it one thread at a time writes, any number search.

A change is one commit: rows that stay as they are, are not written; rows that go are overwritten in the same merge by
ones of no file and without a direction, which no search returns, and removed at the next upkeep. (A merge that deletes
what its source lacks reads the whole table each time: 150 ms of CPU at 100,000 rows against 20.)

Importing this module costs two seconds and a hundred megabytes: only the process that owns the tables does.
"""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Collection, Iterator, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

# LanceDB prints warnings about searches that are as they should be, and reads this when it is imported.
os.environ.setdefault("LANCEDB_LOG", "error")

import lancedb
import numpy as np
import numpy.typing as npt
import pyarrow as pa  # type: ignore[import-untyped]
from lancedb.expr import col, lit
from lancedb.index import BTree, IvfSq

from pilotfish.store.vector_faults import ConflictError, translated
from pilotfish.store.vector_folder import Current, VectorFolder, folder_of
from pilotfish.store.vector_inventory import Inventory
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
    storable_text,
    stored_path,
)
from pilotfish.store.vector_search import VectorSearch, any_of
from pilotfish.store.vector_upkeep import Figures, Upkeep, upkeep_of

__all__ = [
    "BadVectorError",
    "VectorFilters",
    "VectorHit",
    "VectorRow",
    "VectorTable",
    "VectorsDamagedError",
    "VectorsError",
    "VectorsFullError",
    "VectorsMissingError",
    "Written",
    "folder_of",
]

Matrix = npt.NDArray[np.float32]

LAYOUT: Final = "1"
"""Of the columns; a table of another layout is made anew."""

CACHE_BYTES: Final = 64 << 20
"""Memory for indexes that were read, and half of it for metadata."""

PATHS_PER_COMMIT: Final = 500
ROWS_PER_COMMIT: Final = 8_192

_VECTOR_INDEX: Final = "vector_idx"
_NAME_INDEXES: Final = {"id_idx": "id", "filepath_idx": "filepath"}
_RETIRED: Final = ""
"""The path of rows that are no file's any more."""
_KEEP_VERSIONS: Final = timedelta(minutes=5)
_KEEP_NONE: Final = timedelta(milliseconds=1)
_ATTEMPTS: Final = 3


class VectorTable:
    """The rows of all files, and the nearest of them.

    What reads or writes raises `VectorsDamagedError` where the table turns out to be unreadable, and `VectorsFullError`
    without room; a change that fails was not made, or of one that takes several commits, whole files only.
    """

    def __init__(self, folder: VectorFolder, current: Current, lance: Any, model_id: str, dims: int) -> None:
        self.dims: Final = dims
        self._folder = folder
        self._current = current
        self._lance = lance
        self._model_id = model_id
        self._writing = threading.RLock()
        self._readers = _Readers()
        self._paths: frozenset[str] = frozenset()
        """The stored form of all paths with rows."""
        self._retired: set[str] = set()
        self._is_swept = False
        self._inventory = Inventory(folder.path, current.table)
        self._is_tidying = False
        """Files go at this moment that nobody needs any more."""

    @classmethod
    def open(cls, folder: Path, model_id: str, dims: int) -> VectorTable:
        """Open the current table, prove that it can be read, and sweep away what was left beside it.

        Args:
            folder: of this model (`folder_of`), owned by this process.
            model_id: names the model and its files.
            dims: numbers in a vector.

        Raises:
            VectorsMissingError: there is none yet.
            VectorsDamagedError: there is one that cannot be read, or is of another model or layout.

        """
        place = VectorFolder(folder)
        current = place.current()
        with translated(f"open the vectors in {folder}"):
            table = cls(place, current, _connect(folder).open_table(current.table), model_id, dims)
            table._meet_inventory()
            table._read_a_little()
        place.sweep(keep=current.table)
        return table

    @classmethod
    def create(cls, folder: Path, model_id: str, dims: int) -> VectorTable:
        """Make an empty table the current one, in place of whatever is there.

        Raises:
            VectorsError: the folder cannot be written.

        """
        place = VectorFolder(folder)
        table = cls._made(place, model_id, dims)
        place.make_current(table._current)
        table._note_files()
        place.sweep(keep=table._current.table)
        return table

    def close(self) -> None:
        """Let go of files and memory. The table must not be used afterwards."""
        with self._writing, self._readers.kept_out():
            self._lance = None

    @property
    def rows(self) -> int:
        """How many rows files have."""
        with translated("count the vectors"):
            return int(self._lance.count_rows()) - len(self._retired)

    @property
    def version(self) -> int:
        """Counts the commits."""
        with translated("read the version of the vectors"):
            return int(self._lance.version)

    def replace(self, paths: Sequence[str], rows: Sequence[VectorRow], vectors: Matrix) -> Written:
        """Make these the rows of files, in one commit up to 500 files and 8,192 rows; files without rows lose theirs.

        Files that had no rows are added without a look at the table, which makes this the way to fill one as well.

        Args:
            paths: all files that changed, were renamed (both names) or are gone.
            rows: those of every file among them, in any order.
            vectors: one line for each row.

        Raises:
            BadVectorError: the matrix does not fit the rows or the model.
            ValueError: a row is of a path that is not among `paths`.

        """
        if vectors.shape != (len(rows), self.dims):
            raise BadVectorError(f"Vectors of shape {vectors.shape} for {len(rows)} rows of {self.dims} numbers each")
        written = left_out = 0
        for part, indices in batches(paths, rows, most_paths=PATHS_PER_COMMIT, most_rows=ROWS_PER_COMMIT):
            data, without = self._data([rows[index] for index in indices], vectors[indices])
            with self._changing("replace vectors"):
                written += self._replace(set(map(stored_path, part)), data)
                self._note_files()
            left_out += without
        return Written(written, left_out)

    def delete(self, paths: Sequence[str]) -> None:
        """Remove all rows of files."""
        self.replace(list(dict.fromkeys(paths)), [], np.empty((0, self.dims), dtype=np.float32))

    def search(
        self,
        vector: Sequence[float] | Matrix,
        limit: int,
        filters: VectorFilters | None = None,
        *,
        whole: bool = False,
    ) -> list[VectorHit]:
        """Return the rows nearest by cosine, the nearest first.

        Args:
            vector: of the question, in the model's length.
            limit: how many at most; at least 1.
            filters: which may be found.
            whole: give all that is stored of them, not only which chunks they are.

        Raises:
            BadVectorError: nothing is near to such a vector.

        """
        query = np.asarray(vector, dtype=np.float32)
        if query.shape != (self.dims,):
            raise BadVectorError(f"The question's vector is of shape {query.shape}, the model has {self.dims} numbers")
        if not np.isfinite(query).all() or not query.any():
            raise BadVectorError("The question's vector is all zeros or not finite: its text has nothing to compare")
        if not self._inventory.agrees(without_gone=self._is_tidying):
            with self._writing:  # what is being written is written down by then
                self._prove_files(all_of_them=False)
        with self._readers.reading(), translated("search the vectors"):
            search = VectorSearch(self._lance, query, max(1, limit), whole=whole)
            return search.hits(filters or VectorFilters(), self._paths)

    def figures(self) -> Figures:
        """Return what upkeep is decided from."""
        with translated("look at the figures of the vectors"):
            table = self._lance.stats()
            names = {index.name for index in self._lance.list_indices()}
            vectors = self._lance.index_stats(_VECTOR_INDEX) if _VECTOR_INDEX in names else None
            return Figures(
                rows=table["num_rows"],
                fragments=table["fragment_stats"]["num_fragments"],
                versions=self._folder.versions(self._current.table),
                changed_s=self._folder.changed_s(self._current.table),
                unindexed_rows=vectors.num_unindexed_rows if vectors else 0,
                deltas=(vectors.num_indices or 1) - 1 if vectors else 0,
                trained_rows=self._current.trained_rows or vectors.num_indexed_rows if vectors else 0,
                has_name_indexes=names.issuperset(_NAME_INDEXES),
                table_bytes=self._folder.bytes_of(self._current.table),
                free_bytes=self._folder.free_bytes(),
            )

    def check(self) -> None:
        """Prove once more that the table can be read, and that all its files are what was written: at 100,000 rows a
        fifth of a second."""
        with self._changing("check the vectors"):
            self._prove_files(all_of_them=True)
            self._read_a_little()
            if not self._folder.names_one():
                self._folder.make_current(self._current)

    def maintain(self, *, idle: bool = False) -> Upkeep:
        """Do the upkeep that is due, and return what it was. Call it after changes, and when nothing has happened.

        It may take seconds; changes wait for it, searches do not. Gives up for now where other commits come between.
        """
        with self._writing:
            due = upkeep_of(self.figures(), idle=idle)
            self._is_tidying = True
            try:
                for step, is_due in (
                    (self._compact, due.compact),
                    (self._index_names, due.index_names),
                    (self._train, due.train),
                    (self._clean, due.compact or due.index_names or due.train),
                ):
                    if is_due and not _done(step):
                        break
            finally:
                if due.compact or due.index_names or due.train:
                    self._note_files(forget=True)
                self._is_tidying = False
            return due

    def _meet_inventory(self) -> None:
        """Compare the files with what was written down about them, when the table is opened. Some may be gone since
        then: whoever wrote it down last may have been killed while it removed old ones."""
        files = self._inventory = Inventory.read(self._folder.path, self._current.table)
        is_as_left = files.agrees() and files.version == self._lance.version
        self._prove_files(all_of_them=False, without_gone=True)
        if files.version > self._lance.version:
            raise VectorsDamagedError(f"The newest of the vectors in {self._folder.path} are gone: make them anew")
        if not is_as_left:
            self._note_files(forget=True)

    def _prove_files(self, *, all_of_them: bool, without_gone: bool = False) -> None:
        bad = self._inventory.damaged(all_of_them=all_of_them, without_gone=without_gone)
        if bad:
            named = f"{bad[0]} and {len(bad) - 1} more" if len(bad) > 1 else bad[0]
            raise VectorsDamagedError(f"The vectors in {self._folder.path} are damaged ({named}): make them anew")

    def _note_files(self, *, forget: bool = False) -> None:
        """Write down what the files are like, where there are others than before."""
        with translated("read the files of the vectors"):
            version = int(self._lance.version)
            if forget or version != self._inventory.version:
                self._inventory.follow(version, forget=forget)

    def _read_a_little(self) -> None:
        """Read a little of every file of the table and the last row whole, and search for it."""
        if not self._lance.schema.equals(_schema(self._model_id, self.dims), check_metadata=True):
            raise VectorsDamagedError(f"The vectors in {self._folder.path} are of another model or layout")
        rows = self._lance.count_rows()
        paths = self._lance.search().select(["filepath"]).to_arrow().column("filepath")
        if len(paths) != rows:
            raise VectorsDamagedError(f"Rows of the vectors in {self._folder.path} are missing")
        self._paths = frozenset(paths.unique().to_pylist()) - {_RETIRED}
        retired = self._lance.search().where(col("filepath") == lit(_RETIRED)).select(["id"]).to_arrow()
        self._retired = set(retired.column("id").to_pylist())
        if rows:
            last = self._lance.take_offsets([rows - 1]).to_arrow().column("vector").to_pylist()[0]
            self.search(last if any(last) else [1.0] * self.dims, 1, whole=True)

    def _replace(self, paths: set[str], data: pa.Table) -> int:
        """Make data the rows of files, in one commit or none, and return how many rows files have then."""
        known = self._paths
        ids: list[str] = data.column("id").to_pylist()
        if paths.isdisjoint(known) and self._retired.isdisjoint(ids):
            if ids:
                self._lance.add(data)
        else:
            before = self._rows_of(paths & known)
            changed = [at for at, row in enumerate(_without_vectors(data)) if before.pop(row["id"], None) != row]
            self._merge(data.take(pa.array(changed, pa.int64())), before)
        self._paths = known - paths | set(data.column("filepath").to_pylist())
        return len(ids)

    def _merge(self, data: pa.Table, gone: Collection[str]) -> None:
        if not data.num_rows and not gone:
            return
        if data.num_rows:
            source = pa.concat_tables([data, _retired_rows(gone, data.schema)])
            merge = self._lance.merge_insert("id").when_matched_update_all().when_not_matched_insert_all()
            merge.execute(source)
            self._retired.update(gone)
            self._retired.difference_update(data.column("id").to_pylist())
        else:
            self._lance.delete(any_of("id", gone))

    def _rows_of(self, paths: Collection[str]) -> dict[str, dict[str, Any]]:
        """Return the rows of files by id, without vectors."""
        if not paths:
            return {}
        columns = [name for name in _schema(self._model_id, self.dims).names if name != "vector"]
        found = self._lance.search().where(any_of("filepath", paths)).select(columns).to_arrow().to_pylist()
        return {row["id"]: row for row in found}

    def _data(self, rows: Sequence[VectorRow], vectors: Matrix) -> tuple[pa.Table, int]:
        """Return rows as they are stored, without those that could not be found, and how many those are."""
        useful: npt.NDArray[np.bool_] = np.logical_and(np.isfinite(vectors).all(axis=1), vectors.any(axis=1))
        ids = [key for key, use in zip(ids_of(rows), useful, strict=True) if use]
        kept = [row for row, use in zip(rows, useful, strict=True) if use]
        columns: dict[str, Any] = {
            "id": ids,
            "vector": _vector_column(vectors[useful]),
            "filepath": [stored_path(row.filepath) for row in kept],
            "line_start": [row.line_start for row in kept],
            "line_end": [row.line_end for row in kept],
            "text_hash": [row.text_hash for row in kept],
        }
        for name in ("text", "symbol_name", "symbol_type", "language", "signature", "parent", "docstring"):
            columns[name] = [storable_text(getattr(row, name)) for row in kept]
        return pa.table(columns, schema=_schema(self._model_id, self.dims)), len(rows) - len(kept)

    def _compact(self) -> None:
        if self._retired:
            self._lance.delete(col("filepath") == lit(_RETIRED))
            self._retired.clear()
        self._lance.optimize(cleanup_older_than=_KEEP_VERSIONS)

    def _index_names(self) -> None:
        for column in _NAME_INDEXES.values():
            self._lance.create_index(column, config=BTree(), replace=True)

    def _train(self) -> None:
        rows = self._lance.count_rows()
        self._lance.create_index("vector", config=IvfSq(distance_type="cosine"), replace=True)
        self._current = Current(self._current.table, trained_rows=rows)
        if self._folder.is_current(self._current.table):
            self._folder.make_current(self._current)

    def _clean(self) -> None:
        """Remove earlier versions, which nobody reads now; the first time also what a killed process left.

        LanceDB cannot clean without compacting, so this is done only behind steps that rewrite the table anyway.
        """
        with self._readers.kept_out():
            # It cleans first and then brings indexes up to date, which can leave a version again.
            for _ in range(2):
                self._lance.optimize(cleanup_older_than=_KEEP_NONE, delete_unverified=not self._is_swept)
        self._is_swept = True

    @contextlib.contextmanager
    def _changing(self, what: str) -> Iterator[None]:
        with self._writing, translated(what):
            # LanceDB writes into a folder that was removed under it as if nothing had happened.
            if not self._folder.versions(self._current.table):
                raise VectorsDamagedError(f"The vectors in {self._folder.path} are gone: make them anew")
            yield

    @classmethod
    def _made(cls, folder: VectorFolder, model_id: str, dims: int) -> VectorTable:
        with translated(f"make a table of vectors in {folder.path}"):
            folder.path.mkdir(parents=True, exist_ok=True)
            current = Current(folder.new_name())
            lance = _connect(folder.path).create_table(current.table, schema=_schema(model_id, dims))
        return cls(folder, current, lance, model_id, dims)


class _Readers:
    """Those who search: any number, but none while files go that a search might still need."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._reading = 0
        self._is_awaited = False

    @contextlib.contextmanager
    def reading(self) -> Iterator[None]:
        with self._changed:
            # Else searches that overlap would put off for ever whoever waits for all of them to end.
            self._changed.wait_for(lambda: not self._is_awaited)
            self._reading += 1
        try:
            yield
        finally:
            with self._changed:
                self._reading -= 1
                self._changed.notify_all()

    @contextlib.contextmanager
    def kept_out(self) -> Iterator[None]:
        with self._changed:
            self._is_awaited = True
            try:
                self._changed.wait_for(lambda: not self._reading)
                yield
            finally:
                self._is_awaited = False
                self._changed.notify_all()


def _done(step: Any) -> bool:
    """Run a step of upkeep, again where another commit came between; tell whether it was done in the end."""
    for _ in range(_ATTEMPTS):
        try:
            with translated("look after the vectors"):
                step()
        except ConflictError:
            continue
        return True
    return False


def _without_vectors(data: pa.Table) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = data.drop_columns(["vector"]).to_pylist()
    return rows


def _retired_rows(ids: Collection[str], schema: pa.Schema) -> pa.Table:
    """Return what overwrites rows that go: without a direction, so that no search by cosine returns them."""
    blank: dict[str, Any] = {"text_hash": bytes(16), "line_start": 0, "line_end": 0}
    columns = {name: [blank.get(name, _RETIRED)] * len(ids) for name in schema.names}
    zeros = np.zeros((len(ids), schema.field("vector").type.list_size), dtype=np.float32)
    return pa.table(columns | {"id": list(ids), "vector": _vector_column(zeros)}, schema=schema)


def _vector_column(vectors: Matrix) -> pa.FixedSizeListArray:
    flat = np.ascontiguousarray(vectors, dtype=np.float32).reshape(-1)
    return pa.FixedSizeListArray.from_arrays(pa.array(flat), vectors.shape[1])


def _schema(model_id: str, dims: int) -> pa.Schema:
    """Return the columns of a table, in the order of the design; what is long is packed on disk."""

    def text(name: str, *, packed: bool = False) -> pa.Field:
        metadata = {"lance-encoding:compression": "zstd"} if packed else None
        return pa.field(name, pa.string(), nullable=False, metadata=metadata)

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
