"""Makes a small set of questions from installed packages, so that anyone can measure search without further data.

    python -m tests.quality.own_set [--measure] FOLDER [PACKAGE …]

Two tasks, as in the set that the weights were fitted on, from what the packages' authors wrote:

* `docstring`: the first sentence of a function's documentation finds the function, in a copy of the package in which
  all documentation is blanked out;
* `symbol`: a name finds its definition: as it is, as words, with one of its parts left out, in the other case style.

The packages are Python distributions of the environment that runs this. One that the built-in model was trained on
(`server/training/sources.tsv`) is left out, since it would know the answers; there is no task `commit`, for packages
have no history. The same packages always give the same questions. `--measure` puts them to search at once; later,
`python -m tests.quality.retrieval --eval FOLDER --trees FOLDER/trees` does.
"""

from __future__ import annotations

import argparse
import ast
import csv
import io
import json
import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from importlib.metadata import Distribution, PackageNotFoundError, distribution, version
from pathlib import Path
from typing import NamedTuple

from pilotfish.graph.links import is_test
from pilotfish.syntax.subwords import words
from pilotfish.workspace.content import ACCEPTED, ContentLimits, inspect
from tests.quality.retrieval import read_questions, report

PACKAGES = ("pytest", "mypy", "pygls", "jedi-language-server", "huggingface-hub", "fastembed", "requests")
"""What is taken where none is named, as far as it is installed: all come with `pip install pilotfish[dev]`."""

SOURCES = Path(__file__).parents[2] / "server" / "training" / "sources.tsv"
DOCSTRINGS, SYMBOLS = 40, 24
"""Questions of a package."""

LEAST_WORDS, MOST_WORDS = 4, 40

_SENTENCE = re.compile(r"(.+?[.!?])(?:\s|$)", re.DOTALL)

Node = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


class Source(NamedTuple):
    """One file of a package: its path in it, its text and what was parsed."""

    path: str
    text: str
    tree: ast.Module


class Definition(NamedTuple):
    """A function or class, and the file it is in."""

    path: str
    node: Node

    @property
    def lines(self) -> list[int]:
        """First and last line, from 1, decorators left out."""
        return [self.node.lineno, self.node.end_lineno or self.node.lineno]


def read_package(name: str) -> list[Source]:
    """Read the Python files of an installed package: neither tests nor those of which an index has the name only, as of
    files that say that a program wrote them.

    Raises:
        PackageNotFoundError: it is not installed.

    """
    found: Distribution = distribution(name)
    sources = []
    for file in sorted(found.files or (), key=str):
        path = Path(str(found.locate_file(file)))
        if file.suffix != ".py" or ".." in file.parts or is_test(str(file)) or not path.is_file():
            continue
        data = path.read_bytes()
        if inspect(data, file.as_posix(), ContentLimits()) != ACCEPTED:
            continue
        text = data.decode("utf-8", "replace")
        try:
            sources.append(Source(file.as_posix(), text, ast.parse(text)))
        except (SyntaxError, ValueError):
            continue
    return sources


def definitions(sources: Sequence[Source]) -> Iterator[Definition]:
    """Yield the functions and classes of files, those inside functions left out."""
    for source in sources:
        waiting: list[ast.AST] = [source.tree]
        while waiting:
            for node in ast.iter_child_nodes(waiting.pop()):
                if isinstance(node, Node):
                    yield Definition(source.path, node)
                if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                    waiting.append(node)


# --- questions -------------------------------------------------------------------------------------------------------


def by_docstring(found: Sequence[Definition], choice: random.Random) -> Iterator[tuple[str, Definition]]:
    """Yield first sentences of documentation that only one function has, and that do not hold its name."""
    sentences = [(sentence, each) for each in found if (sentence := _sentence(each.node))]
    times = Counter(sentence for sentence, _ in sentences)
    fit = [
        (sentence, each)
        for sentence, each in sentences
        if times[sentence] == 1
        and LEAST_WORDS <= len(sentence.split()) <= MOST_WORDS
        and each.node.name not in re.findall(r"\w+", sentence)
    ]
    yield from choice.sample(fit, min(DOCSTRINGS, len(fit)))


def _sentence(node: Node) -> str:
    if isinstance(node, ast.ClassDef):
        return ""
    text = ast.get_docstring(node) or ""
    first = _SENTENCE.match(text.partition("\n\n")[0])
    return " ".join(first[1].split()) if first else ""


def by_symbol(found: Sequence[Definition], choice: random.Random) -> Iterator[tuple[str, Definition]]:
    """Yield names of several parts that only one definition has, in whatever case, each asked for in one of four ways;
    no part is left out where the rest is the name of another."""
    names = {each: tuple(part.lower() for part in words(each.node.name)) for each in found}
    times = Counter(names.values())
    fit = [each for each in found if times[names[each]] == 1 and len(names[each]) > 1]
    for number, each in enumerate(choice.sample(fit, min(SYMBOLS, len(fit)))):
        parts = names[each]
        left = parts[:1] + parts[2:]
        left = parts if len(left) == 1 or left in times else left
        other = "_".join(parts) if isinstance(each.node, ast.ClassDef) else "".join(map(str.capitalize, parts))
        yield (each.node.name, " ".join(parts), " ".join(left), other)[number % 4], each


# --- trees -----------------------------------------------------------------------------------------------------------


def stripped(source: Source) -> str:
    """Return the text of a file with all documentation of its definitions blanked out; lines stay where they are."""
    lines = io.StringIO(source.text, newline="").readlines()  # a form feed ends no line
    for node in ast.walk(source.tree):
        if isinstance(node, Node) and ast.get_docstring(node, clean=False) is not None:
            text = node.body[0]
            for number in range(text.lineno, (text.end_lineno or text.lineno) + 1):
                begin = _characters(lines[number - 1], text.col_offset) if number == text.lineno else 0
                line = lines[number - 1]
                end = len(line) if number != text.end_lineno else _characters(line, text.end_col_offset or 0)
                blank = "".join(each if each in "\r\n" else " " for each in line[begin:end])
                lines[number - 1] = line[:begin] + blank + line[end:]
    return "".join(lines)


def _characters(line: str, offset: int) -> int:
    """Return how many characters the first bytes of a line are."""
    return len(line.encode()[:offset].decode("utf-8", "replace"))


def make(folder: Path, names: Sequence[str]) -> list[str]:
    """Write questions and trees into a folder; return which packages they are from."""
    taken = []
    rows = []
    for name in names:
        try:
            sources = read_package(name)
        except PackageNotFoundError:
            continue
        taken.append(name)
        repository = f"pypi/{name}"
        for source in sources:
            for kind, text in (("plain", source.text), ("stripped", stripped(source))):
                path = folder / "trees" / kind / repository.replace("/", "+") / source.path
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, "utf-8")
        found = sorted(definitions(sources), key=lambda each: (each.path, each.lines))
        for task, ask in (("docstring", by_docstring), ("symbol", by_symbol)):
            for number, (text, each) in enumerate(ask(found, random.Random(f"{name} {task}"))):
                expected = [{"path": each.path, "lines": each.lines}]
                row = {"id": f"{repository}:{task}:{number:03}", "task": task, "repo": repository}
                rows.append(row | {"query": text, "expected": expected})
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "dev.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return taken


def trained_on() -> set[str]:
    """Return the packages of PyPI that the built-in model knows."""
    if not SOURCES.exists():
        return set()
    with SOURCES.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t")
        return {row["name"].lower() for row in rows if row["registry"] == "pypi" and row["use"] == "train"}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.quality.own_set", description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("packages", nargs="*", help=f"installed distributions; else {', '.join(PACKAGES)}")
    parser.add_argument("--measure", action="store_true", help="say how well search answers them")
    options = parser.parse_args()
    known = trained_on()
    taken = make(options.folder, [name for name in options.packages or PACKAGES if name.lower() not in known])
    print(f"Packages: {', '.join(f'{name} {version(name)}' for name in taken)}\n")
    if options.measure:
        report(read_questions(options.folder), options.folder / "trees", is_own=True)


if __name__ == "__main__":
    main()
