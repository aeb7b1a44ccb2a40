"""Features: what speaks for a candidate, each a column over all candidates of one question.

Most are scaled by the best candidate of the question, so that a weight means the same for every question and every
repository. `WHAT` says what each is; `ranking` has the weights.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pilotfish.retrieval.candidates import Candidate, Details, is_supporting, is_testing
from pilotfish.retrieval.question import Question, bare, parts_of, weight
from pilotfish.syntax.outline import TELLING_KINDS
from pilotfish.syntax.terms import terms

Column = NDArray[np.float64]
Columns = dict[str, Column]

WHAT: Final = {
    "lexical": "BM25 over text, path and names, by the best",
    "meaning": "cosine of the vectors above the repository's mean, by the best",
    "file_lexical": "BM25 of the file's three best chunks, the second counting half, the third a third; by the best",
    "file_meaning": "the best `meaning` of the file",
    "history": "what past commits with such messages changed, by the best",
    "name": "harmonic mean of how much of a definition's name the question has, and how much of the question the name",
    "exact_name": "1 where the question holds a definition's name as it is, case and underscores apart",
    "scope": "how much of the question the names around the definition have",
    "folder": "share of the words of the file's folders that the question has",
    "supporting": "1 in tests, examples, benchmarks and others' code, unless the question speaks of tests; -1 in tests "
    "where it asks for tests",
    "undefined": "1 where the chunk is about no function or type",
    "size": "logarithm of the chunk's length in thousands of bytes",
    "covered": "how much of the question stands in the chunk, its path or its names",
    "signature": "how much of the question the signature and scope of one definition have",
    "neighbours": "how much of the question stands in the chunk side by side as it does in the question",
    "name_meaning": "cosine of the question with a definition's name, by the best",
    "signature_meaning": "cosine of the question with a definition's signature and scope, by the best",
    "quoted": "share of the quoted texts that stand in the chunk as they are",
}
"""The features. "How much" is a share by what words weigh (`question.rarities`)."""

FIRST_STAGE: Final = tuple(WHAT)[: tuple(WHAT).index("covered")]
SECOND_STAGE: Final = tuple(WHAT)

MIDDLING_SIZE: Final = 1_000.0
_BEST_OF_FILE: Final = (1.0, 1 / 2, 1 / 3)
_SHORTEST_EXACT: Final = 4
"""An exact name of fewer letters says little: `get`, `run`."""


class Repository(NamedTuple):
    """What features need to know of a repository: `rarity` is that of the question's words (`question.rarities`),
    `mean_cosine` the cosine of the question with the mean of all vectors."""

    rarity: Mapping[str, float]
    mean_cosine: float = 0.0


def first_columns(question: Question, candidates: Sequence[Candidate], repository: Repository) -> Columns:
    """Return the features of the first stage."""
    files = _Files([candidate.path for candidate in candidates])
    lexical = _by_best([candidate.lexical for candidate in candidates])
    meaning = _meaning([candidate.cosine for candidate in candidates], repository.mean_cosine)
    columns = {
        "lexical": lexical,
        "meaning": meaning,
        "file_lexical": _by_best(files.spread(files.best_few(lexical))),
        "file_meaning": files.spread(files.largest(meaning)),
        "history": _by_best([candidate.history for candidate in candidates]),
        "undefined": np.array([0.0 if candidate.kind in TELLING_KINDS else 1.0 for candidate in candidates]),
        "size": np.log(np.array([max(candidate.size, 1) for candidate in candidates]) / MIDDLING_SIZE),
    }
    columns |= _name_columns(question, candidates, repository.rarity)
    columns |= _path_columns(question, files)
    return columns


def second_columns(
    question: Question,
    candidates: Sequence[Candidate],
    details: Sequence[Details],
    repository: Repository,
    first: Mapping[str, Column],
) -> Columns:
    """Return the features of the second stage, those of the first (of the same candidates) among them."""
    rarity = repository.rarity
    asked = frozenset(question.terms)
    whole = weight(question.terms, rarity) or 1.0
    pairs = {pair: min(rarity.get(word, 0.0) for word in pair) for pair in pairwise(question.terms)}
    columns = {name: np.zeros(len(candidates)) for name in SECOND_STAGE if name not in first}
    for place, (candidate, detail) in enumerate(zip(candidates, details, strict=True)):
        there = asked.intersection(detail.terms.split())
        around = terms(f"{candidate.path} {candidate.scope} {' '.join(candidate.names)}").split()
        columns["covered"][place] = weight(there.union(asked.intersection(around)), rarity) / whole
        if len(there) > 1:
            text = f" {detail.terms} "
            found = (pair for pair in pairs if there.issuperset(pair) and f" {pair[0]} {pair[1]} " in text)
            columns["neighbours"][place] = sum(pairs[pair] for pair in found) / whole
        for definition in detail.definitions:
            head = weight(asked & definition.words, rarity) / whole
            columns["signature"][place] = max(columns["signature"][place], head)
        columns["name_meaning"][place] = _largest(detail.name_cosines)
        columns["signature_meaning"][place] = _largest(detail.signature_cosines)
        columns["quoted"][place] = _share_quoted(question, detail.text)
    for name in ("name_meaning", "signature_meaning"):
        columns[name] = _by_best(columns[name])
    return {**first, **columns}


def matrix(columns: Mapping[str, Column], names: Sequence[str]) -> NDArray[np.float64]:
    """Return features side by side: a row for each candidate, a column for each name."""
    return np.column_stack([columns[name] for name in names])


# --- names and paths -------------------------------------------------------------------------------------------------


def _name_columns(question: Question, candidates: Sequence[Candidate], rarity: Mapping[str, float]) -> Columns:
    whole = weight(question.parts, rarity) or 1.0
    columns = {name: np.zeros(len(candidates)) for name in ("name", "exact_name", "scope")}
    likeness: dict[str, tuple[float, float]] = {}  # of names, many of which come again
    scopes: dict[str, float] = {}
    for place, candidate in enumerate(candidates):
        for name in (candidate.name, *candidate.names):
            if name not in likeness:
                likeness[name] = _likeness(question, name, rarity, whole)
            alike, exact = likeness[name]
            if alike:
                columns["name"][place] = max(columns["name"][place], alike)
                columns["exact_name"][place] = max(columns["exact_name"][place], exact)
        scope = candidate.scope
        if scope not in scopes:
            scopes[scope] = weight(parts_of(scope) & question.parts, rarity) / whole
        columns["scope"][place] = scopes[scope]
    return columns


def _likeness(question: Question, name: str, rarity: Mapping[str, float], whole: float) -> tuple[float, float]:
    """Return what a name adds to `name` and `exact_name`."""
    parts = parts_of(name)
    common = parts & question.parts
    if not common:
        return 0.0, 0.0
    shared = weight(common, rarity)
    covered, covers = shared / weight(parts, rarity), shared / whole
    exact = bare(name) in question.names and len(bare(name)) >= _SHORTEST_EXACT
    return 2 * covered * covers / (covered + covers), float(exact)


def _path_columns(question: Question, files: _Files) -> Columns:
    asked = frozenset(question.terms)
    folder, supporting = np.zeros(len(files.paths)), np.zeros(len(files.paths))
    shares: dict[str, float] = {}
    for place, path in enumerate(files.paths):
        parent = path.rpartition("/")[0]
        if parent not in shares:
            words = set(terms(parent).split())
            shares[parent] = len(words & asked) / max(len(words), 1)
        folder[place] = shares[parent]
        if question.asks_for_tests:
            supporting[place] = -float(is_testing(path))
        elif not question.speaks_of_tests:
            supporting[place] = is_supporting(path)
    return {"folder": files.spread(folder), "supporting": files.spread(supporting)}


# --- columns ---------------------------------------------------------------------------------------------------------


class _Files:
    """The files of candidates, to bring together what their chunks say."""

    def __init__(self, paths: Sequence[str]) -> None:
        numbers = {path: number for number, path in enumerate(dict.fromkeys(paths))}
        self.paths = list(numbers)
        self._file = np.array([numbers[path] for path in paths], np.int64)

    def spread(self, column: Column) -> Column:
        """Return for each candidate what a column over files says of its file."""
        spread: Column = column[self._file] if len(self._file) else np.zeros(0)
        return spread

    def largest(self, column: Column) -> Column:
        """Return for each file the largest of its candidates' values."""
        found = np.full(len(self.paths), -np.inf)
        np.maximum.at(found, self._file, column)
        return found

    def best_few(self, column: Column) -> Column:
        """Return for each file the sum of its best candidates' values, with decreasing shares."""
        order = np.lexsort((-column, self._file))
        file = self._file[order]
        begins = np.searchsorted(file, np.arange(len(self.paths)))
        rank = np.arange(len(order)) - begins[file]
        shares = np.array((*_BEST_OF_FILE, 0.0))[np.minimum(rank, len(_BEST_OF_FILE))]
        return np.bincount(file, column[order] * shares, len(self.paths)).astype(np.float64)


def _by_best(values: Sequence[float] | Column) -> Column:
    """Scale so that the largest is 1; nothing where none is above zero."""
    column = np.asarray(values, np.float64)
    best = column.max(initial=0.0)
    return column / best if best > 0 else np.zeros(len(column))


def _meaning(cosines: Sequence[float], mean: float) -> Column:
    """Scale cosines so that the mean is 0 and the best 1; what is unknown counts as the mean."""
    column = np.array(cosines, np.float64)
    best = np.fmax.reduce(column, initial=mean) - mean
    if not best > 0:
        return np.zeros(len(column))
    meaning: Column = np.nan_to_num((column - mean) / best, nan=0.0)
    return meaning


def _largest(cosines: Sequence[float]) -> float:
    return max((cosine for cosine in cosines if cosine > 0), default=0.0)  # NaN is not above zero


def _share_quoted(question: Question, text: str) -> float:
    quoted = question.reading.quoted
    return sum(part in text for part in quoted) / len(quoted) if quoted else 0.0
