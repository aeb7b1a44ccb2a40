"""Workspaces that would show a cost that grows faster than they do: counted rather than timed."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Sequence

import msgspec
import numpy as np
import pytest
import workspaces
from workspaces import Link, links_of

from pilotfish.graph import joins
from pilotfish.graph.edges import Graph
from pilotfish.graph.linking import Evidence
from pilotfish.graph.nodes import Node
from pilotfish.graph.rank import Boosts, Ranker
from pilotfish.graph.repomap import MOST_WORDS, Answers, Drawn, Words, best, draw, score
from pilotfish.graph.resolve.python import Python
from pilotfish.graph.tokens import estimate
from pilotfish.graph.tree import Tree
from pilotfish.syntax.facts import FileFacts, facts_of
from pilotfish.syntax.outline import Import, ImportedName, Role, SymbolKind
from pilotfish.syntax.outlines import Outliner


class Counted:
    """A file's definitions, which counts how many are looked at."""

    def __init__(self, names: Sequence[str], parents: Sequence[int]) -> None:
        self._names = names
        self._parents = parents
        self.looked_at = 0

    def names(self) -> Sequence[str]:
        return self._names

    def parents(self) -> Sequence[int]:
        return self._parents

    def drawn(self, index: int) -> Drawn:
        self.looked_at += 1
        return Drawn(self._names[index], "function", index + 1, "")


class Counter:
    """The estimate, which counts the texts that it is shown and their characters."""

    def __init__(self) -> None:
        self.texts: list[int] = []

    def __call__(self, text: str) -> int:
        self.texts.append(len(text))
        return estimate(text)


def module(path: str, names: Sequence[str], uses: Iterable[str] = (), imports: Iterable[Import] = ()) -> FileFacts:
    """A Python file that defines functions at its top and calls others."""
    used = list(uses)
    return FileFacts(
        path=path,
        language="python",
        names=names,
        kinds=bytes([SymbolKind.FUNCTION]) * len(names),
        parents=[-1] * len(names),
        visibilities=bytes(len(names)),
        referenced=used,
        roles=bytes([Role.CALL]) * len(used),
        counts=[1] * len(used),
        imports=msgspec.msgpack.encode(list(imports)),
    )


def imported(name: str, origin: str) -> Import:
    return Import(origin, [ImportedName(name, name)], 0, 0)


def graph_of(files: Sequence[FileFacts]) -> Graph:
    resolver = Python(Tree([file.path for file in files]))
    return Graph({file.path: Node(file, resolver) for file in files})


def wanted_of(graph: Graph) -> list[tuple[str, int]]:
    return best(graph, score(graph, Ranker(graph, Boosts()).rank(), Words(graph, []), Answers(graph)))


@pytest.mark.parametrize("budget", [0, 64, 1_024, 16_384])
def test_of_a_hundred_thousand_symbols_those_shown_are_looked_at(budget: int) -> None:
    names = [f"name_{number}" for number in range(100_000)]
    graph = graph_of([module("big.py", names), module("user.py", ["main"], names[-3:], [imported("*", "big")])])
    wanted = wanted_of(graph)
    assert [name for _, name in wanted[:3]] == [hash(name) for name in names[-3:]]
    sources = {"big.py": Counted(names, [-1] * len(names)), "user.py": Counted(["main"], [-1])}
    count = Counter()
    found = draw(wanted, sources.__getitem__, budget=budget, count=count, style="tree", files=2)
    shown = sum(len(file.shown) for file in found.files)
    assert budget * 0.9 <= found.tokens <= budget
    assert sources["big.py"].looked_at <= 4 * shown
    assert len(count.texts) <= 30, "a search by halves"
    assert max(count.texts, default=0) <= 4 * 4 * budget, "no text is written that is much too long"


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("rust", "".join(f"mod m{depth} {{ " for depth in range(2_000)) + "}" * 2_000),
        ("javascript", "".join(f"class C{depth} {{ m() {{ " for depth in range(2_000)) + "}}" * 2_000),
        ("python", "".join(f"{' ' * depth}class C{depth}:\n" for depth in range(2_000))),
        ("json", '{"a": ' * 2_000 + "1" + "}" * 2_000),
    ],
)
def test_deep_nesting_costs_as_much_as_its_outer_levels(language: str, text: str) -> None:
    outline = Outliner().outline(text.encode(), language)
    assert outline.symbols
    graph = Graph({"deep": Node(facts_of("deep", outline), None)})
    source = Counted([symbol.name for symbol in outline.symbols], [symbol.parent for symbol in outline.symbols])
    found = draw(wanted_of(graph), lambda path: source, budget=1_000_000, count=estimate, style="tree", files=1)
    assert {depth for file in found.files for depth, _ in file.shown} <= set(range(1, 9))
    assert 0 < found.tokens < 100
    assert source.looked_at == sum(len(file.shown) for file in found.files)


SHARED = 500


def definers() -> list[FileFacts]:
    return [module(f"d{number}.py", ["shared", f"own_{number}"]) for number in range(SHARED)]


def test_a_name_of_five_hundred_files_is_linked_where_imports_say_so_and_nowhere_else() -> None:
    bare = [module(f"u{number}.py", [f"user_{number}"], ["shared"]) for number in range(SHARED)]
    assert len(graph_of(definers() + bare).links.source) == 0, "a name alone says nothing of five hundred"
    importing = [
        module(f"u{number}.py", [f"user_{number}"], ["shared"], [imported("shared", f"d{number}")])
        for number in range(SHARED)
    ]
    graph = graph_of(definers() + importing)
    assert len(graph.links.source) == SHARED
    assert set(graph.links.evidence.tolist()) == {Evidence.IMPORTED}
    assert [graph.paths[file][1:] for file in graph.links.source] == [
        graph.paths[file][1:] for file in graph.links.target
    ]
    shown = [path for path, name in wanted_of(graph)[:SHARED] if name == hash("shared")]
    assert shown == sorted(file.path for file in definers()), "all alike: in the order of their paths"


def test_five_hundred_files_that_each_import_all_of_five_hundred() -> None:
    everything = [imported("*", f"d{number}") for number in range(SHARED)]
    importing = [module(f"u{number}.py", [f"user_{number}"], ["shared"], everything) for number in range(SHARED)]
    links = graph_of(definers() + importing).links
    assert len(links.source) == 2 * SHARED * SHARED, "each import, and each use of the name"
    assert int((links.name >= 0).sum()) == SHARED * SHARED


def test_of_an_endless_question_the_first_words_count() -> None:
    graph = graph_of([module("a.py", [f"word{number}" for number in range(1_000)])])
    words = Words(graph, [" ".join(f"word{number}" for number in range(100_000)), "a task"])
    assert len(words.stems) == MOST_WORDS
    assert words.definitions.argmax() == 0


def test_twenty_thousand_files_in_cycles() -> None:
    size = 20_000

    def name(number: int, which: str) -> str:
        return f"{which}_{number % size}"

    files = [
        module(
            f"m_{number}.py",
            [name(number, "first"), name(number, "second"), "run"],
            [name(number + 1, "first"), name(7 * number, "second"), "run"],
            [imported("*", name(number + 1, "m")), imported(name(7 * number, "second"), name(7 * number, "m"))],
        )
        for number in range(size)
    ]
    graph = graph_of(files)
    itself = sum(7 * number % size == number for number in range(size))
    assert len(graph.links.source) == 3 * size - itself, "the import of all, and a use of each imported file"
    ranks = Ranker(graph, Boosts()).rank()
    assert ranks.files.sum() == pytest.approx(1)
    assert np.isfinite(ranks.definitions).all()
    assert len(wanted_of(graph)) == size, "as many as one map can hold"


def test_a_module_that_hands_on_all_files_which_all_import_it() -> None:
    size = 5_000
    files = [module(f"m_{number}.py", [f"name_{number}"], ["hub"], [imported("*", "hub")]) for number in range(size)]
    files.append(module("hub.py", ["hub"], [], [imported("*", f"m_{number}") for number in range(size)]))
    graph = graph_of(files)
    hub = graph.index["hub.py"]
    assert int((graph.links.target == hub).sum()) == 2 * size
    assert int((graph.links.source == hub).sum()) == size
    ranks = Ranker(graph, Boosts()).rank().files
    assert int(ranks.argmax()) == hub


@pytest.mark.parametrize("most", [3, 20, 60, 150])
def test_what_is_left_out_of_too_many_pairs_does_not_depend_on_hashes(
    monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    monkeypatch.setattr(joins, "MOST_PAIRS", most)
    expected = links_named("")
    for tail in "abcdefgh":
        assert links_named(tail) == expected


def links_named(tail: str) -> list[Link]:
    """The links of one workspace whose names all end so: other hashes, in another order."""
    chosen = random.Random(5)
    names = [f"name_{number}" for number in range(12)]
    files = {}
    for number in range(30):
        lines = [f"from m{chosen.randrange(30)} import {chosen.choice([*names, '*'])}" for _ in range(4)]
        lines += [f"def {name}(): ..." for name in chosen.sample(names, 3)]
        lines += [f"{name}()" for name in chosen.sample(names, 5)]
        files[f"m{number}.py"] = re.sub(r"name_\d+", rf"\g<0>{tail}", "\n".join(lines)) + "\n"
    return [
        (source, target, name.removesuffix(tail), *rest)
        for source, target, name, *rest in links_of(workspaces.graph_of(files), files)
    ]
