"""What semantic search costs: all chunks of a corpus cut, embedded and stored; then a restart, questions and edits.

    python -m tests.bench.semantic FOLDER [--share N] [--edits N] [--questions N]

The index with all its vectors, the structural one alone, and bare parsing of the same files run in turns, each in a
process of its own; CPU is that of the engine and all its children. Questions are asked of the engine itself, without a
pipe, one after the other, other words each time; they are made of words of the corpus. Memory is private (USS), summed
over engine and children, taken in a run of its own.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import msgspec
from tests.bench.cold_index import Peak, files_of, parse_on, thinned

Figures = dict[str, Any]

SEED = 7


def main() -> None:
    """Measure, or do one part of a measurement in this process."""
    if sys.argv[1:2] == ["part"]:
        _, _, part, root, home, number = sys.argv
        json.dump(PARTS[part](Path(root), Path(home), int(number)), sys.stdout)
        return
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--share", type=int, default=1, help="take every N-th file")
    parser.add_argument("--edits", type=int, default=1_000)
    parser.add_argument("--questions", type=int, default=200)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="pilotfish-bench-") as scratch:
        root = options.folder.resolve()
        if options.share > 1 or options.edits:
            root = thinned(root, options.share, Path(scratch).resolve() / "corpus")
        measure(root, Path(scratch), options.edits, options.questions)


def measure(root: Path, scratch: Path, edits: int, questions: int) -> None:
    """Run the parts and print the ratios."""
    both = in_process("both", root, scratch / "both")
    structural = in_process("structural", root, scratch / "structural")
    bare = in_process("parse", root, scratch / "both")
    memory = in_process("memory", root, scratch / "memory")
    asked = in_process("ask", root, scratch / "both", questions)
    edited = in_process("edit", root, scratch / "both", edits)
    raw = both["chunks"] * both["dims"] * 4
    extra = both["cpu"] - structural["cpu"]
    print(f"{both['files']:,} files, {both['chunks']:,} chunks, {both['source'] / 1e6:.1f} MB of source")
    print(
        f"CPU of both phases:     {both['cpu']:.1f} s, without vectors {structural['cpu']:.1f} s, "
        f"parse-only {bare['cpu']:.1f} s"
    )
    print(f"  both phases:          {both['cpu'] / bare['cpu']:.2f} x parse-only")
    print(f"  vectors alone:        {extra / bare['cpu']:.2f} x parse-only")
    print(
        f"wall of both phases:    {both['wall']:.0f} s, structural part {both['structural_wall']:.0f} s (at most 180)"
    )
    print(f"peak private memory:    {memory['all_uss'] / 1e6:.0f} MB (below 1,000)")
    print(f"at rest after a restart: {asked['resting'] / 1e6:.0f} MB with a worker that is ready (below 500)")
    print(f"first question after a restart: {asked['first'] * 1e3:.0f} ms with a worker that is ready")
    print(f"question, p50 / p95:    {asked['p50'] * 1e3:.0f} / {asked['p95'] * 1e3:.0f} ms (below 100)")
    print(f"vector table:           {both['table'] / raw:.2f} x raw vectors (at most 2.0)")
    print(f"vector cache:           {both['cache'] / raw:.2f} x raw vectors (at most 0.5)")
    print(f"catalog with chunks:    {both['catalog'] / both['source']:.2f} x source (at most 1.8)")
    times = [round(edited[name] * 1e3) for name in ("p50_before", "p50_after", "early", "late")]
    print(
        f"{edits:,} edits:            question p50 {times[0]} to {times[1]} ms; edit to vector p50 of the first hundred"
    )
    print(f"                        {times[2]} ms, of the last {times[3]} ms; ", end="")
    print(f"disk {edited['disk_before'] / 1e6:.0f} to {edited['disk_after'] / 1e6:.0f} MB")


def in_process(part: str, root: Path, home: Path, number: int = 0) -> Figures:
    """Run one part of this file in a process of its own."""
    command = [sys.executable, "-m", "tests.bench.semantic", "part", part, str(root), str(home), str(number)]
    answer = subprocess.run(command, check=True, stdout=subprocess.PIPE, cwd=Path(__file__).parents[2])
    figures: Figures = json.loads(answer.stdout)
    return figures


# --- parts -----------------------------------------------------------------------------------------------------------


def both(root: Path, home: Path, number: int) -> Figures:
    """Index with vectors."""
    return costs(lambda: indexed(root, home, watch_memory=False))


def memory(root: Path, home: Path, number: int) -> Figures:
    """Index with vectors, and look at memory."""
    return costs(lambda: indexed(root, home, watch_memory=True))


def structural(root: Path, home: Path, number: int) -> Figures:
    """Index without vectors."""
    return costs(lambda: indexed(root, home, watch_memory=False, coverage="off"))


def parse(root: Path, home: Path, number: int) -> Figures:
    """Parse and nothing else."""
    return parse_on(1, root, files_of(home / "index"))


def costs(run: Callable[[], Awaitable[Figures]]) -> Figures:
    """Run something; CPU of this process and of all that it started and saw end."""
    before = time.process_time()
    figures = asyncio.run(_awaited(run))
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return figures | {"cpu": time.process_time() - before + children.ru_utime + children.ru_stime}


async def _awaited(run: Callable[[], Awaitable[Figures]]) -> Figures:
    return await run()


async def opened(root: Path, home: Path, coverage: str = "auto") -> Any:
    """Open an engine whose index and caches lie in `home`."""
    from pilotfish.engine.engine import Engine

    index = home / "index"
    index.mkdir(parents=True, exist_ok=True)
    environment = {
        "PILOTFISH_HOME": str(home),
        "PATH": os.environ["PATH"],
        "PILOTFISH_INDEX_WATCH": "false",
        "PILOTFISH_SEMANTIC_COVERAGE": coverage,
    }
    return await Engine.open(root, index_folder=index, environment=environment)


async def indexed(root: Path, home: Path, *, watch_memory: bool, coverage: str = "auto") -> Figures:
    """Index from nothing."""
    engine = await opened(root, home, coverage)
    peak = Peak(lambda: [*engine.pool.pids(), *engine.semantics.pids()]) if watch_memory else None
    started = time.perf_counter()
    await engine.indexer.wait_quiet()
    structural_wall = time.perf_counter() - started
    await engine.semantics.wait_quiet()
    wall = time.perf_counter() - started
    figures: Figures = peak.stop() if peak is not None else {}
    with engine.catalog.reader() as reader:
        source = reader.counts().source_bytes
    state = engine.index_state()
    dims = 0 if coverage == "off" else await engine.semantics.ask(_dims)
    await engine.close()
    return figures | {
        "wall": wall,
        "structural_wall": structural_wall,
        "files": state.files,
        "chunks": state.chunks,
        "source": source,
        "dims": dims,
        "catalog": (home / "index" / "catalog.sqlite").stat().st_size,
        "table": size_of(home / "index" / "vectors"),
        "cache": size_of(home / "vectors"),
    }


async def _dims(child: Any) -> int:
    return int(child.model.dims)


def ask(root: Path, home: Path, number: int) -> Figures:
    """Restart, and ask questions."""
    return asyncio.run(_ask(root, home, number))


async def _ask(root: Path, home: Path, number: int) -> Figures:
    from pilotfish.engine.handlers.get_repo_status import private_bytes

    engine = await opened(root, home)
    await engine.wait_quiet()
    session = _session(engine)
    await engine.semantics.ask(_dims)  # as an editor's session has it done in the background
    await asyncio.sleep(25)  # parse workers leave when idle
    resting = sum(map(private_bytes, (os.getpid(), *engine.pool.pids(), *engine.semantics.pids())))
    questions = questions_for(engine, number + 1)
    first = await timed(engine, session, questions[0])
    times = [await timed(engine, session, question) for question in questions[1:]]
    await engine.close()
    return {"resting": resting, "first": first, **spread(times)}


def edit(root: Path, home: Path, number: int) -> Figures:
    """Edit files one after the other, each until its vectors are there."""
    return asyncio.run(_edit(root, home, number))


async def _edit(root: Path, home: Path, number: int) -> Figures:
    engine = await opened(root, home)
    await engine.wait_quiet()
    session = _session(engine)
    questions = questions_for(engine, 80)
    choose = random.Random(SEED)
    with engine.catalog.reader() as reader:
        files = sorted(row.path for row in reader.files() if row.status == "parsed" and row.size < 20_000)
    for question in questions[:20]:
        await timed(engine, session, question)
    before = spread([await timed(engine, session, question) for question in questions[20:50]])
    disk_before = size_of(home)
    times = []
    for turn in range(number):
        path = choose.choice(files)
        with (root / path).open("ab") as file:
            file.write(f"\n\n# edit {turn} of {choose.random()}\n".encode())
        started = time.perf_counter()
        engine.indexer.changed([path])
        await engine.wait_quiet()
        times.append(time.perf_counter() - started)
    after = spread([await timed(engine, session, question) for question in questions[50:]])
    await engine.close()
    return {
        "p50_before": before["p50"],
        "p50_after": after["p50"],
        "early": statistics.median(times[:100] or [0]),
        "late": statistics.median(times[-100:] or [0]),
        "disk_before": disk_before,
        "disk_after": size_of(home),
    }


# --- questions -------------------------------------------------------------------------------------------------------


def _session(engine: Any) -> Any:
    from pilotfish.engine import wire

    hello = wire.Hello(token="", wire=wire.WIRE_VERSION, build="", kind="cli", client="bench", pid=os.getpid())
    return engine.connect(hello, lambda method, params: None)


def questions_for(engine: Any, number: int) -> list[str]:
    """Return questions of three to twelve words that stand in the names and texts of the corpus."""
    choose = random.Random(SEED)
    with engine.catalog.reader() as reader:
        paths = [path for path, _ in reader.chunks.paths()]
        words = []
        for path in choose.sample(paths, min(400, len(paths))):
            text = (reader.chunks.text(path) or b"").decode("utf-8", "replace").split()
            words += [word for word in text if word.isalpha() and 2 < len(word) < 20]
    return [" ".join(choose.choices(words, k=choose.randint(3, 12))) for _ in range(number)]


async def timed(engine: Any, session: Any, question: str) -> float:
    """Ask one question and return how long the answer took, in seconds."""
    parameters = msgspec.Raw(msgspec.json.encode({"query": question, "max_results": 10}))
    started = time.perf_counter()
    await engine.call(session, "search_code", parameters)
    return time.perf_counter() - started


def spread(times: list[float]) -> Figures:
    """Return median and 95th percentile."""
    ordered = sorted(times)
    return {"p50": statistics.median(ordered), "p95": ordered[int(0.95 * (len(ordered) - 1))]}


def size_of(folder: Path) -> int:
    """Return how many bytes of disk a folder holds."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


PARTS: dict[str, Callable[[Path, Path, int], Figures]] = {
    "both": both,
    "memory": memory,
    "structural": structural,
    "parse": parse,
    "ask": ask,
    "edit": edit,
}


if __name__ == "__main__":
    main()
