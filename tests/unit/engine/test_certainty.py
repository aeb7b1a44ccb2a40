"""Uses of a name told apart: bound to what was asked for, holding the name only, or meaning something else.

A comment `@name` marks a line; answers are compared by these marks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.unit.engine.test_navigation import Editor

from pilotfish.engine.handlers import HANDLERS
from pilotfish.operations import OPERATIONS
from pilotfish.operations.symbols import FindUsagesResult
from pilotfish.store.catalog import Catalog

_MARK = re.compile(r"(?:#|//) @([\w-]+)")


@pytest.fixture
def editor(tmp_path: Path) -> Iterator[Editor]:
    root = tmp_path / "root"
    root.mkdir()
    catalog = Catalog.open(tmp_path / "index")
    opened = Editor(root.resolve(), catalog)
    yield opened
    opened.reader.close()
    catalog.close()


def usages(editor: Editor, symbol_name: str, **more: Any) -> FindUsagesResult:
    with editor.reader:
        asked = OPERATIONS["find_usages"].parameters(symbol_name=symbol_name, **more)
        found: FindUsagesResult = HANDLERS["find_usages"].answer(editor.view(), asked)
        return found


def marks(editor: Editor, found: FindUsagesResult, certainty: str) -> list[str]:
    """The marks of the lines of one certainty, and whether they come where they belong."""
    lines = [editor.texts[each.path].decode().splitlines()[each.line - 1] for each in found.usages]
    order = [each.certainty for each in found.usages]
    assert order == sorted(order), "bound ones come first"
    assert found.bound == order.count("bound")
    marked = [(match.group(1) if (match := _MARK.search(line)) else line) for line in lines]
    return sorted(mark for mark, each in zip(marked, order, strict=True) if each == certainty)


FLASK = {
    "web/__init__.py": "from .helpers import respond as respond  # @handed-on\nfrom .app import App as App\n",
    "web/app.py": """\
class Base:
    def respond(self): ...


class App(Base):
    limit = 3

    def respond(self, value):
        limit = 4
        return self.finish(limit)

    def finish(self, value):
        value = self.limit  # @own-field
        return self.respond(value)  # @self
""",
    "web/proxies.py": "from .app import App\n\ncurrent: App = make()\nother = make()\n",
    "web/helpers.py": """\
from .proxies import current, other


def respond(*args):
    if args:
        return current.respond(args)  # @typed-elsewhere
    return other.respond(args)  # @unknown


def again():
    return respond(1)  # @plain
""",
    "tests/test_web.py": """\
import web
from web import App, respond  # @imported


def test_function(client):
    web.respond(1)  # @module
    web.helpers.respond(2)  # @submodule
    respond(3)  # @plain-imported


def test_method(app, respond):
    made = App()
    made.respond(1)  # @made
    app.respond(2)  # @named-after
    client().respond(3)  # @chained
    App("name").respond(4)  # @made-here
    respond(4)
""",
    "tests/test_plain.py": "def test(made: object):\n    made.respond()  # @nobody\n",
}


def test_a_function_and_a_method_of_one_name_are_told_apart(editor: Editor) -> None:
    editor.write(FLASK)
    method = usages(editor, "App.respond")
    assert marks(editor, method, "bound") == ["made", "made-here", "named-after", "self", "typed-elsewhere"]
    assert marks(editor, method, "name") == ["chained", "nobody", "unknown"]
    assert (method.total, method.others) == (8, 8)
    function = usages(editor, "respond", file_hint="helpers.py")
    assert marks(editor, function, "bound") == [
        "handed-on", "imported", "module", "plain", "plain-imported", "submodule"
    ]  # fmt: skip
    assert marks(editor, function, "name") == []
    assert usages(editor, "Base.respond").bound == 0


def test_a_line_is_listed_once_with_its_roles(editor: Editor) -> None:
    editor.write(FLASK)
    found = usages(editor, "respond", file_hint="helpers.py")
    assert [each.role for each in found.usages if each.path == "web/__init__.py"] == ["import"]
    editor.write({"app/twice.py": "def rate(a=None):\n    return a\n\n\nx = rate(rate)  # @both\n"})
    (line,) = usages(editor, "rate").usages
    assert (line.role, line.span.start.utf8) == ("call, read", 4)


def test_a_local_value_is_no_use_of_a_field(editor: Editor) -> None:
    editor.write(FLASK)
    found = usages(editor, "App.limit")
    assert marks(editor, found, "bound") == ["own-field"]
    assert marks(editor, found, "name") == []


GO = {
    "command.go": """\
package tool

type Command struct{ Use string }

func (c *Command) Execute() error { return nil }

func (c *Command) Run() error {
	return c.Execute() // @receiver
}
""",
    "page.go": """\
package tool

import "text/template"

func page(writer Writer) error {
	t := template.New("top")
	return t.Execute(writer, nil) // @outside
}

func direct() { template.Execute() }
""",
    "command_test.go": """\
package tool

func TestRun(t *testing.T) {
	root := &Command{Use: "root"} // @literal
	root.Execute() // @made
	find().Execute() // @unknown
}
""",
}


def test_what_another_package_makes_has_other_members(editor: Editor) -> None:
    editor.write(GO)
    found = usages(editor, "Command.Execute")
    assert marks(editor, found, "bound") == ["made", "receiver"]
    assert marks(editor, found, "name") == ["unknown"]
    assert found.others == 2
    assert marks(editor, usages(editor, "Command.Use"), "name") == ["literal"]


def test_types_and_modules_of_other_languages(editor: Editor) -> None:
    editor.write(
        {
            "src/cart.ts": "export class Basket {\n  total() { return this.total() }  // @this\n}\n"
            "export function total() {}\n",
            "src/index.ts": "export { total } from './cart'  // @exported\n",
            "src/use.ts": "import { Basket } from './cart'\nimport * as shop from './index'\n"
            "import { total } from './index'  // @named\n"
            "const cart = new Basket()\ncart.total()  // @new\nshop.total()  // @whole\ntotal()  // @bare\n",
            "java/Car.java": "class Car {\n  void drive() {}\n  void go() { drive(); } // @implicit\n}\n",
            "java/Race.java": "class Race {\n  void run(Car first) { first.drive(); } // @parameter\n}\n",
        }
    )
    assert marks(editor, usages(editor, "Basket.total"), "bound") == ["new", "this"]
    assert marks(editor, usages(editor, "src.cart.total"), "bound") == ["bare", "exported", "named", "whole"]
    assert marks(editor, usages(editor, "Car.drive"), "bound") == ["implicit", "parameter"]


def test_a_module_that_is_not_there_may_give_anything(editor: Editor) -> None:
    editor.write(
        {
            "shapes/plain.py": "def area():  # @plain\n    pass\n",
            "shapes/scene.py": "from .generated import area  # @generated\n\narea()  # @call\n",
            "shapes/other.py": "from elsewhere import area\n\narea()\n",
        }
    )
    found = usages(editor, "shapes.plain.area")
    assert marks(editor, found, "name") == ["call", "generated"]
    assert found.bound == 0


def test_pages_keep_what_is_bound_first(editor: Editor) -> None:
    editor.write(FLASK)
    pages = [usages(editor, "App.respond", max_results=3, page=page) for page in (1, 2, 3)]
    assert [each.certainty for page in pages for each in page.usages] == ["bound"] * 5 + ["name"] * 3
    assert {(page.total, page.bound, page.others) for page in pages} == {(8, 5, 8)}
    beyond = usages(editor, "App.respond", max_results=3, page=99)
    assert (beyond.usages, beyond.hint) == ([], "8 uses end with page 3: send page=3.")


def test_examples_in_documentation_are_told(editor: Editor) -> None:
    editor.write(FLASK | {"docs/use.md": "Call `respond`.\n", "docs/other.md": "# It responds, and will respond.\n"})
    found = usages(editor, "App.respond")
    assert found.hint == "1 documentation file also holds the name: search_code respond."
