"""Columns of whole numbers: joined by equal keys, looked up, and each value once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]


MOST_PAIRS: Final = 4_000_000
"""Rows that one join may have; what a hostile workspace adds beyond is left out."""


class Joins:
    """Rows of columns with the same keys, combined, and how many there were at most."""

    def __init__(self) -> None:
        self.most = 0

    def fits(self, number: int) -> bool:
        """Whether so many rows are not too many."""
        self.most = max(self.most, number)
        return number <= MOST_PAIRS

    def groups(self, key: Ints, size: int) -> Groups:
        """Group rows by a key below `size`."""
        return Groups(self, key, size)

    def sorted(self, key: Ints) -> Sorted:
        """Group rows by any key."""
        return Sorted(self, key)

    def combined(self, first: Ints, number: Ints, order: Ints) -> tuple[Ints, Ints]:
        """Combine each row with `number` places of `order`, from `first` on; no more than `MOST_PAIRS` in all.

        Rows with the most places are left out, which say the least. Rows stand in an order of hashes: which are kept
        may not depend on it.
        """
        if not self.fits(int(number.sum())):
            ascending = np.sort(number)
            too_many = ascending[np.searchsorted(np.cumsum(ascending), MOST_PAIRS, "right")]
            number = np.where(number < too_many, number, 0)
        rows = np.repeat(np.arange(len(number)), number)
        offset = np.arange(len(rows)) - np.repeat(np.cumsum(number) - number, number)
        return rows, order[first[rows] + offset]


class Groups:
    """Rows by a key below `size`, found without a search."""

    def __init__(self, joins: Joins, key: Ints, size: int) -> None:
        self.number = np.bincount(key, minlength=size)
        self._joins = joins
        self._first = np.cumsum(self.number) - self.number
        self._order = np.argsort(key, kind="stable")

    def pairs(self, left: Ints) -> tuple[Ints, Ints]:
        """Return rows of `left` and rows of these that share a key, every combination."""
        return self._joins.combined(self._first[left], self.number[left], self._order)


class Sorted:
    """Rows by any key, found by search."""

    def __init__(self, joins: Joins, key: Ints) -> None:
        self._joins = joins
        self._order = np.argsort(key, kind="stable")
        self._key = key[self._order]

    def pairs(self, left: Ints) -> tuple[Ints, Ints]:
        """Return rows of `left` and rows of these that share a key, every combination."""
        first = np.searchsorted(self._key, left, "left")
        return self._joins.combined(first, np.searchsorted(self._key, left, "right") - first, self._order)


def joined(parts: Sequence[Any]) -> Ints:
    """Return parts of a column as one."""
    return np.concatenate(parts).astype(np.int64, copy=False) if parts else np.empty(0, np.int64)


def holds(ordered: Ints, wanted: Ints) -> NDArray[np.bool_]:
    """Whether each wanted key is among ascending ones."""
    if not len(ordered):
        return np.zeros(len(wanted), np.bool_)
    place = np.minimum(np.searchsorted(ordered, wanted), len(ordered) - 1)
    found: NDArray[np.bool_] = ordered[place] == wanted
    return found


def unique(values: Ints) -> Ints:
    """Return the distinct values in order. (`numpy.unique` hashes, which takes several times as long on these.)"""
    ordered = np.sort(values)
    fresh = np.ones(len(ordered), np.bool_)
    fresh[1:] = ordered[1:] != ordered[:-1]
    return ordered[fresh]


def unique_inverse(values: Ints) -> Ints:
    """Return for each value its place among the distinct ones."""
    order = np.argsort(values)
    ordered = values[order]
    fresh = np.zeros(len(ordered), np.int64)
    fresh[1:] = ordered[1:] != ordered[:-1]
    places = np.empty(len(ordered), np.int64)
    places[order] = np.cumsum(fresh)
    return places


def place(ordered: Ints, wanted: int) -> int:
    """Return the place of a value among ascending ones; -1 where it is not there."""
    place = int(np.searchsorted(ordered, wanted))
    return place if place < len(ordered) and ordered[place] == wanted else -1


def places(ordered: Ints, wanted: Ints) -> Ints:
    """Return the same of many values."""
    if not len(ordered):
        return np.full(len(wanted), -1)
    place = np.minimum(np.searchsorted(ordered, wanted), len(ordered) - 1)
    return np.where(ordered[place] == wanted, place, -1)


def distinct(*columns: Ints) -> tuple[Ints, ...]:
    """Return the distinct rows of columns, in order."""
    if not len(columns[0]):
        return columns
    order = np.lexsort(columns[::-1])
    ordered = [column[order] for column in columns]
    fresh = np.zeros(len(order), np.bool_)
    fresh[0] = True
    for column in ordered:
        fresh[1:] |= column[1:] != column[:-1]
    return tuple(column[fresh] for column in ordered)
