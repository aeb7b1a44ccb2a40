"""Embedded languages and notebooks: bounded, cut along their own trees, at the places where they lie in the file."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st
from tests.readers import OUTLINER
from tree_sitter import Parser
from tree_sitter_language_pack import get_language

from pilotfish.syntax.chunks import ChunkSizes, chunks_of
from pilotfish.syntax.notebooks import as_code, notebook_of, plain
from pilotfish.syntax.outline import SymbolKind

FUNCTION = "function f%d() {\n  %s\n}\n"


def names(text: str, language: str) -> list[str]:
    return [symbol.name for symbol in OUTLINER.outline(text.encode(), language).symbols]


def test_only_so_much_of_a_file_is_read_in_other_languages() -> None:
    blocks = "".join(f"```js\nfunction f{number}() {{}}\n```\n" for number in range(1_200))
    assert len(names(blocks, "markdown")) == 1_000
    large = f"<script>{'x();' * 200_000}</script><script>function late() {{}}</script>"
    assert names(large, "html") == []


def test_the_first_languages_of_a_file_are_read_and_all_of_its_own() -> None:
    fences = ["python", "go", "js", "java", "c", "cpp", "ruby", "rust", "lua", "bash", "php", "kotlin"]
    text = "".join(f"# H\n\n```{each}\nx\n```\n" for each in fences)
    text += "# Last\n\n```scala\nobject Late {}\n```\n\n```python\ndef last(): pass\n```\n"
    assert names(text, "markdown") == ["H"] * len(fences) + ["Last", "last"]


def test_a_language_is_not_embedded_in_itself_or_in_what_is_embedded() -> None:
    assert names('<script type="text/html"><h1>Inner</h1></script>', "html") == []
    assert names("```vue\n<script>function f() {}</script>\n```\n", "markdown") == []


def test_names_come_from_what_may_be_shown() -> None:
    text = b"<script>var secret = 1</script>"
    (symbol,) = OUTLINER.read(text, "html", text.replace(b"secret", b"******")).outline.symbols
    assert symbol.name == "******"


def test_symbols_lie_in_what_is_around_them_and_say_their_language() -> None:
    outline = OUTLINER.outline(b"# A\n\n```py\nclass B:\n    def c(self): pass\n```\n\n## D\n", "markdown")
    heading, inner, method, below = outline.symbols
    assert (inner.parent, method.parent, below.parent) == (0, 1, 0)
    assert method.kind is SymbolKind.METHOD
    assert [symbol.language for symbol in (heading, inner, method, below)] == ["", "python", "python", ""]


def test_what_is_inserted_into_a_string_is_a_name_there() -> None:
    text = b"go(sql`SELECT a FROM ${table} JOIN users ON f(${id})`, `CREATE TABLE other`)"
    outline = OUTLINER.outline(text, "javascript")
    names = {group.name for group in outline.references}
    assert {"users", "f"} <= names
    assert not any("$" in name or "x" in name for name in names)
    assert [symbol.name for symbol in outline.symbols] == []


def test_what_is_embedded_is_cut_along_its_own_tree() -> None:
    functions = [FUNCTION % (number, "call(1);\n  " * 60) for number in range(4)]
    text = f"<p>Before</p>\n<script>\n{''.join(functions)}</script>\n<p>Behind</p>\n".encode()
    reading = OUTLINER.read(text, "html")
    chunks = chunks_of(reading.tree, text, reading.outline, ChunkSizes(), reading.embedded)
    heads = [text[chunk.start : chunk.end].decode().split("(")[0].split("\n")[-1] for chunk in chunks]
    assert heads[1:] == ["function f1", "function f2", "function f3"]
    assert "function f0" in text[chunks[0].start : chunks[0].end].decode()


def test_chunks_of_a_notebook_hold_its_cells_and_nothing_that_it_printed() -> None:
    cells = [{"cell_type": "code", "outputs": [{"text": ["printed\n"] * 500}], "source": ["x = 1\n", "y()"]}]
    text = json.dumps({"cells": cells, "metadata": {}}, indent=1).encode()
    reading = OUTLINER.read(text, "jupyter")
    (chunk,) = chunks_of(reading.tree, reading.shown, reading.outline, ChunkSizes(), reading.embedded)
    assert reading.shown[chunk.start : chunk.end].split() == b"x = 1 y()".split()


PLAIN = st.text(st.characters(max_codepoint=0xFFFF, exclude_categories=("Cc", "Cs"), exclude_characters='"\\'))


@given(st.lists(PLAIN, max_size=6), st.booleans())
def test_a_notebook_read_as_code_keeps_its_words_and_places(lines: list[str], is_ascii: bool) -> None:
    cell = {"cell_type": "code", "source": [f"{line}\n" for line in lines], "outputs": []}
    text = json.dumps({"cells": [cell]}, indent=1, ensure_ascii=is_ascii).encode()
    notebook = notebook_of(Parser(get_language("json")).parse(text).root_node, text)
    assert len(notebook.code) == len(lines)
    code = plain(text, notebook.code, is_code=False)
    assert len(code) == len(as_code(text)) == len(text)
    assert "".join(code.decode().split()) == "".join("".join(lines).split())


def test_a_damaged_notebook_and_a_foreign_kernel_are_read_as_far_as_they_go() -> None:
    damaged = '{"cells": [{"cell_type": "code", "source": ["def f(): pass"]}, {"cell_type": '
    assert names(damaged, "jupyter") == ["f"]
    assert names('{"cells": 1, "worksheets": [], "metadata": []}', "jupyter") == []
    cells = '"cells": [{"cell_type": "code", "source": "function f() {}"}]'
    for kernel, found in (("javascript", ["f"]), ("unheard", [])):
        assert names(f'{{{cells}, "metadata": {{"kernelspec": {{"language": "{kernel}"}}}}}}', "jupyter") == found


def test_the_first_format_of_notebooks_is_read() -> None:
    cell = '{"cell_type": "code", "language": "python", "input": ["def f():\\n", "    pass"]}'
    text = f'{{"worksheets": [{{"cells": [{cell}]}}]}}'
    assert names(text, "jupyter") == ["f"]
