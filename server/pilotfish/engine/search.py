"""Answers to questions in words, by name and by text: what is gathered, put in order, and shown a page at a time.

Runs in a reader thread over a `View`, so that every answer sees the unsaved texts of its session.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from pilotfish.engine.filters import Filter, kinds_named
from pilotfish.engine.passages import Enclosing, Passage, of_definition, shown
from pilotfish.graph.links import is_test
from pilotfish.operations.search import Coverage, Paged, SearchCodeParameters, SearchCodeResult, SearchHit
from pilotfish.store.matching import SymbolQuery, Tier
from pilotfish.syntax.outline import SymbolKind

if TYPE_CHECKING:
    from pilotfish.engine.text_search import Found, TextPattern
    from pilotfish.engine.view import Definition, View

MOST: Final = 1_000
"""Results that are put in order for one question; what comes behind them is not counted."""

AROUND: Final = 3
"""Lines shown before and behind a place where a text was found, within its definition."""

SMALL: Final = 12
"""A definition of at most so many lines is shown whole where something in it was found."""

_TIERS: Final = {Tier.EXACT: 1.0, Tier.PREFIX: 0.85, Tier.HUMP: 0.7, Tier.INFIX: 0.6, Tier.SUBSEQUENCE: 0.4}
_WHY: Final = {
    Tier.EXACT: "named so",
    Tier.PREFIX: "name begins so",
    Tier.HUMP: "words of the name begin so",
    Tier.INFIX: "part of the name",
    Tier.SUBSEQUENCE: "letters of the name",
}


class Page(NamedTuple):
    """Which results of a question to show."""

    first: int
    size: int

    @classmethod
    def of(cls, parameters: Paged, size: int) -> Page:
        """Return the page that a question asks for, of `size` results where it does not say."""
        wanted = parameters.max_results or size
        return cls((parameters.page - 1) * wanted, wanted)


@dataclass(frozen=True, slots=True)
class Ordered:
    """All results of a question, best first; `hidden_tests` counts those in tests, which were not asked for."""

    passages: Sequence[Passage]
    hidden_tests: int = 0
    is_whole: bool = True


def search_code(view: View, parameters: SearchCodeParameters, page_size: int) -> SearchCodeResult:
    """Answer a question.

    Raises:
        OperationError: a filter or a regular expression is wrong.

    """
    from pilotfish.engine.text_search import pattern_of

    wanted = Filter(parameters, parameters.query)
    kinds = kinds_named(parameters.kind)
    page = Page.of(parameters, page_size)
    query = parameters.query.strip()
    pattern = None
    if parameters.search_type in ("hybrid", "text"):
        pattern = pattern_of(query, as_text=parameters.search_type == "text")
    if not query:
        found = Ordered([])
    elif pattern is not None:
        found = by_text(view, pattern, wanted, kinds)
    else:
        found = by_name(view, query, wanted, kinds, page.first + page.size)
    result = SearchCodeResult(
        results=page_of(view, found, page, parameters),
        total=len(found.passages),
        page=parameters.page,
        truncated=len(found.passages) > page.first + page.size or not found.is_whole,
        intent="text" if pattern is not None else "find_definition",
        coverage=Coverage(searched=["text"] if pattern is not None else ["names"]),
    )
    result.outcome = "found" if result.results else "no_match"
    result.hint = _hint(query, result, found.hidden_tests)
    return result


def page_of(view: View, found: Ordered, page: Page, parameters: Paged) -> list[SearchHit]:
    """Return one page of results as clients see them."""
    return [
        shown(view, passage, absolute=parameters.absolute_paths, snippet_chars=parameters.snippet_chars)
        for passage in found.passages[page.first : page.first + page.size]
    ]


# --- names -----------------------------------------------------------------------------------------------------------


def by_name(view: View, query: str, wanted: Filter, kinds: frozenset[SymbolKind] | None, most: int) -> Ordered:
    """Find definitions by name, in the order in which `find_symbols` has them."""
    matcher = SymbolQuery(query, kinds=kinds)
    limit = min(MOST, max(100, 4 * most))
    definitions, truncated = view.search(query, kinds=kinds, path_glob=wanted.path_glob, limit=limit)
    meant = [each for each in definitions if wanted.accepts_but_for_tests(each.address, each.language)]
    passages = []
    for each in meant:
        if wanted.accepts_test(each.address):
            passage = _named(view, matcher, each)
            if passage is not None:
                passages.append(passage)
    return Ordered(passages, len(meant) - len(passages), not truncated)


def _named(view: View, matcher: SymbolQuery, definition: Definition) -> Passage | None:
    match = matcher.match(definition.name, definition.container, definition.kind)
    if match is None:
        return None
    score = _TIERS[match.tier] - 0.05 * match.container - 0.02 * match.case
    return of_definition(view, definition, score=score, why=_WHY[match.tier])


# --- text ------------------------------------------------------------------------------------------------------------


def by_text(view: View, pattern: TextPattern, wanted: Filter, kinds: frozenset[SymbolKind] | None) -> Ordered:
    """Find where a text stands: places within a definition and near each other are one result."""
    from pilotfish.engine.text_search import matches

    passages: list[Passage] = []
    hidden = 0
    is_whole = True
    for path, _, found in matches(pattern, _texts(view, wanted)):
        if not wanted.accepts_test(path):
            hidden += 1
            continue
        passages += _places(view, path, found, kinds)
        if len(passages) >= MOST:
            is_whole = False
            break
    passages.sort(key=lambda each: (-each.score, is_test(each.path), each.path, each.line_start))
    return Ordered(passages, hidden, is_whole)


def _texts(view: View, wanted: Filter) -> Iterator[tuple[str, bytes]]:
    """Yield path and text of the files that are meant, unsaved texts as they are."""
    rows = {row.path: row.language for row in view.reader.files()}
    rows.update((path, view.language(path)) for path in view.open_paths())
    for path in sorted(path for path, language in rows.items() if wanted.accepts_but_for_tests(path, language)):
        text = view.file(path)
        if text is not None:
            yield path, text.text
            text.release()


def _places(view: View, path: str, found: Sequence[Found], kinds: frozenset[SymbolKind] | None) -> Iterator[Passage]:
    text = view.file(path)
    if text is None:
        return
    enclosing = Enclosing(text)
    groups: dict[tuple[int, int], list[tuple[int, int]]] = {}
    last = (-1, -1, -1)  # ordinal, number of the group, line
    for start, end in found:
        ordinal, first, until = enclosing.at(start), text.line_of(start), text.line_of(end - 1)
        group = last[1] if ordinal == last[0] and first - last[2] <= 2 * AROUND else last[1] + 1
        groups.setdefault((ordinal, group), []).append((first, until))
        last = (ordinal, group, until)
    named = {enclosing.at(start) for start, end in found if enclosing.named(start, end)}
    for (ordinal, _), lines in groups.items():
        name, kind, parent = enclosing.describe(ordinal)
        if kinds is not None and kind not in {each.label for each in kinds}:
            continue
        first, until = lines[0][0], lines[-1][1]
        low, high = 0, text.lines.line_count - 1
        if ordinal >= 0:
            low, high = (text.line_of(offset) for offset in enclosing.bounds(ordinal))
        if high - low >= SMALL or ordinal < 0:
            low, high = max(low, first - AROUND), min(high, until + AROUND)
        yield Passage(
            path=path,
            line_start=low + 1,
            line_end=max(high, until) + 1,
            name=name,
            kind=kind,
            parent=parent,
            language=text.language or "",
            ordinal=ordinal,
            score=(0.9 if ordinal in named else 0.5) + 0.02 * min(len(lines), 5),
            why=_on_lines(sorted({line + 1 for line, _ in lines})),
        )


def _on_lines(lines: Sequence[int]) -> str:
    shown_lines = ", ".join(map(str, lines[:5]))
    return f"text on line{'s' * (len(lines) > 1)} {shown_lines}" + (" …" if len(lines) > 5 else "")


# --- what to do next -------------------------------------------------------------------------------------------------


def _hint(query: str, result: SearchCodeResult, hidden_tests: int) -> str:
    if not query:
        return 'Say what to find: words, a name, "quoted text" or a /regular expression/.'
    parts = []
    if not result.results:
        if result.page > 1 and result.total:
            parts.append(f"There are {result.total:,} results; ask for an earlier page.")
        elif not hidden_tests:
            parts.append("Try other or fewer words, a wider file_filter, or search_type=text.")
    elif result.truncated:
        parts.append(f"page={result.page + 1} shows more.")
    if hidden_tests:
        parts.append(f"Tests were left out ({hidden_tests:,} found there); tests=include shows them.")
    if result.results and (name := next((hit.symbol_name for hit in result.results if hit.symbol_name), "")):
        parts.append(f"find_usages {name} lists where it is used.")
    return " ".join(parts)
