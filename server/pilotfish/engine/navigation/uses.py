"""Where a name is used: stored references, and reads that are found in the texts of files that may hold it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from pilotfish.engine.navigation.holders import Effort, Holders, Reads, candidates_among, holders_of
from pilotfish.engine.view import Definition, Text, View
from pilotfish.operations.answer import Span
from pilotfish.syntax.languages import REGISTRY
from pilotfish.syntax.outline import Role
from pilotfish.syntax.words import code_only, occurrences
from pilotfish.workspace.paths import Folders

_BATCH = 50
"""Files beyond the nearest that are fetched at once: whoever asks may have enough before the last of them."""


@dataclass(frozen=True, slots=True)
class UsedAt:
    """One use of a name: its text, offset and role, where the outline stores one, and the name there where it has
    another one than where it is defined."""

    text: Text
    start: int
    span: Span
    stored: Role | None
    name: str = ""

    @property
    def role(self) -> str:
        """The role in a word: `read` where none is stored."""
        return "read" if self.stored is None else self.stored.name.lower()


def uses_of(
    view: View, name: str, targets: Sequence[Definition], origin: Text | None, effort: Effort
) -> Iterator[UsedAt]:
    """Yield the uses of a name, best first: the files that define it, those that import them, the others.

    A definition inside a function is seen in its own file only. No text uses what is defined in an unrelated language,
    nor, where nothing is defined, what is built into one. `origin` is the text in which the question was asked; its
    uses come first.

    Of a name that many files use, only as many as `effort` says are judged by what they import and searched for reads:
    those that define it, and those whose folders are the closest to `origin` and to the best definitions. Of the
    others follow the stored references, the closest first. Files that only read the name have no stored reference to
    it; they are looked at where there are not too many of the others.
    """
    return uses_among(holders_of(view, name, targets, origin, effort), view, name, targets, origin, effort)


def count_uses(
    view: View, name: str, targets: Sequence[Definition], origin: Text | None, effort: Effort
) -> tuple[int, int]:
    """Return how often a name is used and in how many files: reads among them, unless that took more than `effort`."""
    holders = holders_of(view, name, targets, origin, effort)
    if holders.are_cut:
        return view.uses(name)
    found = uses_among(holders, view, name, targets, origin, effort)
    files = Counter(use.text.address for use in found)
    return files.total(), len(files)


def uses_among(
    holders: Holders, view: View, name: str, targets: Sequence[Definition], origin: Text | None, effort: Effort
) -> Iterator[UsedAt]:
    """Yield the uses of a name in the files that may hold it; the texts are let go of."""
    for uses in texts_among(holders, view, name, targets, origin, effort):
        yield from uses
        if uses[0].text is not origin:
            uses[0].text.release()


def texts_among(
    holders: Holders, view: View, name: str, targets: Sequence[Definition], origin: Text | None, effort: Effort
) -> Iterator[list[UsedAt]]:
    """Yield the uses in each text that has any; whoever takes them lets go of the text."""
    left = effort.read_bytes
    with Folders(view.root) as folders:
        for candidate in candidates_among(holders, view, name, targets, origin):
            text = candidate.text
            left -= text.size
            if left < 0:
                uses = uses_in(text, name, Reads.NONE)
            elif text.is_current(folders):
                uses = uses_in(text, name, candidate.reads)
            else:
                continue
            if uses:
                yield uses
            elif text is not origin:
                text.release()
    for start in range(0, len(holders.far), _BATCH):
        for text in view.files(holders.far[start : start + _BATCH]):
            if uses := uses_in(text, name, Reads.NONE):
                yield uses


def uses_in(text: Text, name: str, reads: Reads) -> list[UsedAt]:
    """Return the uses of a name in one text, in its order: stored references and the reads that are believed."""
    mentions = text.mentions(name)
    stored = mentions.references
    offsets = [*stored]
    if reads is not Reads.NONE:
        others = reads_in(text, name, {*stored, *mentions.definitions}, reads)
        offsets += others if not _has_clauses(text) else _without_clauses(text, others, mentions.definitions)
    offsets.sort()
    spans = text.word_spans(offsets, name)
    return [UsedAt(text, offset, span, stored.get(offset)) for offset, span in zip(offsets, spans, strict=True)]


def _has_clauses(text: Text) -> bool:
    known = REGISTRY.get(text.language or "")
    return known is not None and known.continues is not None


def _without_clauses(text: Text, offsets: Sequence[int], definitions: Sequence[int]) -> list[int]:
    """Return the places that do not begin a further clause of a definition (an equation of Haskell): there the name
    stands behind the same words as in the first, or at the very beginning of a line."""
    heads = {_line_before(text.text, each) for each in definitions}
    heads = {head for head in heads if head.strip() or not head}
    return [each for each in offsets if _line_before(text.text, each) not in heads]


def _line_before(text: bytes, offset: int) -> bytes:
    return text[text.rfind(b"\n", 0, offset) + 1 : offset]


def reads_in(text: Text, name: str, known: set[int], reads: Reads) -> list[int]:
    """Return where a name stands in the code of a text, what is known of it apart."""
    others = [offset for offset in occurrences(text.text, name.encode(), text.language) if offset not in known]
    if reads is Reads.QUALIFIED:
        others = [offset for offset in others if _is_qualified(text.text, offset)]
    elif reads is Reads.LABELLED:
        length = len(name.encode())
        others = [each for each in others if _is_qualified(text.text, each) or _LABEL.match(text.text, each + length)]
    if text.language is not None and others:
        others = code_only(text.text, text.language, others)
    return others


_LABEL: Final = re.compile(rb"\s*[:=,}](?![=>])|\s*\(")
"""Behind a key of an object or a pattern, its method, an attribute."""


def _is_qualified(text: bytes, offset: int) -> bool:
    return text[max(0, offset - 2) : offset].endswith((b".", b"::", b"->"))
