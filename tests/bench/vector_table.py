"""The table of vectors: size, memory, searches, and a thousand small edits.

    python -m tests.bench.vector_table FOLDER [--rows 100000] [--edits 1000]

The rows are chunks of the files in FOLDER, as the index cuts them; a vector is the weighted mean of a random direction
for each word of the chunk, which has the neighbourhoods of a static table of tokens. Filling, searching and editing run
one after the other in processes of their own, for their memory. Prints one line of JSON for each.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import pickle
import random
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
import psutil

from pilotfish.store.vector_rows import VectorFilters, VectorRow
from pilotfish.syntax.chunks import ChunkSizes, chunks_of
from pilotfish.syntax.documentation import documentation, signature
from pilotfish.syntax.languages import detect
from pilotfish.syntax.outlines import Outliner

DIMS = 256
MODEL = "bench"
QUESTIONS = 100
BATCH_ROWS = 2_000
_WORD = re.compile(r"[A-Za-z][a-z]+|[A-Z]+")

Rows = list[VectorRow]
Matrix = "np.ndarray[Any, np.dtype[np.float32]]"


def chunks(folder: Path, count: int) -> Rows:
    """Return the chunks of files in a random but fixed order, whole files until there are enough."""
    files = sorted(path for path in folder.rglob("*") if path.is_file() and detect(path.name, None))
    random.Random(4).shuffle(files)
    outliner, rows = Outliner(), Rows()
    for path in files:
        if len(rows) >= count:
            break
        data = path.read_bytes()
        if len(data) < 1_000_000:
            rows.extend(_chunks_of_file(outliner, path.relative_to(folder).as_posix(), data))
    return rows


def _chunks_of_file(outliner: Outliner, path: str, data: bytes) -> Iterator[VectorRow]:
    text = data.decode("utf-8", "replace").encode()
    language = detect(path, text[:512])
    if language is None:
        return
    outline, tree = outliner.read(text, language)[:2]
    for chunk in chunks_of(tree, text, outline, ChunkSizes()):
        about = outline.symbols[chunk.symbol] if chunk.symbol >= 0 else None
        body = text[chunk.start : chunk.end].decode("utf-8", "replace")
        yield VectorRow(
            filepath=path,
            symbol_name=about.name if about else "",
            symbol_type=about.kind.name.lower() if about else "",
            language=language,
            line_start=text.count(b"\n", 0, chunk.start) + 1,
            line_end=text.count(b"\n", 0, chunk.end) + 1,
            text=body,
            text_hash=hashlib.sha256(body.encode()).digest()[:16],
            signature=signature(text, about, language) if about else "",
            parent=about.container if about else "",
            docstring=documentation(text, about, language) if about else "",
        )


def vectors(rows: Sequence[VectorRow]) -> Any:
    """Return a unit vector for each row."""
    words = [{word.lower() for word in _WORD.findall(row.text)} or {"nothing"} for row in rows]
    seen: dict[str, int] = {}
    for each in words:
        for word in each:
            seen[word] = seen.get(word, 0) + 1
    directions = {word: _direction(word) * np.float32(np.log(1 + len(rows) / count)) for word, count in seen.items()}
    matrix = np.array([sum(directions[word] for word in each) for each in words], dtype=np.float32)
    return matrix / np.linalg.norm(matrix, axis=1, keepdims=True)


def _direction(word: str) -> Any:
    seed = int.from_bytes(hashlib.sha256(word.encode()).digest()[:8])
    return np.random.default_rng(seed).normal(size=DIMS).astype(np.float32)


def fill(table_folder: Path, rows: Rows, matrix: Any, edits: int) -> dict[str, Any]:
    """Fill a table and do its upkeep."""
    from pilotfish.store.vectors import VectorTable

    raw = matrix.nbytes
    before = _memory()
    table = VectorTable.create(table_folder, MODEL, DIMS)
    figures: dict[str, Any] = {"rows": len(rows), "files": len({row.filepath for row in rows})}
    figures["text_characters"] = round(sum(len(row.text) for row in rows) / len(rows))
    with _measured(figures, "fill"):
        for first, last in _spans(rows):
            table.replace(sorted({row.filepath for row in rows[first:last]}), rows[first:last], matrix[first:last])
    figures["filled_over_raw"] = round(_size(table_folder) / raw, 3)
    with _measured(figures, "upkeep"):
        figures["due"] = [name for name, value in _fields(table.maintain(idle=True)) if value]
    figures["table_over_raw"] = round(_size(table_folder) / raw, 3)
    return figures | {"memory_before_mb": before, "memory_mb": _memory(), "peak_mb": _peak()}


def search(table_folder: Path, rows: Rows, matrix: Any, edits: int) -> dict[str, Any]:
    """Open the table and search it."""
    before = _memory()
    questions = _questions(matrix)
    exact = np.argsort(-(questions @ matrix.T), axis=1, kind="stable")[:, :10]
    best = [{(rows[at].filepath, rows[at].line_start) for at in line} for line in exact]
    del matrix, rows
    figures: dict[str, Any] = {"memory_before_mb": before}
    with _measured(figures, "import"):
        from pilotfish.store.vectors import VectorTable
    with _measured(figures, "open"):
        table = VectorTable.open(table_folder, MODEL, DIMS)
    with _measured(figures, "first_search"):
        table.search(questions[0], 50)
    found = _latencies(figures, "search", lambda at: table.search(questions[at], 50))
    figures["recall_at_10"] = round(
        float(
            np.mean(
                [len(b & {(h.filepath, h.line_start) for h in f[:10]}) / 10 for b, f in zip(best, found, strict=True)]
            )
        ),
        3,
    )
    for name, filters in {
        "language": VectorFilters(languages=("go",)),
        "prefix": VectorFilters(prefixes=("Django-5.2.1/django/",)),
        "pattern": VectorFilters(globs=("**/*.rs",)),
        "wide_pattern": VectorFilters(globs=("*.java", "*.py", "*.go")),
    }.items():
        _latencies(figures, name, lambda at, filters=filters: table.search(questions[at], 50, filters))
    return figures | {"memory_mb": _memory(), "peak_mb": _peak()}


def edit(table_folder: Path, rows: Rows, matrix: Any, edits: int) -> dict[str, Any]:
    """Change one file after another, as somebody who types at their tops, with upkeep after each."""
    from pilotfish.store.vectors import VectorTable

    table = VectorTable.open(table_folder, MODEL, DIMS)
    questions = _questions(matrix)
    files = [list(group) for _, group in groupby(range(len(rows)), key=lambda at: rows[at].filepath)]
    choice = random.Random(7)
    files = [file for file in choice.sample(files, len(files)) if len(file) <= 40]
    times: list[float] = []
    upkeep: list[float] = []
    figures: dict[str, Any] = {"edits": edits, "start_mb": _size(table_folder) >> 20}
    _latencies(figures, "search_at_start", lambda at: table.search(questions[at], 50))
    largest = 0
    started = time.process_time()
    for number in range(edits):
        file = files[number % 50]
        shift = number // 50 + 1
        changed = [_shifted(rows[at], shift) for at in file]
        begun = time.perf_counter()
        table.replace([rows[file[0]].filepath], changed, matrix[file])
        times.append(time.perf_counter() - begun)
        begun = time.perf_counter()
        if table.maintain().compact:
            upkeep.append(time.perf_counter() - begun)
            largest = max(largest, _size(table_folder))
        if number == edits - 2:
            _latencies(figures, "search_at_end", lambda at: table.search(questions[at], 50))
    figures["cpu_s"] = round(time.process_time() - started, 1)
    for name, part in (("first_100", times[:100]), ("last_100", times[-100:])):
        figures[f"{name}_p50_ms"], figures[f"{name}_p95_ms"] = _percentiles(part)
    figures |= {"upkeeps": len(upkeep), "upkeep_longest_s": round(max(upkeep, default=0), 2)}
    figures |= {"largest_mb": largest >> 20, "end_before_idle_mb": _size(table_folder) >> 20}
    table.maintain(idle=True)
    return figures | {"end_mb": _size(table_folder) >> 20, "rows_kept": table.rows == len(rows), "memory_mb": _memory()}


PHASES: dict[str, Callable[[Path, Rows, Any, int], dict[str, Any]]] = {"fill": fill, "search": search, "edit": edit}


def _shifted(row: VectorRow, lines: int) -> VectorRow:
    fields = {name: getattr(row, name) for name in VectorRow.__struct_fields__}
    return VectorRow(**fields | {"line_start": row.line_start + lines, "line_end": row.line_end + lines})


def _questions(matrix: Any) -> Any:
    numbers = np.random.default_rng(3)
    one, other = numbers.integers(0, len(matrix), (2, QUESTIONS))
    mixed = matrix[one] + 0.5 * matrix[other]
    return (mixed / np.linalg.norm(mixed, axis=1, keepdims=True)).astype(np.float32)


def _spans(rows: Rows) -> Iterator[tuple[int, int]]:
    """Yield stretches of whole files of about `BATCH_ROWS`."""
    first = 0
    for last in range(1, len(rows) + 1):
        if last == len(rows) or (last - first >= BATCH_ROWS and rows[last].filepath != rows[last - 1].filepath):
            yield first, last
            first = last


def _latencies(figures: dict[str, Any], name: str, ask: Callable[[int], Any]) -> list[Any]:
    times, found = [], []
    started = time.process_time()
    for at in range(QUESTIONS):
        begun = time.perf_counter()
        found.append(ask(at))
        times.append(time.perf_counter() - begun)
    figures[f"{name}_p50_ms"], figures[f"{name}_p95_ms"] = _percentiles(times)
    figures[f"{name}_cpu_ms"] = round((time.process_time() - started) / QUESTIONS * 1e3, 1)
    return found


def _percentiles(times: Sequence[float]) -> tuple[float, float]:
    p50, p95 = np.percentile(times, (50, 95)) * 1e3
    return round(float(p50), 1), round(float(p95), 1)


class _measured:  # noqa: N801 - reads as a word of the statement
    def __init__(self, figures: dict[str, Any], name: str) -> None:
        self._figures, self._name = figures, name

    def __enter__(self) -> None:
        self._wall, self._cpu = time.perf_counter(), time.process_time()

    def __exit__(self, *_: object) -> None:
        self._figures[f"{self._name}_s"] = round(time.perf_counter() - self._wall, 2)
        self._figures[f"{self._name}_cpu_s"] = round(time.process_time() - self._cpu, 2)


def _fields(struct: Any) -> Iterator[tuple[str, Any]]:
    return ((name, getattr(struct, name)) for name in struct.__struct_fields__)


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def _memory() -> int:
    return int(psutil.Process().memory_full_info().uss) >> 20


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--edits", type=int, default=1_000)
    parser.add_argument("--phase", nargs=2, metavar=("NAME", "SCRATCH"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.phase:
        name, scratch = arguments.phase[0], Path(arguments.phase[1])
        rows = [VectorRow(*fields) for fields in pickle.loads((scratch / "rows").read_bytes())]
        matrix = np.load(scratch / "vectors.npy", mmap_mode=None if name == "fill" else "r")
        figures = PHASES[name](scratch / "table", rows, matrix, arguments.edits)
        print(json.dumps({"phase": name} | figures), flush=True)
        return
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        rows = chunks(arguments.folder, arguments.rows)
        np.save(scratch / "vectors.npy", vectors(rows))
        plain = [tuple(value for _, value in _fields(row)) for row in rows]
        (scratch / "rows").write_bytes(pickle.dumps(plain))
        for name in PHASES:
            command = [sys.executable, "-m", "tests.bench.vector_table", str(arguments.folder)]
            subprocess.run([*command, "--edits", str(arguments.edits), "--phase", name, folder], check=True)


if __name__ == "__main__":
    main()
