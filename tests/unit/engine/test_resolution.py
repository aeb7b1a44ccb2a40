"""What names mean by scopes, imports and types, in several languages: definition, references and highlights.

A comment `@name:word` in a source marks the first `word` on its line; expectations name markers, not line numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.unit.engine.test_navigation import Editor

from pilotfish.operations.editor import ReferencesResult
from pilotfish.store.catalog import Catalog


@pytest.fixture
def editor(tmp_path: Path) -> Iterator[Editor]:
    (tmp_path / "root").mkdir()
    catalog = Catalog.open(tmp_path / "index")
    opened = Editor((tmp_path / "root").resolve(), catalog)
    yield opened
    opened.reader.close()
    catalog.close()


PYTHON = {
    "shop/__init__.py": """\
from .goods import Ware as Article  # @hands-on:Ware
from . import tax
""",
    "shop/goods.py": """\
from __future__ import annotations

from dataclasses import dataclass


class Thing:
    def __init__(self, label):  # @parameter:label
        self.label = label  # @attribute:label
        self.parts: list[Part] = []  # @parts:parts

    def weigh(self):  # @thing-weigh:weigh
        return 1


class Ware(Thing):  # @ware:Ware
    @property
    def part(self) -> Part:  # @part-of:part
        return self.parts[0]

    def weigh(self):  # @ware-weigh:weigh
        return super().weigh() + 1  # @to-base:weigh

    def __enter__(self):
        return self


@dataclass
class Part:  # @part:Part
    size: int = 1  # @size:size

    def weigh(self):  # @part-weigh:weigh
        return self.size


class Shelf:
    def weigh(self):  # @shelf-weigh:weigh
        return 0
""",
    "shop/tax.py": "def rate():  # @rate:rate\n    return 1\n",
    "main.py": """\
import shop.tax  # @import-shop:shop, @import-tax:tax
from shop import Article, tax  # @import-article:Article
from shop.goods import Part as Piece, Shelf


def sell(ware: Article, others, shelf=None):
    total = ware.weigh()  # @weighs:weigh
    total += ware.part.weigh()  # @weighs-part:weigh
    for part in ware.parts:  # @reads-parts:parts
        total += part.size  # @reads-size:size
    with Article("x") as made:
        print(made.label)  # @reads-label:label
    Piece(size=2)  # @argument-size:size
    Article(label="y")  # @argument-label:label
    return total + tax.rate() + shop.tax.rate()  # @rates:rate


def stock():
    weigh = 3  # @local:weigh
    print(weigh, Shelf().weigh())  # @reads-local:weigh
    return [weigh for weigh in [Piece()] if weigh.size]  # @comprehension:weigh
""",
}

TYPESCRIPT = {
    "src/events.ts": """\
export interface Options {
  once?: boolean;  // @once:once
  handler(event: Signal): void;
}
export class Signal {  // @signal:Signal
  readonly name: string = "";  // @name:name
  constructor(private readonly source: Emitter) {}  // @source:source
  stop(): this { return this; }  // @stop:stop
}
export default class Emitter {  // @emitter:Emitter
  on(name: string): Signal;  // @on-name:on
  on(name: string, options: Options): Signal;  // @on-options:on
  on(name: string, options?: Options): Signal { return new Signal(this); }
  each(visit: (signal: Signal, index: number) => void): void {}
  get last(): Promise<Signal> { return this.history[0]; }  // @last:last
  history: Promise<Signal>[] = [];
}
""",
    "src/index.ts": 'export { default as Bus } from "./events";\nexport * from "./events";\n',
    "app.ts": """\
import { Bus, Signal as Sign, type Options } from "./src/index";  // @import-bus:Bus
import * as events from "./src/events";

const bus = new Bus();
bus.on("x").stop();  // @stops:stop, @calls-on:on
bus.on("x", { once: true });  // @key:once, @calls-with-options:on
bus.each((signal) => signal.stop());  // @handed:stop
const options: Options = { once: false };  // @key-of-variable:once
async function wait(extra?: events.Signal) {
  const { name, source: from } = await bus.last;  // @taken:name, @taken-key:source
  for (const each of bus.history) (await each).stop();  // @awaited:stop
  const title = extra?.name;  // @optional:name
  return (extra as Sign).stop();  // @cast:stop
}
""",
}

OTHERS = {
    "go.go": """\
package shop

type Ware struct {
	label string  // @label:label
}

func (w *Ware) Weigh() int { return 1 }  // @weigh:Weigh

type Shelf struct{ wares []*Ware }

func (s Shelf) Weigh() int { return 2 }

func Sell(ware *Ware, shelf Shelf) int {
	for _, each := range shelf.wares {
		each.Weigh()  // @ranged:Weigh
	}
	return ware.Weigh()  // @use:Weigh
}
""",
    "Ware.java": """\
class Ware {
    int weigh() { return 1; }  // @java-weigh:weigh
    Ware next() { return this; }
}

class Shelf {
    int weigh() { return 2; }
    int sell(Ware ware) { return ware.next().weigh(); }  // @java-use:weigh
}
""",
    "lib.rs": """\
pub struct Ware { label: String }

impl Ware {
    pub fn weigh(&self) -> u32 { 1 }  // @rust-weigh:weigh
    fn twice(&self) -> u32 { self.weigh() * 2 }  // @rust-self:weigh
}

pub struct Shelf;

impl Shelf {
    pub fn weigh(&self) -> u32 { 2 }
}

fn sell(ware: &Ware, shelf: Shelf) -> u32 {
    ware.weigh()  // @rust-use:weigh
}
""",
    "ware.cpp": """\
struct Ware {
  int weigh() const { return 1; }  // @cpp-weigh:weigh
};
struct Shelf {
  int weigh() const { return 2; }
};
int sell(const Ware& ware, Shelf* shelf) {
  return ware.weigh();  // @cpp-use:weigh
}
""",
}


@pytest.mark.parametrize(
    ("use", "meant"),
    [
        ("main.py@import-article", ["ware"]),
        ("main.py@weighs", ["ware-weigh"]),
        ("main.py@weighs-part", ["part-weigh"]),
        ("main.py@reads-parts", ["parts"]),
        ("main.py@reads-size", ["size"]),
        ("main.py@reads-label", ["attribute"]),
        ("main.py@argument-size", ["size"]),
        ("main.py@argument-label", ["parameter"]),
        ("main.py@rates", ["rate"]),
        ("main.py@import-shop", ["shop/__init__.py:1:0"]),
        ("main.py@import-tax", ["shop/tax.py:1:0"]),
        ("main.py@reads-local", ["local"]),
        ("shop/goods.py@to-base", ["thing-weigh"]),
    ],
)
def test_python(editor: Editor, use: str, meant: list[str]) -> None:
    editor.write(PYTHON)
    assert editor.definition(use) == meant


@pytest.mark.parametrize(
    ("use", "meant"),
    [
        ("app.ts@import-bus", "emitter"),
        ("app.ts@stops", "stop"),
        ("app.ts@calls-on", "on-name"),
        ("app.ts@calls-with-options", "on-options"),
        ("app.ts@handed", "stop"),
        ("app.ts@key", "once"),
        ("app.ts@key-of-variable", "once"),
        ("app.ts@taken", "name"),
        ("app.ts@taken-key", "source"),
        ("app.ts@awaited", "stop"),
        ("app.ts@optional", "name"),
        ("app.ts@cast", "stop"),
    ],
)
def test_typescript(editor: Editor, use: str, meant: str) -> None:
    editor.write(TYPESCRIPT)
    assert editor.definition(use)[0] == meant


@pytest.mark.parametrize(
    ("use", "meant"),
    [
        ("go.go@use", "weigh"),
        ("go.go@ranged", "weigh"),
        ("Ware.java@java-use", "java-weigh"),
        ("lib.rs@rust-use", "rust-weigh"),
        ("lib.rs@rust-self", "rust-weigh"),
        ("ware.cpp@cpp-use", "cpp-weigh"),
    ],
)
def test_members_are_those_of_the_type_that_the_text_says(editor: Editor, use: str, meant: str) -> None:
    editor.write(OTHERS)
    assert editor.definition(use) == [meant]


WRITTEN = {
    "src/types.ts": """\
export type Handler<E = any, P extends string = any> = (c: Context, next: () => void) => void
export type Route<E = any> = Handler<E> | Middleware
export type Middleware = { handle(c: Context): void }
export interface Context {
  text(said: string): void // @text:text
  name: Options["title"]
}
export interface Options {
  title: Title // @title:title
  routes: (add: Adder) => void // @routes:routes
}
export interface Title {
  short: string // @short:short
}
interface Adder {
  <P extends string>(path: P): Adder
  (path: string, ...handlers: [Route, Route<1>]): Adder
  also: Adder // @also:also
}
export interface Making {
  get: Adder
  <T>(options: Options): Made
}
interface Made {
  done: boolean // @done:done
}
declare namespace JSX {
  interface IntrinsicElements {
    link: LinkAttributes // @link:link
  }
  interface LinkAttributes {
    href?: string // @href:href
  }
}
""",
    "src/make.ts": """\
import type { Making, Options, Title } from "./types"
export declare const app: Making
export function builder() {
  return function make(options: Options): Title { return options.title }
}
export const made = builder()
export function store(title: Title) {
  const inner = {
    held: title, // @held:held
    open() { return title }, // @open:open
  }
  return inner
}
export class Counter {
  #count = 0 // @count:#count
  next() { return this.#count++ } // @counts:#count
}
""",
    "src/tools.js": """\
const trim = (text) => text // @trim:trim
export default { // @tools:default
  trim, // @given:trim
}
""",
    "use.js": """\
import tools from "./src/tools"
tools // @default:tools
tools.trim("") // @of-default:trim
""",
    "app.tsx": """\
import { app, made, store } from "./src/make"
import type { Title } from "./src/types"
app.get("/", (c) => c.text("")) // @of-signature:text
app.get("/", (c) => c.name.short) // @of-member-type:short
app({
  title: { short: "" }, // @key:title, @inner-key:short
  routes(add) { add("").also } // @method-key:routes, @of-method:also
})
app({ routes: (add) => add("") }).done // @function-key:routes, @result:done
made({ title: null }).short // @wanted-by-returned:title, @result-of-returned:short
const shop = store(null)
shop.held.short // @of-object:held, @of-member:short
shop.open().short // @method-of-object:open, @result-of-method:short
type CardProps = {
  label: Title // @label:label
}
function Card({ label }: CardProps) {
  return <link href={label.short} /> // @tag:link, @attribute:href, @taken:short
}
const card = <Card label={null} /> // @component-attribute:label
""",
}


@pytest.mark.parametrize(
    ("use", "meant"),
    [
        ("app.tsx@of-signature", "text"),
        ("app.tsx@of-member-type", "short"),
        ("app.tsx@key", "title"),
        ("app.tsx@inner-key", "short"),
        ("app.tsx@method-key", "routes"),
        ("app.tsx@of-method", "also"),
        ("app.tsx@function-key", "routes"),
        ("app.tsx@result", "done"),
        ("app.tsx@wanted-by-returned", "title"),
        ("app.tsx@result-of-returned", "short"),
        ("app.tsx@of-object", "held"),
        ("app.tsx@of-member", "short"),
        ("app.tsx@method-of-object", "open"),
        ("app.tsx@result-of-method", "short"),
        ("app.tsx@tag", "link"),
        ("app.tsx@attribute", "href"),
        ("app.tsx@taken", "short"),
        ("app.tsx@component-attribute", "label"),
        ("src/make.ts@counts", "count"),
        ("use.js@default", "tools"),
        ("use.js@of-default", "given"),
    ],
)
def test_what_is_written_without_a_name(editor: Editor, use: str, meant: str) -> None:
    editor.write(WRITTEN)
    assert editor.definition(use)[:1] == [meant]


def test_keys_and_attributes_are_uses_where_nothing_is_imported_from_their_type(editor: Editor) -> None:
    editor.write(WRITTEN)
    for name, count in (("src/types.ts@href", 1), ("src/types.ts@title", 3)):
        found: ReferencesResult = editor.ask("references", name)
        assert sum(each.certainty == "bound" for each in found.locations) == count, name


def test_references_are_those_that_are_bound_under_any_name(editor: Editor) -> None:
    editor.write(PYTHON)
    found: ReferencesResult = editor.ask("references", "shop/goods.py@part")
    by_line = {(each.path, each.span.start.line + 1): each.certainty for each in found.locations}
    assert by_line == {
        ("shop/goods.py", 9): "bound",
        ("shop/goods.py", 17): "bound",
        ("main.py", 3): "bound",
        ("main.py", 13): "bound",
        ("main.py", 21): "bound",
    }
    assert editor.references("shop/goods.py@ware-weigh") == ["weighs"]
    assert editor.references("shop/tax.py@rate") == ["rates", "main.py:15:41"]
    assert "reads-size" in editor.references("shop/goods.py@size")


def test_locals_stay_in_their_scope(editor: Editor) -> None:
    editor.write(PYTHON)
    assert editor.references("main.py@local") == ["reads-local"]
    assert editor.highlights("main.py@local") == [(19, True), (20, False)]
    assert [line for line, _ in editor.highlights("main.py@comprehension")] == [21, 21, 21]


def test_what_nothing_tells_is_found_by_name(editor: Editor) -> None:
    editor.write({"a.py": "class Owl:\n    def hoot(self):  # @hoot:hoot\n        pass\n"})
    editor.write({"b.py": "def call(bird):\n    bird.hoot()  # @use:hoot\n"})
    assert editor.definition("b.py@use") == ["hoot"]
    found: ReferencesResult = editor.ask("references", "a.py@hoot")
    assert [(each.path, each.certainty) for each in found.locations] == [("b.py", "name")]


def test_circles_of_imports_bases_and_values_end(editor: Editor) -> None:
    editor.write(
        {
            "a.py": "from b import x, Y\n\n\nclass Z(Y):\n    pass\n\n\n"
            "q = r\nr = q\nx  # @use:x\nZ().gone  # @gone:gone\n",
            "b.py": "from a import x, Z\n\n\nclass Y(Z):\n    pass\n",
        }
    )
    assert editor.definition("a.py@use") == []
    assert editor.definition("a.py@gone") == []


@pytest.mark.parametrize(
    ("use", "files"),
    [
        ("app/app.ts:0:28", ["app/shape.ts"]),
        ("app/style.scss:0:9", ["app/_colours.scss"]),
        ("app/main.dart:0:10", ["app/bloc.dart"]),
        ("app/Window.m:0:12", ["app/Window.h"]),
        ("app/Token.sol:0:12", ["app/IToken.sol"]),
        ("app/page.html:0:14", ["app/shape.js"]),
        ("cmd/root.go:1:20", ["shop/shop.go", "shop/ware.go"]),
        ("cmd/root.go:2:15", ["shop/shop.go", "shop/ware.go"]),
        ("plugin/init.lua:0:24", ["lua/plenary/job.lua"]),
        ("app/app.ts:1:9", []),
    ],
)
def test_the_path_of_an_import_leads_to_its_files(editor: Editor, use: str, files: list[str]) -> None:
    editor.write(
        {
            "app/shape.ts": "export class Shape {}\n",
            "app/shape.js": "var shape;\n",
            "app/app.ts": 'import { Shape } from "./shape";\nlet a = "./shape";\n',
            "app/_colours.scss": "$red: #f00;\n",
            "app/style.scss": "@use 'colours';\n",
            "app/bloc.dart": "class Bloc {}\n",
            "app/main.dart": "export 'bloc.dart';\n",
            "app/Window.h": "@interface Window\n@end\n",
            "app/Window.m": '#import "Window.h"\n',
            "app/IToken.sol": "interface IToken {}\n",
            "app/Token.sol": 'import "./IToken.sol";\n',
            "app/page.html": '<script src="shape.js"></script>\n',
            "go.mod": "module example.org/cheese\n",
            "shop/ware.go": "package shop\n",
            "shop/shop.go": "package shop\nfunc Open() {}\n",
            "shop/shop_test.go": "package shop\n",
            "cmd/root.go": 'package cmd\nimport "example.org/cheese/shop"\nfunc Run() { shop.Open() }\n',
            "lua/plenary/job.lua": "return {}\n",
            "plugin/init.lua": 'local Job = require("plenary.job")\n',
        }
    )
    found = editor.ask("definition", use)
    assert [each.path for each in found.locations] == files
    assert not files or found.origin.start != found.origin.end


def test_what_is_made_is_a_type_and_a_namespace_is_one_name(editor: Editor) -> None:
    editor.write(
        {
            "Mark.cs": "namespace Shop { class Mark { int Parts; } }  // @mark:Mark\n",
            "Goods.cs": """\
namespace Shop.Parts;  // @parts:Parts
class Goods
{
    public Mark Mark => null;
    void Set(Mark other)
    {
        Use(Mark);  // @reads:Mark
        other = new Mark();  // @makes:Mark
    }
}
""",
        }
    )
    assert editor.definition("Goods.cs@parts") == ["Goods.cs:1:10"]
    assert editor.definition("Goods.cs@reads") == ["Goods.cs:4:16"]
    assert editor.definition("Goods.cs@makes") == ["mark"]


def test_a_module_that_is_only_declared_is_its_file(editor: Editor) -> None:
    editor.write({"src/deep/mod.rs": "pub fn dive() {}\n", "src/flat.rs": "pub fn fly() {}\n"})
    editor.write({"src/lib.rs": "mod flat;  // @flat:flat\npub mod deep;  // @deep:deep\nmod here {}  // @here:here\n"})
    assert editor.definition("src/lib.rs@flat") == ["src/flat.rs:1:0"]
    assert editor.definition("src/lib.rs@deep") == ["src/deep/mod.rs:1:0"]
    assert editor.definition("src/lib.rs@here") == ["here"]


TERRAFORM = {
    "main.tf": """\
locals {
  create = var.create && true  # @local:create
}

module "group" {  # @module:group
  source = "./modules/group"
  create = local.create  # @argument:create
}

data "aws_ami" "it" {  # @data:it
}

resource "aws_ami" "it" {  # @resource:it
  image       = data.aws_ami.it.id
  description = "to create ${var.create}"
  count       = aws_ami.it[0].size + module.group.size
}
""",
    "variables.tf": """\
variable "create" {  # @variable:create
  description = "Whether to create it."
}
""",
    "modules/group/main.tf": """\
variable "create" {}  # @inner-variable:create
variable "description" {}
output "size" { value = var.create }  # @output:size
""",
}


@pytest.mark.parametrize(
    ("use", "meant"),
    [
        ("main.tf:1:16", ["variable"]),
        ("main.tf@argument", ["inner-variable"]),
        ("main.tf:6:18", ["local"]),
        ("main.tf:13:29", ["data"]),
        ("main.tf:14:5", []),
        ("main.tf:14:33", ["variable"]),
        ("main.tf:15:24", ["resource"]),
        ("main.tf:15:44", ["module"]),
        ("main.tf:15:50", ["output"]),
        ("modules/group/main.tf:2:28", ["inner-variable"]),
    ],
)
def test_addresses_of_terraform(editor: Editor, use: str, meant: list[str]) -> None:
    editor.write(TERRAFORM)
    assert editor.definition(use) == meant


def test_references_of_a_variable_are_those_of_its_folder(editor: Editor) -> None:
    editor.write(TERRAFORM)
    assert editor.references("variables.tf@variable") == ["main.tf:2:15", "main.tf:15:33"]


def test_a_field_and_a_method_of_one_name_are_told_apart_by_brackets(editor: Editor) -> None:
    text = """<?php
class Text {
    protected $value;  // @field:value
    function value() { return $this->value; }  // @method:value
    function all() { $this->value = 1; return $this->value(); }
}
"""
    editor.write({"Text.php": text})
    assert [editor.definition(each) for each in ("Text.php:3:38", "Text.php:4:30", "Text.php:4:53")] == [
        ["field"],
        ["field"],
        ["method"],
    ]


def test_names_of_javascript_that_are_in_no_other_file(editor: Editor) -> None:
    editor.write(
        {
            "a.js": "exports.run = run;\nfunction run() {}\n",
            "b.js": "module.exports = function () {};\n",
            "c.ts": 'import { x } from "./d";\nx;\n',
            "d.ts": "export { x } from './gone';\n",
            "e.ts": "class Other { x = 1; }\n",
        }
    )
    assert editor.definition("a.js:0:2") == []
    assert editor.definition("c.ts:1:0") == []


def test_what_lua_has_itself_is_no_local_of_another_file(editor: Editor) -> None:
    own = "local pairs = pairs\nlocal M = {}\nfunction M.insert(x) end  -- @insert:insert\nreturn M\n"
    use = "local m = require('own')\nfor k in pairs(m) do table.insert(m, k) end\nm.insert(1)  -- @use:insert\n"
    editor.write({"own.lua": own, "use.lua": use})
    assert editor.definition("use.lua:1:10") == []
    assert editor.definition("use.lua@use") == ["insert"]
    assert editor.references("own.lua@insert") == ["use"]
