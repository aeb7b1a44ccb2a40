"""References to the files that define what they name: the graph of a workspace.

Each reference is bound by the strongest evidence that there is, in this order: a name that the file imports, through
modules that merely hand it on; its own file (then it is no link); whatever the imported files define or hand on; the
file's own package; and last, names that few files define. The steps are joins of whole columns, so that a graph of ten
thousand files is made anew in a second. After an edit of a few files these alone are linked by the same steps, where
that provably gives what linking all would (`Graph.edited`).

Names are compared by their hashes, 64 bits of a keyed function that no repository can know.
"""

from __future__ import annotations

import enum
import posixpath
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from pilotfish.graph.builtin_names import BUILTIN_NAMES
from pilotfish.graph.links import is_test
from pilotfish.graph.resolve import Resolver
from pilotfish.syntax.facts import FileFacts, decode_imports, language_family, local_symbols
from pilotfish.syntax.outline import Role, SymbolKind, Visibility
from pilotfish.syntax.subwords import stem, words

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]

FEW_DEFINERS: Final = 3
"""A name that nothing but its spelling binds is linked to its definers where there are at most so many."""

HANDED_ON: Final = 4
"""Through so many modules a name is followed that each import it to hand it on."""

_COMMON: Final = 8
"""Names that more files define are looked for from the imports, others from the references: whichever is fewer."""

_RARE: Final = 2
"""A member that at most so many files define is found by its name in all of them, not only in the nearest."""

_ROLES: Final = 8
"""More than there are roles."""

INCLUDED_BY_INCLUDED: Final = 2
"""So deep are the contents of a file visible that includes what includes it."""

_MOST_PAIRS: Final = 4_000_000
"""Rows that one join may have; what a hostile workspace adds beyond is left out."""


class Evidence(enum.IntEnum):
    """Why a reference is linked to a file; higher is stronger."""

    NAME = 0
    PACKAGE = 1
    OPENED = 2
    IMPORTED = 3


class Trait(enum.IntFlag):
    """What a definition's name says about it."""

    LONG = 1  # eight characters or more and of several words: specific to the workspace
    PRIVATE = 2
    LOCAL = 4  # inside a function
    DATA = 8  # a variable, field, key or heading: no function and no type
    PACKAGE = 16  # seen in its package alone
    FREE = 32  # not inside a type or namespace: another module must import it to name it


class Bindings(NamedTuple):
    """What a file's imports bind: names as the file and as the targets call them, by hash, and the targets."""

    aliases: Ints
    names: Ints
    files: list[tuple[str, ...]]
    package: int


class Node:
    """One file in the graph, its names as hashes. Made once per content, bound once per set of files."""

    __slots__ = (
        *("path", "path_stems", "is_test", "language", "family", "imports", "bindings"),
        *("defined", "traits", "stems", "stem_counts"),
        *("ref_names", "ref_roles", "ref_counts"),
    )

    def __init__(self, facts: FileFacts, resolver: Resolver | None) -> None:
        self.path = facts.path
        self.path_stems = np.fromiter({_stem(word): None for word in _path_words(facts.path)}, np.int64)
        self.is_test = is_test(facts.path)
        self.language = facts.language
        self.family = hash(language_family(facts.language))
        traits = _definitions(facts)
        self.defined = np.fromiter(map(hash, traits), np.int64, len(traits))
        self.traits = np.fromiter(traits.values(), np.uint8, len(traits))
        self.stems, self.stem_counts = _stems(traits)
        self.ref_names = np.fromiter(map(hash, facts.referenced), np.int64, len(facts.referenced))
        self.ref_roles = np.frombuffer(facts.roles, np.uint8)
        self.ref_counts = np.asarray(facts.counts, np.int64)
        self.imports = facts.imports
        self.bind(resolver)

    @property
    def is_module(self) -> bool:
        """Whether names of other files must be imported to stand for themselves here. JavaScript without an import
        may run beside other scripts and share names with them."""
        return self.language in _MODULAR or (self.language == "javascript" and len(self.imports) > _NO_IMPORTS)

    def says_as(self, other: Node) -> bool:
        """Whether another text at this path says the same, so that no link and no map can tell them apart."""
        return (
            self.language == other.language
            and self.imports == other.imports
            and all(
                np.array_equal(getattr(self, column), getattr(other, column))
                for column in ("defined", "traits", "ref_names", "ref_roles", "ref_counts")
            )
        )

    def binds_as(self, other: Node) -> bool:
        """Whether imports mean the same in another text at this path."""
        ours, theirs = self.bindings, other.bindings
        return (
            self.language == other.language
            and self.is_module == other.is_module
            and ours.package == theirs.package
            and ours.files == theirs.files
            and np.array_equal(ours.aliases, theirs.aliases)
            and np.array_equal(ours.names, theirs.names)
        )

    def bind(self, resolver: Resolver | None) -> None:
        """Resolve the imports anew: files have come or gone."""
        aliases: list[int] = []
        names: list[int] = []
        files: list[tuple[str, ...]] = []
        package = 0
        if resolver is not None:
            found = resolver.package(self.path)
            package = 0 if found is None else hash((self.family, found))
            for imported in decode_imports(self.imports):
                for binding in resolver.bindings(self.path, imported):
                    aliases.append(hash(binding.alias))
                    names.append(hash(binding.name))
                    files.append(binding.files)
        self.bindings = Bindings(np.array(aliases, np.int64), np.array(names, np.int64), files, package)


_MODULAR: Final = frozenset({"python", "typescript", "tsx"})
_NO_IMPORTS: Final = 1
"""Bytes of an empty list in msgpack."""

_WHOLE: Final = hash("*")
_LONG_NAME: Final = 8
_MOST_STEMS: Final = 32
_MOST_LETTERS: Final = 200


_DATA_NAMES: Final = "VARIABLE CONSTANT FIELD PROPERTY ENUM_MEMBER KEY STRING NUMBER BOOLEAN ARRAY OBJECT"
_DATA: Final = frozenset(int(SymbolKind[name]) for name in _DATA_NAMES.split())
_PROSE: Final = frozenset({"markdown", "json", "toml", "yaml"})


def _definitions(facts: FileFacts) -> dict[str, int]:
    """Return the distinct names that a file defines, in the order of their first definition, with their traits."""
    is_prose = facts.language in _PROSE
    traits: dict[str, int] = {}
    symbols = zip(facts.names, facts.kinds, facts.parents, facts.visibilities, local_symbols(facts), strict=True)
    for name, kind, parent, visibility, is_local in symbols:
        trait = _trait(name, visibility) | is_local * _LOCAL | (is_prose or kind in _DATA) * _IS_DATA
        if parent < 0 or is_local:
            trait |= _FREE
        if visibility and facts.language in _BOUND_TO_PACKAGE:
            trait |= _PACKAGE
        known = traits.get(name)
        # What is said of a name in a file is said of all that bear it there.
        traits[name] = trait if known is None else trait & known
    return traits


# Plain numbers: an operation on a flag costs more than all else that is done for a symbol.
_LOCAL: Final = int(Trait.LOCAL)
_IS_DATA: Final = int(Trait.DATA)
_FREE: Final = int(Trait.FREE)
_PACKAGE: Final = int(Trait.PACKAGE)

_BOUND_TO_PACKAGE: Final = frozenset({"go"})
"""Languages in which no other package can name what is not public."""


@lru_cache(maxsize=50_000)
def _trait(name: str, visibility: int) -> int:
    private = Trait.PRIVATE if visibility == Visibility.PRIVATE or name.startswith("_") else 0
    is_long = len(name) >= _LONG_NAME and ("_" in name.strip("_") or (name != name.lower() and name != name.upper()))
    return int(private | (Trait.LONG if is_long else 0))


def _stems(names: Iterable[str]) -> tuple[Ints, NDArray[np.uint8]]:
    """Return the hashes of the stems of all names, one after the other, and how many each name has."""
    found = [words(name[:_MOST_LETTERS])[:_MOST_STEMS] for name in names]
    hashes = [_stem(word) for name in found for word in name]
    return np.array(hashes, np.int64), np.fromiter(map(len, found), np.uint8, len(found))


def _path_words(path: str) -> list[str]:
    return words(posixpath.splitext(path)[0][-_MOST_LETTERS:])


@lru_cache(maxsize=50_000)
def _stem(word: str) -> int:
    return hash(stem(word.casefold()))


class Links(NamedTuple):
    """The links of a graph, sorted by source, target and name: indices of files, the name's index, its role
    (`syntax.outline.Role`), how often it is used so, and the evidence (`Evidence`). `name` is -1 where a file is
    imported and none of its names."""

    source: Ints
    target: Ints
    name: Ints
    role: Ints
    uses: Ints
    evidence: Ints


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
        definitions: _Definitions,
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
        definitions = _Definitions(self.names, self.defined_file, self.defined_name, self.defined_traits)
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
        counts = _joined([node.stem_counts for node in self.nodes.values()])
        return np.repeat(np.arange(len(counts)), counts)

    @cached_property
    def stems(self) -> Ints:
        """The words of the names of all definitions, without their endings, by hash."""
        return _joined([node.stems for node in self.nodes.values()])

    @cached_property
    def path_stem_file(self) -> Ints:
        """The file that each of `path_stems` belongs to."""
        return np.repeat(np.arange(len(self)), [len(node.path_stems) for node in self.nodes.values()])

    @cached_property
    def path_stems(self) -> Ints:
        """The words of the paths of all files, without their endings, by hash, each once a file."""
        return _joined([node.path_stems for node in self.nodes.values()])

    @cached_property
    def definers(self) -> Ints:
        """In how many files each name is defined."""
        return np.bincount(self.defined_name, minlength=len(self.names))

    def name_index(self, name: str) -> int:
        """Return the index of a name; -1 where no file defines it."""
        return _place(self.names, hash(name))


class _Definitions(NamedTuple):
    """All that is defined: the hashes of the names in order; of each definition its file, its name's index and what
    that says. Files ascend, names within one are in any order."""

    names: Ints
    file: Ints
    name: Ints
    traits: Ints

    @classmethod
    def of(cls, nodes: Sequence[Node]) -> _Definitions:
        hashes = _joined([node.defined for node in nodes])
        file = np.repeat(np.arange(len(nodes)), [len(node.defined) for node in nodes])
        return cls(_unique(hashes), file, _unique_inverse(hashes), _joined([node.traits for node in nodes]))

    def edited(self, nodes: Mapping[int, Node]) -> _Definitions:
        """Return the same with other nodes at some places."""
        number = np.bincount(self.name, minlength=len(self.names))
        pieces: list[tuple[Ints, Ints, Any]] = []
        done = 0
        for place, node in sorted(nodes.items()):
            begin, end = np.searchsorted(self.file, (place, place + 1)).tolist()
            number -= np.bincount(self.name[begin:end], minlength=len(self.names))
            pieces.append((self.file[done:begin], self.name[done:begin], self.traits[done:begin]))
            # The names of these stand behind all others until all names are known.
            pieces.append((np.full(len(node.defined), place), np.full(len(node.defined), -1), node.traits))
            done = end
        pieces.append((self.file[done:], self.name[done:], self.traits[done:]))
        file, name, traits = (_joined(column) for column in zip(*pieces, strict=True))
        hashes = _joined([node.defined for _, node in sorted(nodes.items())])
        names = _unique(np.concatenate((self.names[number > 0], hashes)))
        is_new = name < 0
        name = np.searchsorted(names, self.names)[name] if len(self.names) else name
        name[is_new] = np.searchsorted(names, hashes)
        return _Definitions(names, file, name, traits)

    def only(self, hashes: Ints) -> _Definitions:
        """Return the definitions of these names."""
        wanted = _places(self.names, _unique(hashes))
        wanted = wanted[wanted >= 0]
        index = np.full(len(self.names), -1)
        index[wanted] = np.arange(len(wanted))
        name = index[self.name]
        keep = name >= 0
        return _Definitions(self.names[wanted], self.file[keep], name[keep], self.traits[keep])


class _Imports(NamedTuple):
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
    def of(cls, nodes: Sequence[Node], index: Mapping[str, int]) -> _Imports:
        all_files = list(chain.from_iterable(node.bindings.files for node in nodes))
        # By their identity: resolvers give the same object for the same answer, and where they do not no harm is done.
        groups = dict(zip(map(id, all_files), all_files, strict=True))
        targets = [np.array([index[path] for path in files if path in index], np.int64) for files in groups.values()]
        sizes = np.array([len(each) for each in targets], np.int64)
        starts = np.concatenate(([0], np.cumsum(sizes)[:-1])) if len(sizes) else sizes
        flat = _joined(targets)
        places = dict(zip(groups, range(len(groups)), strict=True))
        group = np.fromiter(map(places.__getitem__, map(id, all_files)), np.int64, len(all_files))
        file = np.repeat(np.arange(len(nodes)), [len(node.bindings.files) for node in nodes])
        number = sizes[group] if len(group) else group
        row = np.repeat(np.arange(len(group)), number)
        offset = np.arange(len(row)) - np.repeat(np.cumsum(number) - number, number)
        aliases = _joined([node.bindings.aliases for node in nodes])[row]
        names = _joined([node.bindings.names for node in nodes])[row]
        terms = _unique(np.concatenate((aliases, names)))
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

    def stored(self, kind: type[np.int32 | np.int64]) -> _Imports:
        """Return the same with indices in another width: half of it suffices to keep them, keys need the whole."""
        indices = {column: getattr(self, column).astype(kind) for column in ("file", "target", "alias", "name")}
        return self._replace(**indices)


class _Joins:
    """Rows of columns with the same keys, combined, and how many there were at most."""

    def __init__(self) -> None:
        self.most = 0

    def fits(self, number: int) -> bool:
        """Whether so many rows are not too many."""
        self.most = max(self.most, number)
        return number <= _MOST_PAIRS

    def groups(self, key: Ints, size: int) -> _Groups:
        """Group rows by a key below `size`."""
        return _Groups(self, key, size)

    def sorted(self, key: Ints) -> _Sorted:
        """Group rows by any key."""
        return _Sorted(self, key)

    def combined(self, first: Ints, number: Ints, order: Ints) -> tuple[Ints, Ints]:
        """Combine each row with `number` places of `order`, from `first` on; no more than `_MOST_PAIRS` in all.

        Rows with the most places are left out, which say the least. Rows stand in an order of hashes: which are kept
        may not depend on it.
        """
        if not self.fits(int(number.sum())):
            ascending = np.sort(number)
            too_many = ascending[np.searchsorted(np.cumsum(ascending), _MOST_PAIRS, "right")]
            number = np.where(number < too_many, number, 0)
        rows = np.repeat(np.arange(len(number)), number)
        offset = np.arange(len(rows)) - np.repeat(np.cumsum(number) - number, number)
        return rows, order[first[rows] + offset]


class _Groups:
    """Rows by a key below `size`, found without a search."""

    def __init__(self, joins: _Joins, key: Ints, size: int) -> None:
        self.number = np.bincount(key, minlength=size)
        self._joins = joins
        self._first = np.cumsum(self.number) - self.number
        self._order = np.argsort(key, kind="stable")

    def pairs(self, left: Ints) -> tuple[Ints, Ints]:
        """Return rows of `left` and rows of these that share a key, every combination."""
        return self._joins.combined(self._first[left], self.number[left], self._order)


class _Sorted:
    """Rows by any key, found by search."""

    def __init__(self, joins: _Joins, key: Ints) -> None:
        self._joins = joins
        self._order = np.argsort(key, kind="stable")
        self._key = key[self._order]

    def pairs(self, left: Ints) -> tuple[Ints, Ints]:
        """Return rows of `left` and rows of these that share a key, every combination."""
        first = np.searchsorted(self._key, left, "left")
        return self._joins.combined(first, np.searchsorted(self._key, left, "right") - first, self._order)


class _Columns:
    """Facts as whole columns, names as indices into the sorted hashes of what is defined: all definitions and imports
    (or those that matter here), and the references of the files that are to be linked."""

    def __init__(self, definitions: _Definitions, imports: _Imports, linked: Mapping[int, Node]) -> None:
        self.joins = _Joins()
        self.size = len(imports.family)
        self.names, self.def_file, self.def_name, self.def_traits = definitions
        self.def_key_sorted = np.sort(self.def_file * self.width + self.def_name)
        self.family, self.package, self.is_module = imports.family, imports.package, imports.is_module
        self.terms, self.whole = imports.terms, _place(imports.terms, _WHOLE)
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
        hashes = _joined([node.ref_names for node in nodes])
        order = np.argsort(hashes)  # what is looked up in order is found several times faster
        self.ref_hash, ordered = hashes, hashes[order]
        self.ref_name, self.ref_term = np.empty(len(hashes), np.int64), np.empty(len(hashes), np.int64)
        self.ref_name[order] = self.known(ordered)
        self.ref_term[order] = _places(self.terms, ordered)
        self.ref_file = np.repeat(np.array(list(linked), np.int64), [len(node.ref_names) for node in nodes])
        self.ref_role = _joined([node.ref_roles for node in nodes])
        self.ref_count = _joined([node.ref_counts for node in nodes])

    def known(self, hashes: Ints) -> Ints:
        """Return the indices of names; -1 for those that nothing defines."""
        return _places(self.names, hashes)

    def defines(self, file: Ints, name: Ints) -> NDArray[np.bool_]:
        """Whether each file defines the name beside it."""
        return _holds(self.def_key_sorted, file * self.width + name) & (name >= 0)


def _joined(parts: Sequence[Any]) -> Ints:
    return np.concatenate(parts).astype(np.int64, copy=False) if parts else np.empty(0, np.int64)


def _holds(ordered: Ints, wanted: Ints) -> NDArray[np.bool_]:
    """Whether each wanted key is among ascending ones."""
    if not len(ordered):
        return np.zeros(len(wanted), np.bool_)
    place = np.minimum(np.searchsorted(ordered, wanted), len(ordered) - 1)
    found: NDArray[np.bool_] = ordered[place] == wanted
    return found


class _Bound(NamedTuple):
    """References bound to files: rows of the reference columns, the file and the name that each means."""

    row: Ints
    target: Ints
    name: Ints
    evidence: int


class _Imported(NamedTuple):
    """What files import by name, found where it is defined: `term` is the name as the importing file writes it. `name`
    is -1 where the trail of a name ends in a file that does not say that it defines it, like a default export."""

    file: Ints
    term: Ints
    name: Ints
    target: Ints


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
        hashes = _unique(np.concatenate((self.hashes, other.hashes)))
        number = np.zeros(len(hashes), np.int32)
        for each in (self, other):
            number[np.searchsorted(hashes, each.hashes)] += each.number
        return _Uses(hashes, number)


class _Kept(NamedTuple):
    """What is kept of a linking to link some files anew: what all import and how often each name is used; the pairs of
    files that are open to each other, and those of which one holds a base of the other; by how many files each is
    open; and how many rows a join had at most, or would have now."""

    imports: _Imports
    uses: _Uses
    openings: Ints
    bases: Ints
    reach: Ints
    most: int


def _linked(nodes: Sequence[Node], index: Mapping[str, int]) -> tuple[_Definitions, Links, _Kept]:
    """Bind every reference by its strongest evidence, and add the imports that no reference tells of."""
    definitions, imports = _Definitions.of(nodes), _Imports.of(nodes, index)
    columns = _Columns(definitions, imports, dict(enumerate(nodes)))
    linking = _Linking(columns)
    links, inherited = linking.finished(linking.openings, linking.bases)
    reach = np.bincount(np.concatenate((linking.openings, inherited)) % max(columns.size, 1), minlength=columns.size)
    uses = _Uses.of(columns.ref_hash)
    kept = _Kept(imports.stored(np.int32), uses, linking.openings, linking.bases, reach, columns.joins.most)
    return definitions, links, kept


def _relinked(
    definitions: _Definitions, links: Links, kept: _Kept, before: Mapping[int, Node], after: Mapping[int, Node]
) -> tuple[_Definitions, Links, _Kept] | None:
    """Bind the references of some files anew, whose imports are as before; None where that may not be all.

    References of another file are bound by what it imports and inherits, by what the files define that it names, and
    by what the files that it imports import and inherit. So all else stays as it is where the edited files define the
    same of all names that others use or import, and their imports open the same files to them, and they inherit from
    the same ones. Where joins may be too long for all their rows, any row can crowd out any other.
    """
    others = kept.uses.without(_joined([node.ref_names for node in before.values()]))
    redefined = _redefined(before, after)
    if _holds(others.hashes, redefined).any() or _holds(kept.imports.terms, redefined).any():
        return None
    definitions_after = definitions.edited(after)
    imports = kept.imports.stored(np.int64)
    used = _joined([node.ref_names for node in after.values()])
    matter = definitions_after.only(np.concatenate((imports.terms, used)))
    columns = _Columns(matter, imports, after)
    linking = _Linking(columns)
    for ours, theirs in ((linking.openings, kept.openings), (linking.bases, kept.bases)):
        if not np.array_equal(ours, theirs[columns.is_linked[theirs // columns.size]]):
            return None
    fresh, _ = linking.finished(kept.openings, kept.bases)
    # What these files alone use is looked for from the imports of all files.
    is_theirs = _holds(_unique(used), matter.names) & ~_holds(others.hashes, matter.names)
    more = int(kept.reach[matter.file[is_theirs[matter.name]]].sum())
    most = kept.most + columns.joins.most + more
    if most > _MOST_PAIRS:
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


class _Linking:
    """References bound step by step, each by its strongest evidence. Where only some files are linked, what the others
    import and inherit comes in between the first steps and the last."""

    def __init__(self, columns: _Columns) -> None:
        """Bind what imports tell of."""
        self._columns = columns
        self._bound: list[_Bound] = []
        trails = _Trails(columns)
        self._imported, opened = trails.named()
        through, opened_through = trails.through_whole()
        own = columns.defines(columns.ref_file, columns.ref_name)
        # What an import names and no file has lies outside.
        self._free = (columns.ref_name >= 0) & ~own & (columns.ref_role != Role.IMPORT)
        self._take(_explicit(columns, self._imported, Evidence.IMPORTED))
        self._take(_of_free(_explicit(columns, through, Evidence.OPENED), self._free))
        self._definers = _Definers(columns)
        whole, self.openings = _openings(columns, (self._imported, through), (opened, opened_through))
        self._step(_opened(self._definers, self.openings, whole))
        self.bases = _bases(columns, self._bound)

    def finished(self, openings: Ints, bases: Ints) -> tuple[Links, Ints]:
        """Bind the rest, with the `openings` and `bases` of all files, and add the imports that no reference tells of.
        Return the links and the pairs of files that are open to each other by inheritance."""
        inherited = _inherited(self._columns, self.openings, bases)
        for step in (
            _opened(self._definers, inherited, None),
            _packaged(self._definers),
            _near(self._definers, openings),
            _spelled(self._definers),
        ):
            self._step(step)
        return _gathered(self._columns, self._bound, self._imported), inherited

    def _step(self, step: _Step) -> None:
        self._take(step(self._columns, np.flatnonzero(self._free)))

    def _take(self, found: _Bound) -> None:
        self._free[found.row] = False
        self._bound.append(found)


class _Trails:
    """Names on their way through modules that hand them on."""

    def __init__(self, columns: _Columns) -> None:
        self._columns = columns
        self._width = len(columns.terms) + 1
        self._alias, self._name = columns.bind_alias, columns.bind_name
        self._by_alias = columns.joins.sorted(columns.bind_file * self._width + self._alias)
        self._is_named = self._name != columns.whole
        self._hands_on = np.flatnonzero(~self._is_named & (self._alias == columns.whole))
        self._contents = columns.joins.groups(columns.bind_file[self._hands_on], columns.size)

    def named(self) -> tuple[_Imported, tuple[Ints, Ints]]:
        """Follow the names that files import; return where they are defined, and the files that turn out to be
        imported whole on the way."""
        rows = np.flatnonzero(self._is_named & self._columns.bind_is_linked)
        return self._followed(
            self._columns.bind_file[rows], self._alias[rows], self._name[rows], self._columns.bind_target[rows]
        )

    def through_whole(self) -> tuple[_Imported, tuple[Ints, Ints]]:
        """Follow the names that modules import which other files import whole and look the names up in: `m.name`."""
        columns = self._columns
        across = columns.bind_is_linked & (columns.bind_file != columns.bind_target)
        wholes = np.flatnonzero(~self._is_named & across)
        named = np.flatnonzero(self._is_named)
        by_file = columns.joins.groups(columns.bind_file[named], columns.size)
        pairs, handed = by_file.pairs(columns.bind_target[wholes])
        file, handed = columns.bind_file[wholes[pairs]], named[handed]
        used = np.sort((columns.ref_file * self._width + columns.ref_term)[columns.ref_term >= 0])
        is_used = _holds(used, file * self._width + self._alias[handed])
        file, handed = file[is_used], handed[is_used]
        return self._followed(file, self._alias[handed], self._name[handed], columns.bind_target[handed])

    def _followed(self, file: Ints, term: Ints, wanted: Ints, target: Ints) -> tuple[_Imported, tuple[Ints, Ints]]:
        columns, terms = self._columns, self._columns.terms
        by_name = np.ones(len(file), np.int64)
        found: list[tuple[Ints, ...]] = []
        ends: list[tuple[Ints, ...]] = []
        opened: list[tuple[Ints, Ints]] = []
        for _ in range(HANDED_ON):
            index = columns.known(terms[wanted]) if len(wanted) else wanted
            is_there = columns.defines(target, index)
            found.append((file[is_there], term[is_there], index[is_there], target[is_there]))
            file, term, wanted, target, by_name = (each[~is_there] for each in (file, term, wanted, target, by_name))
            rows, nexts = self._by_alias.pairs(target * self._width + wanted)
            through, contents = self._contents.pairs(target)
            contents = self._hands_on[contents]
            is_end = by_name == 1
            is_end[rows] = False
            is_end[through] = False
            ends.append((file[is_end], term[is_end], np.full(int(is_end.sum()), -1), target[is_end]))
            is_whole = ~self._is_named[nexts]
            opened.append((file[rows][is_whole], columns.bind_target[nexts][is_whole]))
            rows, nexts = rows[~is_whole], nexts[~is_whole]
            file, term, wanted, target, by_name = (
                np.concatenate(each)
                for each in (
                    (file[rows], file[through]),
                    (term[rows], term[through]),
                    (self._name[nexts], wanted[through]),
                    (columns.bind_target[nexts], columns.bind_target[contents]),
                    (np.ones(len(rows), np.int64), np.zeros(len(through), np.int64)),
                )
            )
            file, term, wanted, target, by_name = _distinct(file, term, wanted, target, by_name)
        all_found = [np.concatenate(each) for each in zip(*found, strict=True)]
        all_ends = [np.concatenate(each) for each in zip(*ends, strict=True)]
        known = _unique(all_found[0] * self._width + all_found[1])
        is_lost = ~_holds(known, all_ends[0] * self._width + all_ends[1])
        imported = _Imported(
            *_distinct(*(np.concatenate((one, end[is_lost])) for one, end in zip(all_found, all_ends, strict=True)))
        )
        return imported, (np.concatenate([f for f, _ in opened]), np.concatenate([t for _, t in opened]))


def _explicit(columns: _Columns, imported: _Imported, evidence: Evidence) -> _Bound:
    """Bind the references to imported names, under their own name or the importing file's."""
    terms, width = columns.terms, len(columns.terms) + 1
    own_term = np.full(len(imported.name), -1)
    is_known = imported.name >= 0
    own_term[is_known] = _places(terms, columns.names[imported.name[is_known]])
    renamed = np.flatnonzero((own_term != imported.term) & (own_term >= 0))
    rows = np.concatenate((np.arange(len(imported.file)), renamed))
    written = np.concatenate((imported.term, own_term[renamed]))
    known = np.flatnonzero(columns.ref_term >= 0)
    by_term = columns.joins.sorted(columns.ref_file[known] * width + columns.ref_term[known])
    which, references = by_term.pairs(imported.file[rows] * width + written)
    references = known[references]
    return _Bound(references, imported.target[rows[which]], imported.name[rows[which]], evidence)


def _of_free(found: _Bound, free: NDArray[np.bool_]) -> _Bound:
    """Keep what is said of references that nothing stronger has bound."""
    keep = free[found.row]
    return _Bound(found.row[keep], found.target[keep], found.name[keep], found.evidence)


def _openings(
    columns: _Columns, imported: Sequence[_Imported], opened: Sequence[tuple[Ints, Ints]]
) -> tuple[Ints, Ints]:
    """Return, as sorted keys, the pairs of files of which one imports the other whole, or what that one hands on whole;
    and those of which one imports the other in any way."""
    size = columns.size
    is_whole = columns.bind_name == columns.whole
    hands_on = np.flatnonzero((columns.bind_alias == columns.whole) & is_whole)
    from_file, to_file = columns.bind_file[hands_on], columns.bind_target[hands_on]
    by_file = columns.joins.groups(from_file, size)
    links = columns.bind_file * size + columns.bind_target
    keys = _unique(
        np.concatenate(
            (
                links[is_whole & columns.bind_is_linked],
                *(file * size + target for file, target in opened),
            )
        )
    )
    fresh = keys
    for step in range(HANDED_ON):
        if step >= INCLUDED_BY_INCLUDED:
            fresh = fresh[columns.is_module[fresh // size]]
        rows, nexts = by_file.pairs(fresh % size)
        fresh = _unique(fresh[rows] // size * size + to_file[nexts])
        fresh = fresh[~_holds(keys, fresh)]
        if not len(fresh) or not columns.joins.fits(len(keys) + len(fresh)):
            break
        keys = np.sort(np.concatenate((keys, fresh)))
    named = (each.file * size + each.target for each in imported)
    return keys, _unique(np.concatenate((keys, links[columns.bind_is_linked], *named)))


def _bases(columns: _Columns, bound: Sequence[_Bound]) -> Ints:
    """Return the pairs of a file and another one that holds a base of a type in the first, as sorted keys."""
    inherits = [(columns.ref_role[each.row] == Role.INHERIT, each) for each in bound]
    return _unique(
        np.concatenate([columns.ref_file[each.row[rows]] * columns.size + each.target[rows] for rows, each in inherits])
    )


def _inherited(columns: _Columns, openings: Ints, bases: Ints) -> Ints:
    """Return the pairs of a file and another one that holds a base of a type in a file which the first imports, as
    sorted keys without the openings."""
    size = columns.size
    file, base = bases // size, bases % size
    by_file = columns.joins.groups(file, size)
    fresh, keys = openings, openings
    for _ in range(HANDED_ON):
        rows, bases = by_file.pairs(fresh % size)
        fresh = _unique(fresh[rows] // size * size + base[bases])
        fresh = fresh[~_holds(keys, fresh)]
        if not len(fresh) or not columns.joins.fits(len(keys) + len(fresh)):
            break
        keys = np.sort(np.concatenate((keys, fresh)))
    return keys[~_holds(openings, keys)]


class _Definers:
    """The definitions that other files can name, by name and language family."""

    def __init__(self, columns: _Columns) -> None:
        visible = np.flatnonzero((columns.def_traits & Trait.LOCAL) == 0)
        self.file, self.name = columns.def_file[visible], columns.def_name[visible]
        self.is_private = (columns.def_traits[visible] & Trait.PRIVATE) != 0
        self.is_member = (columns.def_traits[visible] & Trait.FREE) == 0
        self._is_packaged = (columns.def_traits[visible] & Trait.PACKAGE) != 0
        self._family = _unique_inverse(columns.family)
        self._families = int(self._family.max(initial=0)) + 1
        key = self.keys(self.name, self.file)
        self._groups = columns.joins.groups(key, len(columns.names) * self._families)
        self.number = self._groups.number[key]

    def keys(self, name: Ints, file: Ints) -> Ints:
        """Return the key of a name in a file's language family."""
        return name * self._families + self._family[file]

    def count(self, name: Ints, file: Ints) -> Ints:
        """Return how many files define each name, in the language family of the file beside it."""
        return self._groups.number[self.keys(name, file)]

    def candidates(self, columns: _Columns, rows: Ints, most: int) -> tuple[Ints, Ints]:
        """Return references and definitions that they can name, of a name which at most `most` files define."""
        number = self.count(columns.ref_name[rows], columns.ref_file[rows])
        rows = rows[(number > 0) & (number <= most)]
        which, definitions = self._groups.pairs(self.keys(columns.ref_name[rows], columns.ref_file[rows]))
        return self.visible(columns, rows[which], definitions)

    def visible(self, columns: _Columns, rows: Ints, definitions: Ints) -> tuple[Ints, Ints]:
        """Return those pairs of references and definitions of which the one can name the other."""
        package = columns.package
        is_seen = ~self._is_packaged[definitions]
        is_seen |= package[columns.ref_file[rows]] == package[self.file[definitions]]
        return rows[is_seen], definitions[is_seen]


_Step = Callable[[_Columns, "Ints"], _Bound]


def _opened(definers: _Definers, openings: Ints, whole: Ints | None) -> _Step:
    """Bind what files define that stand in the pairs `openings`. Where names must be imported, those are members, or
    the pair is in `whole`."""

    def step(columns: _Columns, free: Ints) -> _Bound:
        size = columns.size
        rows, definitions = definers.candidates(columns, free, _COMMON)
        is_open = _holds(openings, columns.ref_file[rows] * size + definers.file[definitions])
        rows, definitions = rows[is_open], definitions[is_open]
        is_used = np.zeros(columns.width, np.bool_)
        is_used[columns.ref_name] = True
        common = np.flatnonzero((definers.number > _COMMON) & is_used[definers.name])
        pairs, theirs = columns.joins.groups(definers.file[common], size).pairs(openings % size)
        theirs = common[theirs]
        file = openings[pairs] // size
        references = free[definers.count(columns.ref_name[free], columns.ref_file[free]) > _COMMON]
        used = definers.keys(columns.ref_name[references], columns.ref_file[references])
        by_use = columns.joins.sorted(used * size + columns.ref_file[references])
        which, more = by_use.pairs(definers.keys(definers.name[theirs], file) * size + file)
        seen, definition = definers.visible(columns, references[more], theirs[which])
        rows, definitions = np.concatenate((rows, seen)), np.concatenate((definitions, definition))
        is_meant = ~columns.is_module[columns.ref_file[rows]] | definers.is_member[definitions]
        if whole is not None:
            is_meant |= _holds(whole, columns.ref_file[rows] * size + definers.file[definitions])
        return _bound(columns, definers, rows[is_meant], definitions[is_meant], Evidence.OPENED)

    return step


def _near(definers: _Definers, openings: Ints) -> _Step:
    """Bind members that modules call of what imported files import, where one such file has the name, or no more than
    two files have it at all. Measured against compilers, most of these are right; of names that are spelled alike
    elsewhere, hardly any."""

    def step(columns: _Columns, free: Ints) -> _Bound:
        size = columns.size
        is_call = columns.is_module[columns.ref_file[free]] & (columns.ref_role[free] == Role.CALL)
        free = free[is_call & ~_is_builtin(columns, free)]
        rows, definitions = definers.candidates(columns, free, _COMMON)
        is_member = definers.is_member[definitions]
        rows, definitions = rows[is_member], definitions[is_member]
        is_rare = np.bincount(rows, minlength=len(columns.ref_file))[rows] <= _RARE
        pair = columns.ref_file[rows] * size + definers.file[definitions]
        is_near = _two_steps(columns, openings, pair)
        is_only = np.bincount(rows[is_near], minlength=len(columns.ref_file))[rows] == 1
        keep = is_near & (is_only | is_rare)
        return _bound(columns, definers, rows[keep], definitions[keep], Evidence.NAME)

    return step


def _is_builtin(columns: _Columns, rows: Ints) -> NDArray[np.bool_]:
    """Whether references have names that types and functions of their language itself have."""
    found = np.zeros(len(rows), np.bool_)
    for family, names in BUILTIN_NAMES.items():
        known = np.sort(columns.known(np.fromiter(map(hash, names), np.int64, len(names))))
        is_theirs = columns.family[columns.ref_file[rows]] == hash(family)
        found |= is_theirs & _holds(known, columns.ref_name[rows])
    return found


def _two_steps(columns: _Columns, links: Ints, wanted: Ints) -> NDArray[np.bool_]:
    """Whether two of the links lead from the file to the target of each wanted key."""
    size = columns.size
    distinct, place = _unique(wanted), _unique_inverse(wanted)
    pair, link = columns.joins.groups(links // size, size).pairs(distinct // size)
    is_there = _holds(links, links[link] % size * size + distinct[pair] % size)
    near = np.zeros(len(distinct), np.bool_)
    near[pair[is_there]] = True
    return near[place]


def _packaged(definers: _Definers) -> _Step:
    """Bind what the other files of the package define."""

    def step(columns: _Columns, free: Ints) -> _Bound:
        package = _unique_inverse(columns.package)
        width = int(package.max(initial=0)) + 1
        mine = np.flatnonzero(columns.package[definers.file] != 0)
        rows = free[columns.package[columns.ref_file[free]] != 0]
        by_package = columns.joins.sorted(definers.name[mine] * width + package[definers.file[mine]])
        which, theirs = by_package.pairs(columns.ref_name[rows] * width + package[columns.ref_file[rows]])
        return _bound(columns, definers, rows[which], mine[theirs], Evidence.PACKAGE)

    return step


def _spelled(definers: _Definers) -> _Step:
    """Bind names that few files define, where a language has no need to import them."""

    def step(columns: _Columns, free: Ints) -> _Bound:
        is_script = ~columns.is_module[columns.ref_file[free]]
        rows, definitions = definers.candidates(columns, free[is_script], FEW_DEFINERS)
        is_public = ~definers.is_private[definitions]
        return _bound(columns, definers, rows[is_public], definitions[is_public], Evidence.NAME)

    return step


def _bound(columns: _Columns, definers: _Definers, rows: Ints, definitions: Ints, evidence: Evidence) -> _Bound:
    return _Bound(rows, definers.file[definitions], columns.ref_name[rows], evidence)


def _gathered(columns: _Columns, bound: Sequence[_Bound], imported: _Imported) -> Links:
    """Sum the bound references by file, name and role, together with the imports themselves."""
    source = [columns.ref_file[each.row] for each in bound]
    role = [columns.ref_role[each.row] for each in bound]
    count = [columns.ref_count[each.row] for each in bound]
    target, name = [each.target for each in bound], [each.name for each in bound]
    evidence = [np.full(len(each.row), each.evidence) for each in bound]
    explicit = bound[0]
    told = _unique(columns.ref_file[explicit.row] * columns.size + explicit.target)
    alone = _alone(columns)
    for files, targets, names in (
        (imported.file, imported.target, imported.name),
        (columns.bind_file[alone], columns.bind_target[alone], np.full(len(alone), -1)),
    ):
        missing = ~_holds(told, files * columns.size + targets)
        source.append(files[missing])
        target.append(targets[missing])
        name.append(names[missing])
        role.append(np.full(int(missing.sum()), int(Role.IMPORT)))
        count.append(np.ones(int(missing.sum()), np.int64))
        evidence.append(np.full(int(missing.sum()), int(Evidence.IMPORTED)))
    return _summed(columns, *(np.concatenate(each) for each in (source, target, name, role, count, evidence)))


def _alone(columns: _Columns) -> Ints:
    """Return the rows of imports of one file: they link the files whatever is used of it."""
    return np.flatnonzero(columns.bind_is_single & columns.bind_is_linked)


def _summed(
    columns: _Columns, source: Ints, target: Ints, name: Ints, role: Ints, count: Ints, evidence: Ints
) -> Links:
    width = columns.width
    across = source != target
    source, target, name, role, count, evidence = (
        each[across] for each in (source, target, name, role, count, evidence)
    )
    first = source * columns.size + target
    second = (name + 1) * _ROLES + role
    order = np.lexsort((second, first))
    if not len(order):
        return Links(*(np.empty(0, np.int64) for _ in Links._fields))
    first, second = first[order], second[order]
    begins = np.flatnonzero(np.concatenate(([True], (first[1:] != first[:-1]) | (second[1:] != second[:-1]))))
    assert width > 0
    return Links(
        source=first[begins] // columns.size,
        target=first[begins] % columns.size,
        name=second[begins] // _ROLES - 1,
        role=second[begins] % _ROLES,
        uses=np.add.reduceat(count[order], begins),
        evidence=np.maximum.reduceat(evidence[order], begins),
    )


def _unique(values: Ints) -> Ints:
    """Return the distinct values in order. (`numpy.unique` hashes, which takes several times as long on these.)"""
    ordered = np.sort(values)
    fresh = np.ones(len(ordered), np.bool_)
    fresh[1:] = ordered[1:] != ordered[:-1]
    return ordered[fresh]


def _unique_inverse(values: Ints) -> Ints:
    """Return for each value its place among the distinct ones."""
    order = np.argsort(values)
    ordered = values[order]
    fresh = np.zeros(len(ordered), np.int64)
    fresh[1:] = ordered[1:] != ordered[:-1]
    places = np.empty(len(ordered), np.int64)
    places[order] = np.cumsum(fresh)
    return places


def _place(ordered: Ints, wanted: int) -> int:
    """Return the place of a value among ascending ones; -1 where it is not there."""
    place = int(np.searchsorted(ordered, wanted))
    return place if place < len(ordered) and ordered[place] == wanted else -1


def _places(ordered: Ints, wanted: Ints) -> Ints:
    """Return the same of many values."""
    if not len(ordered):
        return np.full(len(wanted), -1)
    place = np.minimum(np.searchsorted(ordered, wanted), len(ordered) - 1)
    return np.where(ordered[place] == wanted, place, -1)


def _distinct(*columns: Ints) -> tuple[Ints, ...]:
    """Return the distinct rows of columns, in order."""
    if not len(columns[0]):
        return columns
    order = np.lexsort(columns[::-1])
    ordered = [column[order] for column in columns]
    fresh = np.zeros(len(order), np.bool_)
    fresh[0] = True
    for column in ordered:
        fresh[1:] |= column[1:] != column[:-1]
    return tuple(column[fresh] for column in ordered)
