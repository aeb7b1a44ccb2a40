"""The graph of the root's files at the generation that is asked for: made when first needed, then kept up to date.

Only files whose content is new are read again; where files have come or gone, imports are resolved anew, without
reading. Files whose texts have changed are linked anew alone where the links of all others provably stay, else all
are: a graph after any change equals a fresh one.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from pilotfish.engine.addresses import read_indexed
from pilotfish.engine.memory import give_back
from pilotfish.engine.scopes import KeptScopes
from pilotfish.engine.sessions import Overlay
from pilotfish.graph.resolve import RESOLVERS, Binding, Resolver, is_manifest
from pilotfish.graph.tree import Tree
from pilotfish.store.catalog import Reader
from pilotfish.syntax.facts import facts_of
from pilotfish.syntax.outline import Import
from pilotfish.workspace.paths import Folders

if TYPE_CHECKING:
    # numpy comes with them: not before the first question about the graph.
    from pilotfish.graph.edges import Graph
    from pilotfish.graph.nodes import Node

MANIFEST_BYTES: Final = 1 << 20
"""A longer manifest is not read."""

_KEPT: Final = 2
"""Graphs with unsaved texts in them that are kept: one for each of two editors."""


class _Known(NamedTuple):
    content_hash: bytes
    language: str
    node: Node


class _Resolving:
    """The tree of files at one generation, and how imports are resolved in it."""

    def __init__(self, root: str) -> None:
        self.tree = Tree(())
        self._root = root
        self._lock = threading.RLock()
        self._generation = -1
        self._rows: Sequence[tuple[str, bytes, str | None]] = ()
        self._files: Mapping[str, bytes] = {}
        self._has_unread = False
        self._resolvers: dict[type[Resolver], Resolver] = {}

    def follow(self, reader: Reader) -> Sequence[tuple[str, bytes, str | None]]:
        """Bring the tree to the reader's snapshot, and return path, content and language of its files; the tree stays
        the same object where no import can mean another file than before."""
        with self._lock:
            generation = reader.generation()
            if generation != self._generation:
                self._rows = reader.contents()
                files = {path: content for path, content, _ in self._rows}
                if self._is_other_tree(files):
                    self.tree = Tree(files, self._manifests(reader, files))
                    self._resolvers = {}
                self._files, self._generation = files, generation
            return self._rows

    def bindings(self, reader: Reader, path: str, language: str | None, imports: Iterable[Import]) -> list[Binding]:
        """See `Graphs.bindings`."""
        with self._lock:
            self.follow(reader)
            resolver = self.resolver(language or "")
            return [] if resolver is None else [each for one in imports for each in resolver.bindings(path, one)]

    def resolver(self, language: str) -> Resolver | None:
        """Return what resolves the imports of a language."""
        make = RESOLVERS.get(language)
        if make is None:
            return None
        with self._lock:
            if make not in self._resolvers:
                self._resolvers[make] = make(self.tree)
            return self._resolvers[make]

    def _is_other_tree(self, files: Mapping[str, bytes]) -> bool:
        """Whether an import may mean another file than before."""
        if self._has_unread or files.keys() != self._files.keys():
            return True
        return any(content != self._files[path] for path, content in files.items() if is_manifest(path))

    def _manifests(self, reader: Reader, files: Mapping[str, bytes]) -> dict[str, bytes]:
        """Return the texts of the manifests that are as they were indexed; one that has changed meanwhile is read at
        the next generation, also if it is then as before."""
        texts: dict[str, bytes] = {}
        self._has_unread = False
        with Folders(self._root) as folders:
            for path in files:
                if is_manifest(path):
                    row = reader.file(path)
                    if row is None or row.size > MANIFEST_BYTES:
                        continue
                    text = read_indexed(folders, row)
                    if text is None:
                        self._has_unread = True
                    else:
                        texts[path] = text
        return texts


class Graphs:
    """The graph of one root. Asked from any thread; one at a time makes a graph, the others wait for it."""

    def __init__(self, root: str) -> None:
        self._root = root
        self.scopes = KeptScopes()
        self._lock = threading.Lock()
        self._generation = -1
        self._known: dict[str, _Known] = {}
        self._resolving = _Resolving(root)
        self._bound_in: Tree | None = None
        self._graph: Graph | None = None
        self._unsaved: OrderedDict[tuple[object, ...], tuple[Graph, Sequence[Overlay]]] = OrderedDict()

    def bindings(self, reader: Reader, path: str, language: str | None, imports: Iterable[Import]) -> list[Binding]:
        """Return what the imports of a file bind in the tree of the reader's snapshot; no file is linked for that."""
        return self._resolving.bindings(reader, path, language, imports)

    def at(self, reader: Reader, unsaved: Sequence[Overlay]) -> Graph:
        """Return the graph of the reader's snapshot with these unsaved texts in the place of their files."""
        with self._lock:
            graph, generation = self._graph, reader.generation()
            if graph is None or generation != self._generation:
                graph = self._graph = self._follow(reader, graph)
                self._generation = generation
            return self._with(graph, unsaved) if unsaved else graph

    # --- the catalog -------------------------------------------------------------------------------------------------

    def _follow(self, reader: Reader, graph: Graph | None) -> Graph:
        """Return the graph of the reader's snapshot: `graph`, where nothing that matters to it has changed."""
        from pilotfish.graph.nodes import Node

        rows = self._resolving.follow(reader)
        tree = self._resolving.tree
        is_other = tree is not self._bound_in
        if is_other:
            self._bound_in = tree
            for each in self._known.values():
                each.node.bind(self._resolving.resolver(each.language))
        wanted = {path: (content, language) for path, content, language in rows if language is not None}
        stale = [path for path, content in wanted.items() if self._content(path) != content]
        known = {path: self._known[path] for path in wanted if path in self._known}
        changed: dict[str, Node] = {}
        for facts in reader.facts(stale):
            content, language = wanted[facts.path]
            before, node = known.get(facts.path), Node(facts, self._resolving.resolver(facts.language))
            if before is None or not node.says_as(before.node):
                changed[facts.path] = node
            known[facts.path] = _Known(content, language, node)
        is_other = is_other or known.keys() != self._known.keys()
        self._known = known
        if graph is None or is_other or changed:
            self._unsaved.clear()
            graph = _linked(self._nodes(), None if is_other else graph, changed)
        return graph

    def _nodes(self) -> dict[str, Node]:
        return {path: each.node for path, each in self._known.items()}

    def _content(self, path: str) -> tuple[bytes, str] | None:
        known = self._known.get(path)
        return None if known is None else (known.content_hash, known.language)

    # --- unsaved texts -----------------------------------------------------------------------------------------------

    def _with(self, graph: Graph, unsaved: Sequence[Overlay]) -> Graph:
        """Return `graph` with the unsaved texts in the place of their files."""
        from pilotfish.graph.nodes import Node

        key = tuple(id(overlay) for overlay in unsaved)
        kept = self._unsaved.get(key)
        if kept is None:
            nodes = self._nodes()
            texts = {
                overlay.path: Node(facts_of(overlay.path, overlay.outline), self._resolving.resolver(overlay.language))
                for overlay in unsaved
                if overlay.path is not None and overlay.language is not None
            }
            changed = {path: node for path, node in texts.items() if path not in nodes or not node.says_as(nodes[path])}
            # The texts are kept too, so that no id comes again.
            kept = self._unsaved[key] = (_linked(nodes | changed, graph, changed) if changed else graph, unsaved)
            if len(self._unsaved) > _KEPT:
                self._unsaved.popitem(last=False)
        self._unsaved.move_to_end(key)
        return kept[0]


def _linked(nodes: Mapping[str, Node], graph: Graph | None, changed: Mapping[str, Node]) -> Graph:
    """Return the graph of the nodes; `graph` is that of the same files before some have `changed`."""
    from pilotfish.graph.edges import Graph

    edited = None if graph is None else graph.edited(changed)
    if edited is None:
        edited = Graph(nodes)
        give_back()
    return edited
