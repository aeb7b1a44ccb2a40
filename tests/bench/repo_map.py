"""The repo map on the whole corpus: what the graph and its ranks cost, and how long a map takes at the pipe.

    python -m tests.bench.repo_map [--corpus FOLDER] [--files 11000]

Whole packages of the corpus are copied until so many files have an outline. The server is the real one. The CPU of the
graph is measured in this process, on the index that the server made.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TypeVar

import psutil
from tests.bench import corpus
from tests.bench.pipe import (
    SEED,
    Row,
    command,
    identifiers,
    largest_python,
    milliseconds,
    open_params,
    quantile,
    quiet,
    server,
)
from tests.protocol.raw_client import RawClient

from pilotfish.engine.graphs import Graphs
from pilotfish.graph.edges import Graph
from pilotfish.graph.rank import Boosts, Ranker, Wishes
from pilotfish.store.catalog import Catalog
from pilotfish.syntax import languages

MAPS = 100
EDITS = 20
TOKENS = 4_096
T = TypeVar("T")


def packages(folder: Path, target: Path, files: int) -> None:
    """Copy packages of the corpus, one after the other, until there are `files` that have a language."""
    found = 0
    for package in sorted(path for path in folder.iterdir() if path.is_dir()):
        if found >= files:
            return
        sources = [path for path in corpus.files(package) if languages.detect(path.name, None, {}) is not None]
        for path in sources[: files - found]:
            copy = target / path.relative_to(folder)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, copy)
        found += len(sources)


def cpu(work: Callable[[], T]) -> tuple[float, T]:
    """Return the CPU time that something takes in this process, in seconds, and its result."""
    started = time.process_time()
    result = work()
    return time.process_time() - started, result


def ranks(root: Path, index: Path) -> list[Row]:
    """What it costs to read, link and rank the files of an index."""
    catalog = Catalog.open(index)
    reader = catalog.reader()
    with reader:
        read, graph = cpu(lambda: Graphs(str(root)).at(reader, []))
    reader.close()
    catalog.close()
    linked, _ = cpu(lambda: Graph(graph.nodes))
    made, ranker = cpu(lambda: Ranker(graph, Boosts()))
    cold, _ = cpu(ranker.rank)
    chosen = random.Random(SEED)
    again = []
    for _ in range(20):
        wishes = Wishes(
            start=dict.fromkeys(chosen.sample(range(len(graph)), 5), 1.0),
            names=dict.fromkeys(chosen.sample(range(len(graph.names)), 5), 10.0),
        )
        again.append(cpu(partial(ranker.rank, wishes))[0])
    files = f"{len(graph):,} files, {len(graph.links.source):,} links"
    median = quantile(again, 0.5)
    return [
        Row(f"{files}: read from the index and linked, once a start", f"{read:.2f} s CPU", ""),
        Row("linked anew after a change", f"{linked:.2f} s CPU", ""),
        Row("rank, cold (columns and iteration)", f"{made + cold:.2f} s CPU", "<= 0.6 s", made + cold <= 0.6),
        Row("rank, links included", f"{linked + made + cold:.2f} s CPU", ""),
        Row("rank, another question", f"{median:.3f} s CPU", "<= 0.15 s", median <= 0.15),
    ]


async def maps(root: Path, home: Path) -> tuple[list[Row], Path]:
    """How long a client waits for a map; return the index's folder with it."""
    names = identifiers(root)
    chosen = random.Random(SEED)
    async with server(root, home) as client:
        status = await quiet(client)
        first = await one_map(client)
        plain = await one_map(client)
        fresh, cached = [], []
        for _ in range(MAPS):
            mentions = chosen.sample(names, 3)
            fresh.append(await one_map(client, mentions=mentions))
            cached.append(await one_map(client, mentions=mentions))
        edited = await edits(client, largest_python(root))
        memory = psutil.Process(status["engine_pid"]).memory_full_info().uss / 1e6
    return [
        Row("the first map after a start, the graph being made", f"{first:.2f} s", ""),
        Row("the same again", f"{plain * 1000:.1f} ms", ""),
        Row(
            f"a map of {TOKENS:,} tokens, other words each time",
            milliseconds(fresh),
            "p95 < 300 ms",
            quantile(fresh, 0.95) < 0.3,
        ),
        Row("the same question again", milliseconds(cached), "p95 < 10 ms", quantile(cached, 0.95) < 0.01),
        Row("a map after an edit of one file", milliseconds(edited), "p95 < 500 ms", quantile(edited, 0.95) < 0.5),
        Row("engine, private memory, the graph in it", f"{memory:.0f} MB", ""),
    ], Path(status["index_folder"])


async def one_map(client: RawClient, **parameters: object) -> float:
    """Ask for a map and return how long it took, in seconds."""
    started = time.perf_counter()
    answer = await command(client, "repoMap", max_tokens=TOKENS, **parameters)
    assert 0 < answer["tokens"] <= TOKENS
    return time.perf_counter() - started


async def edits(client: RawClient, document: Path) -> list[float]:
    """Change an open document and ask for the map, again and again."""
    text = document.read_text("utf-8", "replace")
    await client.notify("textDocument/didOpen", open_params(document, text))
    await one_map(client)
    seconds = []
    for version in range(2, EDITS + 2):
        start = {"line": 0, "character": 0}
        change = {"range": {"start": start, "end": start}, "text": f"def edited_in_version_{version}(): pass\n"}
        started = time.perf_counter()
        await client.notify(
            "textDocument/didChange",
            {"textDocument": {"uri": document.as_uri(), "version": version}, "contentChanges": [change]},
        )
        await one_map(client)
        seconds.append(time.perf_counter() - started)
    return seconds


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", type=Path, default=None)
    parser.add_argument("--files", type=int, default=11_000)
    arguments = parser.parse_args()
    folder = (arguments.corpus or corpus.fetch(corpus.default_folder())).resolve()
    scratch = Path(tempfile.mkdtemp(prefix="pilotfish-bench-"))
    try:
        part = scratch / "part"
        packages(folder, part, arguments.files)
        rows, index = asyncio.run(maps(part, scratch / "home"))
        copy = scratch / "index"
        shutil.copytree(index, copy)
        rows = [*ranks(part, copy), *rows]
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    for row in rows:
        verdict = {None: "", True: "met", False: "NOT MET"}[row.met]
        print(f"{row.what}: {row.figure} {f'[{row.target}: {verdict}]' if row.target else ''}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
