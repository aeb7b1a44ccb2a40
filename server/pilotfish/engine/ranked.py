"""Questions in words: all evidence gathered, put in order by the ranker in its two stages, and said once.

`retrieval` holds what decides; here is brought together what it needs to know, from one view.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from pilotfish.engine.gathering import MOST_BY_VECTOR, Gathered, Gathering
from pilotfish.engine.passages import Passage
from pilotfish.indexing.semantic import VectorsUnavailableError
from pilotfish.syntax.outline import SymbolKind
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
    from pilotfish.store.commits import Evidence, FileChanges

SCALE: Final = 2.5
"""A sum of weighed features that counts as a full score."""

MAX_SUBJECT: Final = 60
"""Characters of a commit's subject that a result's reason shows."""


class Churn:
    """How often files were changed: kept as long as the history stays what it is, since all of it is read for that."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: tuple[int, Mapping[str, FileChanges]] | None = None

    def of(self, view: View) -> Mapping[str, FileChanges]:
        """Return the number of commits and the last one of each file."""
        commits = view.reader.commits
        revision = commits.revision()
        with self._lock:
            if self._known is None or self._known[0] != revision:
                self._known = revision, commits.changes()
            return self._known[1]


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
        churn: how often files were changed.
        history_weight: how much past commits count, times what was fitted.

    """

    def __init__(
        self, view: View, sources: Sources, meaning: Meaning, churn: Churn, *, history_weight: float = 1.0
    ) -> None:
        self._view = view
        self._sources = sources
        self._meaning = meaning
        self._churn = churn
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
        chosen = [each for each in gathering.all() if each.terms or each.cosine is None or each.cosine >= least]
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
        churn = self._churn.of(self._view) if evidence is not None else {}
        candidates = self._candidates(gathered, evidence, churn)
        chunks = self._view.reader.chunks
        repository = Repository(
            rarities(question, chunks.frequencies(wanted(question)), chunks.count()),
            self._mean_cosine(question, gathered),
            max((changes.commits for changes in churn.values()), default=0),
        )
        columns = first_columns(question, candidates, repository)
        columns = {name: column * self._weight_of(name) for name, column in columns.items()}
        first = ranking.first_stage(question, candidates, repository, columns)
        best = [each.place for each in first[: ranking.SECOND_STAGE_SIZE]]
        second = ranking.second_stage(
            question,
            [candidates[place] for place in best],
            self._details(question, [gathered[place] for place in best]),
            repository,
            ranking.chosen(columns, best),
        )
        order = [(best[each.place], each.score) for each in second]
        floor = min((score for _, score in order), default=0.0)
        order += [(each.place, min(each.score, floor)) for each in first[len(best) :]]
        texts = [self._text(gathered[place]) if rank < len(best) else None for rank, (place, _) in enumerate(order)]
        kept = variety.varied([candidates[place] for place, _ in order], texts)
        passages = []
        ceiling = 1.0
        for rank in kept:
            place, score = order[rank]
            ceiling = min(ceiling, max(score / SCALE, 0.0))  # an exact name comes first, whatever its sum
            passages.append(passage_of_row(gathered[place], ceiling, self._why(gathered[place], evidence)))
        return passages

    def _weight_of(self, feature: str) -> float:
        return self._history_weight if feature in ("history", "history_lift", "changes") else 1.0

    def _mean_cosine(self, question: Question, gathered: Sequence[Gathered]) -> float:
        if all(each.cosine is None for each in gathered):
            return 0.0
        try:
            return self._meaning.mean_cosine(question.text, self._view, self._sources)
        except VectorsUnavailableError:
            return 0.0

    def _candidates(
        self, gathered: Sequence[Gathered], evidence: Evidence | None, churn: Mapping[str, FileChanges]
    ) -> list[Candidate]:
        from pilotfish.retrieval.candidates import UNKNOWN, Candidate

        sizes = {path: self._size(path) for path in {each.row.path for each in gathered}}
        return [
            Candidate(
                id=each.row.id,
                path=each.row.path,
                line_start=each.row.line_start,
                line_end=each.row.line_end,
                size=each.row.end - each.row.start,
                file_size=sizes[each.row.path],
                kind=each.row.kind,
                name=each.row.name,
                scope=each.row.scope,
                names=tuple(each.row.names.split()),
                lexical=each.terms,
                cosine=UNKNOWN if each.cosine is None else each.cosine,
                history=0.0 if evidence is None else evidence.files.get(each.row.path, 0.0),
                changes=churn[each.row.path].commits if each.row.path in churn else 0,
            )
            for each in gathered
        ]

    def _size(self, path: str) -> int:
        overlay = self._view.overlays().get(path)
        if overlay is not None:
            return len(overlay.text)
        row = self._view.reader.file(path)
        return 0 if row is None else row.size

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
