"""Tokens of a text from those of its words, which are remembered: a fifth of the time of taking it apart anew.

Most of the time of embedding with a table is the tokenizer's, and most texts are made of words that were seen before.
What a word is, a model's folder says by a regular expression, for texts of ASCII alone; other texts, and those that
spell a special token, are left to the tokenizer itself. The tokens of a word are the tokenizer's own, so those of a
text are too.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from tokenizers import Tokenizer

    Integers = NDArray[np.int64]

MOST_WORDS: Final = 100_000
"""Words that are remembered, some 15 MB; all are forgotten when there are more."""

_NO_PADDING: Final = {"pad_id": 0}
_NO_TRUNCATION: Final = {"max_length": sys.maxsize}


class Tokens(NamedTuple):
    """What fastembed reads of an encoded text: the ids, padded to the longest of the batch, and 1 for each that is
    none of the padding."""

    ids: Integers
    attention_mask: Integers


class WordTokenizer:
    """Tokenizes batches as the tokenizer it is made of. Any number of threads may ask at once."""

    def __init__(self, tokenizer: Tokenizer, words: str) -> None:
        """Take a tokenizer that pads and truncates on the right, and the expression that finds the words of a text of
        ASCII: tokenizing these one by one must give the same as tokenizing the text."""
        self._tokenizer = tokenizer
        self._words = re.compile(words)
        self._known: dict[str, tuple[int, ...]] = {}
        self._first, self._last = _frame(tokenizer)
        self._special = [token.content for token in tokenizer.get_added_tokens_decoder().values()]

    def encode_batch(self, texts: Sequence[str]) -> list[Tokens]:
        """Return the tokens of each text, all of the same length."""
        import numpy as np

        rows = [self._ids(text) for text in texts]
        shape = len(rows), max(map(len, rows), default=0)
        ids = np.full(shape, (self._tokenizer.padding or _NO_PADDING)["pad_id"], np.int64)
        mask = np.zeros(shape, np.int64)
        for at, row in enumerate(rows):
            ids[at, : len(row)] = row
            mask[at, : len(row)] = 1
        return [Tokens(*pair) for pair in zip(ids, mask, strict=True)]

    def _ids(self, text: str) -> list[int]:
        if not text.isascii() or any(special in text for special in self._special):
            encoded = self._tokenizer.encode(text)
            return encoded.ids[: sum(encoded.attention_mask)]
        most = (self._tokenizer.truncation or _NO_TRUNCATION)["max_length"]
        ids: list[int] = []
        known = self._known
        for word in self._words.findall(text):
            ids += known.get(word) or self._learn(word)
        return [*self._first, *ids[: most - len(self._first) - len(self._last)], *self._last]

    def _learn(self, word: str) -> tuple[int, ...]:
        if len(self._known) >= MOST_WORDS:
            self._known.clear()
        encoded: Any = self._tokenizer.encode(word, add_special_tokens=False)
        tokens = tuple(encoded.ids[: sum(encoded.attention_mask)])
        self._known[word] = tokens
        return tokens


def _frame(tokenizer: Tokenizer) -> tuple[list[int], list[int]]:
    """Return the special tokens before and after a text."""
    encoded = tokenizer.encode("")
    special = encoded.ids[: sum(encoded.attention_mask)]
    return special[:1], special[1:]
