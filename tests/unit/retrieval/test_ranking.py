"""The order of answers, from made-up evidence."""

from __future__ import annotations

import math
import random
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pilotfish.retrieval.candidates import Candidate, Details, definitions_in, is_supporting, signature_text
from pilotfish.retrieval.features import FIRST_STAGE, SECOND_STAGE, WHAT, Repository, first_columns, second_columns
from pilotfish.retrieval.question import question_of, rarities, wanted
from pilotfish.retrieval.ranking import chosen, company, first_stage, second_stage
from pilotfish.retrieval.variety import ALIKE, PAGE, SHINGLE, sketch_of, varied
from pilotfish.retrieval.weights import FIRST, SECOND
from pilotfish.syntax.outline import OutlineSymbols, SymbolKind
from pilotfish.syntax.outlines import Outliner
from pilotfish.syntax.terms import terms

FUNCTION = int(SymbolKind.FUNCTION)


def details_of(text: str, *known: Any) -> Details:
    return Details(text, terms(text), *known)


def candidate(number: int, path: str, name: str = "", **fields: object) -> Candidate:
    plain = {"id": number, "path": path, "line_start": number, "line_end": number + 9, "size": 500}
    named = {"name": name, "names": (name,), "kind": FUNCTION} if name else {}
    return msgspec.convert({**plain, **named, **fields}, Candidate, strict=False)


def repository(question: str, **fields: float) -> Repository:
    asked = question_of(question)
    return Repository(rarities(asked, dict.fromkeys(wanted(asked), 3), 1_000), **fields)  # type: ignore[arg-type]


def order(question: str, candidates: list[Candidate], **fields: float) -> list[int]:
    ranked = first_stage(question_of(question), candidates, repository(question, **fields))
    return [candidates[one.place].id for one in ranked]


def test_every_feature_has_a_weight_and_a_description() -> None:
    assert set(FIRST) == set(FIRST_STAGE)
    assert set(SECOND) == set(SECOND_STAGE) - {"quoted", "undefined"}
    assert set(WHAT) == set(SECOND_STAGE)


def test_an_exact_name_comes_first_whatever_else_speaks() -> None:
    loud = candidate(1, "a.py", "parse_settings_file", lexical=30.0, cosine=0.9, history=9.0)
    exact = candidate(2, "b.py", "parseSettings", lexical=1.0)
    assert order("parse_settings", [loud, exact]) == [2, 1]
    assert order("Config.parse_settings", [loud, exact]) == [2, 1]


def test_evidence_counts() -> None:
    plain = candidate(1, "a.py", lexical=5.0, cosine=0.3)
    for better in (
        {"lexical": 9.0},
        {"cosine": 0.8},
        {"history": 5.0},
        {"name": "open_socket", "names": ("open_socket",), "kind": FUNCTION},
    ):
        other = msgspec.structs.replace(plain, id=2, path="b.py", **better)  # type: ignore[arg-type]
        assert order("where a socket is opened for listening", [plain, other])[0] == 2, better


def test_tests_come_later_unless_they_are_asked_for() -> None:
    code = candidate(1, "pkg/socket.py", lexical=5.0)
    test = candidate(2, "tests/test_socket.py", lexical=7.0)
    assert order("open a socket for listening", [code, test]) == [1, 2]
    assert order("tests that open a socket", [code, test])[0] == 2
    weak, fixture = candidate(3, "spec/socket.spec.js", lexical=4.0), candidate(4, "dist/socket.test.js", lexical=7.0)
    assert order("tests for sockets", [code, weak, fixture])[0] == 3


@pytest.mark.parametrize(
    ("path", "supporting"),
    [
        ("tests/a.py", True),
        ("src/a_test.go", True),
        ("src/a.spec.ts", True),
        ("src/FooTest.java", True),
        ("examples/x.rs", True),
        ("vendor/lib/a.c", True),
        ("src/testable.py", False),
        ("src/latest.go", False),
        ("contest/a.py", False),
    ],
)
def test_supporting_files(path: str, supporting: bool) -> None:
    assert is_supporting(path) == supporting


def test_company_favours_files_that_fit_in_several_places() -> None:
    alone = candidate(1, "a.py")
    several = [candidate(number, "b.py") for number in (2, 3, 4)]
    added = company([alone, *several], np.array([1.0, 0.9, 0.9, 0.8])).tolist()
    assert added[0] == pytest.approx(0.3 * 0.5 + 0.3 * 0.2)
    assert added[1:] == [pytest.approx(0.3 * 0.9 + 0.3 * 0.8)] * 3


def test_quoted_texts_count() -> None:
    asked = 'where is "no route to host" reported'
    same = [candidate(number, f"{number}.py", lexical=5.0) for number in (1, 2)]
    details = [details_of("no host and no route to it"), details_of('raise Error("no route to host")')]
    assert second_stage(question_of(asked), same, details, repository(asked))[0].place == 1


def test_unknown_vectors_and_no_candidates() -> None:
    assert order("anything at all", []) == []
    assert order("anything at all", [candidate(1, "a.py", cosine=math.nan, lexical=1.0)]) == [1]


CODE = '''\
class Pool:
    def acquire(self, timeout: float) -> Connection:
        """Wait for a free one."""
        return self.free.get(timeout=timeout)

    def release(self, connection):
        self.free.put(connection)
'''


def test_definitions_and_the_second_stage() -> None:
    text = CODE.encode()
    outline = Outliner().outline(text, "python")
    symbols = OutlineSymbols(outline.symbols)
    found = definitions_in(symbols, "python", text, text.index(b"    def acquire"), len(text))
    assert [(one.name, one.scope) for one in found] == [("acquire", "Pool"), ("release", "Pool")]
    assert signature_text(found[0]) == "Pool def acquire(self, timeout: float) -> Connection"

    asked = "give a connection back within a timeout"
    question, known = question_of(asked), repository(asked)
    same = [candidate(number, f"{number}.py", lexical=1.0, cosine=0.5) for number in (1, 2)]
    details = [details_of("pass"), details_of(CODE, found, [0.1, 0.6], [0.2, 0.7])]
    columns = first_columns(question, same, known)
    assert [one.place for one in second_stage(question, same, details, known, columns)] == [1, 0]
    features = second_columns(question, same, details, known, columns)
    assert features["signature"][1] > 0 == features["signature"][0]
    assert features["signature_meaning"].tolist() == [0.0, 1.0]
    assert set(chosen(columns, [1])) == set(FIRST_STAGE)


@given(st.integers(0, 10_000))
def test_the_order_does_not_depend_on_the_order_of_candidates(seed: int) -> None:
    chance = random.Random(seed)
    asked = chance.choice(["open a socket", "fix: open socket twice", "socketOpen"])
    candidates = [
        candidate(
            number,
            f"{chance.choice('abc')}.py",
            chance.choice(["", "open_socket", "close", "read_all"]),
            lexical=chance.choice([0.0, 1.0, 2.0]),
            cosine=chance.choice([math.nan, 0.1, 0.4]),
            history=chance.choice([0.0, 3.0]),
        )
        for number in range(chance.randrange(12))
    ]
    shuffled = chance.sample(candidates, len(candidates))
    assert order(asked, candidates, mean_cosine=0.1) == order(asked, shuffled, mean_cosine=0.1)
    columns = first_columns(question_of(asked), candidates, repository(asked))
    assert all(np.isfinite(column).all() for column in columns.values())


def test_variety() -> None:
    whole = candidate(1, "a.py", "run")
    rest = candidate(11, "a.py", name="run", names=())
    copy = candidate(3, "b.py", "run")
    others = [candidate(number, "c.py", f"f{number}") for number in range(4, 10)]
    last = candidate(20, "d.py", "g")
    text = "for number in range(ten): total += number * price(number) - discount(number)"
    texts = [text, "more()", text, *(f"def f{n}(): return unlike_{n}({n})" for n in range(4, 10)), "def g(): pass"]
    answers = [whole, rest, copy, *others, last]
    shown = varied(answers, [sketch_of(terms(text)) for text in texts])
    assert [answers[answer.place].id for answer in shown] == [1, 4, 5, 6, 7, 20, 8, 9]
    assert (shown[0].line_start, shown[0].line_end) == (1, 20)


def test_what_a_file_has_too_much_for_a_page_comes_on_the_next() -> None:
    """Behind the answers of all other files nobody would find it."""
    large = [candidate(20 * number, "large.py") for number in range(9)]
    others = [candidate(1_000 * number, f"{number}.py") for number in range(1, 31)]
    answers = large + others
    paths = [answers[answer.place].path for answer in varied(answers, [None] * len(answers))]
    pages = [paths[start : start + PAGE] for start in range(0, len(paths), PAGE)]
    assert [page.count("large.py") for page in pages] == [4, 4, 1, 0]
    alone = [answer.place for answer in varied(large, [None] * len(large))]
    assert alone == list(range(len(large)))
    files = [answers[answer.place].path for answer in varied(answers, [None] * len(answers), about_files=True)]
    assert files[4:34] == [each.path for each in others]


def test_only_parts_of_one_definition_side_by_side_are_joined() -> None:
    overloads = [candidate(1, "A.java", "add"), candidate(11, "A.java", "add")]
    assert [answer.place for answer in varied(overloads, [None, None])] == [0, 1]
    apart = [candidate(1, "a.py", "run"), candidate(100, "a.py", name="run", names=())]
    assert [answer.place for answer in varied(apart, [None, None])] == [0, 1]
    long = [candidate(1, "a.py", "run"), candidate(11, "a.py", name="run", names=(), line_end=200)]
    assert [answer.place for answer in varied(long, [None, None])] == [0, 1]


@given(st.data())
def test_whatever_is_alike_is_found(data: st.DataObject) -> None:
    """Texts whose rows of terms are common to nine tenths are one answer, and no others."""
    words = data.draw(st.lists(st.sampled_from([f"w{n}" for n in range(40)]), min_size=1, max_size=60))
    texts = [words]
    for _ in range(data.draw(st.integers(1, 4))):
        changed = list(data.draw(st.sampled_from(texts)))
        for place in data.draw(st.lists(st.integers(0, len(changed) - 1), max_size=2)):
            changed[place] = "other"
        texts.append(changed)
    answers = [candidate(20 * number, f"{number}.py") for number in range(len(texts))]
    kept: list[set[tuple[str, ...]]] = []
    for text in texts:
        rows = {tuple(text[place : place + SHINGLE]) for place in range(max(len(text) - SHINGLE + 1, 1))}
        if not any(len(rows & other) >= ALIKE * len(rows | other) for other in kept):
            kept.append(rows)
    assert len(varied(answers, [sketch_of(" ".join(text)) for text in texts])) == len(kept)
