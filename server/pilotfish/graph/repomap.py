"""The repo map: the definitions that matter most, as much as a budget of tokens holds.

First every definition gets a score: the logarithm of the rank that flows to it, what the question's words say of its
name and its file, less what speaks against showing it (`score`). Then the best of them are drawn, file by file, and
a binary search finds how many fit (`draw`). Scores are sums over columns; only the files that are shown are looked at.
"""

from __future__ import annotations

from collections import Counter as Counts
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, Protocol

import msgspec
import numpy as np

from pilotfish.graph.edges import Graph
from pilotfish.graph.nodes import Trait
from pilotfish.graph.rank import Ranks
from pilotfish.graph.tokens import Counter
from pilotfish.syntax.subwords import stems

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]
    Floats = NDArray[np.float64]

Format = Literal["tree", "compact", "json"]

RANK: Final = 0.5
"""What an e-fold of rank is worth beside a word that names share (whose worth is its rarity, see `Words`)."""

FILE_SHARE: Final = 0.05
"""The part of its file's rank that a definition has by itself, so that what nobody uses has an order too."""

PATH_WORD: Final = 0.7
"""What a word in the path is worth beside the same word in the name."""

EXACT: Final = 3.0
"""What a definition gains that is mentioned by its whole name."""

SURPLUS: Final = 0.5
"""A name of four words of which one is asked for counts as the square root of a quarter of one of that word alone."""

AGAINST: Final = ((Trait.LOCAL, 4.0), (Trait.DATA, 2.0), (Trait.PRIVATE, 0.5))
TEST_FILE: Final = 3.0
"""What speaks against showing a definition: it stands inside a function, is data, private, or in a test."""

FOUND: Final = 3.0
FOUND_FILE: Final = 1.5
"""What the best answer of a search for the task adds to its definitions, and to all of its file; others less, by their
places."""

_FLOOR: Final = 1e-9
_EXACT_DIGITS: Final = 9
"""Scores are compared by so many digits, so that the last bits of a sum decide nothing."""

_STOP_TEXT: Final = """
a all an and any are as at be but by can do does for from has have if in into is it its more new no not of on only or
out so than that the their them then there this to up use via was were when where which will with
"""
_STOP_WORDS: Final = frozenset(_STOP_TEXT.split())

_WORK_TEXT: Final = """
add added adding adds allow avoid change changed changes changing correct create creates creating drop enable ensure fix
fixed fixes fixing handle handling implement implements implementing improve improves introduce make makes making move
moving new prevent provide refactor remove removed removes removing rename renaming replace replacing rewrite support
supports supporting update updated updates updating use uses using write writing
"""
_WORK: Final = frozenset(_WORK_TEXT.split())
"""What a task says is to be done; definitions that are called so do it to something else."""

MOST_WORDS: Final = 256
"""Different words of a question that are asked for, the first; each costs a pass over all names."""

MOST_SHOWN: Final = 20_000
"""Definitions that one map can hold."""

_LIKELY_TOKENS: Final = 40
"""What a definition costs with what it lies in and its share of the path, as a first guess."""

_MOST_OF_A_NAME: Final = 20
"""Definitions of one name in one file that are shown."""

_DEEPEST: Final = 8
"""Levels of definitions within definitions that are shown, so that a single one never costs a whole budget."""

_TITLE: Final = 40
"""Characters before a name that are shown of its signature."""


class Words:
    """What the words of a question say of definitions and files: each is worth the more, the fewer names hold it."""

    def __init__(self, graph: Graph, mentions: Iterable[str], task: str = "") -> None:
        """Take the mentions and the task, as they were written. Of a task, words for what is to be done say nothing,
        unless it has no others."""
        self._graph = graph
        of_task = [word for word in task.split() if word.casefold() not in _STOP_WORDS]
        of_task = [word for word in of_task if word.casefold() not in _WORK] or of_task
        mentioned = [word for text in mentions for word in text.split()]
        self._exact = [index for name in (*mentioned, *of_task) for index in graph.name_indices(name)]
        asked = [*(word for word in mentioned if word.casefold() not in _STOP_WORDS), *of_task]
        self.stems = tuple({stem: None for word in asked for stem in stems(word)})[:MOST_WORDS]

    def exact(self) -> Sequence[int]:
        """Return the indices of the names that are mentioned as they are."""
        return self._exact

    @cached_property
    def definitions(self) -> Floats:
        """What the words say of each definition's name."""
        graph = self._graph
        number = len(graph.defined_name)
        found = np.zeros(number)
        if self.stems:
            matched = np.zeros(number)
            for stem in self.stems:
                holders = graph.stem_definition[graph.stems == hash(stem)]
                if len(holders):
                    is_held = np.zeros(number, np.bool_)
                    is_held[holders] = True
                    found += is_held * np.log1p(number / np.count_nonzero(is_held))
                    matched += is_held
            words = np.maximum(np.bincount(graph.stem_definition, minlength=number), 1)
            found *= (matched / words) ** SURPLUS
        if self._exact:
            found[np.isin(graph.defined_name, self._exact)] += EXACT
        return found

    @cached_property
    def files(self) -> Floats:
        """What the words say of each file's path."""
        found = np.zeros(len(self._graph))
        if not self.stems:
            return found
        for stem in self.stems:
            holders = self._graph.path_stem_file[self._graph.path_stems == hash(stem)]
            if len(holders):
                found[holders] += PATH_WORD * np.log1p(len(found) / len(holders))
        return found


class Answers:
    """What a search for the task found: path and name of definitions, best first, what they are worth by place."""

    def __init__(self, graph: Graph, found: Iterable[tuple[str, str]] = ()) -> None:
        """Take the definitions that were found; those that the graph does not have are passed over."""
        self.definitions = np.zeros(len(graph.defined_name))
        self.files = np.zeros(len(graph))
        best: dict[tuple[int, int], float] = {}
        for place, (path, name) in enumerate(found):
            file = graph.index.get(path, -1)
            if file >= 0:
                worth = 1.0 / (1.0 + place / 10.0)
                self.files[file] = max(self.files[file], worth)
                for index in graph.name_indices(name):
                    best.setdefault((file, index), worth)
        if best:
            width = len(graph.names) + 1
            keys = np.array([file * width + name for file, name in best], np.int64)
            worths = np.array([*best.values()])
            order = np.argsort(keys, kind="stable")
            keys, worths = keys[order], worths[order]
            wanted = graph.defined_file.astype(np.int64) * width + graph.defined_name
            if len(keys):
                places = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
                self.definitions = np.where(keys[places] == wanted, worths[places], 0.0)


def start_of(graph: Graph, words: Words, groups: Iterable[tuple[Collection[str], float]]) -> dict[int, float]:
    """Return where the ranking starts for a question, by index of the file; empty where nothing is asked, so that all
    files are alike.

    Args:
        graph: the files.
        words: the question's words; the file that they speak of most gets as much as all files have together.
        groups: paths with a boost: of ten, that they get together as much as all files have. Unknown paths count not.

    """
    about = _about(graph, words)
    start = np.ones(len(graph))
    if about.any():
        start += len(graph) * (about / about.max()) ** 2
    for paths, boost in groups:
        known = [graph.index[path] for path in sorted(paths) if path in graph.index]
        if known:
            start[known] += len(graph) * boost / 10 / len(known)
    return dict(enumerate(start.tolist())) if (start != 1).any() else {}


def _about(graph: Graph, words: Words) -> Floats:
    about = words.files.copy()
    np.maximum.at(about, graph.defined_file, words.definitions + about[graph.defined_file])
    return about


def score(graph: Graph, ranks: Ranks, words: Words, answers: Answers) -> Floats:
    """Return how much each definition of the graph (`Graph.defined_file`) belongs into a map."""
    file = graph.defined_file
    flow = np.zeros(len(file))
    width = len(graph.names) + 1
    order, key = graph.definition_order, graph.definition_key
    flow[order[np.searchsorted(key, ranks.target * width + ranks.name)]] = ranks.definitions
    prior = np.log((FILE_SHARE * ranks.files[file] + flow + _FLOOR) / _FLOOR)
    against = sum(((graph.defined_traits & trait) != 0) * cost for trait, cost in AGAINST)
    asked = words.definitions + words.files[file] + FOUND * answers.definitions + FOUND_FILE * answers.files[file]
    found: Floats = RANK * prior + asked - against - graph.tests[file] * TEST_FILE
    return found


def best(graph: Graph, scores: Floats, most: int = MOST_SHOWN) -> list[tuple[str, int]]:
    """Return the file and the name, as the graph has it (`Graph.names`), of the `most` best definitions, best first;
    equal ones by path, then by place in the file."""
    most = min(most, MOST_SHOWN)
    rounded = np.round(scores, _EXACT_DIGITS)
    rows = np.arange(len(rounded))
    if 0 < most < len(rounded):
        least = np.partition(rounded, len(rounded) - most)[len(rounded) - most]
        rows = np.flatnonzero(rounded >= least)
    order = rows[np.lexsort((rows, -rounded[rows]))][:most]
    files, names = graph.defined_file[order].tolist(), graph.names[graph.defined_name[order]].tolist()
    return [(graph.paths[file], name) for file, name in zip(files, names, strict=True)]


class Drawn(NamedTuple):
    """A definition as a map shows it; `line` counts from 1."""

    name: str
    kind: str
    line: int
    signature: str


class Source(Protocol):
    """The definitions of one file in source order, of which a map looks at those alone that it shows."""

    def names(self) -> Sequence[str]:
        """Return the names of all, of several spellings what they have in common."""

    def parents(self) -> Sequence[int]:
        """Return which definition each lies in; -1 at the top."""

    def drawn(self, index: int) -> Drawn:
        """Return what is shown of one."""


class File(NamedTuple):
    """A file of a map with the definitions that are shown, in source order, and how deep each lies."""

    path: str
    shown: list[tuple[int, Drawn]]


class RepoMap(NamedTuple):
    """A map: its text, what it costs by the counter, and the files in it, the best first."""

    text: str
    tokens: int
    files: list[File]
    more: int


def draw(
    wanted: Sequence[tuple[str, int]],
    source_of: Callable[[str], Source],
    *,
    budget: int,
    count: Counter,
    style: Format,
    files: int,
) -> RepoMap:
    """Draw as many of the wanted definitions as the budget holds.

    Args:
        wanted: path and name of definitions, best first (`best`).
        source_of: gives the definitions of a file.
        budget: most tokens of the text, by `count`; never exceeded.
        count: counts the tokens of a text.
        style: how it is written.
        files: how many files there are in all.

    """
    drawing = _Drawing(wanted, source_of, style, files)

    def cost(number: int) -> int:
        return max(count(text) for text in drawing.measured(number))

    low = _most(cost, len(wanted), budget) if budget > 0 else 0
    if not low:
        return RepoMap("", 0, [], files)
    text, shown = drawing.text(low), drawing.files(low)
    return RepoMap(text, count(text), shown, files - len(shown))


def _most(cost: Callable[[int], int], most: int, budget: int) -> int:
    """Return the largest number up to `most` whose cost is within the budget, looking at few and hardly beyond it.

    Costs grow about evenly, so the next guess is taken from the line through the last two, in turns with the middle
    between them (regula falsi with bisection, so that no shape of the costs makes it slow).
    """
    low, low_cost, high, high_cost = 0, 0, most + 1, None
    guess = min(most, max(1, budget // _LIKELY_TOKENS))
    halve = False
    while low + 1 < high:
        # What is drawn in the end was itself counted: a tokenizer may count a longer text as a shorter one.
        guess_cost = cost(guess)
        if guess_cost <= budget:
            low, low_cost = guess, guess_cost
        else:
            high, high_cost = guess, guess_cost
        if high_cost is None:
            step = low * (budget - low_cost) // max(1, low_cost)
            guess = min(most, low + max(1, step + step // 20))
        elif halve:
            guess = (low + high) // 2
        else:
            guess = low + (high - low) * (budget - low_cost) // max(1, high_cost - low_cost)
        halve = high_cost is not None and not halve
        guess = min(max(guess, low + 1), high - 1)
    return low


class _Block(NamedTuple):
    """A file as it stands in the text with so many of its wanted definitions."""

    file: File
    text: str


class _Drawing:
    """Writes the first so many of the wanted definitions; what is written of a file is kept for the next number."""

    def __init__(
        self, wanted: Sequence[tuple[str, int]], source_of: Callable[[str], Source], style: Format, files: int
    ) -> None:
        self._paths = [path for path, _ in wanted]
        self._names: dict[str, list[int]] = {}
        for path, name in wanted:
            self._names.setdefault(path, []).append(name)
        self._source_of = source_of
        self._style = style
        self._write = _WRITERS[style]
        self._number = files
        self._sources: dict[str, _Indexed] = {}
        self._blocks: dict[tuple[str, int], _Block] = {}

    def text(self, number: int) -> str:
        """Return the text with so many of them; empty with none."""
        return self.measured(number)[0]

    def measured(self, number: int) -> list[str]:
        """Return the texts that must fit for that: where it ends with the last file, also one that says of another;
        else it could fit where a shorter one does not, and a smaller budget could hold more."""
        texts = [block.text for block in self._shown(number)]
        if not texts:
            return [""]
        if self._style == "json":
            return [f"[{','.join(texts)}]"]
        text, more = "".join(texts), self._number - len(texts)
        return [text + _further(more)] if more else [text, text + _further(1)]

    def files(self, number: int) -> list[File]:
        """Return the files with so many of them, those with the best first."""
        return [block.file for block in self._shown(number)]

    def _shown(self, number: int) -> list[_Block]:
        blocks = [self._block(path, count) for path, count in Counts(self._paths[:number]).items()]
        return [block for block in blocks if block.file.shown]

    def _block(self, path: str, count: int) -> _Block:
        block = self._blocks.get((path, count))
        if block is None:
            names = self._names[path]
            if path not in self._sources:
                self._sources[path] = _Indexed(self._source_of(path), frozenset(names))
            file = File(path, self._sources[path].shown(names[:count]))
            block = self._blocks[path, count] = _Block(file, self._write(file))
        return block


class _Indexed:
    """A source with those of its definitions by name that may be shown, and what was drawn of them."""

    def __init__(self, source: Source, wanted: Collection[int]) -> None:
        self._source = source
        self._parents = source.parents()
        self._by_name: dict[int, list[int]] = {}
        for index, name in enumerate(map(hash, source.names())):
            if name in wanted and self._depth(index) <= _DEEPEST:
                self._by_name.setdefault(name, []).append(index)
        self._drawn: dict[int, Drawn] = {}

    def _depth(self, index: int) -> int:
        depth = 0
        while index >= 0 and depth <= _DEEPEST:
            index, depth = self._parents[index], depth + 1
        return depth

    def shown(self, names: Sequence[int]) -> list[tuple[int, Drawn]]:
        """Return the definitions with these names and what they lie in, in source order, each with its depth."""
        found: set[int] = set()
        for name in names:
            for index in self._by_name.get(name, ())[:_MOST_OF_A_NAME]:
                while index >= 0 and index not in found:
                    found.add(index)
                    index = self._parents[index]
        return [(self._depth(index), self._draw(index)) for index in sorted(found)]

    def _draw(self, index: int) -> Drawn:
        if index not in self._drawn:
            self._drawn[index] = self._source.drawn(index)
        return self._drawn[index]


_INDENT: Final = "  "
_QUOTES: Final = ('"', "'", "`")


def _tree(file: File) -> str:
    lines = [f"{_printed(file.path)}:"]
    lines += [_INDENT * depth + _printed(each.signature or f"{each.kind} {each.name}") for depth, each in file.shown]
    return "\n".join(lines) + "\n"


def _compact(file: File) -> str:
    shown = ", ".join(f"{_printed(_title(each))} (line {each.line})" for _, each in file.shown)
    return f"{_printed(file.path)} :: {shown}\n"


def _further(files: int) -> str:
    return f"… and {files:,} more {'file' if files == 1 else 'files'}\n"


def _printed(text: str) -> str:
    """Return a text without characters that end its line or hide anything: names in a repository may hold any."""
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() else ascii(each)[1:-1] for each in text)


def _title(symbol: Drawn) -> str:
    """Return what a definition is called with the words that declare it (`pub struct Agent`), or with its kind."""
    place = _word(symbol.signature, symbol.name)
    is_told = 0 <= place <= _TITLE and symbol.signature[place - 1 : place] not in _QUOTES
    return symbol.signature[: place + len(symbol.name)] if is_told else f"{symbol.kind} {symbol.name}"


def _word(text: str, word: str) -> int:
    """Return where a word stands by itself in a text; -1 where it does not: `f` is not the end of `def`."""
    place = text.find(word)
    while place >= 0:
        end = place + len(word)
        if not (_is_part(text[place - 1 : place]) or _is_part(text[end : end + 1])):
            break
        place = text.find(word, place + 1)
    return place


def _is_part(character: str) -> bool:
    return character.isalnum() or character == "_"


def _json(file: File) -> str:
    symbols = [
        {"name": each.name, "kind": each.kind, "line": each.line, "signature": each.signature} for _, each in file.shown
    ]
    return msgspec.json.encode({"path": file.path, "symbols": symbols}).decode()


_WRITERS: Final[Mapping[Format, Callable[[File], str]]] = {"tree": _tree, "compact": _compact, "json": _json}
