"""The embedding table while it is made: a tokenizer and one row of numbers per token."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from scipy import sparse  # type: ignore[import-untyped]
from tokenizers import Regex, Tokenizer, normalizers, pre_tokenizers

Rows = npt.NDArray[np.float32]

PAD, CLS, SEP, UNK = "[PAD]", "[CLS]", "[SEP]", "[UNK]"
SILENT = (PAD, CLS, SEP, UNK)
"""Tokens that say nothing: their rows are zero."""

MAX_TOKENS = 512
"""Tokens of a passage that count. A chunk of the largest size has about 400."""

_BATCH = 4_096

_ACCENTS = "[\u0300-\u036f]+"
_BETWEEN_WORDS = "[\\x00-/:-@\\[-`{-\u00bf\u2000-\u2bff\u3000-\u303f\ufe30-\ufe4f\uff00-\uff0f]+"
_WITHIN_NAMES = "(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])"
"""Ranges rather than Unicode's properties: a third faster, and most of the time of embedding is the tokenizer's."""

ASCII_WORDS = "[A-Z]+(?=[A-Z][a-z])|[A-Z]*[a-z0-9]+|[A-Z]+"
"""What the three of them leave between spaces of a text of ASCII. The product finds words by it, faster, and remembers
their tokens."""


def words_only(tokenizer: Tokenizer) -> Tokenizer:
    """Let a tokenizer see words alone: identifiers taken apart, lower case, without punctuation and accents."""
    tokenizer.normalizer = normalizers.Sequence(
        [
            normalizers.NFD(),
            normalizers.Replace(Regex(_ACCENTS), ""),
            normalizers.Replace(Regex(_BETWEEN_WORDS), " "),
            normalizers.Replace(Regex(_WITHIN_NAMES), " "),
            normalizers.Lowercase(),
        ]
    )
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    return tokenizer


@dataclass(slots=True)
class Table:
    """A tokenizer and its rows; a text is the mean of its tokens' rows, scaled to length 1."""

    tokenizer: Tokenizer
    rows: Rows

    def __post_init__(self) -> None:
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(MAX_TOKENS)
        self.silence()

    def silence(self) -> None:
        """Make the rows of the tokens zero that say nothing."""
        for token in SILENT:
            number = self.tokenizer.token_to_id(token)
            if number is not None:
                self.rows[number] = 0

    def embed(self, texts: Sequence[str]) -> Rows:
        """Unit vectors of texts, one a row; zero for a text without words."""
        vectors = self.bags(texts) @ self.rows
        return np.asarray(vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9), np.float32)

    def bags(self, texts: Sequence[str]) -> sparse.csr_matrix:
        """The share of each token in each text."""
        return bags_of(self.tokenizer, texts, len(self.rows))


def bags_of(tokenizer: Tokenizer, texts: Sequence[str], size: int) -> sparse.csr_matrix:
    """The share of each of `size` tokens in each text."""
    parts = [_bags(tokenizer, texts[start : start + _BATCH], size) for start in range(0, len(texts), _BATCH)]
    return sparse.vstack(parts, format="csr")


def counts_of(tokenizer: Tokenizer, texts: Sequence[str], size: int) -> Rows:
    """How often each of `size` tokens occurs in texts."""
    counts = np.zeros(size, np.int64)
    for start in range(0, len(texts), _BATCH):
        for encoded in tokenizer.encode_batch(list(texts[start : start + _BATCH]), add_special_tokens=False):
            np.add.at(counts, encoded.ids, 1)
    return counts.astype(np.float32)


def _bags(tokenizer: Tokenizer, texts: Sequence[str], size: int) -> sparse.csr_matrix:
    numbers = [encoded.ids for encoded in tokenizer.encode_batch(list(texts), add_special_tokens=False)]
    counts = np.array([len(ids) for ids in numbers])
    indptr = np.concatenate([[0], np.cumsum(counts)])
    indices = np.fromiter((number for ids in numbers for number in ids), np.int32, int(indptr[-1]))
    shares = np.repeat(1 / np.maximum(counts, 1), counts).astype(np.float32)
    matrix = sparse.csr_matrix((shares, indices, indptr), shape=(len(numbers), size))
    matrix.sum_duplicates()
    return matrix


def save(table: Table, folder: Path) -> None:
    """Write a table as it is between the steps."""
    folder.mkdir(parents=True, exist_ok=True)
    table.tokenizer.save(str(folder / "tokenizer.json"))
    np.save(folder / "rows.npy", table.rows)


def load(folder: Path) -> Table:
    """Read what `save` wrote."""
    return Table(Tokenizer.from_file(str(folder / "tokenizer.json")), np.load(folder / "rows.npy"))
