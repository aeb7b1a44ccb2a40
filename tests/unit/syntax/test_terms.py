"""Shadow terms: what a name, a word and a question become."""

from __future__ import annotations

import pytest

from pilotfish.syntax.passages import MAX_PASSAGE, hash_of, passage_of
from pilotfish.syntax.subwords import stem
from pilotfish.syntax.terms import MOST_QUESTION_TERMS, question_terms, terms


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("getUserNames", "getusernam get user nam"),
        ("get_user_names GetUserName", "getusernam get user nam getusernam get user nam"),
        ("HTTPServer_v2", "httpserverv2 http serv 2"),
        ("x_axis + i", "xaxi axi"),
        ("server/store/rows.py", "serv stor row py"),
        ("utf8 404 3.14159265358979", "utf8 utf 8 404"),
        ("Café naïve cafe\u0301 straße", "caf naiv caf stras"),
        ("привет Мир", "привет мир"),
        ("検索する", "検 索 す る 検索 索す する"),
        ("getユーザー", "get ユ ー ザ ー ユー ーザ ザー"),
        ("d41d8cd98f00b204e9800998ecf8427e " + "a" * 200, ""),
        ("", ""),
        ("_ __ ___ + - \"'", ""),
    ],
)
def test_terms(text: str, expected: str) -> None:
    assert terms(text) == expected


@pytest.mark.parametrize(
    "words",
    [
        "cache caches cached caching",
        "handle handles handled handling handler handlers",
        "run runs running runner",
        "validate validates validated validating validation validator validators",
        "process processes processed processing processor",
        "class classes",
        "query queries queried querying",
        "render renders rendered rendering renderer",
        "configure configured configuring configuration",
        "create created creating creation creator",
        "index indexes indexed indexing indexer",
        "error errors",
        "status statuses",
        "embed embedded embedding embeddings",
    ],
)
def test_forms_of_one_word_share_a_stem(words: str) -> None:
    assert len({stem(word) for word in words.split()}) == 1


def test_words_that_differ_keep_apart() -> None:
    words = "string str set state status thing this use user need speed red bus index form format"
    assert len({stem(word) for word in words.split()}) == len(words.split())


def test_a_question_loses_its_stop_words_unless_it_has_no_others() -> None:
    assert question_terms("Where is the retry logic for failed requests?") == ["retry", "logic", "fail", "request"]
    assert question_terms("getUserName of the user") == ["getusernam", "get", "user", "nam"]
    assert question_terms("what is this") == ["what", "is", "thi"]
    assert question_terms("¿dónde está la caché?") == ["dond", "esta", "la", "cach"]
    assert question_terms(' " OR * ') == ["or"]
    assert question_terms("") == []
    assert question_terms("It won't retry, and the user\u2019s name isn't what we've sent") == [
        "retry", "user", "nam", "sent",
    ]  # fmt: skip
    assert question_terms("wo wird es wiederholt", {"wo", "wird", "es"}) == ["wiederholt"]


def test_a_long_question_is_cut_short() -> None:
    assert len(question_terms(" ".join(f"word{chr(97 + n % 26)}{n}" for n in range(5_000)))) == MOST_QUESTION_TERMS


def test_a_passage_names_what_it_is_about_and_compacts_the_code() -> None:
    code = "def add(self, order):\n\n        self.orders.append(order)\n"
    assert passage_of(code, "add", "Shop") == "Shop.add\ndef add(self, order): self.orders.append(order)"
    assert passage_of("x = 1", "", "") == "x = 1"
    assert len(passage_of("word " * 10_000, "n" * 1_000, "s" * 1_000)) == MAX_PASSAGE


def test_indentation_and_blank_lines_do_not_change_a_passage() -> None:
    assert hash_of(passage_of("if x:\n    y()\n", "f", "")) == hash_of(passage_of("  if x:\r\n\n\ty()", "f", ""))
