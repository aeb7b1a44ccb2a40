"""Fits the weights of search, and says what each feature is worth: `tests.quality.retrieval` says how to call it.

The ranker is linear. Its weights make a softmax over the candidates of a question, each expected place against all that
is wrong, as likely as they can (Cao et al. 2007, "Learning to rank: from pairwise approach to listwise approach"), with
an L2 penalty. Each style of question has weights of its own, the common ones plus a difference that is penalised alike.
"""

from __future__ import annotations

import os
import pickle
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest import mock

import msgspec
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize  # type: ignore[import-untyped]

from pilotfish.engine import wire
from pilotfish.engine.engine import Engine
from pilotfish.retrieval import ranking, weights
from pilotfish.retrieval.candidates import Candidate
from pilotfish.retrieval.features import FIRST_STAGE, SECOND_STAGE, Columns, first_columns, matrix, second_columns
from pilotfish.retrieval.intent import Style
from tests.quality.retrieval import TASKS, Place, Question, Verdict, by_repository, interval, judge, mean_of_tasks

SHARPNESS = 8.0
PENALTY = 0.02
ROUNDS = 80
WEIGHED = {1: FIRST_STAGE, 2: tuple(name for name in SECOND_STAGE if name not in ("quoted", "undefined"))}
"""The features of each stage that are fitted. No question of the set has quotes; whether a chunk is about a definition
is said better, in the second stage, by the definitions."""

GROUPS = {
    "all vectors": ("meaning", "file_meaning", "name_meaning", "signature_meaning"),
    "vectors of names and signatures": ("name_meaning", "signature_meaning"),
    "all names": ("name", "exact_name", "scope", "signature"),
    "all that files say": ("file_lexical", "file_meaning", "folder"),
}

HEAD = """| ranker | docstring | commit | symbol | top 3 |
| --- | --- | --- | --- | ---: |"""

STYLES = tuple(Style)

Matrix = NDArray[np.float64]


@dataclass
class Seen:
    """The candidates of a question as one stage saw them: a row of features each, and where they are."""

    question: Question
    style: Style
    features: Matrix
    places: list[Place]
    right: list[list[int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.right = [
            [number for number, place in enumerate(self.places) if place.is_at(expected)]
            for expected in self.question.expected
        ]


Stages = Mapping[int, list[Seen]]


async def fit(questions: Sequence[Question], trees: Path, kept: Path | None) -> None:
    """Fit both stages and write the weights; say what they reach on repositories that they were not fitted on."""
    stages = await _stages(questions, trees, kept)
    print(HEAD)
    for stage, seen in stages.items():
        whole = left_out(seen, stage, WEIGHED[stage])
        print(_row(f"stage {stage}", whole, None, questions))
        print(by_repository(whole, questions), file=sys.stderr)
    write(*(fitted(seen, stage, WEIGHED[stage]) for stage, seen in stages.items()))


async def ablate(questions: Sequence[Question], trees: Path, kept: Path | None) -> None:
    """Say what each feature is worth, fitting anew without it; and each group of features."""
    stages = await _stages(questions, trees, kept)
    print(HEAD)
    for stage, seen in stages.items():
        whole = left_out(seen, stage, WEIGHED[stage])
        print(_row(f"stage {stage}", whole, None, questions), flush=True)
        for title, names in _left_away(stage).items():
            rest = [name for name in WEIGHED[stage] if name not in names]
            print(_row(f"stage {stage} without {title}", left_out(seen, stage, rest), whole, questions), flush=True)
        one = left_out(seen, stage, WEIGHED[stage], styles=False)
        print(_row(f"stage {stage}, one style for all", one, whole, questions), flush=True)


def _left_away(stage: int) -> dict[str, tuple[str, ...]]:
    """Return what is left out of a stage, one after the other: each feature, and the groups of which it has several."""
    known = WEIGHED[stage]
    groups = {title: names for title, names in GROUPS.items() if len(set(names) & set(known)) > 1}
    return {**{f"`{name}`": (name,) for name in known}, **groups}


async def _stages(questions: Sequence[Question], trees: Path, kept: Path | None) -> Stages:
    if kept and kept.exists():
        found: Stages = pickle.loads(kept.read_bytes())
        return found
    found = await read_features(questions, trees)
    if kept:
        kept.write_bytes(pickle.dumps(found))
    return found


def _row(
    title: str, verdicts: Mapping[str, Verdict], whole: Mapping[str, Verdict] | None, questions: Sequence[Question]
) -> str:
    """Write a row of the table: NDCG@10 by task, and what changes against `whole`."""
    cells = []
    for task in TASKS:
        those = [question.id for question in questions if question.task == task and question.id in verdicts]
        if not those:
            cells.append("–")
        elif whole is None:
            cells.append(interval([verdicts[one].ndcg for one in those]))
        else:
            cells.append(interval([verdicts[one].ndcg - whole[one].ndcg for one in those]))
    answered = [question for question in questions if question.id in verdicts]
    return f"| {title} | {' | '.join(cells)} | {mean_of_tasks(verdicts, answered):.3f} |"


# --- features --------------------------------------------------------------------------------------------------------


async def read_features(questions: Sequence[Question], trees: Path) -> Stages:
    """Put the questions to an engine in this process and keep what its ranker sees."""
    stages: dict[int, list[Seen]] = {1: [], 2: []}
    for name in sorted({question.tree for question in questions}):
        with tempfile.TemporaryDirectory() as index:
            home = {**os.environ, "PILOTFISH_HOME": index}
            engine = await Engine.open((trees / name).resolve(), index_folder=Path(index) / "index", environment=home)
            hello = wire.Hello(token="", wire=wire.WIRE_VERSION, build="", kind="cli", client="quality", pid=1)
            session = engine.connect(hello, lambda method, params: None)
            await engine.wait_quiet()
            for question in [each for each in questions if each.tree == name]:
                with _watched(question, stages):
                    parameters = {"query": question.text, "snippet_chars": 0, "max_results": 1}
                    await engine.call(session, "search_code", msgspec.Raw(msgspec.json.encode(parameters)))
            await engine.close()
        print(f"{name}: {len(stages[2])} questions read", file=sys.stderr)
    return stages


@contextmanager
def _watched(question: Question, stages: Stages) -> Iterator[None]:
    """Keep what the ranker's two stages are given meanwhile."""
    first_stage, second_stage = ranking.first_stage, ranking.second_stage

    def first(asked: Any, candidates: Sequence[Candidate], repository: Any, columns: Columns | None = None) -> Any:
        known = first_columns(asked, candidates, repository) if columns is None else columns
        stages[1].append(_seen(question, asked, candidates, known, FIRST_STAGE))
        return first_stage(asked, candidates, repository, columns)

    def second(asked: Any, candidates: Sequence[Candidate], details: Any, repository: Any, columns: Any = None) -> Any:
        known = second_columns(asked, candidates, details, repository, columns)
        stages[2].append(_seen(question, asked, candidates, known, SECOND_STAGE))
        return second_stage(asked, candidates, details, repository, columns)

    with mock.patch.object(ranking, "first_stage", first), mock.patch.object(ranking, "second_stage", second):
        yield


def _seen(
    question: Question, asked: Any, candidates: Sequence[Candidate], columns: Columns, names: Sequence[str]
) -> Seen:
    places = [Place(each.path, each.line_start, each.line_end) for each in candidates]
    return Seen(question, asked.reading.style, matrix(columns, names), places)


# --- fitting ---------------------------------------------------------------------------------------------------------


def left_out(seen: Sequence[Seen], stage: int, names: Sequence[str], *, styles: bool = True) -> dict[str, Verdict]:
    """Judge each repository's questions with weights that were fitted on those of the others."""
    verdicts = {}
    for repository in dict.fromkeys(each.question.repository for each in seen):
        others = [each for each in seen if each.question.repository != repository]
        found = _solved(others, stage, names, styles=styles)
        for each in seen:
            if each.question.repository == repository:
                totals = _chosen(each, stage, names) @ _weights(found, each.style)
                verdicts[each.question.id] = judge(each.question, _ordered(each, totals, is_last=stage == 2))
    return verdicts


def fitted(seen: Sequence[Seen], stage: int, names: Sequence[str]) -> dict[str, tuple[float, ...]]:
    """Return the weights of each feature by style, fitted on all questions."""
    found = _solved(seen, stage, names, styles=True)
    of_styles = [_weights(found, style) for style in STYLES]
    return {name: tuple(float(weights[at]) for weights in of_styles) for at, name in enumerate(names)}


def _ordered(seen: Seen, totals: Matrix, *, is_last: bool) -> list[Place]:
    if is_last and seen.style is Style.CHANGE:
        candidates = [
            Candidate(number, place.path, place.first, place.last, 0) for number, place in enumerate(seen.places)
        ]
        totals = totals + ranking.company(candidates, totals)
    return [seen.places[number] for number in np.argsort(-totals, kind="stable")]


def _chosen(seen: Seen, stage: int, names: Sequence[str]) -> Matrix:
    """Return some features of a question's candidates."""
    known = FIRST_STAGE if stage == 1 else SECOND_STAGE
    chosen: Matrix = seen.features[:, [known.index(name) for name in names]]
    return chosen


def _weights(found: Matrix, style: Style) -> Matrix:
    """Return what features weigh in questions of a style: the common weights, and what is its own where there is."""
    weights_: Matrix = found[0] + found[1 + STYLES.index(style)] if len(found) > 1 else found[0]
    return weights_


def _solved(seen: Sequence[Seen], stage: int, names: Sequence[str], *, styles: bool) -> Matrix:
    """Return the weights that make what is expected as likely as they can: a row for all styles, and a row for each
    where they have weights of their own."""
    groups: list[tuple[Matrix, int]] = []
    parts: list[slice] = []
    for style in STYLES:
        begin = sum(len(rows) for rows, _ in groups)
        for each in seen:
            if each.style is style:
                chosen = _chosen(each, stage, names)
                wrong = sorted(set(range(len(chosen))) - {number for right in each.right for number in right})
                groups += [(chosen[right + wrong], len(right)) for right in each.right if right and wrong]
        parts.append(slice(begin, sum(len(rows) for rows, _ in groups)))
    rows = np.vstack([chosen for chosen, _ in groups])
    sizes = np.array([len(chosen) for chosen, _ in groups])
    begins = np.cumsum(sizes) - sizes
    is_right = np.concatenate([np.arange(len(chosen)) < right for chosen, right in groups])
    shape = (1 + len(STYLES) if styles else 1, len(names))

    def loss(flat: Matrix) -> tuple[float, Matrix]:
        found = flat.reshape(shape)
        totals = np.concatenate(
            [rows[part] @ _weights(found, style) for style, part in zip(STYLES, parts, strict=True)]
        )
        totals *= SHARPNESS
        likely = np.exp(totals - np.repeat(np.maximum.reduceat(totals, begins), sizes))
        all_of, right_of = (np.add.reduceat(likely * share, begins) for share in (1.0, is_right))
        right_of = np.maximum(right_of, 1e-300)
        slope = likely * np.repeat(1 / all_of, sizes) - likely * is_right * np.repeat(1 / right_of, sizes)
        value = np.mean(np.log(all_of) - np.log(right_of)) + PENALTY * flat @ flat
        own = [SHARPNESS / len(groups) * (slope[part] @ rows[part]) for part in parts]
        slopes = np.vstack([sum(own), *own] if styles else [sum(own)])
        return float(value), slopes.ravel() + 2 * PENALTY * flat

    start = np.zeros(shape[0] * shape[1])
    solved: Matrix = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": ROUNDS}).x
    return solved.reshape(shape)


# --- the file of weights ---------------------------------------------------------------------------------------------


def write(first: Mapping[str, Sequence[float]], second: Mapping[str, Sequence[float]]) -> None:
    """Put the weights into their module, in place of those that are there."""
    path = Path(weights.__file__)
    text = path.read_text("utf-8")
    head, tail = text[: text.index("FIRST:")], text[text.index("QUOTED:") :]
    path.write_text(head + _literal("FIRST", first) + _literal("SECOND", second) + tail, "utf-8")


def _literal(name: str, table: Mapping[str, Sequence[float]]) -> str:
    rows = [f'    "{feature}": ({", ".join(f"{weight:.3f}" for weight in row)}),\n' for feature, row in table.items()]
    return f"{name}: Final[Table] = {{\n{''.join(rows)}}}\n"
