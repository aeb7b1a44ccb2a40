"""How often a context for a task shows what a change needs: ours, and what grep and reading bring, at the same budgets.

    python -m tests.quality.context --eval FOLDER --trees FOLDER [--repo OWNER/NAME …] [--each]

A task is what a commit's author wrote: the subject, and the first line of the body where there is one. Two shares are
counted at each budget:

* *definition*: a line of a definition that the commit changed is shown;
* *file*: any line of a file that the commit changed is.

Beside ours stands what somebody would do with grep: whole words of four letters and more, files by how many distinct
ones they hold, and of each file the lines with most of them, with ten lines around, at most 200 tokens a file, until
the budget is spent. No commit here changed a test file alone, so the same stands there with test files hidden, too. A
token is four characters. Intervals are 95 %, from 2,000 bootstrap samples of the tasks; those of the difference are
paired.

FOLDER of `--eval` holds `dev.jsonl`, that of `--trees` a clone OWNER+NAME of each repository at the commit that is
searched: past commits are evidence. Nothing of them is kept.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import statistics
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from pilotfish.engine import wire
from pilotfish.engine.engine import Engine
from pilotfish.operations.search import BuildContextResult, ContextPassage
from tests.quality.repo_map import CHARACTERS_A_TOKEN, HIDDEN, Definition, Question, Tree, interval, read_questions

BUDGETS = (2_000, 8_000)
ASKED = {2_000: 0.55, 8_000: 0.74}
PARTS = ("definition", "file")
OURS, GREP = "build_context", "grep and read"
WORD = re.compile(r"[A-Za-z]{4,}")
AROUND = 10
TOKENS_A_FILE = 200
MAX_BYTES = 1 << 20


class Lines(NamedTuple):
    """Lines of a file that are shown, from 1, inclusive; `only` names the one definition of which the head is."""

    path: str
    first: int
    last: int
    only: str = ""


class Verdict(NamedTuple):
    """What one context shows of what was asked."""

    definition: bool
    file: bool


def judge(question: Question, shown: Sequence[Lines]) -> Verdict:
    """Say whether a line of what the commit changed is shown."""
    return Verdict(
        definition=any(
            _shows(lines, definition)
            for path, definitions in question.expected.items()
            for lines in shown
            if lines.path == path
            for definition in definitions
        ),
        file=any(lines.path in question.expected for lines in shown),
    )


def _shows(lines: Lines, definition: Definition) -> bool:
    overlaps = lines.first <= definition.last and definition.first <= lines.last
    return overlaps and lines.only in ("", definition.name)


# --- ours ------------------------------------------------------------------------------------------------------------


async def by_us(questions: Sequence[Question], root: Path) -> dict[tuple[str, int], list[Lines]]:
    """Ask an engine as the command line starts it."""
    found: dict[tuple[str, int], list[Lines]] = {}
    with tempfile.TemporaryDirectory() as index:
        engine = await Engine.open(root, index_folder=Path(index))
        hello = wire.Hello(token="", wire=wire.WIRE_VERSION, build="", kind="mcp", client="quality", pid=1)
        session = engine.connect(hello, lambda method, params: None)
        await engine.wait_quiet()
        for question in questions:
            for budget in BUDGETS:
                parameters = {"task": question.text, "max_tokens": budget}
                answer = await engine.call(session, "build_context", msgspec.Raw(msgspec.json.encode(parameters)))
                assert isinstance(answer, BuildContextResult)
                assert answer.tokens <= budget
                found[question.id, budget] = [_lines(passage) for passage in answer.passages]
        await engine.close()
    return found


def _lines(passage: ContextPassage) -> Lines:
    only = passage.symbol_name if passage.form == "signature" else ""
    return Lines(passage.path, passage.line_start, passage.line_end, only)


# --- grep and read ---------------------------------------------------------------------------------------------------


def by_grep(question: Question, texts: Mapping[str, Sequence[str]]) -> dict[int, list[Lines]]:
    """Take the files with most words of the task, and of each the lines around those, until a budget is spent."""
    words = [re.compile(rf"\b{word}\b") for word in sorted({word.lower() for word in WORD.findall(question.text)})]
    held: list[tuple[int, str, list[int]]] = []
    for path, lines in texts.items():
        whole = "\n".join(lines)
        found = [word for word in words if word.search(whole)]
        if found:
            on_lines = [sum(word.search(line) is not None for word in found) for line in lines]
            hits = sorted((number for number, count in enumerate(on_lines) if count), key=lambda hit: -on_lines[hit])
            held.append((-len(found), path, hits))
    held.sort()
    shown: dict[int, list[Lines]] = {}
    for budget in BUDGETS:
        left = budget * CHARACTERS_A_TOKEN
        shown[budget] = []
        for _, path, hits in held:
            read = _read(texts[path], hits)
            left -= len(path) + 1 + sum(len(texts[path][number]) + 1 for number in read)
            if left < 0:
                break
            shown[budget] += [Lines(path, number + 1, number + 1) for number in sorted(read)]
    return shown


def _read(lines: Sequence[str], hits: Sequence[int]) -> set[int]:
    """Return the lines around the hits, those of the first hits first, until a file's share is spent."""
    left = TOKENS_A_FILE * CHARACTERS_A_TOKEN
    read: set[int] = set()
    for hit in hits:
        for number in range(max(0, hit - AROUND), min(len(lines), hit + AROUND + 1)):
            cost = len(lines[number]) + 1
            if number not in read and cost <= left:
                left -= cost
                read.add(number)
    return read


def texts_of(tree: Tree) -> dict[str, list[str]]:
    """Return the lines, in lower case, of the files that are text."""
    texts = {}
    for path in tree.paths:
        file = tree.root / path
        if path.startswith(".git/") or file.is_symlink() or file.stat().st_size > MAX_BYTES:
            continue
        data = file.read_bytes()
        if b"\0" not in data[:8192]:
            texts[path] = data.decode("utf-8", "replace").lower().splitlines()
    return texts


# --- shares ----------------------------------------------------------------------------------------------------------


def share(values: Sequence[float]) -> str:
    """Write a mean with its interval."""
    mean, low, high = interval(values)
    return f"{mean:.3f} ({low:.3f} … {high:.3f})"


def table(verdicts: Mapping[str, Mapping[tuple[str, int], Verdict]], questions: Sequence[Question]) -> str:
    """Write the shares as a table in Markdown, and ours less each other's, task by task."""
    lines = ["| context | budget | definition | file |", "| --- | ---: | --- | --- |"]
    for budget in BUDGETS:
        found = {name: [each[question.id, budget] for question in questions] for name, each in verdicts.items()}
        for name, each in found.items():
            shares = [share([getattr(verdict, part) for verdict in each]) for part in PARTS]
            lines.append(f"| {name} | {budget:,} | {' | '.join(shares)} |")
        for name, each in found.items():
            if name != OURS:
                pairs = list(zip(found[OURS], each, strict=True))
                more = [share([getattr(ours, part) - getattr(other, part) for ours, other in pairs]) for part in PARTS]
                lines.append(f"| {OURS} less {name} | {budget:,} | {' | '.join(more)} |")
    lines += ["", *(_against(verdicts[OURS], questions, budget) for budget in BUDGETS)]
    return "\n".join(lines)


def _against(verdicts: Mapping[tuple[str, int], Verdict], questions: Sequence[Question], budget: int) -> str:
    reached = statistics.fmean(verdicts[question.id, budget].definition for question in questions)
    asked = ASKED[budget]
    return f"{OURS} at {budget:,}: {reached:.3f} [>= {asked:.2f}: {'met' if reached >= asked else 'NOT MET'}]\n"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.quality.context", description=__doc__.partition("\n")[0])
    parser.add_argument("--eval", type=Path, required=True, help="folder of dev.jsonl")
    parser.add_argument("--trees", type=Path, required=True, help="folder of the clones, OWNER+NAME each")
    parser.add_argument("--repo", nargs="*", default=[], help="only these repositories")
    parser.add_argument("--each", action="store_true", help="print the shares by repository too")
    options = parser.parse_args()
    questions = read_questions(options.eval, options.repo)
    verdicts: dict[str, dict[tuple[str, int], Verdict]] = {OURS: {}, GREP: {}, GREP + HIDDEN: {}}
    for repository in dict.fromkeys(question.repository for question in questions):
        tree = Tree((options.trees / repository.replace("/", "+")).resolve())
        those = [question for question in questions if question.repository == repository]
        ours = asyncio.run(by_us(those, tree.root))
        texts = texts_of(tree)
        visible = {path: texts[path] for path in tree.shown_paths(GREP + HIDDEN) if path in texts}
        for question in those:
            for name, of in ((GREP, texts), (GREP + HIDDEN, visible)):
                for budget, shown in by_grep(question, of).items():
                    verdicts[name][question.id, budget] = judge(question, shown)
            for budget in BUDGETS:
                verdicts[OURS][question.id, budget] = judge(question, ours[question.id, budget])
        if options.each:
            ours_by_budget = ([verdicts[OURS][each.id, budget].definition for each in those] for budget in BUDGETS)
            shares = " ".join(f"{statistics.fmean(each):.2f}" for each in ours_by_budget)
            print(f"{repository:<24} {len(those):>3}  {shares}", flush=True)
    print(f"{len(questions)} tasks on {len(dict.fromkeys(each.repository for each in questions))} repositories\n")
    print(table(verdicts, questions))


if __name__ == "__main__":
    main()
