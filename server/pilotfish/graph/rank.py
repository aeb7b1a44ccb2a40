"""How much each file and definition matters: personalised PageRank over the links between files.

A file gives its rank to the files that define what it uses, in proportion to the weight of its links: the square root
of how often a name is used, times what the name says of itself (`Boosts`). Definitions get their share of the rank that
flows to their file over their name.

The weight of a link is a product of factors of its source, its name and itself. So nothing but three columns is kept
between two questions: the ranks for another person, task or moment are a few multiplications and a power iteration
over distinct pairs of files, never a graph with an edge for every use.

Page, Brin, Motwani, Winograd: The PageRank Citation Ranking (1999); the personalised form is section 6. What networkx
calls `pagerank` gives the same numbers on the same weights (a test holds it to 1e-9).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from pilotfish.graph.edges import Graph
from pilotfish.graph.linking import Evidence
from pilotfish.graph.nodes import Trait

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]
    Floats = NDArray[np.float64]

DAMPING: Final = 0.85
TOLERANCE: Final = 1e-10
"""The iteration ends when the ranks change by less than this in all."""

MOST_ITERATIONS: Final = 200

_QUANTUM: Final = 1 << 20
"""Weights are multiples of one part in so many: sums of them are exact, whatever their order."""


@dataclass(frozen=True, slots=True)
class Boosts:
    """By how much more a link counts for what its name says; the settings of `map` with these names."""

    long_name: float = 10.0
    private: float = 0.1
    common: float = 0.1
    spelled: float = 0.3


COMMON_DEFINERS: Final = 5
"""A name that more files define is common and says little about any of them."""


@dataclass(frozen=True, slots=True)
class Wishes:
    """What one question adds: files to start from with their weights, and names that count for more, by index in the
    graph; what is not in it has the index -1 and is passed over. (To weigh all links of one file more would change
    nothing: a file divides its rank among them.)"""

    start: Mapping[int, float] = field(default_factory=dict)
    names: Mapping[int, float] = field(default_factory=dict)


class Ranks(NamedTuple):
    """The rank of each file, in all 1, and of each definition that is used from another file: its file, the index of
    its name, and the rank that flows to it, sorted by file and name."""

    files: Floats
    target: Ints
    name: Ints
    definitions: Floats


class Ranker:
    """Ranks one graph, for as many questions as there are."""

    def __init__(self, graph: Graph, boosts: Boosts) -> None:
        self._size = len(graph)
        self._names = len(graph.names)
        links = graph.links
        keep = np.flatnonzero(links.name >= 0)
        source, target, name = links.source[keep], links.target[keep], links.name[keep]
        # Roles of one name are one use of it; links are sorted by source, target and name.
        begins = _begins(source, target, name)
        self._source, self._target, self._name = source[begins], target[begins], name[begins]
        uses = np.add.reduceat(links.uses[keep], begins) if len(begins) else links.uses[keep]
        evidence = np.maximum.reduceat(links.evidence[keep], begins) if len(begins) else links.evidence[keep]
        factor = _naming(graph, boosts)[self._name]
        self._weight = np.sqrt(uses) * factor * np.where(evidence == Evidence.NAME, boosts.spelled, 1.0)
        pair = _begins(self._source, self._target)
        self._pair_source, self._pair_target = self._source[pair], self._target[pair]
        self._pair_of = np.cumsum(np.bincount(pair, minlength=len(begins))) - 1 if len(begins) else begins
        order = np.lexsort((self._source, self._name, self._target))
        self._by_definition = order
        self._definition = _begins(self._target[order], self._name[order])

    def rank(self, wishes: Wishes = Wishes()) -> Ranks:
        """Return the ranks for one question."""
        weight = self._weight
        if wishes.names:
            weight = weight * _spread(wishes.names, self._names, 1.0)[self._name]
        weight = np.maximum(np.round(weight * _QUANTUM), 1)
        pairs = np.bincount(self._pair_of, weight, len(self._pair_source)).astype(np.float64)
        start = _spread(wishes.start, self._size, 0.0) if wishes.start else None
        files = pagerank(self._pair_source, self._pair_target, pairs, self._size, start)
        out = np.bincount(self._pair_source, pairs, self._size)
        flow = files[self._source] * weight / np.maximum(out[self._source], 1)
        order, definition = self._by_definition, self._definition
        scores = np.add.reduceat(flow[order], definition) if len(definition) else flow
        return Ranks(files, self._target[order][definition], self._name[order][definition], scores)


def pagerank(source: Ints, target: Ints, weight: Floats, size: int, start: Floats | None = None) -> Floats:
    """Return the rank of each of `size` files, in all 1.

    Args:
        source: the file that each link leaves; no pair of files stands twice.
        target: the file that it leads to.
        weight: its weight, positive.
        size: number of files.
        start: where a reader begins anew, as non-negative weights of all files; all alike if None or all zero. A file
            without links gives its rank to these.

    """
    if not size:
        return np.empty(0)
    begin = np.full(size, 1 / size) if start is None or not start.sum() > 0 else start / start.sum()
    out = np.bincount(source, weight, size)
    share = weight / out[source] if len(source) else weight
    hangs = out == 0
    ranks = begin.copy()
    for _ in range(MOST_ITERATIONS):
        flow = np.bincount(target, ranks[source] * share, size) + ranks[hangs].sum() * begin
        fresh = DAMPING * flow + (1 - DAMPING) * begin
        change = np.abs(fresh - ranks).sum()
        ranks = fresh
        if change < TOLERANCE:
            break
    return ranks


def _naming(graph: Graph, boosts: Boosts) -> Floats:
    """Return the factor of each name: long specific ones count for more, private and common ones for less."""
    size = len(graph.names)
    factor = np.ones(size)
    traits = np.zeros(size, np.int64)
    np.bitwise_or.at(traits, graph.defined_name, graph.defined_traits)
    factor[(traits & Trait.LONG) != 0] *= boosts.long_name
    factor[(traits & Trait.PRIVATE) != 0] *= boosts.private
    factor[graph.definers > COMMON_DEFINERS] *= boosts.common
    return factor


def _begins(*columns: Ints) -> Ints:
    """Return where a new row begins among sorted ones."""
    if not len(columns[0]):
        return np.empty(0, np.int64)
    fresh = np.zeros(len(columns[0]), np.bool_)
    fresh[0] = True
    for column in columns:
        fresh[1:] |= column[1:] != column[:-1]
    return np.flatnonzero(fresh)


def _spread(values: Mapping[int, float], size: int, other: float) -> Floats:
    """Return a column of values by index, `other` where none is given."""
    spread = np.full(size, other)
    for index, value in values.items():
        if index >= 0:
            spread[index] = value
    return spread
