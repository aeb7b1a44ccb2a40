"""Uses of what is meant, told apart from those of its namesakes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from pilotfish.engine.certainty import Certainty, Judge
from pilotfish.engine.navigation.holders import Effort, Reads, holders_of
from pilotfish.engine.navigation.places import Place, is_quoted_type
from pilotfish.engine.navigation.uses import UsedAt, reads_in, texts_among, uses_in
from pilotfish.engine.resolution import Resolution
from pilotfish.engine.resolution.definitions import is_local
from pilotfish.engine.view import Definition, Text, View
from pilotfish.graph.builtin_names import BUILTIN_NAMES
from pilotfish.syntax.facts import language_family, related_languages
from pilotfish.syntax.outline import Role

_JUDGED_USES = 1_000
"""So many uses of one definition are judged; of others it is only known that they hold the name."""

_TOLD_BY_TYPES = frozenset({"java", "go", "python", "rust", "tsx", "typescript"})
"""Languages whose texts mostly say of what type an object is."""

_FEW_GUESSES = 20
"""So many uses that only hold a name are shown where none is bound."""

_TELLING = 8
"""Characters of a name that tells something."""


def uses_at(
    view: View, place: Place, targets: Sequence[Definition], effort: Effort
) -> Iterator[tuple[UsedAt, Certainty]]:
    """Yield the uses of what the name at a place means, in the order of `uses_of`, with how certain each is; those that
    are known to mean something else are left out.

    Of a local these are all in its scope. What is imported under another name is found under that name too. Where
    others may bear the name, a use that only holds it says little: such are left out, unless they are all there is, in
    a language whose texts do not say more.
    """
    if targets and is_local(targets[0]):
        yield from ((use, Certainty.BOUND) for use in local_uses(view, targets[0]))
        return
    others: list[UsedAt] = []
    alone, is_bound = is_alone(view, targets), False
    for use, certainty in _judged_at(view, place, targets, effort):
        if certainty is None and is_bound and not alone:
            break  # of the others nobody knows what they mean, and they are many
        if certainty is Certainty.BOUND or alone:
            is_bound |= certainty is Certainty.BOUND
            yield use, certainty or Certainty.NAME
        elif not is_bound and len(others) < _JUDGED_USES:
            others.append(use)
    if not is_bound and (alone or place.text.language not in _TOLD_BY_TYPES or len(others) <= _FEW_GUESSES):
        yield from ((use, Certainty.NAME) for use in others)


def is_alone(view: View, targets: Sequence[Definition]) -> bool:
    """Whether nothing else in the root bears the name of some definitions, nor what the language itself has. Members
    that no outline lists may bear a plain word too."""
    if not targets:
        return True
    first = targets[0]
    if first.name in BUILTIN_NAMES.get(language_family(first.language) or "", ()) or first.ordinal < -1:
        return False
    if first.container and first.language in _TOLD_BY_TYPES and not _is_telling(first.name):
        return False
    known = view.definitions(first.name, related_languages(first.language))
    places = {(each.address, each.container) for each in targets}
    return all((each.address, each.container) in places for each in known)


def _is_telling(name: str) -> bool:
    """Whether a name is of several words, so that hardly anything else is called so by chance."""
    return len(name) >= _TELLING and ("_" in name.strip("_") or name not in (name.lower(), name.upper()))


def _judged_at(
    view: View, place: Place, targets: Sequence[Definition], effort: Effort
) -> Iterator[tuple[UsedAt, Certainty | None]]:
    """Yield the uses of what is meant, with how certain each is; None for those that are too many to be judged."""
    name = targets[0].name if targets else place.name
    languages = None if place.text.language is None else related_languages(place.text.language)
    definitions = [each for each in view.definitions(name, languages) if each.ordinal >= 0]
    holders = holders_of(view, name, targets, place.text, effort)
    every = [*definitions, *targets]
    judge = Judge(view, name, every, targets, lambda: [*holders.near, *holders.far], effort.scoped_bytes)
    left = _JUDGED_USES
    for found in texts_among(holders, view, name, targets, place.text, effort):
        text = found[0].text
        uses = [*found, *_under_other_names(view, text, name)]
        if left > 0 and judge.expect(text, [use.start for use in uses]):
            uses += _in_quoted_types(view, text, name)
        for use in uses:
            left -= 1
            certainty = judge.certainty(text, use.start, use.stored, use.name or name) if left >= 0 else None
            if certainty is not Certainty.OTHER:
                yield use, certainty
        if text is not place.text:
            text.release()


def _in_quoted_types(view: View, text: Text, name: str) -> Iterator[UsedAt]:
    """Yield the uses in annotations of Python that are written as strings."""
    if text.language != "python":
        return
    quoted = re.compile(rb"[\"'\[,|. ]%s(?=[\"'\],|. \[])" % re.escape(name.encode()))
    offsets = [match.start() + 1 for match in quoted.finditer(text.text)]
    offsets = [each for each in offsets if _is_between_quotes(text.text, each) and is_quoted_type(view, text, each)]
    for offset, span in zip(offsets, text.word_spans(offsets, name), strict=True):
        yield UsedAt(text, offset, span, Role.TYPE)


def _is_between_quotes(text: bytes, offset: int) -> bool:
    """Whether quotation marks stand before and behind a place in its line: most places need no look at the scopes."""
    end = text.find(b"\n", offset)
    before = text[text.rfind(b"\n", 0, offset) + 1 : offset]
    behind = text[offset : len(text) if end < 0 else end]
    return any(mark in before and mark in behind for mark in (b'"', b"'"))


def _under_other_names(view: View, text: Text, name: str) -> Iterator[UsedAt]:
    """Yield the uses in a text that imports a name under another one: of that."""
    others = {each.alias for one in text.imports for each in one.names if each.name == name and each.alias != name}
    for other in sorted(others - {"*", ""}):
        for use in uses_in(text, other, Reads.ALL):
            yield replace(use, name=other)


def local_uses(view: View, target: Definition) -> list[UsedAt]:
    """Return the uses of a local: where its name stands in its scope and means it."""
    text = view.text_of(target)
    if text is None:
        return []
    resolution = Resolution(view)
    offsets = [
        offset
        for offset in reads_in(text, target.name, {-2 - target.ordinal}, Reads.ALL)
        if target in (resolution.meaning(text, target.name, offset) or ())
    ]
    return [
        UsedAt(text, each, span, None)
        for each, span in zip(offsets, text.word_spans(offsets, target.name), strict=True)
    ]


def judged_uses(
    view: View, target: Definition, definitions: Sequence[Definition], effort: Effort
) -> Iterator[tuple[UsedAt, Certainty]]:
    """Yield the uses that may mean one of the definitions of its name, in the order of `uses_of`, with how certain each
    is, as long as not too many are judged."""
    holders = holders_of(view, target.name, [target], None, effort)
    paths = [*holders.near, *holders.far]
    judge = Judge(view, target.name, definitions, [target], lambda: paths, effort.scoped_bytes)
    left = _JUDGED_USES
    for uses in texts_among(holders, view, target.name, [target], None, effort):
        if left > 0:
            judge.expect(uses[0].text, [use.start for use in uses])
        for use in uses:
            left -= 1
            certainty = judge.certainty(use.text, use.start, use.stored) if left >= 0 else Certainty.NAME
            if certainty is not Certainty.OTHER:
                yield use, certainty
        uses[0].text.release()
