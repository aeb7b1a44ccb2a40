"""Text to chunks: the pieces that are searched by content, cut along the syntax tree.

After cAST (Zhang et al. 2025, "Enhancing Code Retrieval-Augmented Generation with Structural Chunking via Abstract
Syntax Tree"): siblings are merged greedily while they stay within a target, and what is too large is cut along its
children. Everything is counted in characters that are no whitespace, so that indentation and blank lines weigh nothing.

Cuts fall between lines only. That keeps chunks readable, and cheap: the size of any stretch is the difference of two
entries of one list, whatever its length. A node that begins in the middle of a line belongs to what stands before it.
Comments and decorators directly above something belong to it. The head of a definition that is too large stays with the
first piece of its body.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Final

import msgspec

from pilotfish.syntax.injections import NOTHING
from pilotfish.syntax.languages import REGISTRY
from pilotfish.syntax.outline import BODIES, TELLING_KINDS, Import, Outline

if TYPE_CHECKING:
    from tree_sitter import Node, Tree

_BLANKS: Final = b" \t\r\f\v"
_UNCOUNTED: Final = _BLANKS + bytes(range(0x80, 0xC0))
"""What is no character of its own: whitespace, and the second and later bytes of a character in UTF-8."""

_MOST_LEVELS: Final = 64
"""How deep a node that is too large is cut along its children; below, along its lines. Written code needs a dozen."""

_LEADS: Final = frozenset(("decorator", "attribute_item", "attribute_list", "annotation", "marker_annotation"))

_CONTAINERS: Final = ("block", "body", "_list")
"""What nodes are called that only hold others: a piece that begins with one is known by its first child."""

_HEADING: Final = re.compile(
    rb"""^(?:([=\-`:.'"~^_*+#<>])\1{2,}[ \t\r]*\n)?  # reStructuredText: an overline, perhaps
         [^\s][^\n]{0,200}\n
         ([=\-`:.'"~^_*+#<>])\2{2,}[ \t\r]*$""",
    re.MULTILINE | re.VERBOSE,
)


class ChunkSizes(msgspec.Struct, frozen=True, array_like=True):
    """How large chunks are, in characters that are no whitespace: siblings are merged up to `target`; none is larger
    than `most`; one smaller than `least` joins a neighbour where there is room."""

    target: int = 600
    most: int = 1_200
    least: int = 100


class Chunk(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One piece of a text: the bytes from `start` to `end`, without blank lines around it.

    It begins where a line does. `node_type` is tree-sitter's type of its first node that is no comment; `section` in
    prose, `configuration`, or `text`. `symbol` is the place in `Outline.symbols` of the definition that it is about
    (`_Subjects`); -1 for none.
    """

    start: int
    end: int
    node_type: str
    symbol: int


def chunks_of(
    tree: Tree | None, text: bytes, outline: Outline, sizes: ChunkSizes, embedded: Mapping[int, Node] = NOTHING
) -> list[Chunk]:
    """Cut a text into chunks, in its order; all that is no whitespace lies in exactly one of them.

    No chunk is larger than `sizes.most`; a line that is by itself is cut between characters.

    Args:
        tree: the syntax tree of `text`, None where no grammar reads it: then headings and blank lines part it.
        text: UTF-8 without a byte order mark.
        outline: what `text` says structurally.
        sizes: how large chunks are.
        embedded: the roots of the trees of embedded code by the `id` of the node that holds it, which is cut along it.

    """
    cutter = _Cutter(text, sizes, embedded)
    if tree is None:
        cutter.cut_text()
        form = ""
    else:
        form = REGISTRY[outline.language].form
        cutter.cut_tree(tree.root_node, whole=sizes.most if form == "configuration" else sizes.target)
    subjects = _Subjects(text, outline, is_code=not form)
    return [
        Chunk(start, end, form or node_type or "text", subjects.of(start, end))
        for start, end, node_type in cutter.pieces()
    ]


class _Subjects:
    """Says which definition a chunk is about.

    Of those that begin in it, functions and types come before all others, and of equal ones that with the most of its
    lines, to which those of a type's methods count that stand beside it (Go, Rust). But a function that the chunk lies
    in comes first while those that begin have less than half of its lines, like callbacks. Where no function or type
    begins, it is about the one that it lies in, then about what else begins, then about what else it lies in. What only
    gives a name to an import is no subject. In prose and configuration the first that begins is taken.
    """

    def __init__(self, text: bytes, outline: Outline, *, is_code: bool) -> None:
        self._text = text
        self._symbols = outline.symbols
        self._starts = [symbol.start for symbol in outline.symbols]
        self._is_code = is_code
        self._imported = {number for each in outline.imports if (number := self._bound_by(each)) >= 0}

    def of(self, start: int, end: int) -> int:
        """Return the place of the definition that a stretch is about; -1 for none."""
        symbols = self._symbols
        first, behind = bisect_left(self._starts, start), bisect_left(self._starts, end)
        if not self._is_code and first < behind:
            return first
        around = self._around(first - 1, start)
        kind = symbols[around].kind if around >= 0 else None
        begun = [number for number in range(first, behind) if number not in self._imported]
        telling = [number for number in begun if symbols[number].kind in TELLING_KINDS]
        if kind in TELLING_KINDS and (not telling or (kind in BODIES and self._have_little(telling, start, end))):
            return around
        lines = {number: self._lines(number, end) for number in begun}
        for number in telling:
            if owner := symbols[number].container.rpartition(".")[2]:
                for other in telling:
                    if symbols[other].name == owner and symbols[other].kind not in BODIES:
                        lines[other] += lines[number]
        return max(telling or begun, key=lines.__getitem__, default=around)

    def _have_little(self, numbers: Sequence[int], start: int, end: int) -> bool:
        """Tell whether definitions that begin in a stretch have less than half of its lines."""
        lines = 0
        reached = start
        for number in numbers:
            if self._symbols[number].start >= reached:
                lines += self._lines(number, end)
                reached = self._symbols[number].end
        return 2 * lines < self._text.count(b"\n", start, end) + 1

    def _around(self, number: int, start: int) -> int:
        """Return the innermost definition around an offset, given the last that begins before it."""
        while number >= 0 and self._symbols[number].end <= start:
            number = self._symbols[number].parent
        return number

    def _lines(self, number: int, end: int) -> int:
        """Return how many lines a definition has up to an offset."""
        symbol = self._symbols[number]
        return self._text.count(b"\n", symbol.start, min(symbol.end, end)) + 1

    def _bound_by(self, brought: Import) -> int:
        """Return the place of the definition that consists of little but an import, `var fs = require("fs")`; -1 for
        none."""
        number = bisect_right(self._starts, brought.start) - 1
        if number < 0:
            return -1
        symbol = self._symbols[number]
        is_bound = symbol.kind not in TELLING_KINDS and brought.end <= symbol.end
        return number if is_bound and 2 * (brought.end - brought.start) >= symbol.end - symbol.start else -1


class _Unit:
    """Rows that are cut no further unless they are too large: from `first` to the next unit; `nodes` go over several
    rows and lie in it. A tail begins with a token (`}`, `end`) and stays with what it ends."""

    __slots__ = ("first", "is_tail", "node_type", "nodes")

    def __init__(self, first: int, node_type: str, nodes: list[Node], is_tail: bool = False) -> None:
        self.first = first
        self.node_type = node_type
        self.nodes = nodes
        self.is_tail = is_tail


class _Span:
    """Rows that make one chunk, `size` characters in all."""

    __slots__ = ("end", "first", "node_type", "size")

    def __init__(self, first: int, end: int, size: int, node_type: str) -> None:
        self.first = first
        self.end = end
        self.size = size
        self.node_type = node_type


class _Cutter:
    """Gathers the rows of one text into spans, from the first to the last."""

    def __init__(self, text: bytes, sizes: ChunkSizes, embedded: Mapping[int, Node]) -> None:
        self._text = text
        self._embedded = embedded
        self._sizes = sizes
        self._before = list(accumulate(map(len, text.translate(None, _UNCOUNTED).split(b"\n")), initial=0))
        self._rows = len(self._before) - 1
        self._spans: list[_Span] = []
        self._open: _Span | None = None
        self._is_sealed = False  # what is open ends something: only its tail may join it
        self._is_head = False  # what is open begins something: it wants the first piece of that

    def cut_tree(self, root: Node, whole: int) -> None:
        """Cut along the tree, unless all of it has at most `whole` characters."""
        total = self._before[-1]
        if 0 < total <= whole:
            self._add(0, self._rows, total, _first_type(root))
        elif total:
            self._divide(_Unit(0, "", [root]), self._rows, 0)
        self._close()

    def cut_text(self) -> None:
        """Cut at headings; what is too large between them at blank lines."""
        text, most = self._text, self._sizes.most
        rows, place, row = [0], 0, 0
        for heading in _HEADING.finditer(text):
            row += text.count(b"\n", place, heading.start())
            place = heading.start()
            rows.append(row)
        node_type = "text" if len(rows) == 1 else "section"
        for first, end in pairwise((*rows, self._rows)):
            size = self._before[end] - self._before[first]
            if size > most or len(rows) == 1:
                self._divide_rows(first, end, node_type)
                self._is_sealed = True
            elif size:
                self._add(first, end, size, node_type)
        self._close()

    def pieces(self) -> Iterator[tuple[int, int, str]]:
        """The chunks found: start and end in bytes, and the type of the first node."""
        before, text = self._before, self._text
        starts = list(accumulate([len(line) + 1 for line in text.split(b"\n")], initial=0))
        for span in self._spans:
            # Blank rows on either side repeat the number before them.
            first = bisect_right(before, before[span.first], span.first, span.end + 1) - 1
            end = bisect_left(before, before[span.end], first, span.end + 1)
            start, stop = starts[first], starts[end] - 1
            if span.size > self._sizes.most:
                yield from self._parts_of_line(start, stop, span.node_type)
            else:
                yield start, start + len(text[start:stop].rstrip(_BLANKS)), span.node_type

    def _parts_of_line(self, start: int, end: int, node_type: str) -> Iterator[tuple[int, int, str]]:
        """Cut a line that is too large by itself, behind a blank where there is one."""
        line = self._text[start:end].decode("utf-8", "replace")
        target, place = self._sizes.target, 0
        while place < len(line):
            stop = place + target
            if stop < len(line):
                blank = line.rfind(" ", place + target // 2, stop)
                stop = blank + 1 or stop
            part = line[place:stop]
            length = len(part.encode())
            blanks = length - len(part.encode().lstrip(_BLANKS))
            filled = len(part.encode().strip(_BLANKS))
            if filled:
                yield start + blanks, start + blanks + filled, node_type
            start += length
            place = stop

    def _divide(self, unit: _Unit, end: int, level: int) -> None:
        """Cut a unit that is too large and reaches to the row `end` along the children of its nodes."""
        before, sizes = self._before, self._sizes
        units, nodes = [unit], unit.nodes
        while len(units) == 1 and nodes and level < _MOST_LEVELS:
            units = _units_in(nodes, units[0], self._embedded)
            nodes = self._largest(units[0].nodes)
            level += 1
        if len(units) == 1:
            self._divide_rows(unit.first, end, units[0].node_type)
            return
        for number, unit in enumerate(units):
            first, stop = unit.first, units[number + 1].first if number + 1 < len(units) else end
            size = before[stop] - before[first]
            if size > sizes.most:
                if self._open is not None and self._open.size >= sizes.least and not self._is_head:
                    self._close()
                self._divide(unit, stop, level)
                self._is_sealed = True
            elif size:
                self._add(first, stop, size, unit.node_type, is_tail=unit.is_tail)
            self._is_head = number == 0 and size <= sizes.most

    def _largest(self, nodes: list[Node]) -> list[Node]:
        """The nodes that are to be cut: those that are too large, else the largest, so that a list of parameters stays
        whole before a long body."""
        if len(nodes) < 2:
            return nodes
        before = self._before
        sizes = [before[node.end_point[0] + 1] - before[node.start_point[0]] for node in nodes]
        least = min(max(sizes), self._sizes.most + 1)
        return [node for node, size in zip(nodes, sizes, strict=True) if size >= least]

    def _divide_rows(self, first: int, end: int, node_type: str) -> None:
        """Cut rows that no tree divides: at the last blank row within the target, at the next within the limit, else
        at any row."""
        before, sizes = self._before, self._sizes
        while first < end:
            stop = self._last_row(first, sizes.target, end)
            if stop < end:
                stop = self._blank_row(first, stop, end) or max(stop, first + 1)
            if size := before[stop] - before[first]:
                self._add(first, stop, size, node_type)
            first = stop

    def _last_row(self, first: int, size: int, end: int) -> int:
        """The row up to which the rows from `first` on have at most `size` characters."""
        return bisect_right(self._before, self._before[first] + size, first + 1, end + 1) - 1

    def _blank_row(self, first: int, stop: int, end: int) -> int:
        """The blank row nearest to `stop` at which to cut; 0 for none."""
        before, least = self._before, self._before[first] + self._sizes.least
        for row in range(stop - 1, first, -1):
            if before[row] < least:
                break
            if before[row] == before[row + 1]:
                return row
        for row in range(stop, self._last_row(first, self._sizes.most, end)):
            if before[row] == before[row + 1]:
                return row
        return 0

    def _add(self, first: int, end: int, size: int, node_type: str, *, is_tail: bool = False) -> None:
        """Let rows join the open span, or begin the next one."""
        span, sizes = self._open, self._sizes
        if span is not None:
            total = span.size + size
            fits = not self._is_sealed and total <= sizes.target
            is_wanted = is_tail or span.size < sizes.least or (self._is_head and 2 * span.size <= sizes.target)
            if total <= sizes.most and (fits or is_wanted):
                span.end, span.size = end, total
                if _is_lead(span.node_type):
                    span.node_type = node_type
                return
            self._close()
        self._open = _Span(first, end, size, node_type)
        self._is_sealed = False

    def _close(self) -> None:
        """End the open span; one that is too small joins the one before it where there is room."""
        span, sizes = self._open, self._sizes
        if span is None:
            return
        self._open = None
        if span.size < sizes.least and self._spans and self._spans[-1].size + span.size <= sizes.most:
            self._spans[-1].end = span.end
            self._spans[-1].size += span.size
        else:
            self._spans.append(span)


def _units_in(nodes: list[Node], outer: _Unit, embedded: Mapping[int, Node]) -> list[_Unit]:
    """Part a unit at the rows where a child of its nodes begins and nothing before it reaches to."""
    unit = _Unit(outer.first, "" if outer.node_type.endswith(_CONTAINERS) else outer.node_type, [])
    units = [unit]
    reached = outer.first
    leads = not unit.node_type  # whether the unit holds nothing but what leads
    for node in nodes:
        opening = node.start_point[0]
        for child in (embedded.get(node.id, node) if embedded else node).children:
            row = child.start_point[0]
            end, column = child.end_point
            if column == 0 and end > row:
                end -= 1
            if row > reached and row != opening and not (leads and unit.node_type and row == reached + 1):
                node_type = child.type
                unit = _Unit(row, node_type, [], not child.is_named)
                units.append(unit)
                leads = _is_lead(node_type)
            elif leads and child.is_named:
                unit.node_type = child.type
                leads = _is_lead(unit.node_type)
            if end > row:
                unit.nodes.append(child)
            if end > reached:
                reached = end
    return units


def _is_lead(node_type: str) -> bool:
    """Whether such a node belongs to what follows it on the next line."""
    return "comment" in node_type or node_type in _LEADS


def _first_type(root: Node) -> str:
    """The type of the first child that is no comment."""
    node_type = ""
    for child in root.children:
        node_type = child.type
        if not _is_lead(node_type):
            break
    return node_type
