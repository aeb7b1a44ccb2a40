"""Answers to questions in words, by name and by text: which way to look, what comes first, and a page of it.

Runs in a reader thread over a `View`, so that every answer sees the unsaved texts of its session.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final

import msgspec

from pilotfish.engine.navigation.names import definitions_named, name_parts
from pilotfish.engine.near_names import listed, near_definitions
from pilotfish.engine.passages import Enclosing, Passage, Sources, of_definition, shown
from pilotfish.engine.searching.filters import Filter, kinds_named
from pilotfish.engine.searching.focus import focused
from pilotfish.engine.searching.meaning import Meaning
from pilotfish.engine.searching.ranked import Asking
from pilotfish.graph.links import is_test
from pilotfish.operations.search import (
    NOTHING_CLOSE,
    Coverage,
    Evidence,
    Paged,
    SearchCodeParameters,
    SearchCodeResult,
    SearchHit,
    Strategy,
)
from pilotfish.retrieval.intent import Intent, Reading, Style
from pilotfish.retrieval.question import Question, question_of
from pilotfish.store.matching import SymbolQuery, Tier
from pilotfish.syntax.text import lines_and_columns

if TYPE_CHECKING:
    from pilotfish.config import Settings
    from pilotfish.engine.searching.text_search import Found, TextPattern
    from pilotfish.engine.view import Definition, View
    from pilotfish.engine.wire import SearchDefaults
    from pilotfish.indexing.progress import State
    from pilotfish.indexing.semantic import SemanticIndexer

MOST: Final = 1_000
"""Results that are put in order for one question; what comes behind them is not counted."""

MAX_QUESTION: Final = 4_000
"""Characters of a question that count."""

MOST_FOR_TASK: Final = 60
"""Results that a map for a task is drawn around."""

MOST_NEAR: Final = 5
"""Definitions of nearly the name asked for that are shown."""

AT_ONCE: Final = 2
"""Searches that run at a time."""

AROUND: Final = 3
"""Lines shown before and behind a place where a text was found, within its definition."""

SMALL: Final = 12
"""A definition of at most so many lines is shown whole where something in it was found."""

_TIERS: Final = {Tier.EXACT: 1.0, Tier.PREFIX: 0.85, Tier.HUMP: 0.7, Tier.INFIX: 0.6, Tier.SUBSEQUENCE: 0.4}
_EXACT: Final = 0.9
"""A definition found by name scores as much where its name is the one asked for."""

_NEAR: Final = 0.8
"""A definition whose name is nearly the one asked for scores as much."""

_BEHIND_NEAR: Final = 0.5
"""What words find behind such a definition scores at most as much: most of them were found by a part of a slip."""

FAR: Final = 0.34
FAR_COSINE: Final = 0.35
"""Where the best answer to a question in words scores less, and none of the first is nearer by meaning, nothing is
close. So it is with two thirds of questions about what a repository does not have, and with 3 % of the
development set's, compared by the built-in model."""

_LOOKED_AT_FOR_FAR: Final = 5

_WHY: Final = {
    Tier.EXACT: "named so",
    Tier.PREFIX: "name begins so",
    Tier.HUMP: "words of the name begin so",
    Tier.INFIX: "part of the name",
    Tier.SUBSEQUENCE: "letters of the name",
}


@dataclass(frozen=True, slots=True)
class Ordered:
    """All results of a question, best first; `hidden_tests` counts those in tests, which were not asked for, `strategy`
    says how they were found."""

    passages: Sequence[Passage]
    searched: tuple[Evidence, ...]
    intent: str
    next_step: str = ""
    hidden_tests: int = 0
    is_whole: bool = True
    missing: str = ""
    strategy: Strategy = "words"


class Search:
    """One question to one view."""

    def __init__(
        self,
        view: View,
        sources: Sources,
        asking: Asking,
        parameters: SearchCodeParameters,
        threshold: float | None = None,
    ) -> None:
        """Take a question; `threshold` holds where it says none.

        Raises:
            OperationError: a filter is wrong.

        """
        self._view = view
        self._sources = sources
        self._asking = asking
        self._query = parameters.query.strip()[:MAX_QUESTION]
        self._type = parameters.search_type
        self.wanted = Filter(parameters, self._query)
        self._kinds = kinds_named(parameters.kind)
        self._threshold = threshold if parameters.similarity_threshold is None else parameters.similarity_threshold

    @cached_property
    def asked(self) -> tuple[str, ...]:
        """The terms of the question."""
        return question_of(self._query).terms

    def ordered(self, most: int) -> Ordered:
        """Return the results, of which at least `most` will be looked at.

        Raises:
            OperationError: a regular expression is wrong or too slow.

        """
        if not self._query:
            return Ordered([], (), "", strategy="none")
        if self._type in ("hybrid", "text") and (pattern := pattern_in(self._query, self._type == "text")) is not None:
            return self._by_text(pattern)
        if self._type == "symbol":
            named = self._by_name(most)
            return named if named.passages or named.hidden_tests else self._by_near_name()
        question = question_of(self._query)
        if self._type == "hybrid" and question.reading.identifier:
            return self._by_name_and_words(question, most)
        return self._by_words(question)

    # --- words -------------------------------------------------------------------------------------------------------

    def _by_words(self, question: Question) -> Ordered:
        found = self._asking.answers(
            question,
            self.wanted,
            self._kinds,
            threshold=self._threshold,
            by_meaning_alone=self._type == "semantic",
        )
        return Ordered(
            found.passages,
            tuple(found.searched),
            question.reading.intent,
            self._next_step(question.reading, found.passages),
            found.hidden_tests,
            missing=found.missing,
            strategy="meaning" if self._type == "semantic" else "words",
        )

    def _next_step(self, reading: Reading, passages: Sequence[Passage]) -> str:
        """Return what goes on from the results: another operation that answers what was asked, or the uses of the
        first of them."""
        if self._type == "hybrid" and reading.style is not Style.NAME and _are_far(passages):
            return NOTHING_CLOSE
        question = json.dumps(self._query, ensure_ascii=False)
        if reading.intent is Intent.ARCHITECTURAL:
            return "get_architecture lists the modules and what they use."
        subject = reading.subject if definitions_named(self._view, reading.subject, None) else ""
        if reading.intent is Intent.TRACE_FLOW and subject:
            return f"trace_execution {subject} follows its calls."
        if reading.intent is Intent.TRACE_FLOW or reading.style is Style.CHANGE:
            return f"build_context {question} collects the source to read."
        first = next((passage for passage in passages if passage.name), None)
        name = subject or ("" if first is None else focused(self._view, self._sources, first, self.asked).name)
        if name and reading.intent is Intent.FIND_SIMILAR:
            return f"find_similar {name} lists code like it."
        return f"find_usages {name} lists where it is used." if name else ""

    # --- names -------------------------------------------------------------------------------------------------------

    def _by_name(self, most: int) -> Ordered:
        """Find definitions by name, in the order in which `find_symbols` has them."""
        matcher = SymbolQuery(self._query, kinds=self._kinds)
        definitions, truncated = self._view.search(
            self._query, kinds=self._kinds, path_glob=self.wanted.path_glob, limit=min(MOST, max(100, 4 * most))
        )
        meant = self._meant(definitions)
        shown_ones = [each for each in meant if self.wanted.accepts_test(each.address)]
        passages = [passage for each in shown_ones if (passage := self._named(matcher, each)) is not None]
        next_step = f"find_usages {passages[0].name} lists where it is used." if passages else ""
        hidden = len(meant) - len(shown_ones)
        return Ordered(
            passages, ("names",), Intent.FIND_DEFINITION, next_step, hidden, not truncated, strategy="symbols"
        )

    def _meant(self, definitions: Sequence[Definition]) -> list[Definition]:
        """Return those that the filters let through, in tests or not."""
        return [each for each in definitions if self.wanted.accepts_but_for_tests(each.address, each.language)]

    def _by_near_name(self) -> Ordered:
        """Find definitions whose names are nearly the one asked for."""
        kinds, accepts_test = self._kinds, self.wanted.accepts_test
        near = [
            each
            for each in self._meant(near_definitions(self._view, self._query.removesuffix("()")))
            if accepts_test(each.address) and (kinds is None or each.kind in kinds)
        ]
        found = [
            of_definition(self._view, each, score=_NEAR, why=f"name like {each.name}") for each in near[:MOST_NEAR]
        ]
        passages = [each for each in found if each is not None]
        names = list(dict.fromkeys(each.name for each in passages))
        advice = f"Nothing is called {self._query}. Did you mean {listed(names)}?" if names else ""
        return Ordered(passages, ("names",), Intent.FIND_DEFINITION, advice, strategy="symbols")

    def _named(self, matcher: SymbolQuery, definition: Definition) -> Passage | None:
        match = matcher.match(definition.name, definition.container, definition.kind)
        if match is None:
            return None
        score = _TIERS[match.tier] - 0.05 * match.container - 0.02 * match.case
        return of_definition(self._view, definition, score=score, why=_WHY[match.tier])

    def _by_name_and_words(self, question: Question, most: int) -> Ordered:
        """Find the definitions of just this name, then all that has to do with it."""
        named = self._by_name(most)
        exact = [passage for passage in named.passages if passage.score >= _EXACT]
        found = self._by_words(question)
        if not exact and self._is_nothing_called_so(named):
            near = self._by_near_name()
            if near.passages:
                return replace(self._before(near.passages, found, _BEHIND_NEAR), next_step=near.next_step)
        return self._before(exact, found, _EXACT)

    def _is_nothing_called_so(self, named: Ordered) -> bool:
        """Tell whether no name has what was asked for as a part of it, and no text either."""
        is_called = any(each.score > _TIERS[Tier.SUBSEQUENCE] for each in named.passages)
        return not is_called and not self._view.mentioning(name_parts(self._query)[1])

    def _before(self, definitions: Sequence[Passage], found: Ordered, most: float) -> Ordered:
        """Put definitions before what words found, which scores at most as much as is said."""
        rest = [passage for passage in found.passages if not any(overlap(passage, each) for each in definitions)]
        passages = [*definitions, *(replace(each, score=min(each.score, most)) for each in rest)]
        return replace(found, passages=passages, strategy="definitions" if definitions else "words")

    # --- text --------------------------------------------------------------------------------------------------------

    def _by_text(self, pattern: TextPattern) -> Ordered:
        """Find where a text stands: places within a definition and near each other are one result."""
        from pilotfish.engine.searching.text_search import matches

        passages: list[Passage] = []
        hidden = 0
        is_whole = True
        for path, text, found in matches(pattern, self._texts(pattern)):
            if not self.wanted.accepts_test(path):
                hidden += 1
                continue
            passages += self.places(path, text, found, by_definition=True)
            if len(passages) >= MOST:
                is_whole = False
                break
        passages.sort(key=lambda each: (-each.score, is_test(each.path), each.path, each.line_start))
        return Ordered(passages, ("text",), "text", hidden_tests=hidden, is_whole=is_whole, strategy="text")

    def _texts(self, pattern: TextPattern) -> Iterator[tuple[str, bytes]]:
        """Yield the texts that may hold a match: where the pattern has whole words, those that have these."""
        having = None
        if pattern.terms:
            having = {*self._view.reader.files_mentioning(pattern.terms), *self._view.open_paths()}
        for path, language in self._sources.paths():
            if (having is None or path in having) and self.wanted.accepts_but_for_tests(path, language):
                yield path, self._sources.read(path)

    def places(
        self, path: str, text: bytes, found: Sequence[Found], *, by_definition: bool = False
    ) -> Iterator[Passage]:
        """Yield places of a text as results: those within a definition and near each other are one; `by_definition` all
        within a definition, of which the first ones are shown."""
        file = self._view.file(path)
        enclosing = Enclosing(file)
        last_line = text.count(b"\n") + text.count(b"\r")
        named = {enclosing.at(start) for start, end in found if enclosing.is_name(start, end)}
        for ordinal, lines, others in _joined(_grouped(enclosing, text, found), by_definition):
            every = [*lines, *others]
            name, kind, parent = enclosing.describe(ordinal)
            if self._kinds is not None and kind not in {each.label for each in self._kinds}:
                continue
            low, high = 0, last_line
            if ordinal >= 0:
                low, high = (line for line, _ in lines_and_columns(text, enclosing.bounds(ordinal)))
            if ordinal < 0 or high - low >= SMALL:
                low, high = max(low, lines[0] - AROUND), min(high, lines[-1] + AROUND)
            yield Passage(
                path=path,
                line_start=low + 1,
                line_end=high + 1,
                name=name,
                kind=kind,
                parent=parent,
                language=(file and file.language) or "",
                ordinal=ordinal,
                score=(0.9 if ordinal in named else 0.6 if ordinal >= 0 else 0.5) + 0.02 * min(len(every), 5),
                why=_on_lines(sorted({line + 1 for line in every})),
            )


class Searches:
    """What the searches of one root share. Asked from reader threads."""

    def __init__(self, semantics: SemanticIndexer, loop: asyncio.AbstractEventLoop) -> None:
        self.meaning = Meaning(semantics, loop)
        # Held by who searches: the vectors are waited for in a reader's thread, and others need some of the few.
        self.turn = asyncio.Semaphore(AT_ONCE)

    def asking(self, view: View, sources: Sources, settings: Settings) -> Asking:
        """Return what answers questions in words over a view."""
        return Asking(view, sources, self.meaning, history_weight=settings.search.history_weight)

    def definitions_for(self, view: View, task: str, settings: Settings) -> list[tuple[str, str]]:
        """Return path and name of the definitions that a task is about, best first, at most `MOST_FOR_TASK`."""
        parameters = SearchCodeParameters(query=task)
        sources = Sources(view, with_secrets=settings.semantic.secrets)
        asking = self.asking(view, sources, settings)
        found = Search(view, sources, asking, parameters).ordered(MOST_FOR_TASK).passages[:MOST_FOR_TASK]
        return list(dict.fromkeys((passage.path, passage.name) for passage in found))

    def search_code(
        self, view: View, parameters: SearchCodeParameters, settings: Settings, defaults: SearchDefaults, size: int
    ) -> SearchCodeResult:
        """Answer a question, with `size` results where it does not say how many.

        Raises:
            OperationError: a filter or a regular expression is wrong.

        """
        from pilotfish.engine.searching.routing import Routing  # what it routes to is built on this

        size = parameters.max_results or size
        sources = Sources(view, with_secrets=settings.semantic.secrets)
        asking = self.asking(view, sources, settings)
        threshold = defaults.similarity_threshold or None
        search = Search(view, sources, asking, parameters, threshold)
        most = parameters.page * size
        found = Routing(view, sources, search, self.meaning, parameters).ordered(most) or search.ordered(most)
        result = SearchCodeResult(
            results=page_of(view, sources, found.passages, parameters, size, asked=search.asked),
            total=len(found.passages),
            page=parameters.page,
            truncated=len(found.passages) > parameters.page * size or not found.is_whole,
            intent=found.intent,
            strategy=found.strategy,
            coverage=Coverage(searched=list(found.searched), missing=found.missing),
        )
        result.outcome = "found" if result.results else "no_match"
        hidden_tests = 0 if len(result.results) == size else found.hidden_tests
        is_empty = not result.results and not view.reader.counts().files
        result.hint = _hint(parameters, result, hidden_tests, found.next_step, is_empty=is_empty)
        return result


def page_of(
    view: View,
    sources: Sources,
    passages: Sequence[Passage],
    parameters: Paged,
    size: int,
    *,
    asked: Collection[str] = (),
) -> list[SearchHit]:
    """Return one page of results as clients see them, around the terms `asked` for."""
    first = (parameters.page - 1) * size
    page = [focused(view, sources, passage, asked) for passage in passages[first : first + size]]
    return [
        shown(view, sources, passage, absolute=parameters.absolute_paths, snippet_chars=parameters.snippet_chars)
        for passage in page
    ]


def so_far(coverage: Coverage, state: State) -> Coverage:
    """Say in an answer that files are still being read, where they are."""
    if state.phase not in ("starting", "scanning", "indexing"):
        return coverage
    pending = f", {state.pending:,} files are pending" if state.pending else ""
    said = f"The index is being made{pending}."
    return msgspec.structs.replace(coverage, missing=f"{said} {coverage.missing}".rstrip())


def _are_far(passages: Sequence[Passage]) -> bool:
    """Tell whether even the best of what words and meaning found is far from the question; False where meaning was not
    compared."""
    first = passages[:_LOOKED_AT_FOR_FAR]
    cosines = [each.similarity for each in first if each.similarity is not None]
    return bool(cosines) and first[0].score < FAR and max(cosines) < FAR_COSINE


def pattern_in(query: str, as_text: bool) -> TextPattern | None:
    """Return what a query searches the text for; None for a question in words."""
    from pilotfish.engine.searching.text_search import pattern_of

    return pattern_of(query, as_text=as_text)


def overlap(one: Passage, other: Passage) -> bool:
    """Whether two passages share a line."""
    return one.path == other.path and one.line_start <= other.line_end and other.line_start <= one.line_end


def _grouped(enclosing: Enclosing, text: bytes, found: Sequence[Found]) -> Iterator[tuple[int, list[int]]]:
    """Yield the definition and the lines, counted from 0, of matches that lie near each other in it."""
    lines = lines_and_columns(text, [start for start, _ in found])
    group: list[int] = []
    around = -1
    for (start, _), (line, _) in zip(found, lines, strict=True):
        ordinal = enclosing.at(start)
        if group and (ordinal != around or line - group[-1] > 2 * AROUND):
            yield around, group
            group = []
        around = ordinal
        group.append(line)
    if group:
        yield around, group


def _joined(groups: Iterable[tuple[int, list[int]]], by_definition: bool) -> Iterator[tuple[int, list[int], list[int]]]:
    """Yield each group with no further lines, or `by_definition` the first of each definition with the lines of its
    others; what lies in no definition stays apart."""
    others: dict[int, list[int]] = {}
    firsts: list[tuple[int, list[int]]] = []
    for ordinal, lines in groups:
        if ordinal in others:
            others[ordinal] += lines
        else:
            firsts.append((ordinal, lines))
            if by_definition and ordinal >= 0:
                others[ordinal] = []
    return ((ordinal, lines, others.get(ordinal, [])) for ordinal, lines in firsts)


def _on_lines(lines: Sequence[int]) -> str:
    named = ", ".join(map(str, lines[:5]))
    return f"text on line{'s' * (len(lines) > 1)} {named}" + (" …" if len(lines) > 5 else "")


def _other_ways(parameters: SearchCodeParameters, strategy: Strategy) -> str:
    """Say what may find something where nothing was found."""
    ways = [
        *(["without file_filter"] if parameters.file_filter else []),
        *(["without language"] if parameters.language else []),
        *(["without kind"] if parameters.kind else []),
        "with other words",
        *(["with search_type=text"] if strategy != "text" else []),
    ]
    return f"Try again {' or '.join(ways)}; get_repo_status tells what is not indexed."


def _hint(
    parameters: SearchCodeParameters,
    result: SearchCodeResult,
    hidden_tests: int,
    next_step: str,
    *,
    is_empty: bool,
) -> str:
    if not parameters.query.strip():
        return 'Say what to find: words, a name, "quoted text" or a /regular expression/.'
    parts = []
    if not result.results:
        if result.page > 1 and result.total:
            parts.append(f"There are {result.total:,} results; ask for an earlier page.")
        elif is_empty:
            parts.append("No file is indexed here; get_repo_status names the root that was taken.")
        elif not hidden_tests:
            parts.append(f"Nothing was found. {_other_ways(parameters, result.strategy)}")
    elif result.truncated:
        parts.append(f"page={result.page + 1} shows more.")
    if hidden_tests and not result.total:
        parts.append(f"Only tests have something ({hidden_tests:,} left out); tests=include shows it.")
    elif hidden_tests:
        parts.append(f"Tests were left out ({hidden_tests:,} found there); tests=include shows them.")
    if result.results and next_step:
        parts.insert(0 if next_step == NOTHING_CLOSE else len(parts), next_step)
    return " ".join(parts)
