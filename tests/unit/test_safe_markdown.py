"""What of Markdown that anybody may have written reaches an editor: judged by another parser of Markdown."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from pilotfish.safe_markdown import LONGEST, as_plain_text, code_span, safe_markdown

PARSER = MarkdownIt("commonmark", {"html": True}).enable("table")
ACTIVE = {"html_block", "html_inline", "link_open", "image"}
ADDRESS = ("http://", "https://", "www.", "mailto:")


def tokens(markdown: str) -> list[Token]:
    return [inner for token in PARSER.parse(markdown) for inner in [token, *(token.children or [])]]


def assert_nothing_is_active(shown: str) -> None:
    for token in tokens(shown):
        assert token.type not in ACTIVE, (token.type, shown)
        if token.type == "text":
            assert not any(mark in token.content.lower() and mark + "a" in token.content.lower() for mark in ADDRESS)


PIECES = st.sampled_from(
    (
        *("[a]", "(http://a.b)", "[a](javascript:x)", "![x](y)", "<b>", "<script>x</script>", "<!--", "-->", "<a", ">"),
        *("`", "``", "```", "~~~", "\n", "\n\n", "    ", "\t", "- ", "1. ", "> ", "# ", "\\", "*", "__", "|", "&lt;"),
        *("&gt;", "&amp;", "&quot;"),
        *(
            "[a]: http://x",
            "[a][b]",
            "http://a.b/c",
            "www.a.b",
            "a@b.cd",
            "<http://x>",
            "x",
            " ",
            "===",
            "<?php",
            "(",
            ")",
        ),
    )
)


@given(st.lists(PIECES, max_size=14).map("".join))
def test_nothing_becomes_active(prose: str) -> None:
    assert_nothing_is_active(safe_markdown(prose))
    assert_nothing_is_active(safe_markdown(prose, limit=12))


@given(st.text(max_size=80))
def test_any_text_is_shown_without_failing(prose: str) -> None:
    assert_nothing_is_active(safe_markdown(prose))
    assert_nothing_is_active("x " + code_span(prose))


@pytest.mark.parametrize(
    ("prose", "shown"),
    [
        ("Two\nlines.\n\nAnd *more*.", "Two lines.\n\nAnd *more*."),
        ("See [the docs](https://a.b/c) and [`Foo`](crate::Foo).", "See the docs (`https://a.b/c`) and `Foo`."),
        ("See [Foo.bar] and [`Baz`], [1] too.\n\n[`Baz`]: x::y", "See `Foo.bar` and `Baz`, \\[1\\] too."),
        ("From https://a.b/c. Not <b>bold</b>.", "From `https://a.b/c`. Not \\<b>bold\\</b>."),
        ("# Errors\nWhen it fails.", "**Errors**\n\nWhen it fails."),
        ("```rust,no_run\nlet a = <b>;\n```", "```rust\nlet a = <b>;\n```"),
        ("Code:\n\n    a < b\n\nBehind.", "Code:\n\n```\na < b\n```\n\nBehind."),
        ("`&lt;` is &lt;b&gt; &amp;lt; &#x202e;\n\n&gt; text", "`&lt;` is \\<b> \\&lt; \\&#x202e;\n\n\\> text"),
        ("- one\n  goes on\n- two\n  - in two", "- one goes on\n- two\n   - in two"),
        ("- one\n\n- two\n\nBehind.", "- one\n- two\n\nBehind."),
        ("| a | b |\n| --- | --- |\n| `x` | <i> |", "| a | b |\n| --- | --- |\n| `x` | \\<i> |"),
    ],
)
def test_what_is_kept_and_how(prose: str, shown: str) -> None:
    assert safe_markdown(prose) == shown


def test_long_prose_is_cut_between_blocks() -> None:
    shown = safe_markdown("\n\n".join([f"Paragraph {number}. " + "word " * 40 for number in range(90)]))
    assert len(shown) < LONGEST + 400
    assert shown.endswith("word\n\n…")


def test_plain_text_has_no_fences_and_no_escapes() -> None:
    assert as_plain_text("```c\nint a\\_b;\n```\n\nA \\[b\\] \\<c> `d\\_`.") == "int a\\_b;\n\nA [b] <c> `d\\_`."
