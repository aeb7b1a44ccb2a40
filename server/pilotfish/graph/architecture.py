"""The architecture of a workspace, read off its links: modules, what they use, layers, cycles, where programs begin.

Links that only a name's spelling speaks for count in languages whose files need no import to find each other (Ruby's
autoload), and where nearly no import could be resolved. Elsewhere they do not: one wrong link would draw an arrow
between two modules that nobody wrote.

Layers are the longest paths through what the modules use: a module stands above all that it uses. Where modules use
each other in a circle no such order exists; then the lightest links that close circles are found (Eades, Lin, Smyth: A
fast and effective heuristic for the feedback arc set problem, 1993, with weights), left out of the layers, and named
with the cycle.
"""

from __future__ import annotations

import posixpath
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from pilotfish.graph.areas import FULL, Areas
from pilotfish.graph.edges import Graph
from pilotfish.graph.entry_points import WITHOUT_MAIN, Degree, EntryPoint, entry_points
from pilotfish.graph.linking import Evidence
from pilotfish.graph.links import is_test
from pilotfish.graph.modules import MANIFESTS, Module, grouped
from pilotfish.graph.nodes import Trait
from pilotfish.syntax.facts import language_family
from pilotfish.syntax.outline import Role

if TYPE_CHECKING:
    import networkx
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]
    Floats = NDArray[np.float64]
    Digraph = networkx.DiGraph[int]

MOST_CYCLES: Final = 100
"""Cycles of files that are kept, the largest first."""

_LOOP_STARTS: Final = 12
"""From so many files of a cycle, the most important first, the shortest way around is looked for."""

_MOST_ROUNDS: Final = 100
"""A longer chain of files is left to the search for cycles."""

_AUTOLOADING: Final = frozenset({"ruby"})

_MOSTLY_SPELLED: Final = 10
"""Links by spelling for each other one from which on a language's imports say too little."""

_SHARE_DIGITS: Final = 6
_RANK_DIGITS: Final = 12
"""Ranks that differ by less are equal: the last bits of a sum are nobody's order."""


class Uses(NamedTuple):
    """How often names are used, by role. An import of a file as a whole is one import."""

    calls: int
    types: int
    imports: int
    inherits: int

    @property
    def total(self) -> int:
        """All uses."""
        return sum(self)


class Dependency(NamedTuple):
    """The module `source` uses the module `target`; both by index. `against`: it closes a cycle, so that the layers
    leave it out."""

    source: int
    target: int
    uses: Uses
    against: bool = False


class ModuleFacts(NamedTuple):
    """One module: its share of the rank, in all 1; its languages with their numbers of files, most files first; its
    files, the most important first; how many test files use it."""

    name: str
    folder: str
    share: float
    languages: tuple[tuple[str, int], ...]
    files: tuple[str, ...]
    tests: int


class FileCycle(NamedTuple):
    """Files that all use each other around some corners: how many, and the shortest way around that was found."""

    size: int
    loop: tuple[str, ...]


class Architecture(NamedTuple):
    """What there is to say about the architecture of an area. Modules stand by share, the greatest first, and are
    referred to by their place.

    `base` is the folder that names of modules are seen from; those elsewhere begin with `/`. `layers` holds the modules
    that use or are used, those that use most first; `cycles` the groups of modules that use each other around some
    corners, the largest first.
    """

    focus: str
    files: int
    base: str
    modules: tuple[ModuleFacts, ...]
    dependencies: tuple[Dependency, ...]
    layers: tuple[tuple[int, ...], ...]
    cycles: tuple[tuple[int, ...], ...]
    file_cycles: tuple[FileCycle, ...]
    file_cycle_count: int
    entry_points: tuple[EntryPoint, ...]
    test_files: int


class _Links(NamedTuple):
    """Distinct uses of files of the area by files, tests among them."""

    source: Ints
    target: Ints
    role: Ints
    uses: Ints
    evidence: Ints


def architecture(graph: Graph, ranks: Floats, manifests: Mapping[str, bytes], focus: str = FULL) -> Architecture:
    """Describe the architecture of an area.

    Args:
        graph: the files of the workspace and their links.
        ranks: the rank of each file of the graph.
        manifests: the texts of manifests (`package.json`, `pyproject.toml`, `Cargo.toml` …) by path.
        focus: `full`, `backend`, `frontend`, or the path of a folder or file; see `areas`.

    """
    areas = Areas(manifests)
    languages = [node.language for node in graph.nodes.values()]
    is_inside = np.array(
        [areas.holds(focus, path, language) for path, language in zip(graph.paths, languages, strict=True)], np.bool_
    )
    is_tested = np.array([is_test(path) for path in graph.paths], np.bool_)
    inside = [graph.paths[number] for number in np.flatnonzero(is_inside).tolist()]
    packages = {posixpath.dirname(path) for path in (*graph.paths, *manifests) if posixpath.basename(path) in MANIFESTS}
    links = _trusted(graph, languages, is_inside)
    own = _kept(links, is_inside[links.source])
    grouping = grouped(inside, packages)
    module_list = _by_share(grouping.modules, graph, ranks)
    module_of = np.full(len(graph), -1)
    for number, (module, _) in enumerate(module_list):
        module_of[[graph.index[path] for path in module.files]] = number
    tests = _kept(links, is_tested[links.source])
    dependencies = _dependencies(own, module_of)
    order = _Order(dependencies, len(module_list))
    loops, loop_count = _file_cycles(own, graph, ranks)
    return Architecture(
        focus=focus,
        files=len(inside),
        base=grouping.base,
        modules=_facts(module_list, graph, ranks, _test_counts(tests, module_of, len(module_list))),
        dependencies=tuple(each._replace(against=order.is_against(each)) for each in dependencies),
        layers=order.layers,
        cycles=order.cycles,
        file_cycles=tuple(loops),
        file_cycle_count=loop_count,
        entry_points=tuple(_entry_points(graph, inside, own, manifests)),
        test_files=int(np.unique(tests.source).size) if focus != FULL else int(is_tested.sum()),
    )


# --- links -----------------------------------------------------------------------------------------------------------


def _trusted(graph: Graph, languages: Sequence[str], is_inside: NDArray[np.bool_]) -> _Links:
    """Return the links that lead into the area, without those that nothing but a spelling speaks for."""
    links = graph.links
    is_bound = links.evidence > Evidence.NAME
    names, language = np.unique(np.array(languages, np.str_), return_inverse=True)
    spoken = language[links.source]
    bound = np.bincount(spoken[is_bound], minlength=len(names))
    spelled = np.bincount(spoken[~is_bound], minlength=len(names))
    counts_spelled = np.isin(names, sorted(_AUTOLOADING)) | (spelled > _MOSTLY_SPELLED * bound)
    keep = is_inside[links.target] & (is_bound | counts_spelled[spoken])
    return _kept(_Links(links.source, links.target, links.role, links.uses, links.evidence), keep)


def _kept(links: _Links, keep: NDArray[np.bool_]) -> _Links:
    return _Links(*(column[keep] for column in links))


def _pairs(links: _Links, size: int) -> tuple[Ints, Ints]:
    """Return the distinct pairs of files of some links."""
    keys = np.unique(links.source * size + links.target)
    return keys // max(1, size), keys % max(1, size)


# --- modules ---------------------------------------------------------------------------------------------------------


def _by_share(modules: Iterable[Module], graph: Graph, ranks: Floats) -> list[tuple[Module, float]]:
    """Return modules with their share of the rank, the greatest first."""
    shares = [(module, float(ranks[[graph.index[path] for path in module.files]].sum())) for module in modules]
    total = sum(share for _, share in shares) or 1.0
    shares = [(module, round(share / total, _SHARE_DIGITS)) for module, share in shares]
    return sorted(shares, key=lambda pair: (-pair[1], pair[0]))


def _facts(
    modules: Sequence[tuple[Module, float]], graph: Graph, ranks: Floats, tests: Sequence[int]
) -> tuple[ModuleFacts, ...]:
    facts: list[ModuleFacts] = []
    for (module, share), tested in zip(modules, tests, strict=True):
        counts: dict[str, int] = {}
        for path in module.files:
            language = graph.nodes[path].language
            counts[language] = counts.get(language, 0) + 1
        files = sorted(module.files, key=lambda path: (-round(float(ranks[graph.index[path]]), _RANK_DIGITS), path))
        by_count = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
        facts.append(ModuleFacts(module.name, module.folder, share, tuple(by_count), tuple(files), tested))
    return tuple(facts)


def _test_counts(tests: _Links, module_of: Ints, size: int) -> list[int]:
    """Return how many test files use each module."""
    module = module_of[tests.target]
    keys = np.unique(tests.source * (size + 1) + module)
    counts: list[int] = np.bincount(keys % (size + 1), minlength=size).tolist()
    return counts


def _dependencies(links: _Links, module_of: Ints) -> list[Dependency]:
    """Sum the links between files of different modules."""
    source, target = module_of[links.source], module_of[links.target]
    found: dict[tuple[int, int], dict[int, int]] = {}
    across = source != target
    for one, other, role, uses in zip(
        *(column[across].tolist() for column in (source, target, links.role, links.uses)), strict=True
    ):
        roles = found.setdefault((one, other), {})
        roles[role] = roles.get(role, 0) + uses
    return [
        Dependency(
            one,
            other,
            Uses(*(roles.get(role, 0) for role in (Role.CALL, Role.TYPE, Role.IMPORT, Role.INHERIT))),
        )
        for (one, other), roles in sorted(found.items())
    ]


# --- order -----------------------------------------------------------------------------------------------------------


class _Order:
    """What stands above what among modules: cycles, the links against the order, layers."""

    def __init__(self, dependencies: Sequence[Dependency], size: int) -> None:
        weights = {(each.source, each.target): each.uses.total for each in dependencies}
        graph = _digraph(weights)
        self.cycles = tuple(_strong_components(graph))
        self._against = {
            pair
            for cycle in self.cycles
            for pair in _backward(_ordered(cycle, weights), [pair for pair in weights if {*pair} <= {*cycle}])
        }
        graph.remove_edges_from(self._against)
        self.layers = _layers(graph)

    def is_against(self, dependency: Dependency) -> bool:
        """Whether a dependency leads from a lower module up."""
        return (dependency.source, dependency.target) in self._against


def _digraph(pairs: Iterable[tuple[int, int]]) -> Digraph:
    import networkx as nx  # a tenth of a second and some megabytes, which most sessions never need

    graph: Digraph = nx.DiGraph()
    graph.add_edges_from(pairs)
    return graph


def _strong_components(graph: Digraph) -> list[tuple[int, ...]]:
    """Return the groups of several nodes that reach each other, the largest first."""
    import networkx as nx

    found = [tuple(sorted(group)) for group in nx.strongly_connected_components(graph) if len(group) > 1]
    return sorted(found, key=lambda group: (-len(group), group))


def _ordered(cycle: Sequence[int], weights: Mapping[tuple[int, int], int]) -> list[int]:
    """Return the nodes of a cycle, users before what they use, so that little weight leads back."""
    left = set(cycle)
    inner = {pair: weight for pair, weight in weights.items() if pair[0] in left and pair[1] in left}
    head: list[int] = []
    tail: list[int] = []
    while left:
        out = dict.fromkeys(sorted(left), 0)
        into = dict.fromkeys(sorted(left), 0)
        for (source, target), weight in inner.items():
            out[source] += weight
            into[target] += weight
        sinks = [node for node in out if not out[node]]
        if sinks:
            node = sinks[0]
            tail.append(node)
        else:  # a source has the greatest difference that there can be
            node = min(out, key=lambda each: (into[each] > 0, into[each] - out[each], each))
            head.append(node)
        left.remove(node)
        inner = {pair: weight for pair, weight in inner.items() if node not in pair}
    return head + tail[::-1]


def _backward(order: Sequence[int], pairs: Iterable[tuple[int, int]]) -> Iterable[tuple[int, int]]:
    place = {node: number for number, node in enumerate(order)}
    return [(source, target) for source, target in pairs if place[source] > place[target]]


def _layers(graph: Digraph) -> tuple[tuple[int, ...], ...]:
    """Return the nodes of a graph without cycles by the longest path that begins at them, the longest first."""
    import networkx as nx

    height: dict[int, int] = {}
    for node in reversed(list(nx.topological_sort(graph))):
        height[node] = max((height[below] + 1 for below in graph.successors(node)), default=0)
    layers: dict[int, list[int]] = {}
    for node in sorted(height):
        layers.setdefault(height[node], []).append(node)
    return tuple(tuple(layers[level]) for level in sorted(layers, reverse=True))


# --- files -----------------------------------------------------------------------------------------------------------


def _file_cycles(links: _Links, graph: Graph, ranks: Floats) -> tuple[list[FileCycle], int]:
    """Return cycles of files that import each other, the largest first, and how many there are. What files of one
    package use without an import makes none."""
    source, target = _pairs(_kept(links, links.evidence >= Evidence.OPENED), len(graph))
    source, target = _core(source, target, len(graph))
    digraph = _digraph(zip(source.tolist(), target.tolist(), strict=True))
    groups = _strong_components(digraph)
    cycles: list[FileCycle] = []
    for group in groups[:MOST_CYCLES]:
        members = set(group)
        inner = {node: sorted(members.intersection(digraph.successors(node))) for node in group}
        important = sorted(group, key=lambda node: (-round(float(ranks[node]), _RANK_DIGITS), node))
        shortest = min((_loop(inner, start) for start in important[:_LOOP_STARTS]), key=len)
        cycles.append(FileCycle(len(group), tuple(graph.paths[node] for node in shortest)))
    return cycles, len(groups)


def _core(source: Ints, target: Ints, size: int) -> tuple[Ints, Ints]:
    """Drop the files that nothing uses or that use nothing, again and again: they are in no cycle."""
    for _ in range(_MOST_ROUNDS):
        keep = (np.bincount(target, minlength=size)[source] > 0) & (np.bincount(source, minlength=size)[target] > 0)
        if keep.all():
            break
        source, target = source[keep], target[keep]
    return source, target


def _loop(successors: Mapping[int, Sequence[int]], start: int) -> list[int]:
    """Return the shortest way from a node back to it, within nodes that all reach each other."""
    came_from: dict[int, int] = {}
    waiting = deque([start])
    while waiting:
        node = waiting.popleft()
        for after in successors[node]:
            if after == start:
                way = [node]
                while way[-1] != start:
                    way.append(came_from[way[-1]])
                return way[::-1]
            if after not in came_from:
                came_from[after] = node
                waiting.append(after)
    raise AssertionError("a node of a cycle does not reach itself")


def _entry_points(
    graph: Graph, inside: Sequence[str], links: _Links, manifests: Mapping[str, bytes]
) -> list[EntryPoint]:
    source, target = _pairs(links, len(graph))
    uses = np.bincount(source, minlength=len(graph)).tolist()
    users = np.bincount(target, minlength=len(graph)).tolist()
    degrees = {path: Degree(uses[graph.index[path]], users[graph.index[path]]) for path in inside}
    mains = {path for path in degrees if graph.nodes[path].language not in WITHOUT_MAIN} & _defining(graph, "main")
    linked = {path for path in degrees if language_family(graph.nodes[path].language) == "c"}
    return entry_points(degrees, mains, manifests, linked)


def _defining(graph: Graph, name: str) -> set[str]:
    """Return the files that define a name that is not inside a function."""
    number = graph.name_index(name)
    if number < 0:
        return set()
    found: Any = (graph.defined_name == number) & ((graph.defined_traits & Trait.LOCAL) == 0)
    return {graph.paths[file] for file in graph.defined_file[found].tolist()}
