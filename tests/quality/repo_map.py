"""How often a map shows what a change needs: ours, Aider's, bare paths and random definitions, on the same questions.

    python -m tests.quality.repo_map --eval FOLDER --trees FOLDER [--repo OWNER/NAME …] [--aider PYTHON] [--keep FOLDER]

A question is what a commit's author wrote: the subject, and the first line of the body where there is one. Its words,
all runs of letters, digits and underscores as they are written, are what the map is told of (`mentions`); Aider takes
from the text the files that it mentions besides, as it does of a message to it. Two shares are counted at each budget:

* *definition*: the map shows, under its file, a definition that the commit changed;
* *file*: it names a file that the commit changed.

A definition is shown where a line under its file's path has its name as a whole word; that is kind to Aider, which
shows short bodies, too. More strictly (*itself*), that line must be of the definition's own head. A token is four
characters. Aider may exceed a budget by 15 %; what the maps cost is beside the shares. Intervals are 95 %, from 2,000
bootstrap samples of the questions.

No commit here changed a test file alone, so a map that puts tests last has it easier. Hence what the others reach when
test files are hidden from them stands beside.

FOLDER of `--eval` holds `dev.jsonl`, that of `--trees` a tree OWNER+NAME for each repository. Nothing of them is kept.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import re
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import msgspec

from pilotfish.engine import wire
from pilotfish.engine.engine import Engine
from pilotfish.engine.maps import _Source as FileSource
from pilotfish.engine.view import View
from pilotfish.graph.links import is_test
from pilotfish.graph.repomap import draw
from pilotfish.graph.tokens import estimate
from pilotfish.operations.answer import Answer
from pilotfish.operations.repo_map import RepoMapResult
from tests.bench.aider import VERSION, environment

BUDGETS = (1_024, 4_096)
CHARACTERS_A_TOKEN = 4
SAMPLES = 2_000
HEAD_LINES = 8
"""From the line with its name on, so many lines are a definition's head, at most."""

PARTS = ("definition", "itself", "file")
TASK = "Pilotfish, for the task"
OURS, AIDER, PATHS, CHANCE = "Pilotfish", f"Aider {VERSION}", "bare paths", "random definitions"
HIDDEN = ", tests hidden"
DRAW_WITH_AIDER = Path(__file__).parent / "aider_maps.py"

Maps = Mapping[tuple[str, int], str]
"""The text of a map by question and budget."""


class Definition(NamedTuple):
    """A definition that a commit changed: its name and its lines in the tree, from 1, inclusive."""

    name: str
    first: int
    last: int


@dataclass(frozen=True)
class Question:
    """A commit: what its author wrote, and the definitions that it changed by file."""

    id: str
    repository: str
    text: str
    expected: Mapping[str, Sequence[Definition]]

    @property
    def mentions(self) -> list[str]:
        """The words of the text, each once, as they are written."""
        return list(dict.fromkeys(re.findall(r"\w+", self.text)))


def read_questions(folder: Path, repositories: Sequence[str]) -> list[Question]:
    """Return the commits of which a changed definition is still there."""
    questions = []
    for line in (folder / "dev.jsonl").read_text("utf-8").splitlines():
        query = json.loads(line)
        if query["task"] != "commit" or (repositories and query["repo"] not in repositories):
            continue
        expected = {
            each["path"]: [Definition(symbol["name"], *symbol["lines"]) for symbol in each.get("symbols", ())]
            for each in query["expected"]
        }
        if any(expected.values()):
            questions.append(Question(query["id"], query["repo"], query["query"], expected))
    return questions


class Tree:
    """The files of a repository, by which maps are judged."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.paths = sorted(path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file())
        self._known = frozenset(self.paths)

    def shown_paths(self, name: str) -> list[str]:
        """Return the files that a kind of map may show."""
        return [path for path in self.paths if not (name.endswith(HIDDEN) and is_test(path))]

    def sections(self, text: str) -> dict[str, list[str]]:
        """Return the lines of a map below each path that it names."""
        found: dict[str, list[str]] = {}
        section: list[str] = []
        for line in text.splitlines():
            path = line.removesuffix(":")
            if path in self._known:
                section = found.setdefault(path, [])
            else:
                section.append(line)
        return found

    def heads(self, lines: Iterable[str], path: str, definition: Definition) -> bool:
        """Whether any of the lines, which have its name, is one of the definition's head."""
        head = self._head(path, definition)
        return any(_bare(line) in head for line in lines)

    def _head(self, path: str, definition: Definition) -> str:
        source = (self.root / path).read_text("utf-8", "replace").splitlines()[definition.first - 1 :]
        has_name = _word(definition.name)
        named = next((number for number, line in enumerate(source) if has_name(line)), 0)
        return _bare(" ".join(source[: named + HEAD_LINES]))


def _word(name: str) -> Callable[[str], object]:
    return re.compile(rf"(?<![\w$]){re.escape(name)}(?![\w$])").search


def _bare(line: str) -> str:
    """A line of source without spaces and without what a map puts around it."""
    return re.sub(r"\s", "", line.lstrip("│⋮ \t").removesuffix("…"))


@dataclass(frozen=True)
class Verdict:
    """What one map shows of what was asked, and what it costs."""

    definition: bool
    itself: bool
    file: bool
    tokens: float


def judge(tree: Tree, question: Question, text: str) -> Verdict:
    """Say what a map shows."""
    sections = tree.sections(text)
    shown = [
        (lines, path, definition)
        for path, definitions in question.expected.items()
        for definition in definitions
        if (lines := list(filter(_word(definition.name), sections.get(path, ()))))
    ]
    return Verdict(
        definition=bool(shown),
        itself=any(tree.heads(*each) for each in shown),
        file=any(path in sections for path in question.expected),
        tokens=len(text) / CHARACTERS_A_TOKEN,
    )


# --- maps ------------------------------------------------------------------------------------------------------------


def by_aider(python: Path, name: str, questions: Sequence[Question], trees: Mapping[str, Tree]) -> Maps:
    """Let Aider draw."""
    asked = [
        {
            "root": str(trees[each.repository].root),
            "files": trees[each.repository].shown_paths(name),
            "text": each.text,
            "mentions": each.mentions,
            "budgets": BUDGETS,
        }
        for each in questions
    ]
    done = subprocess.run(
        [python, "-W", "ignore", DRAW_WITH_AIDER],
        input=json.dumps(asked),
        capture_output=True,
        text=True,
        check=True,
    )
    answers = json.loads(done.stdout)
    return {
        (question.id, int(budget)): text or ""
        for question, answer in zip(questions, answers, strict=True)
        for budget, text in answer.items()
    }


def by_paths(name: str, questions: Sequence[Question], trees: Mapping[str, Tree]) -> Maps:
    """List the files in order, as many as there is room for."""
    maps = {}
    for question in questions:
        for budget in BUDGETS:
            lines: list[str] = []
            room = budget * CHARACTERS_A_TOKEN
            for path in trees[question.repository].shown_paths(name):
                room -= len(path) + 1
                if room < 0:
                    break
                lines.append(path)
            maps[question.id, budget] = "".join(f"{path}\n" for path in lines)
    return maps


async def by_us(questions: Sequence[Question], tree: Tree) -> dict[str, Maps]:
    """Draw with an engine as the command line starts it; return its maps, and random definitions written as it does."""
    ours: dict[tuple[str, int], str] = {}
    for_task: dict[tuple[str, int], str] = {}
    found: dict[str, Maps] = {OURS: ours, TASK: for_task}

    def draw_at_random(view: View, those: Sequence[Question]) -> Answer:
        found.update({name: at_random(view, those, tree.shown_paths(name)) for name in (CHANCE, CHANCE + HIDDEN)})
        return Answer()

    with tempfile.TemporaryDirectory() as index:
        engine = await Engine.open(tree.root, index_folder=Path(index))
        hello = wire.Hello(token="", wire=wire.WIRE_VERSION, build="", kind="cli", client="quality", pid=1)
        session = engine.connect(hello, lambda method, params: None)
        await engine.wait_quiet()
        for question in questions:
            for maps, asked in ((ours, {"mentions": question.mentions}), (for_task, {"task": question.text})):
                for budget in BUDGETS:
                    parameters = asked | {"max_tokens": budget}
                    answer = await engine.call(session, "repo_map", msgspec.Raw(msgspec.json.encode(parameters)))
                    assert isinstance(answer, RepoMapResult)
                    assert answer.tokens <= budget
                    maps[question.id, budget] = answer.text
        await engine.read(session, draw_at_random, questions)
        await engine.close()
    return found


def at_random(view: View, questions: Sequence[Question], paths: Sequence[str]) -> Maps:
    """Show definitions in random order, as many as there is room for."""
    sources = {path: FileSource(view.file(path)) for path in paths if path in view.graph.index}
    every = [(path, hash(name)) for path, source in sources.items() for name in dict.fromkeys(source.names())]
    maps = {}
    for question in questions:
        wanted = random.Random(question.id).sample(every, len(every))[: max(BUDGETS)]
        for budget in BUDGETS:
            drawn = draw(wanted, sources.__getitem__, budget=budget, count=estimate, style="tree", files=len(sources))
            maps[question.id, budget] = drawn.text
    return maps


def by_command(question: Question, tree: Tree, budget: int) -> str:
    """Draw with the command line."""
    words = question.mentions
    command = ["map", "--root", str(tree.root), "--max-tokens", str(budget), "--json", "--mentions", *words]
    done = subprocess.run(
        [sys.executable, "-m", "pilotfish", *command], capture_output=True, stdin=subprocess.DEVNULL, check=True
    )
    text = json.loads(done.stdout)["text"]
    assert isinstance(text, str)
    return text


# --- shares ----------------------------------------------------------------------------------------------------------


def interval(values: Sequence[float]) -> tuple[float, float, float]:
    """Return the mean, and the bounds within which it lies in 95 % of bootstrap samples."""
    choice = random.Random(0)
    means = sorted(statistics.fmean(choice.choices(values, k=len(values))) for _ in range(SAMPLES))
    return statistics.fmean(values), means[int(0.025 * SAMPLES)], means[int(0.975 * SAMPLES)]


def _share(values: Sequence[float]) -> str:
    mean, low, high = interval(values)
    return f"{mean:.3f} ({low:.3f} … {high:.3f})"


def table(verdicts: Mapping[str, Mapping[tuple[str, int], Verdict]], questions: Sequence[Question]) -> str:
    """Write the shares as a table in Markdown; ours less Aider's as well, question by question."""
    lines = [
        "| map | budget | definition | itself | file | tokens, median and most |",
        "| --- | ---: | --- | --- | --- | ---: |",
    ]
    for budget in BUDGETS:
        found = {name: [each[question.id, budget] for question in questions] for name, each in verdicts.items()}
        for name, each in found.items():
            tokens = [verdict.tokens for verdict in each]
            definition, itself, file = (
                _share([getattr(verdict, part) for verdict in each])
                if part == "file" or not name.startswith(PATHS)
                else "–"
                for part in PARTS
            )
            cost = f"{statistics.median(tokens):,.0f}, {max(tokens):,.0f}"
            lines.append(f"| {name} | {budget:,} | {definition} | {itself} | {file} | {cost} |")
        if AIDER in found:
            pairs = list(zip(found[OURS], found[AIDER], strict=True))
            more = (_share([getattr(ours, part) - getattr(theirs, part) for ours, theirs in pairs]) for part in PARTS)
            lines.append(f"| {OURS} less Aider | {budget:,} | {' | '.join(more)} | |")
    return "\n".join(lines)


def by_repository(verdicts: Mapping[str, Mapping[tuple[str, int], Verdict]], questions: Sequence[Question]) -> str:
    """Write the share of shown definitions by repository, ours and Aider's, for who tunes the map."""
    lines = []
    for repository in dict.fromkeys(question.repository for question in questions):
        those = [question for question in questions if question.repository == repository]
        words = [f"{repository:<24} {len(those):>3}"]
        for name, each in verdicts.items():
            shares = (statistics.fmean(each[one.id, budget].definition for one in those) for budget in BUDGETS)
            words.append(f"{name} {' '.join(f'{share:.2f}' for share in shares)}")
        lines.append("   ".join(words))
    return "\n".join(lines)


def drawn_by_aider(
    options: argparse.Namespace, name: str, questions: Sequence[Question], trees: Mapping[str, Tree]
) -> Maps:
    """Return Aider's maps: those kept of an earlier run, where they are of these questions."""
    kept = options.keep and options.keep / f"{name}.json"
    known: dict[str, dict[str, str]] = json.loads(kept.read_text("utf-8")) if kept and kept.exists() else {}
    missing = [question for question in questions if question.id not in known]
    if missing:
        for (one, budget), text in by_aider(options.aider or environment(), name, missing, trees).items():
            known.setdefault(one, {})[str(budget)] = text
        if kept:
            kept.write_text(json.dumps(known), "utf-8")
    return {(question.id, budget): known[question.id][str(budget)] for question in questions for budget in BUDGETS}


def joined(drawn: Iterable[Mapping[str, Maps]], name: str) -> Maps:
    """Return the maps of one kind of all repositories."""
    return {key: text for each in drawn for key, text in each[name].items()}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.quality.repo_map", description=__doc__.partition("\n")[0])
    parser.add_argument("--eval", type=Path, required=True, help="folder of dev.jsonl")
    parser.add_argument("--trees", type=Path, required=True, help="folder of the trees, OWNER+NAME each")
    parser.add_argument("--repo", nargs="*", default=[], help="only these repositories")
    parser.add_argument("--aider", type=Path, help="a Python that has Aider; else one is made with it from PyPI")
    parser.add_argument("--keep", type=Path, help="folder to keep the maps in, and to take Aider's from")
    parser.add_argument("--without-aider", action="store_true")
    parser.add_argument("--by-command", type=int, default=0, metavar="N", help="compare N maps with the command line's")
    parser.add_argument("--each", action="store_true", help="print the shares by repository too")
    options = parser.parse_args()
    questions = read_questions(options.eval, options.repo)
    names = dict.fromkeys(question.repository for question in questions)
    trees = {name: Tree((options.trees / name.replace("/", "+")).resolve()) for name in names}
    drawn = [asyncio.run(by_us([each for each in questions if each.repository == name], trees[name])) for name in names]
    maps: dict[str, Maps] = {OURS: joined(drawn, OURS), TASK: joined(drawn, TASK)}
    for hidden in ("", HIDDEN):
        if not options.without_aider:
            maps[AIDER + hidden] = drawn_by_aider(options, AIDER + hidden, questions, trees)
        maps[PATHS + hidden] = by_paths(PATHS + hidden, questions, trees)
        maps[CHANCE + hidden] = joined(drawn, CHANCE + hidden)
    by_id = {question.id: question for question in questions}
    verdicts = {
        name: {
            (one, budget): judge(trees[by_id[one].repository], by_id[one], text) for (one, budget), text in each.items()
        }
        for name, each in maps.items()
    }
    print(f"{len(questions)} questions on {len(trees)} repositories\n")
    print(table(verdicts, questions))
    if options.keep:
        (options.keep / f"{OURS}.json").write_text(
            json.dumps({f"{one} {budget}": text for (one, budget), text in maps[OURS].items()}), "utf-8"
        )
    if options.each:
        print(by_repository(verdicts, questions))
    for question in questions[:: max(1, len(questions) // max(1, options.by_command))][: options.by_command]:
        tree = trees[question.repository]
        if any(by_command(question, tree, budget) != maps[OURS][question.id, budget] for budget in BUDGETS):
            parser.exit(2, f"{question.id}: the command line draws another map\n")


if __name__ == "__main__":
    main()
