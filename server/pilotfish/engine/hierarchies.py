"""Who inherits whom, who implements what and who calls whom, one step at a time, as editors show it.

All comes from the stored references (`inherit`, `call`) as `engine.binding` binds them. Go's types say nowhere which
interfaces they implement: those that have all of its methods do.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from pilotfish.engine.binding import Binder
from pilotfish.engine.navigation.places import definitions_at, place_at
from pilotfish.engine.outlined import HEIRS, File, Node
from pilotfish.operations.answer import Position, Span
from pilotfish.operations.editor import HierarchyCall, HierarchyItem, ItemParameters, Location, PlaceParameters
from pilotfish.syntax.facts import related_languages
from pilotfish.syntax.outline import BODIES, SymbolKind

if TYPE_CHECKING:
    from pilotfish.engine.outlined import Reference
    from pilotfish.engine.view import View

MOST_ITEMS: Final = 500
"""Heirs, implementations and callers in one answer at most, the nearest first; lists of these hold one more where there
are more."""

_MOST_MEANT: Final = 5
"""So many definitions of a name are offered where nothing tells which is meant."""

_CALLABLE: Final = BODIES | HEIRS
_START: Final = Position(0, 0, 0, 0)


class Hierarchies:
    """Answers for one view."""

    def __init__(self, view: View, binder: Binder) -> None:
        self._view = view
        self._binder = binder

    # --- which definitions are asked about ---------------------------------------------------------------------------

    def types_at(self, parameters: PlaceParameters) -> list[Node]:
        """Return the types that the name at a place may mean; of a constructor, the type that it makes."""
        found = dict.fromkeys(self._type_of(each) for each in self._meant(parameters))
        return [each for each in found if each is not None][:_MOST_MEANT]

    def callables_at(self, parameters: PlaceParameters) -> list[Node]:
        """Return the functions, methods and types that the name at a place may mean."""
        return [each for each in self._meant(parameters) if self._kind(each) in _CALLABLE][:_MOST_MEANT]

    def _meant(self, parameters: PlaceParameters) -> list[Node]:
        place = place_at(self._view, parameters)
        found = [] if place is None else definitions_at(self._view, place)
        return [Node(each.address, each.ordinal) for each in found]

    def node_of(self, parameters: ItemParameters) -> Node | None:
        """Return the definition that an item stands for, in the text as it is now; None where it is there no more."""
        text = self._view.document(parameters.uri)
        file = None if text is None else self._binder.file(text.address)
        if text is None or file is None:
            return None
        if not parameters.name:
            return Node(text.address, -1)
        offset = text.lines.offset(parameters.line, parameters.character, parameters.encoding)
        named = file.by_name.get(parameters.name, ())
        nearest = min(named, key=lambda each: abs(file.symbols[each].name_start - offset), default=None)
        return None if nearest is None else Node(text.address, nearest)

    def _type_of(self, node: Node) -> Node | None:
        kind, file = self._kind(node), self._binder.file(node.path)
        if kind in HEIRS or file is None:
            return node if kind in HEIRS else None
        inside = file.type_of(node.ordinal)
        around = Node(node.path, inside)
        return around if inside >= 0 and node in self._binder.kinship.constructors(around) else None

    def _kind(self, node: Node) -> SymbolKind | None:
        file = self._binder.file(node.path)
        return None if file is None or node.ordinal < 0 else file.symbols[node.ordinal].kind

    # --- types -------------------------------------------------------------------------------------------------------

    def supertypes(self, node: Node) -> list[Node]:
        """Return the types that a type inherits or implements, in the order of its text."""
        return self._binder.kinship.bases(node) or self._interfaces_met(node)

    def subtypes(self, node: Node) -> list[Node]:
        """Return the types that inherit or implement a type, those of its own file first."""
        return [*dict.fromkeys((*self._binder.kinship.heirs(node), *self._meeting(node)))][: MOST_ITEMS + 1]

    def _all_subtypes(self, node: Node) -> list[Node]:
        found: dict[Node, None] = {}
        front = [node]
        while front and len(found) <= MOST_ITEMS:
            fresh = dict.fromkeys(heir for each in front for heir in self.subtypes(each))
            front = [each for each in fresh if each not in found and each != node]
            found.update(dict.fromkeys(front))
        return [*found][: MOST_ITEMS + 1]

    def _meeting(self, node: Node) -> Iterator[Node]:
        """Yield the types that have all methods of an interface of Go."""
        file = self._binder.file(node.path)
        if file is None or file.text.language != "go" or self._kind(node) is not SymbolKind.INTERFACE:
            return
        wanted = self._methods(node)
        having = [self._types_with(name) for name in wanted]
        for each in min(having, key=len, default={}):
            if all(each in others for others in having) and each != node:
                yield each

    def _interfaces_met(self, node: Node) -> list[Node]:
        """Return the interfaces of Go of which a type has all methods, as far as these are in the repository."""
        file = self._binder.file(node.path)
        if file is None or file.text.language != "go" or self._kind(node) is SymbolKind.INTERFACE:
            return []
        own = self._methods(node)
        candidates = dict.fromkeys(
            each for name in own for each in self._types_with(name) if self._kind(each) is SymbolKind.INTERFACE
        )
        return [each for each in candidates if self._methods(each).keys() <= own.keys()]

    def _methods(self, node: Node) -> dict[str, Node]:
        """Return the methods of a type of Go by name, with those of the types that it embeds."""
        found: dict[str, Node] = {}
        for each in (node, *self._binder.kinship.bases(node)):
            file = self._binder.file(each.path)
            for ordinal in () if file is None else self._members_in_package(file, each):
                found.setdefault(self._name(ordinal), ordinal)
        return found

    def _members_in_package(self, file: File, node: Node) -> list[Node]:
        """Return the methods of a type of Go, which may stand in any file of its folder."""
        name, folder = file.qualified_name(node.ordinal), posixpath.dirname(node.path)
        found = [Node(node.path, each) for each in file.members(node.ordinal) if file.symbols[each].kind in BODIES]
        for path in self._binder.using(node.path, [name])[1:]:
            other = self._binder.file(path) if posixpath.dirname(path) == folder else None
            if other is not None:
                found += [
                    Node(path, ordinal)
                    for ordinal, symbol in enumerate(other.symbols)
                    if symbol.container == name and symbol.kind in BODIES
                ]
        return found

    def _types_with(self, method: str) -> dict[Node, None]:
        """Return the types of Go that have a method, by where these are defined."""
        found: dict[Node, None] = {}
        for each in self._view.definitions(method, related_languages("go")):
            file = self._binder.file(each.address) if each.kind in BODIES and each.container else None
            if file is None:
                continue
            ordinal = file.type_of(each.ordinal)
            if ordinal >= 0:
                found[Node(each.address, ordinal)] = None
            else:
                folder = posixpath.dirname(each.address)
                found.update(
                    (Node(one.address, one.ordinal), None)
                    for one in self._view.definitions(each.container, related_languages("go"))
                    if one.kind in HEIRS and posixpath.dirname(one.address) == folder
                )
        return found

    # --- implementations ---------------------------------------------------------------------------------------------

    def implementations(self, parameters: PlaceParameters) -> list[Node]:
        """Return what implements or overrides the name at a place: the types that inherit a type, the members that
        stand in for a member in these, the definitions with a body of what is only declared; itself, where it has one.
        """
        found: dict[Node, None] = {}
        for node in self._meant(parameters)[:_MOST_MEANT]:
            found.update(dict.fromkeys(self._implementing(node)))
        return [*found][: MOST_ITEMS + 1]

    def _implementing(self, node: Node) -> list[Node]:
        file = self._binder.file(node.path)
        kind = self._kind(node)
        if file is None or kind is None:
            return []
        if kind in HEIRS:
            own = [] if kind is SymbolKind.INTERFACE else [node]
            return [*own, *self._all_subtypes(node)]
        own = [] if self._is_only_declared(file, node) else [node]
        around = max(file.type_of(node.ordinal), file.above(file.symbols[node.ordinal].parent, HEIRS))
        if around >= 0:
            heirs = self._all_subtypes(Node(node.path, around))
            own += [each for heir in heirs for each in self._binder.kinship.members_named(heir, self._name(node))]
        return own or [each for each in self._alike(file, node) if each != node]

    @staticmethod
    def _is_only_declared(file: File, node: Node) -> bool:
        """Whether a member of an interface, or one that its type leaves to others, has no body."""
        around = file.type_of(node.ordinal)
        is_in_interface = around >= 0 and file.symbols[around].kind is SymbolKind.INTERFACE
        return file.is_abstract(node.ordinal) or (is_in_interface and file.symbols[node.ordinal].body < 0)

    def _alike(self, file: File, node: Node) -> Iterator[Node]:
        """Yield the definitions with a body that are called like a declaration: those of a C header."""
        container = file.containers[node.ordinal]
        for each in self._view.definitions(self._name(node), related_languages(file.text.language)):
            other = self._binder.file(each.address) if each.container == container and each.kind in BODIES else None
            if other is not None and other.symbols[each.ordinal].body >= 0:
                yield Node(each.address, each.ordinal)

    def _name(self, node: Node) -> str:
        file = self._binder.file(node.path)
        return "" if file is None else file.symbols[node.ordinal].name

    # --- calls -------------------------------------------------------------------------------------------------------

    def incoming(self, node: Node) -> list[HierarchyCall]:
        """Return what calls a definition, what is in its own file first, then the nearest, tests last."""
        places: dict[Node, list[Reference]] = {}
        for path, reference, _ in self._binder.calls.made_to(node):
            file = self._binder.file(path)
            if file is not None:
                places.setdefault(Node(path, file.doer(reference.offset)), []).append(reference)
            if len(places) > MOST_ITEMS:
                break
        return [self._call(caller, caller.path, found) for caller, found in [*places.items()][: MOST_ITEMS + 1]]

    def outgoing(self, node: Node) -> list[HierarchyCall]:
        """Return what a definition calls, in the order of its text."""
        places: dict[Node, list[Reference]] = {}
        for reference, meant in self._binder.calls.made_by(node):
            if self._kind(meant[0]) in _CALLABLE:
                places.setdefault(meant[0], []).append(reference)
        return [self._call(called, node.path, found) for called, found in [*places.items()][: MOST_ITEMS + 1]]

    def _call(self, node: Node, path: str, references: Iterable[Reference]) -> HierarchyCall:
        file = self._binder.file(path)
        assert file is not None
        spans = [file.text.span(each.offset, each.offset + len(each.name.encode())) for each in references]
        return HierarchyCall(item=self.item(node), spans=spans)

    # --- as clients see them -----------------------------------------------------------------------------------------

    def item(self, node: Node) -> HierarchyItem:
        """Return a definition, or a file, as an item."""
        file = self._binder.file(node.path)
        assert file is not None
        path, uri = file.text.path, None if file.text.path is not None else file.text.uri
        if node.ordinal < 0:
            place = Location(path=path, uri=uri, span=Span(_START, _START))
            whole = file.text.span(0, len(file.source))
            name, folder = posixpath.basename(node.path), posixpath.dirname(node.path)
            return HierarchyItem(name=name, kind=int(SymbolKind.FILE), detail=folder, location=place, span=whole)
        symbol = file.symbols[node.ordinal]
        start, end = symbol.start + symbol.head, max(symbol.end, symbol.name_end)
        return HierarchyItem(
            name=symbol.name,
            kind=int(symbol.kind),
            detail=file.containers[node.ordinal] or node.path,
            location=Location(path=path, uri=uri, span=file.text.span(symbol.name_start, symbol.name_end)),
            span=file.text.span(min(start, symbol.name_start), end),
        )
