"""Code like a given piece: a definition, some lines, or a text that is sent.

Vectors say what means the same, the rarest terms of the piece what is written alike. What both bring is compared by its
terms, weighed by how rare they are, so that the order is the same sort of number for all.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pilotfish.engine import near_paths
from pilotfish.engine.addresses import path_of_argument
from pilotfish.engine.naming import closest
from pilotfish.engine.navigation.names import definitions_named
from pilotfish.engine.passages import Passage, Sources, of_definition
from pilotfish.engine.searching.filters import Filter, kinds_named
from pilotfish.engine.searching.gathering import Gathered, Gathering
from pilotfish.engine.searching.ranked import passage_of_row
from pilotfish.engine.searching.search import overlap, page_of
from pilotfish.engine.wire import INVALID_PARAMS, OperationError
from pilotfish.indexing.semantic import VectorsUnavailableError
from pilotfish.operations.search import Coverage, Evidence, FindSimilarParameters, FindSimilarResult, Paged
from pilotfish.syntax.passages import passage_of
from pilotfish.syntax.terms import terms

if TYPE_CHECKING:
    from pilotfish.engine.searching.meaning import Meaning
    from pilotfish.engine.view import View

MAX_PIECE: Final = 20_000
"""Characters of the piece that count."""

RAREST: Final = 24
"""Terms of the piece that are looked up."""

COMPARED: Final = 150
"""Chunks that are compared with the piece."""

COPY: Final = 0.9
"""From this likeness on something is a copy, or nearly."""

LEAST: Final = 0.05
"""Less likeness by words, and none by meaning, is chance."""


@dataclass(frozen=True, slots=True)
class Piece:
    """What others are compared with: its text as it may be shown, what it is called, and where it lies, if it lies
    anywhere."""

    subject: str
    code: str
    passage: str
    place: Passage | None = None


def piece_of(view: View, sources: Sources, parameters: FindSimilarParameters) -> Piece | None:
    """Return the piece that is meant; None where it is not in the index.

    Raises:
        OperationError: not exactly one piece is named, or the file lies outside the root.

    """
    named = [parameters.symbol_name is not None, parameters.file_path is not None, parameters.snippet is not None]
    if sum(named) != 1:
        raise OperationError(
            INVALID_PARAMS,
            "find_similar needs one piece of code",
            "send symbol_name, or file_path with line_start and line_end, or snippet",
        )
    if parameters.snippet is not None:
        code = parameters.snippet[:MAX_PIECE]
        return Piece("the snippet", code, passage_of(code, "", ""))
    if parameters.symbol_name is not None:
        return definition_piece(view, sources, parameters.symbol_name, parameters.file_hint)
    assert parameters.file_path is not None
    return _lines(view, sources, parameters.file_path, parameters.line_start, parameters.line_end)


def find_similar(
    view: View, sources: Sources, parameters: FindSimilarParameters, meaning: Meaning, page_size: int
) -> FindSimilarResult:
    """Compare a piece with what is like it, and show a page of that, `page_size` long where the question does not say.

    Raises:
        OperationError: see `piece_of`; or a filter is wrong.

    """
    piece = piece_of(view, sources, parameters)
    name = parameters.symbol_name
    if piece is None:
        return FindSimilarResult(
            outcome="no_match", hint=_nothing(sources, parameters) if name is None else closest(view, name)
        )
    passages, coverage = like(view, sources, piece, parameters, meaning)
    size = parameters.max_results or page_size
    result = FindSimilarResult(
        subject=piece.subject,
        results=page_of(view, sources, passages, parameters, size),
        total=len(passages),
        page=parameters.page,
        truncated=len(passages) > parameters.page * size,
        coverage=coverage,
    )
    result.outcome = "found" if result.results else "no_match"
    called = 0
    if name is not None and parameters.file_hint is None:
        called = len(definitions_named(view, name, None))
    result.hint = _hint(result, called)
    return result


def _hint(result: FindSimilarResult, called: int) -> str:
    parts = [f"page={result.page + 1} shows more."] if result.truncated else []
    if called > 1:
        parts.append(f"{called:,} definitions are called so; file_hint chooses another.")
    return " ".join(parts)


def like(
    view: View, sources: Sources, piece: Piece, parameters: Paged, meaning: Meaning
) -> tuple[list[Passage], Coverage]:
    """Return what is like a piece, most alike first, and what it was compared by.

    Raises:
        OperationError: a filter is wrong.

    """
    gathering = Gathering(view, Filter(parameters, piece.subject), kinds_named(parameters.kind))
    searched: list[Evidence] = ["text"]
    missing, least = meaning.missing, LEAST
    try:
        nearest = meaning.nearest(piece.passage, COMPARED, gathering.vector_filters(), as_passage=True)
        missing = nearest.missing
        gathering.by_vector(nearest, COMPARED)
        searched.append("vectors")
        least = nearest.threshold if parameters.similarity_threshold is None else parameters.similarity_threshold
    except VectorsUnavailableError as error:
        missing = missing or f"Meaning was not compared: {error}"
    rarities = _rarities(view, piece.code)
    rarest = sorted(rarities, key=lambda term: (-rarities[term], term))[:RAREST]
    gathering.by_terms(rarest, COMPARED)
    passages: list[Passage] = []
    for gathered in gathering.all():
        passage = _compared(sources, gathered, rarities)
        if piece.place is not None and overlap(passage, piece.place):
            continue
        if (gathered.terms and passage.score >= LEAST) or (gathered.cosine or 0.0) >= least:
            passages.append(passage)
    passages.sort(key=lambda each: (-each.score, each.path, each.line_start))
    return passages, Coverage(searched=searched, missing=missing)


def _nothing(sources: Sources, parameters: FindSimilarParameters) -> str:
    if parameters.file_path is None:
        return "There is nothing to compare: send more of the code."
    return near_paths.advice(sources, parameters.file_path)


def _compared(sources: Sources, gathered: Gathered, rarities: Mapping[str, float]) -> Passage:
    """Score a chunk: half by meaning and half by words, where both are known."""
    row = gathered.row
    code = sources.text(row.path)[row.start : row.end].decode("utf-8", "replace")
    alike = _likeness(rarities, set(terms(code).split()))
    score = alike if gathered.cosine is None else (alike + max(gathered.cosine, 0.0)) / 2
    why = (
        "a copy, or nearly"
        if alike >= COPY
        else f"{alike:.0%} of the words" + ("" if gathered.cosine is None else f", meaning {gathered.cosine:.2f}")
    )
    return passage_of_row(gathered, score, why)


def _likeness(rarities: Mapping[str, float], others: set[str]) -> float:
    """Return the weighted Jaccard index of the terms of a piece and those of another; terms that only the other has
    weigh as much as the piece's do on average."""
    shared = math.fsum(weight for term, weight in rarities.items() if term in others)
    all_own = math.fsum(rarities.values())
    if not all_own:
        return 0.0
    foreign = len(others - rarities.keys()) * all_own / len(rarities)
    return shared / (all_own + foreign)


def _rarities(view: View, code: str) -> dict[str, float]:
    """Return the terms of a piece with their inverse document frequency."""
    chunks = view.reader.chunks
    own = list(dict.fromkeys(terms(code).split()))
    counts = chunks.frequencies(own)
    total = chunks.count()
    return {term: math.log1p(total / (1 + counts.get(term, 0))) for term in own}


def definition_piece(view: View, sources: Sources, name: str, file_hint: str | None) -> Piece | None:
    """Return the likeliest definition of a name as a piece; None where there is none."""
    found = definitions_named(view, name, file_hint)
    place = of_definition(view, found[0], score=0.0, why="") if found else None
    if place is None:
        return None
    code = "\n".join(sources.lines(place.path, place.line_start, place.line_end))[:MAX_PIECE]
    title = f"{place.parent}.{place.name}" if place.parent else place.name
    subject = f"{place.kind} {title} in {place.path}:{place.line_start}-{place.line_end}"
    return Piece(subject, code, passage_of(code, place.name, place.parent), place)


def _lines(view: View, sources: Sources, file_path: str, first: int | None, last: int | None) -> Piece | None:
    path = path_of_argument(view.root, file_path)
    if path is None:
        raise OperationError(INVALID_PARAMS, f"{file_path} lies outside the root", "name a file relative to the root")
    first = first or 1
    last = last or (first if first > 1 else 1_000_000)
    if last < first:
        raise OperationError(INVALID_PARAMS, f"line {last} comes before line {first}", "send line_start first")
    lines = sources.lines(path, first, last)
    code = "\n".join(lines)[:MAX_PIECE]
    if not code.strip():
        return None
    place = Passage(path, first, first + len(lines) - 1)
    return Piece(f"{path}:{place.line_start}-{place.line_end}", code, passage_of(code, "", ""), place)
