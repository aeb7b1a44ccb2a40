"""What questions are read as."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pilotfish.retrieval.intent import Intent, Route, Style, read


@pytest.mark.parametrize(
    ("question", "intent"),
    [
        ("where is the retry logic?", Intent.FIND_DEFINITION),
        ("HttpClient", Intent.FIND_DEFINITION),
        ("where is parse_config used", Intent.FIND_USAGE),
        ("callers of Session.close", Intent.FIND_USAGE),
        ("how does the scheduler pick the next request", Intent.EXPLAIN_FUNCTION),
        ("what happens when a worker crashes", Intent.TRACE_FLOW),
        ("trace a request from accept to response", Intent.TRACE_FLOW),
        ("functions similar to escape_html", Intent.FIND_SIMILAR),
        ("overview of the project structure", Intent.ARCHITECTURAL),
        ("cors: make origin optional", Intent.FIND_DEFINITION),
    ],
)
def test_intents(question: str, intent: Intent) -> None:
    assert read(question).intent is intent


@pytest.mark.parametrize(
    ("question", "subject"),
    [
        ("who calls dispatch_request", "dispatch_request"),
        ("who calls dispatch?", "dispatch"),
        ("usages of Router", "Router"),
        ("callers of Session.close", "Session.close"),
        ("where is the function merge used", "merge"),
        ("functions similar to `escape`", "escape"),
        ("what does parseConfig() do", "parseConfig"),
        ("Session.close()", "Session.close"),
        ("how does a request flow", ""),
        ('"who calls merge"', ""),
    ],
)
def test_what_a_question_is_about(question: str, subject: str) -> None:
    assert read(question).subject == subject


@pytest.mark.parametrize(
    ("question", "style"),
    [
        ("get_user_names", Style.NAME),
        ("find cmd dir", Style.NAME),
        ("Session.close()", Style.NAME),
        ("Fix crash when the header is empty", Style.CHANGE),
        ("fix(router): match empty wildcards", Style.CHANGE),
        ("trie-router: match empty wildcard remainder", Style.CHANGE),
        ("Returns the last handler in the chain.", Style.WORDS),
        ("the retry of it", Style.WORDS),
        ("wo ist der login", Style.WORDS),
        ("", Style.WORDS),
    ],
)
def test_styles(question: str, style: Style) -> None:
    assert read(question).style is style


@pytest.mark.parametrize(
    ("question", "literal", "pattern"),
    [
        ('"connection refused"', "connection refused", ""),
        ("`a + b`", "a + b", ""),
        (r"/def \w+_test/", "", r"def \w+_test"),
        (r"raise \w+Error\(", "", r"raise \w+Error\("),
        ("foo.*bar", "", "foo.*bar"),
        (r"/unclosed(/", "", ""),
        ("What is this? It is (I think) a question about C++ and a|b, is it not.", "", ""),
        ("say 'hello' twice", "", ""),
    ],
)
def test_what_is_searched_as_it_stands(question: str, literal: str, pattern: str) -> None:
    reading = read(question)
    assert (reading.literal, reading.pattern) == (literal, pattern)
    assert (reading.route is Route.TEXT) == bool(literal or pattern)


def test_quoted_parts_and_identifiers() -> None:
    assert read('where is "connection refused" raised by `dial`').quoted == ("connection refused", "dial")
    assert read("don't and can't").quoted == ()
    assert read("Session::close").identifier == "Session::close"
    assert read("parse()").identifier == "parse"
    assert read("two words").identifier == ""
    assert read("what does it do").route is Route.SEMANTIC
    assert read("what does parse_config do").route is Route.HYBRID


@given(st.text(max_size=300))
def test_anything_can_be_asked(question: str) -> None:
    reading = read(question)
    assert not (reading.literal and reading.pattern)
    if reading.pattern:
        re.compile(reading.pattern)
