"""Pages of the lines that use a name, for those who ask by name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, islice
from typing import Generic, TypeVar

from pilotfish.engine.certainty import Certainty, Judge
from pilotfish.engine.navigation.holders import Effort, holders_of
from pilotfish.engine.navigation.uses import UsedAt, texts_among
from pilotfish.engine.view import Definition, View

T = TypeVar("T")

_FEW_FILES = 50
"""Where so many files may use a name, all of its uses are put in order, else only those in the nearest."""

_NEAREST_FILES = 15
_NEAREST_LINES = 80
"""In so many files, or as many as hold so many lines, uses that mean what is asked for come first in any case."""

_JUDGED_LINES = 100
_JUDGED_LINES_OF_FEW = 500
"""So many lines on pages, of a name in few files, are judged; of others it is only known that they hold the name."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line that uses a name: its first use in each role, and how certain it is that one of them is meant."""

    uses: tuple[UsedAt, ...]
    certainty: Certainty

    @property
    def use(self) -> UsedAt:
        """The first."""
        return self.uses[0]

    @property
    def roles(self) -> list[str]:
        """What the uses do there."""
        return [each.role for each in self.uses]


@dataclass(frozen=True, slots=True)
class UsesPage(Generic[T]):
    """Some of the lines that use a name, as they are shown, and how many there are in all.

    Of the `total`, `bound` are known to mean what was asked for, the others hold the name; `others` that are not among
    them mean another definition of it. `at_least` where not all were looked at one by one: of the others it is counted
    how often they hold the name, and reads among them are not.
    """

    shown: list[T]
    total: int
    at_least: bool
    bound: int
    others: int


def page_of_uses(
    view: View,
    name: str,
    definitions: Sequence[Definition],
    targets: Sequence[Definition],
    page: range,
    show: Callable[[Line], T],
    effort: Effort,
) -> UsesPage[T]:
    """Return those of the lines that use some of the definitions of a name that are on a page, each as `show` gives it.

    Lines that mean another definition are left out. Of the nearest files, those that mean a target for certain come
    before those that only hold the name; those of the other files follow as they are found.
    """
    holders = holders_of(view, name, targets, None, effort)
    judge = Judge(view, name, definitions, targets, lambda: [*holders.near, *holders.far], effort.scoped_bytes)
    texts = texts_among(holders, view, name, targets, None, effort)
    counts: Counter[Certainty] = Counter()
    references, files = 0, 0
    are_few = len(holders.near) + len(holders.reading) <= _FEW_FILES and not holders.are_cut
    most = _JUDGED_LINES_OF_FEW if are_few else _JUDGED_LINES

    def judged(uses: Sequence[UsedAt]) -> list[Line]:
        nonlocal references, files
        left = max(0, most - counts.total())
        lines = [*_by_line(uses)]
        judge.expect(uses[0].text, [use.start for line in lines[:left] for use in line])
        found = [_line(each, judge if number < left else None) for number, each in enumerate(lines)]
        counts.update(each.certainty for each in found)
        stored = sum(each.role != "read" for each in uses)
        references, files = references + stored, files + (stored > 0)
        return [each for each in found if each.certainty is not Certainty.OTHER]

    nearest: list[Line] = []
    for uses in islice(texts, None if are_few else _NEAREST_FILES):
        nearest += judged(uses)
        if counts.total() >= _NEAREST_LINES and not are_few:
            break
    nearest.sort(key=lambda line: line.certainty is not Certainty.BOUND)
    shown = [show(line) for line in nearest[page.start : page.stop]]
    for line in nearest:
        line.use.text.release()
    seen, is_whole = len(nearest), True
    for uses in texts:
        if seen >= page.stop:
            is_whole = False
            break
        for line in judged(uses):
            if seen in page:
                shown.append(show(line))
            seen += 1
        uses[0].text.release()
    if is_whole:
        return UsesPage(shown, seen, holders.are_cut, counts[Certainty.BOUND], counts[Certainty.OTHER])
    stored, of_files = view.uses(name)
    left = max(0, (stored - references) if holders.referencing >= of_files else holders.referencing - files)
    return UsesPage(shown, seen + max(1, left), True, counts[Certainty.BOUND], counts[Certainty.OTHER])


def _line(uses: Sequence[UsedAt], judge: Judge | None) -> Line:
    """Judge the uses on one line by the best of them, and keep that in each role."""
    verdicts = [Certainty.NAME if judge is None else judge.certainty(use.text, use.start, use.stored) for use in uses]
    verdict = next(each for each in Certainty if each in verdicts)
    roles: dict[str, UsedAt] = {}
    for use, found in zip(uses, verdicts, strict=True):
        if found is verdict:
            roles.setdefault(use.role, use)
    if "import" in roles:
        roles.pop("read", None)  # the name that it has here
    return Line(tuple(roles.values()), verdict)


def _by_line(uses: Sequence[UsedAt]) -> Iterator[list[UsedAt]]:
    for _, found in groupby(uses, key=lambda use: use.span.start.line):
        yield list(found)
