"""Calls followed over real small catalogs, with open documents laid over them.

A comment `@name` marks its line; expectations name marks, not line numbers.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.unit.engine.test_navigation import Editor

from pilotfish.engine.binding import Binder
from pilotfish.engine.passages import Sources
from pilotfish.engine.tracing import trace_execution
from pilotfish.operations.trace import TraceExecutionParameters, TraceExecutionResult, TraceStep
from pilotfish.store.catalog import Batch, Catalog, ParsedFile

_MARK = re.compile(r"@([a-z0-9-]+)")

PYTHON = {
    "app/main.py": """\
from app.store import Store, load as load_all
from app import text


def main():  # @main
    store = Store("x")  # @makes
    store.save()  # @saves
    load_all(store)  # @loads
    text.clean("y")  # @cleans
    print(len("z"))


if __name__ == "__main__":
    main()  # @runs
""",
    "app/store.py": """\
from app.base import Base


class Store(Base):  # @store
    def __init__(self, name):  # @store-init
        super().__init__(name)  # @to-base

    def save(self):  # @save
        self.check()  # @checks
        self.flush()  # @flushes
        with open("x") as file:
            file.close()

    def flush(self):  # @flush
        self.save()  # @back

    def close(self):  # @close
        super().close()  # @to-base-close


def load(store):  # @load
    def again():  # @again
        return load(store)  # @recursion

    return again()  # @calls-again
""",
    "app/base.py": """\
class Base:  # @base
    def __init__(self, name):  # @base-init
        self.name = normal(name)  # @normals

    def check(self):  # @check
        return normal(self.name)  # @normals-too

    def close(self):  # @base-close
        pass


def normal(name):  # @normal
    return name.strip()
""",
    "app/text.py": """\
def clean(value):  # @clean
    return strip(value)  # @strips


def strip(value):  # @strip
    return value.strip()
""",
    "tests/test_store.py": """\
from app.store import Store


def test_save():  # @test-save
    Store("x").save()  # @test-saves
""",
}

TYPESCRIPT = {
    "src/view.ts": """\
import { fetchUser, type User } from "./api";
import * as format from "./format";

export class View {  // @view
  constructor(private user: User) {  // @view-new
    this.render();  // @renders
  }

  render(): string {  // @render
    return format.title(this.user.name);  // @titles
  }
}

export const show = async (id: string) => {  // @show
  const user = await fetchUser(id);  // @fetches
  return new View(user);  // @news
};
""",
    "src/api.ts": """\
export interface User { name: string }

export function fetchUser(id: number): User;
export function fetchUser(id: string): User;
export function fetchUser(id: any): User {  // @fetch
  return request("/users/" + id);  // @requests
}

function request(path: string): any {  // @request
  return [path].map((each) => each);
}
""",
    "src/format.ts": """\
export function title(name: string): string {  // @title
  return name.toUpperCase();
}
""",
}

GO = {
    "cart/cart.go": """\
package cart

import "example.com/shop/price"

type Cart struct{ items []int }  // @cart

func New() *Cart { return &Cart{} }  // @new

func (c *Cart) Total() int {  // @total
	sum := 0
	for _, item := range c.items {
		sum += c.one(item)  // @ones
	}
	return price.Round(sum)  // @rounds
}

func (c *Cart) one(item int) int { return twice(item) }  // @one
""",
    "cart/math.go": """\
package cart

func twice(n int) int { return n * 2 }  // @twice
""",
    "price/price.go": """\
package price

func Round(n int) int { return n }  // @round
""",
}


@pytest.fixture
def editor(tmp_path: Path) -> Iterator[Editor]:
    root = tmp_path / "root"
    root.mkdir()
    catalog = Catalog.open(tmp_path / "index")
    opened = Editor(root.resolve(), catalog)
    yield opened
    opened.reader.close()
    catalog.close()


def write_go(editor: Editor) -> None:
    """Index the Go sources and the manifest that says what their module is called."""
    data = b"module example.com/shop\n"
    (editor.root / "go.mod").write_bytes(data)
    state = (editor.root / "go.mod").stat()
    manifest = ParsedFile("go.mod", hashlib.sha256(data).digest(), len(data), state.st_mtime_ns, status="listed")
    editor.catalog.apply(Batch(parsed=[manifest]))
    editor.write(GO)


def trace(editor: Editor, entry_point: str, **more: Any) -> TraceExecutionResult:
    view = editor.view()
    with editor.reader:
        return trace_execution(
            view, Binder(view, Sources(view)), TraceExecutionParameters(entry_point=entry_point, **more)
        )


def tree(editor: Editor, entry_point: str, **more: Any) -> list[str]:
    """The steps as indented marks: the line of the call, and the definition that it leads to."""
    return [shown(editor, step) for step in trace(editor, entry_point, **more).steps]


def shown(editor: Editor, step: TraceStep) -> str:
    flags = [name for name in ("cycle", "repeated", "cut") if getattr(step, name)]
    flags += [f"of {step.ambiguous}"] if step.ambiguous else []
    path, _, line = step.defined_at.rpartition(":")
    words = [mark(editor, step.path, step.line), "->", mark(editor, path, int(line)), *flags]
    return "  " * (step.depth - 1) + " ".join(words)


def mark(editor: Editor, path: str, line: int) -> str:
    found = _MARK.findall(editor.texts[path].decode().splitlines()[line - 1])
    return found[-1] if found else f"{path}:{line}"


def test_calls_are_followed_through_imports_objects_and_bases(editor: Editor) -> None:
    editor.write(PYTHON)
    assert tree(editor, "main", max_depth=4) == [
        "makes -> store",
        "  to-base -> base-init",
        "    normals -> normal",
        "saves -> save",
        "  checks -> check",
        "    normals-too -> normal repeated",
        "  flushes -> flush",
        "    back -> save cycle",
        "loads -> load",
        "  calls-again -> again",
        "    recursion -> load cycle",
        "cleans -> clean",
        "  strips -> strip",
    ]


def test_depth_cuts_and_says_where_it_goes_on(editor: Editor) -> None:
    editor.write(PYTHON)
    found = trace(editor, "main", max_depth=1)
    assert [shown(editor, step) for step in found.steps] == [
        "makes -> store cut",
        "saves -> save cut",
        "loads -> load cut",
        "cleans -> clean cut",
    ]
    assert found.truncated
    assert (
        found.hint
        == "Steps marked cut go on beyond max_depth=1: a larger max_depth shows more, or trace from one of them."
    )


def test_callers_are_followed_up_to_the_file_that_runs(editor: Editor) -> None:
    editor.write(PYTHON)
    assert tree(editor, "Store.flush", direction="callers") == [
        "flushes -> save",
        "  back -> flush cycle",
        "  saves -> main",
        "    runs -> app/main.py:1",
        "  test-saves -> test-save",
    ]
    assert tree(editor, "Base.__init__", direction="callers", max_depth=2) == [
        "to-base -> store-init",
        "  makes -> main cut",
        "  test-saves -> test-save",
    ]


def test_an_abstract_method_leads_to_what_stands_in_for_it(editor: Editor) -> None:
    editor.write(
        {
            "base.py": "class Base:\n    def run(self):\n        self.work()  # @works\n\n"
            "    def work(self):  # @work\n        raise NotImplementedError\n",
            "one.py": "from base import Base\n\n\nclass One(Base):\n    def work(self):  # @one\n        pass\n",
            "two.py": "from base import Base\n\n\nclass Two(Base):\n    def work(self):  # @two\n        pass\n",
        }
    )
    found = trace(editor, "Base.run")
    assert [shown(editor, step) for step in found.steps] == ["works -> work", "  one -> one", "  two -> two"]
    assert [step.role for step in found.steps] == ["call", "implementation", "implementation"]
    assert [step.callee for step in trace(editor, "Base.run", to="Two.work").steps] == ["Base.work", "Two.work"]


def test_both_directions_stand_apart(editor: Editor) -> None:
    editor.write(PYTHON)
    found = trace(editor, "clean", direction="both")
    assert [(step.direction, step.caller, step.callee, step.depth) for step in found.steps] == [
        ("callees", "clean", "strip", 1),
        ("callers", "main", "clean", 1),
        ("callers", "app/main.py", "main", 2),
    ]


def test_a_super_call_is_no_recursion_and_a_foreign_close_no_call(editor: Editor) -> None:
    editor.write(PYTHON)
    assert tree(editor, "Store.close") == ["to-base-close -> base-close"]
    assert not any("close" in step for step in tree(editor, "Store.save"))


def test_typescript(editor: Editor) -> None:
    editor.write(TYPESCRIPT)
    assert tree(editor, "show") == [
        "fetches -> fetch",
        "  requests -> request",
        "news -> view",
        "  renders -> render",
        "    titles -> title",
    ]


def test_go(editor: Editor) -> None:
    write_go(editor)
    assert tree(editor, "Cart.Total") == ["ones -> one", "  one -> twice", "rounds -> round"]
    assert tree(editor, "twice", direction="callers") == ["one -> one", "  ones -> total"]


def test_a_module_may_stand_before_a_name(editor: Editor) -> None:
    editor.write({**PYTHON, **GO})
    for name in ("text.clean", "app.text.clean", "app::text::clean"):
        assert trace(editor, name).entry == "clean"
    assert trace(editor, "cart.New").entry == "New"
    assert trace(editor, "cart.Cart.Total").entry == "Cart.Total"
    assert trace(editor, "base.clean").outcome == "no_match"


def test_an_object_called_by_its_type_means_that_type(editor: Editor) -> None:
    editor.write(
        {
            "box.py": "class Box:\n    def fill(self):  # @box\n        pass\n",
            "use.py": "from box import Box\n\n\nclass Cup:\n    def fill(self):  # @cup\n        pass\n\n\n"
            "def f(box: Box, cup: Cup):\n    box.fill()  # @fills-box\n    cup.fill()  # @fills-cup\n",
        }
    )
    assert tree(editor, "f") == ["fills-box -> box", "fills-cup -> cup"]


def test_a_file_is_an_entry_point_too(editor: Editor) -> None:
    editor.write(PYTHON)
    found = trace(editor, "app/main.py", max_depth=1)
    assert (found.entry_kind, found.entry) == ("file", "app/main.py")
    assert [shown(editor, step) for step in found.steps] == ["runs -> main cut"]


def test_a_shortest_way_between_two(editor: Editor) -> None:
    editor.write(PYTHON)
    found = trace(editor, "main", to="normal", max_depth=5)
    assert [shown(editor, step) for step in found.steps] == [
        "makes -> store",
        "  to-base -> base-init",
        "    normals -> normal",
    ]
    assert not found.truncated
    assert trace(editor, "main", to="normal").steps == found.steps
    too_short = trace(editor, "main", to="normal", max_depth=2)
    assert (too_short.outcome, too_short.steps) == ("no_match", [])
    assert "max_depth" in too_short.hint
    assert trace(editor, "normal", to="main", max_depth=10).outcome == "no_match"
    assert trace(editor, "main", to="main").hint == "Both are the same definition."


def test_unsaved_text_is_followed(editor: Editor) -> None:
    editor.write(PYTHON)
    text = PYTHON["app/text.py"] + "\n\ndef fresh():  # @fresh\n    clean(0)  # @fresh-cleans\n"
    editor.open("app/text.py", text.replace("return strip(value)", "return fresh()"))
    assert tree(editor, "clean") == ["strips -> fresh", "  fresh-cleans -> clean cycle"]
    assert tree(editor, "clean", direction="callers", max_depth=1) == ["fresh-cleans -> fresh", "cleans -> main cut"]


def test_budgets_hold_and_say_what_is_left_out(editor: Editor) -> None:
    lines = [f"def step_{number}():\n    return 0\n" for number in range(300)]
    calls = "".join(f"    step_{number}()\n" for number in range(300))
    editor.write({"wide.py": "\n".join(lines) + f"\n\ndef main():\n{calls}"})
    few = trace(editor, "main", max_results=7)
    assert [step.callee for step in few.steps] == [f"step_{number}" for number in range(7)]
    assert few.truncated
    assert "max_results" in few.hint
    assert "cut" not in few.hint
    small = trace(editor, "main", max_results=1000)
    assert small.truncated
    assert 0 < small.tokens <= 1_500
    assert len(small.steps) < len(trace(editor, "main", max_results=1000, max_tokens=100_000).steps) == 300


def test_a_name_that_several_define_is_ambiguous(editor: Editor) -> None:
    editor.write(
        {
            "one.js": "class One {\n  open() { return deep() }  // @one\n}\n\nfunction deep() {}\n",
            "two.js": "class Two {\n  open() {}  // @two\n}\n",
            "use.js": "function use(thing) {\n  thing.open();  // @opens\n}\n",
        }
    )
    (step,) = trace(editor, "use").steps
    assert step.ambiguous == 2
    assert step.path == "use.js"


@pytest.mark.parametrize(
    "name", ["nothing_like_it", "", "  ", "..", "a.b.c.", "../../etc/passwd", "/etc/passwd", "x" * 5_000, "a\0b", "😀"]
)
def test_unknown_names_are_no_match_and_say_what_to_do(editor: Editor, name: str) -> None:
    editor.write(PYTHON)
    found = trace(editor, name)
    assert (found.outcome, found.steps) == ("no_match", [])
    assert found.hint
    assert trace(editor, "main", to=name).outcome == "no_match"


def test_close_names_are_suggested(editor: Editor) -> None:
    editor.write(PYTHON)
    assert "did you mean Store.flush?" in trace(editor, "Store.flus").hint
