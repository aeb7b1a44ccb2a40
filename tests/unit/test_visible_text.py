"""Text as readers see it, and fences that hold."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from pilotfish.visible_text import fenced, one_line, visible

texts = st.text(st.sampled_from("ab `~\n\r\t#\x1b\x85\u2028\u202e\u200b\ufe0f\u3164\U000e0041é🐟") | st.characters())

UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u115f\u1160\u2028\u2029\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ud800-\udfff\U000e0000-\U000e007f\U000e0100-\U000e01ef]"
)


@given(texts)
def test_what_nobody_sees_is_taken_out_once_and_for_all(text: str) -> None:
    shown = visible(text)
    assert not UNSEEN.search(shown)
    assert visible(shown) == shown
    assert "\n" not in one_line(text)


def test_what_is_seen_stays() -> None:
    source = "def naïve_名前(x): return '🐟'\n\tpass"
    assert visible(source) == source
    assert visible("❤\ufe0f a\r\nb") == "❤ a\nb"


@given(texts)
def test_nothing_inside_closes_a_fence(source: str) -> None:
    block = fenced(source, "python")
    assert visible(block) == block  # what is done to it afterwards joins no backticks
    first, *inside, last = block.split("\n")
    ticks = first.removesuffix("python")
    assert set(ticks) == {"`"}
    assert last == ticks
    assert all(ticks not in line for line in inside)
    (token,) = MarkdownIt().parse(block)
    assert token.type == "fence"
