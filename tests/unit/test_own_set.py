"""The set of questions that `tests.quality.own_set` makes can be answered from an index of its trees."""

from __future__ import annotations

import ast
import os
import random
from pathlib import Path

import msgspec
from tests.quality.own_set import Source, by_symbol, definitions, make, stripped
from tests.quality.retrieval import Question, read_questions

from pilotfish.engine import wire
from pilotfish.engine.engine import Engine
from pilotfish.operations.symbols import OutlineResult

PACKAGE = "pygls"
"""Always installed, and it has files that say that a program wrote them: an index holds their names only."""


async def test_every_answer_is_a_definition_that_an_index_of_the_tree_has(tmp_path: Path) -> None:
    assert make(tmp_path / "set", [PACKAGE, "no-such-package"]) == [PACKAGE]
    questions = read_questions(tmp_path / "set")
    assert {question.task for question in questions} == {"docstring", "symbol"}
    assert len({question.id for question in questions}) == len(questions)
    for tree in {question.tree for question in questions}:
        asked = [question for question in questions if question.tree == tree]
        assert await _not_in_index(asked, tmp_path / "set" / "trees" / tree, tmp_path / tree) == []


async def _not_in_index(questions: list[Question], tree: Path, home: Path) -> list[Question]:
    environment = {**os.environ, "PILOTFISH_HOME": str(home)}
    engine = await Engine.open(tree, index_folder=home / "index", environment=environment)
    hello = wire.Hello(token="", wire=wire.WIRE_VERSION, build="", kind="cli", client="test", pid=1)
    session = engine.connect(hello, lambda method, params: None)
    await engine.indexer.wait_quiet()
    parameters = msgspec.Raw(msgspec.json.encode({"all": True}))
    answer = await engine.call(session, "outline", parameters)
    assert isinstance(answer, OutlineResult)
    defined = {(file.path, symbol.line) for file in answer.files for symbol in file.symbols}
    await engine.close()
    return [question for question in questions if question.expected[0][:2] not in defined]


def test_a_name_is_asked_for_only_where_it_is_that_of_one_definition() -> None:
    once = {"check_last_value", "check_value", "read_whole_file", "write_file"}
    heads = ["class CodeAction", "def code_action()", "def run()", *(f"def {name}()" for name in sorted(once))]
    text = "".join(f"{head}: pass\n" for head in heads)
    found = list(definitions([Source("a.py", text, ast.parse(text))]))
    asked = {(query, each.node.name) for seed in range(40) for query, each in by_symbol(found, random.Random(seed))}
    assert {name for _, name in asked} == once
    assert {("CheckLastValue", "check_last_value"), ("read file", "read_whole_file")} < asked
    assert ("check value", "check_last_value") not in asked


def test_documentation_is_blanked_out_and_every_line_stays() -> None:
    text = (
        '# A form feed ends no line: \f, nor does \x85.\nclass Größe:\n    """Says all."""; x = "ß"\r\n'
        '    def of(self):\n        """Tells it.\n\n        And more."""\n        return """kept"""\n'
    )
    said = ('"""Says all."""', '"""Tells it.', 'And more."""')
    wanted = text
    for words in said:
        wanted = wanted.replace(words, " " * len(words))
    assert stripped(Source("a.py", text, ast.parse(text))) == wanted
