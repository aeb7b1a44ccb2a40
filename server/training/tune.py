"""Step 4: tune a table on the pairs, so that a question lies near the code that answers it.

`python -m training.tune WORK IN OUT` minimises InfoNCE (van den Oord et al. 2018) in both directions with Adam over the
rows that a batch touches. A batch comes from one package, so that the other pairs of it are hard negatives. The
gradients are written out: a text is a mean of rows, so neither torch nor a GPU is needed.
"""

from __future__ import annotations

import argparse
import json
import logging
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import msgspec
import numpy as np
from scipy import sparse  # type: ignore[import-untyped]

from training.pairs import Pair, read_pairs
from training.table import Rows, Table, load, save

log = logging.getLogger("training.tune")


class Recipe(msgspec.Struct, frozen=True):
    """How a table is tuned: steps of `batch` pairs, the temperature of the softmax, Adam's rate falling to 0; a batch
    is filled from further packages of the same family when one is too small. `kinds` says how much each kind of pairs
    counts."""

    steps: int = 1_500
    batch: int = 384
    temperature: float = 0.06
    rate: float = 0.003
    seed: int = 1
    kinds: dict[str, float] = msgspec.field(default_factory=lambda: {"documentation": 1.0, "remark": 0.5, "name": 0.3})


@dataclass(slots=True)
class Adam:
    """Adam (Kingma and Ba 2015) on the rows that have a gradient."""

    rows: Rows
    rate: float
    first: Rows = field(init=False)
    second: Rows = field(init=False)

    def __post_init__(self) -> None:
        self.first = np.zeros_like(self.rows)
        self.second = np.zeros_like(self.rows)

    def step(self, used: np.ndarray, gradient: Rows, share: float) -> None:
        """Move the rows `used` against their gradient, at `share` of the rate."""
        self.first[used] = first = 0.9 * self.first[used] + 0.1 * gradient
        self.second[used] = second = 0.99 * self.second[used] + 0.01 * gradient * gradient
        self.rows[used] -= (share * self.rate) * first / (np.sqrt(second) + 1e-8)


class Batches:
    """Draws batches: a family and a kind by turns of its size (its square root, so that small ones count), then
    packages of it. One kind alone, since two kinds of words about one piece of code would count as a mistake."""

    def __init__(self, pairs: Sequence[Pair], size: int, rng: np.random.Generator, kinds: Mapping[str, float]) -> None:
        self._size, self._rng = size, rng
        groups: dict[tuple[str, str], dict[str, list[int]]] = {}
        for number, pair in enumerate(pairs):
            if kinds.get(pair.kind, 0) > 0:
                groups.setdefault((pair.family, pair.kind), {}).setdefault(pair.package, []).append(number)
        self._groups = [[np.array(numbers) for numbers in packages.values()] for packages in groups.values()]
        sizes = np.array([sum(map(len, packages)) for packages in self._groups])
        weights = np.sqrt(sizes) * [kinds[kind] for _, kind in groups]
        self._weights = weights / weights.sum()
        self._shares = [
            np.array([len(numbers) for numbers in packages]) / total
            for packages, total in zip(self._groups, sizes, strict=True)
        ]

    def draw(self) -> np.ndarray:
        """The numbers of the pairs of one batch."""
        group = self._rng.choice(len(self._groups), p=self._weights)
        packages, shares = self._groups[group], self._shares[group]
        count = min(len(packages), 12)
        chosen: list[np.ndarray] = []
        room = self._size
        for number in self._rng.choice(len(packages), count, replace=False, p=shares):
            part = self._rng.permutation(packages[number])[:room]
            chosen.append(part)
            room -= len(part)
            if room <= 0:
                break
        return np.concatenate(chosen)


def tune(table: Table, pairs: Sequence[Pair], recipe: Recipe) -> None:
    """Tune a table in place."""
    rng = np.random.default_rng(recipe.seed)
    table.rows /= np.linalg.norm(table.rows, axis=1).mean()
    questions = table.bags([pair.question for pair in pairs])
    passages = table.bags([pair.passage for pair in pairs])
    batches, adam = Batches(pairs, recipe.batch, rng, recipe.kinds), Adam(table.rows, recipe.rate)
    started = time.process_time()
    losses: list[float] = []
    for step in range(recipe.steps):
        numbers = batches.draw()
        loss, used, gradient = contrast(table.rows, questions[numbers], passages[numbers], recipe.temperature)
        adam.step(used, gradient, min(1.0, (step + 1) / 20) * (1 - step / recipe.steps))
        losses.append(loss)
        if step % 250 == 249:
            log.info("step %d: loss %.3f, %.0f CPU-s", step + 1, np.mean(losses[-250:]), time.process_time() - started)
    table.silence()


def contrast(
    rows: Rows, questions: sparse.csr_matrix, passages: sparse.csr_matrix, temperature: float
) -> tuple[float, np.ndarray, Rows]:
    """The loss of one batch, the rows that it touches, and the gradient of each."""
    used, (asked, answers) = _narrowed(questions, passages)
    part = rows[used]
    u, u_norm = _unit(asked @ part)
    v, v_norm = _unit(answers @ part)
    scores = u @ v.T / temperature
    forward, backward = _softmax(scores), _softmax(scores.T).T
    size = len(scores)
    loss = -np.log(np.diagonal(forward) + 1e-9).mean()
    slope: Rows = (forward + backward - 2 * np.eye(size, dtype=np.float32)) / np.float32(2 * size * temperature)
    du, dv = _through_unit(slope @ v, u, u_norm), _through_unit(slope.T @ u, v, v_norm)
    return float(loss), used, np.asarray(asked.T @ du + answers.T @ dv, np.float32)


def _narrowed(*bags: sparse.csr_matrix) -> tuple[np.ndarray, list[sparse.csr_matrix]]:
    """The tokens that occur at all, and the bags over these alone."""
    used = np.unique(np.concatenate([bag.indices for bag in bags]))
    places = [np.searchsorted(used, bag.indices).astype(np.int32) for bag in bags]
    shape = [(bag.shape[0], len(used)) for bag in bags]
    return used, [
        sparse.csr_matrix((b.data, p, b.indptr), shape=s) for b, p, s in zip(bags, places, shape, strict=True)
    ]


def _unit(vectors: Rows) -> tuple[Rows, Rows]:
    norms = np.linalg.norm(vectors, axis=1, keepdims=True) + 1e-9
    return vectors / norms, norms


def _through_unit(gradient: Rows, unit: Rows, norms: Rows) -> Rows:
    return np.asarray((gradient - unit * (unit * gradient).sum(1, keepdims=True)) / norms, np.float32)


def _softmax(scores: Rows) -> Rows:
    powers = np.exp(scores - scores.max(1, keepdims=True))
    return np.asarray(powers / powers.sum(1, keepdims=True), np.float32)


def main() -> None:
    """Tune."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", type=Path)
    parser.add_argument("table", type=Path, help="what `training.distil` or an earlier run wrote")
    parser.add_argument("out", type=Path)
    defaults = Recipe()
    for name in ("steps", "batch", "temperature", "rate", "seed"):
        value = getattr(defaults, name)
        parser.add_argument(f"--{name}", type=type(value), default=value)
    parser.add_argument("--kinds", type=json.loads, default=defaults.kinds, help="how much each kind counts, in JSON")
    arguments = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    pairs = read_pairs(arguments.work)
    table = load(arguments.table)
    recipe = msgspec.convert(vars(arguments), Recipe)
    log.info("%d pairs", len(pairs))
    tune(table, pairs, recipe)
    save(table, arguments.out)


if __name__ == "__main__":
    main()
