"""What a question is taken apart into."""

from __future__ import annotations

import pytest

from pilotfish.retrieval.function_words import foreign_words
from pilotfish.retrieval.question import names_written_out, question_of


@pytest.mark.parametrize(
    ("question", "terms"),
    [
        ("Wo wird eine Anfrage wiederholt?", ["anfrag", "wiederholt"]),
        ("wo ist login", ["login"]),
        ("¿dónde se validan los datos de entrada?", ["validan", "dato", "entrada"]),
        ("où est la configuration du serveur", ["configur", "serveur"]),
        ("como se faz o login", ["faz", "login"]),
        ("dove vengono gestiti gli errori", ["gestiti", "errori"]),
    ],
)
def test_function_words_of_other_languages_say_nothing(question: str, terms: list[str]) -> None:
    asked = question_of(question)
    assert list(asked.terms) == terms
    assert asked.parts <= set(terms)


@pytest.mark.parametrize(
    "question",
    [
        "where is the retry logic",
        "add de and es translations",
        "don't die in the loop",
        "os.path.join",
        "con",
        "parse la locale",
        "does die() end the process as it should",
    ],
)
def test_words_of_english_questions_and_names_stay(question: str) -> None:
    assert not foreign_words(question)


def test_a_question_of_nothing_but_function_words_keeps_them() -> None:
    assert question_of("wo ist die").terms


def test_what_asks_for_tests() -> None:
    asking = (
        "tests for redirects",
        "which unit tests cover it",
        "where are the tests of the parser",
    )
    assert all(question_of(each).asks_for_tests for each in asking)
    others = ("Add tests for interceptors", "how are tests found", "where is the parser", "test the parser")
    assert not any(question_of(each).asks_for_tests for each in others)


@pytest.mark.parametrize(
    ("task", "names"),
    [
        ("rename the config key MAX_COOKIE_SIZE to COOKIE_MAX_SIZE everywhere", ["MAX_COOKIE_SIZE", "COOKIE_MAX_SIZE"]),
        ("getUserName() is slow, see user_name and Cache.size", ["getUserName", "user_name", "Cache.size"]),
        ("Fix the README. It names src/app_main.py and std::vec::Vec", ["std::vec::Vec"]),
        ("Make HTTP requests faster, e.g. with keep-alive; don't wait", []),
        ("_private __init__", []),
    ],
)
def test_names_are_known_by_how_code_writes_them(task: str, names: list[str]) -> None:
    assert names_written_out(task) == names
