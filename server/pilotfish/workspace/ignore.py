"""Ignore files in gitignore's syntax, read folder by folder: `.pilotfishignore` everywhere, `.gitignore` without git.

The rules of gitignore(5): the last matching line of the deepest file decides, and below an excluded folder nothing is
taken in again. Patterns are translated by pathspec; which file and line decided is kept for `why`.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

from pilotfish.workspace.paths import RelPath, join

MAX_BYTES = 1024 * 1024
"""The longest ignore file that is read, in bytes; longer ones are cut at that size."""

_POSIX_CLASSES = {
    "[:alpha:]": "a-zA-Z",
    "[:digit:]": "0-9",
    "[:alnum:]": "a-zA-Z0-9",
    "[:upper:]": "A-Z",
    "[:lower:]": "a-z",
    "[:xdigit:]": "0-9A-Fa-f",
    "[:space:]": " \t",
}


@dataclass(frozen=True)
class Rule:
    """One line of an ignore file: where it stands, and what it does to a path relative to the file's folder."""

    source: str
    line: int
    pattern: str
    negated: bool
    for_folders: bool
    matches: Callable[[str], object]

    def __str__(self) -> str:
        return f"{self.source}:{self.line}: {self.pattern}" if self.line else f"{self.source}: {self.pattern}"


def parse(text: str, source: str) -> list[Rule]:
    """The rules of an ignore file, in its order; lines that are no patterns or cannot be understood are left out."""
    rules = []
    for number, line in enumerate(text.split("\n"), 1):
        rule = parse_line(line.removesuffix("\r"), source, number)
        if rule is not None:
            rules.append(rule)
    return rules


def parse_line(pattern: str, source: str, line: int = 0) -> Rule | None:
    """One pattern as a rule, or None for blanks, comments and what is no pattern."""
    plain = pattern if pattern.endswith("\\ ") else pattern.rstrip(" ")
    # pathspec reads `a/**/` as `a/**`; without the slash its regular expressions and git agree.
    for_folders = plain.endswith("/")
    plain = plain.removesuffix("/")
    for name, characters in _POSIX_CLASSES.items():
        plain = plain.replace(name, characters)
    try:
        translated = GitIgnoreSpecPattern(_bytewise(plain))
    except (ValueError, re.error, Warning):
        return None
    if translated.include is None or translated.regex is None:
        return None
    # The group marks an expression that matches everything below a match as well. Here folders are judged before what
    # they hold, and a negation of the folder must not take that in.
    covers = "ps_d" in translated.regex.groupindex
    matches = translated.regex.fullmatch if covers else translated.regex.search
    return Rule(source, line, pattern, not translated.include, for_folders, matches)


def _bytewise(text: str) -> str:
    """One character for each byte of UTF-8: git's `?` and `[…]` match bytes, so `?` does not match `é`."""
    return text.encode("utf-8", "surrogateescape").decode("ascii", "surrogateescape")


class IgnoreTree:
    """The verdicts of all ignore files of one name below a root.

    Files are read once, when a path in their folder is first asked about; a new object reads them anew. Ignore files
    that are links are not followed, as in git. `defaults` are weaker than every file; with `name` None they are all.
    """

    def __init__(self, root: str, name: str | None, *, defaults: Iterable[Rule] = ()) -> None:
        self._root = root
        self._name = name
        self._defaults = tuple(reversed(list(defaults)))
        self._rules: dict[RelPath, tuple[Rule, ...]] = {}
        self._stacks: dict[RelPath, tuple[tuple[int, tuple[Rule, ...]], ...]] = {}
        self._folders: dict[RelPath, Rule | None] = {"": None}

    def match(self, path: RelPath, *, is_folder: bool) -> Rule | None:
        """The rule that excludes `path`, be it by an excluded folder above it, or None where it is taken in."""
        parent = path.rpartition("/")[0]
        above = self._folder(parent)
        if above is not None:
            return above
        return self._folder(path) if is_folder else self._own(path, parent, is_folder=False)

    def is_silent(self, folder: RelPath) -> bool:
        """Whether no rule whatsoever concerns the entries of a folder, so that they need not be matched one by one."""
        return not self._stack(folder)

    def _folder(self, path: RelPath) -> Rule | None:
        known = self._folders.get(path, self)
        if known is not self:
            return known  # type: ignore[return-value]
        parent = path.rpartition("/")[0]
        rule = self._folder(parent) or self._own(path, parent, is_folder=True)
        self._folders[path] = rule
        return rule

    def _own(self, path: RelPath, parent: RelPath, *, is_folder: bool) -> Rule | None:
        for skip, rules in self._stack(parent):
            name = path[skip:] if path.isascii() else _bytewise(path[skip:])
            for rule in rules:
                if (is_folder or not rule.for_folders) and rule.matches(name):
                    return None if rule.negated else rule
        return None

    def _stack(self, folder: RelPath) -> tuple[tuple[int, tuple[Rule, ...]], ...]:
        """The rules that apply to the entries of a folder, strongest first, each with the length of its prefix."""
        stack = self._stacks.get(folder)
        if stack is None:
            if folder:
                below = self._stack(folder.rpartition("/")[0])
            else:
                below = ((0, self._defaults),) if self._defaults else ()
            own = self._read(folder)
            stack = ((len(folder) + 1 if folder else 0, own), *below) if own else below
            self._stacks[folder] = stack
        return stack

    def _read(self, folder: RelPath) -> tuple[Rule, ...]:
        if self._name is None:
            return ()
        source = f"{folder}/{self._name}" if folder else self._name
        text = read_text(join(self._root, source))
        return tuple(reversed(parse(text, source))) if text is not None else ()


def read_text(path: str) -> str | None:
    """The text of an ignore file, or None where there is none that is a regular file."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    try:
        descriptor = os.open(path, flags)
    except (OSError, ValueError):
        return None
    with open(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return None
        try:
            return file.read(MAX_BYTES).removeprefix(b"\xef\xbb\xbf").decode("utf-8", "surrogateescape")
        except OSError:
            return None
