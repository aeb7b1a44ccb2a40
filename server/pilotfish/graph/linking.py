"""References bound to the files that define what they name.

Each is bound by the strongest evidence that there is, in this order: a name that the file imports, through modules that
merely hand it on; its own file (then it is no link); whatever the imported files define or hand on; the file's own
package; and last, names that few files define. The steps are joins of whole columns.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from pilotfish.graph.builtin_names import BUILTIN_NAMES
from pilotfish.graph.columns import Columns
from pilotfish.graph.joins import distinct, holds, places, unique, unique_inverse
from pilotfish.graph.nodes import Trait
from pilotfish.syntax.outline import Role

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]


FEW_DEFINERS: Final = 3
"""A name that nothing but its spelling binds is linked to its definers where there are at most so many."""

HANDED_ON: Final = 4
"""Through so many modules a name is followed that each import it to hand it on."""

COMMON: Final = 8
"""Names that more files define are looked for from the imports, others from the references: whichever is fewer."""

_RARE: Final = 2
"""A member that at most so many files define is found by its name in all of them, not only in the nearest."""

_ROLES: Final = 8
"""More than there are roles."""

INCLUDED_BY_INCLUDED: Final = 2
"""So deep are the contents of a file visible that includes what includes it."""


class Evidence(enum.IntEnum):
    """Why a reference is linked to a file; higher is stronger."""

    NAME = 0
    PACKAGE = 1
    OPENED = 2
    IMPORTED = 3


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


class Linking:
    """References bound step by step, each by its strongest evidence. Where only some files are linked, what the others
    import and inherit comes in between the first steps and the last."""

    def __init__(self, columns: Columns) -> None:
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


class _Trails:
    """Names on their way through modules that hand them on."""

    def __init__(self, columns: Columns) -> None:
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
        is_used = holds(used, file * self._width + self._alias[handed])
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
            file, term, wanted, target, by_name = distinct(file, term, wanted, target, by_name)
        all_found = [np.concatenate(each) for each in zip(*found, strict=True)]
        all_ends = [np.concatenate(each) for each in zip(*ends, strict=True)]
        known = unique(all_found[0] * self._width + all_found[1])
        is_lost = ~holds(known, all_ends[0] * self._width + all_ends[1])
        imported = _Imported(
            *distinct(*(np.concatenate((one, end[is_lost])) for one, end in zip(all_found, all_ends, strict=True)))
        )
        return imported, (np.concatenate([f for f, _ in opened]), np.concatenate([t for _, t in opened]))


def _explicit(columns: Columns, imported: _Imported, evidence: Evidence) -> _Bound:
    """Bind the references to imported names, under their own name or the importing file's."""
    terms, width = columns.terms, len(columns.terms) + 1
    own_term = np.full(len(imported.name), -1)
    is_known = imported.name >= 0
    own_term[is_known] = places(terms, columns.names[imported.name[is_known]])
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
    columns: Columns, imported: Sequence[_Imported], opened: Sequence[tuple[Ints, Ints]]
) -> tuple[Ints, Ints]:
    """Return, as sorted keys, the pairs of files of which one imports the other whole, or what that one hands on whole;
    and those of which one imports the other in any way."""
    size = columns.size
    is_whole = columns.bind_name == columns.whole
    hands_on = np.flatnonzero((columns.bind_alias == columns.whole) & is_whole)
    from_file, to_file = columns.bind_file[hands_on], columns.bind_target[hands_on]
    by_file = columns.joins.groups(from_file, size)
    links = columns.bind_file * size + columns.bind_target
    keys = unique(
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
        fresh = unique(fresh[rows] // size * size + to_file[nexts])
        fresh = fresh[~holds(keys, fresh)]
        if not len(fresh) or not columns.joins.fits(len(keys) + len(fresh)):
            break
        keys = np.sort(np.concatenate((keys, fresh)))
    named = (each.file * size + each.target for each in imported)
    return keys, unique(np.concatenate((keys, links[columns.bind_is_linked], *named)))


def _bases(columns: Columns, bound: Sequence[_Bound]) -> Ints:
    """Return the pairs of a file and another one that holds a base of a type in the first, as sorted keys."""
    inherits = [(columns.ref_role[each.row] == Role.INHERIT, each) for each in bound]
    return unique(
        np.concatenate([columns.ref_file[each.row[rows]] * columns.size + each.target[rows] for rows, each in inherits])
    )


def _inherited(columns: Columns, openings: Ints, bases: Ints) -> Ints:
    """Return the pairs of a file and another one that holds a base of a type in a file which the first imports, as
    sorted keys without the openings."""
    size = columns.size
    file, base = bases // size, bases % size
    by_file = columns.joins.groups(file, size)
    fresh, keys = openings, openings
    for _ in range(HANDED_ON):
        rows, bases = by_file.pairs(fresh % size)
        fresh = unique(fresh[rows] // size * size + base[bases])
        fresh = fresh[~holds(keys, fresh)]
        if not len(fresh) or not columns.joins.fits(len(keys) + len(fresh)):
            break
        keys = np.sort(np.concatenate((keys, fresh)))
    return keys[~holds(openings, keys)]


class _Definers:
    """The definitions that other files can name, by name and language family."""

    def __init__(self, columns: Columns) -> None:
        visible = np.flatnonzero((columns.def_traits & Trait.LOCAL) == 0)
        self.file, self.name = columns.def_file[visible], columns.def_name[visible]
        self.is_private = (columns.def_traits[visible] & Trait.PRIVATE) != 0
        self.is_member = (columns.def_traits[visible] & Trait.FREE) == 0
        self._is_packaged = (columns.def_traits[visible] & Trait.PACKAGE) != 0
        self._family = unique_inverse(columns.family)
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

    def candidates(self, columns: Columns, rows: Ints, most: int) -> tuple[Ints, Ints]:
        """Return references and definitions that they can name, of a name which at most `most` files define."""
        number = self.count(columns.ref_name[rows], columns.ref_file[rows])
        rows = rows[(number > 0) & (number <= most)]
        which, definitions = self._groups.pairs(self.keys(columns.ref_name[rows], columns.ref_file[rows]))
        return self.visible(columns, rows[which], definitions)

    def visible(self, columns: Columns, rows: Ints, definitions: Ints) -> tuple[Ints, Ints]:
        """Return those pairs of references and definitions of which the one can name the other."""
        package = columns.package
        is_seen = ~self._is_packaged[definitions]
        is_seen |= package[columns.ref_file[rows]] == package[self.file[definitions]]
        return rows[is_seen], definitions[is_seen]


_Step = Callable[[Columns, "Ints"], _Bound]


def _opened(definers: _Definers, openings: Ints, whole: Ints | None) -> _Step:
    """Bind what files define that stand in the pairs `openings`. Where names must be imported, those are members, or
    the pair is in `whole`."""

    def step(columns: Columns, free: Ints) -> _Bound:
        size = columns.size
        rows, definitions = definers.candidates(columns, free, COMMON)
        is_open = holds(openings, columns.ref_file[rows] * size + definers.file[definitions])
        rows, definitions = rows[is_open], definitions[is_open]
        is_used = np.zeros(columns.width, np.bool_)
        is_used[columns.ref_name] = True
        common = np.flatnonzero((definers.number > COMMON) & is_used[definers.name])
        pairs, theirs = columns.joins.groups(definers.file[common], size).pairs(openings % size)
        theirs = common[theirs]
        file = openings[pairs] // size
        references = free[definers.count(columns.ref_name[free], columns.ref_file[free]) > COMMON]
        used = definers.keys(columns.ref_name[references], columns.ref_file[references])
        by_use = columns.joins.sorted(used * size + columns.ref_file[references])
        which, more = by_use.pairs(definers.keys(definers.name[theirs], file) * size + file)
        seen, definition = definers.visible(columns, references[more], theirs[which])
        rows, definitions = np.concatenate((rows, seen)), np.concatenate((definitions, definition))
        is_meant = ~columns.is_module[columns.ref_file[rows]] | definers.is_member[definitions]
        if whole is not None:
            is_meant |= holds(whole, columns.ref_file[rows] * size + definers.file[definitions])
        return _bound(columns, definers, rows[is_meant], definitions[is_meant], Evidence.OPENED)

    return step


def _near(definers: _Definers, openings: Ints) -> _Step:
    """Bind members that modules call of what imported files import, where one such file has the name, or no more than
    two files have it at all. Measured against compilers, most of these are right; of names that are spelled alike
    elsewhere, hardly any."""

    def step(columns: Columns, free: Ints) -> _Bound:
        size = columns.size
        is_call = columns.is_module[columns.ref_file[free]] & (columns.ref_role[free] == Role.CALL)
        free = free[is_call & ~_is_builtin(columns, free)]
        rows, definitions = definers.candidates(columns, free, COMMON)
        is_member = definers.is_member[definitions]
        rows, definitions = rows[is_member], definitions[is_member]
        is_rare = np.bincount(rows, minlength=len(columns.ref_file))[rows] <= _RARE
        pair = columns.ref_file[rows] * size + definers.file[definitions]
        is_near = _two_steps(columns, openings, pair)
        is_only = np.bincount(rows[is_near], minlength=len(columns.ref_file))[rows] == 1
        keep = is_near & (is_only | is_rare)
        return _bound(columns, definers, rows[keep], definitions[keep], Evidence.NAME)

    return step


def _is_builtin(columns: Columns, rows: Ints) -> NDArray[np.bool_]:
    """Whether references have names that types and functions of their language itself have."""
    found = np.zeros(len(rows), np.bool_)
    for family, names in BUILTIN_NAMES.items():
        known = np.sort(columns.known(np.fromiter(map(hash, names), np.int64, len(names))))
        is_theirs = columns.family[columns.ref_file[rows]] == hash(family)
        found |= is_theirs & holds(known, columns.ref_name[rows])
    return found


def _two_steps(columns: Columns, links: Ints, wanted: Ints) -> NDArray[np.bool_]:
    """Whether two of the links lead from the file to the target of each wanted key."""
    size = columns.size
    each, which = unique(wanted), unique_inverse(wanted)
    pair, link = columns.joins.groups(links // size, size).pairs(each // size)
    is_there = holds(links, links[link] % size * size + each[pair] % size)
    near = np.zeros(len(each), np.bool_)
    near[pair[is_there]] = True
    return near[which]


def _packaged(definers: _Definers) -> _Step:
    """Bind what the other files of the package define."""

    def step(columns: Columns, free: Ints) -> _Bound:
        package = unique_inverse(columns.package)
        width = int(package.max(initial=0)) + 1
        mine = np.flatnonzero(columns.package[definers.file] != 0)
        rows = free[columns.package[columns.ref_file[free]] != 0]
        by_package = columns.joins.sorted(definers.name[mine] * width + package[definers.file[mine]])
        which, theirs = by_package.pairs(columns.ref_name[rows] * width + package[columns.ref_file[rows]])
        return _bound(columns, definers, rows[which], mine[theirs], Evidence.PACKAGE)

    return step


def _spelled(definers: _Definers) -> _Step:
    """Bind names that few files define, where a language has no need to import them."""

    def step(columns: Columns, free: Ints) -> _Bound:
        is_script = ~columns.is_module[columns.ref_file[free]]
        rows, definitions = definers.candidates(columns, free[is_script], FEW_DEFINERS)
        is_public = ~definers.is_private[definitions]
        return _bound(columns, definers, rows[is_public], definitions[is_public], Evidence.NAME)

    return step


def _bound(columns: Columns, definers: _Definers, rows: Ints, definitions: Ints, evidence: Evidence) -> _Bound:
    return _Bound(rows, definers.file[definitions], columns.ref_name[rows], evidence)


def _gathered(columns: Columns, bound: Sequence[_Bound], imported: _Imported) -> Links:
    """Sum the bound references by file, name and role, together with the imports themselves."""
    source = [columns.ref_file[each.row] for each in bound]
    role = [columns.ref_role[each.row] for each in bound]
    count = [columns.ref_count[each.row] for each in bound]
    target, name = [each.target for each in bound], [each.name for each in bound]
    evidence = [np.full(len(each.row), each.evidence) for each in bound]
    explicit = bound[0]
    told = unique(columns.ref_file[explicit.row] * columns.size + explicit.target)
    alone = _alone(columns)
    for files, targets, names in (
        (imported.file, imported.target, imported.name),
        (columns.bind_file[alone], columns.bind_target[alone], np.full(len(alone), -1)),
    ):
        missing = ~holds(told, files * columns.size + targets)
        source.append(files[missing])
        target.append(targets[missing])
        name.append(names[missing])
        role.append(np.full(int(missing.sum()), int(Role.IMPORT)))
        count.append(np.ones(int(missing.sum()), np.int64))
        evidence.append(np.full(int(missing.sum()), int(Evidence.IMPORTED)))
    return _summed(columns, *(np.concatenate(each) for each in (source, target, name, role, count, evidence)))


def _alone(columns: Columns) -> Ints:
    """Return the rows of imports of one file: they link the files whatever is used of it."""
    return np.flatnonzero(columns.bind_is_single & columns.bind_is_linked)


def _summed(columns: Columns, source: Ints, target: Ints, name: Ints, role: Ints, count: Ints, evidence: Ints) -> Links:
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
