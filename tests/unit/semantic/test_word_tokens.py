"""Tokens from remembered words are those of the tokenizer itself."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer

import pilotfish
from pilotfish.semantic import words
from pilotfish.semantic.models import ModelSettings, local_files
from pilotfish.semantic.words import WordTokenizer

TABLE = Path(pilotfish.__file__).parent / "models" / "table"
LONGEST = 40

pieces = st.sampled_from(
    [
        "HTTPServer",
        "getURLs",
        "x1Y2",
        "utf8",
        "UTF8Decoder",
        "ABc",
        "aBC",
        "[CLS]",
        "[UNK]",
        "##ing",
        "_",
        "__",
        "-",
        ".",
    ]
)
texts = st.lists(pieces | st.text(st.characters(codec="ascii"), max_size=8) | st.text(max_size=4), max_size=20)


def tokenizer() -> Tokenizer:
    made = Tokenizer.from_file(str(TABLE / "tokenizer.json"))
    made.enable_truncation(LONGEST)
    made.enable_padding(pad_id=made.token_to_id("[PAD]"), pad_token="[PAD]")
    return made


ITSELF = tokenizer()
REMEMBERING = WordTokenizer(tokenizer(), local_files(ModelSettings()).declared.words)


@given(st.lists(texts.map("".join) | texts.map(" ".join), min_size=1, max_size=4))
def test_the_tokens_are_those_of_the_tokenizer(batch: list[str]) -> None:
    batch = [text.encode("utf-8", "replace").decode() for text in batch]
    expected = ITSELF.encode_batch(batch)
    found = REMEMBERING.encode_batch(batch)
    assert [list(each.ids) for each in found] == [each.ids for each in expected]
    assert [list(each.attention_mask) for each in found] == [each.attention_mask for each in expected]


def test_words_are_not_remembered_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(words, "MOST_WORDS", 10)
    forgetful = WordTokenizer(tokenizer(), local_files(ModelSettings()).declared.words)
    batch = [f"name{number}" for number in range(35)]
    assert [list(each.ids) for each in forgetful.encode_batch(batch)] == [
        each.ids for each in ITSELF.encode_batch(batch)
    ]
    assert len(forgetful._known) <= 10
