"""Hover, definition, references and highlights over real small catalogs, with open documents laid over them.

A comment `@name:word` in a source marks the first `word` on its line; expectations name markers, not line numbers.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pilotfish.engine.graphs import Graphs
from pilotfish.engine.handlers import HANDLERS
from pilotfish.engine.navigation.holders import Effort
from pilotfish.engine.navigation.names import definitions_named
from pilotfish.engine.navigation.uses import uses_of
from pilotfish.engine.sessions import Document, Overlay
from pilotfish.engine.view import View
from pilotfish.indexing.chunk_rows import chunk_rows
from pilotfish.operations import OPERATIONS
from pilotfish.operations.answer import Position, Span
from pilotfish.operations.editor import DefinitionResult, HighlightResult, HoverResult, Location, ReferencesResult
from pilotfish.operations.symbols import FindUsagesParameters, FindUsagesResult, GetDefinitionParameters
from pilotfish.store.catalog import Batch, Catalog, ParsedFile
from pilotfish.store.rows import pack, pack_chunks, pack_text
from pilotfish.syntax.chunks import ChunkSizes
from pilotfish.syntax.languages import detect
from pilotfish.syntax.outlines import Outliner
from pilotfish.syntax.text import LineTable, decode

_MARKER = re.compile(r"@([a-z0-9-]+):([^\s,]+)")
_OUTLINER = Outliner()


class Editor:
    """A root with its catalog, and one editor that may have documents of it open."""

    def __init__(self, root: Path, catalog: Catalog) -> None:
        self.root = root
        self.catalog = catalog
        self.reader = catalog.reader()
        self.texts: dict[str, bytes] = {}
        self.documents: dict[str, Document] = {}

    def write(self, files: dict[str, str]) -> None:
        """Save files by path and index them."""
        for path, text in files.items():
            self.save(path, text.encode())

    def save(self, path: str, data: bytes) -> None:
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_bytes(data)
        text = decode(data).text
        lines = LineTable.from_text(text)
        language = detect(path, text[:1000], {})
        read, tree = _OUTLINER.read(text, language or "")[:2]
        outline, rows = pack(read, text)
        state = (self.root / path).stat()
        self.catalog.apply(
            Batch(
                parsed=[
                    ParsedFile(
                        path=path,
                        content_hash=hashlib.sha256(data).digest(),
                        size=len(data),
                        mtime_ns=state.st_mtime_ns,
                        language=language,
                        outline=outline,
                        rows=rows,
                        line_table=lines.to_bytes(),
                        chunks=pack_chunks(chunk_rows(text, read, tree, ChunkSizes())),
                        text=pack_text(text),
                    )
                ]
            )
        )
        self.texts[path] = text

    def delete(self, path: str) -> None:
        (self.root / path).unlink()
        self.catalog.apply(Batch(deleted=[path]))
        del self.texts[path]

    def open(self, path: str, text: str, *, accepted: bool = True, uri: str = "") -> None:
        """Show an unsaved text; `accepted` is what the scan says of the file."""
        data = text.encode()
        uri = uri or (self.root / path).as_uri()
        place = None if uri.startswith("untitled:") else path
        language = detect(path, data[:1000], {})
        document = Document(uri, place, 1, data, language, len(self.documents), accepted=accepted)
        outline, lines = _OUTLINER.outline(data, language or ""), LineTable.from_text(data)
        document.parsed(Overlay(uri, place, 1, data, language, outline, lines))
        self.documents[uri] = document
        self.texts[path] = data

    def type_on(self, path: str, text: str) -> None:
        """Go on typing in an open document; there is no outline of this text yet."""
        data = text.encode()
        document = next(each for each in self.documents.values() if each.path == path)
        document.replace(document.version + 1, data, document.changed_at + 1)
        self.texts[path] = data

    def view(self, uri: str = "", *, others: bool = False) -> View:
        """What the editor sees that asks about a document; with `others`, what an agent sees that opened nothing."""
        by_path = {each.path: each for each in self.documents.values() if each.path is not None}
        own = {} if others else self.documents
        sent = own[uri].text if uri in own else None
        return View(str(self.root), self.reader, by_path, own, Graphs(str(self.root)), sent)

    def ask(self, operation: str, at: str, **more: Any) -> Any:
        """Ask about the place of a marker, given as `path@marker`, or of `path:line:character`."""
        path, marker = at.split("@") if "@" in at else (at, "")
        if marker:
            start, _ = self.marked(path, marker)
            line, utf8 = start.line, start.utf8
        else:
            path, *numbers = at.split(":")
            line, utf8 = map(int, numbers)
        uri = next((u for u, each in self.documents.items() if u.endswith(path)), (self.root / path).as_uri())
        parameters = OPERATIONS[operation].parameters(uri=uri, line=line, character=utf8, encoding="utf-8", **more)
        with self.reader:
            return HANDLERS[operation].answer(self.view(uri), parameters)

    def marked(self, path: str, marker: str) -> tuple[Position, Position]:
        """Where a marked word stands."""
        text = self.texts[path]
        lines = LineTable.from_text(text)
        for line in range(lines.line_count):
            start, end = lines.line_bounds(line)
            for name, word in _MARKER.findall(text[start:end].decode()):
                if name == marker:
                    place = text.index(word.encode(), start)
                    return Position(*lines.position(place)), Position(*lines.position(place + len(word.encode())))
        raise AssertionError(f"no marker @{marker} in {path}")

    def names(self, locations: list[Location]) -> list[str]:
        """Locations by their markers."""
        return [self._name(each.path or (each.uri or "").rpartition(":")[2], each.span) for each in locations]

    def _name(self, path: str, span: Span) -> str:
        names: list[tuple[str, str]] = _MARKER.findall(self.texts[path].decode())
        for name, _ in names:
            if self.marked(path, name) == (span.start, span.end):
                return name
        return f"{path}:{span.start.line + 1}:{span.start.utf8}"

    def definition(self, at: str) -> list[str]:
        result: DefinitionResult = self.ask("definition", at)
        assert len(result.targets) == len(result.locations)
        for target, location in zip(result.targets, result.locations, strict=True):
            assert target.start.line <= location.span.start.line <= target.end.line
        return self.names(result.locations)

    def references(self, at: str, **more: Any) -> list[str]:
        result: ReferencesResult = self.ask("references", at, **more)
        return self.names(result.locations)

    def highlights(self, at: str) -> list[tuple[int, bool]]:
        """Lines of highlights, 1-based, and whether each is a write."""
        result: HighlightResult = self.ask("document_highlight", at)
        return [(span.start.line + 1, number in result.writes) for number, span in enumerate(result.spans)]

    def hover(self, at: str, style: str = "full") -> str:
        result: HoverResult = self.ask("hover", at, style=style)
        assert (result.outcome == "no_match") == (not result.markdown)
        return result.markdown


@pytest.fixture
def editor(tmp_path: Path) -> Iterator[Editor]:
    root = tmp_path / "root"
    root.mkdir()
    catalog = Catalog.open(tmp_path / "index")
    opened = Editor(root.resolve(), catalog)
    yield opened
    opened.reader.close()
    catalog.close()


SHAPES = '''\
"""Shapes."""


class Circle:  # @circle:Circle
    """A round shape.

    With a second paragraph.
    """

    def area(self, factor=1):  # @area:area
        """How much it covers."""
        return factor * 3


def area(shape):  # @function:area
    return shape.area()  # @method-use:area
'''
SCENE = """\
from lib.shapes import Circle, area  # @import:Circle, @import-area:area


def draw():
    circle = Circle()  # @use:Circle
    size = area(circle)  # @call:area
    later = area  # @read:area
    return "area" + 'Circle', size, later  # area of a Circle
"""


# --- hover -------------------------------------------------------------------------------------------------------


def test_hover_tells_signature_documentation_place_and_uses(editor: Editor) -> None:
    editor.write({"lib/shapes.py": SHAPES, "app/scene.py": SCENE})
    text = editor.hover("app/scene.py@use")
    assert "class Circle" in text
    assert "A round shape." in text
    assert "second paragraph" in text
    assert "`lib/shapes.py:4`" in text
    assert "\n\nused 2 times in 1 file" in text


def test_a_hover_counts_what_is_meant_or_says_that_it_counts_a_name(editor: Editor) -> None:
    same = "class Same:  # @same:Same\n    pass\n\n\nSame()\n"
    local = "def f(n):  # @local:n\n    return n + 1\n\n\ndef g(n):\n    return n\n"
    editor.write({"a.py": same, "b.py": same, "c.py": local})
    assert "its name is used 2 times in 2 files" in editor.hover("a.py@same")
    assert "\n\nused 1 time in 1 file" in editor.hover("c.py@local")


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("a.rs", "mod m { pub trait Draw {} } // @here:Draw\n", "trait of `m` in"),
        ("a.rs", "mod m { mod n { fn go() {} } } // @here:go\n", "function of `m::n` in"),
        ("a.php", "<?php\nnamespace A\\B;\ntrait T {\n  function go() {} // @here:go\n}\n", r"method of `A\B\T` in"),
        ("a.php", "<?php\ntrait T {} // @here:T\n", "trait in"),
        ("b.php", "<?php\ninterface T {} // @here:T\n", "interface in"),
        ("a.swift", "protocol P {} // @here:P\n", "protocol in"),
        ("a.ex", "defprotocol P do # @here:P\n  def go(x)\nend\n", "protocol in"),
        ("a.hs", "module A where\nclass Draw a where -- @here:Draw\n  draw :: a -> Int\n", "class in"),
        ("a.ml", "module type S = sig end (* @here:S *)\n", "module type in"),
        ("a.cpp", "struct S { // @here:S\n  S();\n  S(int);\n};\nS::S() {}\n", "struct in"),
    ],
)
def test_a_hover_calls_things_as_the_people_of_the_language_do(
    editor: Editor, path: str, text: str, expected: str
) -> None:
    editor.write({path: text})
    shown = editor.hover(f"{path}@here")
    assert f"\n\n{expected} `{path}:" in shown
    assert "also in" not in shown


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.hs", "module A where\ntarget :: Int -> Int -- @here:target\ntarget 0 = 1\ntarget n = n\n\nuse = target\n"),
        ("a.ex", "defmodule A do\n  def go(1), do: 1 # @here:go\n  def go(n), do: n\n  def g, do: go(1)\nend\n"),
        ("a.erl", "-module(a).\nf(0) -> 0; % @here:f\nf(N) -> N.\ng() -> fun f/1.\n"),
    ],
)
def test_the_clauses_of_a_function_are_no_uses_of_it(editor: Editor, path: str, text: str) -> None:
    editor.write({path: text})
    assert "\n\nused 1 time in 1 file" in editor.hover(f"{path}@here")
    assert len(editor.references(f"{path}@here", include_declaration=False)) == 1


def test_the_hover_beside_a_primary_server_is_one_line(editor: Editor) -> None:
    editor.write({"lib/shapes.py": SHAPES, "app/scene.py": SCENE})
    editor.write({"alone.py": "def alone():  # @alone:alone\n    pass\n"})
    text = editor.hover("app/scene.py@use", "summary")
    assert "\n" not in text
    assert "used 2 times in 1 file, defined in `lib/shapes.py:4`" in text
    assert editor.hover("alone.py@alone", "summary") == ""


def test_hover_finds_its_place_in_a_text_that_was_typed_in_since_it_was_outlined(editor: Editor) -> None:
    editor.write({"lib/shapes.py": SHAPES, "app/scene.py": SCENE})
    before = editor.hover("app/scene.py@use")
    editor.open("app/scene.py", SCENE)
    for typed in ("é = 1\n\n\n" + SCENE, SCENE.replace("\n\n\ndef", "\nx = 'Circle'\ndef"), SCENE + "later = 2\n"):
        editor.type_on("app/scene.py", typed)
        assert editor.hover("app/scene.py@use") == before
        start, end = editor.marked("app/scene.py", "use")
        assert editor.ask("hover", "app/scene.py@use").span == Span(start, end)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.py", 'def known(): pass\nif x:  # known @here:#\n    y = "known" + unknown_name + 12\n'),
        ("a.py", "def known(): pass\nwhile known: pass  # @here:while\n"),
        ("a.py", "def known(): pass\nx = 'known'  # @here:known\n"),
        ("a.py", 'def known(): pass\nx = """\n@here:known\n"""\n'),
        ("a.py", "def known(): pass\nx = other  # @here:other\n"),
        ("a.py", "def known(): pass\nx = 1234  # @here:1234\n"),
        ("a.ts", "function known() {}\nconst x = 1; // @here:const\n"),
        ("a.ts", "function known() {}\nx(); /* known */ // @here:known\n"),
        ("a.go", "package p\n\nfunc known() {}\nfunc g() { return } // @here:return\n"),
        ("a.rs", "fn known() {}\nfn g() { let x = 1; } // @here:let\n"),
        ("a.ts", "function type() {}\ntype Known = number; // @here:type\n"),
        ("a.ts", 'function from() {}\nimport x from "y"; // @here:from\n'),
        ("A.java", "class A { void known() {} } // @here:void\n"),
        ("a.rb", "def known; end\nunless x then y end # @here:unless\n"),
        ("a.c", 'void known(void) {}\nchar *x = "known"; // @here:known\n'),
        ("a.sh", "known() { :; }\nif true; then x=1; fi # @here:then\n"),
    ],
)
def test_hover_is_silent_where_no_name_is(editor: Editor, path: str, text: str) -> None:
    editor.save(path, text.encode())
    assert editor.hover(f"{path}@here") == ""
    assert editor.definition(f"{path}@here") == []
    assert editor.references(f"{path}@here") == [] or "other" in text


@pytest.mark.parametrize("place", ["a.py:0:0", "a.py:99:0", "a.py:1:99", "b.py:0:0"])
def test_places_without_a_word_answer_nothing(editor: Editor, place: str) -> None:
    editor.save("a.py", b"   \n   x = 1   \n")
    for operation in ("hover", "definition", "references", "document_highlight"):
        assert editor.ask(operation, place).outcome == "no_match"


def test_a_keyword_that_names_something_is_a_name(editor: Editor) -> None:
    editor.write({"a.py": "def print():  # @print:print\n    pass\n\n\nprint()  # @call:print\n"})
    assert editor.definition("a.py@call") == ["print"]
    editor.write({"b.ts": "class Box {\n  delete() {}  // @delete:delete\n}\nnew Box().delete();  // @use:delete\n"})
    assert editor.definition("b.ts@use") == ["delete"]
    editor.write({"c.rs": "fn path() {} // @path:path\nfn f() { let p = path; } // @read:path\n"})
    assert editor.definition("c.rs@read") == ["path"]


# --- definition --------------------------------------------------------------------------------------------------


def test_an_imported_name_is_defined_where_it_comes_from(editor: Editor) -> None:
    editor.write(
        {
            "lib/shapes.py": SHAPES,
            "app/scene.py": SCENE,
            "app/other.py": "class Circle: pass\n\n\ndef area(): pass\n",
            "zoo/shapes.py": "class Circle: pass\n\n\ndef area(): pass\n",
        }
    )
    assert editor.definition("app/scene.py@use") == ["circle"]
    assert editor.definition("app/scene.py@import") == ["circle"]
    assert editor.definition("app/scene.py@call")[0] == "function"


def test_the_nearest_scope_wins_over_the_file_and_the_file_over_others(editor: Editor) -> None:
    source = """\
def run():  # @top:run
    pass


def outer():
    def run():  # @inner:run
        pass
    run()  # @inside:run


run()  # @outside:run
"""
    editor.write({"a.py": source, "b.py": "def run():\n    pass\n"})
    assert editor.definition("a.py@inside")[0] == "inner"
    assert editor.definition("a.py@outside") == ["top"]
    assert editor.definition("a.py@top")[0] == "top"


def test_names_without_evidence_list_all_definitions_tests_last(editor: Editor) -> None:
    editor.write(
        {
            "tests/test_run.py": "def run():  # @test:run\n    pass\n",
            "x/one.py": "def run():  # @one:run\n    pass\n",
            "y/two.py": "def run():  # @two:run\n    pass\n",
            "z/main.py": "run()  # @use:run\n",
        }
    )
    assert editor.definition("z/main.py@use") == ["one", "two", "test"]


def test_languages_do_not_mix_but_relatives_do(editor: Editor) -> None:
    editor.write(
        {
            "a.py": "run()  # @use:run\n",
            "b.rb": "def run; end\nrun()\n",
            "c.ts": "export function run() {} // @ts:run\n",
            "d.js": "run(); // @use:run\n",
        }
    )
    assert editor.definition("a.py@use") == []
    assert editor.definition("d.js@use") == ["ts"]
    assert editor.references("a.py@use") == ["use"]
    assert [each.path for each in editor.ask("references", "c.ts@ts").locations] == ["d.js"]


@pytest.mark.parametrize(
    ("definer", "user"),
    [
        (("pkg/server.go", "package pkg\n\nfunc Serve() {} // @def:Serve\n"),
         ("main.go", 'package main\n\nimport "example.org/m/pkg"\n\nfunc main() { pkg.Serve() } // @use:Serve\n')),
        (("src/net/tcp.rs", "pub fn listen() {} // @def:listen\n"),
         ("src/main.rs", "use crate::net::tcp::listen;\nfn main() { listen(); } // @use:listen\n")),
        (("org/x/Shape.java", "package org.x;\npublic class Shape {} // @def:Shape\n"),
         ("app/Main.java", "import org.x.Shape;\nclass Main { Shape s = new Shape(); } // @use:Shape\n")),
        (("include/list.h", "struct list { int x; }; // @def:list\n"),
         ("src/a.c", '#include "list.h"\nvoid f(struct list *l) {} // @use:list\n')),
        (("lib/queue.rb", "class Queue # @def:Queue\nend\n"),
         ("main.rb", "require_relative 'lib/queue'\nQueue.new # @use:Queue\n")),
        (("lib/tool.ts", "export const makeTool = () => 1; // @def:makeTool\n"),
         ("app/main.ts", "import { makeTool } from '../lib/tool';\nmakeTool(); // @use:makeTool\n")),
        (("lib.sh", "greet() { echo; } # @def:greet\n"),
         ("main.sh", "source ./lib.sh\ngreet # @use:greet\n")),
    ],
)  # fmt: skip
def test_definition_and_references_in_every_language(
    editor: Editor, definer: tuple[str, str], user: tuple[str, str]
) -> None:
    editor.save(definer[0], definer[1].encode())
    editor.save(user[0], user[1].encode())
    assert editor.definition(f"{user[0]}@use") == ["def"]
    assert "use" in editor.references(f"{definer[0]}@def")
    assert f"`{definer[0]}:" in editor.hover(f"{user[0]}@use")


# --- references --------------------------------------------------------------------------------------------------


def test_references_hold_reads_and_no_words_in_strings_and_comments(editor: Editor) -> None:
    editor.write({"lib/shapes.py": SHAPES, "app/scene.py": SCENE})
    assert editor.references("app/scene.py@use") == ["import", "use"]
    assert editor.references("lib/shapes.py@circle", include_declaration=True) == ["circle", "import", "use"]
    assert editor.references("app/scene.py@call") == ["import-area", "call", "read"]


@pytest.mark.parametrize(
    "files",
    [
        {
            "cmd/serve.go": "package cmd\n\nfunc runServe() {} // @def:runServe\n",
            "cmd/root.go": "package cmd\n\nvar serve = &Command{Run: runServe} // @use:runServe\n",
            "other/root.go": "package other\n\nfunc f() { runServe := 1; g(runServe) }\n",
        },
        {
            "cmd/serve.go": "package cmd\n\nfunc Serve() {} // @def:Serve\n",
            "main.go": 'package main\n\nimport "x/cmd"\n\nfunc main() { handle("/", cmd.Serve) } // @use:Serve\n',
            "other/main.go": "package other\n\nfunc f(Serve int) int { return Serve }\n",
        },
        {
            "app/views.py": "def index():  # @def:index\n    pass\n",
            "app/urls.py": 'from app import views\n\nroute("/", views.index)  # @use:index\n',
            "app/loop.py": "for index in range(3):\n    print(index)\n",
            "other/loop.py": "for index in range(3):\n    print(index)\n",
        },
        {
            "lib/views.js": "exports.index = function () {} // @def:index\n",
            "lib/app.js": "const views = require('./views')\napp.get('/', views.index) // @use:index\n",
            "other/loop.js": "for (const index of list) print(index)\n",
        },
        {
            "src/views.ts": "export class Views { index() {} } // @def:index\n",
            "src/app.ts": "function start(views: Views) { route('/', views.index) } // @use:index\n",
        },
        {
            "src/views.rs": "pub fn index() {} // @def:index\n",
            "src/app.rs": "fn start() { route(get(crate::views::index)); } // @use:index\n",
        },
        {
            "src/a/Views.java": "package a; class Views { static void index() {} } // @def:index\n",
            "src/b/App.java": "package b; class App { void f() { route(Views::index); } } // @use:index\n",
        },
        {
            "views.c": "void on_index(void) {} // @def:on_index\n",
            "app.c": 'struct route routes[] = {{"/", on_index}}; // @use:on_index\n',
        },
        {
            "views.rb": "def index; end # @def:index\n",
            "app.rb": "route '/', method(:index) # @use:index\n",
        },
    ],
    ids=["go", "go-package", "python", "javascript", "typescript", "rust", "java", "c", "ruby"],
)
def test_a_function_that_is_only_handed_on_is_used(editor: Editor, files: dict[str, str]) -> None:
    editor.write(files)
    defining, using, *_ = files
    name = next(word for marker, word in _MARKER.findall(files[using]) if marker == "use")
    assert editor.references(f"{defining}@def") == ["use"]
    assert "used 1 time in 1 file" in editor.hover(f"{defining}@def", "summary")
    with editor.reader:
        found = HANDLERS["get_definition"].answer(editor.view(), GetDefinitionParameters(symbol_name=name))
    assert [(each.path, each.uses) for each in found.definitions] == [(defining, 1)]


def test_references_begin_here_then_where_it_is_defined_then_with_importers(editor: Editor) -> None:
    editor.write(
        {
            "a/far.py": "make()  # @far:make\n",
            "b/importer.py": "from m.factory import make  # @imported:make\n",
            "m/factory.py": "def make():\n    make()  # @own:make\n",
            "z/here.py": "from m.factory import make  # @here-import:make\nmake()  # @here:make\n",
        }
    )
    assert editor.references("z/here.py@here") == ["here-import", "here", "own", "imported", "far"]


def test_a_local_function_is_used_in_its_file_only(editor: Editor) -> None:
    editor.write(
        {
            "a.py": "def outer():\n    def step():  # @step:step\n        pass\n    step()  # @use:step\n",
            "b.py": "step()\n",
        }
    )
    assert editor.references("a.py@step") == ["use"]


def test_references_are_bounded_best_first(editor: Editor) -> None:
    uses = "\n".join(f"make()  # @{letter}:make" if letter == "a" else "make()" for letter in "abc")
    editor.write(
        {
            "lib/factory.py": f"def make(): pass  # @make:make\n{uses}\n",
            "lib/near.py": "make()  # @near:make\nkept = make  # @near-read:make\n",
            "z/far.py": "make()  # @far:make\nkept = make  # @far-read:make\n",
        }
    )
    everything = editor.ask("references", "lib/factory.py@make")
    assert not everything.truncated
    cut = editor.ask("references", "lib/factory.py@make", max_results=4)
    assert cut.truncated
    assert cut.locations == everything.locations[:4]
    assert editor.names(cut.locations)[-1] == "near"
    assert not editor.ask("references", "lib/factory.py@make", max_results=len(everything.locations)).truncated

    def found(effort: Effort) -> list[tuple[str, str]]:
        with editor.reader:
            view = editor.view()
            targets = definitions_named(view, "make", None)
            uses = [(use.text.address, use.role) for use in uses_of(view, "make", targets, None, effort)]
        return [use for use in uses if use[0] != "lib/factory.py"]

    near, far = [("lib/near.py", "call"), ("lib/near.py", "read")], [("z/far.py", "call"), ("z/far.py", "read")]
    assert found(Effort(3, 3, 1_000)) == [*near, *far]
    assert found(Effort(2, 2, 1_000)) == [*near, far[0]], "reads in the nearest files only"
    sizes = [(editor.root / path).stat().st_size for path in ("lib/factory.py", "lib/near.py")]
    assert found(Effort(3, 3, sum(sizes))) == [*near, far[0]], "reads in so many bytes only"


def test_references_never_name_a_text_that_changed_since(editor: Editor) -> None:
    editor.write({"a.py": "def make(): pass  # @make:make\n", "b.py": "make()\n", "c.py": "make()  # @use:make\n"})
    (editor.root / "b.py").write_text("x = 1\n# moved on\nmake()\n")
    (editor.root / "c.py").touch()
    assert editor.references("a.py@make") == ["use"]


def test_identical_files_answer_for_themselves(editor: Editor) -> None:
    source = "def twin():  # @twin:twin\n    pass\n\n\ntwin()  # @use:twin\n"
    editor.save("one/a.py", source.encode())
    editor.save("two/a.py", source.encode())
    result = editor.ask("definition", "two/a.py@use")
    assert [each.path for each in result.locations] == ["two/a.py"]
    found = editor.ask("references", "two/a.py@use")
    assert [each.path for each in found.locations] == ["two/a.py"], "the other means its own"
    editor.delete("one/a.py")
    found = editor.ask("references", "two/a.py@use")
    assert [each.path for each in found.locations] == ["two/a.py"]


def test_usages_by_name_say_role_line_and_container(editor: Editor) -> None:
    editor.write({"lib/shapes.py": SHAPES, "app/scene.py": SCENE})
    with editor.reader:
        result: FindUsagesResult = HANDLERS["find_usages"].answer(
            editor.view(), FindUsagesParameters(symbol_name="area", file_hint="lib/shapes.py")
        )
    assert [(use.path, use.line, use.role, use.container) for use in result.usages] == [
        ("app/scene.py", 1, "import", ""),
        ("app/scene.py", 6, "call", "draw"),
        ("app/scene.py", 7, "read", "draw"),
        ("lib/shapes.py", 16, "call", "area"),
    ]
    assert [use.certainty for use in result.usages] == ["bound", "bound", "bound", "name"]
    assert result.usages[1].text == "size = area(circle)  # @call:area"
    assert not result.truncated
    with editor.reader:
        result = HANDLERS["find_usages"].answer(editor.view(), FindUsagesParameters(symbol_name="area", max_results=1))
    assert (len(result.usages), result.total, result.truncated) == (1, 4, True)


def test_by_name_a_type_comes_before_a_heading_or_a_value_of_its_name(editor: Editor) -> None:
    editor.write({"README.md": "# Lamp\n\nIt is a lamp.\n", "a.py": "Lamp = 1\n", "z.py": "class Lamp:\n    pass\n"})
    with editor.reader:
        answer = HANDLERS["get_definition"].answer(editor.view(), GetDefinitionParameters(symbol_name="Lamp"))
    assert answer.definitions[0].path == "z.py"


def test_pages_of_usages_and_definitions_are_the_whole_list_in_turn(editor: Editor) -> None:
    editor.write({f"lib/part_{number}.py": f"def twin():\n    twin()\n    twin({number})\n" for number in range(5)})

    def ask(operation: str, **parameters: Any) -> Any:
        with editor.reader:
            asked = OPERATIONS[operation].parameters(symbol_name="twin", **parameters)
            return HANDLERS[operation].answer(editor.view(), asked)

    for operation, field, noun, total in (
        ("find_usages", "usages", "use", 10),
        ("get_definition", "definitions", "definition", 5),
    ):
        whole = ask(operation, max_results=100)
        assert (len(getattr(whole, field)), whole.total, whole.truncated, whole.hint) == (total, total, False, "")
        pages = [ask(operation, max_results=4, page=page) for page in range(1, -(-total // 4) + 1)]
        assert [each for page in pages for each in getattr(page, field)] == getattr(whole, field)
        assert [(page.page, page.total) for page in pages] == [(number, total) for number in range(1, len(pages) + 1)]
        assert [page.hint for page in pages] == [
            *(f"More: send page={number}." for number in range(2, len(pages) + 1)),
            "",
        ]
        beyond = ask(operation, max_results=4, page=9)
        assert (beyond.outcome, beyond.total) == ("no_match", total)
        assert beyond.hint == f"{total} {noun}s end with page {len(pages)}: send page={len(pages)}."


def test_of_a_name_in_many_files_at_least_so_many_uses_are_told(editor: Editor) -> None:
    reads = {f"app/reader_{number:02}.py": "kept = bounds.limit\n" for number in range(40)}
    calls = {f"app/caller_{number:02}.py": "limit()\nlimit()\n" for number in range(30)}
    others = {"web/limit.ts": "limit();\n"}
    editor.write({"lib/bounds.py": "def limit():\n    pass\n", **reads, **calls, **others})

    def ask(**parameters: Any) -> FindUsagesResult:
        with editor.reader:
            asked = FindUsagesParameters(symbol_name="limit", **parameters)
            found: FindUsagesResult = HANDLERS["find_usages"].answer(editor.view(), asked)
            return found

    whole = ask(max_results=1_000)
    assert (len(whole.usages), whole.total, whole.at_least) == (100, 100, False)
    first = ask(max_results=10)
    assert first.usages == whole.usages[:10]
    assert first.at_least
    assert first.truncated
    assert 30 <= first.total <= whole.total
    last = ask(max_results=30, page=4)
    assert last.usages == whole.usages[90:]
    assert (last.total, last.at_least, last.truncated) == (100, False, False)


# --- highlights --------------------------------------------------------------------------------------------------


def test_highlights_are_code_and_tell_definitions(editor: Editor) -> None:
    editor.write({"lib/shapes.py": SHAPES, "app/scene.py": SCENE})
    assert editor.highlights("app/scene.py@call") == [(1, False), (6, False), (7, False)]
    assert editor.highlights("lib/shapes.py@function") == [(15, True), (16, False)], "the method is another"


# --- unsaved texts -----------------------------------------------------------------------------------------------


def test_unsaved_texts_win_over_their_files(editor: Editor) -> None:
    editor.write({"lib/shapes.py": SHAPES, "app/scene.py": SCENE})
    editor.open("lib/shapes.py", "\n\n" + SHAPES.replace("area(shape)", "surface(shape)").replace("@function:area", ""))
    editor.open("app/scene.py", "\n" + SCENE + "area(1)  # @more:area\n")
    assert editor.definition("app/scene.py@use") == ["circle"]
    assert editor.definition("app/scene.py@more") == ["area"]
    assert editor.references("lib/shapes.py@circle") == ["import", "use"]
    assert "used 5 times in 2 files" in editor.hover("app/scene.py@more")


def test_a_new_unsaved_document_is_part_of_the_answers(editor: Editor) -> None:
    editor.write({"a.py": "helper()  # @use:helper\n"})
    assert editor.definition("a.py@use") == []
    editor.open("new.py", "def helper():  # @new:helper\n    return helper  # @self:helper\n")
    assert editor.definition("a.py@use") == ["new"]
    assert editor.references("a.py@use") == ["use", "self"]
    assert "helper()" in editor.hover("a.py@use")


@pytest.mark.parametrize("uri", ["", "untitled:ignored.py"])
def test_an_ignored_document_is_answered_in_its_own_session_only(editor: Editor, uri: str) -> None:
    editor.write({"a.py": "def helper():  # @indexed:helper\n    pass\n\n\nhelper()  # @use:helper\n"})
    text = 'def helper(x):  # @own:helper\n    """Its own words."""\n\n\nhelper(1)  # @call:helper\n'
    editor.open("ignored.py", text, accepted=False, uri=uri)
    assert editor.definition("ignored.py@call") == ["own"]
    hover = editor.hover("ignored.py@call")
    assert "def helper(x)" in hover
    assert "Its own words." in hover
    assert editor.references("ignored.py@call")[0] == "call"
    assert editor.highlights("ignored.py@call") == [(1, True), (5, False)]
    assert editor.definition("a.py@use") == ["indexed"]
    assert editor.references("a.py@use") == ["use"]
    with editor.reader:
        assert editor.view(others=True).document((editor.root / "ignored.py").as_uri()) is None


# --- texts of every kind -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends_do_not_shift_answers(editor: Editor, end: str) -> None:
    editor.save("lib/shapes.py", SHAPES.replace("\n", end).encode())
    editor.save("app/scene.py", b"\xef\xbb\xbf" + SCENE.replace("\n", end).encode())
    assert editor.definition("app/scene.py@use") == ["circle"]
    assert editor.references("lib/shapes.py@circle") == ["import", "use"]


def test_columns_count_in_every_encoding(editor: Editor) -> None:
    editor.write({"a.py": 'def größe(): pass  # @def:größe\nx = "🐟", größe()  # @use:größe\n'})
    (location,) = editor.ask("references", "a.py@def").locations
    assert location.span == Span(Position(1, 12, 10, 9), Position(1, 19, 15, 14))
    for encoding, character in (("utf-8", 12), ("utf-16", 10), ("utf-32", 9)):
        uri = (editor.root / "a.py").as_uri()
        parameters = OPERATIONS["definition"].parameters(uri=uri, line=1, character=character, encoding=encoding)
        with editor.reader:
            answer = HANDLERS["definition"].answer(editor.view(), parameters)
        assert editor.names(answer.locations) == ["def"]


def test_utf_16_files_are_read_as_they_are(editor: Editor) -> None:
    editor.save("a.py", "\ufeffdef wide(): pass  # @def:wide\nwide()  # @use:wide\n".encode("utf-16-le"))
    assert editor.references("a.py@def") == ["use"]


@pytest.mark.parametrize("is_open", [False, True])
def test_secrets_are_in_no_answer(editor: Editor, is_open: bool) -> None:
    secret = "aB3xK9mQ2pLw7Z"
    text = f'API_TOKEN = "{secret}"  # @def:API_TOKEN\n\n\ndef connect(token="{secret}"):  # @fn:connect\n    pass\n'
    text += f'connect(token="{secret}")  # @use:connect\nprint(API_TOKEN)\n'
    editor.write({"a.py": text.replace(secret, "") if is_open else text})
    if is_open:
        editor.open("a.py", text)
    with editor.reader:
        parameters = OPERATIONS["find_usages"].parameters(symbol_name="connect", include_context=True)
        usages = HANDLERS["find_usages"].answer(editor.view(), parameters)
    for shown in (str(usages), editor.hover("a.py@use"), editor.hover("a.py@def")):
        assert "oken" in shown.lower()
        assert secret not in shown
        assert "*" * len(secret) in shown


# --- nothing found ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("operation", "asked", "said"),
    [
        ("get_definition", "Cricle", "did you mean Circle?"),
        ("get_definition", "Circl", "did you mean Circle?"),
        ("get_definition", "Circcle", "did you mean Circle?"),
        ("get_definition", "Square.area", "Square has no area; did you mean Circle.area or area?"),
        ("get_definition", "unheard_of", "search_code unheard_of"),
        ("find_usages", "crcle", "did you mean Circle?"),
        ("find_usages", "Square.area", "did you mean Circle.area or area?"),
        ("find_usages", "lonely", "Nothing uses lonely."),
        ("find_symbols", "Circel", "did you mean Circle?"),
        ("find_usages", "CIRCLES", "did you mean Circle? search_code CIRCLES looks in the text."),
        ("get_definition", "Circle.aera", "Circle has no aera; did you mean Circle.area?"),
        ("get_definition", "reaa", "search_code reaa looks in the text, get_repo_status"),
        ("find_symbols", "", "No name was given"),
    ],
)
def test_an_empty_answer_says_what_to_try(editor: Editor, operation: str, asked: str, said: str) -> None:
    editor.write({"lib/shapes.py": SHAPES, "lib/other.py": "def lonely(): pass\n"})
    (positional,) = OPERATIONS[operation].positional
    parameters = OPERATIONS[operation].parameters(**{positional: asked})
    with editor.reader:
        found = HANDLERS[operation].answer(editor.view(), parameters)
    assert found.outcome == "no_match"
    assert said in found.hint
    assert "\n" not in found.hint
