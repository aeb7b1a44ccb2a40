"""Calls and other references bound to definitions, one by one: what tracing and explaining share.

Which files a name may lead to is what the graph of files has bound (`graph.linking`); which definition there, what
navigation would choose (`graph.links`), without those that the call as it is written cannot mean (`graph.access`).
"""

from __future__ import annotations

import posixpath
import re
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Final

from pilotfish.engine.certainty import Judge
from pilotfish.engine.outlined import HEIRS, File, Node, Reference, holds
from pilotfish.engine.passages import Sources
from pilotfish.engine.view import Definition, View, definition_in
from pilotfish.graph.access import CALLED_MEMBERS, Access, Meaning, Through, access_at, can_mean, is_named_after
from pilotfish.graph.calls import Call
from pilotfish.graph.links import Nearness, Use, best, is_test
from pilotfish.syntax.facts import related_languages
from pilotfish.syntax.outline import BODIES, TYPES, Role, SymbolKind

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]

_DATA: Final = frozenset(
    {SymbolKind.VARIABLE, SymbolKind.CONSTANT, SymbolKind.FIELD, SymbolKind.PROPERTY, SymbolKind.KEY}
)
_CONSTRUCTORS: Final = frozenset({"__init__", "constructor", "initialize"})

_IMPORTING: Final = frozenset({"go", "java"})
"""Languages in which a name that no import and no package explains is believed if at least its package is imported: an
index made by a compiler says that most others mean something outside."""

_FEW_MEMBERS: Final = 3
_MOST_NAMESAKES: Final = 20
"""Of so many members a call behind a dot may mean any, and in the files of so many definitions of its name it is looked
for, where the file defines something else of that name."""

_BASES_DEEP: Final = 8
"""So far up bases of bases are looked at."""

_IMPLEMENTED_FOR: Final = re.compile(
    rb"[^;{}]*?\bfor\s+(?!<)(?:&\s*(?:'\w+\s*)?)?(?:mut\s+|dyn\s+)?(?:\w+\s*::\s*)*(\w+)"
)
"""From a trait in the head of a Rust `impl` to the type that it is implemented for."""

_LONGEST_HEAD: Final = 500


class Binder:
    """Binds references within one view. Each file is read once; the same question is answered once."""

    def __init__(self, view: View, sources: Sources) -> None:
        self.view = view
        self._sources = sources
        self._files: dict[str, File | None] = {}
        self._meanings: dict[tuple[str, Reference], list[Node]] = {}
        self._alike: dict[tuple[object, ...], list[Node]] = {}
        self._bases: dict[Node, list[Node]] = {}
        self._judges: dict[str, Judge] = {}
        self._links: dict[str, tuple[Ints, Ints, Ints, Ints]] = {}
        self._rows: dict[str, Ints] = {}

    def file(self, path: str) -> File | None:
        """Return a file; None where it has no outline."""
        if path not in self._files:
            text = self.view.file(path)
            if text is not None:
                self._files[path] = File(text, self._sources.text(path))
            else:  # an open document that has no place in the root
                own = self.view.document(path)
                self._files[path] = None if own is None else File(own, own.text)
        return self._files[path]

    def definition(self, node: Node) -> Definition | None:
        """Return a node as a definition; None for a file."""
        file = self.file(node.path)
        if file is None or node.ordinal < 0:
            return None
        return definition_in(file.text, node.ordinal, file.symbols[node.ordinal], file.containers[node.ordinal])

    # --- what a name means -------------------------------------------------------------------------------------------

    def meanings(self, path: str, reference: Reference) -> list[Node]:
        """Return the definitions that a reference may mean, the likeliest first; none where nothing in the repository
        is meant, as far as can be told."""
        key = (path, reference)
        if key not in self._meanings:
            file = self.file(path)
            self._meanings[key] = [] if file is None else self._bound(file, reference)
        return self._meanings[key]

    def _bound(self, file: File, reference: Reference) -> list[Node]:
        access = access_at(file.source, reference.offset, file.text.language)
        # What is written alike in the same definition means the same.
        alike = (file.text.address, reference.name, reference.role, access, file.around(reference.offset))
        if alike not in self._alike:
            found = self._found(file, reference, access)
            self._alike[alike] = [] if found and self._is_foreign(file, reference, access) else found
        return self._alike[alike]

    def _is_foreign(self, file: File, reference: Reference, access: Access) -> bool:
        """Whether the object before a dot certainly has none of the members of that name, as `find_usages` tells."""
        if access.through is not Through.NAME or reference.role is not Role.CALL or not file.text.text:
            return False
        judge = self._judges.get(reference.name)
        if judge is None:
            named = self.view.definitions(reference.name)
            judge = self._judges[reference.name] = Judge(self.view, reference.name, named, named, lambda: ())
        return judge.is_made_elsewhere(file.text, reference.offset, access.qualifier)

    def _found(self, file: File, reference: Reference, access: Access) -> list[Node]:
        if access.through in (Through.SELF, Through.BASE):
            found = self._members(file, reference, access)
            if found or access.through is Through.BASE:
                return found
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
            for each in self.view.definitions(name, related_languages(file.text.language))
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
        linked = {self.view.graph.paths[each] for each in target.tolist()}
        return [
            Node(each.address, each.ordinal)
            for each in self.view.definitions(reference.name, related_languages(file.text.language))
            if each.path in linked and is_named_after(access.qualifier, each.container.rpartition(".")[2])
        ]

    def _members(self, file: File, reference: Reference, access: Access) -> list[Node]:
        """Find a member of the type around a place, or of what it inherits."""
        around = file.around(reference.offset)
        kind = -1 if around < 0 else file.above(around, TYPES)
        kind = file.type_of(around) if around >= 0 and kind < 0 else kind
        if kind < 0:
            return []
        start = Node(file.text.address, kind)
        own = [] if access.through is Through.BASE else self.members_named(start, reference.name)
        return own or self.inherited(start, reference.name)

    def members_named(self, node: Node, name: str) -> list[Node]:
        """Return the members of a type that have a name."""
        file = self.file(node.path)
        if file is None or name not in file.by_name:
            return []
        named = {*file.by_name.get(name)}
        return [Node(node.path, each) for each in file.members(node.ordinal) if each in named]

    def inherited(self, node: Node, name: str) -> list[Node]:
        """Return the members of the nearest bases of a type that have a name."""
        seen, front = {node}, [node]
        for _ in range(_BASES_DEEP):
            front = [base for each in front for base in self.bases(each) if base not in seen]
            seen.update(front)
            found = [member for each in front for member in self.members_named(each, name)]
            if found:
                return found
        return []

    def bases(self, node: Node) -> list[Node]:
        """Return the types that a type says it inherits, in the order of its text."""
        if node not in self._bases:
            self._bases[node] = []  # a type may name itself
            file = self.file(node.path)
            if file is not None and node.ordinal >= 0:
                symbol = file.symbols[node.ordinal]
                said = [
                    each
                    for each in file.within(symbol.start, symbol.end)
                    if each.role is Role.INHERIT and file.above(file.around(each.offset), HEIRS) == node.ordinal
                ]
                found = dict.fromkeys(each for reference in said for each in self.meanings(node.path, reference)[:1])
                if file.text.language == "rust":
                    found |= dict.fromkeys(self._implemented_by(node, symbol.name))
                self._bases[node] = [each for each in found if each != node]
        return self._bases[node]

    def _implemented_by(self, node: Node, name: str) -> Iterator[Node]:
        """Yield the traits that Rust's `impl` blocks implement for a type, those of its own file first."""
        for path in self.using(node.path, [name]):
            file = self.file(path)
            for each in () if file is None else file.references:
                if each.role is Role.INHERIT and self.heir_at(path, each) == node:
                    yield from self.meanings(path, each)[:1]

    def heir_at(self, path: str, reference: Reference) -> Node | None:
        """Return the type that inherits by a stored reference; None where it is not defined here."""
        file = self.file(path)
        if file is None:
            return None
        ordinal = file.above(file.around(reference.offset), HEIRS)
        if ordinal >= 0 or file.text.language != "rust":
            return Node(path, ordinal) if ordinal >= 0 else None
        head = _IMPLEMENTED_FOR.match(file.source, reference.offset, reference.offset + _LONGEST_HEAD)
        if head is None:
            return None
        named = Reference(head.start(1), head.group(1).decode("utf-8", "replace"), Role.TYPE)
        return next(iter(self.meanings(path, named)), None)

    def _elsewhere(self, file: File, reference: Reference) -> tuple[list[Node], bool]:
        """Return the definitions in those files that the graph has bound the name to by its strongest evidence, and
        whether that is more than the spelling."""
        found = []
        originals = file.originals.get(reference.name, set())
        names = sorted({reference.name, *originals} - {"default"})
        paths, is_certain = self._targets(file, names, reference.role, is_default="default" in originals)
        for path in paths:
            target = self.file(path)
            if target is not None:
                found += [Node(path, each) for name in names for each in target.by_name.get(name, ())]
        return found, is_certain

    def _targets(self, file: File, names: Sequence[str], role: Role, *, is_default: bool) -> tuple[list[str], bool]:
        import numpy as np

        from pilotfish.graph.linking import Evidence

        graph = self.view.graph
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
            graph = self.view.graph
            source = graph.index.get(path, -1)
            first, last = np.searchsorted(graph.links.source, (source, source + 1)).tolist()
            links = graph.links
            columns = (links.name, links.role, links.target, links.evidence)
            name, role, target, evidence = (column[first:last] for column in columns)
            self._links[path] = name, role, target, evidence
        return self._links[path]

    def _chosen(
        self, file: File, reference: Reference, access: Access, nodes: Iterable[Node], *, is_certain: bool
    ) -> list[Node]:
        """Return those of some definitions that a reference can mean, as navigation puts them in order; what is certain
        and alone needs no comparison."""
        nodes = [node for node in nodes if self._can_mean(file, reference, access, node)]
        if len(nodes) < 2 and is_certain:
            return nodes
        candidates = [definition for node in nodes if (definition := self.definition(node)) is not None]
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
        return self._overloads_as_one(file, reference, ranked)

    def _overloads_as_one(self, file: File, reference: Reference, ranked: Sequence[Definition]) -> list[Node]:
        """Take one of those that a file defines under the same qualified name: none in which the call stands, and one
        with a body, if there are such."""
        groups: dict[tuple[str, str], list[Node]] = defaultdict(list)
        for each in ranked:
            groups[each.address, each.container].append(Node(each.address, each.ordinal))

        def order(node: Node) -> tuple[bool, bool]:
            target = self.file(node.path)
            symbol = None if target is None else target.symbols[node.ordinal]
            is_around = target is file and symbol is not None and holds(symbol, reference.offset)
            return is_around, symbol is None or symbol.body < 0

        return [min(group, key=order) for group in groups.values()]

    def _can_mean(self, file: File, reference: Reference, access: Access, node: Node) -> bool:
        target = self.file(node.path)
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

    # --- calls -------------------------------------------------------------------------------------------------------

    def calls_from(self, node: Node) -> list[Call[Node]]:
        """Return what a definition calls, in the order of its text. A type calls what its constructor does."""
        file = self.file(node.path)
        if file is None:
            return []
        found: dict[Node, Call[Node]] = {}
        for each in self._implementations(file, node):
            found[each] = Call(each, *self._place(each), role="implementation")
        for reference, meant in self.called(file, node):
            self._count(found, meant[0], node.path, file, reference, len(meant))
        return list(found.values())

    def calls_beyond(self, node: Node, way: Container[Node]) -> bool:
        """Whether a definition calls anything that is not on the `way` to it."""
        file = self.file(node.path)
        if file is None:
            return False
        called = (meant[0] for _, meant in self.called(file, node))
        return any(each not in way for each in chain(called, self._implementations(file, node)))

    def called(self, file: File, node: Node) -> Iterator[tuple[Reference, list[Node]]]:
        """Yield the calls that a definition makes, and what each may mean, where that is anything."""
        references = file.own(node.ordinal)
        if node.ordinal >= 0 and file.symbols[node.ordinal].kind in TYPES:
            for each in self.constructors(node):
                references += file.own(each.ordinal)
        for reference in references:
            if reference.role is Role.CALL and (meant := self.meanings(node.path, reference)):
                yield reference, meant

    def _implementations(self, file: File, node: Node) -> list[Node]:
        """Return the members that stand in for one without a body in the types that inherit directly."""
        if node.ordinal < 0 or not file.is_abstract(node.ordinal):
            return []
        kind = file.type_of(node.ordinal)
        if kind < 0:
            return []
        name = file.symbols[node.ordinal].name
        return [each for heir in self.heirs(Node(node.path, kind)) for each in self.members_named(heir, name)]

    def heirs(self, node: Node) -> list[Node]:
        """Return the types that say that they inherit a type, those of its own file first."""
        found: dict[Node, None] = {}
        for path, reference, _ in self.references_to(node, (Role.INHERIT,)):
            heir = self.heir_at(path, reference)
            if heir is not None and heir != node:
                found[heir] = None
        return list(found)

    def _place(self, node: Node) -> tuple[str, int]:
        file = self.file(node.path)
        return node.path, 0 if file is None else file.text.line_of(file.symbols[node.ordinal].name_start) + 1

    def calls_to(self, node: Node) -> list[Call[Node]]:
        """Return what calls a definition: what is in its own file first, then the nearest, tests last."""
        found: dict[Node, Call[Node]] = {}
        for path, reference, possible in self.references_to(node, (Role.CALL,)):
            file = self.file(path)
            if file is not None:
                self._count(found, Node(path, file.owner(reference.offset)), path, file, reference, possible)
        return list(found.values())

    def called_beyond(self, node: Node, way: Container[Node]) -> bool:
        """Whether anything calls a definition that is not on the `way` to it."""
        for path, reference, _ in self.references_to(node, (Role.CALL,)):
            file = self.file(path)
            if file is not None and Node(path, file.owner(reference.offset)) not in way:
                return True
        return False

    @staticmethod
    def _count(
        found: dict[Node, Call[Node]], node: Node, path: str, file: File, reference: Reference, possible: int
    ) -> None:
        known = found.get(node)
        if known is None:
            line = file.text.line_of(reference.offset) + 1
            found[node] = Call(node, path, line, 1, possible)
        else:
            found[node] = known._replace(number=known.number + 1, possible=min(known.possible, possible))

    def references_to(self, node: Node, roles: Sequence[Role]) -> Iterator[tuple[str, Reference, int]]:
        """Yield the stored references that may mean a definition, with their file and how many definitions each may
        mean: its own file first, then the nearest, tests last. Of a constructor those to its type are among them."""
        file = self.file(node.path)
        if file is None or node.ordinal < 0:
            return
        wanted = {node}
        kind = file.type_of(node.ordinal)
        if kind >= 0 and node in self.constructors(Node(node.path, kind)):
            wanted.add(Node(node.path, kind))
        names = {file.symbols[each.ordinal].name for each in wanted}
        using = self.using(node.path, names)
        for path in [*using, *self._naming_another(node, names, using)]:
            source = self.file(path)
            if source is None:
                continue
            written = {alias for name in names for alias in source.aliases(name)}
            for group in source.text.outline.references:
                if group.name in written and group.role in roles:
                    for offset in group.offsets:
                        reference = Reference(offset, group.name, group.role)
                        meant = self.meanings(path, reference)
                        if not wanted.isdisjoint(meant):
                            yield path, reference, len(meant)

    def _naming_another(self, node: Node, names: Iterable[str], using: Container[str]) -> list[str]:
        """Return the files that define something else under one of the names of a member, and use that name."""
        file = self.file(node.path)
        if file is None or file.symbols[node.ordinal].kind not in CALLED_MEMBERS:
            return []
        related = related_languages(file.text.language)
        return [
            path
            for name in sorted(names)
            for path in dict.fromkeys(each.path for each in self.view.definitions(name, related)[:_MOST_NAMESAKES])
            if path is not None and path not in using
        ]

    def using(self, path: str, names: Iterable[str]) -> list[str]:
        """Return the files that use some names of a file, as the graph has bound them: itself, then the nearest, tests
        last."""
        import numpy as np

        graph = self.view.graph
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
            graph = self.view.graph
            self._rows[path] = np.flatnonzero(graph.links.target == graph.index[path])
        return self._rows[path]

    def constructors(self, node: Node) -> list[Node]:
        """Return the members of a type that make one."""
        file = self.file(node.path)
        if file is None or node.ordinal < 0:
            return []
        name = file.symbols[node.ordinal].name
        return [
            Node(node.path, each)
            for each in file.members(node.ordinal)
            if file.symbols[each].kind is SymbolKind.CONSTRUCTOR
            or (file.symbols[each].kind in BODIES and file.symbols[each].name in {*_CONSTRUCTORS, name})
        ]
