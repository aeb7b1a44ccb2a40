"""Ignore files in gitignore's syntax, read folder by folder: `.pilotfishignore` everywhere, `.gitignore` without git.

The rules of gitignore(5): the last matching line of the deepest file decides, and below an excluded folder nothing is
taken in again. Patterns are translated by pathspec; which file and line decided is kept for `why`.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

from pilotfish.workspace.paths import RelPath, join, unknown_steps

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


class _Layer(NamedTuple):
    """The rules of one ignore file, last line first, for names from `skip` characters on."""

    skip: int
    for_folders: tuple[Rule, ...]
    for_files: tuple[Rule, ...]


class IgnoreTree:
    """The verdicts of all ignore files of one name below a root.

    Files are read once, when a path in their folder is first asked about; a new object reads them anew. Ignore files
    that are links are not followed, as in git. `defaults` are weaker than every file; with `name` None they are all.
    """

    def __init__(self, root: str, name: str | None, *, defaults: Iterable[Rule] = ()) -> None:
        self._root = root
        self._name = name
        self._top = tuple(_layers(0, list(defaults)))
        self._stacks: dict[RelPath, tuple[_Layer, ...]] = {}
        self._folders: dict[RelPath, Rule | None] = {"": None}

    def match(self, path: RelPath, *, is_folder: bool) -> Rule | None:
        """The rule that excludes `path`, be it by an excluded folder above it, or None where it is taken in."""
        if is_folder:
            return self._folder(path)
        parent = path.rpartition("/")[0]
        above = self._folder(parent)
        return above if above is not None else self._own(path, parent, is_folder=False)

    def is_silent(self, folder: RelPath) -> bool:
        """Whether no rule whatsoever concerns the entries of a folder, so that they need not be matched one by one."""
        return not self._stack(folder)

    def _folder(self, path: RelPath) -> Rule | None:
        for step in unknown_steps(path, self._folders):
            parent = step.rpartition("/")[0]
            self._folders[step] = self._folders[parent] or self._own(step, parent, is_folder=True)
        return self._folders[path]

    def _own(self, path: RelPath, parent: RelPath, *, is_folder: bool) -> Rule | None:
        for layer in self._stack(parent):
            name = path[layer.skip :] if path.isascii() else _bytewise(path[layer.skip :])
            for rule in layer.for_folders if is_folder else layer.for_files:
                if rule.matches(name):
                    return None if rule.negated else rule
        return None

    def _stack(self, folder: RelPath) -> tuple[_Layer, ...]:
        """The rules that apply to the entries of a folder, strongest first."""
        for step in unknown_steps(folder, self._stacks):
            above = self._stacks[step.rpartition("/")[0]] if step else self._top
            self._stacks[step] = (*_layers(len(step) + 1 if step else 0, self._read(step)), *above)
        return self._stacks[folder]

    def _read(self, folder: RelPath) -> list[Rule]:
        if self._name is None:
            return []
        source = f"{folder}/{self._name}" if folder else self._name
        text = read_text(join(self._root, source))
        return parse(text, source) if text is not None else []


def _layers(skip: int, rules: list[Rule]) -> Iterator[_Layer]:
    if rules:
        strongest_first = tuple(reversed(rules))
        yield _Layer(skip, strongest_first, tuple(rule for rule in strongest_first if not rule.for_folders))


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
