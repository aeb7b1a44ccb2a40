"""A cold structural index against tree-sitter's bare parsing of the same files.

    python -m tests.bench.cold_index FOLDER [--rounds N] [--workers N] [--share N]

Index and parsing run in turns, each in a process of its own, and what counts are the ratios of the medians. CPU is that
of the engine and its workers together. Parsing reads and decodes nothing: the time is inside `Parser.parse` alone, and
the wall time on several processes is that of the slowest. Memory is private memory (USS), taken in a run of its own
since asking for it costs time. `--share N` takes every N-th file, for a quick look.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

Figures = dict[str, Any]


def index(root: Path, folder: Path, workers: int, *, watch_memory: bool) -> Figures:
    """Index `root` from nothing into `folder`; CPU of all processes, wall time, sizes, and memory when asked for."""
    from pilotfish.config import IndexSettings, LimitSettings, Settings
    from pilotfish.indexing.indexer import Indexer
    from pilotfish.indexing.workers import ParsePool
    from pilotfish.store.catalog import Catalog

    settings = Settings(index=IndexSettings(watch=False), limits=LimitSettings(workers=workers))
    lines: list[str] = []

    async def run() -> Figures:
        folder.mkdir(parents=True)
        catalog = Catalog.open(folder)
        pool = ParsePool(root, settings, folder, log=lambda level, line: lines.append(f"{level}: {line}"))
        indexer = Indexer(
            str(root),
            settings,
            catalog,
            pool,
            on_progress=lambda step: None,
            on_state=lambda health: None,
            on_log=lambda level, line: lines.append(f"{level}: {line}"),
            on_committed=lambda generation, paths: None,
        )
        peak = Peak(pool.pids) if watch_memory else None
        started = time.perf_counter()
        await indexer.start()
        await indexer.wait_quiet()
        wall = time.perf_counter() - started
        memory = peak.stop() if peak is not None else {}
        with catalog.reader() as reader:
            counts = reader.counts()
        await indexer.close()
        await pool.close()
        catalog.close()
        return {
            "wall": wall,
            "files": counts.files,
            "parsed": counts.parsed,
            "source": counts.source_bytes,
            "symbols": counts.symbols,
            "references": counts.references,
            "catalog": (folder / "catalog.sqlite").stat().st_size,
            "log": lines[:20],
            **memory,
        }

    before = time.process_time()
    figures = asyncio.run(run())
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    figures["engine_cpu"] = time.process_time() - before
    figures["workers_cpu"] = children.ru_utime + children.ru_stime
    figures["cpu"] = figures["engine_cpu"] + figures["workers_cpu"]
    return figures


class Peak:
    """Samples the private memory of this process and of the workers."""

    def __init__(self, pids: Any) -> None:
        self._pids = pids
        self._peaks = {"engine_uss": 0, "worker_uss": 0, "all_uss": 0}
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._sample)
        self._thread.start()

    def stop(self) -> Figures:
        self._stop.set()
        self._thread.join()
        return dict(self._peaks)

    def _sample(self) -> None:
        import psutil

        while not self._stop.wait(0.1):
            sizes = {}
            for pid in (os.getpid(), *self._pids()):
                try:
                    sizes[pid] = psutil.Process(pid).memory_full_info().uss
                except psutil.Error:
                    continue
            engine = sizes.pop(os.getpid(), 0)
            for name, size in (
                ("engine_uss", engine),
                ("worker_uss", max(sizes.values(), default=0)),
                ("all_uss", engine + sum(sizes.values())),
            ):
                self._peaks[name] = max(self._peaks[name], size)


def files_of(folder: Path) -> list[tuple[str, str]]:
    """Return path and language of every file that the catalog in `folder` has an outline of."""
    from pilotfish.store.catalog import Catalog

    catalog = Catalog.open(folder)
    with catalog.reader() as reader:
        files = [(row.path, row.language or "", row.size) for row in reader.files() if row.status == "parsed"]
    catalog.close()
    return [(path, language) for path, language, _ in sorted(files, key=lambda file: -file[2])]


def parse(root: str, files: list[tuple[str, str]]) -> Figures:
    """Parse files and nothing else; CPU time inside the parser, and wall time of the whole."""
    import tree_sitter_language_pack
    from tree_sitter import Parser

    from pilotfish.syntax.languages import REGISTRY
    from pilotfish.syntax.text import decode

    parsers: dict[str, Parser] = {}
    cpu = size = 0
    started = time.perf_counter()
    for path, language in files:
        text = decode(Path(root, path).read_bytes()).text
        if language not in parsers:
            parsers[language] = Parser(tree_sitter_language_pack.get_language(REGISTRY[language].grammar))  # type: ignore[arg-type]
        before = time.process_time()
        parsers[language].parse(text)
        cpu += time.process_time() - before
        size += len(text)
    return {"cpu": cpu, "wall": time.perf_counter() - started, "bytes": size}


def parse_on(processes: int, root: Path, files: list[tuple[str, str]]) -> Figures:
    """Parse files on several processes, each taking the next small task."""
    tasks = [(str(root), files[start :: max(1, len(files) // 40)]) for start in range(max(1, len(files) // 40))]
    started = time.perf_counter()
    if processes == 1:
        done = [parse(*task) for task in tasks]
    else:
        with multiprocessing.get_context("spawn").Pool(processes) as pool:
            done = pool.starmap(parse, tasks, chunksize=1)
    return {"cpu": sum(each["cpu"] for each in done), "wall": time.perf_counter() - started}


def in_process(*arguments: str) -> Figures:
    """Run one measurement of this file in a process of its own."""
    command = [sys.executable, "-m", "tests.bench.cold_index", *arguments]
    answer = subprocess.run(command, check=True, stdout=subprocess.PIPE, cwd=Path(__file__).parents[2])
    figures: Figures = json.loads(answer.stdout)
    return figures


def thinned(root: Path, share: int, target: Path) -> Path:
    """Copy every `share`-th file of `root`."""
    files = sorted(path for path in root.rglob("*") if path.is_file() and not path.is_symlink())
    for path in files[::share]:
        copy = target / path.relative_to(root)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)
    return target


def measure(root: Path, scratch: Path, rounds: int, workers: int) -> None:
    """Run index and parsing in turns and print the ratios."""
    runs: list[tuple[Figures, Figures, Figures, Figures]] = []
    for number in range(rounds):
        folders = [scratch / f"{kind}-{number}" for kind in ("one", "many")]
        one = in_process("index", str(root), str(folders[0]), "1")
        bare_one = in_process("parse", str(root), str(folders[0]), "1")
        many = in_process("index", str(root), str(folders[1]), str(workers))
        bare_many = in_process("parse", str(root), str(folders[0]), str(workers))
        runs.append((one, bare_one, many, bare_many))
        print(
            f"round {number + 1}: index {one['cpu']:.1f} s CPU ({one['engine_cpu']:.1f} engine), "
            f"parse {bare_one['cpu']:.1f} s; on {workers}: index {many['wall']:.1f} s wall, "
            f"parse {bare_many['wall']:.1f} s wall",
            flush=True,
        )
    memory = in_process("memory", str(root), str(scratch / "memory"), str(workers))
    first = runs[0][0]
    cpu = statistics.median(one["cpu"] / bare["cpu"] for one, bare, _, _ in runs)
    wall = statistics.median(many["wall"] / bare["wall"] for _, _, many, bare in runs)
    print(f"{first['files']:,} files, {first['parsed']:,} parsed, {first['source'] / 1e6:.1f} MB of source")
    print(f"{first['symbols']:,} symbols, {first['references']:,} references")
    print(f"CPU, one worker:        {cpu:.2f} x parse-only (at most 2.0)")
    print(f"wall, {workers} workers:        {wall:.2f} x parse-only on {workers} processes (at most 2.0)")
    print(f"catalog:                {first['catalog'] / first['source']:.2f} x source (at most 0.75)")
    print(
        f"peak private memory:    engine {memory['engine_uss'] / 1e6:.0f} MB (below 200), one worker "
        f"{memory['worker_uss'] / 1e6:.0f} MB, all with {workers} workers {memory['all_uss'] / 1e6:.0f} MB"
    )
    for line in first["log"]:
        print(f"  {line.splitlines()[0]}")


def main() -> None:
    """Measure, or do one part of a measurement in this process."""
    if sys.argv[1:2] in (["index"], ["memory"], ["parse"]):
        what, root, folder, workers = sys.argv[1:]
        if what == "parse":
            figures = parse_on(int(workers), Path(root), files_of(Path(folder)))
        else:
            figures = index(Path(root), Path(folder), int(workers), watch_memory=what == "memory")
        json.dump(figures, sys.stdout)
        return
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--share", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="pilotfish-bench-") as scratch:
        root = options.folder.resolve()
        if options.share > 1:
            root = thinned(root, options.share, Path(scratch).resolve() / "corpus")
        measure(root, Path(scratch), options.rounds, options.workers)


if __name__ == "__main__":
    main()
