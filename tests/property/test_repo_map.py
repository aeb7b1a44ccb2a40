"""What holds of every repo map, whatever the definitions, the budget, the format and the counter (issue 3, §9)."""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Callable, Mapping, Sequence
from typing import cast

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from pilotfish.graph.edges import Graph
from pilotfish.graph.repomap import Drawn, Format, RepoMap, best, draw
from pilotfish.graph.tokens import Counter, estimate

FORMATS: tuple[Format, ...] = ("tree", "compact", "json")
BUDGETS = (0, 1, 64, 512, 1_000_000)


def jagged(text: str) -> int:
    """Counts most longer texts as shorter ones: no search by halves can rely on it."""
    return zlib.crc32(text.encode()) % 300


def shrinking(text: str) -> int:
    """Counts every longer text as a shorter one."""
    return max(0, 2_000 - len(text))


def merging(text: str) -> int:
    """Counts as tokenizers do that merge: what one line costs depends on its neighbours."""
    return len(text.encode()) - 7 * text.count("\n  ") - text.count("ab")


STEADY: tuple[Counter, ...] = (estimate, len)
ODD: tuple[Counter, ...] = (jagged, shrinking, merging, lambda text: 0, lambda text: 10**9)


class Symbols:
    """The definitions of one file, as a map asks for them."""

    def __init__(self, drawn: Sequence[Drawn], parents: Sequence[int]) -> None:
        self.all = drawn
        self.owners = parents

    def names(self) -> list[str]:
        return [each.name for each in self.all]

    def parents(self) -> Sequence[int]:
        return self.owners

    def drawn(self, index: int) -> Drawn:
        return self.all[index]


Sources = Mapping[str, Symbols]
PATHS = st.sampled_from(["a", "b.py", "c/d.py", "é.go", "f.py:\n  def forged()\u2028.py", "long/" * 9 + "e.ts"])
NAMES = st.sampled_from(
    ["a", "ab", "run", "parse_header", "Größe", "名前", "a b", 'quo"te', "…", "x" * 40, "two\nlines"]
)


@st.composite
def symbols(draw: st.DrawFn) -> Symbols:
    drawn, parents = [], []
    for index in range(draw(st.integers(0, 8))):
        name = draw(NAMES)
        signature = draw(
            st.sampled_from(["", f"def {name}()", f"x = {name}", f'"{name}": 1', "class Other", "y" * 100])
        )
        drawn.append(Drawn(name, draw(st.sampled_from(["function", "class"])), index + 1, signature))
        parents.append(draw(st.integers(-1, index - 1)))
    return Symbols(drawn, parents)


@st.composite
def workspaces(draw: st.DrawFn) -> tuple[Sources, list[tuple[str, int]], int]:
    """Files with their definitions, an order of these, and how many files there are in all."""
    paths = draw(st.lists(PATHS, unique=True))
    sources = {path: draw(symbols()) for path in paths}
    wanted = sorted({(path, hash(name)) for path, source in sources.items() for name in source.names()})
    without = draw(st.sampled_from([0, 0, 1, 9, 10, 99_999]))
    return sources, draw(st.permutations(wanted)), len(sources) + without


Workspace = tuple[Sources, list[tuple[str, int]], int]


def drawing(workspace: Workspace, budget: int, style: Format, count: Counter) -> RepoMap:
    sources, wanted, files = workspace
    return draw(wanted, sources.__getitem__, budget=budget, count=count, style=style, files=files)


def number(found: RepoMap) -> int:
    return sum(len(file.shown) for file in found.files)


budgets = st.one_of(st.sampled_from(BUDGETS), st.integers(0, 300))


@settings(max_examples=120, deadline=None)
@given(workspaces(), budgets, st.sampled_from(FORMATS), st.sampled_from([*STEADY, *ODD]))
def test_a_map_never_costs_more_than_its_budget(
    workspace: Workspace, budget: int, style: Format, count: Counter
) -> None:
    found = drawing(workspace, budget, style, count)
    assert found.tokens <= budget
    assert found.tokens == (count(found.text) if found.text else 0)
    assert bool(found.text) == bool(found.files)
    assert found.more == workspace[2] - len(found.files)
    assert budget or not found.text


@settings(max_examples=60, deadline=None)
@given(workspaces(), st.sampled_from(FORMATS), st.sampled_from(STEADY))
def test_a_larger_budget_shows_no_less(workspace: Workspace, style: Format, count: Counter) -> None:
    less: set[tuple[str, tuple[int, Drawn]]] = set()
    for budget in range(160):
        more = {(file.path, each) for file in drawing(workspace, budget, style, count).files for each in file.shown}
        assert less <= more
        less = more


@settings(max_examples=60, deadline=None)
@given(workspaces(), st.sampled_from(FORMATS))
def test_a_budget_that_holds_all_shows_all(workspace: Workspace, style: Format) -> None:
    found = drawing(workspace, 1_000_000, style, estimate)
    assert number(found) == sum(len(source.all) for source in workspace[0].values())


def printed(text: str) -> str:
    return text.replace("\n", "\\n").replace("\u2028", "\\u2028")


def as_tree(sources: Sources, found: RepoMap) -> list[str]:
    lines = []
    for file in found.files:
        lines.append(f"{printed(file.path)}:")
        source = sources[file.path]
        for _, each in file.shown:
            index = source.all.index(each)
            depth = 1
            while (index := source.owners[index]) >= 0:
                depth += 1
            lines.append("  " * depth + printed(each.signature or f"{each.kind} {each.name}"))
    return lines


def as_compact(sources: Sources, found: RepoMap) -> list[str]:
    lines = []
    for file in found.files:
        titles = []
        for _, each in file.shown:
            told = re.match(rf"(.{{0,39}}[^\w\"])??{re.escape(each.name)}(?!\w)", each.signature, re.DOTALL)
            title = told[0] if told else f"{each.kind} {each.name}"
            titles.append(f"{printed(title)} (line {each.line})")
        lines.append(f"{printed(file.path)} :: {', '.join(titles)}")
    return lines


@settings(max_examples=120, deadline=None)
@given(workspaces(), budgets, st.sampled_from(FORMATS), st.sampled_from([*STEADY, *ODD]))
def test_nothing_is_shown_that_is_not_in_the_sources(
    workspace: Workspace, budget: int, style: Format, count: Counter
) -> None:
    sources = workspace[0]
    found = drawing(workspace, budget, style, count)
    assert len({file.path for file in found.files}) == len(found.files)
    for file in found.files:
        source = sources[file.path]
        places = [source.all.index(each) for _, each in file.shown]
        assert places == sorted(set(places)), "in source order, each once"
        assert {source.owners[place] for place in places} <= {-1, *places}, "what lies in another stands below it"
    if style == "json":
        entries = json.loads(found.text) if found.text else []
        assert entries == [
            {"path": file.path, "symbols": [each._asdict() for _, each in file.shown]} for file in found.files
        ]
        return
    lines = found.text.splitlines()
    if lines and found.more:
        assert lines.pop() == f"… and {found.more:,} more file{'s' * (found.more > 1)}"
    write: Callable[[Sources, RepoMap], list[str]] = as_tree if style == "tree" else as_compact
    assert lines == write(sources, found)


class Defined:
    """The columns of a graph that say which definitions there are."""

    def __init__(self, files: Sequence[int]) -> None:
        self.paths = [f"f{number}.py" for number in range(max(files, default=-1) + 1)]
        self.defined_file = np.array(sorted(files), np.int64)
        self.defined_name = np.arange(len(files))
        self.names = np.arange(len(files)) * 7


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 5), st.sampled_from([0.0, 1.0, 1.0 + 1e-12, -3.5, 1e-6])), max_size=40),
    st.integers(0, 50),
)
def test_the_best_are_those_that_a_whole_sort_puts_first(defined: list[tuple[int, float]], most: int) -> None:
    graph = Defined([file for file, _ in defined])
    scores = [score for _, score in defined]
    order = sorted(range(len(scores)), key=lambda row: (-round(scores[row], 9), row))[:most]
    expected = [(graph.paths[graph.defined_file[row]], 7 * row) for row in order]
    assert best(cast("Graph", graph), np.array(scores), most) == expected
