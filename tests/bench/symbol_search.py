"""Searching 500,000 symbols by name, in the catalog itself; and what it costs to put them there.

    python -m tests.bench.symbol_search [--symbols 500000] [--queries 100]

The names are real ones: the identifiers of installed packages, and pairs of their words until there are enough; how
often each is defined and used falls off as it does in real code. Every kind of query is asked in turn, so that load on
the machine falls on all alike. Prints one line of JSON a kind, in milliseconds: wall time, and the
CPU time of the reader, which tells more on a busy machine.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import chain, islice
from pathlib import Path

from pilotfish.store.catalog import Batch, Catalog, ParsedFile, Reader
from pilotfish.store.rows import pack
from pilotfish.syntax.outline import Outline, ReferenceGroup, Role, Symbol, SymbolKind, Visibility
from pilotfish.syntax.subwords import words
from pilotfish.syntax.text import LineTable

_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]{1,60}")
SYMBOLS_PER_FILE = 50
NAMES_USED_PER_FILE = 80
USES_PER_NAME = 4
DISTINCT_SHARE = 0.58  # 292,000 distinct names among 500,000 definitions of a real corpus
FILES_PER_BATCH = 100


def real_identifiers() -> list[str]:
    """Return the identifiers of the installed packages, those found in most files first."""
    found: dict[str, int] = {}
    folders = [Path(folder) for folder in sys.path if Path(folder).is_dir() and "python" in folder]
    files = sorted({path for folder in folders for path in folder.rglob("*.py")})
    for path in files:
        for name in set(_IDENTIFIER.findall(path.read_text("utf-8", "replace"))):
            found[name] = found.get(name, 0) + 1
    return sorted(found, key=lambda name: (-found[name], name))


def names(count: int, choice: random.Random) -> list[str]:
    """Return `count` distinct names, the most common first."""
    real = real_identifiers()
    distinct = dict.fromkeys(real[:count])
    while len(distinct) < count:
        first, second = words(choice.choice(real)), words(choice.choice(real))
        parts = [part.lower() for part in (*first[:2], *second[:2])]
        if choice.random() < 0.5:
            distinct["_".join(parts)] = None
        else:
            distinct["".join([parts[0], *(part.capitalize() for part in parts[1:])] if parts else ["x"])] = None
    return list(distinct)


def files(distinct: list[str], symbols: int, choice: random.Random) -> Iterator[ParsedFile]:
    """Yield files that define every name once and the common ones again and again."""
    again = symbols - len(distinct)
    defined = [*distinct, *(distinct[common(choice, len(distinct))] for _ in range(again))]
    choice.shuffle(defined)
    for number in range(0, symbols, SYMBOLS_PER_FILE):
        yield file_of(
            f"package{number % 97}/module{number}.py", defined[number : number + SYMBOLS_PER_FILE], distinct, choice
        )


def common(choice: random.Random, count: int) -> int:
    """Return a rank below `count`, by Zipf's law with the first twenty about alike: the top name has a thousandth."""
    return min(int(20 * (count / 20 + 1) ** choice.random()) - 20, count - 1)


def file_of(path: str, defined: list[str], distinct: list[str], choice: random.Random) -> ParsedFile:
    """Return one file: a class with members for every ten names, and uses of common names."""
    symbols, text, owner = [], b"", -1
    for ordinal, name in enumerate(defined):
        start = len(text)
        text += f"def {name}(self):\n".encode()
        is_class = ordinal % 10 == 0
        symbols.append(
            Symbol(
                name=name,
                kind=SymbolKind.CLASS if is_class else SymbolKind.METHOD,
                parent=-1 if is_class else owner,
                start=start,
                end=len(text),
                name_start=start + 4,
                name_end=start + 4 + len(name),
                visibility=Visibility.PRIVATE if name.startswith("_") else Visibility.PUBLIC,
            )
        )
        owner = ordinal if is_class else owner
    uses: dict[str, list[int]] = {}
    for number in range(NAMES_USED_PER_FILE):
        offsets = range(number, number + USES_PER_NAME * NAMES_USED_PER_FILE, NAMES_USED_PER_FILE)
        uses.setdefault(distinct[common(choice, len(distinct))], []).extend(offsets)
    outline = Outline(
        "python", symbols, [ReferenceGroup(name, Role.CALL, sorted(offsets)) for name, offsets in uses.items()]
    )
    lines = LineTable.from_text(text)
    packed, rows = pack(outline, text)
    return ParsedFile(
        path=path,
        content_hash=hashlib.sha256(text).digest(),
        size=len(text),
        mtime_ns=1,
        language="python",
        outline=packed,
        rows=rows,
        line_table=lines.to_bytes(),
    )


def queries(distinct: list[str], choice: random.Random) -> dict[str, Callable[[], str]]:
    """Return a maker of queries for each kind; all are made from names that exist."""
    many_words = [name for name in distinct if len(words(name)) > 1]
    long = [name for name in distinct if len(name) > 5]

    def part() -> str:
        name = choice.choice(long)
        start = choice.randrange(1, len(name) - 2)
        return name[start : start + choice.randint(3, 5)]

    def letters() -> str:
        name = choice.choice(long)
        return "".join(name[place] for place in sorted(choice.sample(range(len(name)), choice.randint(3, 6))))

    def member() -> str:
        return f"{choice.choice(long)[:4]}.{choice.choice(long)[:3]}"

    return {
        "one letter": lambda: choice.choice("abcdefghijklmnopqrstuvwxyz_ABCS"),
        "two letters": lambda: choice.choice(long)[:2],
        "prefix": lambda: choice.choice(long)[: choice.randint(3, 8)],
        "infix": part,
        "humps": lambda: "".join(word[0] for word in words(choice.choice(many_words)))[:5],
        "subsequence": letters,
        "member": member,
        "whole name": lambda: choice.choice(distinct),
        "common name": lambda: choice.choice(distinct[:200]),
        "no match": lambda: "".join(choice.choices("qxzjkvw", k=7)),
    }


def ask(reader: Reader, distinct: list[str], count: int, choice: random.Random) -> None:
    """Ask every kind `count` times, in turn, and print what it took."""
    kinds = queries(distinct, choice)
    times: dict[str, list[float]] = {kind: [] for kind in kinds}
    processor: dict[str, list[float]] = {kind: [] for kind in kinds}
    hits: dict[str, list[int]] = {kind: [] for kind in kinds}
    slowest = dict.fromkeys(kinds, (0.0, ""))
    for _ in range(count):
        for kind, make in kinds.items():
            query = make()
            started, begun = time.perf_counter(), time.thread_time()
            found = reader.search_symbols(query)
            processor[kind].append((time.thread_time() - begun) * 1_000)
            elapsed = (time.perf_counter() - started) * 1_000
            times[kind].append(elapsed)
            hits[kind].append(len(found))
            slowest[kind] = max(slowest[kind], (elapsed, query))
    for kind in kinds:
        figures = {"kind": kind, **quantiles(times[kind]), "cpu": quantiles(processor[kind])}
        print(json.dumps({**figures, "hits": statistics.mean(hits[kind]), "slowest": slowest[kind][1]}))
    every = {"kind": "all", **quantiles(list(chain(*times.values())))}
    print(json.dumps({**every, "cpu": quantiles(list(chain(*processor.values())))}))


def quantiles(taken: list[float]) -> dict[str, float]:
    """Return the median, the 95th percentile and the maximum."""
    ordered = sorted(taken)
    return {
        "p50": round(statistics.median(ordered), 2),
        "p95": round(ordered[int(len(ordered) * 0.95)], 2),
        "max": round(ordered[-1], 2),
    }


def main() -> None:
    """Build, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--symbols", type=int, default=500_000)
    parser.add_argument("--queries", type=int, default=100)
    options = parser.parse_args()
    choice = random.Random(7)
    distinct = names(int(options.symbols * DISTINCT_SHARE), choice)
    source = files(distinct, options.symbols, choice)
    with tempfile.TemporaryDirectory() as folder:
        catalog = Catalog.open(Path(folder))
        spent = 0.0
        while batch := list(islice(source, FILES_PER_BATCH)):
            started = time.thread_time()
            catalog.apply(Batch(parsed=batch, bulk=True))
            spent += time.thread_time() - started
        started = time.thread_time()
        catalog.settle()
        spent += time.thread_time() - started
        catalog.checkpoint()
        reader = catalog.reader()
        started = time.perf_counter()
        first = reader.search_symbols("zzqqj")
        loading = (time.perf_counter() - started) * 1_000
        counts = reader.counts()
        print(
            json.dumps(
                {
                    "symbols": counts.symbols,
                    "distinct names": len(distinct),
                    "references": counts.references,
                    "writer_cpu_s": round(spent, 2),
                    "catalog_mb": round(catalog.size_bytes() / 1e6, 1),
                    "name_index_mb": round(catalog.names.memory_bytes / 1e6, 1),
                    "name_index_loading_ms": round(loading),
                    "first_hits": len(first),
                }
            )
        )
        ask(reader, distinct, options.queries, choice)
        reader.close()
        catalog.close()


if __name__ == "__main__":
    main()
