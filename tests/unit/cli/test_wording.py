"""Advice as a person at a shell can follow it."""

from __future__ import annotations

import pytest

from pilotfish.cli.wording import in_shell_words


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
    ],
)
def test_operations_and_parameters_are_commands_and_options(advice: str, said: str) -> None:
    assert in_shell_words(advice) == said
