"""Whether the git folders that a working tree leads to are its own.

A file or link named `.git` may lead anywhere, and so may a `commondir` file in a git folder, or a link among its refs:
a folder that somebody hands over could pass off any other repository of the machine as its history. What git itself
makes of linked worktrees and submodules has a link back, which nobody can write who can write only in the working tree.
Without one, git folders count only where they lie inside the working tree.

Objects may come from elsewhere (`objects/info/alternates`, clones that share them): of those git tells nothing but what
the repository's own refs name.
"""

# ruff: noqa: PTH113, PTH116, PTH118, PTH119, PTH120 - paths are plain strings here
from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from pilotfish.workspace.paths import canonical, relative

_MOST_BYTES: Final = 4_096
"""Of a file that names a folder or a ref."""

_HOPS: Final = 5
"""So many refs may lead from one to the next, as in git."""


@dataclass(frozen=True)
class GitFolders:
    """Canonical paths: the top of the working tree, the git folder with its `HEAD` and index, and the one with the
    refs and objects that it shares with other worktrees; the last two are mostly the same."""

    top: str
    own: str
    common: str


def lie_inside(folders: GitFolders) -> bool:
    """Whether the git folder lies in the working tree itself."""
    return relative(folders.top, folders.own) is not None


def names_worktree(folders: GitFolders) -> bool:
    """Whether the git folder is that of a linked worktree, and names this one."""
    name = _read(os.path.join(folders.own, "gitdir")).rstrip("\r\n")
    place = os.path.join(folders.own, name)
    return bool(name) and os.path.basename(place) == ".git" and canonical(os.path.dirname(place)) == folders.top


def are_closed(folders: GitFolders) -> bool:
    """Whether the refs are those of the git folder: neither `commondir` nor a link leads from it to others."""
    is_worktree = os.path.dirname(folders.own) == os.path.join(folders.common, "worktrees")
    if folders.common != folders.own and not is_worktree and relative(folders.top, folders.common) is None:
        return False
    allowed = (folders.own, folders.common, folders.top)
    return all(any(relative(folder, canonical(path)) is not None for folder in allowed) for path in _refs(folders))


def _refs(folders: GitFolders) -> Iterator[str]:
    """Yield the files and folders that say what is checked out."""
    for name in ("refs", "packed-refs", "reftable"):
        yield os.path.join(folders.common, name)
    path = os.path.join(folders.own, "HEAD")
    yield path
    for _hop in range(_HOPS):
        kind, _, name = _read(path).partition(":")
        if kind != "ref":
            return
        path = os.path.join(folders.common, name.strip())
        yield path


def _read(path: str) -> str:
    try:
        if os.stat(path).st_size > _MOST_BYTES or not os.path.isfile(path):
            return ""
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            return file.read(_MOST_BYTES)
    except (OSError, ValueError):
        return ""
