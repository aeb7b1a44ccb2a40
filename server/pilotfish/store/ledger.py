"""Bookkeeping inside one transaction: what files add to and take from names, symbols and postings.

The contents of files are entered and withdrawn; `balance` then writes the difference. So an edit that leaves a name as
often defined and used as before writes nothing about that name, and every counter is exact after every transaction,
whatever came and went. Counters of uses alone may wait, in a table of their own, while a whole workspace is loaded:
written batch by batch they would cost as much as all the rest.
"""

from __future__ import annotations

import sqlite3
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import compress, islice
from typing import Final, cast

import msgspec

from pilotfish.store.matching import fold, hump_key
from pilotfish.store.rows import Rows
from pilotfish.store.schema import ORDINAL_BITS

_REMEMBERED: Final = 100_000
_WAITING: Final = 150_000
_CHUNK: Final = 20_000
_LOW: Final = 32
"""Uses and files of a name are counted in one integer, files in the low bits."""


_Definitions = tuple[int, int, int]
"""How often a name is defined: public, restricted, private."""

_Name = tuple[int, int, int, int, int, int]
"""The row of a name as it stands in the database: its id and its counters."""

_NEW: Final = (0, 0, 0, 0, 0, 0)


class Ledger:
    """The rows that follow from the contents of files; used by the one writer, within its transactions."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._names: dict[str, _Name | None] = {}
        self._waiting: dict[str, int] = {}
        self._forget()
        self._recall()

    def _forget(self) -> None:
        self._entered: dict[int, Rows] = {}
        self._withdrawn: dict[int, Rows] = {}
        self._uses: dict[str, int] = {}

    def _recall(self) -> None:
        """Read what a transaction may have changed in memory only."""
        self._names.clear()
        self._waiting.clear()
        for (deltas,) in self._connection.execute("SELECT deltas FROM pending_uses ORDER BY id"):
            _add(self._waiting, msgspec.msgpack.decode(zlib.decompress(deltas), type=dict[str, int]))
        row = self._connection.execute("SELECT value FROM meta WHERE key = 'next_name_id'").fetchone()
        self._next_id = self._written_id = 1 if row is None else int(row[0])
        self._knows_all = row is None  # until there are too many to remember

    def abandon(self) -> None:
        """Forget the transaction that was rolled back."""
        self._forget()
        self._recall()

    @property
    def is_settled(self) -> bool:
        """Whether no counter of uses waits."""
        return not self._waiting

    # --- entries -----------------------------------------------------------------------------------------------------

    def enter(self, file_id: int, rows: Rows) -> None:
        """Count the contents of a file in."""
        self._entered[file_id] = rows
        uses = self._uses
        for name, count in rows.uses.items():
            uses[name] = uses.get(name, 0) + (count << _LOW) + 1

    def withdraw(self, file_id: int, rows: Rows) -> None:
        """Count the contents of a file out, or undo that they were entered in this transaction."""
        if self._entered.pop(file_id, None) is None:
            self._withdrawn[file_id] = rows
        uses = self._uses
        for name, count in rows.uses.items():
            uses[name] = uses.get(name, 0) - (count << _LOW) - 1

    def balance(self, *, bulk: bool) -> None:
        """Write the difference. With `bulk`, counters of uses wait for `settle`."""
        definitions = self._definition_deltas()
        uses = {name: delta for name, delta in self._uses.items() if delta}
        if bulk or self._waiting:
            if uses:
                _add(self._waiting, uses)
                packed = zlib.compress(msgspec.msgpack.encode(uses), 1)
                self._connection.execute("INSERT INTO pending_uses (deltas) VALUES (?)", (packed,))
            uses = {}
        wanted = set[str]().union(*[rows.names for rows in self._entered.values()])
        self._write_names(wanted, definitions, uses)
        self._write_symbols()
        self._write_postings()
        self._forget()
        if self._waiting and (not bulk or len(self._waiting) > _WAITING):
            self.settle()

    def settle(self) -> None:
        """Bring the counters of uses up to date."""
        names = iter(self._waiting.items())
        while chunk := dict(islice(names, _CHUNK)):
            self._write_names((), {}, {name: delta for name, delta in chunk.items() if delta})
        self._connection.execute("DELETE FROM pending_uses")
        self._waiting.clear()
        self._names.clear()
        self._knows_all = False

    def _definition_deltas(self) -> dict[str, _Definitions]:
        """Return by how much each name is defined more often, by visibility; names without a difference left out."""
        totals: tuple[Counter[str], ...] = (Counter(), Counter(), Counter())
        for rows in self._entered.values():
            for visibility, names in _by_visibility(rows):
                totals[visibility].update(names)
        for rows in self._withdrawn.values():
            for visibility, names in _by_visibility(rows):
                totals[visibility].subtract(names)
        public, restricted, private = totals
        names_of_two = restricted.keys() | private.keys()
        deltas = {name: (count, 0, 0) for name, count in public.items() if count and name not in names_of_two}
        for name in names_of_two:
            delta = (public[name], restricted[name], private[name])
            if any(delta):
                deltas[name] = delta
        return deltas

    # --- names -------------------------------------------------------------------------------------------------------

    def _write_names(self, wanted: Iterable[str], definitions: dict[str, _Definitions], uses: dict[str, int]) -> None:
        """Change the rows of names; afterwards the rows of those `wanted` are known."""
        changed = sorted(definitions.keys() | uses.keys())
        self._load({*wanted, *changed})
        writes = _NameWrites()
        known = self._names
        for name in changed:
            old = known[name]
            name_id, used, files, public, restricted, private = old or _NEW
            was_defined = public or restricted or private
            if delta := uses.get(name):
                more_uses, more_files = _split(delta)
                used, files = used + more_uses, files + more_files
            if more := definitions.get(name):
                public, restricted, private = public + more[0], restricted + more[1], private + more[2]
            is_defined = public or restricted or private
            if old is None or (is_defined and not was_defined):
                # A row of its own: the name is new, or it was only used and is defined now.
                if old is not None:
                    writes.deletes.append((name_id,))
                name_id = self._next_id
                self._next_id += 1
                if is_defined:
                    key = fold(name)
                    writes.new_parts.append((name_id, key))
                    hump = hump_key(name)
                    writes.inserts.append((name_id, name, key, used, files, public, restricted, private, hump))
                else:
                    writes.inserts.append((name_id, name, None, used, files, 0, 0, 0, None))
            elif is_defined or not was_defined:
                writes.updates.append((used, files, public, restricted, private, name_id))
            else:
                writes.lost_parts.append(("delete", name_id, fold(name)))
                writes.undefined.append((used, files, public, restricted, private, name_id))
            if is_defined or used or files:
                known[name] = (name_id, used, files, public, restricted, private)
            else:
                writes.deletes.append((name_id,))
                known[name] = None
        writes.run(self._connection)
        if self._next_id != self._written_id:
            self._written_id = self._next_id
            self._connection.execute("INSERT OR REPLACE INTO meta VALUES ('next_name_id', ?)", (self._next_id,))

    def _load(self, names: set[str]) -> None:
        known = self._names
        if len(known) > _REMEMBERED:
            known.clear()
            self._knows_all = False
        missing = [name for name in names if name not in known]
        if self._knows_all:
            known.update(dict.fromkeys(missing))
            return
        for chunk in _chunks(missing):
            found = self._connection.execute(
                "SELECT n.name, n.id, n.uses, n.files, n.public, n.restricted, n.private "
                "FROM json_each(?) j JOIN names n ON n.name = j.value",
                (_json(chunk),),
            )
            known.update(dict.fromkeys(chunk))
            for name, *row in found:
                known[name] = tuple(row)

    # --- symbols and postings ----------------------------------------------------------------------------------------

    def _write_symbols(self) -> None:
        connection = self._connection
        ranges = [(id_ << ORDINAL_BITS, (id_ + 1) << ORDINAL_BITS) for id_ in self._withdrawn]
        connection.executemany("DELETE FROM symbols WHERE id >= ? AND id < ?", ranges)
        entered = {path for rows in self._entered.values() for path in rows.containers}
        gone = {path for rows in self._withdrawn.values() for path in rows.containers} - entered
        containers = self._container_ids(entered)
        connection.executemany("INSERT INTO symbols VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", self._symbol_rows(containers))
        connection.executemany(
            "DELETE FROM containers WHERE path = ?1 AND NOT EXISTS "
            "(SELECT 1 FROM symbols WHERE container_id = containers.id)",
            [(path,) for path in gone],
        )

    def _symbol_rows(self, containers: dict[str, int]) -> Iterator[tuple[object, ...]]:
        names = cast("dict[str, _Name]", self._names)  # those of symbols have rows
        for file_id in sorted(self._entered):
            rows = self._entered[file_id]
            first = file_id << ORDINAL_BITS
            # The last place answers -1, the top of the file.
            owners: list[int | None] = [*(containers[path] for path in rows.containers), None]
            wide: list[bytes | None] = [None] * len(rows.names)
            for ordinal, numbers in rows.wide.items():
                wide[ordinal] = msgspec.msgpack.encode(numbers)
            yield from zip(
                range(first, first + len(rows.names)),
                [names[name][0] for name in rows.names],
                rows.kinds,
                rows.visibilities,
                [owners[container] for container in rows.container_of],
                rows.places[0::3],
                rows.places[1::3],
                rows.places[2::3],
                wide,
                strict=True,
            )

    def _container_ids(self, paths: set[str]) -> dict[str, int]:
        ids: dict[str, int] = {}
        wanted = sorted(paths)
        for chunk in _chunks(wanted):
            ids.update(
                self._connection.execute(
                    "SELECT c.path, c.id FROM json_each(?) j JOIN containers c ON c.path = j.value", (_json(chunk),)
                )
            )
        new = [path for path in wanted if path not in ids]
        (highest,) = self._connection.execute("SELECT ifnull(max(id), 0) FROM containers").fetchone()
        ids.update(zip(new, range(highest + 1, highest + 1 + len(new)), strict=True))
        self._connection.executemany(
            "INSERT INTO containers VALUES (?, ?, ?)",
            [(ids[path], path, fold(path.rpartition(".")[2])) for path in new],
        )
        return ids

    def _write_postings(self) -> None:
        entered, withdrawn = self._entered, self._withdrawn
        same = {
            file_id
            for file_id in entered.keys() & withdrawn.keys()
            if entered[file_id].uses.keys() == withdrawn[file_id].uses.keys()
        }
        self._connection.executemany(
            "INSERT INTO postings (postings, rowid, tokens) VALUES ('delete', ?, ?)",
            [(id_, rows.tokens) for id_, rows in withdrawn.items() if rows.tokens and id_ not in same],
        )
        self._connection.executemany(
            "INSERT INTO postings (rowid, tokens) VALUES (?, ?)",
            [(id_, entered[id_].tokens) for id_ in sorted(entered) if entered[id_].tokens and id_ not in same],
        )


class _NameWrites:
    """Changes of `names` and its full text, by statement."""

    def __init__(self) -> None:
        self.inserts: list[tuple[object, ...]] = []
        self.updates: list[tuple[int, ...]] = []
        self.undefined: list[tuple[int, ...]] = []
        self.deletes: list[tuple[int]] = []
        self.new_parts: list[tuple[int, str]] = []
        self.lost_parts: list[tuple[str, int, str]] = []

    def run(self, connection: sqlite3.Connection) -> None:
        """Write them; deletions first, since a name that becomes defined leaves its old row."""
        counters = "uses = ?, files = ?, public = ?, restricted = ?, private = ?"
        connection.executemany("DELETE FROM names WHERE id = ?", self.deletes)
        connection.executemany(f"UPDATE names SET {counters} WHERE id = ?", self.updates)
        connection.executemany(f"UPDATE names SET {counters}, folded = NULL, hump = NULL WHERE id = ?", self.undefined)
        connection.executemany("INSERT INTO names VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", self.inserts)
        connection.executemany("INSERT INTO name_parts (name_parts, rowid, folded) VALUES (?, ?, ?)", self.lost_parts)
        connection.executemany("INSERT INTO name_parts (rowid, folded) VALUES (?, ?)", self.new_parts)


def _by_visibility(rows: Rows) -> Iterator[tuple[int, Iterable[str]]]:
    """Yield each visibility with the names of the symbols that have it."""
    for visibility in set(rows.visibilities):
        if rows.visibilities.count(visibility) == len(rows.names):
            yield visibility, rows.names
        else:
            yield visibility, compress(rows.names, map(visibility.__eq__, rows.visibilities))


def _add(totals: dict[str, int], deltas: dict[str, int]) -> None:
    get = totals.get
    for name, delta in deltas.items():
        totals[name] = get(name, 0) + delta


def _split(packed: int) -> tuple[int, int]:
    """Take the counts of uses and files, either of which may be negative, out of one integer."""
    half = 1 << (_LOW - 1)
    files = ((packed + half) & ((1 << _LOW) - 1)) - half
    return (packed - files) >> _LOW, files


def _json(texts: list[str]) -> str:
    return msgspec.json.encode(texts).decode()


def _chunks(items: list[str]) -> Iterator[list[str]]:
    for start in range(0, len(items), _CHUNK):
        yield items[start : start + _CHUNK]
