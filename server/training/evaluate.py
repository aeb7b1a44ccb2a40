"""Step 6: measure tables alone (no full text, no names, no history) on an evaluation set.

`python -m training.evaluate SET TREES TABLE ...` takes the set's folder (`dev.jsonl`, `metrics.py`, `corpora.json`),
the folder with its checked-out trees (`plain` and `stripped`, one folder per repository with `/` written as `+`) and
tables: folders of `training.table.save`, or an `.npz` of int8 rows with one scale each over MiniLM's tokens. The first
table is what the others are compared with, by a paired bootstrap over the queries.

Texts are cut and worded by the product's own `syntax.chunks` and `syntax.passages`.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import logging
import re
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np
from tokenizers import Tokenizer

from pilotfish.syntax.chunks import ChunkSizes, chunks_of
from pilotfish.syntax.languages import HEAD_SIZE, REGISTRY, detect
from pilotfish.syntax.outline import qualified_containers
from pilotfish.syntax.outlines import Outliner
from pilotfish.syntax.passages import passage_of
from pilotfish.syntax.text import decode
from training.archives import MAX_BYTES
from training.exclusions import is_test
from training.table import Rows, Table, load

log = logging.getLogger("training.evaluate")

TASKS = {"docstring": "stripped", "commit": "plain", "symbol": "plain"}
"""Which trees each task is asked on."""

_DEPTH = 400
_ROUNDS = 2_000


class Passage(NamedTuple):
    """A chunk as it is embedded, and where it stands (lines from 1, both included)."""

    path: str
    first: int
    last: int
    text: str


class Query(msgspec.Struct):
    """One line of the set."""

    id: str
    task: str
    repo: str
    query: str
    expected: list[dict[str, Any]]


def passages_of(tree: Path, include: Callable[[str], bool]) -> list[Passage]:
    """All chunks of a tree's source files, tests left out."""
    outliner, found = Outliner(), list[Passage]()
    for file in sorted(tree.rglob("*")):
        path = file.relative_to(tree).as_posix()
        if not include(path) or not file.is_file() or file.stat().st_size > MAX_BYTES:
            continue
        data = file.read_bytes()
        language = detect(path, data[:HEAD_SIZE])
        if language is None or REGISTRY[language].form:
            continue
        text = decode(data).text
        outline, parsed = outliner.read(text, language)
        scopes = qualified_containers(outline.symbols)
        for chunk in chunks_of(parsed, text, outline, ChunkSizes()):
            name = outline.symbols[chunk.symbol].name if chunk.symbol >= 0 else ""
            scope = scopes[chunk.symbol] if chunk.symbol >= 0 else ""
            first = text.count(b"\n", 0, chunk.start) + 1
            last = first + text.count(b"\n", chunk.start, chunk.end)
            code = text[chunk.start : chunk.end].decode("utf-8", "replace")
            found.append(Passage(path, first, last, passage_of(code, name, scope)))
    return found


class EvaluationSet:
    """The queries, and the passages of the trees that they ask about."""

    def __init__(self, folder: Path, trees: Path, cache: Path | None) -> None:
        lines = (folder / "dev.jsonl").read_text("utf-8").splitlines()
        self.queries = [msgspec.json.decode(line, type=Query) for line in lines]
        self._score = _scorer(folder / "metrics.py")
        self._corpora = json.loads((folder / "corpora.json").read_text("utf-8"))
        self.passages = self._read(trees, cache)

    def _read(self, trees: Path, cache: Path | None) -> dict[tuple[str, str], list[Passage]]:
        if cache is not None and cache.exists():
            stored = msgspec.msgpack.decode(cache.read_bytes(), type=list[tuple[str, str, list[Passage]]])
            return {(repo, form): passages for repo, form, passages in stored}
        wanted = sorted({(query.repo, TASKS[query.task]) for query in self.queries})
        found = {}
        for repo, form in wanted:
            found[repo, form] = passages_of(trees / form / repo.replace("/", "+"), self._included(repo))
        if cache is not None:
            cache.write_bytes(msgspec.msgpack.encode([(*key, passages) for key, passages in found.items()]))
        return found

    def _included(self, repo: str) -> Callable[[str], bool]:
        corpus = self._corpora[repo]
        include, exclude = tuple(corpus["include"] or ("",)), tuple(corpus["exclude"])

        def included(path: str) -> bool:
            return path.startswith(include) and not (exclude and path.startswith(exclude)) and not is_test(path)

        return included

    def ndcg(self, embed: Callable[[Sequence[str]], Rows]) -> dict[str, Rows]:
        """NDCG@10 of each query by task, in the set's order."""
        vectors = {key: embed([passage.text for passage in passages]) for key, passages in self.passages.items()}
        asked = embed([query.query for query in self.queries])
        scores: dict[str, list[float]] = {task: [] for task in TASKS}
        for query, vector in zip(self.queries, asked, strict=True):
            key = (query.repo, TASKS[query.task])
            passages, similar = self.passages[key], vectors[key] @ vector
            best = np.argsort(-similar, kind="stable")[:_DEPTH]
            results = [{"path": passages[n].path, "l0": passages[n].first, "l1": passages[n].last} for n in best]
            scores[query.task].append(self._score(msgspec.to_builtins(query), results)["ndcg10"])
        return {task: np.array(values, np.float32) for task, values in scores.items()}


def _scorer(path: Path) -> Callable[[dict[str, Any], list[dict[str, Any]]], dict[str, float]]:
    spec = importlib.util.spec_from_file_location("metrics", path)
    if spec is None or spec.loader is None:
        raise FileNotFoundError(f"{path} cannot be loaded")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.score  # type: ignore[no-any-return]


def paired_interval(first: Rows, second: Rows, rounds: int = _ROUNDS) -> tuple[float, float, float]:
    """The mean difference of two measurements of the same queries and its 95 % bootstrap interval."""
    difference = second - first
    drawn = np.random.default_rng(0).integers(0, len(difference), (rounds, len(difference)))
    low, high = np.quantile(difference[drawn].mean(1), (0.025, 0.975))
    return float(difference.mean()), float(low), float(high)


def reference_embedding(path: Path, tokenizer: Path) -> Callable[[Sequence[str]], Rows]:
    """A table of int8 rows with one scale each over MiniLM's own tokens, identifiers split beforehand."""
    stored = np.load(path)
    rows = stored["q"].astype(np.float32) * stored["scale"].astype(np.float32).reshape(-1, 1)
    table = Table(Tokenizer.from_file(str(tokenizer)), rows)
    humps = re.compile(r"([a-z0-9])([A-Z])")
    return lambda texts: table.embed([humps.sub(r"\1 \2", text).replace("_", " ") for text in texts])


def _embeddings(paths: Sequence[Path], tokenizer: Path | None) -> Iterator[tuple[str, Callable[[Sequence[str]], Rows]]]:
    for path in paths:
        if path.suffix == ".npz" and tokenizer is not None:
            yield path.stem, reference_embedding(path, tokenizer)
        else:
            yield path.name, load(path).embed


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("set", type=Path)
    parser.add_argument("trees", type=Path)
    parser.add_argument("tables", type=Path, nargs="+")
    parser.add_argument("--tokenizer", type=Path, help="MiniLM's tokenizer.json, for tables in an .npz")
    parser.add_argument("--cache", type=Path, help="file that keeps the passages for the next run")
    arguments = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    measured = EvaluationSet(arguments.set, arguments.trees, arguments.cache)
    base: dict[str, Rows] = {}
    for name, embed in _embeddings(arguments.tables, arguments.tokenizer):
        started = time.process_time()
        scores = measured.ndcg(embed)
        parts = [f"{task} {values.mean():.3f}" for task, values in scores.items()]
        for task, values in base.items():
            mean, low, high = paired_interval(values, scores[task])
            parts.append(f"{task} {mean:+.3f} [{low:+.3f}, {high:+.3f}]")
        base = base or scores
        log.info("%s: %s (%.0f CPU-s)", name, ", ".join(parts), time.process_time() - started)


if __name__ == "__main__":
    main()
