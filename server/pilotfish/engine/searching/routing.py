"""Questions in words that another operation answers, answered as it would: usages, callees, a way of calls, likeness.

What is found so comes first; where that fills no page, the question is answered as words as well.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from pilotfish.engine.binding import Binder
from pilotfish.engine.naming import node_named, title
from pilotfish.engine.navigation.holders import FOR_AN_EDITOR
from pilotfish.engine.navigation.names import definitions_named, name_parts
from pilotfish.engine.navigation.uses import UsedAt, uses_of
from pilotfish.engine.outlined import Node
from pilotfish.engine.passages import Passage, of_definition
from pilotfish.engine.searching.search import MOST, Ordered, overlap
from pilotfish.engine.searching.similar import definition_piece, like
from pilotfish.engine.searching.text_search import Found
from pilotfish.engine.tracing import MOST_DEEP, way_between
from pilotfish.operations.search import SearchCodeParameters
from pilotfish.retrieval.routing import Ask, Asked, ask_in

if TYPE_CHECKING:
    from pilotfish.engine.passages import Sources
    from pilotfish.engine.searching.meaning import Meaning
    from pilotfish.engine.searching.search import Search
    from pilotfish.engine.view import View

_SCORES: Final = {"call": 0.9, "inherit": 0.9, "type": 0.85, "read": 0.8, "import": 0.6}
_DONE: Final = {"call": "calls", "inherit": "inherits", "type": "names as a type", "read": "reads", "import": "imports"}
_BEHIND: Final = 0.5
"""What is found by words scores at most as much behind what was asked for."""


class Routing:
    """One question to one view, if it is one that is answered directly."""

    def __init__(
        self, view: View, sources: Sources, search: Search, meaning: Meaning, parameters: SearchCodeParameters
    ) -> None:
        self._view = view
        self._sources = sources
        self._search = search
        self._meaning = meaning
        self._parameters = parameters

    def ordered(self, most: int) -> Ordered | None:
        """Return the results, of which at least `most` will be looked at; None where the question is an ordinary one,
        or nothing that it names is defined here.

        Raises:
            OperationError: a filter is wrong.

        """
        if self._parameters.search_type != "hybrid":
            return None
        ask = ask_in(self._parameters.query)
        if ask is None or not self._are_defined(ask):
            return None
        found = self._direct(ask)
        if not found.passages:
            return None
        if len(found.passages) >= most:
            return found
        others = self._search.ordered(most)
        rest = [
            replace(each, score=min(each.score, _BEHIND))
            for each in others.passages
            if not any(overlap(each, direct) for direct in found.passages)
        ]
        return replace(
            found,
            passages=[*found.passages, *rest],
            searched=tuple(dict.fromkeys((*found.searched, *others.searched))),
            hidden_tests=found.hidden_tests,
            missing=others.missing,
        )

    def _are_defined(self, ask: Ask) -> bool:
        return all(definitions_named(self._view, name, None) for name in (ask.name, ask.to) if name)

    def _direct(self, ask: Ask) -> Ordered:
        if ask.asked is Asked.USAGES:
            return self._usages(ask)
        if ask.asked is Asked.SIMILAR:
            return self._similar(ask)
        return self._way(ask) if ask.asked is Asked.WAY else self._callees(ask)

    # --- usages ------------------------------------------------------------------------------------------------------

    def _usages(self, ask: Ask) -> Ordered:
        """Find where a name is used, by the definitions around the places; calls before types, reads and imports."""
        _, name = name_parts(ask.name)
        targets = definitions_named(self._view, ask.name, None)
        by_file: dict[str, list[UsedAt]] = defaultdict(list)
        hidden: set[str] = set()
        for use in uses_of(self._view, name, targets, None, FOR_AN_EDITOR):
            path = use.text.address
            if path in hidden or not self._search.wanted.accepts_but_for_tests(path, use.text.language):
                continue
            if not self._search.wanted.accepts_test(path):
                hidden.add(path)
            elif path in by_file or len(by_file) < MOST:
                by_file[path].append(use)
        passages = [passage for path, uses in by_file.items() for passage in self._used_in(path, name, uses)]
        passages.sort(key=lambda each: -each.score)  # files stand in the order of their closeness
        step = f"find_usages {ask.name} lists each place."
        return Ordered(passages, ("names",), ask.intent, step, len(hidden), strategy="usages")

    def _used_in(self, path: str, name: str, uses: Sequence[UsedAt]) -> Iterable[Passage]:
        text = self._sources.text(path)
        length = len(name.encode())
        roles = {use.span.start.line + 1: use.role for use in reversed(uses)}
        places = [Found(use.start, use.start + length) for use in uses]
        for passage in self._search.places(path, text, places):
            lines = [line for line in roles if passage.line_start <= line <= passage.line_end]
            role = max((roles[line] for line in lines), key=lambda each: _SCORES[each], default="read")
            yield replace(passage, score=_SCORES[role], why=f"{_DONE[role]} {name}: {passage.why}")

    # --- calls -------------------------------------------------------------------------------------------------------

    def _callees(self, ask: Ask) -> Ordered:
        """Show a definition, then what it calls, in the order of its text."""
        binder = Binder(self._view, self._sources)
        start = node_named(self._view, ask.name, None)
        found: list[Passage] = []
        if start is not None:
            name, _, _ = title(binder, start)
            calls = binder.calls.called_by(start)
            said = [(start, 1.0, f"the definition of {ask.name}")]
            said += [(call.node, 0.9, f"called by {name} on line {call.line}") for call in calls]
            found = self._definitions(binder, said)
        step = f"trace_execution {ask.name} follows the calls further."
        return Ordered(found, ("names",), ask.intent, step, strategy="callees")

    def _way(self, ask: Ask) -> Ordered:
        """Show the definitions on a shortest way of calls."""
        binder = Binder(self._view, self._sources)
        start, goal = (node_named(self._view, name, None) for name in (ask.name, ask.to))
        calls = None if start is None or goal is None else way_between(self._view, binder, start, goal, MOST_DEEP).calls
        said: list[tuple[Node, float, str]] = []
        if start is not None and calls:
            said.append((start, 1.0, f"the definition of {ask.name}"))
            callers = [start, *(call.node for call in calls)]
            for caller, call in zip(callers, calls, strict=False):
                said.append((call.node, 0.9, f"called by {title(binder, caller)[0]} on line {call.line}"))
        step = f"trace_execution {ask.name} follows the calls further."
        return Ordered(self._definitions(binder, said), ("names",), ask.intent, step, strategy="path")

    def _definitions(self, binder: Binder, said: Iterable[tuple[Node, float, str]]) -> list[Passage]:
        """Return definitions as results, those left out that the question does not want."""
        passages = []
        for node, score, why in said:
            definition = binder.definition(node)
            if definition is None or not self._search.wanted.accepts_but_for_tests(node.path, definition.language):
                continue
            passage = of_definition(self._view, definition, score=score, why=why)
            if passage is not None:
                passages.append(passage)
        return passages

    # --- likeness ----------------------------------------------------------------------------------------------------

    def _similar(self, ask: Ask) -> Ordered:
        piece = definition_piece(self._view, self._sources, ask.name, None)
        if piece is None:
            return Ordered([], (), ask.intent, strategy="similar")
        passages, coverage = like(self._view, self._sources, piece, self._parameters, self._meaning)
        return Ordered(
            passages,
            tuple(coverage.searched),
            ask.intent,
            f"find_similar {ask.name} lists code like it alone.",
            missing=coverage.missing,
            strategy="similar",
        )
