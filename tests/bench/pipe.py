"""What an editor waits for, measured at its end of the pipe: restart, hover, edits, symbols, navigation.

    python -m tests.bench.pipe [--corpus FOLDER] [--home FOLDER] [--runs 5] [PART ...]

Parts: restart, navigation, memory, hover, edit, symbols; all of them when none is named. Every comparison is made
inside one run, idle and busy in turn. The server is the real one, its index in a folder of its own, which `--home`
keeps for the next run.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import random
import re
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
from tests.bench import corpus
from tests.protocol.raw_client import RawClient, raw_client

PARTS = ("restart", "navigation", "memory", "hover", "edit", "symbols")
SEED = 7
EDITED_LINES = 2_000
LANGUAGES = {
    ".py": "python",
    ".js": "javascript",
    ".ts": "typescript",
    ".go": "go",
    ".java": "java",
    ".rs": "rust",
    ".c": "c",
    ".cpp": "cpp",
    ".rb": "ruby",
}
"""Files that calls are sampled from."""


@dataclass(frozen=True)
class Row:
    """One line of the table: what was measured, what came out, and what the issue asks for."""

    what: str
    figure: str
    target: str
    met: bool | None = None


def quantile(values: Sequence[float], share: float) -> float:
    """Return the value below which `share` of the values lie."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def milliseconds(values: Sequence[float]) -> str:
    """Show a distribution in milliseconds."""
    p50, p95, p99 = (1000 * quantile(values, share) for share in (0.5, 0.95, 0.99))
    return f"p50 {p50:.1f} ms, p95 {p95:.1f} ms, p99 {p99:.1f} ms (n {len(values):,})"


@contextlib.asynccontextmanager
async def server(root: Path, home: Path, **features: Any) -> AsyncIterator[RawClient]:
    """Run `pilotfish serve` on a root with everything switched on."""
    everything = {
        "hover": "full",
        "document_symbol": True,
        "definition": True,
        "references": True,
        "document_highlight": True,
        **features,
    }
    async with raw_client(environment={"PILOTFISH_HOME": str(home)}) as client:
        await client.initialize(root, initializationOptions={"features": everything})
        yield client


async def command(client: RawClient, name: str, **parameters: Any) -> Any:
    """Run one of our commands."""
    return await client.request("workspace/executeCommand", {"command": f"pilotfish.{name}", "arguments": [parameters]})


async def quiet(client: RawClient) -> dict[str, Any]:
    """Wait until the index is up to date and return the status."""
    for _ in range(1_200):
        status: dict[str, Any] = await command(client, "status")
        if status["index"]["phase"] == "ready" and not status["index"]["pending"]:
            return status
        await asyncio.sleep(0.5)
    raise TimeoutError("the index does not become quiet")


async def timed(client: RawClient, method: str, params: Any) -> tuple[float, Any]:
    """Send one request and return how long its answer took, in seconds, and the result."""
    started = time.perf_counter()
    result = await client.request(method, params)
    return time.perf_counter() - started, result


def open_params(path: Path, text: str) -> dict[str, Any]:
    """Parameters of didOpen."""
    language = LANGUAGES[path.suffix]
    return {"textDocument": {"uri": path.as_uri(), "languageId": language, "version": 1, "text": text}}


async def gone(pid: int) -> None:
    """Wait until a process has ended."""
    while psutil.pid_exists(pid):
        await asyncio.sleep(0.2)


# --- restart -----------------------------------------------------------------------------------------------------


async def restart(root: Path, home: Path) -> list[Row]:
    """From the `initialize` reply to the first right answer, nothing having changed, the engine being gone."""
    async with server(root, home) as client:
        engine = (await quiet(client))["engine_pid"]
    seconds = []
    for _ in range(5):
        await gone(engine)  # it lingers for ten seconds after its last front
        async with server(root, home) as client:
            started = time.perf_counter()
            while not await client.request("workspace/symbol", {"query": "Model"}):
                await asyncio.sleep(0.005)
            seconds.append(time.perf_counter() - started)
            engine = (await quiet(client))["engine_pid"]
    best = statistics.median(seconds)
    return [
        Row("restart, nothing changed: `initialize` reply to first right answer", f"{best:.2f} s", "< 1 s", best < 1)
    ]


# --- hover -------------------------------------------------------------------------------------------------------


async def hover(root: Path, home: Path, runs: int) -> list[Row]:
    """Hovers in an open document while a full index runs, against the same hovers when idle."""
    document = largest_python(root)
    text = document.read_text("utf-8", "replace")
    places = call_places(text)
    results = []
    async with server(root, home) as client:
        await client.notify("textDocument/didOpen", open_params(document, text))
        await quiet(client)
        for _ in range(runs):
            idle = await hovers(client, document, places, 2_000)
            await command(client, "control", action="rebuild")
            busy = await hovers(client, document, places, 2_000)
            still_busy = (await command(client, "status"))["index"]["phase"] != "ready"
            results.append((idle, busy, still_busy))
            await quiet(client)
    p50 = statistics.median(quantile(busy, 0.5) / quantile(idle, 0.5) for idle, busy, _ in results)
    idle99 = statistics.median(quantile(idle, 0.99) for idle, _, _ in results)
    busy99 = statistics.median(quantile(busy, 0.99) for _, busy, _ in results)
    covered = all(still for _, _, still in results)
    return [
        Row("hover, idle", milliseconds([each for idle, _, _ in results for each in idle]), ""),
        Row(
            "hover while a full index runs" + ("" if covered else " (the index ended before the last hovers)"),
            milliseconds([each for _, busy, _ in results for each in busy]),
            "",
        ),
        Row("hover, p50 busy / idle, median of runs", f"{p50:.2f}", "<= 2", p50 <= 2),
        Row(
            "hover, p99 busy against idle, median of runs",
            f"{busy99 * 1000:.0f} ms against {idle99 * 1000:.0f} ms",
            "<= max(3x idle, 60 ms)",
            busy99 <= max(3 * idle99, 0.060),
        ),
    ]


async def hovers(client: RawClient, document: Path, places: list[tuple[int, int]], count: int) -> list[float]:
    """Hover again and again over calls in a document."""
    chosen = random.Random(SEED)
    seconds = []
    for _ in range(count):
        line, character = chosen.choice(places)
        took, _ = await timed(
            client,
            "textDocument/hover",
            {"textDocument": {"uri": document.as_uri()}, "position": {"line": line, "character": character}},
        )
        seconds.append(took)
        await asyncio.sleep(0.002)
    return seconds


def largest_python(root: Path) -> Path:
    """Return the Python file whose length is nearest to the edited one of the issue."""
    candidates = [path for path in corpus.files(root) if path.suffix == ".py"]
    return min(candidates, key=lambda path: abs(path.read_bytes().count(b"\n") - EDITED_LINES))


def call_places(text: str) -> list[tuple[int, int]]:
    """Return line and column of names that are called or defined."""
    found = []
    for number, line in enumerate(text.splitlines()):
        if line.isascii() and not line.lstrip().startswith(("#", "//", "*")):
            found += [(number, match.start(1) + 1) for match in re.finditer(r"\b([A-Za-z_]\w{3,})\(", line)]
    return found


# --- edits -------------------------------------------------------------------------------------------------------


async def edit(root: Path, home: Path) -> list[Row]:
    """From didChange to the new definition in `workspace/symbol`, idle and during a cold index, in turn."""
    document = largest_python(root)
    text = document.read_text("utf-8", "replace")
    idle: list[float] = []
    busy: list[float] = []
    async with server(root, home) as client:
        await client.notify("textDocument/didOpen", open_params(document, text))
        await quiet(client)
        version = 2
        for _ in range(4):
            for target in (idle, busy):
                if target is busy:
                    await command(client, "control", action="rebuild")
                for _ in range(60):
                    version += 2
                    target.append(await one_edit(client, document, version))
                    await asyncio.sleep(0.03)
                await quiet(client)
    what = f"an edit of a file of {text.count(chr(10)):,} lines in the answers"
    return [
        Row(f"{what}, idle", milliseconds(idle), "p95 < 50 ms", quantile(idle, 0.95) < 0.05),
        Row("the same during a cold index", milliseconds(busy), "p95 < 100 ms", quantile(busy, 0.95) < 0.1),
    ]


async def one_edit(client: RawClient, document: Path, version: int) -> float:
    """Put a new definition into a document and return how long it takes to be found, in seconds."""
    name = f"edited_in_version_{version}"
    start = {"line": 0, "character": 0}
    change = {"range": {"start": start, "end": start}, "text": f"def {name}(): pass\n"}
    started = time.perf_counter()
    await client.notify(
        "textDocument/didChange",
        {"textDocument": {"uri": document.as_uri(), "version": version}, "contentChanges": [change]},
    )
    while not await client.request("workspace/symbol", {"query": name}):
        pass
    took = time.perf_counter() - started
    undo = {"range": {"start": start, "end": {"line": 1, "character": 0}}, "text": ""}
    await client.notify(
        "textDocument/didChange",
        {"textDocument": {"uri": document.as_uri(), "version": version + 1}, "contentChanges": [undo]},
    )
    while await client.request("workspace/symbol", {"query": name}):
        pass
    return took


# --- symbols -----------------------------------------------------------------------------------------------------


async def symbols(root: Path, home: Path, scratch: Path) -> list[Row]:
    """`workspace/symbol` over 500,000 definitions made of the corpus's own names, by kind of query."""
    names = identifiers(root)
    big = scratch / "half-a-million"
    total = write_definitions(big, names, 500_000)
    rows = []
    async with server(big, home) as client:
        status = await quiet(client)
        chosen = random.Random(SEED)
        everything: list[float] = []
        for kind, make in QUERIES.items():
            queries = [make(chosen, chosen.choice(names)) for _ in range(120)]
            seconds = [(await timed(client, "workspace/symbol", {"query": query}))[0] for query in queries]
            everything += seconds
            rows.append(Row(f"`workspace/symbol`, {kind}", milliseconds(seconds), ""))
        what = f"`workspace/symbol` at {status['symbols']:,} definitions, the whole mix"
        p95 = quantile(everything, 0.95)
        rows.insert(0, Row(what, milliseconds(everything), "p95 < 20 ms", p95 < 0.02))
        assert status["symbols"] >= 0.98 * total, "some names are reserved words and no definitions"
    return rows


def _hump(_: random.Random, name: str) -> str:
    words = [word for word in re.split(r"_|(?<=[a-z])(?=[A-Z])", name) if word]
    return "".join(word[0].upper() if number else word[0] for number, word in enumerate(words)) or name[:1]


def _subsequence(chosen: random.Random, name: str) -> str:
    picked = sorted(chosen.sample(range(len(name)), min(len(name), 5)))
    return "".join(name[place] for place in picked)


def _infix(chosen: random.Random, name: str) -> str:
    start = chosen.randrange(max(1, len(name) - 4))
    return name[start : start + chosen.randint(3, 5)]


QUERIES = {
    "one letter": lambda _, name: name[:1],
    "prefix of three or four": lambda chosen, name: name[: chosen.randint(3, 4)],
    "infix of three to five": _infix,
    "hump": _hump,
    "subsequence of five": _subsequence,
}


def identifiers(root: Path) -> list[str]:
    """Return real names: what the corpus defines in Python, Go and TypeScript, in order."""
    pattern = re.compile(rb"\b(?:def|func|class|function|interface|type)\s+(?:\([^)]*\)\s*)?([A-Za-z_]\w{2,})")
    found: set[str] = set()
    for path in corpus.files(root):
        if path.suffix in {".py", ".go", ".ts"}:
            found.update(name.decode() for name in pattern.findall(path.read_bytes()))
    return sorted(found)


def write_definitions(folder: Path, names: list[str], count: int) -> int:
    """Write files that define `count` functions, some 60 % of the names distinct, and return how many they define."""
    chosen = random.Random(SEED)
    folder.mkdir()
    for number in range(count // 500):
        lines = []
        for _ in range(500):
            name = chosen.choice(names)
            if chosen.random() < 0.6:
                name += "_" + chosen.choice(names)
            lines.append(f"def {name}(): pass")
        (folder / f"module_{number}.py").write_text("\n".join(lines))
    return count // 500 * 500


# --- navigation --------------------------------------------------------------------------------------------------


CALLS = 500


async def navigation(root: Path, home: Path) -> list[Row]:
    """Definition and references at calls sampled over the corpus's files."""
    chosen = random.Random(SEED)
    paths = [path for path in corpus.files(root) if path.suffix in LANGUAGES]
    found: dict[str, list[float]] = {"hover": [], "definition": [], "references": []}
    answered = dict.fromkeys(found, 0)
    async with server(root, home) as client:
        await quiet(client)
        while len(found["definition"]) < CALLS:
            path = chosen.choice(paths)
            text = path.read_text("utf-8", "replace")
            places = call_places(text)
            if not places:
                continue
            await client.notify("textDocument/didOpen", open_params(path, text))
            await timed(client, "textDocument/documentSymbol", {"textDocument": {"uri": path.as_uri()}})
            line, character = chosen.choice(places)
            place = {"textDocument": {"uri": path.as_uri()}, "position": {"line": line, "character": character}}
            for method in found:
                more = {"context": {"includeDeclaration": False}} if method == "references" else {}
                took, result = await timed(client, f"textDocument/{method}", {**place, **more})
                found[method].append(took)
                answered[method] += bool(result)
            await client.notify("textDocument/didClose", {"textDocument": {"uri": path.as_uri()}})
    targets = {"hover": None, "definition": 10, "references": 50}
    return [
        Row(
            f"{method} ({answered[method]} of {CALLS} answered)",
            milliseconds(found[method]),
            "" if target is None else f"p95 < {target} ms",
            None if target is None else quantile(found[method], 0.95) * 1000 < target,
        )
        for method, target in targets.items()
    ]


# --- memory ------------------------------------------------------------------------------------------------------


async def memory(root: Path, home: Path) -> list[Row]:
    """Private memory of front and engine when the index is quiet, and after many questions."""
    chosen = random.Random(SEED)
    paths = [path for path in corpus.files(root) if path.suffix in LANGUAGES]
    rows = []
    async with server(root, home) as client:
        engine = (await quiet(client))["engine_pid"]
        rows += private_rows("quiet", client.process.pid, engine)
        for _ in range(CALLS):
            path = chosen.choice(paths)
            text = path.read_text("utf-8", "replace")
            places = call_places(text) or [(0, 0)]
            await client.notify("textDocument/didOpen", open_params(path, text))
            line, character = chosen.choice(places)
            place = {"textDocument": {"uri": path.as_uri()}, "position": {"line": line, "character": character}}
            await client.request("textDocument/hover", place)
            await client.request("textDocument/references", {**place, "context": {"includeDeclaration": False}})
            await client.request("workspace/symbol", {"query": path.stem})
            await client.notify("textDocument/didClose", {"textDocument": {"uri": path.as_uri()}})
        rows += private_rows(f"after {3 * CALLS:,} requests", client.process.pid, engine)
    return rows


def private_rows(when: str, front: int, engine: int) -> list[Row]:
    """Rows of the private memory of two processes."""
    return [
        Row(f"{name}, private memory, {when}", f"{size / 1e6:.0f} MB", f"< {limit} MB", size < limit * 1e6)
        for name, pid, limit in (("serve", front, 70), ("engine", engine, 200))
        for size in [psutil.Process(pid).memory_full_info().uss]
    ]


async def measure(folder: Path, parts: Sequence[str], runs: int, home: Path | None) -> list[Row]:
    """Run the parts and return their rows."""
    rows: list[Row] = []
    scratch = Path(tempfile.mkdtemp(prefix="pilotfish-bench-"))
    home = home or scratch / "home"
    try:
        if "restart" in parts:
            rows += await restart(folder, home)
        if "navigation" in parts:
            rows += await navigation(folder, home)
        if "memory" in parts:
            rows += await memory(folder, home)
        if "hover" in parts:
            rows += await hover(folder, home, runs)
        if "edit" in parts:
            rows += await edit(folder, home)
        if "symbols" in parts:
            rows += await symbols(folder, home, scratch)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    return rows


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", type=Path, default=None)
    parser.add_argument("--home", type=Path, default=None)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("parts", nargs="*", choices=[[], *PARTS])
    arguments = parser.parse_args()
    folder = arguments.corpus or corpus.fetch(corpus.default_folder())
    os.environ.setdefault("PYTHONHASHSEED", "0")
    for row in asyncio.run(measure(folder.resolve(), arguments.parts or PARTS, arguments.runs, arguments.home)):
        verdict = {None: "", True: "met", False: "NOT MET"}[row.met]
        print(f"{row.what}: {row.figure} {f'[{row.target}: {verdict}]' if row.target else ''}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
