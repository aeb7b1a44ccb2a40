"""Questions in words: all evidence gathered, put in order by the ranker in its two stages, and said once.

`retrieval` holds what decides; here is brought together what it needs to know, from one view.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from pilotfish.engine.gathering import MOST_BY_VECTOR, Gathered, Gathering
from pilotfish.engine.passages import Passage
from pilotfish.indexing.semantic import VectorsUnavailableError
from pilotfish.syntax.outline import SymbolKind
from pilotfish.syntax.terms import terms
from pilotfish.syntax.text import lines_and_columns
from pilotfish.workspace.secrets import redact

if TYPE_CHECKING:
    from pilotfish.engine.filters import Filter
    from pilotfish.engine.meaning import Meaning
    from pilotfish.engine.passages import Sources
    from pilotfish.engine.view import View
    from pilotfish.operations.search import Evidence as Kind
    from pilotfish.retrieval.candidates import Candidate, Definition, Details
    from pilotfish.retrieval.question import Question
    from pilotfish.store.commits import Evidence

SCALE: Final = 2.5
"""A sum of weighed features that counts as a full score."""

MAX_SUBJECT: Final = 60
"""Characters of a commit's subject that a result's reason shows."""


@dataclass(slots=True)
class Found:
    """The answers to a question in words, best first, what they were drawn from, and what was missing."""

    passages: list[Passage] = field(default_factory=list)
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
            by_meaning_alone: leave words and history out, as long as there are vectors.

        """
        found = Found(missing=self._meaning.missing)
        gathering = Gathering(self._view, wanted, kinds)
        least = 0.0
        try:
            nearest = self._meaning.nearest(question.text, MOST_BY_VECTOR, gathering.vector_filters())
            gathering.by_vector(nearest.hits)
            least = nearest.threshold
            found.searched.append("vectors")
        except VectorsUnavailableError as error:
            found.missing = found.missing or f"Meaning was not compared: {error}"
        evidence: Evidence | None = None
        if not (by_meaning_alone and found.searched):
            gathering.by_terms(question.terms)
            found.searched[:0] = ["names", "text"]
            evidence = self._evidence(question)
            if evidence is not None:
                gathering.by_history(evidence)
                found.searched.append("history")
        least = least if threshold is None else threshold
        chosen = [
            each
            for each in gathering.all()
            if each.terms or each.cosine is None or each.cosine >= least or each.row.path in gathering.voted_for
        ]
        found.hidden_tests = gathering.hidden_tests
        found.passages = self._ranked(question, chosen, evidence)
        return found

    def _evidence(self, question: Question) -> Evidence | None:
        """Return what past commits say; nothing to a name, which they would only blur."""
        if not self._history_weight or question.reading.identifier:
            return None
        evidence = self._view.reader.commits.evidence(question.terms)
        return evidence if evidence.files else None

    # --- order -------------------------------------------------------------------------------------------------------

    def _ranked(self, question: Question, gathered: Sequence[Gathered], evidence: Evidence | None) -> list[Passage]:
        from pilotfish.retrieval import ranking, variety
        from pilotfish.retrieval.features import Repository, first_columns
        from pilotfish.retrieval.question import rarities, wanted

        if not gathered:
            return []
        candidates = _candidates(gathered, evidence)
        chunks = self._view.reader.chunks
        repository = Repository(
            rarities(question, chunks.frequencies(wanted(question)), chunks.count()),
            self._mean_cosine(question, gathered),
        )
        columns = first_columns(question, candidates, repository)
        columns["history"] *= self._history_weight
        first = ranking.first_stage(question, candidates, repository, columns)
        best = [each.place for each in first[: ranking.SECOND_STAGE_SIZE]]
        details = self._details(question, [gathered[place] for place in best])
        second = ranking.second_stage(
            question, [candidates[place] for place in best], details, repository, ranking.chosen(columns, best)
        )
        order = [(best[each.place], each.score) for each in second]
        floor = min((score for _, score in order), default=0.0)
        order += [(each.place, min(each.score, floor)) for each in first[len(best) :]]
        texts = [self._text(gathered[place]) if rank < len(best) else None for rank, (place, _) in enumerate(order)]
        kept = variety.varied([candidates[place] for place, _ in order], texts)
        passages = []
        ceiling = 1.0
        for rank, line_start, line_end in kept:
            place, score = order[rank]
            ceiling = min(ceiling, max(score / SCALE, 0.0))  # an exact name comes first, whatever its sum
            passage = passage_of_row(gathered[place], ceiling, self._why(gathered[place], evidence))
            if rank < len(second):
                passage = _about(passage, question, details[second[rank].place].definitions)
            passages.append(replace(passage, line_start=line_start, line_end=line_end))
        return passages

    def _mean_cosine(self, question: Question, gathered: Sequence[Gathered]) -> float:
        if all(each.cosine is None for each in gathered):
            return 0.0
        try:
            return self._meaning.mean_cosine(question.text, self._view, self._sources)
        except VectorsUnavailableError:
            return 0.0

    def _details(self, question: Question, gathered: Sequence[Gathered]) -> list[Details]:
        """Return text and definitions of some candidates, and how near the question is to what these are called."""
        from pilotfish.retrieval.candidates import Details, definitions_in, signature_text

        texts = [self._text(each) for each in gathered]
        definitions: list[list[Definition]] = []
        for each in gathered:
            file = self._view.file(each.row.path)
            source = self._sources.text(each.row.path)
            if file is None or not source:
                definitions.append([])
                continue
            definitions.append(definitions_in(file.outline, source, each.row.start, each.row.end, _LineOf(source)))
        heads = [definition for of_chunk in definitions for definition in of_chunk]
        try:
            asked = [definition.name for definition in heads] + list(map(signature_text, heads))
            cosines = self._meaning.cosines(question.text, asked)
        except VectorsUnavailableError:
            cosines = []
        names, signatures = cosines[: len(heads)], cosines[len(heads) :]
        details = []
        place = 0
        for text, of_chunk in zip(texts, definitions, strict=True):
            until = place + len(of_chunk)
            details.append(Details(text, of_chunk, names[place:until], signatures[place:until]))
            place = until
        return details

    def _text(self, gathered: Gathered) -> str:
        row = gathered.row
        return self._sources.text(row.path)[row.start : row.end].decode("utf-8", "replace")

    def _why(self, gathered: Gathered, evidence: Evidence | None) -> str:
        reasons = []
        if gathered.terms:
            reasons.append("words")
        if gathered.cosine is not None:
            reasons.append(f"meaning {gathered.cosine:.2f}")
        if evidence is not None and (votes := evidence.votes.get(gathered.row.path)):
            subject = redact(votes[0].subject.encode("utf-8", "replace")).decode("utf-8", "replace")
            shown = subject if len(subject) <= MAX_SUBJECT else subject[: MAX_SUBJECT - 1] + "…"
            reasons.append(f'changed by "{shown}"')
        return ", ".join(reasons)


class _LineOf:
    """Gives the line of byte offsets in a text, counted from 1."""

    def __init__(self, text: bytes) -> None:
        self._text = text

    def __call__(self, offset: int) -> int:
        return lines_and_columns(self._text, [offset])[0][0] + 1


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


def _about(passage: Passage, question: Question, definitions: Sequence[Definition]) -> Passage:
    """Name a passage by that of its definitions whose head has most of the question; by the first where none has more
    than others."""
    asked = frozenset(question.terms)
    heads = [len(asked.intersection(terms(f"{each.scope} {each.signature}").split())) for each in definitions]
    if not heads or max(heads) == min(heads):
        return passage
    best = definitions[heads.index(max(heads))]
    return replace(passage, name=best.name, kind=SymbolKind(best.kind).label, parent=best.scope)


def passage_of_row(gathered: Gathered, score: float, why: str) -> Passage:
    """Return a chunk as a result."""
    row = gathered.row
    return Passage(
        path=row.path,
        line_start=row.line_start,
        line_end=row.line_end,
        name=row.name,
        kind="" if row.kind is None else SymbolKind(row.kind).label,
        parent=row.scope,
        language=row.language or "",
        score=score,
        similarity=gathered.cosine,
        why=why,
    )
