"""Implementations, types above and below, calls in and out, over real small catalogs in several languages.

A comment `@name:word` in a source marks the first `word` on its line; expectations name markers, not line numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.unit.engine.test_navigation import Editor

from pilotfish.operations.answer import Span
from pilotfish.operations.editor import CallsResult, DefinitionResult, HierarchyItem, HierarchyResult, Location
from pilotfish.store.catalog import Catalog
from pilotfish.syntax.outline import SymbolKind

PYTHON = {
    "shapes/base.py": """\
from abc import ABC, abstractmethod


class Shape(ABC):  # @shape:Shape
    @abstractmethod
    def area(self):  # @area:area
        ...

    def describe(self):  # @describe:describe
        return f"covers {self.area()}"  # @describes:area
""",
    "shapes/round.py": """\
from .base import Shape as Form


class Circle(Form):  # @circle:Circle
    def __init__(self, radius):
        self.radius = radius

    def area(self):  # @circle-area:area
        return 3 * self.radius


class Disc(Circle):  # @disc:Disc
    def area(self):  # @disc-area:area
        return super().area() + 1  # @to-circle:area
""",
    "main.py": """\
from shapes.round import Circle


def draw(radius):  # @draw:draw
    circle = Circle(radius)  # @makes:Circle
    other = Circle(2)  # @makes-another:Circle
    return [circle, other, scale(radius), scale(2)]  # @scales:scale


def scale(number):  # @scale:scale
    return number * 2


class Circus:
    def area(self):  # @circus-area:area
        return draw(1)  # @draws:draw


draw(2)  # @draws-at-the-top:draw
""",
}


@pytest.fixture
def editor(tmp_path: Path) -> Iterator[Editor]:
    (tmp_path / "root").mkdir()
    catalog = Catalog.open(tmp_path / "index")
    opened = Editor((tmp_path / "root").resolve(), catalog)
    yield opened
    opened.reader.close()
    catalog.close()


def implementations(editor: Editor, at: str) -> list[str]:
    result: DefinitionResult = editor.ask("implementation", at)
    assert (result.outcome == "found") == bool(result.locations)
    return editor.names(result.locations)


def prepared(editor: Editor, hierarchy: str, at: str) -> list[str]:
    result: HierarchyResult = editor.ask(f"prepare_{hierarchy}_hierarchy", at)
    return editor.names([item.location for item in result.items])


def types(editor: Editor, direction: str, at: str) -> list[str]:
    """The types next to the one whose name is marked."""
    result: HierarchyResult = editor.ask(direction, at, name=word(editor, at))
    return editor.names([item.location for item in result.items])


def calls(editor: Editor, direction: str, at: str, name: str | None = None) -> dict[str, list[str]]:
    """The items at the other end of the calls, with the markers of the calls."""
    result: CallsResult = editor.ask(direction, at, name=word(editor, at) if name is None else name)
    found = {}
    for call in result.calls:
        here = call.item if direction == "incoming_calls" else None
        path = (here.location.path if here else re.split("[@:]", at)[0]) or ""
        found[item_name(editor, call.item)] = [span_name(editor, path, span) for span in call.spans]
    return found


def item_name(editor: Editor, item: HierarchyItem) -> str:
    is_file = item.kind == SymbolKind.FILE
    return item.name if is_file else editor.names([item.location])[0]


def span_name(editor: Editor, path: str, span: Span) -> str:
    return editor.names([Location(path=path, span=span)])[0]


def word(editor: Editor, at: str) -> str:
    path, marker = at.split("@")
    start, end = editor.marked(path, marker)
    line = editor.texts[path].splitlines()[start.line]
    return line[start.utf8 : end.utf8].decode()


def test_implementations_are_all_heirs_and_what_they_override(editor: Editor) -> None:
    editor.write(PYTHON)
    assert implementations(editor, "shapes/base.py@shape") == ["shape", "circle", "disc"]
    assert implementations(editor, "shapes/base.py@area") == ["circle-area", "disc-area"]
    assert implementations(editor, "shapes/round.py@circle-area") == ["circle-area", "disc-area"]
    assert implementations(editor, "shapes/base.py@describe") == ["describe"]


def test_types_stand_above_and_below_under_any_name(editor: Editor) -> None:
    editor.write(PYTHON)
    assert prepared(editor, "type", "main.py@makes") == ["circle"]
    assert prepared(editor, "type", "main.py@draw") == []
    assert types(editor, "supertypes", "shapes/round.py@circle") == ["shape"]
    assert types(editor, "supertypes", "shapes/base.py@shape") == []
    assert types(editor, "subtypes", "shapes/base.py@shape") == ["circle"]
    assert types(editor, "subtypes", "shapes/round.py@disc") == []


def test_calls_have_all_their_places_and_a_file_calls_too(editor: Editor) -> None:
    editor.write(PYTHON)
    assert prepared(editor, "call", "main.py@scales") == ["scale"]
    assert calls(editor, "incoming_calls", "main.py@draw") == {
        "circus-area": ["draws"],
        "main.py": ["draws-at-the-top"],
    }
    incoming: CallsResult = editor.ask("incoming_calls", "main.py@scale", name="scale")
    (call,) = incoming.calls
    assert (call.item.name, len(call.spans)) == ("draw", 2)
    assert calls(editor, "outgoing_calls", "main.py@draw") == {
        "circle": ["makes", "makes-another"],
        "scale": ["scales", "main.py:7:42"],
    }
    assert calls(editor, "outgoing_calls", "main.py:0:0", name="") == {"draw": ["draws-at-the-top"]}
    assert calls(editor, "outgoing_calls", "shapes/round.py@disc-area") == {"circle-area": ["to-circle"]}


def test_an_item_is_found_again_after_an_edit(editor: Editor) -> None:
    editor.write(PYTHON)
    before = editor.marked("main.py", "scale")[0]
    editor.open("main.py", "import os\n\n\n" + PYTHON["main.py"])
    asked = f"main.py:{before.line}:{before.utf8}"
    result: CallsResult = editor.ask("incoming_calls", asked, name="scale")
    assert [call.item.name for call in result.calls] == ["draw"]
    gone: CallsResult = editor.ask("incoming_calls", asked, name="scaled")
    assert gone.outcome == "no_match"


def test_an_untitled_document_has_hierarchies_of_its_own(editor: Editor) -> None:
    text = "class Base:  # @base:Base\n    pass\n\n\nclass Heir(Base):  # @heir:Heir\n    pass\n"
    editor.open("draft.py", text, accepted=False, uri="untitled:draft.py")
    assert types(editor, "subtypes", "draft.py@base") == ["heir"]
    assert types(editor, "supertypes", "draft.py@heir") == ["base"]


@pytest.mark.parametrize(
    ("files", "base", "heirs"),
    [
        pytest.param(
            {
                "src/shape.rs": "pub trait Shape {  // @shape:Shape\n    fn area(&self) -> f64;  // @area:area\n}\n",
                "src/circle.rs": (
                    "use crate::shape::Shape;\n\npub struct Circle<T> {  // @circle:Circle\n    r: T,\n}\n\n"
                    "impl<T: Into<f64>> Shape for Circle<T> {\n    fn area(&self) -> f64 {  // @circle-area:area\n"
                    "        1.0\n    }\n}\n"
                ),
            },
            "src/shape.rs@shape",
            {"circle": "src/circle.rs@circle"},
            id="rust",
        ),
        pytest.param(
            {
                "shape.go": (
                    "package shapes\n\ntype Shape interface {  // @shape:Shape\n\tArea() float64  // @area:Area\n"
                    "\tName() string\n}\n"
                ),
                "circle.go": "package shapes\n\ntype Circle struct {  // @circle:Circle\n\tr float64\n}\n\n"
                "func (c *Circle) Name() string { return `` }\n",
                "circle_area.go": "package shapes\n\nfunc (c *Circle) Area() float64 {  // @circle-area:Area\n"
                "\treturn c.r\n}\n",
                "line.go": "package shapes\n\ntype Line struct{}\n\nfunc (l Line) Name() string { return `` }\n",
            },
            "shape.go@shape",
            {"circle": "circle.go@circle"},
            id="go",
        ),
        pytest.param(
            {
                "src/shape.ts": "export interface Shape {  // @shape:Shape\n  area(): number;  // @area:area\n}\n",
                "src/circle.ts": (
                    'import type { Shape } from "./shape";\n\n'
                    "export class Circle implements Shape {  // @circle:Circle\n"
                    "  area(): number {  // @circle-area:area\n    return 1;\n  }\n}\n"
                ),
            },
            "src/shape.ts@shape",
            {"circle": "src/circle.ts@circle"},
            id="typescript",
        ),
        pytest.param(
            {
                "shapes/Shape.java": (
                    "package shapes;\n\npublic interface Shape {  // @shape:Shape\n"
                    "    double area();  // @area:area\n}\n"
                ),
                "shapes/Circle.java": (
                    "package shapes;\n\npublic class Circle implements Shape {  // @circle:Circle\n"
                    "    public double area() {  // @circle-area:area\n        return 1;\n    }\n}\n"
                ),
            },
            "shapes/Shape.java@shape",
            {"circle": "shapes/Circle.java@circle"},
            id="java",
        ),
        pytest.param(
            {
                "shape.h": "class Shape {  // @shape:Shape\n public:\n"
                "  virtual double area() = 0;  // @area:area\n};\n",
                "circle.cpp": (
                    '#include "shape.h"\n\nclass Circle : public Shape {  // @circle:Circle\n public:\n'
                    "  double area() override {  // @circle-area:area\n    return 1;\n  }\n};\n"
                ),
            },
            "shape.h@shape",
            {"circle": "circle.cpp@circle"},
            id="cpp",
        ),
    ],
)
def test_types_that_implement_others(editor: Editor, files: dict[str, str], base: str, heirs: dict[str, str]) -> None:
    editor.write(files)
    path = base.partition("@")[0]
    assert types(editor, "subtypes", base) == [*heirs]
    for at in heirs.values():
        assert types(editor, "supertypes", at) == ["shape"]
    assert [each for each in implementations(editor, base) if each != "shape"] == [*heirs]
    assert implementations(editor, f"{path}@area") == ["circle-area"]


def test_modules_are_mixed_in(editor: Editor) -> None:
    editor.write(
        {
            "lib/named.rb": "module Named  # @named:Named\n  def name  # @name:name\n  end\nend\n",
            "lib/person.rb": (
                'require_relative "named"\n\nclass Person  # @person:Person\n  include Named\nend\n\n'
                "module Titled  # @titled:Titled\n  include Named\nend\n"
            ),
        }
    )
    assert types(editor, "subtypes", "lib/named.rb@named") == ["person", "titled"]
    assert types(editor, "supertypes", "lib/person.rb@person") == ["named"]


def test_a_declaration_leads_to_the_definition_with_a_body(editor: Editor) -> None:
    editor.write(
        {
            "list.h": "int list_size(void);  // @declared:list_size\n",
            "list.c": '#include "list.h"\n\nint list_size(void) {  // @defined:list_size\n  return 0;\n}\n',
        }
    )
    assert implementations(editor, "list.h@declared") == ["defined"]


def test_calls_mean_what_definition_says(editor: Editor) -> None:
    editor.write(
        {
            "bag.py": "class Bag(metaclass=Meta):  # @bag:Bag\n    pass\n\n\n"
            "class Meta(type):  # @meta:Meta\n    pass\n",
            "pack.py": "def dumps(value):  # @dumps:dumps\n    return value\n",
            "use.py": (
                "from bag import Bag\nfrom pack import dumps\n\n\nclass Box:\n    def dumps(self):  # @own:dumps\n"
                "        return dumps(self)  # @bare:dumps\n\n    def fill(self):  # @fill:fill\n        pass\n\n\n"
                "def use(bag: Bag):  # @use:use\n    bag.fill()\n\n    def later():  # @later:later\n"
                "        return dumps(bag)  # @nested:dumps\n\n    return later\n"
            ),
        }
    )
    assert calls(editor, "incoming_calls", "pack.py@dumps") == {"own": ["bare"], "later": ["nested"]}
    assert calls(editor, "outgoing_calls", "use.py@own") == {"dumps": ["bare"]}
    assert calls(editor, "outgoing_calls", "use.py@later") == {"dumps": ["nested"]}
    assert calls(editor, "outgoing_calls", "use.py@use") == {"dumps": ["nested"]}
    assert calls(editor, "incoming_calls", "use.py@fill") == {}
    assert types(editor, "supertypes", "bag.py@bag") == types(editor, "subtypes", "bag.py@meta") == []


def test_overloads_have_one_list_of_callers(editor: Editor) -> None:
    editor.write(
        {
            "from.ts": "export function from(a: string): string;  // @first:from\n"
            "export function from(a: number): string;\nexport function from(a: any) {\n  return `${a}`;\n}\n",
            "use.ts": 'import { from } from "./from";\n\nexport function use() {  // @use:use\n'
            "  return from(1);  // @call:from\n}\n",
        }
    )
    assert calls(editor, "incoming_calls", "from.ts@first") == {"use": ["call"]}


def test_an_answer_that_does_not_hold_all_says_so(editor: Editor) -> None:
    deep = "class L0:  # @top:L0\n    pass\n" + "".join(f"class L{n}(L{n - 1}):\n    pass\n" for n in range(1, 40))
    wide = "class Base:  # @base:Base\n    pass\n" + "".join(f"class D{n}(Base):\n    pass\n" for n in range(501))
    editor.write({"deep.py": deep, "wide.py": wide})
    all_of_them: DefinitionResult = editor.ask("implementation", "deep.py@top")
    assert (len(all_of_them.locations), all_of_them.truncated) == (40, False)
    cut: DefinitionResult = editor.ask("implementation", "wide.py@base")
    assert (len(cut.locations), cut.truncated) == (500, True)
