"""Code explained over real small catalogs, with open documents laid over them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.unit.engine.test_navigation import Editor
from tests.unit.engine.test_tracing import PYTHON, TYPESCRIPT, mark, write_go

from pilotfish.engine.binding import Binder
from pilotfish.engine.explaining import explain_code, is_of
from pilotfish.engine.passages import Sources
from pilotfish.engine.wire import OperationError
from pilotfish.graph.tokens import estimate
from pilotfish.operations.explain import ExplainCodeParameters, ExplainCodeResult, RelatedCode
from pilotfish.store.catalog import Catalog
from pilotfish.store.commits import CommitBatch, CommitRow


@pytest.fixture
def editor(tmp_path: Path) -> Iterator[Editor]:
    root = tmp_path / "root"
    root.mkdir()
    catalog = Catalog.open(tmp_path / "index")
    opened = Editor(root.resolve(), catalog)
    yield opened
    opened.reader.close()
    catalog.close()


def explain(editor: Editor, symbol_name: str | None = None, **more: Any) -> ExplainCodeResult:
    view = editor.view()
    sources = Sources(view)
    with editor.reader:
        parameters = ExplainCodeParameters(symbol_name=symbol_name, **more)
        return explain_code(view, Binder(view, sources), sources, parameters)


def related(editor: Editor, found: list[RelatedCode]) -> list[tuple[str, str, str]]:
    """How, what, and the mark of its line."""
    return [(each.relation, each.name, mark(editor, each.path, each.line)) for each in found]


def test_a_method_is_explained_with_what_it_calls_and_who_calls_it(editor: Editor) -> None:
    editor.write(PYTHON)
    found = explain(editor, "Store.save")
    assert (found.name, found.kind, found.container, found.language) == ("save", "method", "Store", "python")
    assert found.signature == "def save(self)"
    assert found.source.splitlines()[0].strip() == "def save(self):  # @save"
    assert not found.source_truncated
    assert related(editor, found.uses) == [("calls", "Base.check", "check"), ("calls", "Store.flush", "flush")]
    assert related(editor, found.used_by) == [
        ("called by", "Store.flush", "flush"),
        ("called by", "main", "main"),
    ]
    assert related(editor, found.tests) == [("called by", "test_save", "test-save")]
    assert (found.calls, found.test_uses, found.use_files) == (2, 1, 3)
    assert found.file_imports == ["app.base"]
    assert found.imported_by == 2
    assert found.outcome == "found"


def test_types_tell_what_they_inherit_and_methods_what_they_override(editor: Editor) -> None:
    editor.write(PYTHON)
    assert related(editor, explain(editor, "Store").ancestry) == [("inherits", "Base", "base")]
    assert related(editor, explain(editor, "Base").ancestry) == [("inherited by", "Store", "store")]
    assert related(editor, explain(editor, "Store.close").ancestry) == [("overrides", "Base.close", "base-close")]
    assert related(editor, explain(editor, "Base.close").ancestry) == [("overridden by", "Store.close", "close")]
    assert [each.name for each in explain(editor, "Store").members] == [
        "Store.__init__",
        "Store.save",
        "Store.flush",
        "Store.close",
    ]


def test_lines_are_explained_by_what_is_in_them(editor: Editor) -> None:
    editor.write(PYTHON)
    lines = PYTHON["app/main.py"].splitlines()
    first = next(number for number, line in enumerate(lines, 1) if "@saves" in line)
    found = explain(editor, file_path="app/main.py", line_start=first, line_end=first + 1)
    assert (found.name, found.line_start, found.line_end) == ("main", first, first + 1)
    assert found.source.splitlines() == lines[first - 1 : first + 1]
    assert [each.name for each in found.uses] == ["Store.save", "load"]
    whole = explain(editor, file_path="app/main.py")
    assert (whole.kind, whole.name, whole.line_start) == ("file", "app/main.py", 1)
    assert [each.name for each in whole.members] == ["main"]


@pytest.mark.parametrize("max_tokens", [300, 1_500])
def test_lines_that_were_asked_for_come_before_all_else(editor: Editor, max_tokens: int) -> None:
    imports = "".join(f"import library_{number}\n" for number in range(60))
    body = "".join(f"    step_{number} = argument + {number}\n" for number in range(40))
    documentation = '    """Add up all steps.\n\n' + "    One after the other.\n" * 40 + '    """\n'
    editor.write({"wide.py": f"{imports}\n\ndef wide(argument):\n{documentation}{body}\n\nwide(1)\n"})
    lines = editor.texts["wide.py"].decode().splitlines()
    first = lines.index("    step_5 = argument + 5") + 1
    found = explain(editor, file_path="wide.py", line_start=first, line_end=first + 5, max_tokens=max_tokens)
    assert found.source.splitlines() == lines[first - 1 : first + 5]
    assert (found.name, lines[found.enclosing_start - 1]) == ("wide", "def wide(argument):")
    assert found.documentation == "Add up all steps."
    assert [each.name for each in found.used_by] == ["wide.py"]
    assert found.file_imports == []


def test_what_the_source_says_is_not_said_again(editor: Editor) -> None:
    editor.write(
        {
            "a.py": 'def run():\n    """Run it all,\n    to the end."""\n',
            "b.go": "package b\n\n// Run runs.\nfunc Run() {}\n",
        }
    )
    assert explain(editor, "run").documentation == ""
    assert explain(editor, "Run").documentation == "Run runs."


def test_a_file_is_told_by_its_members_and_the_modules_of_the_repository(editor: Editor) -> None:
    imports = "".join(f"import library_{number}\n" for number in range(60))
    own = "import typing\nfrom app import text\nfrom .app.base import Base\n"
    source = f"{imports}{own}\n\nclass Big(Base):\n    size = 1\n\n    def grow(self): ...\n"
    editor.write({**PYTHON, "app/typing.py": "", "big.py": source})
    found = explain(editor, file_path="big.py", max_tokens=700)
    assert [each.name for each in found.members] == ["Big", "Big.size", "Big.grow"]
    assert (found.source, found.source_truncated) == ("", True)
    assert "line_start" in found.hint
    assert found.file_imports[:2] == ["app", ".app.base"]
    assert found.file_imports[2:] == [f"library_{number}" for number in range(5)]


@pytest.mark.parametrize(
    ("module", "linked", "is_own"),
    [
        ("os", ["src/app/os.py"], False),
        ("app.text", ["src/app/text.py"], True),
        ("app", ["src/app/__init__.py"], True),
        ("./api", [], True),
        ("example.com/shop/price", ["price/price.go"], True),
        ("github.com/other/price", ["cart/cart.go"], False),
        ("<stdio.h>", ["src/stdout.h"], False),
        ('"util/list.h"', ["src/util/list.h"], True),
        ("crate::store::rows", ["src/store/rows.rs"], False),
        ("store::rows", ["src/store/rows.rs"], True),
    ],
)
def test_modules_of_the_repository_are_told_from_others(module: str, linked: list[str], is_own: bool) -> None:
    assert is_of(module, linked) is is_own


def test_typescript_and_go(editor: Editor) -> None:
    editor.write(TYPESCRIPT)
    write_go(editor)
    view = explain(editor, "show")
    assert related(editor, view.uses) == [("calls", "fetchUser", "fetch"), ("calls", "View", "view")]
    assert related(editor, explain(editor, "View.render").used_by) == [("called by", "View.constructor", "view-new")]
    total = explain(editor, "Cart.Total")
    assert related(editor, total.uses) == [
        ("calls", "Cart.one", "one"),
        ("calls", "Round", "round"),
        ("uses type", "Cart", "cart"),
    ]


def test_unsaved_text_is_explained(editor: Editor) -> None:
    editor.write(PYTHON)
    editor.open("app/text.py", PYTHON["app/text.py"].replace("return strip(value)", "return value"))
    found = explain(editor, "clean")
    assert found.uses == []
    assert "return value  # @strips" in found.source
    assert explain(editor, "strip").used_by == []


def test_reads_and_types_are_counted_apart(editor: Editor) -> None:
    editor.write(
        {
            "limits.py": "LIMIT = 3\n\n\nclass Box:\n    pass\n",
            "use.py": "from limits import LIMIT, Box\n\n\ndef f(box: Box):\n    return LIMIT + LIMIT\n",
        }
    )
    constant = explain(editor, "LIMIT")
    assert (constant.reads, constant.imports, constant.calls) == (2, 1, 0)
    assert [(each.relation, each.name, each.count) for each in constant.used_by] == [("used by", "f", 2)]
    assert (explain(editor, "Box").types, explain(editor, "f").uses[0].relation) == (1, "uses type")


def test_past_commits_tell_of_the_file_under_all_its_names(editor: Editor) -> None:
    editor.write(PYTHON)
    assert explain(editor, "load").history == []
    day = 86_400
    commits = [
        CommitRow(bytes([1]) * 20, 1 * day, "Add the store", "", [["app/old.py", "load"]], []),
        CommitRow(bytes([2]) * 20, 2 * day, "Move it", "", [["app/store.py"]], [("app/old.py", "app/store.py")]),
        CommitRow(bytes([3]) * 20, 3 * day, "Other", "", [["xapp/store.py"]], []),
        CommitRow(bytes([4]) * 20, 4 * day, "Flush", "", [["app/main.py"], ["app/store.py", "flush"]], []),
    ]
    editor.catalog.apply_commits(CommitBatch("1", added=commits))
    assert [(each.date, each.subject) for each in explain(editor, "load").history] == [
        ("1970-01-05", "Flush"),
        ("1970-01-03", "Move it"),
        ("1970-01-02", "Add the store"),
    ]


def test_other_definitions_of_the_name_are_told(editor: Editor) -> None:
    editor.write({"a.py": "def run():\n    pass\n", "b.py": "def run():\n    pass\n"})
    found = explain(editor, "run", file_hint="b.py")
    assert (found.path, found.others) == ("b.py", ["a.py:1"])


@pytest.mark.parametrize("max_tokens", [50, 100, 250, 500, 1_500, 20_000])
def test_an_answer_keeps_its_budget_and_a_larger_one_shows_no_less(editor: Editor, max_tokens: int) -> None:
    body = "".join(f"    callee_{number}(argument)  # {'x' * 60}\n" for number in range(200))
    callees = "".join(f"def callee_{number}(argument):\n    pass\n\n\n" for number in range(200))
    users = "".join(f"def user_{number}():\n    wide(0)\n\n\n" for number in range(200))
    editor.write({"wide.py": f'{callees}def wide(argument):\n    """All of them."""\n{body}\n\n{users}'})
    found = explain(editor, "wide", max_tokens=max_tokens)
    fields = msgspec.to_builtins(found)
    written = {name: value for name, value in fields.items() if value and name not in ("index", "outcome", "unsaved")}
    assert estimate(msgspec.json.encode(written).decode()) <= max(max_tokens, 200)
    assert found.left_out > 0
    assert found.hint
    smaller = explain(editor, "wide", max_tokens=max(50, max_tokens // 2))
    for name in ("source", "uses", "used_by"):
        assert len(getattr(smaller, name)) <= len(getattr(found, name))
    if found.source:
        assert found.source_truncated == found.source.splitlines()[-1].startswith("…")


def test_secrets_are_not_shown(editor: Editor) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6" * 3
    editor.open("key.py", f'TOKEN = "{secret}"\n\n\ndef call():\n    return "{secret}"\n')
    for found in (explain(editor, "TOKEN"), explain(editor, "call"), explain(editor, file_path="key.py")):
        assert secret not in msgspec.json.encode(found).decode()


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"symbol_name": "load", "file_path": "app/store.py"},
        {"file_path": "../outside.py"},
        {"file_path": "/etc/passwd"},
        {"file_path": "app/store.py", "line_start": 9, "line_end": 3},
        {"file_path": "app/store.py", "line_end": 3},
        {"file_path": "app/store.py", "line_start": 9_999},
    ],
)
def test_wrong_questions_say_what_to_send(editor: Editor, asked: dict[str, Any]) -> None:
    editor.write(PYTHON)
    with pytest.raises(OperationError) as caught:
        explain(editor, **asked)
    assert caught.value.hint


@pytest.mark.parametrize("name", ["loat", "", "\0", "x" * 5_000, "a.b.c", "::", "😀"])
def test_unknown_names_are_no_match(editor: Editor, name: str) -> None:
    editor.write(PYTHON)
    found = explain(editor, name)
    assert (found.outcome, found.name) == ("no_match", "")
    assert found.hint
    assert explain(editor, file_path="app/none.py").outcome == "no_match"
    assert explain(editor, file_path="stores.py").hint == "stores.py is not in the index; did you mean app/store.py?"
