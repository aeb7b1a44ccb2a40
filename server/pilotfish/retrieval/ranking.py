"""The order of answers: a linear ranker in two stages, with weights that were fitted and are written here.

The weights come from `python -m tests.quality.retrieval --fit`: a listwise softmax over the candidates of each question
of the development set, with an L2 penalty. Each style has the common weights plus its own difference, which the penalty
keeps small. `docs/quality.md` has the figures, and what each feature is worth.

Plain reciprocal rank fusion of full text and vectors was measured too, and is worse than full text alone.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pilotfish.retrieval.candidates import Candidate, Details
from pilotfish.retrieval.features import Columns, Repository, first_columns, matrix, second_columns
from pilotfish.retrieval.intent import Style
from pilotfish.retrieval.question import Question, bare
from pilotfish.retrieval.weights import FIRST, QUOTED, SECOND

Weights = Mapping[str, float]

SECOND_STAGE_SIZE: Final = 60
"""So many of the first stage's best are looked at in the second."""

COMPANY: Final = (0.3, 0.3)
"""What a file's second and third best chunks add to each of its chunks, where a change is wished for: such a question
is about files, and a file of which several pieces fit is more likely the one to change."""

GAPS: Final = (0.5, 0.3)
"""How much lower than the chunk before it the second and the third are taken to be where a file has none."""


class Ranked(NamedTuple):
    """One answer: the place of its candidate in the list that was given, and its score; larger is better."""

    place: int
    score: float


def first_stage(
    question: Question, candidates: Sequence[Candidate], repository: Repository, columns: Columns | None = None
) -> list[Ranked]:
    """Order candidates by what their rows say, best first; ties go by path and line. `columns` are their features,
    where they are at hand."""
    first = first_columns(question, candidates, repository) if columns is None else columns
    return _ordered(question, candidates, scores(first, weights_of(question.reading.style, FIRST)))


def second_stage(
    question: Question,
    candidates: Sequence[Candidate],
    details: Sequence[Details],
    repository: Repository,
    columns: Columns | None = None,
) -> list[Ranked]:
    """Order candidates by all that is known of them, best first; ties go by path and line.

    Args:
        question: what was asked.
        candidates: some of the first stage's best, in any order.
        details: of each of them.
        repository: what features need to know of it.
        columns: the first stage's features of the same candidates, where they are at hand: scaled by the best of all
            candidates; they are made anew otherwise.

    """
    first = first_columns(question, candidates, repository) if columns is None else columns
    every = second_columns(question, candidates, details, repository, first)
    totals = scores(every, weights_of(question.reading.style, SECOND)) + QUOTED * every["quoted"]
    if question.reading.style is Style.CHANGE:
        totals = totals + company(candidates, totals)
    return _ordered(question, candidates, totals)


def chosen(columns: Columns, places: Sequence[int]) -> Columns:
    """Return the features of some candidates only."""
    return {name: column[np.asarray(places, np.int64)] for name, column in columns.items()}


def weights_of(style: Style, table: Mapping[str, Sequence[float]]) -> Weights:
    """Return what each feature weighs in questions of a style."""
    place = tuple(Style).index(style)
    return MappingProxyType({feature: weights[place] for feature, weights in table.items()})


def scores(columns: Columns, weights: Weights) -> NDArray[np.float64]:
    """Return the weighted sum of features for each candidate."""
    names = [name for name in weights if name in columns]
    totals: NDArray[np.float64] = matrix(columns, names) @ np.array([weights[name] for name in names])
    return totals


def company(candidates: Sequence[Candidate], totals: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return what is added to each candidate for the other good chunks of its file."""
    of_file: dict[str, list[float]] = defaultdict(list)
    for candidate, total in zip(candidates, totals.tolist(), strict=True):
        of_file[candidate.path].append(total)
    added: dict[str, float] = defaultdict(float)
    for path, found in of_file.items():
        best, *others = sorted(found, reverse=True)
        value = best
        for place, (share, gap) in enumerate(zip(COMPANY, GAPS, strict=True)):
            value = others[place] if place < len(others) else value - gap
            added[path] += share * value
    return np.array([added[candidate.path] for candidate in candidates], np.float64)


def _ordered(question: Question, candidates: Sequence[Candidate], totals: NDArray[np.float64]) -> list[Ranked]:
    exact = _exact(question, candidates)
    rounded = [round(total, 9) for total in totals.tolist()]
    order = sorted(
        range(len(candidates)),
        key=lambda place: (
            not exact[place],
            -rounded[place],
            candidates[place].path,
            candidates[place].line_start,
        ),
    )
    return [Ranked(place, rounded[place]) for place in order]


def _exact(question: Question, candidates: Sequence[Candidate]) -> list[bool]:
    """Tell of each candidate whether it defines the very name that the whole question is: such come first."""
    wanted = bare(question.reading.identifier.rpartition(".")[2])
    if not wanted:
        return [False] * len(candidates)
    return [any(bare(name) == wanted for name in candidate.names) for candidate in candidates]
