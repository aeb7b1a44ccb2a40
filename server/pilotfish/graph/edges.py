"""The graph of a workspace: its files, and the links from references to the files that define what they name.

A graph of ten thousand files is made anew in a second. After an edit of a few files these alone are linked, by the same
steps, where that provably gives what linking all would (`Graph.edited`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pilotfish.graph.columns import Columns, Definitions, Imports
from pilotfish.graph.joins import holds, joined, place, unique
from pilotfish.graph.linking import Linking, Links
from pilotfish.graph.nodes import Node
from pilotfish.syntax.outline import SymbolKind
from pilotfish.syntax.spellings import key_of, keyed_among

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]


class Graph:
    """The files of a workspace and the links between them.

    `names` are all that is defined, by hash. `defined_file`, `defined_name` and `defined_traits` tell of each
    definition its file, the index of its name and what that says (`Trait`); a name that a file defines twice is one.
    """

    def __init__(self, nodes: Mapping[str, Node]) -> None:
        """Link the files; `nodes` by path."""
        ordered = dict(sorted(nodes.items()))
        index = {path: number for number, path in enumerate(ordered)}
        self._hold(ordered, list(ordered), index, *_linked(list(ordered.values()), index))

    def _hold(
        self,
        nodes: dict[str, Node],
        paths: list[str],
        index: dict[str, int],
        definitions: Definitions,
        links: Links,
        kept: _Kept,
    ) -> None:
        self.nodes, self.paths, self.index = nodes, paths, index
        self.names, self.defined_file, self.defined_name, self.defined_traits = definitions
        self.links = links
        self._kept = kept

    def edited(self, nodes: Mapping[str, Node]) -> Graph | None:
        """Return the graph with these nodes in the place of those at their paths, equal to one made from nothing; None
        where the links of other files may change with them, and all are to be linked anew."""
        if not all(path in self.nodes and node.binds_as(self.nodes[path]) for path, node in nodes.items()):
            return None
        before = {self.index[path]: self.nodes[path] for path in nodes}
        after = {self.index[path]: node for path, node in nodes.items()}
        definitions = Definitions(self.names, self.defined_file, self.defined_name, self.defined_traits)
        found = _relinked(definitions, self.links, self._kept, before, after)
        if found is None:
            return None
        graph = Graph.__new__(Graph)
        graph._hold({**self.nodes, **nodes}, self.paths, self.index, *found)
        return graph

    def __len__(self) -> int:
        return len(self.paths)

    @cached_property
    def tests(self) -> NDArray[np.bool_]:
        """Whether each file looks like one of tests."""
        return np.array([node.is_test for node in self.nodes.values()], np.bool_)

    @cached_property
    def definition_order(self) -> Ints:
        """The definitions in the order of their files and names."""
        return np.argsort(self.defined_file * (len(self.names) + 1) + self.defined_name)

    @cached_property
    def definition_key(self) -> Ints:
        """File and name of each definition in one number, `file * (len(names) + 1) + name`, in that order."""
        order = self.definition_order
        return self.defined_file[order] * (len(self.names) + 1) + self.defined_name[order]

    @cached_property
    def stem_definition(self) -> Ints:
        """The definition that each of `stems` belongs to."""
        counts = joined([node.stem_counts for node in self.nodes.values()])
        return np.repeat(np.arange(len(counts)), counts)

    @cached_property
    def stems(self) -> Ints:
        """The words of the names of all definitions, without their endings, by hash."""
        return joined([node.stems for node in self.nodes.values()])

    @cached_property
    def path_stem_file(self) -> Ints:
        """The file that each of `path_stems` belongs to."""
        return np.repeat(np.arange(len(self)), [len(node.path_stems) for node in self.nodes.values()])

    @cached_property
    def path_stems(self) -> Ints:
        """The words of the paths of all files, without their endings, by hash, each once a file."""
        return joined([node.path_stems for node in self.nodes.values()])

    @cached_property
    def definers(self) -> Ints:
        """In how many files each name is defined."""
        return np.bincount(self.defined_name, minlength=len(self.names))

    def name_index(self, name: str) -> int:
        """Return the index of a name; -1 where no file defines it."""
        return place(self.names, hash(name))

    def name_indices(self, name: str) -> list[int]:
        """Return the indices of all that a name can mean in the languages of the files, some of which know several
        spellings of one name; none where no file defines it."""
        keys = {name, *(key_of(name, each, SymbolKind.FUNCTION) for each in self._keyed)}
        return [index for key in sorted(keys) if (index := self.name_index(key)) >= 0]

    @cached_property
    def _keyed(self) -> frozenset[str]:
        return keyed_among({node.language for node in self.nodes.values()})


class _Uses(NamedTuple):
    """How many references there are to each name, by ascending hash."""

    hashes: Ints
    number: NDArray[np.int32]

    @classmethod
    def of(cls, hashes: Ints) -> _Uses:
        ordered = np.sort(hashes)
        first = np.flatnonzero(np.concatenate(([True], ordered[1:] != ordered[:-1]))) if len(ordered) else ordered
        return cls(ordered[first], np.diff(np.append(first, len(ordered))).astype(np.int32))

    def without(self, hashes: Ints) -> _Uses:
        """Return what is left without these, which are all among them."""
        number = self.number.copy()
        np.subtract.at(number, np.searchsorted(self.hashes, hashes), 1)
        return _Uses(self.hashes[number > 0], number[number > 0])

    def joined(self, other: _Uses) -> _Uses:
        """Return both together."""
        hashes = unique(np.concatenate((self.hashes, other.hashes)))
        number = np.zeros(len(hashes), np.int32)
        for each in (self, other):
            number[np.searchsorted(hashes, each.hashes)] += each.number
        return _Uses(hashes, number)


class _Kept(NamedTuple):
    """What is kept of a linking to link some files anew: what all import and how often each name is used; the pairs of
    files that are open to each other, and those of which one holds a base of the other; by how many files each is
    open; and how many rows a join had at most, or would have now."""

    imports: Imports
    uses: _Uses
    openings: Ints
    bases: Ints
    reach: Ints
    most: int


def _linked(nodes: Sequence[Node], index: Mapping[str, int]) -> tuple[Definitions, Links, _Kept]:
    """Link all files."""
    definitions, imports = Definitions.of(nodes), Imports.of(nodes, index)
    columns = Columns(definitions, imports, dict(enumerate(nodes)))
    linking = Linking(columns)
    links, inherited = linking.finished(linking.openings, linking.bases)
    reach = np.bincount(np.concatenate((linking.openings, inherited)) % max(columns.size, 1), minlength=columns.size)
    uses = _Uses.of(columns.ref_hash)
    kept = _Kept(imports.stored(np.int32), uses, linking.openings, linking.bases, reach, columns.joins.most)
    return definitions, links, kept


def _relinked(
    definitions: Definitions, links: Links, kept: _Kept, before: Mapping[int, Node], after: Mapping[int, Node]
) -> tuple[Definitions, Links, _Kept] | None:
    """Bind the references of some files anew, whose imports are as before; None where that may not be all.

    References of another file are bound by what it imports and inherits, by what the files define that it names, and
    by what the files that it imports import and inherit. So all else stays as it is where the edited files define the
    same of all names that others use or import, and their imports open the same files to them, and they inherit from
    the same ones. Where joins may be too long for all their rows, any row can crowd out any other.
    """
    others = kept.uses.without(joined([node.ref_names for node in before.values()]))
    redefined = _redefined(before, after)
    if holds(others.hashes, redefined).any() or holds(kept.imports.terms, redefined).any():
        return None
    definitions_after = definitions.edited(after)
    imports = kept.imports.stored(np.int64)
    used = joined([node.ref_names for node in after.values()])
    matter = definitions_after.only(np.concatenate((imports.terms, used)))
    columns = Columns(matter, imports, after)
    linking = Linking(columns)
    for ours, theirs in ((linking.openings, kept.openings), (linking.bases, kept.bases)):
        if not np.array_equal(ours, theirs[columns.is_linked[theirs // columns.size]]):
            return None
    fresh, _ = linking.finished(kept.openings, kept.bases)
    # What these files alone use is looked for from the imports of all files.
    is_theirs = holds(unique(used), matter.names) & ~holds(others.hashes, matter.names)
    more = int(kept.reach[matter.file[is_theirs[matter.name]]].sum())
    most = kept.most + columns.joins.most + more
    if not columns.joins.fits(most):
        return None
    renamed = (
        _renamed(links, ~columns.is_linked[links.source], definitions.names, definitions_after.names),
        _renamed(fresh, np.ones(len(fresh.source), np.bool_), matter.names, definitions_after.names),
    )
    return definitions_after, _merged(*renamed), kept._replace(uses=others.joined(_Uses.of(used)), most=most)


def _redefined(before: Mapping[int, Node], after: Mapping[int, Node]) -> Ints:
    """Return the names, by hash, of which files do not define the same as before."""
    names: set[int] = set()
    for file, node in after.items():
        said, says = (
            set(zip(each.defined.tolist(), each.traits.tolist(), strict=True)) for each in (before[file], node)
        )
        names.update(name for name, _ in said ^ says)
    return np.array(sorted(names), np.int64)


def _renamed(links: Links, keep: NDArray[np.bool_], names: Ints, names_after: Ints) -> Links:
    """Return those links to keep, with the indices that their names have in another table."""
    index = np.append(np.searchsorted(names_after, names), -1)  # a name of -1 stays that
    return Links(*(column[keep] for column in links))._replace(name=index[links.name[keep]])


def _merged(some: Links, others: Links) -> Links:
    """Return the links of some files and of others in one order."""
    order = np.argsort(np.concatenate((some.source, others.source)), kind="stable")
    return Links(*(np.concatenate(each)[order] for each in zip(some, others, strict=True)))
