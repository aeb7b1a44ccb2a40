"""Which new contents are old ones at another place: renames, moved folders, swaps and copies (DESIGN invariant 2).

Pure: contents and paths in, moves out. File systems report a rename as a deletion and an addition, in any order, and
git reports nothing; so moves are found by content. Where several paths hold the same content, the nearest pair wins,
and ties go by path, so that the result does not depend on the order of events.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

Content = tuple[bytes, str | None]
"""The hash and the language of a file: together they decide what its outline is."""

MoveKind = Literal["rename", "folder", "copy", "swap"]


class Holder(NamedTuple):
    """A path that held a content before the change, and what became of it there."""

    path: str
    fate: Literal["gone", "replaced", "kept"]


class FoundMove(NamedTuple):
    """The content that was at `old` is at `new` now."""

    old: str
    new: str
    kind: MoveKind


def find_moves(
    targets: Mapping[str, Content],
    holders: Mapping[Content, Sequence[Holder]],
    *,
    is_empty: Callable[[str], bool],
    announced: Mapping[str, str],
) -> list[FoundMove]:
    """Pair new or changed paths with the paths that held their content before.

    Args:
        targets: contents of the new and changed paths.
        holders: the paths that held a content before, for each content that any did.
        is_empty: whether no file is left in a folder after the change.
        announced: old path by new path, as editors reported renames; it wins where the content agrees.

    Returns:
        At most one move for each target, ordered by the new path.

    """
    news_of: defaultdict[Content, list[str]] = defaultdict(list)
    for new in sorted(targets):
        if targets[new] in holders:
            news_of[targets[new]].append(new)
    moves: list[FoundMove] = []
    for content, news in news_of.items():
        for old, new, fate in _pairs(news, holders[content], announced):
            moves.append(FoundMove(old, new, "copy" if fate == "kept" else "rename"))
    return sorted(_named(moves, is_empty), key=lambda move: move.new)


def _pairs(
    news: list[str], holders: Sequence[Holder], announced: Mapping[str, str]
) -> Iterator[tuple[str, str, Literal["gone", "replaced", "kept"]]]:
    """Pair paths that have one content with those that had it: each source is moved once, the rest are copies."""
    unpaired = list(news)
    for fate in ("gone", "replaced"):
        olds = sorted(holder.path for holder in holders if holder.fate == fate)
        for old, new in _nearest(olds, unpaired, announced):
            unpaired.remove(new)
            yield old, new, fate
    olds = sorted(holder.path for holder in holders)
    for new in unpaired:
        if others := [old for old in olds if old != new]:
            ((old, _),) = _nearest(others, [new], announced)
            yield old, new, "kept"


def _nearest(olds: Sequence[str], news: Sequence[str], announced: Mapping[str, str]) -> list[tuple[str, str]]:
    """Pair as many as possible: as announced, then by the longest common end of the path, then by the longest start."""
    left_olds, left_news = dict.fromkeys(olds), dict.fromkeys(news)
    pairs: list[tuple[str, str]] = []

    def take(old: str, new: str) -> None:
        pairs.append((old, new))
        del left_olds[old], left_news[new]

    for new in news:
        if (old := announced.get(new)) in left_olds:
            take(old, new)
    for ends in (True, False):
        depth = 1 + max((path.count("/") for path in (*left_olds, *left_news)), default=0)
        for length in range(depth, 0 if ends else -1, -1):
            waiting: defaultdict[str, list[str]] = defaultdict(list)
            for old in reversed(left_olds):
                waiting[_part(old, length, ends)].append(old)
            for new in list(left_news):
                candidates = waiting.get(_part(new, length, ends))
                if candidates:
                    take(candidates.pop(), new)
            if not left_olds or not left_news:
                return pairs
    return pairs


def _part(path: str, length: int, ends: bool) -> str:
    """Return `length` parts of a path from its end or its start, or the whole, marked, where it has fewer."""
    parts = path.split("/")
    if length > len(parts):
        return "/" + path
    chosen = parts[len(parts) - length :] if ends else parts[:length]
    return "/".join(chosen)


def _named(moves: Sequence[FoundMove], is_empty: Callable[[str], bool]) -> Iterator[FoundMove]:
    """Tell renames apart: those that trade places, and those of a whole folder, whose old place has no file left."""
    renames = {(move.old, move.new) for move in moves if move.kind == "rename"}
    folders = {pair for old, new in renames if (pair := _folder_pair(old, new)) is not None and is_empty(pair[0])}
    for move in moves:
        if move.kind == "rename" and move.old != move.new and (move.new, move.old) in renames:
            yield move._replace(kind="swap")
        elif move.kind == "rename" and _folder_pair(move.old, move.new) in folders:
            yield move._replace(kind="folder")
        else:
            yield move


def _folder_pair(old: str, new: str) -> tuple[str, str] | None:
    """Return the two folders that differ when a file keeps its place below them, or None when its name changed."""
    olds, news = old.split("/"), new.split("/")
    common = 0
    while common < min(len(olds), len(news)) - 1 and olds[-1 - common] == news[-1 - common]:
        common += 1
    if common == 0:
        return None
    return "/".join(olds[:-common]), "/".join(news[:-common])
