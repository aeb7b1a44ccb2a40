"""Which questions ask for exactly what another kind of answer gives."""

from __future__ import annotations

import pytest

from pilotfish.retrieval.routing import Ask, Asked, ask_in


@pytest.mark.parametrize(
    ("question", "asked", "name", "to"),
    [
        ("who calls Store.save?", Asked.USAGES, "Store.save", ""),
        ("What uses the function `load()`", Asked.USAGES, "load", ""),
        ("usages of load", Asked.USAGES, "load", ""),
        ("find all references to Store::save", Asked.USAGES, "Store::save", ""),
        ("show me the callers of the method save", Asked.USAGES, "save", ""),
        ("where is Store used?", Asked.USAGES, "Store", ""),
        ("which tests use Store", Asked.USAGES, "Store", ""),
        ("load usages", Asked.USAGES, "load", ""),
        ("what does main call?", Asked.CALLEES, "main", ""),
        ("trace main", Asked.CALLEES, "main", ""),
        ("trace the execution of Server.Serve", Asked.CALLEES, "Server.Serve", ""),
        ("what happens when save is called", Asked.CALLEES, "save", ""),
        ("path from main to normal", Asked.WAY, "main", "normal"),
        ("how does main reach Store.save?", Asked.WAY, "main", "Store.save"),
        ("find code like load", Asked.SIMILAR, "load", ""),
        ("functions similar to 'load'", Asked.SIMILAR, "load", ""),
    ],
)
def test_a_question_that_says_nothing_else_is_taken_apart(question: str, asked: Asked, name: str, to: str) -> None:
    assert ask_in(question) == Ask(asked, name, to)


@pytest.mark.parametrize(
    "question",
    [
        "",
        "load",
        "fix what calls Store.save",
        "who calls it",
        "what does this do",
        "where is the configuration file used by the server",
        "usages of load in the scheduler",
        "remove references to load",
        "trace requests through the middleware",
        "how does main work",
        "code like this",
        "who calls " + "x" * 5_000,
        "find " * 2_000,
    ],
)
def test_any_other_question_is_an_ordinary_one(question: str) -> None:
    assert ask_in(question) is None
