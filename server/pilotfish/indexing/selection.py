"""Which files are worth a vector, and which come first.

A table embeds everything in a minute; a slow model gets the most valuable part of a repository first, and only that
where `semantic.coverage` says so (DESIGN §4). Pure: what is known of the files comes in, paths go out.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from pathspec import GitIgnoreSpec

LEAST_FILES: Final = 50
"""So many of the best files are embedded at least, where any are by rank."""

DOCUMENTATION: Final = frozenset({"markdown", "rst", "asciidoc", "org", "latex", "text"})
"""Languages whose files are prose."""


@dataclass(frozen=True)
class Worth:
    """What is known of the files of a root.

    `ranks` is each file's share of all rank; `recent` were changed in the last days before HEAD, `open_paths` are in
    front of the user, `named` are patterns in the manner of `.gitignore`.
    """

    ranks: Mapping[str, float] = field(default_factory=dict)
    recent: Collection[str] = frozenset()
    open_paths: Collection[str] = frozenset()
    named: tuple[str, ...] = ()


def in_order(files: Mapping[str, str | None], worth: Worth) -> list[str]:
    """Return the paths of `files` (path to language), the most valuable first: open ones, named ones, then by rank,
    documentation, recently changed, the rest by path."""
    named = _named(files, worth.named)

    def key(path: str) -> tuple[object, ...]:
        return (
            path not in worth.open_paths,
            path not in named,
            -worth.ranks.get(path, 0.0),
            files[path] not in DOCUMENTATION,
            path not in worth.recent,
            path,
        )

    return sorted(files, key=key)


def selected(files: Mapping[str, str | None], worth: Worth, top_share: float) -> frozenset[str]:
    """Return what a slow model embeds of `files`: the first `top_share` by rank, documentation, what changed recently,
    what is open and what is named."""
    ranked = sorted((path for path in files if path in worth.ranks), key=lambda path: (-worth.ranks[path], path))
    best = ranked[: max(round(top_share * len(files)), LEAST_FILES)] if top_share else []
    prose = (path for path, language in files.items() if language in DOCUMENTATION)
    others = (path for path in files if path in worth.recent or path in worth.open_paths)
    return frozenset([*best, *prose, *others, *_named(files, worth.named)])


def _named(files: Iterable[str], patterns: tuple[str, ...]) -> frozenset[str]:
    return frozenset(GitIgnoreSpec.from_lines(patterns).match_files(files)) if patterns else frozenset()
