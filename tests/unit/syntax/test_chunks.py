"""Where texts are cut: the sources below say CUT on the line on which each of their chunks begins."""

from __future__ import annotations

from textwrap import dedent

import pytest
from tests.readers import OUTLINER

from pilotfish.syntax.chunks import Chunk, ChunkSizes, chunks_of
from pilotfish.syntax.outline import Outline

SMALL = ChunkSizes(target=60, most=120, least=15)


def cut(text: str, language: str | None, sizes: ChunkSizes = SMALL) -> tuple[list[Chunk], Outline]:
    data = text.encode()
    outline, tree = OUTLINER.read(data, language)[:2] if language else (Outline(""), None)
    return chunks_of(tree, data, outline, sizes), outline


def shown(text: str, chunk: Chunk) -> str:
    return text.encode()[chunk.start : chunk.end].decode()


def names(chunks: list[Chunk], outline: Outline) -> list[str]:
    return [outline.symbols[chunk.symbol].name if chunk.symbol >= 0 else "" for chunk in chunks]


CASES = {
    "siblings are merged up to the target": (
        "python",
        """\
        import os  # CUT
        import sys

        def first_of_many(items): # CUT
            return items[0] if items else None

        def last_of_many(items):  # CUT
            return items[-1] if items else None

        SMALL = 1  # CUT
        LITTLE = 2
        TINY = 3
        """,
    ),
    "what leads belongs to what follows": (
        "python",
        """\
        value = compute_something(with_a_long_argument, and_another) # CUT

        # A remark about the CUT
        # that goes on for two lines.
        @decorated
        def function_of_some_length(argument, another): pass
        """,
    ),
    "a long definition keeps its head and names the place": (
        "python",
        """\
        class Register:  # CUT
            '''Keeps track of orders in the shop.'''

            def add(self, order): # CUT
                self.orders.append(order)

            def total_of_all_orders(self): # CUT
                return sum(order.price for order in self.orders)

            def forget(self): # CUT
                self.orders.clear()
                self.log('forgotten')
        """,
    ),
    "a tail stays with what it ends": (
        "typescript",
        """\
        export class Shop { // CUT
          private readonly orders: Order[] = []

          total(): number { // CUT
            return this.orders.reduce((sum, order) => sum + order.price, 0)
          }
        }

        export function open(name: string): Shop { // CUT
          return new Shop(name)
        }
        """,
    ),
    "a list of parameters stays whole before a long body": (
        "rust",
        """\
        fn print_stats( // CUT
            elapsed: Duration,
            stats: &Stats,
        ) -> Result<()> {
            let divided = elapsed.as_secs_f64() / stats.searches() as f64; // CUT
            writeln!(out, "{divided} seconds")?; // CUT
            writeln!(out, "{} matches and {} lines", stats.matches(), 0)?; // CUT
            Ok(())
        }
        """,
    ),
    "attributes and comments of Rust": (
        "rust",
        """\
        use std::collections::HashMap; // CUT
        use std::fmt;

        /// A shop that sells things. CUT
        #[derive(Debug)]
        pub struct Shop { orders: Vec<Order> }
        """,
    ),
    "Go": (
        "go",
        """\
        package shop // CUT

        import "fmt"

        // Total adds up all orders of the shop. CUT
        func (s *Shop) Total() int {
            sum := 0
            return sum
        }

        // Print shows it. CUT
        func Print(s *Shop) { fmt.Println(s.Total()) }
        """,
    ),
    "statements of a long function": (
        "java",
        """\
        class Shop { // CUT
          int total() {
            int sum = 0;
            for (Order order : orders) { sum += order.price(); } // CUT
            if (sum > limit) { // CUT
              throw new IllegalStateException("too much of it");
            }
            return sum; // CUT
          }
        }
        """,
    ),
    "a file with errors": (
        "python",
        """\
        def broken(:  # CUT
            return first_value_of_the_list

        def whole(argument):  # CUT
            return argument * argument + argument
        """,
    ),
    "sections of Markdown": (
        "markdown",
        """\
        # Shop <!-- CUT -->

        Sells things.

        ## Opening hours <!-- CUT -->

        From nine to five, except on Sundays.

        ## Prices <!-- CUT -->

        They are given in euros and include all taxes, as the law demands.

        Discounts are for members, and members only, at the end of CUT
        every month.
        """,
    ),
    "sections of reStructuredText": (
        None,
        """\
        Opening hours (CUT)
        ===================

        From nine to five, except on Sundays.

        Prices (CUT)
        ------------

        They are given in euros and include all taxes, as the law
        demands.
        """,
    ),
    "large configuration at its keys": (
        "json",
        """\
        { "CUT": 1, "name": "shop",
          "scripts": {"build": "make all", "test": "make test"},
          "dependencies": {"CUT": "1", "express": "^4.0.0", "chalk": "^5.0.0"},
          "files": ["dist/index.js", "README.md", "LICENSE", "CUT"]
        }
        """,
    ),
    "lines of plain text at blank ones": (
        None,
        """\
        The first paragraph is about one thing. CUT

        The second, which is longer than the other one, is about CUT
        another.
        """,
    ),
}


@pytest.mark.parametrize(("language", "text"), CASES.values(), ids=CASES.keys())
def test_texts_are_cut_where_they_say(language: str | None, text: str) -> None:
    text = dedent(text)
    chunks, _ = cut(text, language)
    assert [shown(text, chunk).splitlines()[0] for chunk in chunks] == [
        line for line in text.splitlines() if "CUT" in line
    ]


@pytest.mark.parametrize(("language", "text"), CASES.values(), ids=CASES.keys())
def test_line_ends_make_no_difference(language: str | None, text: str) -> None:
    text = dedent(text)
    unix, dos = text, text.replace("\n", "\r\n")
    assert [shown(unix, chunk) for chunk in cut(unix, language)[0]] == [
        shown(dos, chunk).replace("\r\n", "\n") for chunk in cut(dos, language)[0]
    ]


def test_a_chunk_of_a_long_definition_is_about_that() -> None:
    text = dedent("""\
        import os

        def long_function(argument):
            first = prepare(argument, with_something_more_than_little)
            second = prepare(first, with_something_more_than_little)
            third = prepare(second, with_something_more_than_little)
            return third
    """)
    chunks, outline = cut(text, "python")
    assert names(chunks, outline) == ["long_function"] * len(chunks)
    assert len(chunks) >= 3
    assert [chunk.node_type for chunk in chunks] == ["import_statement", *["assignment"] * (len(chunks) - 1)]


SUBJECTS = {
    "a function before a binding of an import": (
        "javascript",
        """\
        'use strict';
        var utils = require('./../utils');
        var defaults = {retries: 3};
        module.exports = function transformData(data, fns) {
          utils.forEach(fns, function transform(fn) { data = fn(data); });
          return data;
        };
        """,
        "transformData",
    ),
    "nothing where names are only given to imports": (
        "javascript",
        """\
        'use strict';
        var utils = require('./utils');
        const { merge, extend } = require('./merge');
        var InterceptorManager = require('./InterceptorManager');
        """,
        "",
    ),
    "a value where there is nothing else": (
        "javascript",
        """\
        var utils = require('./utils');
        var defaults = {
          timeout: 0,
          adapter: utils.adapter(require('./xhr')),
        };
        """,
        "defaults",
    ),
    "a function before variables": (
        "go",
        """\
        package gin

        import "fmt"

        var (
            dunno     = []byte("???")
            centerDot = []byte(".")
        )

        type RecoveryFunc func(c *Context, err interface{})

        func Recovery() HandlerFunc {
            return RecoveryWithWriter(DefaultErrorWriter)
        }
        """,
        "Recovery",
    ),
    "a type before its members": (
        "python",
        """\
        LIMIT = 3
        class Shop:
            limit = LIMIT
            def open(self):
                self.is_open = True
                return self
        """,
        "Shop",
    ),
    "of two functions the longer, of equal ones the first": (
        "python",
        """\
        def short(): return 1
        def longer(items):
            found = sorted(items)
            return found
        def as_long(items):
            found = sorted(items)
            return found
        """,
        "longer",
    ),
    "a type before its methods that stand beside it": (
        "rust",
        """\
        /// --stats
        #[derive(Debug)]
        struct Stats;

        impl Flag for Stats {
            fn doc_long(&self) -> &'static str {
                r"
                Print statistics about the search.
                "
            }
        }
        """,
        "Stats",
    ),
    "the first heading": ("markdown", "# Shop\n\nSells.\n\n## Hours\n\nOf day.\n\nOf night.\n", "Shop"),
}


@pytest.mark.parametrize(("language", "text", "subject"), SUBJECTS.values(), ids=SUBJECTS.keys())
def test_a_chunk_is_about_the_most_telling_definition_in_it(language: str, text: str, subject: str) -> None:
    chunks, outline = cut(dedent(text), language, ChunkSizes())
    assert names(chunks, outline) == [subject]


def test_a_chunk_of_a_function_is_about_it_unless_most_of_it_is_another_in_that() -> None:
    text = dedent("""\
        function mergeConfig(first, second) {
          var config = {}, keys = ['url', 'method', 'data'];

          keys.forEach(function (prop) { config[prop] = second[prop]; });
          keys.forEach(eachOfTheManyKeysThatAreThere);
          return utils.merge(config, first);
        }
        function createStore(reducer) {
          var state = reducer(undefined), listeners = [];

          function getState() {
            return state;
          }
          function subscribe(listener) {
            listeners.push(listener);
          }
        }
    """)
    chunks, outline = cut(text, "javascript", ChunkSizes(target=90, most=150, least=15))
    about = dict(zip((shown(text, chunk) for chunk in chunks), names(chunks, outline), strict=True))
    (callback,) = (name for code, name in about.items() if "second[prop]" in code)
    inner = {name for code, name in about.items() if "return state;" in code}
    assert (callback, inner) == ("mergeConfig", {"getState"})


def test_a_chunk_of_fields_is_about_their_type() -> None:
    fields = "".join(f"    setting_{number}: int = {number}\n" for number in range(9))
    chunks, outline = cut(f"class Settings:\n    # What users may set.\n\n{fields}", "python")
    assert len(chunks) > 2
    assert set(names(chunks, outline)) == {"Settings"}


def test_small_configuration_is_whole() -> None:
    text = '[project]\nname = "shop"\nversion = "1"\n\n[tool.shop]\nopen = true\nowner = "somebody with a name"\n'
    chunks, _ = cut(text, "toml")
    assert [(chunk.node_type, shown(text, chunk)) for chunk in chunks] == [("configuration", text.rstrip())]


def test_prose_has_sections() -> None:
    text = "# Shop\n\nSells things.\n"
    chunks, outline = cut(text, "markdown")
    assert [chunk.node_type for chunk in chunks] == ["section"]
    assert names(chunks, outline) == ["Shop"]


@pytest.mark.parametrize("text", ["", "\n", " \t\r\n\n  \f", "\r"])
@pytest.mark.parametrize("language", ["python", "markdown", "json", None])
def test_nothing_gives_nothing(text: str, language: str | None) -> None:
    assert cut(text, language)[0] == []


def test_a_huge_line_is_cut_between_characters() -> None:
    text = "x = '" + "é漢😀 word" * 200 + "'\n"
    chunks, _ = cut(text, "python")
    parts = [shown(text, chunk) for chunk in chunks]
    assert all(len(part.replace(" ", "")) <= SMALL.most for part in parts)
    assert "".join(parts).replace(" ", "") == text.strip().replace(" ", "")
    assert all(part.endswith(("漢😀", "'")) for part in parts)


@pytest.mark.parametrize(("language", "bracket"), [("python", "["), ("javascript", "(\n"), ("java", "{\n"), ("c", "(")])
def test_deep_nesting_is_cut(language: str, bracket: str) -> None:
    text = "x = " + bracket * 10_000
    chunks, _ = cut(text, language)
    assert sum(len("".join(shown(text, chunk).split())) for chunk in chunks) == len("".join(text.split()))
