"""How well search finds: questions with known answers, put to the command line, beside keyword search.

    python -m tests.quality.retrieval --eval FOLDER --trees FOLDER [--repo OWNER/NAME …] [--task NAME …] [--keep FILE]
    python -m tests.quality.retrieval --eval FOLDER --trees FOLDER --fit | --ablate

FOLDER of `--eval` holds `dev.jsonl`: a line for each question with `id`, `task`, `repo`, `query` and `expected`, places
as `{path, lines?}`. FOLDER of `--trees` holds a tree for each `repo`, as `plain/OWNER+NAME`, and for questions of the
task `docstring` as `stripped/OWNER+NAME`, where definitions have lost their documentation. If it is a git repository,
HEAD is what the questions are about: later history would give answers away. `tests.quality.own_set` makes such folders
from installed packages.

A result is right where it is at the place: half of either lies in the other (`docstring`, `symbol`), or in the file
(`commit`, where a file counts once). It counts as its first 150 lines. No expected place lies in a test, so hiding
tests makes it easier; *keywords* are BM25 over the same chunks with tests hidden too. Intervals are 95 %, from 2,000
bootstrap samples of the questions; of differences, question by question.

`--fit` reads the features of all candidates from an engine in this process, fits the weights leaving out one repository
after the other, says what that reaches, and writes `retrieval/weights.py`. `--ablate` fits without one feature after
the other, and says what is lost.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import os
import random
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from pilotfish.graph.links import is_test
from pilotfish.retrieval.question import question_of
from pilotfish.store.chunks import ChunkFilter, Chunks, open_chunks

TASKS = ("docstring", "commit", "symbol")
STRIPPED = "docstring"
FILES = "commit"
BEST = 10
LOOKED_AT = 50
LONGEST = 150
"""Lines of a result that count."""

SAMPLES = 2_000
TARGETS = {"docstring": 0.76, "commit": 0.77, "symbol": 0.96}
PROTOTYPE = {"docstring": 0.708, "commit": 0.703, "symbol": 0.942}
"""What a study before this program reached, without history."""

OURS, KEYWORDS = "Pilotfish", "keywords, tests hidden"


class Place(NamedTuple):
    """Lines of a file, from 1, inclusive; a whole file where `first` is 0."""

    path: str
    first: int = 0
    last: int = 0

    def is_at(self, other: Place) -> bool:
        """Whether this result is at a place that is expected."""
        if self.path != other.path or not other.first:
            return self.path == other.path
        common = min(self.last, other.last) - max(self.first, other.first) + 1
        shorter = min(self.last - self.first, other.last - other.first) + 1
        return common > 0 and 2 * common >= shorter


@dataclass(frozen=True)
class Question:
    """A question and the places that answer it."""

    id: str
    task: str
    repository: str
    text: str
    expected: tuple[Place, ...]

    @property
    def tree(self) -> str:
        """Which tree it is put to, relative to the folder of all."""
        return f"{'stripped' if self.task == STRIPPED else 'plain'}/{self.repository.replace('/', '+')}"


class Verdict(NamedTuple):
    """How well one question was answered: normalised discounted cumulative gain among the first 10 (Järvelin and
    Kekäläinen 2002), whether one of the first 3 is right, the reciprocal rank of the first that is, and the shares of
    expected places among the first 10 and 50."""

    ndcg: float
    top3: float
    mrr: float
    recall10: float
    recall50: float


Answers = Mapping[str, Sequence[Place]]
"""Results by the id of the question, best first."""


def read_questions(folder: Path, repositories: Sequence[str] = (), tasks: Sequence[str] = ()) -> list[Question]:
    """Read the set, or what of it belongs to some repositories and tasks."""
    questions = []
    for line in (folder / "dev.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        expected = tuple(Place(each["path"], *each.get("lines", ())) for each in row["expected"])
        questions.append(Question(row["id"], row["task"], row["repo"], row["query"], expected))
    return [
        each
        for each in questions
        if (not repositories or each.repository in repositories) and (not tasks or each.task in tasks)
    ]


def judge(question: Question, results: Iterable[Place]) -> Verdict:
    """Compare results with what was expected."""
    right: dict[Place, int] = {}
    seen: set[str] = set()
    rank = 0
    for result in results:
        if question.task == FILES and result.path in seen:
            continue
        seen.add(result.path)
        rank += 1
        cut = result._replace(last=min(result.last, result.first + LONGEST - 1))
        for place in question.expected:
            if place not in right and cut.is_at(place):
                right[place] = rank
        if rank == LOOKED_AT:
            break
    ranks = sorted(right.values())
    number = len(question.expected)
    most = sum(1 / math.log2(place + 2) for place in range(min(number, BEST)))
    return Verdict(
        ndcg=sum(1 / math.log2(found + 1) for found in ranks if found <= BEST) / most,
        top3=float(bool(ranks) and ranks[0] <= 3),
        mrr=1 / ranks[0] if ranks else 0.0,
        recall10=sum(found <= BEST for found in ranks) / number,
        recall50=len(ranks) / number,
    )


# --- answers ---------------------------------------------------------------------------------------------------------


def run(*arguments: str, home: Path, given: str = "") -> str:
    """Run the command line with folders of its own; return what it prints."""
    environment = {**os.environ, "PILOTFISH_HOME": str(home)}
    done = subprocess.run(
        [sys.executable, "-I", "-m", "pilotfish", *arguments],
        input=given,
        env=environment,
        capture_output=True,
        text=True,
    )
    if done.returncode not in (0, 1):
        raise SystemExit(f"pilotfish {' '.join(arguments)}: {done.stderr.strip()}")
    return done.stdout


def by_command(questions: Sequence[Question], tree: Path, home: Path) -> Answers:
    """Put questions to the command line, as a user would."""
    run("index", "--root", str(tree), home=home)
    lines = [json.dumps({"id": question.id, "query": question.text}) for question in questions]
    options = ("--max-results", str(LOOKED_AT), "--snippet-chars", "0")
    printed = run("search", "--batch", "--root", str(tree), *options, home=home, given="\n".join(lines) + "\n")
    return {
        row["id"]: [Place(hit["path"], hit["line_start"], hit["line_end"]) for hit in row["results"]]
        for row in map(json.loads, printed.splitlines())
    }


def by_keywords(questions: Sequence[Question], tree: Path, home: Path) -> Answers:
    """Answer by BM25 alone from the index that was made, tests hidden."""
    hidden = ChunkFilter(accepts=lambda path: not is_test(path))
    (catalog,) = home.glob("indexes/*/*/catalog.sqlite")
    with open_chunks(catalog) as chunks:
        return {each.id: _by_terms(chunks, each, hidden) for each in questions}


def _by_terms(chunks: Chunks, question: Question, hidden: ChunkFilter) -> list[Place]:
    hits = chunks.lexical(question_of(question.text).terms, 4 * LOOKED_AT, hidden)
    return [Place(row.path, row.line_start, row.line_end) for row in chunks.rows([hit.id for hit in hits])]


# --- figures ---------------------------------------------------------------------------------------------------------


def interval(values: Sequence[float]) -> str:
    """Write the mean and the bounds within which it lies in 95 % of bootstrap samples."""
    choice = random.Random(0)
    means = sorted(statistics.fmean(choice.choices(values, k=len(values))) for _ in range(SAMPLES))
    low, high = means[int(0.025 * SAMPLES)], means[int(0.975 * SAMPLES)]
    return f"{statistics.fmean(values):.3f} ({low:.3f} … {high:.3f})"


def table(verdicts: Mapping[str, Mapping[str, Verdict]], questions: Sequence[Question], *, is_own: bool) -> str:
    """Write the figures as a table in Markdown; an `is_own` set has no targets."""
    lines = [
        "| task | questions | search | NDCG@10 | top 3 | MRR | recall at 10 | at 50 |",
        "| --- | ---: | --- | --- | ---: | ---: | ---: | ---: |",
    ]
    for task in TASKS:
        those = [question for question in questions if question.task == task]
        if not those:
            continue
        for name, of_all in verdicts.items():
            found = [of_all[question.id] for question in those]
            means = [f"{statistics.fmean(column):.3f}" for column in list(zip(*found, strict=True))[1:]]
            ndcg = interval([verdict.ndcg for verdict in found])
            lines.append(f"| {task} | {len(those)} | {name} | {ndcg} | {' | '.join(means)} |")
        if OURS in verdicts and KEYWORDS in verdicts:
            more = interval([verdicts[OURS][one.id].ndcg - verdicts[KEYWORDS][one.id].ndcg for one in those])
            lines.append(f"| {task} | | {OURS} less {KEYWORDS} | {more} | | | | |")
        if not is_own:
            lines.append(f"| {task} | | target; prototype | {TARGETS[task]:.3f}; {PROTOTYPE[task]:.3f} | | | | |")
    return "\n".join(lines)


def mean_of_tasks(verdicts: Mapping[str, Verdict], questions: Sequence[Question]) -> float:
    """Return the share of questions with a right one among the first three, each task counting alike."""
    of_tasks = [[verdicts[one.id].top3 for one in questions if one.task == task] for task in TASKS]
    return statistics.fmean(statistics.fmean(values) for values in of_tasks if values)


def by_repository(verdicts: Mapping[str, Verdict], questions: Sequence[Question]) -> str:
    """Write NDCG@10 by repository and task, for who tunes search."""
    lines = []
    for name in dict.fromkeys(question.repository for question in questions):
        words = [f"{name:<24}"]
        known = [question for question in questions if question.repository == name and question.id in verdicts]
        for task in TASKS:
            those = [verdicts[question.id].ndcg for question in known if question.task == task]
            words.append(f"{task} {statistics.fmean(those):.3f}" if those else f"{task}     –")
        lines.append("   ".join(words))
    return "\n".join(lines)


def by_tree(
    questions: Sequence[Question], trees: Path, ask: Callable[[Sequence[Question], Path, Path], Mapping[str, Answers]]
) -> dict[str, dict[str, Sequence[Place]]]:
    """Ask about one tree after the other, each with an index of its own that is gone afterwards; return the answers by
    the kind of search."""
    found: dict[str, dict[str, Sequence[Place]]] = {}
    for name in sorted({question.tree for question in questions}):
        tree = (trees / name).resolve()
        with tempfile.TemporaryDirectory() as folder:
            answers = ask([each for each in questions if each.tree == name], tree, Path(folder))
        for kind, answered in answers.items():
            found.setdefault(kind, {}).update(answered)
    return found


def both(questions: Sequence[Question], tree: Path, home: Path) -> Mapping[str, Answers]:
    """Ask search and keyword search."""
    ours = by_command(questions, tree, home)
    return {OURS: ours, KEYWORDS: by_keywords(questions, tree, home)}


def report(questions: Sequence[Question], trees: Path, *, each: bool = False, is_own: bool = False) -> Answers:
    """Ask and print the figures; return what search answered.

    Args:
        questions: what is asked.
        trees: the folder of the trees that they are put to.
        each: print the figures of each repository too.
        is_own: the questions are not of the set that the targets are for.

    """
    answers = by_tree(questions, trees, both)
    verdicts = {
        kind: {question.id: judge(question, answered[question.id]) for question in questions}
        for kind, answered in answers.items()
    }
    print(f"{len(questions)} questions on {len({question.repository for question in questions})} repositories\n")
    print(table(verdicts, questions, is_own=is_own))
    print(f"\nAmong the first three, mean of the tasks: {mean_of_tasks(verdicts[OURS], questions):.3f}")
    if each:
        print("\n" + by_repository(verdicts[OURS], questions))
    return answers[OURS]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.quality.retrieval", description=__doc__.partition("\n")[0])
    parser.add_argument("--eval", type=Path, required=True, help="folder of dev.jsonl")
    parser.add_argument("--trees", type=Path, required=True, help="folder of plain/OWNER+NAME and stripped/OWNER+NAME")
    parser.add_argument("--repo", nargs="*", default=[], help="only these repositories")
    parser.add_argument("--task", nargs="*", default=[], choices=TASKS, help="only these tasks")
    parser.add_argument("--keep", type=Path, help="file for the results, a line of JSON for each question")
    parser.add_argument("--each", action="store_true", help="print NDCG@10 by repository too")
    parser.add_argument("--fit", action="store_true", help="fit the ranker's weights and write them")
    parser.add_argument("--features", type=Path, help="a file to keep the ranker's features in, or to take them from")
    parser.add_argument("--ablate", action="store_true", help="say what each feature of the ranker is worth")
    options = parser.parse_args()
    questions = read_questions(options.eval, options.repo, options.task)
    if options.fit or options.ablate:
        from tests.quality import ranker

        asyncio.run((ranker.fit if options.fit else ranker.ablate)(questions, options.trees, options.features))
        return
    answers = report(questions, options.trees, each=options.each)
    if options.keep:
        rows = [{"id": one, "results": places} for one, places in answers.items()]
        options.keep.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")


if __name__ == "__main__":
    main()
