"""The source to read for a task: what a search finds, in full or by signature, within a budget of tokens."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from pilotfish.engine.passages import Passage, Sources, signature_of
from pilotfish.engine.searching.filters import Filter
from pilotfish.engine.searching.focus import focused
from pilotfish.operations.search import BuildContextParameters, BuildContextResult, ContextPassage, Coverage
from pilotfish.retrieval.context import Piece, budget_for, is_changelog, pack, speaks_of_changelogs
from pilotfish.retrieval.question import names_written_out, question_of
from pilotfish.workspace import paths

if TYPE_CHECKING:
    from pilotfish.engine.searching.ranked import Asking
    from pilotfish.engine.view import View
    from pilotfish.engine.wire import SearchDefaults

MAX_TASK: Final = 4_000
"""Characters of a task that count."""

MOST_HOLDING: Final = 12
"""A name that the task writes out and that no more passages have brings these first: of one that is everywhere they
would say little."""

_LAST_NAME: Final = re.compile(r"::|\.")

WEAK: Final = 0.15
"""A passage that scores less than this share of the best is left out, however much room there is."""


def budget_of(parameters: BuildContextParameters, defaults: SearchDefaults) -> int:
    """Return how many tokens a context may have: what the question says, else the setting, but no more than the share
    of the reader's whole context, where that is stated."""
    tokens = defaults.context_tokens if parameters.max_tokens is None else parameters.max_tokens
    if parameters.context_tokens is None:
        return tokens
    return min(tokens, budget_for(parameters.context_tokens, defaults.context_share))


def build_context(
    view: View,
    sources: Sources,
    asking: Asking,
    parameters: BuildContextParameters,
    defaults: SearchDefaults,
    count: Callable[[str], int],
    counter: str,
) -> BuildContextResult:
    """Put together what there is to read for a task; `count` counts the tokens of a text, `counter` says how.

    Raises:
        OperationError: a filter is wrong.

    """
    task = parameters.task.strip()[:MAX_TASK]
    budget = budget_of(parameters, defaults)
    wanted = Filter(parameters, task)
    result = BuildContextResult(max_tokens=budget, counter=counter, outcome="no_match")
    if not task:
        result.hint = "Say what is to be done or understood."
        return result
    question = question_of(task)
    found = asking.answers(question, wanted, None)
    result.intent = question.reading.intent
    result.coverage = Coverage(searched=found.searched, missing=found.missing)
    worth = _chosen(found.passages, task, defaults.max_chunks)
    first = _holding(view, sources, found.passages, names_written_out(task))[: defaults.max_chunks // 2]
    ranked = [*first, *(each for each in worth if each not in first)][: defaults.max_chunks]
    chosen = [focused(view, sources, each, question.terms) for each in ranked]
    packed = pack([_piece(view, sources, passage) for passage in chosen], budget, count)
    result.text, result.tokens = packed.text, packed.tokens
    result.left_out = len(found.passages) - len(packed.shown)
    by_place = {(passage.path, passage.line_start, passage.line_end): passage for passage in chosen}
    ranks = {place: rank for rank, place in enumerate(by_place)}
    shown = sorted(packed.shown, key=lambda each: ranks[each.piece.path, each.piece.line_start, each.piece.line_end])
    result.passages = [
        ContextPassage(
            path=piece.path,
            line_start=piece.line_start,
            line_end=piece.line_end,
            symbol_name=passage.name,
            symbol_type=passage.kind,
            form="full" if each.is_whole else "signature",
            tokens=count(piece.text if each.is_whole else piece.signature),
            why=passage.why,
            absolute_path=paths.join(view.root, piece.path) if parameters.absolute_paths else None,
        )
        for each in shown
        for piece in (each.piece,)
        for passage in (by_place[piece.path, piece.line_start, piece.line_end],)
    ]
    result.outcome = "found" if result.passages else "no_match"
    result.hint = _hint(result, found.passages)
    return result


def _chosen(passages: Sequence[Passage], task: str, most: int) -> list[Passage]:
    """Return the passages that are worth their tokens, best first: those that are not much worse than the best, without
    the notes of releases, unless the task is about these or there is nothing else."""
    chosen: list[Passage] = []
    notes: list[Passage] = []
    takes_notes = speaks_of_changelogs(task)
    for passage in passages:
        if len(chosen) == most or passage.score < WEAK * passages[0].score:
            break
        (notes if not takes_notes and is_changelog(passage.path) else chosen).append(passage)
    return chosen or notes[:most]


def _holding(view: View, sources: Sources, passages: Sequence[Passage], names: Sequence[str]) -> list[Passage]:
    """Return those of the passages found that have one of some names as it is written, best first."""
    holding: set[int] = set()
    for name in names:
        paths = set(view.mentioning(_LAST_NAME.split(name)[-1]))
        pattern = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
        near = [each for each, passage in enumerate(passages) if passage.path in paths] if paths else []
        sources.fetch({passages[each].path for each in near})
        found = [each for each in near if pattern.search(_text(sources, passages[each]))]
        if len(found) <= MOST_HOLDING:
            holding.update(found)
    return [passages[each] for each in sorted(holding)]


def _text(sources: Sources, passage: Passage) -> str:
    return "\n".join(sources.lines(passage.path, passage.line_start, passage.line_end))


def _piece(view: View, sources: Sources, passage: Passage) -> Piece:
    return Piece(
        path=passage.path,
        line_start=passage.line_start,
        line_end=passage.line_end,
        text=_text(sources, passage),
        signature=signature_of(view, sources, passage),
        language=passage.language,
    )


def _hint(result: BuildContextResult, found: Sequence[Passage]) -> str:
    if found and not result.passages:
        return "No passage fits; a larger max_tokens gives more room."
    if not found:
        return "Nothing was found for this task; say it in other words, or name files and functions."
    if result.left_out:
        more = "1 more passage was" if result.left_out == 1 else f"{result.left_out:,} more passages were"
        return f"{more} found: send a larger max_tokens, or search_code."
    return ""
