"""What modules give under a name, as imports write them: by their ends, which needs no list of all files."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Final

from pilotfish.graph.links import leads_to, module_segments, names_module

if TYPE_CHECKING:
    from pilotfish.engine.certainty.namesakes import Namesakes
    from pilotfish.engine.certainty.spelling import Spellings
    from pilotfish.engine.view import Definition, View
    from pilotfish.syntax.outline import Import

_HANDED_ON: Final = 4
"""Through so many modules a name is followed that hand it on."""


class Modules:
    """Finds what modules give under one name; `holders` gives the paths of the files that may hand it on."""

    def __init__(self, view: View, name: str, spellings: Spellings, holders: Callable[[], Iterable[str]]) -> None:
        self._view = view
        self._spellings = spellings
        self._name = name
        self._holders = holders
        self._known: dict[tuple[str, str], Sequence[Definition] | None] = {}
        self._handing_on: dict[str, list[str]] | None = None

    def given(self, module: str, importer: str, known: Namesakes, depth: int = 0) -> Sequence[Definition] | None:
        """Return the definitions that a module gives under the name, its own or handed on; None where it is not known
        to give any."""
        key = (module, importer)
        if key not in self._known:
            self._known[key] = None  # modules may hand on in a circle
            self._known[key] = self._given_by(module, importer, known, depth)
        return self._known[key]

    def _given_by(self, module: str, importer: str, known: Namesakes, depth: int) -> Sequence[Definition] | None:
        ends = leads_to(module, importer)[-1:]
        for end in ends:
            own = [each for each in known.holding(end) if _is_exactly(module, importer, each.address)]
            if own:
                return own
            if depth < _HANDED_ON:
                handed = self._handed_on(end, module, importer, known, depth)
                if handed is not None:
                    return handed
        # A package that is named by its folder, or a member by its module.
        near = [each for name in leads_to(module, importer)[-2:] for each in known.holding(name)]
        strength = {path: names_module(module, importer, path) for path in {each.address for each in near}}
        most = max(strength.values(), default=0)
        return [*dict.fromkeys(each for each in near if strength[each.address] == most)] if most else None

    def _handed_on(
        self, end: str, module: str, importer: str, known: Namesakes, depth: int
    ) -> Sequence[Definition] | None:
        if self._handing_on is None:
            self._handing_on = defaultdict(list)
            for path in self._holders():
                for segment in module_segments(path)[-1:]:
                    self._handing_on[segment].append(path)
        for path in self._handing_on.get(end, ()):
            if path == importer or not _is_exactly(module, importer, path):
                continue
            text = self._view.file(path)
            for claim in claims([] if text is None else self._spellings.of(text).imports, self._name):
                found = self.given(claim.module, path, known, depth + 1)
                if found is not None:
                    return found
        return None


def claims(imports: Iterable[Import], name: str) -> list[Import]:
    """Return those of some imports that name something called so, there or here."""
    return [each for each in imports if each.brings(name)]


def may_be_inside(module: str, known: Namesakes) -> bool:
    """Whether a module that leads to none of the definitions may yet be one that hands them on."""
    return module.lstrip("<\"'").startswith(".") or not known.segments.isdisjoint(leads_to(module, ""))


def _is_exactly(module: str, importer: str, path: str) -> bool:
    wanted = leads_to(module, importer)
    target = module_segments(path)
    return wanted == target if module.startswith(".") else bool(wanted) and target[-len(wanted) :] == wanted
