"""Documentation of each custom as Markdown, compared with the pages that lie beside the comments.

The comments are those of real packages or of the customs' own manuals. `PILOTFISH_UPDATE_GOLDENS=1` writes the pages
anew; the difference is then read like any other.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pilotfish.safe_markdown import safe_markdown
from pilotfish.syntax.documentation import documentation, whole_documentation
from pilotfish.syntax.languages import REGISTRY
from pilotfish.syntax.outlines import Outliner
from pilotfish.syntax.prose import as_markdown
from pilotfish.syntax.prose.customs import CUSTOMS, TITLES

FIXTURES = Path(__file__).parents[2] / "fixtures" / "prose"


def test_every_language_has_a_custom_that_exists_and_every_custom_a_comment() -> None:
    assert {language.custom for language in REGISTRY.values()} <= set(CUSTOMS) == set(TITLES)
    languages = {path.stem.partition("-")[0] for path in FIXTURES.glob("*.txt")}
    assert {REGISTRY[language].custom for language in languages} == set(CUSTOMS)


@pytest.mark.parametrize("path", sorted(FIXTURES.glob("*.txt")), ids=lambda path: path.stem)
def test_a_comment_becomes_the_page_beside_it(path: Path) -> None:
    language = path.stem.partition("-")[0]
    page = safe_markdown(as_markdown(path.read_text("utf-8").rstrip("\n"), language)) + "\n"
    beside = path.with_suffix(".md")
    if os.environ.get("PILOTFISH_UPDATE_GOLDENS"):
        beside.write_text(page, "utf-8")
    assert page == beside.read_text("utf-8")


MARKS = st.sampled_from(
    (
        *("@param", "\\param", ":param x:", "- Parameter x:", ".PARAMETER x", "=item x", "<param name='x'>", "x", " "),
        *("\n", "\n\n", "    ", "```", "`", "``", "{@code ", "}", "{", "[", "]", "<pre>", "</pre>", "<", ">", "[code]"),
        *("\\code{", "@code", "@endcode", "{{{", "}}}", "C<", ">>", ">>> ", "::", ".. note::", "Args:", "---", "'''"),
        *("**", "*", "_", "'x'", "/x/", "@", "\x00", "\x000\x00", "[x](http://a.b)", "{!x}", "{[", "]}", "-- |", "é"),
    )
)


@given(st.sampled_from(sorted(CUSTOMS)), st.lists(MARKS, max_size=20).map("".join))
def test_any_comment_becomes_some_page(custom: str, written: str) -> None:
    page = safe_markdown(CUSTOMS[custom](written, "text"))
    assert "\x00" not in page


def whole(language: str, source: str, name: str) -> str:
    text = source.encode()
    outline = Outliner().outline(text, language)
    symbol = next(symbol for symbol in outline.symbols if symbol.name == name)
    outer = outline.symbols[symbol.parent].start if symbol.parent >= 0 else 0
    return whole_documentation(text, symbol, language, outer)


@pytest.mark.parametrize(
    ("language", "source", "expected"),
    [
        ("c", "/**\n * One.\n *\n *   in\n * @p x\n */\nint f(void) { return 1; }\n", "One.\n\n  in\n@p x"),
        ("c", "/* One\n   two\n     three */\nint f(void) { return 1; }\n", "One\ntwo\n  three"),
        ("cpp", "//! One\n//!   in\n//! two\nint f() { return 1; }\n", "One\n  in\ntwo"),
        ("rust", "/// One\n///\n/// ```\n/// x\n/// ```\nfn f() {}\n", "One\n\n```\nx\n```"),
        ("go", "// f does.\n//\n//\tx := 1\n//\n//go:noinline\nfunc f() {}\n", "f does.\n\n    x := 1"),
        ("ruby", "# One\n#   # two => #<X>\ndef f\nend\n", "One\n  # two => #<X>"),
        ("ruby", "# One\n#--\n# two\n#++\n# three\n#--\n# four\ndef f\nend\n", "One\nthree"),
        ("ruby", "#--\n# Copyright (c) 2004 A\n# B\n#++\n# One\ndef f\nend\n", "One"),
        (
            "haskell",
            "-- | One\nf :: Int -- ^ two\n  -> Int\n  -- ^ three\n  -- four\nf = id\n",
            "One\n\n-- ^ `Int` two\n-- = `Int` three four",
        ),
        (
            "elixir",
            'defmodule M do\n  @doc """\n  One\n  """\n  @spec f(\n    x\n  ) :: y\n  def f(x), do: x\nend\n',
            "```elixir\n@spec f(\n  x\n) :: y\n```\n\nOne",
        ),
        ("erlang", "%% @doc One\n-spec f(x) -> y.\nf(X) -> X.\n", "```\n-spec f(x) -> y.\n'''\n\nOne"),
        ("r", "#' One\n#'\n#' @param x y\nf <- function(x) x\n", "One\n\n@param x y"),
        ("python", 'def f():\n    """One.\n\n    Two:\n        three\n    """\n', "One.\n\nTwo:\n    three"),
        ("lua", "--- One\n-- two\n---@param x y\nfunction f(x) end\n", "One\ntwo\n@param x y"),
        ("haskell", "-- | One\n--\n-- > f 1\nf :: Int\nf = 1\n", "One\n\n> f 1"),
        ("julia", '"""\n    f(x)\n\nOne.\n"""\nf(x) = x\n', "f(x)\n\nOne."),
        (
            "powershell",
            "function f {\n<#\n.SYNOPSIS\n  One\n.PARAMETER x\n  two\n#>\n}\n",
            ".SYNOPSIS\n  One\n.PARAMETER x\n  two",
        ),
        ("perl", "=head2 f\n\n  f(1);\n\nOne.\n\n=cut\n\nsub f { 1 }\n", "  f(1);\n\nOne."),
    ],
)
def test_all_lines_are_found_without_their_markers(language: str, source: str, expected: str) -> None:
    assert whole(language, source, "f") == expected


def test_the_short_form_stays_the_first_paragraph() -> None:
    text = b"/**\n * One\n * two.\n *\n * Three.\n * @param x y\n */\nint f(int x) { return x; }\n"
    symbol = Outliner().outline(text, "c").symbols[0]
    assert documentation(text, symbol, "c") == "One two."
