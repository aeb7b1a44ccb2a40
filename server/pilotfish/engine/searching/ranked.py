"""Questions in words: all evidence gathered, put in order by the ranker in its two stages, and said once.

`retrieval` holds what decides; here is brought together what it needs to know, from one view.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, overload

from pilotfish.engine.passages import Passage
from pilotfish.engine.searching.gathering import MOST_BY_VECTOR, Gathered, Gathering
from pilotfish.engine.wire import NO_VECTORS, OperationError
from pilotfish.indexing.semantic import VectorsUnavailableError
from pilotfish.syntax.outline import SymbolKind
from pilotfish.workspace.secrets import redact

if TYPE_CHECKING:
    from pilotfish.engine.passages import Sources
    from pilotfish.engine.searching.filters import Filter
    from pilotfish.engine.searching.meaning import Meaning, Nearest
    from pilotfish.engine.view import View
    from pilotfish.operations.search import Evidence as Kind
    from pilotfish.retrieval.candidates import Candidate, Definition, Details
    from pilotfish.retrieval.question import Question
    from pilotfish.store.chunks import LookedUp
    from pilotfish.store.commits import Evidence

SCALE: Final = 2.5
"""A sum of weighed features that counts as a full score."""

_EVIDENCE: Final[tuple[Kind, ...]] = ("names", "text", "vectors", "history")

MAX_SUBJECT: Final = 60
"""Characters of a commit's subject that a result's reason shows."""


@dataclass(slots=True)
class Found:
    """The answers to a question in words, best first, what they were drawn from, and what was missing."""

    passages: Sequence[Passage] = ()
    searched: list[Kind] = field(default_factory=list)
    missing: str = ""
    hidden_tests: int = 0


class Asking:
    """One question in words to one view.

    Args:
        view: what the session sees.
        sources: its texts as they may be shown.
        meaning: the vectors.
        history_weight: how much past commits count, times what was fitted.

    """

    def __init__(self, view: View, sources: Sources, meaning: Meaning, *, history_weight: float = 1.0) -> None:
        self._view = view
        self._sources = sources
        self._meaning = meaning
        self._history_weight = history_weight

    def answers(
        self,
        question: Question,
        wanted: Filter,
        kinds: frozenset[SymbolKind] | None,
        *,
        threshold: float | None = None,
        by_meaning_alone: bool = False,
    ) -> Found:
        """Return all answers, in order.

        Args:
            question: what is asked.
            wanted: the files that are meant.
            kinds: the kinds of definitions that are meant.
            threshold: least cosine of what only vectors find; None for the model's own.
            by_meaning_alone: leave words and history out.

        Raises:
            OperationError: by meaning alone, and there is none to compare.

        """
        from pilotfish.retrieval.question import wanted as wanted_words

        found = Found(missing=self._meaning.missing)
        gathering = Gathering(self._view, wanted, kinds)
        answer = self._meaning.ask_nearest(question.text, MOST_BY_VECTOR, gathering.vector_filters())
        # All this while the vectors are looked through, by another process.
        known = self._view.reader.chunks.looked_up(wanted_words(question))
        evidence: Evidence | None = None
        if not by_meaning_alone:
            gathering.by_terms(question.terms, known=known)
            evidence = self._evidence(question)
        nearest: Nearest | None = None
        try:
            nearest = answer()
            found.missing = nearest.missing
            gathering.by_vector(nearest, MOST_BY_VECTOR)
        except VectorsUnavailableError as error:
            reason = f"Meaning was not compared: {error}"
            found.missing = found.missing or reason
            if by_meaning_alone and not self._meaning.is_awaited:
                raise OperationError(NO_VECTORS, reason, "search_type=hybrid answers by words") from error
        if evidence is not None:
            gathering.by_history(evidence)
        by_words = not by_meaning_alone
        done = {"names": by_words, "text": by_words, "vectors": nearest is not None, "history": evidence is not None}
        found.searched = [kind for kind in _EVIDENCE if done[kind]]
        least = threshold if threshold is not None else 0.0 if nearest is None else nearest.threshold
        chosen = [
            each
            for each in gathering.all()
            if each.terms or each.cosine is None or each.cosine >= least or each.row.path in gathering.voted_for
        ]
        found.hidden_tests = gathering.hidden_tests
        found.passages = self._ranked(question, nearest, chosen, evidence, known)
        return found

    def _evidence(self, question: Question) -> Evidence | None:
        """Return what past commits say; nothing to a name, which they would only blur."""
        if not self._history_weight or question.reading.identifier:
            return None
        evidence = self._view.reader.commits.evidence(question.terms)
        return evidence if evidence.files else None

    # --- order -------------------------------------------------------------------------------------------------------

    def _ranked(
        self,
        question: Question,
        nearest: Nearest | None,
        gathered: Sequence[Gathered],
        evidence: Evidence | None,
        known: LookedUp,
    ) -> Sequence[Passage]:
        from pilotfish.retrieval import ranking, variety
        from pilotfish.retrieval.features import Repository, first_columns
        from pilotfish.retrieval.intent import Style
        from pilotfish.retrieval.question import rarities

        if not gathered:
            return []
        candidates = _candidates(gathered, evidence)
        repository = Repository(
            rarities(question, known.frequencies, known.count), self._mean_cosine(nearest, gathered)
        )
        columns = first_columns(question, candidates, repository)
        columns["history"] *= self._history_weight
        first = ranking.first_stage(question, candidates, repository, columns)
        best = [each.place for each in first[: ranking.SECOND_STAGE_SIZE]]
        details = self._details(nearest, [gathered[place] for place in best])
        second = ranking.second_stage(
            question, [candidates[place] for place in best], details, repository, ranking.chosen(columns, best)
        )
        order = [(best[each.place], each.score) for each in second]
        floor = min((score for _, score in order), default=0.0)
        order += [(each.place, min(each.score, floor)) for each in first[len(best) :]]
        sketches = [details[each.place].sketch or None for each in second]
        kept = variety.varied(
            [candidates[place] for place, _ in order],
            [*sketches, *[None] * (len(order) - len(second))],
            about_files=question.reading.style is Style.CHANGE,
        )
        passages = _Passages(question, evidence)
        ceiling = 1.0
        for rank, line_start, line_end in kept:
            place, score = order[rank]
            ceiling = min(ceiling, max(score / SCALE, 0.0))  # an exact name comes first, whatever its sum
            definitions = details[second[rank].place].definitions if rank < len(second) else ()
            passages.add(gathered[place], ceiling, (line_start, line_end), definitions)
        return passages

    def _mean_cosine(self, nearest: Nearest | None, gathered: Sequence[Gathered]) -> float:
        if nearest is None or all(each.cosine is None for each in gathered):
            return 0.0
        try:
            return self._meaning.mean_cosine(nearest, self._view, self._sources)
        except VectorsUnavailableError:
            return 0.0

    def _details(self, nearest: Nearest | None, gathered: Sequence[Gathered]) -> list[Details]:
        """Return text and definitions of some candidates, and how near the question is to what these are called."""
        from pilotfish.retrieval.candidates import Details, signature_text
        from pilotfish.retrieval.variety import sketch_of
        from pilotfish.syntax.terms import terms

        paths = dict.fromkeys(each.row.path for each in gathered)
        self._view.files(paths)  # all at once
        self._sources.fetch(paths)
        definitions = list(map(self._definitions, gathered))
        heads = [definition for of_chunk in definitions for definition in of_chunk]
        answer: Callable[[], list[float]] = list
        if nearest is not None:
            asked = [definition.name for definition in heads] + list(map(signature_text, heads))
            answer = self._meaning.ask_cosines(nearest, asked)
        texts = list(map(self._text, gathered))  # while names are embedded, by another process
        of_texts = list(map(terms, texts))
        sketches = [sketch_of(of_text) if text else () for text, of_text in zip(texts, of_texts, strict=True)]
        cosines: list[float] = []
        with contextlib.suppress(VectorsUnavailableError):
            cosines = answer()
        names, signatures = cosines[: len(heads)], cosines[len(heads) :]
        details = []
        place = 0
        for text, of_text, of_chunk, sketch in zip(texts, of_texts, definitions, sketches, strict=True):
            until = place + len(of_chunk)
            details.append(Details(text, of_text, of_chunk, names[place:until], signatures[place:until], sketch))
            place = until
        return details

    def _definitions(self, gathered: Gathered) -> list[Definition]:
        from pilotfish.retrieval.candidates import definitions_in

        row = gathered.row
        file, source = self._view.file(row.path), self._sources.text(row.path)
        if file is None or file.language is None or not source:
            return []
        return definitions_in(file.symbols, file.language, source, row.start, row.end)

    def _text(self, gathered: Gathered) -> str:
        row = gathered.row
        return self._sources.text(row.path)[row.start : row.end].decode("utf-8", "replace")


class _Passages(Sequence["Passage"]):
    """The answers, best first. Hundreds are counted and few are shown: each is made when it is asked for."""

    def __init__(self, question: Question, evidence: Evidence | None) -> None:
        self._asked = frozenset(question.terms)
        self._why = _Reasons(evidence)
        self._answers: list[tuple[Gathered, float, tuple[int, int], Sequence[Definition]]] = []

    def add(self, gathered: Gathered, score: float, lines: tuple[int, int], definitions: Sequence[Definition]) -> None:
        """Add an answer; `definitions` are those that it may be about, as far as they are known."""
        self._answers.append((gathered, score, lines, definitions))

    def __len__(self) -> int:
        return len(self._answers)

    @overload
    def __getitem__(self, place: int) -> Passage: ...

    @overload
    def __getitem__(self, place: slice) -> list[Passage]: ...

    def __getitem__(self, place: int | slice) -> Passage | list[Passage]:
        if isinstance(place, slice):
            return [self._made(*answer) for answer in self._answers[place]]
        return self._made(*self._answers[place])

    def _made(
        self, gathered: Gathered, score: float, lines: tuple[int, int], definitions: Sequence[Definition]
    ) -> Passage:
        return _about(passage_of_row(gathered, score, self._why(gathered), lines), self._asked, definitions)


class _Reasons:
    """Says why chunks are answers."""

    def __init__(self, evidence: Evidence | None) -> None:
        self._votes = {} if evidence is None else evidence.votes
        self._shown: dict[str, str] = {}

    def __call__(self, gathered: Gathered) -> str:
        reasons = []
        if gathered.terms:
            reasons.append("words")
        if gathered.cosine is not None:
            reasons.append(f"meaning {gathered.cosine:.2f}")
        if gathered.row.path in self._votes:
            reasons.append(self._changed_by(gathered.row.path))
        return ", ".join(reasons)

    def _changed_by(self, path: str) -> str:
        """Name the commit that speaks for a file most. Its subject is looked through for secrets once: most of a file's
        chunks are answers, and most commits speak for many files."""
        subject = self._votes[path][0].subject
        if subject not in self._shown:
            shown = redact(subject.encode("utf-8", "replace")).decode("utf-8", "replace")
            shown = shown if len(shown) <= MAX_SUBJECT else shown[: MAX_SUBJECT - 1] + "…"
            self._shown[subject] = f'changed by "{shown}"'
        return self._shown[subject]


def _candidates(gathered: Sequence[Gathered], evidence: Evidence | None) -> list[Candidate]:
    from pilotfish.retrieval.candidates import UNKNOWN, Candidate

    return [
        Candidate(
            id=each.row.id,
            path=each.row.path,
            line_start=each.row.line_start,
            line_end=each.row.line_end,
            size=each.row.end - each.row.start,
            kind=each.row.kind,
            name=each.row.name,
            scope=each.row.scope,
            names=tuple(each.row.names.split()),
            lexical=each.terms,
            cosine=UNKNOWN if each.cosine is None else each.cosine,
            history=0.0 if evidence is None else evidence.files.get(each.row.path, 0.0),
        )
        for each in gathered
    ]


def _about(passage: Passage, asked: frozenset[str], definitions: Sequence[Definition]) -> Passage:
    """Name a passage by that of its definitions whose head has most of the question; by the first where none has more
    than others."""
    heads = [len(asked & each.words) for each in definitions]
    if not heads or max(heads) == min(heads):
        return passage
    best = definitions[heads.index(max(heads))]
    return replace(passage, name=best.name, kind=SymbolKind(best.kind).label, parent=best.scope)


def passage_of_row(gathered: Gathered, score: float, why: str, lines: tuple[int, int] | None = None) -> Passage:
    """Return a chunk as a result; `lines` are the first and the last to show, if not its own."""
    row = gathered.row
    line_start, line_end = lines or (row.line_start, row.line_end)
    return Passage(
        path=row.path,
        line_start=line_start,
        line_end=line_end,
        name=row.name,
        kind="" if row.kind is None else SymbolKind(row.kind).label,
        parent=row.scope,
        language=row.language or "",
        score=score,
        similarity=gathered.cosine,
        why=why,
    )
