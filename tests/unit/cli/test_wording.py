"""Advice as a person at a shell can follow it."""

from __future__ import annotations

import pytest

from pilotfish.cli.wording import error_in_shell_words, in_shell_words
from pilotfish.engine.wire import INTERNAL_ERROR, INVALID_PARAMS, OperationError


@pytest.mark.parametrize(
    ("advice", "said"),
    [
        ("page=2 shows more.", "--page 2 shows more."),
        ("Tests were left out; tests=include shows them.", "Tests were left out; --tests include shows them."),
        ("find_usages run lists where it is used.", "pilotfish refs run lists where it is used."),
        ("find_usages file_filter lists where it is used.", "pilotfish refs file_filter lists where it is used."),
        ("Try a wider file_filter, or search_type=text.", "Try a wider --file-filter, or --search-type text."),
        ("find_symbols finds names, why tells about files.", "pilotfish symbols finds names, why tells about files."),
        ("a page of tests", "a page of tests"),
        (
            'build_context "how does search_code $PATH work" collects',
            "pilotfish context 'how does search_code $PATH work' collects",
        ),
        ('search_code "a \\"b\\" c" looks in the text', "pilotfish search 'a \"b\" c' looks in the text"),
        ("find_usages $http lists where it is used.", "pilotfish refs '$http' lists where it is used."),
    ],
)
def test_operations_and_parameters_are_commands_and_options(advice: str, said: str) -> None:
    assert in_shell_words(advice) == said


def test_a_line_of_a_batch_has_its_parameters_as_they_are() -> None:
    advice = "page=2 shows more. find_usages run lists where it is used."
    assert in_shell_words(advice, in_lines=True) == "page=2 shows more. pilotfish refs run lists where it is used."


def test_what_went_wrong_inside_is_told_as_it_is() -> None:
    inside = OperationError(INTERNAL_ERROR, "cannot import name 'explain_code'", "get_repo_status tells more")
    assert error_in_shell_words(inside) == "cannot import name 'explain_code'; pilotfish status tells more"
    asked = OperationError(INVALID_PARAMS, "find_similar needs one piece of code", "send symbol_name")
    assert error_in_shell_words(asked) == "pilotfish similar needs one piece of code; send --symbol-name"
