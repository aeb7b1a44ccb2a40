"""What the graph of files makes likely, where a text does not say what a reference means.

Which files a name may lead to is what the graph has bound (`graph.linking`); which definition there, what navigation
would choose (`graph.links`), without those that the call as it is written cannot mean (`graph.access`).
"""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Collection, Container, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from pilotfish.engine.certainty import Judge
from pilotfish.engine.outlined import File, Node, Reference, holds
from pilotfish.graph.access import CALLED_MEMBERS, Access, Meaning, Through, access_at, can_mean, is_named_after
from pilotfish.graph.links import Nearness, Use, best, is_test
from pilotfish.syntax.facts import related_languages
from pilotfish.syntax.outline import BODIES, TYPES, Role, SymbolKind

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from pilotfish.engine.binding.files import Files

    Ints = NDArray[np.int64]

_DATA: Final = frozenset(
    {SymbolKind.VARIABLE, SymbolKind.CONSTANT, SymbolKind.FIELD, SymbolKind.PROPERTY, SymbolKind.KEY}
)

_IMPORTING: Final = frozenset({"go", "java"})
"""Languages in which a name that no import and no package explains is believed if at least its package is imported: an
index made by a compiler says that most others mean something outside."""

_FEW_MEMBERS: Final = 3
_MOST_NAMESAKES: Final = 20
"""Of so many members a call behind a dot may mean any, and in the files of so many definitions of its name it is looked
for, where the file defines something else of that name."""


class Evidence:
    """Answers for one view; the same question is answered once."""

    def __init__(self, files: Files) -> None:
        self._files = files
        self._view = files.view
        self._alike: dict[tuple[object, ...], list[Node]] = {}
        self._judges: dict[str, Judge] = {}
        self._links: dict[str, tuple[Ints, Ints, Ints, Ints]] = {}
        self._rows: dict[str, Ints] = {}

    # --- what a name may mean ----------------------------------------------------------------------------------------

    def found(self, file: File, reference: Reference) -> list[Node]:
        """Return the definitions that a reference may mean, the likeliest first; none where nothing in the repository
        seems to be meant."""
        access = access_at(file.source, reference.offset, file.text.language)
        # What is written alike in the same definition means the same.
        alike = (file.text.address, reference.name, reference.role, access, file.around(reference.offset))
        if alike not in self._alike:
            found = [] if access.through is Through.BASE else self._found(file, reference, access)
            self._alike[alike] = [] if found and self._is_foreign(file, reference, access) else found
        return self._alike[alike]

    def _is_foreign(self, file: File, reference: Reference, access: Access) -> bool:
        """Whether the object before a dot certainly has none of the members of that name, as `find_usages` tells."""
        if access.through is not Through.NAME or reference.role is not Role.CALL or not file.text.text:
            return False
        judge = self._judges.get(reference.name)
        if judge is None:
            named = self._view.definitions(reference.name)
            judge = self._judges[reference.name] = Judge(self._view, reference.name, named, named, lambda: ())
        return judge.is_made_elsewhere(file.text, reference.offset, access.qualifier)

    def _found(self, file: File, reference: Reference, access: Access) -> list[Node]:
        here = [Node(file.text.address, ordinal) for ordinal in file.by_name.get(reference.name, ())]
        found = self._chosen(file, reference, access, here, is_certain=True)
        if found:
            return self._named_after(file, reference, access, found) or found
        # Beyond the file it does not matter where in it something is written.
        alike = (file.text.address, reference.name, reference.role, access)
        if alike not in self._alike:
            elsewhere, is_certain = self._elsewhere(file, reference)
            if not elsewhere and access.through is Through.NAME and reference.name in file.by_name:
                elsewhere = self._of_other_objects(file, reference.name)
            self._alike[alike] = self._chosen(file, reference, access, elsewhere, is_certain=is_certain)
        return self._alike[alike]

    def _of_other_objects(self, file: File, name: str) -> list[Node]:
        """Return the members that a call behind a dot may mean where the file defines something else of that name: the
        graph of files has bound the name to the file itself then."""
        address = file.text.address
        found = [
            Node(each.path, each.ordinal)
            for each in self._view.definitions(name, related_languages(file.text.language))
            if each.path is not None and each.path != address and each.kind in CALLED_MEMBERS
        ]
        return found if len(found) <= _FEW_MEMBERS else []

    def _named_after(self, file: File, reference: Reference, access: Access, here: Sequence[Node]) -> list[Node]:
        """Return what a call means in a type of another file that its object is called by, where none in this file is:
        `definitions.edited()` means that of `Definitions`."""
        containers = [file.containers[each.ordinal].rpartition(".")[2] for each in here]
        if access.through is not Through.NAME or any(is_named_after(access.qualifier, each) for each in containers):
            return []
        _, _, target, _ = self._links_from(file.text.address)
        linked = {self._view.graph.paths[each] for each in target.tolist()}
        return [
            Node(each.address, each.ordinal)
            for each in self._view.definitions(reference.name, related_languages(file.text.language))
            if each.path in linked and is_named_after(access.qualifier, each.container.rpartition(".")[2])
        ]

    def _elsewhere(self, file: File, reference: Reference) -> tuple[list[Node], bool]:
        """Return the definitions in those files that the graph has bound the name to by its strongest evidence, and
        whether that is more than the spelling."""
        found = []
        originals = file.originals.get(reference.name, set())
        names = sorted({reference.name, *originals} - {"default"})
        paths, is_certain = self._targets(file, names, reference.role, is_default="default" in originals)
        for path in paths:
            target = self._files.file(path)
            if target is not None:
                found += [Node(path, each) for name in names for each in target.by_name.get(name, ())]
        return found, is_certain

    def _targets(self, file: File, names: Sequence[str], role: Role, *, is_default: bool) -> tuple[list[str], bool]:
        import numpy as np

        from pilotfish.graph.linking import Evidence

        graph = self._view.graph
        wanted = [index for name in names for index in graph.name_indices(name)] + [-1] * is_default
        if not wanted:
            return [], False
        name, roles, target, evidence = self._links_from(file.text.address)
        is_meant = np.zeros(len(name), np.bool_)
        for index in wanted:
            is_meant |= name == index
        rows = np.flatnonzero(is_meant & (roles == int(role)))
        if not len(rows):
            return [], False
        strongest = int(evidence[rows].max())
        targets = [graph.paths[each] for each in dict.fromkeys(target[rows[evidence[rows] == strongest]].tolist())]
        if strongest == Evidence.NAME and file.text.language in _IMPORTING:
            imported = {posixpath.dirname(graph.paths[each]) for each in target[evidence > Evidence.NAME].tolist()}
            targets = [each for each in targets if posixpath.dirname(each) in imported]
        return targets, strongest > Evidence.NAME

    def _links_from(self, path: str) -> tuple[Ints, Ints, Ints, Ints]:
        """Return name, role, target and evidence of the links from a file."""
        import numpy as np

        if path not in self._links:
            graph = self._view.graph
            source = graph.index.get(path, -1)
            first, last = np.searchsorted(graph.links.source, (source, source + 1)).tolist()
            links = graph.links
            columns = (links.name, links.role, links.target, links.evidence)
            name, role, target, evidence = (column[first:last] for column in columns)
            self._links[path] = name, role, target, evidence
        return self._links[path]

    # --- which of several ---------------------------------------------------------------------------------------------

    def _chosen(
        self, file: File, reference: Reference, access: Access, nodes: Iterable[Node], *, is_certain: bool
    ) -> list[Node]:
        """Return those of some definitions that a reference can mean, as navigation puts them in order; what is certain
        and alone needs no comparison."""
        nodes = [node for node in nodes if self._can_mean(file, reference, access, node)]
        if len(nodes) < 2 and is_certain:
            return nodes
        candidates = [definition for node in nodes if (definition := self._files.definition(node)) is not None]
        if len(candidates) > 1 and any(each.kind not in _DATA for each in candidates):
            candidates = [each for each in candidates if each.kind not in _DATA]
        if not candidates:
            return []
        address, language = file.text.address, file.text.language
        use = Use(reference.name, address, language, reference.offset, access.qualifier)
        ranked = best(use, file.text.outline, candidates)
        named = [each for each in ranked if each.container.rpartition(".")[2] == access.qualifier]
        ranked = named if access.qualifier and named else ranked
        if access.through is Through.NOTHING and ranked and ranked[0].address == address:
            # What is defined in the same scope as the best hides what is further out.
            parent = file.symbols[ranked[0].ordinal].parent
            ranked = [each for each in ranked if file.symbols[each.ordinal].parent == parent]
        return overloads_as_one(self._files, [Node(each.address, each.ordinal) for each in ranked], file, reference)

    def _can_mean(self, file: File, reference: Reference, access: Access, node: Node) -> bool:
        target = self._files.file(node.path)
        if target is None or target.text.language not in related_languages(file.text.language):
            return False
        symbol = target.symbols[node.ordinal]
        is_here = node.path == file.text.address
        if symbol.name_start == reference.offset and is_here:
            return False
        if is_test(node.path) and not is_test(file.text.address):
            return False  # what tests define for themselves
        body = target.above(symbol.parent, BODIES)
        if body >= 0 and not (is_here and holds(target.symbols[body], reference.offset)):
            return False  # a local of another function
        if reference.role is not Role.CALL:
            return True
        if symbol.kind in CALLED_MEMBERS and access.through is Through.NAME and access.qualifier in file.modules:
            return False
        container = target.containers[node.ordinal].rpartition(".")[2]
        is_around = is_here and symbol.kind in BODIES and holds(symbol, reference.offset)
        return can_mean(reference.name, file.text.language, access, Meaning(symbol.kind, container, is_here, is_around))

    # --- where a definition may be meant -----------------------------------------------------------------------------

    def naming(self, node: Node, wanted: Collection[Node], roles: Sequence[Role]) -> Iterator[tuple[str, Reference]]:
        """Yield the stored references, with their files, that have the name of some definitions in the file of one, or
        are imported under another name of theirs: its own file first, then the nearest, tests last."""
        file = self._files.file(node.path)
        if file is None or node.ordinal < 0:
            return
        names = {file.symbols[each.ordinal].name for each in wanted}
        using = self.using(node.path, names)
        for path in [*using, *self._naming_another(node, names, using)]:
            source = self._files.file(path)
            if source is None:
                continue
            written = {alias for name in names for alias in source.aliases(name)}
            for group in source.text.outline.references:
                if group.name in written and group.role in roles:
                    for offset in group.offsets:
                        yield path, Reference(offset, group.name, group.role)

    def _naming_another(self, node: Node, names: Iterable[str], using: Container[str]) -> list[str]:
        """Return the files that define something else under the name of a member or type, and use that name."""
        file = self._files.file(node.path)
        if file is None or file.symbols[node.ordinal].kind not in CALLED_MEMBERS | TYPES:
            return []
        related = related_languages(file.text.language)
        return [
            path
            for name in sorted(names)
            for path in dict.fromkeys(each.path for each in self._view.definitions(name, related)[:_MOST_NAMESAKES])
            if path is not None and path not in using
        ]

    def using(self, path: str, names: Iterable[str]) -> list[str]:
        """Return the files that use some names of a file, as the graph has bound them: itself, then the nearest, tests
        last."""
        import numpy as np

        graph = self._view.graph
        target = graph.index.get(path)
        if target is None:
            return [path]
        rows = self._rows_to(path)
        wanted = [*(index for name in names for index in graph.name_indices(name)), -1]
        rows = rows[np.isin(graph.links.name[rows], wanted)]
        sources = {graph.paths[each] for each in graph.links.source[rows].tolist()}
        nearness = Nearness([path])
        return [
            path,
            *sorted(sources - {path}, key=lambda each: (is_test(each), -nearness.of(each), each)),
        ]

    def _rows_to(self, path: str) -> Ints:
        import numpy as np

        if path not in self._rows:
            graph = self._view.graph
            self._rows[path] = np.flatnonzero(graph.links.target == graph.index[path])
        return self._rows[path]


def overloads_as_one(
    files: Files, nodes: Sequence[Node], file: File | None = None, reference: Reference | None = None
) -> list[Node]:
    """Take one of those that a file defines under the same qualified name: one with a body, if there is one, and none
    in which the reference stands, where that is given."""
    groups: dict[tuple[str, str], list[Node]] = defaultdict(list)
    for node in nodes:
        target = files.file(node.path)
        groups[node.path, "" if target is None else target.qualified_name(node.ordinal)].append(node)

    def order(node: Node) -> tuple[bool, bool]:
        target = files.file(node.path)
        symbol = None if target is None else target.symbols[node.ordinal]
        is_around = target is file and symbol is not None and reference is not None and holds(symbol, reference.offset)
        return is_around, symbol is None or symbol.body < 0

    return [min(group, key=order) for group in groups.values()]
