"""The order of answers: a linear ranker in two stages, with weights that were fitted and are written here.

The weights come from `python -m tests.quality.retrieval --fit`: a listwise softmax over the candidates of each question
of the development set, with an L2 penalty. Each style has the common weights plus its own difference, which the penalty
keeps small. `docs/quality.md` has the figures, and what each feature is worth.

Plain reciprocal rank fusion of full text and vectors was measured too, and is worse than full text alone.
"""

from __future__ import annotations

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
    return _ordered(question, candidates, first, FIRST)


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
    return _ordered(question, candidates, second_columns(question, candidates, details, repository, first), SECOND)


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


def _ordered(
    question: Question, candidates: Sequence[Candidate], columns: Columns, table: Mapping[str, Sequence[float]]
) -> list[Ranked]:
    if not candidates:
        return []
    totals = scores(columns, weights_of(question.reading.style, table))
    if "quoted" in columns:
        totals = totals + QUOTED * columns["quoted"]
    exact = [_is_exact(question, candidate) for candidate in candidates]
    order = sorted(
        range(len(candidates)),
        key=lambda place: (
            not exact[place],
            -round(float(totals[place]), 9),
            candidates[place].path,
            candidates[place].line_start,
        ),
    )
    return [Ranked(place, round(float(totals[place]), 9)) for place in order]


def _is_exact(question: Question, candidate: Candidate) -> bool:
    """Tell whether a candidate defines the very name that the whole question is: such come first."""
    wanted = bare(question.reading.identifier.rpartition(".")[2])
    return bool(wanted) and any(bare(name) == wanted for name in candidate.names)
