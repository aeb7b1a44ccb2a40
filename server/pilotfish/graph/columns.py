"""The facts of all files as whole columns, which the links of a graph are made from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from pilotfish.graph.joins import Joins, holds, joined, place, places, unique, unique_inverse
from pilotfish.graph.nodes import WHOLE, Node

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]


class Definitions(NamedTuple):
    """All that is defined: the hashes of the names in order; of each definition its file, its name's index and what
    that says. Files ascend, names within one are in any order."""

    names: Ints
    file: Ints
    name: Ints
    traits: Ints

    @classmethod
    def of(cls, nodes: Sequence[Node]) -> Definitions:
        """Return what the files define that the nodes are of."""
        hashes = joined([node.defined for node in nodes])
        file = np.repeat(np.arange(len(nodes)), [len(node.defined) for node in nodes])
        return cls(unique(hashes), file, unique_inverse(hashes), joined([node.traits for node in nodes]))

    def edited(self, nodes: Mapping[int, Node]) -> Definitions:
        """Return the same with other nodes at some places."""
        number = np.bincount(self.name, minlength=len(self.names))
        pieces: list[tuple[Ints, Ints, Any]] = []
        done = 0
        for at, node in sorted(nodes.items()):
            begin, end = np.searchsorted(self.file, (at, at + 1)).tolist()
            number -= np.bincount(self.name[begin:end], minlength=len(self.names))
            pieces.append((self.file[done:begin], self.name[done:begin], self.traits[done:begin]))
            # The names of these stand behind all others until all names are known.
            pieces.append((np.full(len(node.defined), at), np.full(len(node.defined), -1), node.traits))
            done = end
        pieces.append((self.file[done:], self.name[done:], self.traits[done:]))
        file, name, traits = (joined(column) for column in zip(*pieces, strict=True))
        hashes = joined([node.defined for _, node in sorted(nodes.items())])
        names = unique(np.concatenate((self.names[number > 0], hashes)))
        is_new = name < 0
        name = np.searchsorted(names, self.names)[name] if len(self.names) else name
        name[is_new] = np.searchsorted(names, hashes)
        return Definitions(names, file, name, traits)

    def only(self, hashes: Ints) -> Definitions:
        """Return the definitions of these names."""
        wanted = places(self.names, unique(hashes))
        wanted = wanted[wanted >= 0]
        index = np.full(len(self.names), -1)
        index[wanted] = np.arange(len(wanted))
        name = index[self.name]
        keep = name >= 0
        return Definitions(self.names[wanted], self.file[keep], name[keep], self.traits[keep])


class Imports(NamedTuple):
    """What files import. By file: its family of languages, its package, and whether it must import what it names. By
    name and target: the importing file, the target, and the name as both call it, as indices of `terms`; and whether
    nothing else is meant than this one target."""

    family: Ints
    package: Ints
    is_module: NDArray[np.bool_]
    terms: Ints
    file: Any
    target: Any
    alias: Any
    name: Any
    is_single: NDArray[np.bool_]

    @classmethod
    def of(cls, nodes: Sequence[Node], index: Mapping[str, int]) -> Imports:
        """Return what the files import that the nodes are of; `index` has the place of each by its path."""
        all_files = list(chain.from_iterable(node.bindings.files for node in nodes))
        # By their identity: resolvers give the same object for the same answer, and where they do not no harm is done.
        groups = dict(zip(map(id, all_files), all_files, strict=True))
        targets = [np.array([index[path] for path in files if path in index], np.int64) for files in groups.values()]
        sizes = np.array([len(each) for each in targets], np.int64)
        starts = np.concatenate(([0], np.cumsum(sizes)[:-1])) if len(sizes) else sizes
        flat = joined(targets)
        numbers = dict(zip(groups, range(len(groups)), strict=True))
        group = np.fromiter(map(numbers.__getitem__, map(id, all_files)), np.int64, len(all_files))
        file = np.repeat(np.arange(len(nodes)), [len(node.bindings.files) for node in nodes])
        number = sizes[group] if len(group) else group
        row = np.repeat(np.arange(len(group)), number)
        offset = np.arange(len(row)) - np.repeat(np.cumsum(number) - number, number)
        aliases = joined([node.bindings.aliases for node in nodes])[row]
        names = joined([node.bindings.names for node in nodes])[row]
        terms = unique(np.concatenate((aliases, names)))
        return cls(
            family=np.array([node.family for node in nodes], np.int64),
            package=np.array([node.bindings.package for node in nodes], np.int64),
            is_module=np.array([node.is_module for node in nodes], np.bool_),
            terms=terms,
            file=file[row],
            target=flat[starts[group][row] + offset] if len(row) else row,
            alias=np.searchsorted(terms, aliases),
            name=np.searchsorted(terms, names),
            is_single=number[row] == 1,
        )

    def stored(self, kind: type[np.int32 | np.int64]) -> Imports:
        """Return the same with indices in another width: half of it suffices to keep them, keys need the whole."""
        indices = {column: getattr(self, column).astype(kind) for column in ("file", "target", "alias", "name")}
        return self._replace(**indices)


class Columns:
    """Facts as whole columns, names as indices into the sorted hashes of what is defined: all definitions and imports
    (or those that matter here), and the references of the files that are to be linked."""

    def __init__(self, definitions: Definitions, imports: Imports, linked: Mapping[int, Node]) -> None:
        self.joins = Joins()
        self.size = len(imports.family)
        self.names, self.def_file, self.def_name, self.def_traits = definitions
        self.def_key_sorted = np.sort(self.def_file * self.width + self.def_name)
        self.family, self.package, self.is_module = imports.family, imports.package, imports.is_module
        self.terms, self.whole = imports.terms, place(imports.terms, WHOLE)
        self.bind_file, self.bind_target = imports.file, imports.target
        self.bind_alias, self.bind_name, self.bind_is_single = imports.alias, imports.name, imports.is_single
        self.is_linked = np.zeros(self.size, np.bool_)
        self.is_linked[list(linked)] = True
        self.bind_is_linked = self.is_linked[self.bind_file]
        self._references(linked)

    @property
    def width(self) -> int:
        """What a file's index is multiplied with in a key of file and name."""
        return len(self.names) + 1

    def _references(self, linked: Mapping[int, Node]) -> None:
        nodes = list(linked.values())
        hashes = joined([node.ref_names for node in nodes])
        order = np.argsort(hashes)  # what is looked up in order is found several times faster
        self.ref_hash, ordered = hashes, hashes[order]
        self.ref_name, self.ref_term = np.empty(len(hashes), np.int64), np.empty(len(hashes), np.int64)
        self.ref_name[order] = self.known(ordered)
        self.ref_term[order] = places(self.terms, ordered)
        self.ref_file = np.repeat(np.array(list(linked), np.int64), [len(node.ref_names) for node in nodes])
        self.ref_role = joined([node.ref_roles for node in nodes])
        self.ref_count = joined([node.ref_counts for node in nodes])

    def known(self, hashes: Ints) -> Ints:
        """Return the indices of names; -1 for those that nothing defines."""
        return places(self.names, hashes)

    def defines(self, file: Ints, name: Ints) -> NDArray[np.bool_]:
        """Whether each file defines the name beside it."""
        return holds(self.def_key_sorted, file * self.width + name) & (name >= 0)
