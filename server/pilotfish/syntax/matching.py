"""Matches of a query, of some patterns looked for only near marks that each of their matches has in its text.

A pass of a query over a tree costs about as much for each node that it sees as for each that it finds something in, and
where a grammar is fast, as those of markup are, more than the parse. What such queries look for cannot be overlooked in
the text: a heading, an `id=`, a fence. So the text is searched for these marks, which costs nothing, and the query is
told to keep to the stretches around them: it passes over what lies outside without entering it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from tree_sitter import Language as Grammar
    from tree_sitter import Node, Query, QueryCursor

Captures = dict[str, "list[Node]"]

_NEAR: Final = 256
"""Marks that are not further apart, in bytes, share a stretch: to begin a pass costs as much as to go that far."""
_MOST: Final = 64
# Matches in progress at a time. Real code stays below a quarter of it; a chain of thousands of calls, where each waits
# for the next, would take time that grows with the square of its length.
_MAX_STATES: Final = 1_024
_EVERYWHERE: Final = (0, 2**32 - 1)


class Matcher:
    """Finds the matches of a query in the trees of one grammar.

    Args:
        grammar: of the trees.
        source: the query.
        query: it, compiled.
        near: its patterns that are looked for near marks only.
        marks: of these; each of their matches has one of them.
        depth: how deep in a tree a pattern may begin; None for anywhere.

    """

    def __init__(
        self,
        grammar: Grammar,
        source: str,
        query: Query,
        near: Collection[int],
        marks: Sequence[bytes],
        depth: int | None,
    ) -> None:
        from tree_sitter import Query, QueryCursor

        self._marks = marks
        self._near: QueryCursor | None = None
        self._all: QueryCursor | None = None
        if near:
            others = Query(grammar, source)
            for pattern in range(query.pattern_count):
                (query if pattern in near else others).disable_pattern(pattern)
            self._near = QueryCursor(others, match_limit=_MAX_STATES)
        if len(near) < query.pattern_count:
            self._all = QueryCursor(query, match_limit=_MAX_STATES)
            if depth is not None:
                self._all.set_max_start_depth(depth)

    def matches(self, root: Node, text: bytes) -> list[tuple[int, Captures]]:
        """Return the matches in a tree of a text, each with the number of its pattern."""
        found = self._all.matches(root) if self._all is not None else []
        return found if self._near is None else [*found, *matches_near(self._near, root, text, self._marks)]


def matches_near(
    cursor: QueryCursor, root: Node, text: bytes, marks: Sequence[bytes]
) -> Iterator[tuple[int, Captures]]:
    """Yield the matches whose outermost nodes overlap a mark, or have one between them: each at least once, one around
    several marks perhaps for each of them."""
    for stretch in stretches(text, marks):
        cursor.set_byte_range(*stretch)
        yield from cursor.matches(root)


def stretches(text: bytes, marks: Sequence[bytes]) -> list[tuple[int, int]]:
    """Return where the marks of a text stand, near ones as one stretch; everything where that is cheaper."""
    found: list[tuple[int, int]] = []
    for start, end in sorted(_places(text, marks)):
        if found and start - found[-1][1] <= _NEAR:
            found[-1] = found[-1][0], max(end, found[-1][1])
        else:
            found.append((start, end))
    if len(found) > _MOST or 2 * sum(end - start for start, end in found) > len(text):
        return [_EVERYWHERE]
    return found


def _places(text: bytes, marks: Sequence[bytes]) -> Iterator[tuple[int, int]]:
    """Each mark is searched for by itself, which is ten times as fast as a regular expression of them all."""
    for mark in marks:
        place = text.find(mark)
        while place >= 0:
            yield place, place + len(mark)
            place = text.find(mark, place + 1)
