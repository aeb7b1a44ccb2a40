"""What a question is about: which files and which kinds of definitions."""

from __future__ import annotations

from functools import cached_property

import pathspec

from pilotfish.engine.wire import INVALID_PARAMS, OperationError
from pilotfish.graph.links import is_test
from pilotfish.operations.search import Narrowing
from pilotfish.syntax.languages import REGISTRY, called
from pilotfish.syntax.outline import SymbolKind
from pilotfish.syntax.subwords import stem, stems

KINDS = {kind.label: kind for kind in SymbolKind}

_OF_TESTS = frozenset(map(stem, ("test", "testing", "tester", "spec", "unittest", "pytest", "fixture", "mock")))


class Filter:
    """Which files a question is about."""

    def __init__(self, narrowing: Narrowing, question: str = "") -> None:
        """Take the filters of a question, and the question itself, which may speak of tests.

        Raises:
            OperationError: the language or the pattern is none.

        """
        self.path_glob = narrowing.file_filter
        self.language = language_named(narrowing.language)
        self.tests = narrowing.tests
        if self.tests == "auto":
            speaks = speaks_of_tests(question) or speaks_of_tests(narrowing.file_filter or "")
            self.tests = "include" if speaks else "exclude"
        self._paths = None if self.path_glob is None else _spec(self.path_glob)

    @cached_property
    def is_open(self) -> bool:
        """Whether every file passes."""
        return self._paths is None and self.language is None and self.tests == "include"

    def accepts(self, path: str, language: str | None) -> bool:
        """Tell whether a file is meant."""
        return self.accepts_but_for_tests(path, language) and self.accepts_test(path)

    def accepts_but_for_tests(self, path: str, language: str | None) -> bool:
        """Tell whether a file is meant, be it a test or not."""
        if self.language is not None and language != self.language:
            return False
        return self._paths is None or self._paths.match_file(path)

    def accepts_test(self, path: str) -> bool:
        """Tell whether a file is meant as far as it is a test or not."""
        return self.tests == "include" or is_test(path) == (self.tests == "only")


def speaks_of_tests(question: str) -> bool:
    """Tell whether a question in words is about tests, which are then not kept back."""
    return not _OF_TESTS.isdisjoint(stems(question[:1_000]))


def kinds_named(label: str | None) -> frozenset[SymbolKind] | None:
    """Return the kind that a client names; None for all.

    Raises:
        OperationError: there is no such kind.

    """
    if label is None:
        return None
    kind = KINDS.get(label.strip().lower().replace("_", " "))
    if kind is None:
        raise OperationError(INVALID_PARAMS, f"unknown kind {label!r}", f"send one of: {', '.join(sorted(KINDS))}")
    return frozenset({kind})


def language_named(name: str | None) -> str | None:
    """Return the language that a client names; None for all.

    Raises:
        OperationError: there is no such language.

    """
    if name is None:
        return None
    language = called(name.strip())
    if language is None:
        raise OperationError(
            INVALID_PARAMS, f"unknown language {name!r}", f"send one of: {', '.join(sorted(REGISTRY))}"
        )
    return language


def _spec(pattern: str) -> pathspec.PathSpec[pathspec.Pattern]:
    try:
        return pathspec.PathSpec.from_lines("gitignore", [pattern])
    except ValueError as error:
        raise OperationError(
            INVALID_PARAMS, f"file_filter {pattern!r} is no pattern: {error}", "send a glob"
        ) from error
